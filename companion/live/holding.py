"""Whether a camera is to keep its focus and its light as they are: while the table is found, so that neither
changes with every hand that reaches over it; not while the picture is worse than when they were held. Where
lamps flicker in its pictures, the other frequency of the mains is tried.

Cameras differ in what they do when they no longer adjust themselves: some jump to an old setting. One whose
picture changes at once is not held again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Protocol

import numpy as np

from companion.cameras.capture_process import Holding
from companion.images import Image
from companion.seeing.arrays import Grey
from companion.seeing.camera_check import FLICKER_MAX, measure_blur, measure_flicker
from companion.seeing.preview import SmallFrame
from companion.seeing.sights import Sight
from companion.seeing.table_camera import TableCamera

EVERY_S = 1.0
"""How often a picture is measured."""
FOUND_S, LOST_S = 3.0, 3.0
"""How long the table is found before the camera is held, and lost before it is free again."""
OFF_S = 5.0
"""How long a picture is worse before the camera may adjust itself: arms pass in less."""
AT_ONCE_S = 2.0
"""A picture that is worse within this time after the camera was held is so because of that."""
LIGHT_RATIO = 1.3
"""A picture is worse that is brighter or darker by this."""
BLUR_RATIO, BLUR_PX = 1.5, 1.0
"""A picture is worse that is blurred this many times as much, and by this much more."""
FLICKER_PICTURES, FLICKERS_TIMES, SWITCHES_MAX = 6, 2, 2
"""Flicker is measured in this many pictures, and must be there this often in a row; the mains are switched at
most this often."""
MIDDLE_PX = 640
"""Side of the part in the middle of the picture of which the blur is measured: some 10 ms."""


class _Is(Enum):
    FREE = auto()
    HELD = auto()
    GIVEN_UP = auto()


@dataclass(frozen=True, slots=True)
class Hold:
    """One thing that may be held. is_worse: whether a measurement is worse than another. held_s, level: when
    it was held, and its measurement then; changed_s: since when the table has been found, or lost where it is
    held; off_s: since when the measurement is worse."""

    is_worse: Callable[[float, float], bool]
    state: _Is = _Is.FREE
    held_s: float = 0.0
    level: float = 0.0
    changed_s: float | None = None
    off_s: float | None = None

    @property
    def is_held(self) -> bool:
        return self.state is _Is.HELD

    def step(self, t: float, is_found: bool, level: float) -> Hold:
        """At second `t`, with the table found or not, and this measurement."""
        if self.state is _Is.GIVEN_UP:
            return self
        turns = is_found is not self.is_held
        changed_s = None if not turns else t if self.changed_s is None else self.changed_s
        now = replace(self, changed_s=changed_s)
        if not self.is_held:
            is_due = changed_s is not None and t - changed_s >= FOUND_S
            return replace(now, state=_Is.HELD, held_s=t, level=level, changed_s=None) if is_due else now
        if changed_s is not None and t - changed_s >= LOST_S:
            return Hold(self.is_worse)
        if not self.is_worse(level, self.level):
            return replace(now, off_s=None)
        off_s = t if self.off_s is None else self.off_s
        if t - off_s < OFF_S:
            return replace(now, off_s=off_s)
        is_own_fault = off_s - self.held_s <= AT_ONCE_S
        return Hold(self.is_worse, _Is.GIVEN_UP if is_own_fault else _Is.FREE)


def _is_other_light(level: float, held: float) -> bool:
    return max(level, held) > LIGHT_RATIO * max(min(level, held), 1.0)


def _is_more_blurred(blur_px: float, held_px: float) -> bool:
    return blur_px > max(BLUR_RATIO * held_px, held_px + BLUR_PX)


def shows_table(camera: TableCamera | None, sight: Sight | None) -> bool:
    """Whether the table is where it was found, by where the camera stands and what was seen; nothing new is
    as good as something."""
    return camera is not None and (sight is None or not sight.trouble)


class Adjustable(Protocol):
    """A camera: what `LiveCamera` has to adjust it."""

    def hold(self, what: Holding, is_held: bool) -> None: ...
    def switch_mains(self) -> None: ...


class CameraHolder:
    """Has a camera hold what should be held, and use the mains with which its picture does not flicker."""

    def __init__(self, camera: Adjustable) -> None:
        self._camera = camera
        self._switches = 0
        self.forget()

    def forget(self) -> None:
        """The camera was opened anew: nothing is held."""
        self._measured_s = -np.inf
        self._holds = {Holding.FOCUS: Hold(_is_more_blurred), Holding.LIGHT: Hold(_is_other_light)}
        self._greys: list[Grey] = []
        self._flickered = 0

    def look(self, image: Image, t: float, is_found: bool) -> None:
        """The next picture (H, W, 3), at second `t`, in which the table is found or not."""
        if 0 <= t - self._measured_s < EVERY_S:
            return
        self._measured_s = t
        middle = _take_middle(image)
        levels = {Holding.FOCUS: measure_blur(middle), Holding.LIGHT: float(middle.mean())}
        for what, before in self._holds.items():
            if np.isnan(levels[what]):
                continue
            now = self._holds[what] = before.step(t, is_found, levels[what])
            if now.is_held is not before.is_held:
                self._camera.hold(what, now.is_held)
        self._watch_flicker(SmallFrame.of(image).grey)

    def _watch_flicker(self, grey: Grey) -> None:
        """Switch the mains if the light flickers, and back if it still does. A camera that holds its exposure
        filters nothing out: it has to be free for that."""
        if self._switches >= SWITCHES_MAX:
            return
        self._greys.append(grey)
        if len(self._greys) < FLICKER_PICTURES:
            return
        flickers = measure_flicker(self._greys) > FLICKER_MAX
        self._greys, self._flickered = [], self._flickered + 1 if flickers else 0
        if self._flickered < FLICKERS_TIMES:
            return
        if self._holds[Holding.LIGHT].is_held:
            self._camera.hold(Holding.LIGHT, False)
        self._holds[Holding.LIGHT] = Hold(_is_other_light)
        self._camera.switch_mains()
        self._switches, self._flickered = self._switches + 1, 0


def _take_middle(image: Image) -> Image:
    """The green of the middle of a picture."""
    height, width = image.shape[:2]
    top, left = max(0, (height - MIDDLE_PX) // 2), max(0, (width - MIDDLE_PX) // 2)
    return np.ascontiguousarray(image[top : top + MIDDLE_PX, left : left + MIDDLE_PX, 1])
