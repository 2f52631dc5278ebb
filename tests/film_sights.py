"""Sights of a film as a perfect eye would have them, made from the truth beside it (docs/films.md)."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2

import numpy as np

from companion.seeing.sights import Box, SeenTile, Sight
from lab.bench.followed_films import FilmTruth

EVERY_S = 0.5
"""From one sight to the next, while nothing moves."""
SEEN_FROM = 0.4
"""Share of a face that must be in sight for it to be read."""
SAME_PLACE_MM, SAME_TURN = 6.0, 0.3
"""A tile of the same kind that lies as near, and is turned as little, is the same."""
READ_P = 0.9985
HALF_TILE_MM = 20.0


def list_sights(truth: FilmTruth) -> Iterator[Sight]:
    """A sight every half second while nothing moves, and one at the beginning and the end of each such time.

    Walls are left out. What is hidden counts as covered.
    """
    height_mm = truth.header["tile_mm"][2]
    known: dict[int, SeenTile] = {}
    next_track = 1
    for scene in truth.scenes:
        tiles: list[SeenTile] = []
        covered: list[Box] = []
        free = dict(known)
        camera = truth.find_camera(scene["t"])
        for each in scene["table"]:
            if each["zone"] == "wall":
                continue
            quad = camera.lift(np.array(each["quad"]), 0.0 if each["standing"] else height_mm)
            if not np.isfinite(quad).all():
                continue
            x, y = (float(v) for v in quad.mean(axis=0))
            if each["visible"] < SEEN_FROM:
                covered.append(Box(x - HALF_TILE_MM, y - HALF_TILE_MM, x + HALF_TILE_MM, y + HALF_TILE_MM))
                continue
            along = quad[1] - quad[0]
            angle = atan2(along[1], along[0])
            tile = SeenTile(0, x, y, angle, ((each["code"], READ_P),), each["standing"], scene["t"])
            same = _find_same(tile, free)
            if same is None:
                track, since = next_track, scene["t"]
                next_track += 1
            else:
                track, since = same.track, same.still_since_s
                free.pop(track)
            tile = SeenTile(track, x, y, angle, tile.readings, tile.standing, since)
            known[track] = tile
            tiles.append(tile)
        for track, tile in free.items():
            if not any(box.holds(tile.x_mm, tile.y_mm) for box in covered):
                del known[track]
        t = scene["t"]
        while t < scene["until"]:
            yield Sight(t, tuple(tiles), tuple(covered))
            t += EVERY_S
        yield Sight(scene["until"], tuple(tiles), tuple(covered))


def _find_same(tile: SeenTile, known: dict[int, SeenTile]) -> SeenTile | None:
    """The tile seen before that this one is."""
    for each in known.values():
        away = max(abs(each.x_mm - tile.x_mm), abs(each.y_mm - tile.y_mm))
        turned = abs((each.angle - tile.angle + np.pi) % (2 * np.pi) - np.pi)
        if (
            away < SAME_PLACE_MM and turned < SAME_TURN
            and each.readings == tile.readings and each.standing == tile.standing
        ):  # fmt: skip
            return each
    return None
