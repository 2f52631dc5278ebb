"""Sights of a film as a perfect eye would have them, made from the truth beside it (docs/films.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from companion.table.events import Event, GameStarted
from companion.tracking.sights import Box, SeenTile, Sight
from companion.tracking.table_camera import TableCamera

EVERY_S = 0.5
"""From one sight to the next, while nothing moves."""
SEEN_FROM = 0.4
"""Share of a face that must be in sight for it to be read."""
SAME_PLACE_MM, SAME_TURN = 6.0, 0.3
"""A tile of the same kind that lies as near, and is turned as little, is the same."""
READ_P = 0.9985
HALF_TILE_MM = 20.0


@dataclass(frozen=True, slots=True)
class FilmTruth:
    """What is true of a film. header: its first line; events: those of the hand, each with its t and its
    number in the game's log; scenes: what lies there while nothing moves; cameras: how the camera stands, and
    since when."""

    header: dict[str, Any]
    events: tuple[tuple[float, int, Event], ...]
    scenes: tuple[dict[str, Any], ...]
    cameras: tuple[tuple[float, dict[str, Any]], ...]

    @property
    def start(self) -> GameStarted:
        """The event that begins the game."""
        head = self.header
        return GameStarted(rules=head["rules"], options=head["options"], dealer=head["dealer"])

    def find_camera(self, t: float) -> TableCamera:
        """The camera as it stands at that second."""
        stands = next(camera for since, camera in reversed(self.cameras) if since <= t)
        return TableCamera.from_corners(
            np.array(stands["corners"]), self.header["width"], self.header["height"], stands["matrix"][0][0]
        )


def read_truth(path: Path) -> FilmTruth:
    """The truth in the JSON lines beside a film."""
    return decode_truth([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])


def decode_truth(told: Sequence[dict[str, Any]]) -> FilmTruth:
    """The truth as the lines say it, the header first."""
    header, *lines = told
    events = tuple(
        (line["t"], line["number"], msgspec.convert(line["event"], Event))
        for line in lines
        if "event" in line
    )
    scenes = tuple(line for line in lines if "table" in line)
    bumps = [(line["t"], line["camera"]) for line in lines if "camera" in line]
    return FilmTruth(header, events, scenes, ((0.0, header["camera"]), *bumps))


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
