"""The truth beside a film (docs/films.md), read into values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from companion.seeing.lens import PERFECT, Lens
from companion.seeing.table_camera import TableCamera
from companion.table.events import Event, GameStarted


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
        focal, size = stands["matrix"][0][0], (self.header["width"], self.header["height"])
        lens = find_lens(self.header.get("k1", 0.0), focal, max(size))
        return TableCamera.from_corners(np.array(stands["corners"]), *size, focal, lens)


def find_lens(k1: float, focal_px: float, longer_px: float) -> Lens:
    """The lens that is nearest to OpenCV's with this k1, over all of a picture with that longer side."""
    if k1 == 0:
        return PERFECT
    flat = np.linspace(0.01, longer_px / 2 / focal_px, 200)
    bent = flat * (1 + k1 * flat**2)
    # straightened by the division model: flat * (1 + bend * far²) = bent
    far = flat * (bent * focal_px / (longer_px / 2)) ** 2
    return Lens(float(far @ (bent - flat) / (far @ far)))


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
