"""A spreadsheet, read back: it says what the games say, in numbers, and calculates nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook

from companion.game.exchange import COLUMNS, list_rows
from companion.money import Currency
from companion.rules import RULE_SETS
from companion.sheets.as_spreadsheet import ALTOGETHER, TOTALS, WIDTH_MAX, NamedGame, encode_spreadsheet
from companion.sheets.hands import make_sheet
from companion.table.events import CurrencyAgreed, Event, GameStarted, PointsMoved
from companion.table.settling import settle_up
from companion.words import Language, Words
from tests.sheets.test_sheet_hands import simulate

DAY = date(2026, 11, 30)
HALF = Currency("HK$", "0.5", "0.5")
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "#N/A", '=HYPERLINK("x")', "\t=1", "陈姐")


def write(*games: tuple[str, Sequence[Event]], language: Language = Language.ENGLISH) -> Any:
    """The workbook of these games, read back."""
    named = [NamedGame(name, make_sheet(events), DAY) for name, events in games]
    return load_workbook(BytesIO(encode_spreadsheet(named, Words(language))))


def values(sheet: Any) -> list[list[Any]]:
    """The cells of a sheet without the empty ones at the end of a row."""
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    return rows


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("language", Language)
def test_a_game_has_its_payments_wins_and_running_totals(rules: str, language: Language) -> None:
    events = simulate(rules)
    book = write(("friday", events), language=language)
    assert book.sheetnames == [Words(language)(TOTALS), "friday"]
    right = [[None if cell == "" else cell for cell in row] for row in list_rows(events, Words(language))]
    assert [list(row) for row in book["friday"].iter_rows(values_only=True)] == right
    totals = len(COLUMNS) + 4
    assert tuple(right[-1][totals : totals + 4]) == make_sheet(events).state.points


def test_who_pays_whom_is_what_settling_up_says() -> None:
    events = [*simulate("hong_kong"), CurrencyAgreed(currency=HALF)]
    sheet = make_sheet(events)
    settlement = settle_up(sheet.state)
    assert settlement is not None
    found = values(write(("friday", events)).worksheets[0])
    assert found[:3] == [
        ["friday · 2026-11-30 · Hong Kong"], ["1 point = HK$0.50"], ["Name", "Points", "Money"],
    ]  # fmt: skip
    people = {name: (points, money) for name, points, money in found[3:7]}
    for person, name in enumerate(sheet.names):
        assert people[name] == (settlement.points[person], settlement.amounts[person])
    assert [row[1] for row in found[3:7]] == sorted((row[1] for row in found[3:7]), reverse=True)
    assert found[7] == ["Pays", "Receives", "Amount"]
    assert found[8:11] == [
        [sheet.names[each.payer], sheet.names[each.taker], each.amount] for each in settlement.transfers
    ]


def test_a_game_for_points_is_settled_in_points() -> None:
    found = values(write(("friday", simulate("hebei"))).worksheets[0])
    assert found[1] == ["Name", "Points"]
    assert sum(row[1] for row in found[2:6]) == 0


def test_games_of_an_evening_are_added_where_a_point_is_worth_the_same() -> None:
    first, second = ([*simulate(rules), CurrencyAgreed(currency=HALF)] for rules in ("hong_kong", "hebei"))
    book = write(("friday", first), ("late", second))
    assert book.sheetnames == ["Totals", "friday", "late"]
    found = values(book.worksheets[0])
    at = found.index([ALTOGETHER])
    assert found[at + 2] == ["Name", "Money"]
    won = [make_sheet(events).state for events in (first, second)]
    money = dict(found[at + 3 : at + 7])
    for person, name in enumerate(make_sheet(first).names):
        parts = [settlement.amounts[person] for state in won if (settlement := settle_up(state))]
        assert money[name] == sum(parts)
    transfers = [row for row in found[at + 8 :] if row]
    for name, paid in money.items():
        moved = sum(row[2] * ((row[1] == name) - (row[0] == name)) for row in transfers)
        assert Decimal(str(moved)) == Decimal(str(paid))


@pytest.mark.parametrize(
    "other", [simulate("hebei"), [*simulate("hong_kong"), CurrencyAgreed(currency=Currency("¥", "1", "1"))]]
)
def test_games_that_are_not_worth_the_same_are_not_added(other: Sequence[Event]) -> None:
    book = write(("friday", [*simulate("hong_kong"), CurrencyAgreed(currency=HALF)]), ("late", other))
    assert [ALTOGETHER] not in values(book.worksheets[0])


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_becomes_a_formula(text: str) -> None:
    start = GameStarted(rules="hefei", names=(text, "Bo", "陈", "Dee"))
    events = [start, PointsMoved(points=(5, -5, 0, 0), why=text)]
    book = write((text, events))
    shown = text.strip()
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert all(cell.quotePrefix for cell in cells if cell.data_type == "s")
    assert any(cell.value == shown for cell in cells)
    assert all(isinstance(cell.value, int) for cell in cells if cell.data_type == "n")


def test_names_of_sheets_are_those_of_the_games_as_far_as_spreadsheets_allow() -> None:
    events = simulate("hefei", 1)
    names = ("a/b:c*d?e[f]g\\h", "A b c d e f g h", "很长" * 20, "很长" * 20 + "x", "'", "totals")
    at_edges = "History", "a" * 30 + "'s"
    titles = write(*((name, events) for name in (*names, *at_edges))).sheetnames
    assert titles[:3] == ["Totals", "a b c d e f g h", "A b c d e f g h 2"]
    assert [len(title) for title in titles[3:5]] == [31, 31]
    assert titles[5:] == ["-", "totals 2", "History 2", "a" * 30]
    assert len({title.lower() for title in titles}) == len(titles)


def test_columns_are_as_wide_as_their_text_and_the_heading_stays() -> None:
    start = GameStarted(rules="hefei", names=("陈" * 15, "Bo", "Chen", "Dee"))
    events = [start, PointsMoved(points=(5, -5, 0, 0), why="long " * 30)]
    sheet = write(("friday", events))["friday"]
    width = {column: each.width for column, each in sheet.column_dimensions.items()}
    assert width["I"] == 32
    assert width["G"] == WIDTH_MAX
    assert sheet["G2"].alignment.wrap_text
    assert sheet.freeze_panes == "A2"
    assert sheet["I2"].number_format == "+#,##0;-#,##0;0"
