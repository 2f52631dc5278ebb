"""Sights of a laid hand as a camera gives them: tiles missed, misread, hidden by arms or found twice, things
taken for tiles, numbers that change, whole seconds lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.seeing.sights import Box, Readings, SeenTile, Sight
from companion.tiles import BACK, UNKNOWN
from lab.bench.laid_hands import FOREVER, LaidHand, Lying

EVERY_S = 0.5
TABLE_HALF_MM = 400.0
ALIKE = {
    "6m": "8m",
    "8m": "6m",
    "5m": "6m",
    "2s": "3s",
    "3s": "2s",
    "6s": "9s",
    "9s": "6s",
    "6p": "9p",
    "9p": "6p",
}


@dataclass(frozen=True, slots=True)
class Noise:
    """How ill a camera sees. missed: share of tiles not found in one sight; doubtful: of tiles read with real
    doubt; overconfident: of tiles read wrongly with full confidence; unread: of tiles that never get a name;
    slow: of tiles that get one only after 5 to 30 s; late: of tiles found only 3 to 8 s after they were laid;
    lost: of sights that are missing; gaps: a minute, of 2 to 6 s without a sight; broken: tiles a minute that
    get a new number though they lie still; doubled: tiles a minute that are found twice for 1 to 6 s; false:
    things a hand that are taken for a tile and never leave; blur_mm: of places.
    """

    missed: float = 0.03
    doubtful: float = 0.08
    settling: float = 0.92
    overconfident: float = 0.002
    unread: float = 0.01
    slow: float = 0.02
    late: float = 0.02
    lost: float = 0.0
    gaps: float = 0.5
    broken: float = 4.0
    doubled: float = 1.0
    false: float = 1.5
    blur_mm: float = 1.5


CLEAR = Noise(*(0.0,) * 12, blur_mm=0.5)


def make_sights(
    laid: LaidHand, noise: Noise, rng: random.Random, start: float, number: int
) -> Iterator[Sight]:
    """A sight every half second. number: of the first track."""
    return _Camera(laid, noise, rng, number).watch(start)


@dataclass(slots=True)
class _Found:
    """A tile as a camera follows it. since: when the place was first seen as it is with the tile."""

    number: int
    readings: Readings
    since: float


@dataclass(slots=True)
class _Camera:
    laid: LaidHand
    noise: Noise
    rng: random.Random
    number: int
    readings: list[Readings] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    from_s: list[float] = field(default_factory=list)
    found: dict[int, _Found] = field(default_factory=dict)
    still: dict[int, float] = field(default_factory=dict)
    """Since when nothing has moved where a tile lies, found or not."""
    twins: dict[int, tuple[_Found, float, float]] = field(default_factory=dict)
    """A tile that is found twice: the second find, until when, and by how many mm it is off."""

    def watch(self, start: float) -> Iterator[Sight]:
        noise, rng = self.noise, self.rng
        tiles = [*self.laid.lying, *self._list_false(start)]
        for index, tile in enumerate(tiles):
            self._prepare(tiles, index, tile)
        t, blind = start, start
        while t < self.laid.ends:
            t += EVERY_S
            if rng.random() < noise.gaps * EVERY_S / 60.0:
                blind = t + rng.uniform(2.0, 6.0)
            if rng.random() < noise.lost or t < blind or any(a <= t < b for a, b in self.laid.blind):
                continue
            covered = tuple(box for arm in self.laid.arms if arm.since <= t <= arm.until for box in arm.boxes)
            seen = [
                tile
                for index, lying in enumerate(tiles)
                for tile in self._see(index, lying, t, covered, len(self.found))
            ]
            yield Sight(t, tuple(seen), covered, tile_mm=self.laid.tile_mm[0])

    def _prepare(self, tiles: list[Lying], index: int, tile: Lying) -> None:
        """When and as what the tile is found; the same as before where it was only nudged."""
        noise, rng = self.noise, self.rng
        first = next((at for at, each in enumerate(tiles[:index]) if _are_one(each, tile)), None)
        if first is not None:
            self.readings.append(self.readings[first])
            self.sure.append(self.sure[first])
            self.from_s.append(self.from_s[first])
            return
        readings = _read(tile, noise, rng)
        sure = tile.since + rng.uniform(0.5, 4.0) if rng.random() < noise.settling else FOREVER
        if tile.code != BACK and rng.random() < noise.slow:
            readings, sure = ((UNKNOWN, 1.0),), tile.since + rng.uniform(5.0, 30.0)
        late = tile.code != BACK and rng.random() < noise.late
        self.readings.append(readings)
        self.sure.append(sure)
        self.from_s.append(tile.since + rng.uniform(3.0, 8.0) if late else tile.since)

    def _see(
        self, index: int, tile: Lying, t: float, covered: tuple[Box, ...], lying: int
    ) -> Iterator[SeenTile]:
        noise, rng = self.noise, self.rng
        if not tile.since <= t < tile.until:
            return
        key = index if tile.identity < 0 else -1 - tile.identity
        if any(a <= t < b for a, b in tile.hidden) or any(box.holds(tile.x_mm, tile.y_mm) for box in covered):
            self.still.pop(key, None)
            return
        since = self.still.setdefault(key, t)
        if t < self.from_s[index] or rng.random() < noise.missed:
            return
        known = self.found.get(key)
        a_sight = EVERY_S / 60.0 / max(1, lying)
        if known is None or rng.random() < noise.broken * a_sight:
            known = self.found[key] = self._number(index, since)
        yield self._show(tile, index, known, t)
        if rng.random() < noise.doubled * a_sight:
            self.twins[key] = self._number(index, since), t + rng.uniform(1.0, 6.0), rng.uniform(3.0, 9.0)
        twin = self.twins.get(key)
        if twin is not None and t < twin[1]:
            yield self._show(tile, index, twin[0], t, twin[2])

    def _number(self, index: int, since: float) -> _Found:
        self.number += 1
        return _Found(self.number, self.readings[index], since)

    def _show(self, tile: Lying, index: int, found: _Found, t: float, off_mm: float = 0.0) -> SeenTile:
        noise, rng = self.noise, self.rng
        return SeenTile(
            track=found.number,
            x_mm=tile.x_mm + off_mm + rng.gauss(0, noise.blur_mm),
            y_mm=tile.y_mm + rng.gauss(0, noise.blur_mm),
            angle=tile.angle + rng.gauss(0, 0.03),
            readings=_surely(tile) if t > self.sure[index] else found.readings,
            standing=tile.standing,
            still_since_s=found.since,
        )

    def _list_false(self, start: float) -> Iterator[Lying]:
        """Things that are taken for a tile: most at the table's edges, and some, unread, among the tiles."""
        rng = self.rng
        count = int(self.noise.false) + (rng.random() < self.noise.false % 1.0)
        for _ in range(count):
            far = rng.random() < 0.85
            x, y = rng.uniform(-1, 1) * TABLE_HALF_MM, rng.uniform(0.78, 0.98) * TABLE_HALF_MM
            if not far:
                x, y = rng.uniform(-250, 250), rng.uniform(-250, 250)
            elif rng.random() < 0.5:
                x, y = y, x
            if far and rng.random() < 0.5:
                x, y = -x, -y
            code = UNKNOWN if not far or rng.random() < 0.6 else _other("5m", rng)
            since = rng.choice((start, rng.uniform(start, self.laid.ends)))
            yield Lying(code, x, y, rng.uniform(0, 6.28), since)


