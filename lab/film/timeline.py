"""When everything happens: the course of a hand spread over time, as motions of tiles and of hands.

Made from the log, a pace and a seed, and from nothing else; where a tile is at a moment is asked of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from companion.table.events import (
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
    Won,
)
from lab.film.course import Carry, Course, Deed, Laying
from lab.film.customs import HALF_MM
from lab.scenes.geometry import Box, Floats, rotation_z
from lab.scenes.seating import TOWARDS, find_foot, lies_free
from lab.scenes.tabletop import Part, Pose, Resting, place_tile
from lab.scenes.things import Rng

LIFT_MM = 28.0  # how high a tile is carried
HAND_MM = 32.0  # height of a hand over what it holds
SHOULDER_MM = 330.0  # beyond the table's edge
START_S, END_S = 1.5, 2.0  # before the first event and after the last
REACH_S, CARRY_S, LEAVE_S, TIDY_S = 0.3, 0.5, 0.4, 0.3
DEAL_S = 0.3  # for each block of tiles that is dealt
THROW_S = 3.0  # about, for the dice that choose a tile
THOUGHT_S = 1.3  # about, before a discard
NUDGE_REACH_MM = 52.0  # from the tile that is put down
MOST_ASIDE_MM = 16  # that a tile is laid from its place, where another is in the way


@dataclass(frozen=True, slots=True)
class Slips:
    """How often things go less than neatly, as shares of discards or claims.

    nudged: lying tiles are pushed aside; turned: a tile is put face down and then turned; early: a claim is
    made before the other's arm has left.
    """

    nudged: float = 0.0
    turned: float = 0.0
    early: float = 0.0


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

    def _wait(self, event: Event) -> float:
        """How long nothing is done before this event."""
        match event:
            case HandStarted():
                return 0.0
            case Discarded():
                return self._vary(THOUGHT_S, 0.6)
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
            carry = self._make_room(deed.carries[0])
            if self._rng.random() < self._slips.turned:
                self._put_face_down(carry)
            else:
                self._carry([carry], CARRY_S)
        else:
            lift = 4.0 if isinstance(event, Won) else LIFT_MM
            self._carry(deed.carries, CARRY_S, lift=lift)
        if isinstance(event, Discarded | FlowerSetOut) and self._rng.random() < self._slips.nudged:
            self._nudge(deed.carries[-1].tiles[-1][0])
        self._slide(deed.tidied, self._clock + self._vary(0.15))

    def _carry(
        self, carries: Sequence[Carry], each_s: float, *, lift: float = LIFT_MM, hurried: bool = False
    ) -> None:
        """One hand carries one lot after the other; the clock then stands at when the last lies."""
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
        leave = self._vary(LEAVE_S)
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

    def _put_face_down(self, carry: Carry) -> None:
        """The discard lands on its face and is turned over."""
        ((tile, after),) = carry.tiles
        self._carry([Carry(carry.seat, ((tile, replace(after, pose=Pose.FACE_DOWN)),))], CARRY_S)
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
