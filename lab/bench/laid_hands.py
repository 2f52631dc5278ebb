"""Played hands laid out on a table as people do: which tile is where, from when to when; the same from films;
and noisy sights of them, with tiles missed, misread, hidden or found twice.

Times are seconds, places mm, as in companion.seeing.sights.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, cos, hypot, pi, sin
from typing import Any

import numpy as np

from companion.coach.play.simulation import PlayedHand
from companion.seeing.sights import Box, Readings, SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
    Won,
)
from companion.table.moves import real_tiles
from companion.table.state import HandState, OfferKind, State
from companion.tiles import BACK, UNKNOWN, Meld, parse_meld
from lab.film.customs import Pose
from lab.film.filming import find_shoulder
from lab.film.timeline import Reach
from lab.film.writing import Film, Shooting, prepare_film
from lab.scenes.geometry import Camera, Floats
from lab.scenes.layouts import Part, Resting, TilePose, place_tile

TILE_MM, ACROSS_MM = 26.3, 35.3
HAND_LINE_MM, FLOWER_LINE_MM, MELDS_END_MM = 342.0, 300.0, 368.0
RIVER_START_MM, RIVER_ROW = 100.0, 6
LOOSE_MM, NEAREST_MM, TRIES = 38.0, 20.0, 200
"""Middles of loose discards are so far apart; those of any two tiles, since there is no room for less."""
FOREVER = 1e9


@dataclass(slots=True)
class Lying:
    """A tile on the table, from `since` to `until`; standing ones are not read.

    hidden: from when to when something that is no arm hides it. identity: the same where one tile was only
    nudged; -1: it never was.
    """

    code: str
    x_mm: float
    y_mm: float
    angle: float
    since: float
    until: float = FOREVER
    standing: bool = False
    hidden: tuple[tuple[float, float], ...] = ()
    identity: int = -1


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm over the table between two seconds."""

    since: float
    until: float
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Customs:
    """How one table lays its tiles. rows: discards in rows of six, else loose; across: a claimed tile lies
    across its meld, at the side it came from; faces_up: how many tiles of a concealed kong show their face;
    untidy: mm by which places vary; stray: share of discards that land in a neighbour's quarter; quick: share
    of claims made before the discard could be seen; takes_last: whether a winner takes the discard in.
    """

    rows: bool = True
    across: bool = False
    faces_up: int = 4
    untidy: float = 2.0
    stray: float = 0.0
    quick: float = 0.1
    takes_last: bool = False

    @staticmethod
    def choose(rng: random.Random, *, public: bool) -> Customs:
        """Customs of some table; public: whether all may see what a concealed kong is of."""
        return Customs(
            rows=rng.random() < 0.65,
            across=rng.random() < 0.5,
            faces_up=rng.choice((1, 2, 4)) if public else 0,
            untidy=rng.uniform(1.0, 5.0),
            stray=rng.choice((0.0, 0.03)),
            quick=rng.choice((0.05, 0.15)),
            takes_last=rng.random() < 0.5,
        )


@dataclass(slots=True)
class LaidHand:
    """All that lies on the table in one hand. ends: when the table is empty again; blind: from when to when
    nothing is seen at all; tile_mm: width and height of a tile."""

    lying: list[Lying] = field(default_factory=list)
    arms: list[Arm] = field(default_factory=list)
    ends: float = 0.0
    blind: list[tuple[float, float]] = field(default_factory=list)
    tile_mm: tuple[float, float] = (TILE_MM, ACROSS_MM)


def lay_hand(played: PlayedHand, customs: Customs, rng: random.Random, start: float) -> LaidHand:
    """The hand laid out from that second on."""
    table = _Table(customs, rng, start)
    before: State | None = None
    for step in played.steps:
        table.apply(step.event, before, step.state)
        before = step.state
    return table.clear()


