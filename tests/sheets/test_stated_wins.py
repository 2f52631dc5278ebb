"""Wins whose tiles were not entered, on the score sheet."""

from __future__ import annotations

import pytest

from companion.game.exchange import list_rows
from companion.rules import Source
from companion.rules.stated import Stated
from companion.sheets.as_pdf import encode_pdf
from companion.sheets.as_picture import encode_picture
from companion.sheets.figures import calculate_figures
from companion.sheets.hands import make_sheet
from companion.sheets.wording import join_rows
from companion.table.apply import apply
from companion.table.events import Event, GameStarted
from companion.table.unrecorded import ReportedWin, enter_win
from companion.words import Language, Words

WINS = (
    ReportedWin(1, Source.DISCARD, 2, stated=Stated(value=5)),
    ReportedWin(2, Source.SELF_DRAW, stated=Stated(rows={"full_pung": 1, "dragon_pung": 2})),
)


@pytest.fixture
def events() -> list[Event]:
    start = GameStarted(rules="hong_kong", names=("Ann", "Bao", "Chen", "Dai"))
    state = apply(None, start)
    found: list[Event] = [start]
    for reported in WINS:
        entered = enter_win(state, reported)
        state, found = entered.after, [*found, *entered.events]
    return found


def test_they_have_no_tiles_and_name_no_pattern_that_nobody_named(events: list[Event]) -> None:
    sheet = make_sheet(events)
    assert [hand.wins[0].concealed for hand in sheet.hands] == [(), ()]
    assert {each.name for each in calculate_figures(sheet).patterns} == {
        "Full Pung", "Pung of Dragons", "Self-Draw"
    }  # fmt: skip


def test_what_turns_fan_into_units_is_no_pattern_of_the_best_hand() -> None:
    state = apply(None, GameStarted(rules="hong_kong", options={"payout": "exponential"}))
    score = enter_win(state, WINS[1]).score
    assert score.lines[-1].name == "Payout"
    assert "Payout" not in join_rows(score.lines, "hong_kong", Words(Language.ENGLISH))


def test_they_are_in_every_export(events: list[Event]) -> None:
    _, first, second = list_rows(events)
    assert first[-5:] == [5, "", "Bao", "Chen", "Value as stated +5"]
    assert second[-5:] == [6, "", "Chen", "", "Pung of Dragons +2, Full Pung +3, Self-Draw +1"]
    words = Words(Language.TRADITIONAL)
    assert encode_picture(make_sheet(events), "friday", words).startswith(b"\x89PNG")
    assert encode_pdf(make_sheet(events), "friday", words).startswith(b"%PDF")
