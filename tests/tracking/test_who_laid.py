"""Whose discard a tile is, and where among the others: by who reached out, and by the row it lies in."""

from __future__ import annotations

import random
from math import inf

import pytest

from companion.coach.simulation import play
from companion.table.events import Claimed, Discarded, Drawn, Event, GameStarted
from companion.table.state import Phase
from companion.tracking.decoder import Decoder
from companion.tracking.notices import Stated
from companion.tracking.quarters import PITCH_MM, Quarters
from companion.tracking.reaching import REMEMBERED_S, Reaches
from companion.tracking.scene import NOT_REACHED_COST, Scene
from companion.tracking.sights import Box, SeenTile, Sight
from companion.tracking.tracks import Face, Track

EDGES = (
    Box(-60, -400, 60, -340),
    Box(340, -60, 400, 60),
    Box(-60, 340, 60, 400),
    Box(-400, -60, -340, 60),
)
"""An arm at each player's edge."""


def see(number: int, code: str, x: float, y: float, since: float) -> SeenTile:
    return SeenTile(number, x, y, 0.0, ((code, 0.998),), still_since_s=since)


def lay(number: int, x: float, y: float, since: float, clear: float) -> Track:
    return Track(number, x, y, 0.0, Face((("3m", 0.998),)), False, since, since, clear)


def test_who_reached_out_is_known_for_a_while() -> None:
    reaches = Reaches()
    reaches.note(Sight(1.0, covered=(EDGES[2],)))
    reaches.note(Sight(2.0))
    reaches.note(Sight(3.0, covered=(EDGES[1], EDGES[2])))
    assert reaches.find_last(2) == 3.0
    assert reaches.find_last(0) == -inf
    assert reaches.find_between(0.5, 2.5) == {2}
    assert reaches.find_between(2.5, 3.5) == {1, 2}
    reaches.note(Sight(3.5 + REMEMBERED_S))
    assert reaches.find_between(-inf, inf) == frozenset()


@pytest.mark.parametrize(
    ("arm", "clear", "costs"),
    [
        (2, 4.0, [NOT_REACHED_COST, NOT_REACHED_COST, 0.0, NOT_REACHED_COST]),
        (None, 4.0, [0.0] * 4),
        (2, -inf, [0.0] * 4),
    ],
)
def test_a_discard_is_rather_of_who_reached_out(arm: int | None, clear: float, costs: list[float]) -> None:
    reaches = Reaches()
    reaches.note(Sight(4.5, covered=() if arm is None else (EDGES[arm],)))
    scene = Scene.look(6.0, {}, [], [], Quarters(), reaches)
    assert [scene.find_reach_cost(seat, lay(1, 0, 0, 5.0, clear)) for seat in range(4)] == costs


def follow(arm: int) -> list[Event]:
    """The dealer discards, and then that player puts a tile between two quarters."""
    decoder = Decoder([GameStarted(rules="hebei")])
    first, second = see(1, "9s", 0, -105, 1.0), see(2, "3m", 20, 105, 5.0)
    said: list[Event] = []
    for half in range(2, 24):
        t = half / 2
        tiles = (first,) if t < 5.0 else (first, second)
        covered = (EDGES[arm], Box(0, 85, 40, 125)) if 4.0 <= t < 5.0 else ()
        sight = Sight(t, tiles, covered)
        said += [each.event for each in decoder.follow(sight) if isinstance(each, Stated)]
    return said


@pytest.mark.parametrize("arm", [1, 2])
def test_a_stray_discard_is_of_the_player_whose_arm_laid_it(arm: int) -> None:
    assert Discarded(seat=arm, tile="3m") in follow(arm)


def test_a_discard_that_closes_a_gap_in_a_row_came_before_the_one_behind_it() -> None:
    row = tuple((-66.0 + PITCH_MM * at, 100.0) for at in range(6) if at != 3)
    rivers = (row, (), (), ())
    track = lay(1, -66.0 + PITCH_MM * 3, -100.0, 5.0, 4.0)
    costs = [Quarters().late_cost(0, track, rivers, later) for later in range(4)]
    assert min(costs) == costs[2]


def test_a_chow_of_which_the_middle_tile_is_not_found_is_one() -> None:
    decoder = Decoder([GameStarted(rules="hebei")])
    discard, ends = see(1, "3p", 0, -105, 1.0), (see(2, "3p", 342, 100, 4.0), see(3, "5p", 342, 154, 4.0))
    said: list[Event] = []
    for half in range(2, 24):
        t = half / 2
        sight = Sight(t, (discard,) if t < 3.0 else () if t < 4.0 else ends)
        said += [each.event for each in decoder.follow(sight) if isinstance(each, Stated)]
    assert Claimed(seat=1, meld="c345p") in said


def test_the_last_tiles_are_drawn_by_those_who_reach_out_one_after_another() -> None:
    played = next(
        each
        for each in play(GameStarted(rules="hefei"), 60, random.Random(3))
        if any(step.state.hand is not None and step.state.hand.phase is Phase.SEA for step in each.steps)
    )
    at = next(i for i, step in enumerate(played.steps) if step.state.hand and step.state.hand.wall.in_sea)
    end = next(i for i in range(at + 1, len(played.steps)) if isinstance(played.steps[i].event, Drawn))
    before = played.steps[end - 1].state
    assert before.hand is not None
    decoder = Decoder([played.start, *(step.event for step in played.steps[:end])])
    seats = [(before.hand.turn + count) % 4 for count in range(before.hand.wall.live_left)]
    said: list[Event] = []
    for half in range(4 * len(seats) + 8):
        arm = () if half < 4 or half // 4 > len(seats) else (EDGES[seats[half // 4 - 1]],)
        sight = Sight(half / 2, covered=arm)
        said += [each.event for each in decoder.follow(sight) if isinstance(each, Stated)]
    assert said == [Drawn(seat=seat) for seat in seats]
