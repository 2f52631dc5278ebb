"""When everything happens: a hand's log followed with every single tile, and spread over time as motions of
tiles and hands.

Made from the log, a pace and a seed, and from nothing else; where a tile is at a moment is asked of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
    Won,
)
from companion.table.state import HandState, State
from companion.table.wall import Layer, Wall, WallPlace
from companion.tiles import Tile, parse_tiles
from lab.film.customs import HALF_MM, Places
from lab.scenes.geometry import Box, Floats, rotation_z
from lab.scenes.layouts import HIDDEN, TOWARDS, Part, Resting, TilePose, find_foot, lies_free, place_tile
from lab.scenes.things import Rng

Laying = tuple[int, Resting]
"""A tile, and where it is put."""


@dataclass(frozen=True, slots=True)
class Carry:
    """Tiles that a player takes at once, and where they are put."""

    seat: int
    tiles: tuple[Laying, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """An event, the state after it, and what is moved for it.

    number: of the event in the hand's log, that of its first event being 1. carries: one after the other.
    tidied: what the player who acted straightens afterwards.
    """

    number: int
    event: Event
    state: State
    carries: tuple[Carry, ...] = ()
    tidied: tuple[Laying, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """A whole hand: where the tiles stand at first, their codes, and what happens. Tiles that nobody ever
    sees have the code `HIDDEN`."""

    standing: tuple[Resting, ...]
    codes: tuple[str, ...]
    deeds: tuple[Deed, ...]


def follow(steps: Sequence[tuple[Event, State]], places: Places) -> Course:
    """The course of a hand; its first event is the start of the hand."""
    hand = _require_hand(steps[0][1])
    table = _Table(hand.wall.order, places)
    standing = tuple(table.resting)
    deeds = []
    before = steps[0][1]
    for number, (event, state) in enumerate(steps, start=2):
        carries = table.carry(event, _require_hand(before), _require_hand(state))
        seat = carries[-1].seat if carries else None
        tidied = table.tidy(seat, event) if seat is not None else []
        deeds.append(Deed(number, event, state, tuple(carries), tuple(tidied)))
        before = state
    return Course(standing, tuple(table.codes), tuple(deeds))


class _Table:
    """Where every tile is while the log is read."""

    def __init__(self, order: Sequence[WallPlace], places: Places) -> None:
        self._places = places
        self.resting = places.lay_walls(order)
        self.codes = [HIDDEN] * len(order)
        self._wall = {place: tile for tile, place in enumerate(order)}
        self._hands: list[list[int]] = [[], [], [], []]
        self._rivers: list[list[int]] = [[], [], [], []]
        self._melds: list[list[list[int]]] = [[], [], [], []]
        self._widths = [0.0] * 4
        self._flowers: list[list[int]] = [[], [], [], []]

    def carry(self, event: Event, before: HandState, after: HandState) -> list[Carry]:
        """What players carry for this event."""
        match event:
            case HandStarted():
                return []
            case Dealt():
                return self._deal(event, before)
            case IndicatorTurned():
                return self._turn_indicator(event, after)
            case Drawn():
                return self._draw(event, before, after)
            case Discarded():
                return self._discard(event)
            case FlowerSetOut():
                return self._set_out(event)
            case Claimed():
                return self._claim(event, before, after)
            case ConcealedKong():
                return self._lay_kong(event.seat, before, after)
            case AddedKong():
                return self._add_kong(event)
            case Won():
                return self._win(event, before, after)
            case _:
                return []

    def tidy(self, seat: int, event: Event) -> list[Laying]:
        """The player's hand sorted and pushed together, but for a tile just drawn; only what moves."""
        if isinstance(event, Won | IndicatorTurned | Drawn):
            return self._settle_wall()
        self._hands[seat].sort(key=lambda tile: (_rank(self.codes[tile]), tile))
        moved = []
        for index, tile in enumerate(self._hands[seat]):
            moved += self._put(tile, self._places.stand(seat, index))
        return moved + self._settle_wall()

    def _put(self, tile: int, resting: Resting) -> list[Laying]:
        """Puts a tile there; empty where it rests there already."""
        if self.resting[tile] == resting:
            return []
        self.resting[tile] = resting
        return [(tile, resting)]

    def _settle_wall(self) -> list[Laying]:
        """Upper tiles whose lower ones are gone come down."""
        moved = []
        for place, tile in self._wall.items():
            alone = WallPlace(place.side, place.stack, Layer.LOWER) not in self._wall
            if place.layer is Layer.UPPER and alone and self.resting[tile].layer:
                moved += self._put(tile, replace(self.resting[tile], layer=0))
        return moved

    def _take_from_wall(self, places: Iterable[WallPlace]) -> list[int]:
        return [self._wall.pop(place) for place in places]

    def _take_from_hand(self, seat: int, codes: Iterable[str]) -> list[int]:
        """Tiles of these codes out of a hand, those drawn last first."""
        taken = []
        for code in codes:
            tile = next(each for each in reversed(self._hands[seat]) if self.codes[each] == code)
            self._hands[seat].remove(tile)
            taken.append(tile)
        return taken

    def _deal(self, event: Dealt, before: HandState) -> list[Carry]:
        seats = [seat for seat in range(4) if event.hands[seat] is not None]
        first = seats.index(before.deal.dealer)
        seats = [*seats[first:], *seats[:first]]
        codes = {seat: list(parse_tiles(event.hands[seat] or "")) for seat in seats}
        left = list(before.wall.live_places)
        carries = []
        for seat, count in before.wall.rule.deal_order(seats):
            tiles = self._take_from_wall(left[:count])
            del left[:count]
            laid = []
            for tile in tiles:
                self.codes[tile] = codes[seat].pop(0).code
                laid += self._put(tile, self._places.stand(seat, len(self._hands[seat])))
                self._hands[seat].append(tile)
            carries.append(Carry(seat, tuple(laid)))
        return carries

    def _turn_indicator(self, event: IndicatorTurned, after: HandState) -> list[Carry]:
        place = after.wall.indicator_place
        if place is None:
            return []
        tile = self._wall[place]
        self.codes[tile] = event.tile
        laid = []
        above = self._wall.get(WallPlace(place.side, place.stack, Layer.UPPER))
        resting = self.resting[tile]
        if above not in (None, tile):  # it is brought up, to be seen
            laid += self._put(above, replace(self.resting[above], layer=0))
            resting = replace(resting, layer=1)
        laid = self._put(tile, replace(resting, pose=TilePose.FACE_UP)) + laid
        return [Carry(after.deal.dealer, tuple(laid))]

    def _draw(self, event: Drawn, before: HandState, after: HandState) -> list[Carry]:
        gone = _list_standing(before.wall) - _list_standing(after.wall)
        (tile,) = self._take_from_wall(gone)
        self.codes[tile] = event.tile or HIDDEN
        hand = self._hands[event.seat]
        hand.append(tile)
        return [
            Carry(
                event.seat, tuple(self._put(tile, self._places.stand(event.seat, len(hand) - 1, apart=True)))
            )
        ]

    def _discard(self, event: Discarded) -> list[Carry]:
        (tile,) = self._take_from_hand(event.seat, [event.tile or HIDDEN])
        lying = [self.resting[each] for river in self._rivers for each in river]
        river = self._rivers[event.seat]
        laid = self._put(tile, self._places.discard(event.seat, len(river), lying))
        river.append(tile)
        return [Carry(event.seat, tuple(laid))]

    def _set_out(self, event: FlowerSetOut) -> list[Carry]:
        (tile,) = self._take_from_hand(event.seat, [event.tile])
        flowers = self._flowers[event.seat]
        laid = self._put(tile, self._places.set_out(event.seat, len(flowers)))
        flowers.append(tile)
        return [Carry(event.seat, tuple(laid))]

    def _claim(self, event: Claimed, before: HandState, after: HandState) -> list[Carry]:
        offer = before.offer
        assert offer is not None
        seat, claimed = event.seat, self._rivers[offer.seat].pop()
        own = self._take_from_hand(seat, _list_gone(before, after, seat))
        count = len(own) + 1
        at = {3: 0, 2: 1, 1: count - 1}[(offer.seat - seat) % 4]
        across = at if self._places.customs.sideways else None
        meld = sorted(own, key=lambda tile: _rank(self.codes[tile]))
        meld.insert(at, claimed)
        if across is None:
            meld.sort(key=lambda tile: _rank(self.codes[tile]))
        laid = dict(self._lay_meld(seat, meld, across, frozenset()))
        return [
            Carry(seat, ((claimed, laid[claimed]),)),
            Carry(seat, tuple((tile, laid[tile]) for tile in own)),
        ]

    def _lay_kong(self, seat: int, before: HandState, after: HandState) -> list[Carry]:
        meld = self._take_from_hand(seat, _list_gone(before, after, seat))
        return [Carry(seat, tuple(self._lay_meld(seat, meld, None, self._places.customs.kong_down)))]

    def _lay_meld(self, seat: int, meld: list[int], across: int | None, down: frozenset[int]) -> list[Laying]:
        melds = self._melds[seat]
        spots, self._widths[seat] = self._places.lay_meld(
            seat, len(melds), self._widths[seat], len(meld), across, down
        )
        melds.append(meld)
        return [laying for tile, spot in zip(meld, spots, strict=True) for laying in self._put(tile, spot)]

    def _add_kong(self, event: AddedKong) -> list[Carry]:
        (tile,) = self._take_from_hand(event.seat, [event.tile])
        pung = next(
            meld for meld in self._melds[event.seat]
            if len(meld) == 3 and all(self.codes[each] == event.tile for each in meld)
        )  # fmt: skip
        laid = self._put(tile, self._places.add_to_pung([self.resting[each] for each in pung]))
        pung.append(tile)
        return [Carry(event.seat, tuple(laid))]

    def _win(self, event: Won, before: HandState, after: HandState) -> list[Carry]:
        """The winner lays the hand open, and turns up kongs that nobody knows; the first of several takes the
        winning tile to it."""
        seat = event.seat
        carries = []
        if not after.players[seat].shown:
            return []
        offered = None if after.results[-1].discarder is None or before.results else before.offer
        hand = self._hands[seat]
        if offered is not None and offered.tile is not None:
            tile = self._take_offered(offered.seat, offered.tile)
            hand.append(tile)
            spot = self._places.stand(seat, len(hand) - 1, apart=True, shown=True)
            carries.append(Carry(seat, tuple(self._put(tile, spot))))
        shown = []
        for index, tile in enumerate(hand):
            apart = index == len(hand) - 1 and len(hand) % 3 == 2
            shown += self._put(tile, self._places.stand(seat, index, apart=apart, shown=True))
        for meld in self._melds[seat]:
            if all(self.resting[tile].pose is TilePose.FACE_DOWN for tile in meld):
                for tile in meld:
                    shown += self._put(tile, replace(self.resting[tile], pose=TilePose.FACE_UP))
        return [*carries, Carry(seat, tuple(shown))]

    def _take_offered(self, seat: int, tile: Tile) -> int:
        """The discard or the tile of a kong that is won on."""
        river = self._rivers[seat]
        if river and self.codes[river[-1]] == tile.code:
            return river.pop()
        kong = next(
            meld
            for meld in reversed(self._melds[seat])
            if len(meld) == 4 and self.codes[meld[-1]] == tile.code
        )
        return kong.pop()


