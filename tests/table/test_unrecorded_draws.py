"""Hands that nobody won, of which only that is recorded: nothing of them says how the next one goes."""

from __future__ import annotations

import pytest

from companion.rules import Source
from companion.table.apply import fold
from companion.table.events import Event, GameStarted
from companion.table.state import State
from companion.table.unrecorded import (
    ReportedWin,
    enter_drawn,
    enter_win,
    has_no_record,
    list_known_chances,
    needs_fortune,
)
from companion.tiles import Tile, parse_tiles

WILD = Tile.parse("1s")
READY = ReportedWin(
    1, Source.SELF_DRAW, None, Tile.parse("7z"), tuple(parse_tiles("111m222m333p444s555s77z")),
    situation=frozenset({"ready"}),
)  # fmt: skip


def state_of(events: list[Event]) -> State:
    state = fold(events)
    assert state is not None
    return state


@pytest.mark.parametrize("rules", ["hefei", "hebei", "taiwanese", "hong_kong", "hangzhou"])
def test_after_a_draw_the_next_hand_is_told_by_people(rules: str) -> None:
    events: list[Event] = [GameStarted(rules=rules)]
    state = state_of(events)
    state = state_of([*events, *enter_drawn(state, WILD if needs_fortune(state) else None)])
    assert has_no_record(state)
    assert not any(list_known_chances(state, seat) for seat in range(4))


def test_a_win_after_a_draw_is_worth_what_it_is_in_any_hand() -> None:
    events: list[Event] = [GameStarted(rules="taiwanese")]
    events += enter_drawn(state_of(events))
    wins = [enter_win(state_of(before), READY).score for before in (events[:1], events)]
    lines, after_a_draw = (win.lines for win in wins)
    assert after_a_draw == lines