def _are_one(one: Lying, other: Lying) -> bool:
    return one.identity >= 0 and one.identity == other.identity


def _surely(tile: Lying) -> Readings:
    return ((tile.code, 0.9985),)


def _read(tile: Lying, noise: Noise, rng: random.Random) -> Readings:
    """What the tile reads as: in doubtful cases with truthful probabilities."""
    code = tile.code
    if code in (BACK, UNKNOWN):
        return ((code, 0.999),)
    chance = rng.random()
    other = _other(code, rng)
    if chance < noise.overconfident:
        return ((other, 0.99), (code, 0.004))
    chance -= noise.overconfident
    if chance < noise.unread:
        return ((UNKNOWN, 1.0),)
    chance -= noise.unread
    if chance < noise.doubtful:
        p = rng.uniform(0.5, 0.97)
        if rng.random() < p:
            return ((code, p), (other, 0.9 * (1 - p)))
        third = _other(code, rng)
        share = 0.9 * (1 - p)
        return (
            ((other, p), (code, share))
            if rng.random() < 0.9 or third == other
            else ((other, p), (third, share))
        )
    return ((code, 0.9985), (other, 0.0008))


def _other(code: str, rng: random.Random) -> str:
    if code in ALIKE and rng.random() < 0.7:
        return ALIKE[code]
    suit = code[1]
    most = {"z": 7, "f": 8}.get(suit, 9)
    rank = rng.choice([r for r in range(1, most + 1) if r != int(code[0])])
    return f"{rank}{suit}"
