"""Which dice lie still on the table: small things in its middle that are not tiles are read a few times.

A roll is reported only after everything that may be a die is read, and several readings agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.arrays import Grey, Mask
from companion.seeing.dice.reading import Die, find_dice
from companion.seeing.sights import Box, Roll
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import PX_MM, SIDE, to_places

DICE_WITHIN_MM = 150.0
"""From the table's middle: discards and walls leave no room for dice farther out."""
NEAR_PX = 31
"""Px of the small picture over which the bare table looks alike."""
LUMP_LEVELS = 14.0
"""Grey levels by which a thing differs from the table around it."""
JOINED_PX, NARROW_PX, DIE_MIN_PX, DIE_MAX_MM = 5, 3, 16, 90.0
"""Px of the small picture: nearer parts are one thing; narrower ones are an edge or a shadow; one with fewer
pixels, or longer, is not a die."""
READINGS_MAX, FRUITLESS_MAX = 5, 2
"""How often a thing is read, and how often if no reading shows a die."""
EVERY_S = 0.2
AGREEING_READINGS = 2
"""This number of readings must agree, and none may show anything else."""
SAME_MM = 4.0
DICE_COUNTS = (2, 3)
"""Number of dice in any game."""
ROLL_P = 0.995
"""Chosen, not measured: no reported roll was wrong in trials."""
SAME_EDGE = 1.2
"""How much longer the edges of some dice of a set may seem than those of others."""
TOGETHER_S = 2.0
"""What came to rest this soon before or after the dice, and is not read, may be one of them."""


@dataclass(slots=True)
class _Thing:
    """Something small on the table. looks: what each reading showed, surely read dice only, or None if
    something may be a die that could not be read; due_s: when to read next."""

    box: Box
    since_s: float
    due_s: float
    looks: list[list[Die] | None] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        if len(self.looks) >= READINGS_MAX or self.find_dice():
            return True
        return len(self.looks) >= FRUITLESS_MAX and not any(look is None or look for look in self.looks)

    def find_dice(self) -> list[Die]:
        """The dice that enough readings agree on; none if readings contradict each other."""
        seen = [look for look in self.looks if look]
        if len(seen) < AGREEING_READINGS or any(not _agree(seen[0], look) for look in seen[1:]):
            return []
        return seen[0]


class DiceWatch:
    """Watches the middle of the table, in its small pictures."""

    def __init__(self) -> None:
        self._things: list[_Thing] = []
        middle = np.abs((np.arange(SIDE) + 0.5) * PX_MM - SIDE * PX_MM / 2) <= DICE_WITHIN_MM
        self._middle: Mask = middle[:, None] & middle[None]

    def note(self, read: Mask, tiles: Mask, grey: Grey, t: float) -> None:
        """What was new and still at that second, where tiles are, and how the table looks."""
        new = read & self._middle
        if not new.any():
            return
        self._things = [thing for thing in self._things if not new[_window(thing.box)].any()]
        level = cv2.medianBlur(grey, NEAR_PX)
        lumps = new & ~tiles & (cv2.absdiff(grey, level) >= LUMP_LEVELS)
        wide, narrow = (np.ones((side, side), np.uint8) for side in (JOINED_PX, NARROW_PX))
        joined = cv2.morphologyEx(lumps.astype(np.uint8), cv2.MORPH_CLOSE, wide)
        compact = cv2.morphologyEx(joined, cv2.MORPH_OPEN, narrow)
        count, _, stats, _ = cv2.connectedComponentsWithStats(compact)
        for label in range(1, count):
            left, top, width, height, area = stats[label].tolist()
            if area < DIE_MIN_PX or max(width, height) * PX_MM > DIE_MAX_MM:
                continue
            corners = np.array([[left, top + height], [left + width, top]], np.float64) - 0.5
            self._things.append(_Thing(Box(*to_places(corners).ravel().tolist()), t, t))

    def read_next(self, image: Image, camera: TableCamera, still: Mask, t: float) -> bool:
        """Read one thing that is due and still; whether there was one."""
        for thing in self._things:
            if thing.is_done or t < thing.due_s or not still[_window(thing.box)].all():
                continue
            thing.due_s = t + EVERY_S
            dice = find_dice(image, camera, thing.box, seed=len(thing.looks))
            sure = [die for die in dice if die.is_sure]
            unsure = any(die.may_be for die in dice if not die.is_sure)
            thing.looks.append(None if unsure else sure)
            return True
        return False

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be read."""
        return any(not thing.is_done for thing in self._things)

    @property
    def roll(self) -> Roll | None:
        """The roll; None if there is none, or not everything is surely read."""
        read = [(thing, thing.find_dice()) for thing in self._things]
        dice = [die for _, each in read for die in each]
        if len(dice) not in DICE_COUNTS or not _are_of_one_size(dice):
            return None
        since_s = max(thing.since_s for thing, each in read if each)
        if any(not each and abs(thing.since_s - since_s) < TOGETHER_S for thing, each in read):
            return None
        return Roll(tuple(sorted(die.pips for die in dice)), since_s, ROLL_P)


def _are_of_one_size(dice: list[Die]) -> bool:
    """Whether they are of one set: a part of a face is taken for a smaller die at worst."""
    edges = [die.edge_mm for die in dice]
    return max(edges) <= SAME_EDGE * min(edges)


def _agree(one: list[Die], other: list[Die]) -> bool:
    """Whether two readings agree."""
    if len(one) != len(other):
        return False
    return all(
        any(
            die.pips == each.pips and np.hypot(die.x_mm - each.x_mm, die.y_mm - each.y_mm) < SAME_MM
            for each in other
        )
        for die in one
    )


def _window(box: Box) -> tuple[slice, slice]:
    """The box in the small picture."""
    columns = [int((side / PX_MM) + SIDE / 2) for side in (box.left, box.right)]
    rows = [int(SIDE / 2 - side / PX_MM) for side in (box.far, box.near)]
    return slice(max(0, rows[0]), rows[1] + 1), slice(max(0, columns[0]), columns[1] + 1)
