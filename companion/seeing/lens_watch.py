"""The lens of one camera, measured by its pictures, and the table found through it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.seeing.finding_table import FoundTable, TableSearch
from companion.seeing.lens import PERFECT, Lens, choose_lens
from companion.seeing.straight_lines import rate_lenses
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.table_lines import trace_corners
from companion.seeing.table_sides import Square

LOOKS = 5
"""Pictures, the latest ones, that are looked at together: arms and heads come and go."""


class LensWatch:
    """Measures the lens of one camera. lens: as far as it is known, perfect until it is clear that it is
    not."""

    def __init__(self, lens: Lens = PERFECT) -> None:
        self.lens = lens
        self._rated: deque[NDArray[np.float64]] = deque(maxlen=LOOKS)

    def look(self, image: Image) -> None:
        """Take in what a picture (H, W, 3) says. One more picture of the same things says nothing more."""
        self._rated.append(rate_lenses(image))
        self.lens = choose_lens(np.mean(self._rated, axis=0), self.lens)


class StraightSearch:
    """Looks for the table as `TableSearch` does, in pictures as a perfect lens would show them. begin: begins
    a search, anew where the lens turns out to be another one."""

    def __init__(self, begin: Callable[[], TableSearch], watch: LensWatch) -> None:
        self._begin = begin
        self._search = begin()
        self._watch = watch

    def look(self, image: Image) -> FoundTable | None:
        """The table by all pictures (H, W, 3) so far, its camera being that of the picture."""
        before = self._watch.lens
        self._watch.look(image)
        lens = self._watch.lens
        if lens != before:
            self._search = self._begin()
        found = self._search.look(lens.straighten_picture(image))
        if found is None:
            return None
        if lens.is_perfect:
            self._watch.lens = found.camera.lens  # which markers show
            return found
        height, width = image.shape[:2]
        return replace(found, camera=found.camera.see_through(lens, width, height))


def change_lens(image: Image, camera: TableCamera, lens: Lens) -> TableCamera:
    """The camera over the table that this one sees in a picture (H, W, 3), where its lens is another one: the
    table's sides are traced anew."""
    try:
        near = TableCamera.from_corners(camera.corners, camera.width, camera.height, lens=lens)
        straight, seen = near.straighten(image)
        p, half, whole = seen.projection, TABLE_MM / 2, np.ones(4)
        to_table = np.asarray(np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]])), np.float64)
        corners, _ = trace_corners(straight, to_table, Square(-half, half, -half, half, 1.0, whole, whole))
        traced = TableCamera.from_corners(corners, seen.width, seen.height)
        return traced.see_through(lens, camera.width, camera.height)
    except InputError:
        return camera


def measure_change_mm(before: TableCamera, after: TableCamera) -> float:
    """By how many mm a place on the table is elsewhere for the other camera, at most."""
    steps = np.linspace(-TABLE_MM / 2, TABLE_MM / 2, 9)
    x, y = np.meshgrid(steps, steps)
    places = np.column_stack([x.ravel(), y.ravel()])
    seen = before.project(np.column_stack([places, np.zeros(len(places))]))
    return float(np.nanmax(np.linalg.norm(after.lift(seen) - places, axis=1)))
