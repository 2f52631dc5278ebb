"""A game's ledger as a table for spreadsheets, and read again from one."""

from __future__ import annotations

import csv
import io
import re
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InputError
from companion.foreign_text import clean
from companion.game.exchange import decode_csv, encode_csv, encode_rows, list_rows
from companion.game.file import GameFile
from companion.game.game import Game
from companion.money import Currency
from companion.table.events import (
    CurrencyAgreed,
    Dealt,
    Discarded,
    Drawn,
    EntryCancelled,
    Event,
    GameStarted,
    HandDrawn,
    HandStarted,
    PointsMoved,
    SeatsChanged,
    Won,
    decode_event,
)
from companion.table.state import Phase
from companion.words import Language, Words

NAMES = ("=Ann", "Bo, the Old", "陈", "")
KINDS = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]

SPOKEN = {
    Language.ENGLISH: [
        "Entry", "Hand number", "Round", "Dealer", "What", "Who", "Why", "Cancels entry", "Ann: total",
        "Ann: HK$", "East", "Ann", "A win", "Ann", "Heavenly Hand", "Points moved", "Cancelled",
    ],
    Language.SIMPLIFIED: [
        "编号", "第几局", "圈风", "庄家", "事项", "谁", "说明", "取消的编号", "Ann：合计",
        "Ann：HK$", "东", "Ann", "胡牌", "Ann", "天胡", "转分", "取消",
    ],
    Language.TRADITIONAL: [
        "編號", "第幾局", "圈風", "莊家", "事項", "誰", "說明", "取消的編號", "Ann：合計",
        "Ann：HK$", "東", "Ann", "胡牌", "Ann", "天胡", "轉分", "取消",
    ],
}  # fmt: skip

CALCULATED = (
    "=1+1", "+1", "-1", "@SUM(A1)",
    "\t=1", "\r=1", "\n=1", " =1", "\u3000=1", "＝1", "＋1", "－1", "＠A1", "a\n=1", "'=1",
    "=DDE(A1)", "\u200b=1", "\ufeff=1", ";=1", '"=1', ",=1", "|=1", "−1", "%=1",
)  # fmt: skip
"""Of which some spreadsheet makes a formula, or once did."""

HEADING = (
    'entry,hand,round,dealer,what,who,why,cancels,\'=Ann,"Bo, the Old",陈,player 3,'
    '\'=Ann: total,"Bo, the Old: total",陈: total,player 3: total'
)
TABLE = f"""{HEADING}
0,1,east,'=Ann,win,'=Ann,Heavenly Hand,,384,-128,-128,-128,384,-128,-128,-128
1,,,,moved,,'+ a bet,,5,-5,0,0,389,-133,-128,-128
2,,,,cancelled,,a joke,1,-5,5,0,0,384,-128,-128,-128
,2,east,'=Ann,draw,,,,0,0,0,0,384,-128,-128,-128
3,,,,moved,,late,,-1,0,1,0,383,-128,-127,-128
"""


@pytest.fixture
def table(path: Path) -> bytes:
    """Of a hand that is won, a bet that is taken back, a drawn hand of which nobody saw a wall, a fine."""
    with Game.begin(path, GameStarted(rules="hong_kong", names=NAMES)) as game:

        def happens(*events: Event) -> None:
            for event in events:
                game.append(event)

        happens(HandStarted(dealer=0), Dealt(hands=("123456789m11p333z", None, None, None)), Won(seat=0))
        happens(PointsMoved(points=(5, -5, 0, 0), why="+ a bet"), EntryCancelled(entry=1, why="a joke"))
        happens(HandStarted(dealer=0), Dealt())
        kinds = cycle(KINDS)
        while True:
            hand = game.state.hand
            assert hand is not None
            if hand.phase is Phase.CLAIM:
                if not hand.wall.live_left:
                    break
                happens(Drawn(seat=hand.turn))
            happens(Discarded(seat=hand.turn, tile=next(kinds)))
        happens(HandDrawn(), SeatsChanged(order=(1, 0, 2, 3)), PointsMoved(points=(0, -1, 1, 0), why="late"))
        return encode_csv(game.file)


