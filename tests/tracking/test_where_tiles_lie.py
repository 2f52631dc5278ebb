"""What a tile is says where it lies: flowers and melds at their player's edge, discards before it."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from companion.table.events import Claimed, Discarded, FlowerSetOut, GameStarted
from companion.tracking.decoder import Decoder
from tests.tracking.test_decoder import START, see, stated, watch


def test_a_tile_of_the_river_that_looks_most_like_a_flower_may_be_a_discard() -> None:
    decoder = Decoder([GameStarted(rules="taiwanese")])
    unsure = replace(see(2, "7f", 90, 0, 5.0, pi / 2), readings=(("7f", 0.45), ("5f", 0.4), ("6m", 0.1)))
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    events = stated(watch(decoder, [*tiles, unsure], 5.0, 15.0))
    assert [event for event in events if isinstance(event, Discarded)][-1].seat == 1
    assert not any(isinstance(event, FlowerSetOut) for event in events)


def test_a_flower_at_its_players_edge_is_one_however_doubtful() -> None:
    decoder = Decoder([GameStarted(rules="taiwanese")])
    unsure = replace(see(2, "7f", 330, 0, 5.0, pi / 2), readings=(("7f", 0.45), ("5f", 0.4), ("6m", 0.1)))
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    events = stated(watch(decoder, [*tiles, unsure], 5.0, 15.0))
    assert [event.seat for event in events if isinstance(event, FlowerSetOut)] == [1]


@pytest.mark.parametrize("count", [3, 4])
def test_a_meld_far_beyond_the_corner_is_its_players(count: int) -> None:
    """On a large table hands stand right behind the walls, and melds reach to the table's edge."""
    decoder = Decoder([START])
    watch(decoder, [see(1, "8m", 0, -90, 1.0)], 1.0, 4.0)
    row = [see(2 + at, "8m", 280, 404 - 26.0 * at, 5.0, pi / 2) for at in range(count)]
    claims = [e for e in stated(watch(decoder, row, 5.0, 12.0)) if isinstance(e, Claimed)]
    assert claims == [Claimed(seat=1, meld=f"{'pk'[count - 3]}{'8' * count}m")]
