"""Played hands laid out on a table as people do: which tile lies where, from when to when.

Times are seconds, places mm, as in companion.seeing.sights.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin

from companion.coach.play.simulation import PlayedHand
from companion.seeing.sights import Box
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
from companion.tiles import BACK, Meld, parse_meld

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
        table.take(step.event, before, step.state)
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

    def take(self, event: Event, before: State | None, after: State) -> None:
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