def test_each_payment_and_each_drawn_hand_has_a_row(table: bytes) -> None:
    """Points go with the people, who have changed seats; a spreadsheet reckons nothing in a name."""
    assert table.startswith(b"\xef\xbb\xbf")
    text = table.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert [row[:16] for row in rows] == list(csv.reader(io.StringIO(TABLE)))
    assert {len(row) for row in rows} == {21}
    moved = """1,"","","","moved","","'+ a bet","",5,-5,0,0,389,-133,-128,-128"""
    assert text.splitlines()[2] == moved + ',""' * 5


def test_a_win_has_its_value_tiles_winner_discarder_and_rows_in_the_last_columns(table: bytes) -> None:
    heading, win, *others = csv.reader(io.StringIO(table.decode("utf-8-sig")))
    assert heading[16:] == ["value", "tiles", "winner", "discarder", "rows"]
    value, tiles, winner, discarder, rows = win[16:]
    assert (tiles, winner, discarder) == ("123456789m11p333z", "'=Ann", "")
    assert rows == f"Heavenly Hand +{value}"
    assert all(row[16:] == [""] * 5 for row in others)


def test_a_table_of_before_the_columns_of_wins_is_still_read(table: bytes) -> None:
    now, then = (each.splitlines(keepends=True) for each in (table, TABLE.encode()))
    read = [[entry.event for entry in decode_csv(each, "hong_kong").entries] for each in (now, then)]
    assert read[0][1:] == read[1][1:]


def test_money_stands_beside_the_totals_and_is_read_over() -> None:
    """Agreed at the end, it holds from the first row on; each row adds up to nothing in whole coins."""
    start = GameStarted(rules="hebei", names=("Ann", "Bo", "陈", "Dee"))
    log: list[Event] = [
        start,
        PointsMoved(points=(3, -1, -1, -1), why="a bet"),
        PointsMoved(points=(0, 4, -4, 0), why="late"),
    ]
    agreed = CurrencyAgreed(currency=Currency("NT$", "0.5", "1"))
    plain, money = (encode_rows(list_rows(events)) for events in (log, [*log, agreed]))
    rows = list(csv.reader(io.StringIO(money.decode("utf-8-sig"))))
    assert rows[0][16:20] == ["Ann: NT$", "Bo: NT$", "陈: NT$", "Dee: NT$"]
    assert [row[12:20] for row in rows[1:]] == [
        ["103", "99", "99", "99", "2", "0", "-1", "-1"], ["103", "103", "95", "99", "2", "2", "-3", "-1"],
    ]  # fmt: skip
    without = [row[:16] for row in csv.reader(io.StringIO(plain.decode("utf-8-sig")))]
    assert [row[:16] for row in rows] == without
    read = [decode_csv(table.splitlines(keepends=True), "hebei").entries for table in (plain, money)]
    assert [entry.event for entry in read[0]] == [entry.event for entry in read[1]]


@pytest.mark.parametrize("language", Language)
def test_a_table_for_people_is_in_their_language_and_read_again(language: Language) -> None:
    """Its fixed words and the names of rows; the numbers and what people wrote are as in any other table."""
    log = [
        GameStarted(rules="hong_kong", names=("Ann", "Bo", "陈", "Dee"), currency=Currency("HK$", "2", "1")),
        HandStarted(dealer=0), Dealt(hands=("123456789m11p333z", None, None, None)), Won(seat=0),
        PointsMoved(points=(3, -1, -1, -1), why="a bet"), EntryCancelled(entry=1, why="a joke"),
    ]  # fmt: skip
    fixed, spoken = (encode_rows(list_rows(log, words)) for words in (None, Words(language)))
    rows = list(csv.reader(io.StringIO(spoken.decode("utf-8-sig"))))
    said = [*rows[0][:8], rows[0][12], rows[0][16], *rows[1][2:7], rows[2][4], rows[3][4]]
    assert said == SPOKEN[language]
    assert [row[8:23] for row in rows[1:]] == [
        row[8:23] for row in csv.reader(io.StringIO(fixed.decode("utf-8-sig")))
    ][1:]
    found, as_fixed = (
        [decode_event(entry.event) for entry in decode_csv(each.splitlines(keepends=True), "hefei").entries]
        for each in (spoken, fixed)
    )
    assert found[0] == as_fixed[0]
    assert found[2] == as_fixed[2] == PointsMoved(points=(3, -1, -1, -1), why="a bet")


