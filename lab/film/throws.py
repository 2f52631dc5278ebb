"""Dice in a film: they roll in from the dealer's side and come to rest in the middle of the table, where they
lie until they are thrown again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.table.events import Event, HandStarted, IndicatorTurned
from lab.film.timeline import Timeline
from lab.scenes.dice import choose_look, lay_dice, scatter_dice
from lab.scenes.geometry import Box, Floats
from lab.scenes.seating import TOWARDS
from lab.scenes.things import Rng, Thing

ROLLS_S = 0.6
BEFORE_S = 2.0  # a roll rests before what it decides is done
REACH_MM = 24.0  # from the middle of the table, where no discard is put
FROM_MM, HIGH_MM = 170.0, 45.0  # where dice leave the hand: from where they come to rest, and above it
TURNS = 2.5  # of a die on its way
BOUNCES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """One throw. dice: as they come to rest; way: unit vector (2,) along which they come; axes: (n, 3) about
    which each turns."""

    rolls_s: float
    rests_s: float
    dice: tuple[Thing, ...]
    way: Floats
    axes: Floats

    def find_dice(self, t: float) -> tuple[Thing, ...]:
        """The dice at that second; the same objects once they rest."""
        if t >= self.rests_s:
            return self.dice
        left = ((self.rests_s - t) / (self.rests_s - self.rolls_s)) ** 2
        return tuple(self._roll(die, axis, left) for die, axis in zip(self.dice, self.axes, strict=True))

    def _roll(self, die: Thing, axis: Floats, left: float) -> Thing:
        """A die that has this share of its way before it."""
        turn = np.asarray(cv2.Rodrigues(axis * (2 * np.pi * TURNS * left))[0])
        box = die.box
        rotation = turn @ box.rotation
        x, y = box.centre_mm[:2] - self.way * FROM_MM * left
        z = float((np.abs(rotation) @ box.half_mm)[2]) + HIGH_MM * left * abs(np.cos(np.pi * BOUNCES * left))
        return replace(die, box=Box(box.half_mm, rotation, np.array([x, y, z])))


def throw_dice(timeline: Timeline, rng: Rng, pace: float) -> tuple[Throw, ...]:
    """The throws of a filmed hand, in their order."""
    look = choose_look(rng)
    throws = []
    for mark in timeline.marks:
        shown = _read_throw(mark.deed.event)
        if not shown:
            continue
        begins = isinstance(mark.deed.event, HandStarted)
        rests_s = mark.t if begins else mark.t - BEFORE_S / pace
        hand = mark.deed.state.hand
        assert hand is not None
        places = scatter_dice(rng, look, len(shown), REACH_MM)
        axes = rng.normal(0, 1, (len(shown), 3))
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        way = -np.array(TOWARDS[hand.deal.dealer])
        dice = tuple(lay_dice(rng, look, shown, places))
        throws.append(Throw(rests_s - ROLLS_S / pace, rests_s, dice, way, axes))
    return tuple(throws)


def find_thrown(throws: Sequence[Throw], t: float) -> tuple[Thing, ...]:
    """The dice on the table at that second: those of the throw that began last."""
    begun = [throw for throw in throws if throw.rolls_s <= t]
    return begun[-1].find_dice(t) if begun else ()


def _read_throw(event: Event) -> tuple[int, ...]:
    return (event.dice or ()) if isinstance(event, HandStarted | IndicatorTurned) else ()
