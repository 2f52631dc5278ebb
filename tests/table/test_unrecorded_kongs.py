"""Kongs of a hand of which only the end is recorded: each is paid when it is entered, whoever wins."""

from __future__ import annotations

import pytest

from companion.errors import EventError
from companion.rules import Source
from companion.sheets.hands import make_sheet
from companion.sheets.rewriting import find_reported_win, plan_end, with_winner
from companion.table.apply import fold
from companion.table.events import Event, GameStarted
from companion.table.state import State
from companion.table.unrecorded import (
    EnteredKong,
    ReportedWin,
    enter_drawn,
    enter_kong,
    enter_win,
    has_no_record,
)
from companion.tiles import MeldKind, Tile, parse_meld, parse_tiles

EAST = Tile.parse("1z")
PURSE = 100
"""What everybody has at the beginning."""
KONGS = [
    (EnteredKong(2, MeldKind.KONG_CONCEALED), (-2, -2, 6, -2)),
    (EnteredKong(2, MeldKind.KONG_ADDED, EAST), (-1, -1, 3, -1)),
    (EnteredKong(2, MeldKind.KONG_DISCARD, EAST, 0), (-2, 0, 2, 0)),
    (EnteredKong(0, MeldKind.KONG_DISCARD, EAST, 3), (2, 0, 0, -2)),
]
TILES = tuple(parse_tiles("123m456m789m123p99s"))


def begin(**options: bool) -> list[Event]:
    return [GameStarted(rules="hebei", options=dict(options))]


def state_of(events: list[Event]) -> State:
    state = fold(events)
    assert state is not None
    return state


@pytest.mark.parametrize(("kong", "paid"), KONGS)
def test_a_kong_is_paid_at_once_and_nothing_else_of_the_hand_is_known(
    kong: EnteredKong, paid: tuple[int, ...]
) -> None:
    events = begin()
    events += enter_kong(state_of(events), kong)
    state = state_of(events)
    assert tuple(points - PURSE for points in state.points) == paid
    assert has_no_record(state), "who won, and on whose tile, is still asked"
    events += enter_win(state, ReportedWin(1, Source.DISCARD, 3, Tile.parse("9s"), TILES)).events
    alone = enter_win(state_of(begin()), ReportedWin(1, Source.DISCARD, 3, Tile.parse("9s"), TILES)).after
    after = state_of(events)
    assert tuple(a - b for a, b in zip(after.points, alone.points, strict=True)) == paid


@pytest.mark.parametrize("meld", ["K1111z", "k1111z", "a1111z"])
def test_a_kong_of_the_winner_that_was_entered_before_is_not_laid_twice(meld: str) -> None:
    laid = parse_meld(meld)
    kong = EnteredKong(
        2, laid.kind, None if laid.kind is MeldKind.KONG_CONCEALED else EAST,
        0 if laid.kind is MeldKind.KONG_DISCARD else None,
    )  # fmt: skip
    events = begin()
    events += enter_kong(state_of(events), kong)
    tiles = (*parse_tiles("456m789m123p99s"), *laid.tiles)
    reported = ReportedWin(2, Source.SELF_DRAW, None, Tile.parse("9s"), tiles, (laid,))
    after = enter_win(state_of(events), reported).after
    assert after.hand is not None
    assert len(after.hand.players[2].melds) == 1


def test_after_a_draw_kongs_stay_paid_or_go_back_as_the_house_says() -> None:
    for refund in (False, True):
        events = begin(kong_refund_on_draw=refund)
        events += enter_kong(state_of(events), KONGS[0][0])
        events += enter_drawn(state_of(events))
        assert (set(state_of(events).points) == {PURSE}) is refund


def test_another_end_leaves_the_kongs_that_others_were_paid() -> None:
    events = begin()
    events += enter_kong(state_of(events), KONGS[0][0])
    state = state_of(events)
    events += enter_win(state, ReportedWin(1, Source.DISCARD, 3, Tile.parse("9s"), TILES)).events
    sheet = make_sheet(events)
    reported = find_reported_win(sheet.hands[0])
    assert reported is not None
    changed = plan_end(sheet, 0, [with_winner(reported, 0)]).sheet
    assert [win.winner for win in changed.hands[0].wins] == [0]
    assert changed.hands[0].entries[0] == sheet.hands[0].entries[0]
    drawn = plan_end(sheet, 0, []).sheet
    assert drawn.hands[0].drawn
    assert drawn.hands[0].entries[0] == sheet.hands[0].entries[0]


def test_a_kong_cannot_be_where_its_tiles_are_known_elsewhere() -> None:
    events = begin()
    events += enter_kong(state_of(events), EnteredKong(1, MeldKind.KONG_DISCARD, EAST, 0))
    with pytest.raises(EventError):
        enter_kong(state_of(events), EnteredKong(2, MeldKind.KONG_ADDED, EAST))
