"""How large the window is and where it stands: what fits the screen, as it was left last. No Kivy."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.screen import Screen

FILE = "window.json"
USUAL_DP = (1280, 800)
SMALL_DP = (1400, 900)
"""A screen that is no larger is filled."""
LEAST_PX = (480, 400)
PERCENT_LEAST, PERCENT_MOST = 50, 200


@dataclass(frozen=True, slots=True)
class Geometry:
    """size: (width, height) in px; place: of the left upper corner in px, None for where the desktop puts it;
    full: without a frame, over the whole screen. percent: how large a person wants everything, of its true
    size. screen: (width, height) in px of the one that it was on, None where that is not known."""

    size: tuple[int, int]
    place: tuple[int, int] | None = None
    full: bool = False
    percent: int = 100
    screen: tuple[int, int] | None = None


def read_geometry(folder: Path) -> Geometry | None:
    """As it was left last; None where that is not known."""
    with suppress(OSError, Undecodable):
        kept = decode_as(read_whole(folder / FILE), Geometry)
        if min(kept.size) > 0 and PERCENT_LEAST <= kept.percent <= PERCENT_MOST:
            return kept
    return None


def write_geometry(folder: Path, geometry: Geometry) -> None:
    """Keep it for the next start. Raises OSError."""
    write_whole(folder / FILE, msgspec.json.encode(geometry))


def fit_window(screen: Screen | None, kept: Geometry | None, density: float) -> Geometry:
    """The window as it opens: all of a small screen, and never more than there is; as it was left last, where
    that was on such a screen."""
    if screen is None:
        return kept or Geometry((round(USUAL_DP[0] * density), round(USUAL_DP[1] * density)))
    width, height = screen.usable
    small = width <= SMALL_DP[0] * density and height <= SMALL_DP[1] * density
    portrait = height > width and width <= SMALL_DP[1] * density
    if kept is None or not _is_of(screen, kept):
        full, percent = (kept.full, kept.percent) if kept else (False, 100)
        if small or portrait:
            return Geometry((width, height), (0, 0), full, percent, screen.size)
        size = min(round(USUAL_DP[0] * density), width), min(round(USUAL_DP[1] * density), height)
        return Geometry(size, None, full, percent, screen.size)
    size = min(kept.size[0], width), min(kept.size[1], height)
    place = kept.place
    if place:
        place = (
            min(max(place[0], 0), screen.size[0] - size[0]),
            min(max(place[1], 0), screen.size[1] - size[1]),
        )
    return Geometry(size, place, kept.full, kept.percent, screen.size)


def _is_of(screen: Screen, kept: Geometry) -> bool:
    """Whether the window was left on such a screen; where that was not noted, whether it has room on it."""
    if kept.screen is not None:
        return kept.screen == screen.size
    return kept.size[0] <= screen.size[0] and kept.size[1] <= screen.size[1]