@given(texts=st.lists(st.text(max_size=30) | st.sampled_from(CALCULATED), min_size=1, max_size=6))
def test_no_text_is_calculated_by_a_spreadsheet(texts: list[str]) -> None:
    """Whatever separator and line end it believes in: a text is in quotation marks, on one line."""
    (line,) = encode_rows([[*texts, 7]]).decode("utf-8-sig").splitlines()
    assert re.fullmatch(r'("([^"]|"")*",)*7', line)
    *cells, number = next(csv.reader([line]))
    assert number == "7"
    for text, cell in zip(texts, cells, strict=True):
        assert cell == "" or cell[0].isalnum() or cell[0] == "'"
        kept = clean(text).encode("utf-8", "replace").decode()
        assert cell in (kept, f"'{kept}")


@given(names=st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]), max_size=20)] * 4))
def test_names_come_back_from_a_table_as_they_were(names: tuple[str, str, str, str]) -> None:
    start = GameStarted(rules="hefei", names=names)
    rows = encode_rows(list_rows([start, PointsMoved(points=(1, -1, 0, 0), why="a bet")]))
    first = decode_event(decode_csv(rows.splitlines(keepends=True), "hefei").entries[0].event)
    assert isinstance(first, GameStarted)
    assert first.names == tuple(name or f"player {seat}" for seat, name in enumerate(start.names))


def test_such_a_table_is_read_again_as_a_game_of_payments(table: bytes, tmp_path: Path) -> None:
    found = decode_csv(table.splitlines(keepends=True), "hong_kong")
    with Game(GameFile.create(tmp_path / "new.game", found.entries)) as game:
        assert game.state.names == ("=Ann", "Bo, the Old", "陈", "player 3")
        assert game.state.points == (383, -128, -127, -128)
        assert [entry.points for entry in game.state.ledger] == [
            (384, -128, -128, -128), (5, -5, 0, 0), (-5, 5, 0, 0), (0, 0, 0, 0), (-1, 0, 1, 0)
        ]  # fmt: skip
        assert game.state.ledger[0].why == "win: =Ann: Heavenly Hand"


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_table_is_read_as_spreadsheets_of_other_countries_save_it(table: bytes, separator: str) -> None:
    rows = csv.reader(io.StringIO(table.decode("utf-8-sig")))
    saved = io.StringIO(newline="")
    csv.writer(saved, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    again = decode_csv(saved.getvalue().encode().splitlines(keepends=True), "hong_kong")
    before = decode_csv(table.splitlines(keepends=True), "hong_kong")
    assert [entry.event for entry in again.entries] == [entry.event for entry in before.entries]


def test_a_table_may_begin_in_the_middle_of_a_game() -> None:
    lines = [HEADING, ",,,,moved,,,,1,-1,0,0,101,99,100,100"]
    found = decode_csv([line.encode() for line in lines], "hefei")
    assert '"points":[100,100,100,100]' in found.entries[0].event


ROW = ",,,,moved,,,,1,-1,0,0,1,-1,0,0"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "There is no event in it"),
        ([HEADING], "There is no event in it"),
        (["a,b,c"], "Line 1: The first line names the columns entry, hand, round"),
        (['{"format":"x","version":1}'], "Line 1: The first line names the columns entry, hand, round"),
        ([HEADING, ROW, ROW], "Line 3: This line gives ''=Ann' 1 points; the lines before add up to 2"),
        ([HEADING, ROW, ROW[:-2]], "Line 3: It has 15 cells, and the first line 16"),
        ([HEADING, ROW.replace("-1,0,0,1", "0,0,0,1")], "Line 2: "),
        (
            [HEADING, ROW.replace(",1,-1", ",one,-1", 1)],
            "Line 2: 'one' in the column ''=Ann' is not a whole number",
        ),
        ([HEADING, ROW.replace(",1,-1", ",1.5,-1", 1)], "Line 2: '1.5' in the column ''=Ann' is not a whole"),
        ([HEADING, "", ROW, '"'], "Line 4: "),
        ([HEADING, ROW, "\udcff"], "Line 3: It is not UTF-8 text"),
    ],
)
def test_a_bad_line_of_a_table_is_refused_by_its_number(lines: list[str], said: str) -> None:
    with pytest.raises(InputError, match=f"^{said}") as problem:
        decode_csv([line.encode("utf-8", "surrogateescape") + b"\r\n" for line in lines], "hefei")
    assert str(problem.value).endswith("Nothing was imported.")


def test_the_rules_of_a_table_must_be_known() -> None:
    with pytest.raises(InputError, match="chess"):
        decode_csv([HEADING.encode(), ROW.encode()], "chess")