def _list_standing(wall: Wall) -> set[WallPlace]:
    return {*wall.live_places, *wall.dead_places}


def _list_gone(before: HandState, after: HandState, seat: int) -> list[str]:
    """The codes of what left a player's hand between two states."""
    here, there = (Counter(hand.players[seat].concealed) for hand in (before, after))
    return sorted(tile.code for tile in (here - there).elements())


def _rank(code: str) -> tuple[str, str]:
    return code[1], code[0]


def _require_hand(state: State) -> HandState:
    assert state.hand is not None
    return state.hand


LIFT_MM = 28.0  # how high a tile is carried
HAND_MM = 32.0  # height of a hand over what it holds
SHOULDER_MM = 330.0  # beyond the table's edge
START_S, END_S = 1.5, 2.0  # before the first event and after the last
REACH_S, CARRY_S, LEAVE_S, TIDY_S = 0.3, 0.5, 0.4, 0.3
DEAL_S = 0.3  # for each block of tiles that is dealt
THROW_S = 3.0  # about, for the dice that choose a tile
THOUGHT_S = 1.3  # about, before a discard
NUDGE_REACH_MM = 52.0  # from the tile that is put down
SHOWN_MM, SHOWN_S = 55.0, 1.1  # how far before its place a discard is tapped, and about how long it is there
THROW_LIFT_MM, FLIGHT_S = 110.0, 0.25
RESTS_S = 2.5  # about, that a hand stays on what it has laid
PAUSE_S = 9.0  # about, that people talk
ACROSS_MM, ACROSS_HIGH_MM, ACROSS_S = 0.7 * HALF_MM, 90.0, 0.8  # how far past the middle, how high, how long
PUSHED_MM = 14.0
MOST_ASIDE_MM = 16  # that a tile is laid from its place, where another is in the way


