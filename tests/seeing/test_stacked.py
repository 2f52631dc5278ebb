"""A fourth tile put upon a pung, seen from above: it seems to be at the place of the tile under it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from companion.following.decoder import Decoder
from companion.following.notices import Notice, Stated
from companion.seeing.known_tiles import KnownTiles, NamedTiles, find_stacked
from companion.seeing.outlines import Outlines, TileSize, find_flat_outlines, place_quads
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import SIDE
from companion.table.events import AddedKong, Claimed, Discarded, Event, GameStarted
from companion.vision.candidates import Candidates
from companion.vision.networks import Weigher

SIZE = TileSize(26.0, 35.0, True)
ABOVE = TableCamera.from_corners(
    np.array([[460.0, 1040.0], [1460.0, 1040.0], [1460.0, 40.0], [460.0, 40.0]]), 1920, 1080
)
CORNER = TableCamera.from_corners(
    np.array([[947.0, 1008.0], [1589.0, 382.0], [965.0, 38.0], [331.0, 365.0]]), 1920, 1080
)
PUNG = np.array([[-270.0, 345.0], [-243.0, 345.0], [-216.0, 345.0]])
ONE = np.ones((1, 1), np.float32)


def see_tiles(places_mm: np.ndarray, heights: tuple[float, ...], camera: TableCamera = ABOVE) -> Outlines:
    """Outlines of tiles whose faces are so many depths of a tile over the table."""
    quads = place_quads(places_mm, np.zeros(len(places_mm)), np.ones(len(places_mm), bool), SIZE)
    z = np.repeat(np.array(heights) * SIZE.depth_mm, 4).reshape(-1, 4, 1)
    px = camera.project(np.concatenate([quads, z], axis=2).reshape(-1, 3)).reshape(-1, 4, 2)
    ones = np.ones(len(places_mm), np.float32)
    found = Candidates.from_finder(px.astype(np.float32), ones, 0 * ones)
    return find_flat_outlines(found, camera, SIZE)


def know_tiles(outlines: Outlines, codes: tuple[str, ...]) -> KnownTiles:
    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())
    moved_s, lit = np.full((SIDE, SIDE), -np.inf), np.zeros((SIDE, SIDE), np.uint8)
    for row, code in enumerate(codes):
        face = replace(outlines.candidates[[row]], labels=(code,), probabilities=ONE, features=ONE)
        tiles.add_outline(outlines, row, face, None, moved_s, lit, 1.0).readings = ((code, 1.0),)
    return tiles


@pytest.mark.parametrize(
    ("codes", "heights", "pushed_mm", "stacked"),
    [
        (("9m", "9m", "9m"), (1.0, 2.0, 1.0), ((0, 0), (0, 0), (0, 0)), {1}),
        (("9m", "9m", "9m"), (2.0, 1.0, 1.0), ((0, 0), (0, 0), (0, 0)), {0}),
        (("9m", "9m", "9m"), (1.0, 1.0, 1.0), ((0, 0), (0, 0), (0, 0)), set()),
        (("7m", "8m", "9m"), (1.0, 2.0, 1.0), ((0, 0), (0, 0), (0, 0)), set()),
        (("9m", "9m", "9m"), (1.0, 1.0, 1.0), ((-6, 8), (-6, 8), (-6, 8)), set()),
        (("9m", "9m", "9m"), (1.0, 1.0, 1.0), ((0, 0), (6, -8), (0, 0)), set()),
    ],
    ids=["middle", "end", "none", "chow", "camera bumped", "pushed inwards"],
)
def test_a_tile_upon_a_pung_seems_to_lie_farther_from_the_camera(
    codes: tuple[str, ...],
    heights: tuple[float, ...],
    pushed_mm: tuple[tuple[int, int], ...],
    stacked: set[int],
) -> None:
    tiles = know_tiles(see_tiles(PUNG, (1.0, 1.0, 1.0)), codes)
    now = see_tiles(PUNG + np.array(pushed_mm), heights)
    known = tiles.match(now, SIZE)
    found = find_stacked(now, known, tiles, ABOVE, SIZE)
    assert found == {row: known[row] for row in stacked}


def test_a_tile_upon_a_pung_is_none_of_it_that_was_pushed_aside() -> None:
    """Seen from aside it lies where the next one did, and hides it."""
    pung = np.array([[215.0, -342.0], [241.0, -342.0], [267.0, -342.0]])
    tiles = know_tiles(see_tiles(pung, (1.0, 1.0, 1.0), CORNER), ("9m", "9m", "9m"))
    _, middle, last = tiles
    now = see_tiles(pung[:2], (1.0, 2.0), CORNER)
    known = tiles.match(now, SIZE)
    assert known[1] is last
    assert find_stacked(now, known, tiles, CORNER, SIZE) == {1: middle}


@pytest.mark.parametrize("upon", [True, False])
def test_it_makes_a_kong_of_the_pung(upon: bool) -> None:
    """A tile that is only put straight does not."""
    decoder = Decoder([GameStarted(rules="hebei")])
    turned = np.pi

    def see(track: int, code: str, x: float, y: float, since: float, angle: float = 0.0) -> SeenTile:
        return SeenTile(track, x, y, angle, ((code, 0.998),), still_since_s=since)

    def watch(tiles: list[SeenTile], start: float, end: float) -> list[Event]:
        notices: list[Notice] = []
        for t in np.arange(start, end, 0.5).tolist():
            notices += decoder.follow(Sight(t, tuple(tiles)))
        return [each.event for each in notices if isinstance(each, Stated)]

    watch([see(1, "9m", 0, -90, 1.0)], 1.0, 4.0)
    pung = [see(10 + at, "9m", -270 + 27 * at, 345, 5.0, turned) for at in range(3)]
    assert Claimed(seat=2, meld="p999m") in watch(pung, 5.0, 7.5)
    rivers = [
        see(20, "1m", -14, 100, 8.0, turned), see(21, "2p", -100, 14, 11.0, -turned / 2),
        see(22, "3p", -14, -90, 14.0), see(23, "4p", 100, -14, 17.0, turned / 2),
    ]  # fmt: skip
    for count in range(1, 5):
        watch([*pung, *rivers[:count]], 5.0 + 3 * count, 8.0 + 3 * count)
    fourth = replace(see(30, "9m", -246, 349, 20.5, turned), upon=upon)
    tiles = [pung[0], fourth, pung[2], *rivers]
    events = watch(tiles, 20.5, 24.0)
    events += watch([*tiles, see(24, "5p", 14, 100, 24.0, turned)], 24.0, 28.0)
    assert (AddedKong(seat=2, tile="9m") in events) is upon
    assert Discarded(seat=2, tile="5p") in events
