"""What is remembered of every tile seen during a hand: where it is, how it reads, since when it is gone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot, inf, log

from companion.seeing.sights import SETTLED_S, USUAL_TILE_MM, Box, Readings, SeenTile, Sight
from companion.tiles import BACK, UNKNOWN

KINDS_IN_ALL = 42
READING_TRUST = 0.98
"""How much of a reading is believed; the rest is spread over all kinds, so that a face misread with full
confidence does not rule out the right hypothesis."""
GONE_AFTER_S = 1.2
"""A tile that is missing for less than this is still there: one frame in thirty misses it."""
SAME_MM, SAME_S = 6.0, 3.0
"""A tile found this near to a missing one, within this time, and reading alike, is the same tile. One that
came much later is not: people use a place again, and an arm hides it."""
NUDGED_MM, NUDGED_P, NUDGED_INSIDE_MM = 20.0, 0.9, 240.0
"""A tile that reads as surely as the one that was there a moment ago, and overlaps its place, is the same
one, pushed a little: there is no room for two. Farther out a tile may be upon another one, for a kong."""
TWICE_MM = 0.7 * USUAL_TILE_MM
"""Two tiles are never this near to each other: one was found twice."""
YOUNG_S = 4.0
"""A tile first found less than this ago may turn out to be another one found twice."""
VIEWS_KEPT = 80
"""Number of sights for which it is known what was covered."""


@dataclass(frozen=True)
class Face:
    """A reading as costs: nats against its likeliest kind."""

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
        """Whether it shows which kind it is."""
        return self.top not in (BACK, UNKNOWN)

    @cached_property
    def _logs(self) -> dict[str, float]:
        flat = sum(p for code, p in self.readings if code == UNKNOWN)
        return {
            code: log(READING_TRUST * (p + flat / KINDS_IN_ALL) + (1 - READING_TRUST) / KINDS_IN_ALL)
            for code, p in self.readings
            if code != UNKNOWN
        }

    @cached_property
    def _rest(self) -> float:
        flat = sum(p for code, p in self.readings if code == UNKNOWN)
        return log(READING_TRUST * flat / KINDS_IN_ALL + (1 - READING_TRUST) / KINDS_IN_ALL)

    @cached_property
    def _best(self) -> float:
        return max(self._logs.values(), default=self._rest) if self.is_read or self.is_back else self._rest

    def probability(self, code: str) -> float:
        """The probability of this kind."""
        return next((p for known, p in self.readings if known == code), 0.0)

    @cached_property
    def unnamed(self) -> float:
        """Nats of leaving the tile without a name."""
        return self._best - self._rest if self.is_read else 0.0

    def cost(self, code: str) -> float:
        """Nats of the tile being of this kind."""
        return max(0.0, self._best - self._logs.get(code, self._rest))

    @cached_property
    def likely(self) -> tuple[str, ...]:
        """The kinds it may be, likeliest first; none if it was not read."""
        return tuple(code for code, p in self.readings if p >= 0.01 and code not in (BACK, UNKNOWN))


@dataclass(slots=True, eq=False)
class Track:
    """A tile that was seen. since_s: when it was first seen; clear_s: when its place was last seen empty
    before that; seen_s: when it was seen last; gone_s: since when it has been missing with nothing covering
    it; upon: whether it was put upon another tile."""

    number: int
    x_mm: float
    y_mm: float
    angle: float
    face: Face
    standing: bool
    since_s: float
    seen_s: float
    clear_s: float
    gone_s: float | None = None
    upon: bool = False

    def is_gone(self, t: float, after_s: float = GONE_AFTER_S) -> bool:
        """Whether it has been missing for this time."""
        return self.gone_s is not None and t - self.gone_s >= after_s

    def gone_for(self, t: float) -> float:
        """For how many seconds it has been missing."""
        return 0.0 if self.gone_s is None else t - self.gone_s


@dataclass(slots=True)
class Tracks:
    """Every tile of the hand in play, in mm of a table with tiles of the usual width. `t`: time of the last
    sight."""

    t: float = -inf
    by_number: dict[int, Track] = field(default_factory=dict)
    forgotten: frozenset[int] = frozenset()
    _same: dict[int, int] = field(default_factory=dict)
    """Numbers of finds that are tiles known by another number."""
    _replaced: set[int] = field(default_factory=set)
    """Tiles whose place another one has taken: they are gone, even if something covers the place."""
    _views: deque[tuple[float, tuple[Box, ...]]] = field(default_factory=lambda: deque(maxlen=VIEWS_KEPT))
    """What was covered in the last sights, and when."""

    def update(self, sight: Sight) -> None:
        """Apply a sight."""
        self.t = sight.t
        scale = USUAL_TILE_MM / sight.tile_mm
        covered = tuple([_scale(box, scale) for box in sight.covered])
        here = {self._same.get(tile.track, tile.track) for tile in sight.tiles}
        seen: set[int] = set()
        for tile in sight.tiles:
            if tile.track not in self.forgotten:
                self._add(tile, scale, here, seen)
        seen -= self._find_twice(seen)
        for number, track in self.by_number.items():
            if number in seen:
                track.gone_s = None
                self._replaced.discard(number)
            elif number in self._replaced or self._is_replaced(track, seen):
                track.gone_s = sight.t if track.gone_s is None else track.gone_s
                self._replaced.add(number)
            elif _is_covered(track.x_mm, track.y_mm, covered):
                track.gone_s = None
            elif track.gone_s is None:
                track.gone_s = sight.t
        self._views.append((sight.t, covered))

    def _is_replaced(self, track: Track, seen: set[int]) -> bool:
        """Whether another tile came to where it had been for a moment: drawn tiles stand there turn after
        turn. A tile that stayed longer may be under the other one, as a pung under the fourth tile of a
        kong."""
        if track.seen_s - track.since_s >= YOUNG_S:
            return False
        others = (self.by_number[number] for number in seen)
        return any(
            other.since_s > track.seen_s
            and hypot(other.x_mm - track.x_mm, other.y_mm - track.y_mm) < TWICE_MM
            for other in others
        )

    def _add(self, tile: SeenTile, scale: float, here: set[int], seen: set[int]) -> None:
        """here: the numbers of all tiles of the sight; seen: of those added before this one."""
        x_mm, y_mm = tile.x_mm * scale, tile.y_mm * scale
        number = self._same.get(tile.track, tile.track)
        track = self.by_number.get(number)
        if track is None:
            track = self._find_same(tile, x_mm, y_mm, here)
            if track is None:
                seen.add(number)
                since = min(self.t, tile.still_since_s) if tile.still_since_s > 0 else self.t
                self.by_number[number] = Track(
                    number, x_mm, y_mm, tile.angle, Face(tile.readings), tile.standing, since, self.t,
                    self._find_clear(x_mm, y_mm, since), upon=tile.upon,
                )  # fmt: skip
                return
            number = self._same[tile.track] = track.number
        twice = number in seen
        seen.add(number)
        if not twice:
            track.x_mm, track.y_mm, track.angle = x_mm, y_mm, tile.angle
            track.standing, track.seen_s = tile.standing, self.t
        if tile.readings != track.face.readings and not (twice and track.face.is_read):
            track.face = Face(tile.readings)

    def _find_same(self, tile: SeenTile, x_mm: float, y_mm: float, here: set[int]) -> Track | None:
        """The known tile that this find is: one whose number changed, or that is found twice."""
        if tile.upon:
            return None
        face = Face(tile.readings)
        for track in self.by_number.values():
            apart = hypot(track.x_mm - x_mm, track.y_mm - y_mm)
            if apart > NUDGED_MM or track.standing != tile.standing:
                continue
            if track.number in here:
                if apart <= TWICE_MM:
                    return track
                continue
            missed_s = max(track.gone_for(self.t), tile.still_since_s - track.seen_s)
            if apart < TWICE_MM and 0 < tile.still_since_s < track.seen_s - SETTLED_S:
                return track  # nothing has moved there since: it only reads differently now
            nudged = max(abs(x_mm), abs(y_mm)) < NUDGED_INSIDE_MM and _is_surely_same(track.face, face)
            if missed_s < SAME_S and (nudged or (apart < SAME_MM and _may_be_same(track.face, face))):
                return track
        return None

    def _find_twice(self, seen: set[int]) -> set[int]:
        """The young tiles in places where an older one is seen too: they are the older one from now on."""
        twice = set()
        young = [track for number in seen if self.t - (track := self.by_number[number]).since_s < YOUNG_S]
        for track in young:
            for number in seen:
                other = self.by_number[number]
                older = (other.since_s, number) < (track.since_s, track.number)
                if older and hypot(other.x_mm - track.x_mm, other.y_mm - track.y_mm) < TWICE_MM:
                    twice.add(track.number)
                    for found in [found for found, known in self._same.items() if known == track.number]:
                        self._same[found] = number
                    self._same[track.number] = number
                    break
        return twice

    def _find_clear(self, x_mm: float, y_mm: float, before_s: float) -> float:
        """When that place was last seen, before that time."""
        for t, covered in reversed(self._views):
            if t < before_s and not _is_covered(x_mm, y_mm, covered):
                return t
        return -inf

    def list_lying(self) -> list[Track]:
        """The tiles that are flat and still, oldest first."""
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
        """Ignore these tiles, or all known ones, from now on."""
        gone = set(self.by_number if numbers is None else numbers)
        self.forgotten |= gone | {found for found, number in self._same.items() if number in gone}
        for number in gone:
            self.by_number.pop(number, None)


def _is_surely_same(one: Face, other: Face) -> bool:
    least = min(one.probability(one.top), other.probability(one.top))
    return one.is_read and one.top == other.top and least > NUDGED_P


def _may_be_same(one: Face, other: Face) -> bool:
    return one.top == other.top or (not (one.is_read and other.is_read) and one.is_back == other.is_back)


def _scale(box: Box, times: float) -> Box:
    return Box(box.left * times, box.near * times, box.right * times, box.far * times)


def _is_covered(x_mm: float, y_mm: float, covered: tuple[Box, ...]) -> bool:
    return any(box.holds(x_mm, y_mm) for box in covered)