class _Table:
    def __init__(self, customs: Customs, rng: random.Random, start: float) -> None:
        self.customs, self.rng, self.now = customs, rng, start + 3.0
        self.laid = LaidHand()
        self.rivers: list[list[Lying]] = [[], [], [], []]
        self.melds: list[list[tuple[Meld, list[Lying]]]] = [[], [], [], []]
        self.widths = [0.0] * 4
        self.flowers = [0] * 4

    def apply(self, event: Event, before: State | None, after: State) -> None:
        """Move what the event moves."""
        rng, hand = self.rng, after.hand
        assert hand is not None
        match event:
            case HandStarted():
                self.now += 5.0
            case IndicatorTurned():
                self.now += 2.0
                self._put(event.tile, 0, rng.uniform(-200, 200), 247.0)
            case Drawn():
                self.now += rng.uniform(0.4, 1.2)
            case Discarded():
                self.now += rng.uniform(0.6, 3.0)
                assert event.tile is not None
                self._discard(event.seat, event.tile)
            case FlowerSetOut():
                self.now += rng.uniform(0.6, 1.5)
                u = -200.0 + TILE_MM * self.flowers[event.seat]
                self.flowers[event.seat] += 1
                self._put(event.tile, event.seat, u, FLOWER_LINE_MM)
            case Claimed():
                self._claim(event, before, hand)
            case ConcealedKong():
                self.now += rng.uniform(1.0, 2.0)
                self._conceal(event)
            case AddedKong():
                self.now += rng.uniform(1.0, 2.0)
                self._add(event)
            case Won():
                self._win(event, before, hand)

    def clear(self) -> LaidHand:
        """Everything is swept away."""
        self.now += self.rng.uniform(5.0, 8.0)
        for each in self.laid.lying:
            each.until = min(each.until, self.now + self.rng.uniform(0.0, 1.0))
        self.laid.ends = self.now + 6.0
        return self.laid

    def _put(
        self, code: str, seat: int, u: float, v: float, turned: float = 0.0, *, loose: bool = False
    ) -> Lying:
        rng, untidy = self.rng, self.customs.untidy
        for _ in range(TRIES):
            x, y = _place(seat, u + rng.gauss(0, untidy * 0.5), v + rng.gauss(0, untidy))
            if self._is_free(x, y, NEAREST_MM):
                break
        angle = seat * pi / 2 + turned + (rng.gauss(0, 0.35) if loose else rng.gauss(0, 0.02 * untidy))
        lying = Lying(code, x, y, angle, self.now)
        self.laid.lying.append(lying)
        self._reach(seat, x, y)
        return lying

    def _reach(self, seat: int, x: float, y: float) -> None:
        """An arm from the player's edge to that place."""
        edge_x, edge_y = _place(seat, self.rng.uniform(-60, 60), 420.0)
        boxes = []
        for k in range(8):
            share = k / 7
            cx, cy = edge_x + (x - edge_x) * share, edge_y + (y - edge_y) * share
            boxes.append(Box(cx - 38, cy - 38, cx + 38, cy + 38))
        self.laid.arms.append(Arm(self.now - 0.5, self.now + self.rng.uniform(0.2, 0.7), tuple(boxes)))

    def _discard(self, seat: int, code: str) -> None:
        river, rng = self.rivers[seat], self.rng
        owner = seat
        if self.customs.rows:
            index = len(river)
            row = min(index // RIVER_ROW, 3)
            column = index - row * RIVER_ROW
            u = (column - (RIVER_ROW - 1) / 2) * TILE_MM
            v = RIVER_START_MM + ACROSS_MM * row
            river.append(self._put(code, seat, u, v))
            return
        if rng.random() < self.customs.stray:
            owner = (seat + rng.choice((1, 3))) % 4
        for _ in range(TRIES):
            u, v = rng.gauss(0, 80), rng.gauss(110, 50)
            x, y = _place(owner, u, v)
            if max(abs(x), abs(y)) < 210 and self._is_free(x, y):
                break
        lying = self._put(code, seat, *_see(seat, x, y), loose=True)
        river.append(lying)

    def _is_free(self, x: float, y: float, apart_mm: float = LOOSE_MM) -> bool:
        return all(
            each.until < self.now or (each.x_mm - x) ** 2 + (each.y_mm - y) ** 2 > apart_mm**2
            for each in self.laid.lying
        )

    def _claim(self, event: Claimed, before: State | None, hand: HandState) -> None:
        assert before is not None
        assert before.hand is not None
        assert before.hand.offer is not None
        giver, rng = before.hand.offer.seat, self.rng
        claimed = self.rivers[giver].pop()
        wait = rng.uniform(0.1, 0.4) if rng.random() < self.customs.quick else rng.uniform(0.9, 2.0)
        self.now = claimed.since + wait
        claimed.until = self.now
        self.now += rng.uniform(0.3, 0.8)
        meld = parse_meld(event.meld)
        codes = [tile.code for tile in real_tiles(before.house, before.hand, meld)]
        codes.remove(claimed.code)
        at = {1: len(codes), 2: 1, 3: 0}[(giver - event.seat) % 4]
        codes.insert(at, claimed.code)
        self._lay_meld(event.seat, meld, codes, at if self.customs.across else None)

    def _lay_meld(self, seat: int, meld: Meld, codes: Sequence[str], across: int | None) -> None:
        """From the right end on, each meld at the left of the one before."""
        widths = [ACROSS_MM if i == across else TILE_MM for i in range(len(codes))]
        right = MELDS_END_MM - self.widths[seat]
        u = right - sum(widths)
        tiles = []
        for i, code in enumerate(codes):
            turned = pi / 2 if i == across else 0.0
            down = (ACROSS_MM - TILE_MM) / 2 if i == across else 0.0
            tiles.append(self._put(code, seat, u + widths[i] / 2, HAND_LINE_MM + down, turned))
            u += widths[i]
            self.now += self.rng.uniform(0.0, 0.25)
        self.widths[seat] += sum(widths) + 8.0
        self.melds[seat].append((meld, tiles))

    def _conceal(self, event: ConcealedKong) -> None:
        code = event.tile
        assert code is not None
        up = {0: (), 1: (1,), 2: (1, 2), 4: (0, 1, 2, 3)}[self.customs.faces_up]
        codes = [code if i in up else BACK for i in range(4)]
        self._lay_meld(event.seat, parse_meld(f"K{code[0] * 4}{code[1]}"), codes, None)

    def _add(self, event: AddedKong) -> None:
        tiles = next(
            tiles for meld, tiles in self.melds[event.seat]
            if len(tiles) == 3 and all(tile.code == event.tile for tile in tiles)
        )  # fmt: skip
        u, v = _see(event.seat, tiles[1].x_mm, tiles[1].y_mm)
        tiles.append(self._put(event.tile, event.seat, u, v - ACROSS_MM))

    def _win(self, event: Won, before: State | None, hand: HandState) -> None:
        assert before is not None
        assert before.hand is not None
        self.now += self.rng.uniform(0.8, 1.6)
        seat, result = event.seat, hand.results[-1]
        codes = [tile.code for tile in sorted(hand.players[seat].concealed)]
        last = None if result.tile is None else result.tile.code
        offer = before.hand.offer
        drawn = result.discarder is None and last is not None
        taken = result.discarder is not None and self.customs.takes_last and last is not None
        if last is not None and (drawn or result.discarder is not None) and last in codes:
            codes.remove(last)
        self._turn_kongs_up(seat)
        u = -TILE_MM * len(codes) / 2 - 60.0
        for code in codes:
            self._put(code, seat, u, HAND_LINE_MM)
            u += TILE_MM
        if last is not None and (drawn or taken):
            self._put(last, seat, u + 16.0, HAND_LINE_MM)
            if taken and offer is not None and offer.kind is OfferKind.DISCARD:
                river = self.rivers[offer.seat]
                if river and river[-1].until == FOREVER:
                    river[-1].until = self.now

    def _turn_kongs_up(self, seat: int) -> None:
        """The winner shows the concealed kongs."""
        for meld, tiles in self.melds[seat]:
            if len(tiles) == 4 and all(tile.code == BACK for tile in tiles):
                for tile in tiles:
                    tile.until = self.now
                    shown = Lying(meld.tiles[0].code, tile.x_mm, tile.y_mm, tile.angle, self.now)
                    self.laid.lying.append(shown)


def _place(seat: int, u: float, v: float) -> tuple[float, float]:
    """The place on the table of what lies so before a player."""
    turn = seat * pi / 2
    return u * cos(turn) + v * sin(turn), u * sin(turn) - v * cos(turn)


def _see(seat: int, x: float, y: float) -> tuple[float, float]:
    turn = seat * pi / 2
    return x * cos(turn) + y * sin(turn), x * sin(turn) - y * cos(turn)


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


SAME_MM = 14.0
"""A tile that is moved no farther is followed on its way: it was only nudged."""
VISIBLE_FROM = 0.5
"""Share of a face that must be seen."""
UNDER_MM = 12.0
ARM_EVERY_S, ARM_HALF_MM = 0.25, 45.0
ARM_SHARES = tuple(k / 9 for k in range(10))
PX = (1920, 1080)


@dataclass(frozen=True, slots=True)
class _Rest:
    """One tile at one place from a second to another one."""

    tile: int
    since: float
    until: float
    resting: Resting


def film_hand(played: PlayedHand, pose: Pose, seed: int, pace: float = 1.0) -> Film:
    """The film of a hand, without drawing a picture."""
    shooting = Shooting(pose=pose, size=PX, pace=pace, seed=seed)
    return prepare_film(played.start, [(step.event, step.state) for step in played.steps], shooting)


def lay_filmed_hand(film: Film, rng: random.Random) -> LaidHand:
    """What lies on the film's table from its first second on; when it is over, the table is swept."""
    header = film.truth[0]
    see = _Seeing(film, TableCamera.from_corners(np.array(header["camera"]["corners"]), *PX))
    size_mm = film.timeline.size_mm
    ends = film.timeline.end_s
    laid = LaidHand(tile_mm=(size_mm[0], size_mm[1]))
    spans = [line for line in film.truth if "table" in line]
    rests = list(_list_rests(film))
    for number, rest in enumerate(rests):
        lying = see.find_lying(rest)
        if lying is None:
            continue
        lying.identity = _find_identity(rests, number)
        lying.hidden = tuple(_find_hidden(rest, lying, rests, spans, film))
        if rest.until == FOREVER:
            lying.until = ends + 3.0 + rng.uniform(0.0, 1.0)
        laid.lying.append(lying)
    laid.arms = [arm for reach in film.timeline.reaches for arm in see.cover(reach)]
    laid.blind = [(lean.t, lean.t + lean.long_s) for lean in film.disturbances.leans]
    laid.blind += [(bump.t, bump.t + 0.7) for bump in film.disturbances.bumps]
    laid.ends = ends + 10.0
    return laid


@dataclass(frozen=True, eq=False)
class _Seeing:
    """A film, and the camera that the table's corners in its first picture say it has."""

    film: Film
    camera: TableCamera

    def find_lying(self, rest: _Rest) -> Lying | None:
        """The tile as it lies on the table; None for those that stand."""
        resting, size = rest.resting, np.array(self.film.timeline.size_mm)
        if resting.pose not in (TilePose.FACE_UP, TilePose.FACE_DOWN):
            return None
        up = resting.pose is TilePose.FACE_UP
        box = place_tile(resting, size).box
        filmed = self.film.filming.find_camera(0.0)
        quad = self.camera.lift(filmed.project(box.side("face" if up else "back")), float(size[2]))
        x, y = quad.mean(axis=0)
        right = quad[1] - quad[0] + quad[2] - quad[3]
        code = self.film.timeline.codes[rest.tile] if up else BACK
        return Lying(
            code, float(x), float(y), atan2(float(right[1]), float(right[0])), rest.since, rest.until,
        )  # fmt: skip

    def cover(self, reach: Reach) -> Iterator[Arm]:
        """What of the table an arm hides while it reaches over it."""
        filmed = self.film.filming.find_camera(0.0)
        t = reach.start_s
        while t < reach.end_s:
            hand = reach.find_hand(t + ARM_EVERY_S / 2)
            hidden = _hide_by_arm(filmed, self.camera, hand, find_shoulder(reach.seat, hand))
            yield Arm(t, min(t + ARM_EVERY_S, reach.end_s), tuple(hidden))
            t += ARM_EVERY_S


def _hide_by_arm(filmed: Camera, camera: TableCamera, hand: Floats, shoulder: Floats) -> Iterator[Box]:
    """Boxes round the places on the table that are behind an arm."""
    points = np.array([hand + (shoulder - hand) * share for share in ARM_SHARES])
    for x, y in camera.lift(filmed.project(points)):
        if np.isfinite(x + y) and max(abs(x), abs(y)) < 460.0:
            yield Box(x - ARM_HALF_MM, y - ARM_HALF_MM, x + ARM_HALF_MM, y + ARM_HALF_MM)


def _list_rests(film: Film) -> Iterator[_Rest]:
    """Every time that a tile rests, tile by tile."""
    timeline = film.timeline
    for tile, first in enumerate(timeline.standing):
        since, resting = 0.0, first
        for motion in (each for each in timeline.motions if each.tile == tile):
            yield _Rest(tile, since, motion.start_s, resting)
            since, resting = motion.end_s, motion.after
        yield _Rest(tile, since, FOREVER, resting)


def _find_identity(rests: Sequence[_Rest], number: int) -> int:
    """The number of the rest with which the tile came to where it is, but for nudges."""
    while number > 0:
        here, before = rests[number], rests[number - 1]
        a, b = here.resting, before.resting
        moved = hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
        if here.tile != before.tile or a.pose is not b.pose or moved > SAME_MM:
            break
        number -= 1
    return number


def _find_hidden(
    rest: _Rest, lying: Lying, rests: Sequence[_Rest], spans: Sequence[Mapping[str, Any]], film: Film
) -> Iterator[tuple[float, float]]:
    """From when to when something that lies or stands on the table hides the tile."""
    if lying.code == BACK:
        if rest.resting.layer == 0 and rest.resting.part is Part.WALL:
            yield from _find_upper(rest, rests)
        return
    starts = [float(span["t"]) for span in spans]
    at = bisect_left(starts, rest.since - 0.01)
    while at < len(spans) and starts[at] < rest.until:
        shown = [tile for tile in spans[at]["table"] if tile["code"] == lying.code]
        camera = film.filming.find_camera(starts[at])
        box = place_tile(rest.resting, np.array(film.timeline.size_mm)).box
        middle = camera.project(box.side("face")).mean(axis=0)
        mine = [tile for tile in shown if float(np.abs(np.mean(tile["quad"], axis=0) - middle).max()) < 2.0]
        if not mine or mine[0]["visible"] < VISIBLE_FROM:
            since = float(spans[at - 1]["until"]) if at else 0.0
            yield since, starts[at + 1] if at + 1 < len(starts) else FOREVER
        at += 1


def _find_upper(rest: _Rest, rests: Sequence[_Rest]) -> Iterator[tuple[float, float]]:
    """From when to when another tile of the wall lies upon this one."""
    for other in rests:
        above = other.resting
        if (
            above.layer == 1
            and above.part is Part.WALL
            and (
                abs(above.x_mm - rest.resting.x_mm) < UNDER_MM
                and abs(above.y_mm - rest.resting.y_mm) < UNDER_MM
            )
        ):
            yield other.since, other.until
