"""One game or several of an evening as a spreadsheet (XLSX): who has won what and who pays whom, then a sheet
for each game with every payment. Numbers are numbers; no text is calculated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any, NamedTuple

from companion.foreign_text import clean
from companion.game.exchange import COLUMNS, PEOPLE, list_rows
from companion.money import PEOPLE_MAX, Currency, Transfer, describe_currency, transfers
from companion.rules.win import Stakes
from companion.sentences import as_text, msgid
from companion.sheets.hands import Sheet
from companion.sheets.wording import describe_rules, name_evening, name_seated
from companion.table.settling import POINTS, settle_up
from companion.words import Words

SHEET_NAME_MAX = 31
NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]")
RESERVED = ("history",)
"""Names of sheets that Excel keeps for itself, in lower case."""
CELL_LENGTH_MAX = 32_767
"""The longest text of a cell."""
WIDTH_MIN, WIDTH_MAX = 7, 60
"""Widths of columns, in digits; longer text is wrapped."""
WIDE = ("W", "F")
"""Characters as wide as two digits, by `unicodedata.east_asian_width`."""
PLAIN, SIGNED = "#,##0", "+#,##0;-#,##0;0"
MONEY, SIGNED_MONEY = "#,##0.00", "+#,##0.00;-#,##0.00;0.00"

TOTALS, ALTOGETHER = msgid("Totals"), msgid("All games together")
NAME, IN_POINTS, IN_MONEY = msgid("Name"), msgid("Points"), msgid("Money")
TRANSFER_HEADS = msgid("Pays"), msgid("Receives"), msgid("Amount")


class NamedGame(NamedTuple):
    """A game to be written: the name under which it is kept, its score sheet, and its day."""

    name: str
    sheet: Sheet
    day: date | None = None


class Cell(NamedTuple):
    """format: of a number, as spreadsheets write it. is_title: whether it runs over the columns after it."""

    value: str | int | Decimal
    format: str = PLAIN
    is_bold: bool = False
    is_title: bool = False


class Balance(NamedTuple):
    """What people have won, and who pays whom. points: None for several games, or where the amounts are
    points."""

    names: tuple[str, ...]
    points: tuple[int, ...] | None
    amounts: tuple[Decimal, ...]
    transfers: tuple[Transfer, ...]
    currency: Currency


def encode_spreadsheet(games: Sequence[NamedGame], words: Words) -> bytes:
    """The games in that language. What people won in several is added where it is worth the same."""
    from openpyxl import Workbook

    book = Workbook()
    taken = set(RESERVED)
    totals: Any = book.active
    totals.title = _name_sheet(words(TOTALS), taken)
    _write(totals, _list_totals(games, words))
    for game in games:
        sheet: Any = book.create_sheet(_name_sheet(game.name, taken))
        _write(sheet, _list_payments(game, words))
        sheet.freeze_panes = "A2"
        sheet.auto_filter.ref = sheet.dimensions
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _name_sheet(name: str, taken: set[str]) -> str:
    """A name for a sheet that no other one has: spreadsheets compare them without case, and refuse some."""
    short = NOT_IN_SHEET_NAMES.sub(" ", _clean(name)).strip(" '")[:SHEET_NAME_MAX].rstrip(" '") or "-"
    found, copy = short, 1
    while found.lower() in taken:
        copy += 1
        found = f"{short[: SHEET_NAME_MAX - len(f' {copy}')]} {copy}"
    taken.add(found.lower())
    return found


def _list_totals(games: Sequence[NamedGame], words: Words) -> Iterator[list[Cell]]:
    """A block for each game, and one for all."""
    for game in games:
        heading = " · ".join((*name_evening(game.name, game.day), describe_rules(game.sheet, words)))
        yield from _list_balance(heading, _settle(game.sheet, words), words)
    together = _add_up(games, words)
    if together is not None:
        yield from _list_balance(words(ALTOGETHER), together, words)


def _list_balance(heading: str, balance: Balance, words: Words) -> Iterator[list[Cell]]:
    """Who has won what, the one who has won most in front, and who pays whom."""
    is_money = balance.currency != POINTS
    plain, signed = (MONEY, SIGNED_MONEY) if is_money else (PLAIN, SIGNED)
    yield [Cell(heading, is_bold=True, is_title=True)]
    if is_money:
        yield [Cell(words.say(describe_currency(balance.currency)), is_title=True)]
    heads = [NAME, *([] if balance.points is None else [IN_POINTS]), IN_MONEY if is_money else IN_POINTS]
    yield [Cell(words(head), is_bold=True) for head in heads]
    for person in sorted(range(len(balance.names)), key=lambda person: -balance.amounts[person]):
        points = [] if balance.points is None else [Cell(balance.points[person], SIGNED)]
        yield [Cell(balance.names[person]), *points, Cell(balance.amounts[person], signed)]
    if balance.transfers:
        yield [Cell(words(head), is_bold=True) for head in TRANSFER_HEADS]
    for each in balance.transfers:
        names = (balance.names[each.payer], balance.names[each.taker])
        yield [*map(Cell, names), Cell(each.amount, plain)]
    yield []


def _settle(sheet: Sheet, words: Words) -> Balance:
    """A game by itself; without a currency, in points."""
    settlement = settle_up(sheet.state, sheet.state.currency or POINTS)
    assert settlement is not None
    names, people = name_seated(sheet, words), sheet.people
    points = tuple(settlement.points[person] for person in people)
    return Balance(
        names=tuple(names[person] for person in people),
        points=None if settlement.currency == POINTS else points,
        amounts=tuple(settlement.amounts[person] for person in people),
        transfers=tuple(
            Transfer(people.index(each.payer), people.index(each.taker), each.amount)
            for each in settlement.transfers
        ),
        currency=settlement.currency,
    )


def _add_up(games: Sequence[NamedGame], words: Words) -> Balance | None:
    """All games together, people by name; None for one game, for games that are not worth the same, and
    where a player has no name. Without transfers if more than `PEOPLE_MAX` people have won or lost."""
    if len(games) < 2 or len({_find_worth(game.sheet) for game in games}) > 1:
        return None
    amounts: dict[str, Decimal] = {}
    for game in games:
        named = [game.sheet.names[person] for person in game.sheet.people]
        if not all(named):
            return None
        for name, amount in zip(named, _settle(game.sheet, words).amounts, strict=True):
            amounts[name] = amounts.get(name, Decimal(0)) + amount
    paid = tuple(amounts.values())
    is_few = sum(map(bool, paid)) <= PEOPLE_MAX
    currency = games[0].sheet.state.currency or POINTS
    return Balance(tuple(amounts), None, paid, transfers(paid) if is_few else (), currency)


def _find_worth(sheet: Sheet) -> tuple[Currency | None, str, Stakes | None]:
    """What must be equal in games that are added: what a point is worth; without money, game and stakes."""
    currency = sheet.state.currency
    return (None, sheet.rules, sheet.state.house.stakes) if currency is None else (currency, "", None)


def _list_payments(game: NamedGame, words: Words) -> Iterator[list[Cell]]:
    """The table of a game, `companion.game.exchange.list_rows`: payments and totals of each, and the wins."""
    gets = range(len(COLUMNS), len(COLUMNS) + PEOPLE)
    for at, row in enumerate(list_rows(game.sheet.log, words)):
        yield [
            Cell(value, SIGNED if column in gets else MONEY if isinstance(value, Decimal) else PLAIN, at == 0)
            for column, value in enumerate(row)
        ]


def _write(sheet: Any, rows: Iterable[list[Cell]]) -> None:
    """Put the rows into a sheet, with columns as wide as what is in them."""
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    widths: dict[int, int] = {}
    for number, row in enumerate(rows, start=1):
        for column, (value, number_format, is_bold, is_title) in enumerate(row, start=1):
            if value == "":
                continue
            cell = sheet.cell(number, column)
            if isinstance(value, str):
                _put_text(cell, value)
            else:
                cell.value, cell.number_format = value, number_format
            width = _measure(str(cell.value)) + 2
            cell.font = Font(bold=is_bold)
            cell.alignment = Alignment(vertical="top", wrap_text=width > WIDTH_MAX and not is_title)
            if not is_title:
                widths[column] = max(widths.get(column, WIDTH_MIN), min(width, WIDTH_MAX))
    for column, width in widths.items():
        sheet.column_dimensions[get_column_letter(column)].width = width


def _put_text(cell: Any, text: str) -> None:
    """Text as text, whatever it begins with, also after it was edited."""
    cell.value = _clean(text)[:CELL_LENGTH_MAX]
    cell.data_type = "s"
    cell.quotePrefix = True


def _clean(text: str) -> str:
    """The text without what a spreadsheet cannot hold."""
    return as_text(clean(text))


def _measure(text: str) -> int:
    """How wide text is, in digits."""
    return sum(1 + (unicodedata.east_asian_width(letter) in WIDE) for letter in text)