@dataclass(frozen=True, slots=True)
class Slips:
    """How often things go less than neatly, as shares of discards or claims.

    nudged: lying tiles are pushed aside; turned: a tile is put face down and then turned; early: a claim is
    made before the other's arm has left; shown: a discard is tapped on the table nearer to its player before
    it is laid; thrown: it is thrown from above; rests: the hand stays on it; paused: people talk before it;
    pushed: a wall is pushed in before it; across: another player reaches across the table after it.
    """

    nudged: float = 0.0
    turned: float = 0.0
    early: float = 0.0
    shown: float = 0.0
    thrown: float = 0.0
    rests: float = 0.0
    paused: float = 0.0
    pushed: float = 0.0
    across: float = 0.0


@dataclass(frozen=True, slots=True)
class Motion:
    """A tile on its way, seconds; lift_mm: how high it is carried."""

    tile: int
    start_s: float
    end_s: float
    before: Resting
    after: Resting
    lift_mm: float


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that reaches over the table: where it is at which second, (s, x, y, z) mm, from and to a place
    beyond the edge."""

    seat: int
    keys: tuple[tuple[float, float, float, float], ...]

    @property
    def start_s(self) -> float:
        return self.keys[0][0]

    @property
    def end_s(self) -> float:
        return self.keys[-1][0]

    def find_hand(self, t: float) -> Floats:
        """Where the hand is at that second, (3,) mm."""
        at = min(max(bisect_right(self.keys, t, key=lambda key: key[0]) - 1, 0), len(self.keys) - 2)
        (start, *a), (end, *b) = self.keys[at], self.keys[at + 1]
        share = ease((t - start) / (end - start)) if end > start else 1.0
        hand: Floats = np.array(a) + (np.array(b) - np.array(a)) * share
        return hand


@dataclass(frozen=True, slots=True)
class Mark:
    """An event, and the second at which what it says is done: its tile lies still."""

    t: float
    deed: Deed


@dataclass(frozen=True)
class Timeline:
    """A whole hand in time. standing, codes: of each tile at first; all else in the order of its start."""

    size_mm: tuple[float, float, float]
    codes: tuple[str, ...]
    standing: tuple[Resting, ...]
    motions: tuple[Motion, ...]
    reaches: tuple[Reach, ...]
    marks: tuple[Mark, ...]
    end_s: float
    _of: dict[int, list[Motion]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for motion in self.motions:
            self._of.setdefault(motion.tile, []).append(motion)

    def find_motion(self, tile: int, t: float) -> Motion | None:
        """The last motion of a tile that began by then."""
        motions = self._of.get(tile, [])
        at = bisect_right(motions, t, key=lambda motion: motion.start_s)
        return motions[at - 1] if at else None

    def find_resting(self, t: float) -> list[Resting]:
        """Where each tile rests at that second, or goes."""
        found = []
        for tile, first in enumerate(self.standing):
            motion = self.find_motion(tile, t)
            found.append(first if motion is None else motion.after)
        return found

    def place_boxes(self, t: float) -> list[Box]:
        """Where each tile is at that second; a tile that rests has the same box each time."""
        boxes = []
        for tile, first in enumerate(self.standing):
            motion = self.find_motion(tile, t)
            if motion is None:
                boxes.append(_rest(first, self.size_mm))
            elif t >= motion.end_s:
                boxes.append(_rest(motion.after, self.size_mm))
            else:
                boxes.append(_carry(motion, t, self.size_mm))
        return boxes

    def find_reaches(self, t: float) -> list[Reach]:
        """The hands that are over the table at that second."""
        return [reach for reach in self.reaches if reach.start_s <= t <= reach.end_s]

    def find_still(self) -> list[tuple[float, float]]:
        """The spans of time, start and end in s, in which no tile moves and no hand is over the table."""
        busy = sorted(
            [(motion.start_s, motion.end_s) for motion in self.motions]
            + [(reach.start_s, reach.end_s) for reach in self.reaches]
        )
        spans, clear = [], 0.0
        for start, end in busy:
            if start > clear:
                spans.append((clear, start))
            clear = max(clear, end)
        return [*spans, (clear, self.end_s)] if clear < self.end_s else spans


def ease(share: float) -> float:
    """How far a motion has come after this share of its time: slow at first and at last."""
    x = min(max(share, 0.0), 1.0)
    return x * x * (3 - 2 * x)


@lru_cache(maxsize=4096)
def _rest(resting: Resting, size_mm: tuple[float, float, float]) -> Box:
    return place_tile(resting, np.array(size_mm)).box


def _carry(motion: Motion, t: float, size_mm: tuple[float, float, float]) -> Box:
    """A tile on its way: along a bow, turned the shortest way round."""
    before, after = _rest(motion.before, size_mm), _rest(motion.after, size_mm)
    share = ease((t - motion.start_s) / (motion.end_s - motion.start_s))
    turn, _ = cv2.Rodrigues(after.rotation @ before.rotation.T)
    rotation = np.asarray(cv2.Rodrigues(turn * share)[0]) @ before.rotation
    centre = before.centre_mm + (after.centre_mm - before.centre_mm) * share
    reach = float((np.abs(rotation) @ before.half_mm)[2])
    lift = motion.lift_mm * float(np.sin(np.pi * share))
    return Box(before.half_mm, rotation, np.array([centre[0], centre[1], max(centre[2], reach) + lift]))


def make_timeline(
    course: Course,
    size_mm: tuple[float, float, float],
    rng: Rng,
    *,
    pace: float = 1.0,
    slips: Slips | None = None,
) -> Timeline:
    """The course of a hand as people play it, `pace` times as quick as usual."""
    return _Director(course, size_mm, rng, pace, slips or Slips()).direct()


class _Director:
    """Gives each deed its time."""

    def __init__(
        self, course: Course, size_mm: tuple[float, float, float], rng: Rng, pace: float, slips: Slips
    ) -> None:
        self._course = course
        self._size_mm = size_mm
        self._rng = rng
        self._pace = pace
        self._slips = slips
        self._clock = START_S / pace
        self._now = dict(enumerate(course.standing))
        self._motions: list[Motion] = []
        self._reaches: list[Reach] = []
        self._free = [0.0] * 4  # when each player's hand has left the table
        self._rested = [0.0] * len(course.standing)  # when each tile lies still

    def direct(self) -> Timeline:
        marks = []
        for deed in self._course.deeds:
            self._clock += self._wait(deed.event)
            self._act(deed)
            marks.append(Mark(self._clock, deed))
        ends = [self._clock, *self._free, *self._rested]
        return Timeline(
            self._size_mm,
            self._course.codes,
            self._course.standing,
            tuple(sorted(self._motions, key=lambda motion: motion.start_s)),
            tuple(sorted(self._reaches, key=lambda reach: reach.start_s)),
            tuple(marks),
            max(ends) + END_S / self._pace,
        )

    def _vary(self, seconds: float, spread: float = 0.2) -> float:
        """About that long, at this pace."""
        return seconds * float(np.exp(self._rng.normal(0, spread))) / self._pace

    def _happens(self, share: float) -> bool:
        """Whether this slip happens now."""
        return share > 0 and bool(self._rng.random() < share)

    def _wait(self, event: Event) -> float:
        """How long nothing is done before this event."""
        match event:
            case HandStarted():
                return 0.0
            case Discarded():
                talk = self._vary(PAUSE_S, 0.5) if self._happens(self._slips.paused) else 0.0
                return talk + self._vary(THOUGHT_S, 0.6)
            case Drawn():
                return self._vary(0.6, 0.3)
            case Claimed():
                return 0.0 if self._rng.random() < self._slips.early else self._vary(0.7, 0.3)
            case Dealt():
                return self._vary(0.8)
            case IndicatorTurned():
                return self._vary(THROW_S, 0.3)
            case _:
                return self._vary(0.5, 0.3)

    def _act(self, deed: Deed) -> None:
        """Moves what the deed moves, and sets the clock to when its tiles lie still."""
        event = deed.event
        if not deed.carries:
            return
        if isinstance(event, Dealt):
            for carry in deed.carries:
                self._carry([carry], DEAL_S, hurried=True)
        elif isinstance(event, Discarded):
            if self._happens(self._slips.pushed):
                self._push_wall(event.seat)
            carry = self._make_room(deed.carries[0])
            rests_s = self._vary(RESTS_S, 0.4) if self._happens(self._slips.rests) else 0.0
            if self._rng.random() < self._slips.turned:
                self._put_face_down(carry)
            elif self._happens(self._slips.shown):
                self._show(carry, rests_s)
            elif self._happens(self._slips.thrown):
                self._carry([carry], FLIGHT_S, lift=THROW_LIFT_MM)
            else:
                self._carry([carry], CARRY_S, rests_s=rests_s)
            if self._happens(self._slips.across):
                self._reach_across(event.seat)
        else:
            lift = 4.0 if isinstance(event, Won) else LIFT_MM
            self._carry(deed.carries, CARRY_S, lift=lift)
        if isinstance(event, Discarded | FlowerSetOut) and self._rng.random() < self._slips.nudged:
            self._nudge(deed.carries[-1].tiles[-1][0])
        self._slide(deed.tidied, self._clock + self._vary(0.15))

    def _carry(
        self,
        carries: Sequence[Carry],
        each_s: float,
        *,
        lift: float = LIFT_MM,
        hurried: bool = False,
        rests_s: float = 0.0,
    ) -> None:
        """One hand carries one lot after the other, and stays on the last; the clock then stands at when that
        lies."""
        seat = carries[0].seat
        carries = [carry for carry in carries if carry.tiles]
        if not carries:
            return
        tiles = [tile for carry in carries for tile, _ in carry.tiles]
        start = max(self._clock, self._free[seat], *(self._rested[tile] for tile in tiles))
        reach = self._vary(REACH_S) * (0.5 if hurried else 1.0)
        at = start + reach
        keys = [(start, *self._find_home(seat))]
        for carry in carries:
            if len(keys) > 1:
                at += self._vary(REACH_S)
            end = at + self._vary(each_s)
            before = [self._now[tile] for tile, _ in carry.tiles]
            keys.append((at, *self._find_grip(before)))
            for tile, after in carry.tiles:
                self._move(tile, at, end, after, lift)
            keys.append((end, *self._find_grip([after for _, after in carry.tiles])))
            at = end
        self._clock = at
        leave = self._vary(LEAVE_S) + rests_s
        if rests_s:
            keys.append((at + rests_s, *keys[-1][1:]))
        keys.append((at + leave, *self._find_home(seat)))
        self._reaches.append(Reach(seat, tuple(keys)))
        self._free[seat] = at + (0.0 if hurried else leave)

    def _make_room(self, carry: Carry) -> Carry:
        """The discard beside tiles that were nudged into its place."""
        ((tile, after),) = carry.tiles
        lying = [each for other, each in self._now.items() if each.part is Part.RIVER and other != tile]
        size = np.array(self._size_mm)
        along, away = rotation_z(after.angle)[:2, 0], np.array(TOWARDS[carry.seat])
        for step in range(MOST_ASIDE_MM):
            for way in (along, away):
                x, y = np.array([after.x_mm, after.y_mm]) + way * step
                aside = replace(after, x_mm=float(x), y_mm=float(y))
                if _lies_apart(aside, lying, size):
                    return Carry(carry.seat, ((tile, aside),))
        return carry

    def _show(self, carry: Carry, rests_s: float) -> None:
        """The discard is tapped nearer to its player, shown there, and then pushed to its place."""
        ((tile, after),) = carry.tiles
        x, y = np.array([after.x_mm, after.y_mm]) - np.array(TOWARDS[carry.seat]) * SHOWN_MM
        near = replace(after, x_mm=float(x), y_mm=float(y))
        others = [each for other, each in self._now.items() if other != tile]
        if _lies_apart(near, others, np.array(self._size_mm)):
            self._carry([Carry(carry.seat, ((tile, near),))], CARRY_S)
            self._clock += self._vary(SHOWN_S, 0.4)
        self._carry([carry], TIDY_S, lift=0.0, rests_s=rests_s)

    def _reach_across(self, seat: int) -> None:
        """Another player reaches to the far side of the table, as for a cup, and moves nothing."""
        other = (seat + int(self._rng.integers(1, 4))) % 4
        start = max(self._clock, self._free[other])
        x, y = np.array(TOWARDS[other]) * -ACROSS_MM + self._rng.normal(0, 60.0, 2)
        comes, stays = self._vary(2 * REACH_S), self._vary(ACROSS_S, 0.3)
        home, there = self._find_home(other), (float(x), float(y), ACROSS_HIGH_MM)
        keys = (
            (start, *home), (start + comes, *there), (start + comes + stays, *there),
            (start + 2 * comes + stays, *home),
        )  # fmt: skip
        self._reaches.append(Reach(other, keys))
        self._free[other] = keys[-1][0]

    def _push_wall(self, seat: int) -> None:
        """The wall before that player is pushed towards the middle, if nothing is in its way."""
        inwards = np.array(TOWARDS[seat])
        walls = {tile: each for tile, each in self._now.items() if each.part is Part.WALL}
        own = {
            tile: each
            for tile, each in walls.items()
            if -(np.array([each.x_mm, each.y_mm]) @ inwards) > max(abs(each.x_mm), abs(each.y_mm)) - 1
        }
        others = [each for tile, each in self._now.items() if tile not in own]
        pushed = {}
        for tile, each in own.items():
            x, y = np.array([each.x_mm, each.y_mm]) + inwards * PUSHED_MM
            pushed[tile] = replace(each, x_mm=float(x), y_mm=float(y))
        size = np.array(self._size_mm)
        if all(_lies_apart(each, others, size) for each in pushed.values()):
            self._slide(list(pushed.items()), self._clock)
            self._clock += self._vary(TIDY_S) + 0.2 / self._pace

    def _put_face_down(self, carry: Carry) -> None:
        """The discard lands on its face and is turned over."""
        ((tile, after),) = carry.tiles
        self._carry([Carry(carry.seat, ((tile, replace(after, pose=TilePose.FACE_DOWN)),))], CARRY_S)
        self._clock += self._vary(0.6)
        self._carry([carry], TIDY_S)

    def _move(self, tile: int, start: float, end: float, after: Resting, lift: float) -> None:
        before = self._now[tile]
        if before == after:
            return
        self._motions.append(Motion(tile, start, end, before, after, lift))
        self._now[tile] = after
        self._rested[tile] = end

    def _slide(self, tidied: Sequence[Laying], start: float) -> None:
        """Tiles pushed along the table, each once it lies."""
        end = start + self._vary(TIDY_S)
        for tile, after in tidied:
            begin = max(start, self._rested[tile])
            self._move(tile, begin, max(end, begin + 0.2 / self._pace), after, 0.0)

    def _nudge(self, tile: int) -> None:
        """Some discards round this tile, and perhaps it too, are pushed a little aside."""
        middle = self._now[tile]
        river = {
            other: each for other, each in self._now.items()
            if each.part is Part.RIVER and self._rested[other] <= self._clock
        }  # fmt: skip
        start = self._clock - 0.15 / self._pace
        for other, each in river.items():
            apart = np.hypot(each.x_mm - middle.x_mm, each.y_mm - middle.y_mm)
            if apart > NUDGE_REACH_MM or self._rng.random() < 0.4:
                continue
            dx, dy, turn = self._rng.normal(0, 1, 3) * [3.0, 3.0, 0.09]
            pushed = replace(
                each, x_mm=each.x_mm + float(dx), y_mm=each.y_mm + float(dy), angle=each.angle + float(turn)
            )
            others = [resting for number, resting in river.items() if number != other]
            if _lies_apart(pushed, others, np.array(self._size_mm)):
                begin = max(start, self._rested[other])
                self._move(other, begin, begin + 0.15 / self._pace, pushed, 0.0)
                self._clock = max(self._clock, begin + 0.15 / self._pace)

    def _find_grip(self, tiles: Sequence[Resting]) -> tuple[float, float, float]:
        """Where a hand is that holds these tiles."""
        x, y = np.mean([(tile.x_mm, tile.y_mm) for tile in tiles], axis=0)
        return float(x), float(y), HAND_MM

    def _find_home(self, seat: int) -> tuple[float, float, float]:
        """Where a player's hand is while it does nothing: beyond the edge."""
        away, along = np.array(TOWARDS[seat]), np.array([-TOWARDS[seat][1], TOWARDS[seat][0]])
        x, y = away * (HALF_MM + SHOULDER_MM * 0.6) + along * float(self._rng.uniform(20, 160))
        return float(x), float(y), 60.0


def _lies_apart(tile: Resting, others: Sequence[Resting], size: Floats) -> bool:
    taken = []
    for other in others:
        middle = np.array([other.x_mm, other.y_mm])
        taken.append((middle, find_foot(size, other.angle) + middle))
    return lies_free(np.array([tile.x_mm, tile.y_mm]), find_foot(size, tile.angle), taken)
