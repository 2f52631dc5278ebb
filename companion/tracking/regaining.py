"""A table that is found again after the camera was moved: what lay there lies there still, whatever the
camera's new place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import hypot

from companion.tiles import BACK, UNKNOWN
from companion.tracking.seating import turn_sight
from companion.tracking.sights import Box, SeenTile, Sight

NEAR_MM = 20.0
"""How far from where it lay a tile may seem to lie: a table is found to some mm, and tiles are 26 mm wide."""
WAITS_S = 5.0
"""For so long a tile that lay there may be hidden by whoever has moved the camera."""


def find_turn(before: Sequence[SeenTile], sight: Sight) -> int | None:
    """By how many quarter turns counterclockwise the sight must be turned for its tiles to lie where they lay
    before; None where that does not show."""
    counts = [len(_match(before, turn_sight(sight, turn).tiles)) for turn in range(4)]
    best = max(range(4), key=counts.__getitem__)
    others = max(count for turn, count in enumerate(counts) if turn != best)
    return best if counts[best] > others else None


class Regained:
    """Gives the tiles of one observer their numbers: those that lay there before keep theirs, others get the
    next after `last`. The sights lie as the tiles before did."""

    def __init__(self, before: Iterable[SeenTile] = (), last: int = 0) -> None:
        self.last = last
        self._first = last
        self._before = list(before)
        self._since_s: float | None = None
        self._same: dict[int, SeenTile] = {}

    def number(self, sight: Sight) -> Sight:
        """The sight with their numbers. What lay there and is not found yet is covered for a while."""
        if self._since_s is None:
            self._since_s = sight.t
        if sight.t - self._since_s > WAITS_S:
            self._before = []
        new = [tile for tile in sight.tiles if tile.track not in self._same]
        for tile, known in _match(self._before, new):
            self._same[tile.track] = known
            self._before.remove(known)
        tiles = tuple(self._name(tile) for tile in sight.tiles)
        self.last = max(self.last, *(tile.track for tile in tiles)) if tiles else self.last
        half = sight.tile_mm / 2
        hidden = tuple(
            Box(each.x_mm - half, each.y_mm - half, each.x_mm + half, each.y_mm + half)
            for each in self._before
        )
        return replace(sight, tiles=tiles, covered=(*sight.covered, *hidden))

    def _name(self, tile: SeenTile) -> SeenTile:
        known = self._same.get(tile.track)
        if known is None:
            return replace(tile, track=self._first + tile.track)
        return replace(tile, track=known.track, still_since_s=known.still_since_s)


def _match(before: Sequence[SeenTile], now: Sequence[SeenTile]) -> list[tuple[SeenTile, SeenTile]]:
    """Tiles of now, each with the one before that it may be: nearest first, each once."""
    pairs = sorted(
        (hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm), at, k)
        for at, one in enumerate(now)
        for k, other in enumerate(before)
        if abs(one.x_mm - other.x_mm) < NEAR_MM and _may_be_same(one, other)
    )
    matched: list[tuple[SeenTile, SeenTile]] = []
    taken: set[int] = set()
    found: set[int] = set()
    for apart, at, k in pairs:
        if apart < NEAR_MM and at not in found and k not in taken:
            found.add(at)
            taken.add(k)
            matched.append((now[at], before[k]))
    return matched


def _may_be_same(one: SeenTile, other: SeenTile) -> bool:
    """Whether two readings may be of one tile."""
    codes = {tile.readings[0][0] if tile.readings else UNKNOWN for tile in (one, other)}
    return len(codes) == 1 or (UNKNOWN in codes and BACK not in codes)
