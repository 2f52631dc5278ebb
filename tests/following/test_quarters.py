"""What a tile is follows from its place: flowers and melds at their player's edge, discards inside."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from companion.seeing.seats import find_near_wall
from companion.seeing.sights import USUAL_TILE_MM, Sight
from companion.table.events import Claimed, ConcealedKong, Discarded, FlowerSetOut, GameStarted
from tests.bare_table import see_walls
from tests.following.test_decoder import START, see, stated, watch


def test_a_tile_of_the_river_that_looks_most_like_a_flower_may_be_a_discard() -> None:
    decoder = see_walls([GameStarted(rules="taiwanese")])
    unsure = replace(see(2, "7f", 90, 0, 5.0, pi / 2), readings=(("7f", 0.45), ("5f", 0.4), ("6m", 0.1)))
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    events = stated(watch(decoder, [*tiles, unsure], 5.0, 15.0))
    assert [event for event in events if isinstance(event, Discarded)][-1].seat == 1
    assert not any(isinstance(event, FlowerSetOut) for event in events)


def test_a_flower_at_its_players_edge_is_one_however_doubtful() -> None:
    decoder = see_walls([GameStarted(rules="taiwanese")])
    unsure = replace(see(2, "7f", 330, 0, 5.0, pi / 2), readings=(("7f", 0.45), ("5f", 0.4), ("6m", 0.1)))
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    events = stated(watch(decoder, [*tiles, unsure], 5.0, 15.0))
    assert [event.seat for event in events if isinstance(event, FlowerSetOut)] == [1]


@pytest.mark.parametrize("count", [3, 4])
def test_a_meld_far_beyond_the_corner_is_its_players(count: int) -> None:
    """On a large table hands stand right behind the walls, and melds reach to the table's edge."""
    decoder = see_walls([START])
    watch(decoder, [see(1, "8m", 0, -90, 1.0)], 1.0, 4.0)
    row = [see(2 + at, "8m", 280, 404 - 26.0 * at, 5.0, pi / 2) for at in range(count)]
    claims = [e for e in stated(watch(decoder, row, 5.0, 12.0)) if isinstance(e, Claimed)]
    assert claims == [Claimed(seat=1, meld=f"{'pk'[count - 3]}{'8' * count}m")]


@pytest.mark.parametrize("wall_mm", [None, 215.0])
def test_backs_beyond_a_wall_that_stands_near_the_middle_are_a_concealed_kong(wall_mm: float | None) -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    tiles += [see(10 + i, "back", 265, 100 + 26 * i, 5.0, pi / 2) for i in range(4)]
    sights = [Sight(5.0 + step / 2, tuple(tiles), wall_mm=wall_mm) for step in range(18)]
    events = stated([notice for sight in sights for notice in decoder.follow(sight)])
    assert any(isinstance(event, ConcealedKong) for event in events) is (wall_mm is not None)


@pytest.mark.parametrize("rules", ["hefei", "hebei"])
def test_a_concealed_kong_beside_the_top_of_a_standing_tile_is_one(rules: str) -> None:
    decoder = see_walls([GameStarted(rules=rules)])
    tiles = [see(1, "8m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    tiles += [see(10 + i, "back", 340, 200 + 26 * i, 5.0, pi / 2) for i in range(4)]
    tiles.append(replace(see(14, "5z", 340, 174, 5.0, pi / 2), readings=(("5z", 0.55), ("back", 0.05))))
    events = stated(watch(decoder, tiles, 5.0, 14.0))
    assert [event for event in events if isinstance(event, ConcealedKong)] == [ConcealedKong(seat=1)]


@pytest.mark.parametrize(
    ("away_mm", "wall_mm"),
    [
        ([205.0, 210.0] * 5, 210.0),
        ([205.0, 210.0] * 3, None),
        ([290.0] * 20, None),
        ([210.0] * 8 + [235.0] * 14, 210.0),
        ([120.0] * 4 + [210.0] * 9, 210.0),
    ],
)
def test_a_wall_is_where_most_of_its_backs_are_and_nearer_than_hands(
    away_mm: list[float], wall_mm: float | None
) -> None:
    assert find_near_wall(away_mm, USUAL_TILE_MM) == wall_mm


def test_large_tiles_have_their_walls_farther_out() -> None:
    assert find_near_wall([290.0] * 20, 1.25 * USUAL_TILE_MM) == 290.0
