"""What the live preview says of each tile, from one reading to the next: a name does not flicker because one
frame in five was blurred.

Only for the preview: a picture that is taken is read by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.images import Quad, same_place
from companion.vision.reading import TileReading

HELD_READINGS = 5
"""For this many readings in a row a tile keeps its sure name while it is not read surely: about a second."""


@dataclass(frozen=True, slots=True)
class SteadyTile:
    """A tile by what it is called. doubts: readings since it was surely read so; rival: what it was read as
    last, if that was something else; missed: the last reading did not find it."""

    code: str
    quad: Quad
    unsure: bool
    doubts: int = 0
    rival: str | None = None
    missed: bool = False


def steady_tiles(before: Iterable[SteadyTile], tiles: Iterable[TileReading]) -> tuple[SteadyTile, ...]:
    """The tiles of a new reading, those of the one before beside it, in px of the new picture.

    A sure name stays while the tile is hardly read, and gives way to another sure one that is read twice in a
    row, as an unsure one does to another unsure one. A tile that is not found stays for one reading.
    """
    left = list(before)
    result = []
    for tile in tiles:
        old = next((old for old in left if same_place(tile.quad, old.quad)), None)
        if old:
            left.remove(old)
        result.append(_name_tile(old, tile))
    return (*result, *(replace(old, missed=True) for old in left if not old.missed))


def _name_tile(old: SteadyTile | None, tile: TileReading) -> SteadyTile:
    fresh = SteadyTile(tile.code, tile.quad, tile.is_unsure)
    if old is None or (old.unsure and not tile.is_unsure):
        return fresh
    if tile.is_unsure and not old.unsure:
        held = replace(old, quad=tile.quad, doubts=old.doubts + 1, missed=False)
        return held if held.doubts <= HELD_READINGS else fresh
    if tile.code in (old.code, old.rival):
        return fresh
    return replace(old, quad=tile.quad, rival=tile.code, missed=False)
