"""What is remembered of every tile seen: where it lies, how it reads, since when it is gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import log

from companion.tiles import BACK, UNKNOWN
from companion.tracking.sights import USUAL_TILE_MM, Box, Readings, SeenTile, Sight

KINDS_IN_ALL = 42
TRUST = 0.98
"""How much of a reading is believed; the rest is spread over all kinds, so that a face read wrongly with full
confidence is not the end of the right hypothesis."""
SETTLED_S = 0.4
"""For so long a tile must have been seen before it means anything."""
BLINK_S = 1.2
"""A tile that is not found for less than this is still there: one frame in thirty misses it."""


@dataclass(frozen=True)
class Face:
    """A reading, as costs: nats against its likeliest kind."""

    readings: Readings

    @cached_property
    def top(self) -> str:
        """The likeliest code."""
        return self.readings[0][0] if self.readings else UNKNOWN

    @cached_property
    def is_back(self) -> bool:
        return self.top == BACK

    @cached_property
    def is_read(self) -> bool:
        """Whether it says which kind it is."""
        return self.top not in (BACK, UNKNOWN)

    @cached_property
    def _logs(self) -> dict[str, float]:
        flat = sum(p for code, p in self.readings if code == UNKNOWN)
        return {
            code: log(TRUST * (p + flat / KINDS_IN_ALL) + (1 - TRUST) / KINDS_IN_ALL)
            for code, p in self.readings
            if code != UNKNOWN
        }

    @cached_property
    def _rest(self) -> float:
        flat = sum(p for code, p in self.readings if code == UNKNOWN)
        return log(TRUST * flat / KINDS_IN_ALL + (1 - TRUST) / KINDS_IN_ALL)

    @cached_property
    def _best(self) -> float:
        return max(self._logs.values(), default=self._rest) if self.is_read or self.is_back else self._rest

    def probability(self, code: str) -> float:
        """How likely it is of this kind."""
        return next((p for known, p in self.readings if known == code), 0.0)

    @cached_property
    def unnamed(self) -> float:
        """What it costs to leave the tile without a name."""
        return self._best - self._rest if self.is_read else 0.0

    def cost(self, code: str) -> float:
        """What it costs that the tile is of this kind."""
        return max(0.0, self._best - self._logs.get(code, self._rest))

    @cached_property
    def likely(self) -> tuple[str, ...]:
        """The kinds that it may well be, the likeliest first; none where it is not read."""
        return tuple(code for code, p in self.readings if p >= 0.01 and code not in (BACK, UNKNOWN))


@dataclass(slots=True)
class Track:
    """A tile that was seen. since_s: when it was first seen; seen_s: last; gone_s: since when it is missing
    where nothing covers its place."""

    number: int
    x_mm: float
    y_mm: float
    angle: float
    face: Face
    standing: bool
    since_s: float
    seen_s: float
    gone_s: float | None = None

    def is_gone(self, t: float, after_s: float = BLINK_S) -> bool:
        """Whether it has been missing for so long."""
        return self.gone_s is not None and t - self.gone_s >= after_s


@dataclass(slots=True)
class Tracks:
    """Every tile of the hand in play, its place in mm of a table with tiles of the usual width. `t`: of the
    last sight."""

    t: float = 0.0
    by_number: dict[int, Track] = field(default_factory=dict)
    forgotten: frozenset[int] = frozenset()

    def update(self, sight: Sight) -> None:
        """Take in a sight."""
        self.t = sight.t
        scale = USUAL_TILE_MM / sight.tile_mm
        seen = set()
        for tile in sight.tiles:
            if tile.track in self.forgotten:
                continue
            seen.add(tile.track)
            self._take(tile, sight.t, scale)
        for number, track in self.by_number.items():
            if number in seen or _is_covered(track, sight.covered, scale):
                track.gone_s = None
            elif track.gone_s is None:
                track.gone_s = sight.t

    def _take(self, tile: SeenTile, t: float, scale: float) -> None:
        x_mm, y_mm = tile.x_mm * scale, tile.y_mm * scale
        track = self.by_number.get(tile.track)
        if track is None:
            since = min(t, tile.still_since_s) if tile.still_since_s > 0 else t
            self.by_number[tile.track] = Track(
                tile.track, x_mm, y_mm, tile.angle, Face(tile.readings), tile.standing, since, t
            )
            return
        track.x_mm, track.y_mm, track.angle = x_mm, y_mm, tile.angle
        track.standing, track.seen_s = tile.standing, t
        if tile.readings != track.face.readings:
            track.face = Face(tile.readings)

    def list_lying(self) -> list[Track]:
        """The tiles that lie flat and still, oldest first."""
        return sorted(
            (
                track
                for track in self.by_number.values()
                if not track.standing and self.t - track.since_s >= SETTLED_S and not track.is_gone(self.t)
            ),
            key=lambda track: (track.since_s, track.number),
        )

    def list_gone(self) -> list[Track]:
        """The tiles that are gone for good, or nearly."""
        return [track for track in self.by_number.values() if track.is_gone(self.t)]

    def forget(self, numbers: Iterable[int] | None = None) -> None:
        """Leave out these tiles from now on, or all there are."""
        gone = set(self.by_number if numbers is None else numbers)
        self.forgotten = self.forgotten | gone
        for number in gone:
            self.by_number.pop(number, None)


def _is_covered(track: Track, covered: tuple[Box, ...], scale: float) -> bool:
    return any(box.holds(track.x_mm / scale, track.y_mm / scale) for box in covered)
