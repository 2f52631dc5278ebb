"""Whose discard a tile is, and its order: by who reached out, and by its row."""

from __future__ import annotations

import random
from math import inf

import pytest

from companion.coach.play.simulation import play
from companion.following.decoder import Decoder
from companion.following.notices import Stated
from companion.following.quarters import PITCH_MM, Quarters
from companion.following.scene import NOT_REACHED_COST, REMEMBERED_S, Reaches, Scene
from companion.following.tracks import Face, Track
from companion.seeing.sights import Box, SeenTile, Sight
from companion.table.events import Claimed, Discarded, Drawn, Event, GameStarted
from companion.table.state import Phase
from tests.bare_table import see_walls

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
    assert reaches.is_reaching(2, 3.0)
    assert not reaches.is_reaching(0, 3.0)
    assert not reaches.is_reaching(2, 3.5)
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
    scene = Scene.of(6.0, {}, [], [], Quarters(), reaches)
    assert [scene.find_reach_cost(seat, lay(1, 0, 0, 5.0, clear)) for seat in range(4)] == costs


def follow(arm: int) -> list[Event]:
    """The dealer discards, and then that player puts a tile between two quarters."""
    decoder = see_walls([GameStarted(rules="hebei")])
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
    decoder = see_walls([GameStarted(rules="hebei")])
    discard, ends = see(1, "3p", 0, -105, 1.0), (see(2, "3p", 342, 100, 4.0), see(3, "5p", 342, 154, 4.0))
    said: list[Event] = []
    for half in range(2, 24):
        t = half / 2
        sight = Sight(t, (discard,) if t < 3.0 else () if t < 4.0 else ends)
        said += [each.event for each in decoder.follow(sight) if isinstance(each, Stated)]
    assert Claimed(seat=1, meld="c345p") in said


@pytest.fixture(scope="module")
def before_sea() -> list[Event]:
    """A game until the discard after which the last tiles are drawn."""
    for played in play(GameStarted(rules="hefei"), 60, random.Random(3)):
        for at, step in enumerate(played.steps):
            hand = step.state.hand
            drew = isinstance(step.event, Drawn) and hand is not None and hand.phase is Phase.SEA
            if drew and isinstance(played.steps[at - 1].event, Discarded):
                return [played.start, *(each.event for each in played.steps[:at])]
    pytest.fail("no hand went so far")


def follow_sea(
    events: list[Event], reaches: dict[float, int], found_s: float = 1.0, taken_s: tuple[float, ...] = ()
) -> list[int]:
    """How many places behind the last to discard those sit who are said to have drawn.

    reaches: who reaches out for half a second, counted so, and when; found_s: when the discard is found that
    lies there since second 1.0; taken_s: when tiles are seen to go from the wall.
    """
    decoder, last = Decoder(events[:-1]), events[-1]
    assert isinstance(last, Discarded)
    assert last.tile is not None
    x, y = ((0, -105), (105, 0), (0, 105), (-105, 0))[last.seat]
    discard = see(1, last.tile, x, y, 1.0)
    said: list[Event] = []
    for half in range(30):
        t = half / 2
        covered = (EDGES[(last.seat + reaches[t]) % 4],) if t in reaches else ()
        taken = tuple(each for each in taken_s if t - 0.5 < each <= t)
        sight = Sight(t, (discard,) if t >= found_s else (), covered, taken_s=taken)
        said += [each.event for each in decoder.follow(sight) if isinstance(each, Stated)]
    assert last in said
    return [(each.seat - last.seat) % 4 for each in said if isinstance(each, Drawn)]


@pytest.mark.parametrize("found_s", [1.0, 7.0])
def test_the_last_tiles_are_drawn_by_those_who_reach_out_one_after_another(
    before_sea: list[Event], found_s: float
) -> None:
    assert follow_sea(before_sea, {3.0: 1, 4.0: 2, 5.0: 3, 6.0: 0}, found_s) == [1, 2, 3, 0]


def test_who_reaches_out_twice_draws_one_of_the_last_tiles(before_sea: list[Event]) -> None:
    assert follow_sea(before_sea, {3.0: 1, 4.0: 1, 6.0: 1}) == [1]


def test_who_reaches_out_before_their_turn_draws_none_of_the_last_tiles(before_sea: list[Event]) -> None:
    assert follow_sea(before_sea, {3.0: 2, 4.0: 3, 5.0: 0}) == []
    assert follow_sea(before_sea, {3.0: 2, 4.0: 1}) == [1]
    assert follow_sea(before_sea, {3.0: 2, 4.0: 1, 5.0: 2}) == [1, 2]


def test_the_last_tiles_are_drawn_too_where_the_wall_alone_shows_the_first(before_sea: list[Event]) -> None:
    assert follow_sea(before_sea, {5.0: 2}, taken_s=(3.0,)) == [1, 2]
