"""The picture of what lies on the table, of which only what changed is drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.images import Image
from lab.scenes.club import Empty, Setting
from lab.scenes.draw import draw_scene
from lab.scenes.geometry import Box, Camera, Floats, rotation_z
from lab.scenes.layouts import PlacedTile
from lab.scenes.shade import LAMP_TURNS
from lab.scenes.things import Thing
from lab.scenes.tileset import TileBodies

Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""
LOW_LAMP = 0.2  # height of a lamp as far as shadows go, as `draw_scene` has it


class Still:
    """A table of which the tiles may move. `image` (H, W, 3) is what `show` drew last."""

    def __init__(
        self, empty: Empty, setting: Setting, camera: Camera, bodies: TileBodies, codes: Sequence[str]
    ) -> None:
        self.image: Image = empty.ground.copy()
        self._empty = empty
        self._setting = setting
        self._camera = camera
        self._bodies = bodies
        self._codes = codes
        self._boxes: list[Box | None] = [None] * len(codes)
        self._bounds = np.zeros((len(codes), 4), int)
        self._pad = 2 * round(2 * setting.light.softness_px) + 4
        self._things: dict[int, tuple[Thing, Bounds]] = {}
        self._redraw((0, 0, self.image.shape[1], self.image.shape[0]))

    def show(self, boxes: Sequence[Box], things: Sequence[Thing] = ()) -> None:
        """Draws the tiles where these boxes are, and these things; a box or thing that is the same object as
        before has not moved."""
        changed = self._move_things(things)
        for index, box in enumerate(boxes):
            if box is self._boxes[index]:
                continue
            if self._boxes[index] is not None:
                changed.append(_take_bounds(self._bounds[index]))
            self._boxes[index] = box
            self._bounds[index] = _find_bounds(box, self._camera, self._setting)
            changed.append(_take_bounds(self._bounds[index]))
        for region in _merge(changed):
            self._redraw(region)

    def _move_things(self, things: Sequence[Thing]) -> list[Bounds]:
        """What of the picture the things that are new or gone cover."""
        before, now = self._things, {id(thing): thing for thing in things}
        gone = [bounds for key, (_, bounds) in before.items() if key not in now]
        new = {
            key: (thing, _find_bounds(thing.box, self._camera, self._setting))
            for key, thing in now.items()
            if key not in before
        }
        self._things = {key: each for key, each in before.items() if key in now} | new
        return gone + [bounds for _, bounds in new.values()]

    def _redraw(self, region: Bounds) -> None:
        """Draws a region anew, with a margin in which shadows fade."""
        height, width = self.image.shape[:2]
        x0, y0 = (max(0, edge - self._pad) // 2 * 2 for edge in region[:2])
        x1, y1 = min(width, region[2] + self._pad), min(height, region[3] + self._pad)
        left, top, right, bottom = (
            max(0, region[0]),
            max(0, region[1]),
            min(width, region[2]),
            min(height, region[3]),
        )
        if right <= left or bottom <= top:
            return
        near = (
            (self._bounds[:, 0] < x1) & (self._bounds[:, 2] > x0)
            & (self._bounds[:, 1] < y1) & (self._bounds[:, 3] > y0)
        )  # fmt: skip
        placed = [
            PlacedTile(self._codes[index], box)
            for index in np.flatnonzero(near).tolist()
            if (box := self._boxes[index]) is not None
        ]
        things = [
            thing
            for thing, bounds in self._things.values()
            if bounds[0] < x1 and bounds[2] > x0 and bounds[1] < y1 and bounds[3] > y0
        ]
        scene = draw_scene(
            self._empty.ground[y0:y1, x0:x1],
            replace(self._camera, centre_px=self._camera.centre_px - [x0, y0]),
            placed,
            self._bodies,
            self._setting.light,
            things,
            [(picture, quad - [x0, y0]) for picture, quad in self._empty.before],
        )
        self.image[top:bottom, left:right] = scene.image[top - y0 : bottom - y0, left - x0 : right - x0]


def _take_bounds(row: np.ndarray) -> Bounds:
    x0, y0, x1, y1 = (int(edge) for edge in row)
    return x0, y0, x1, y1


def _find_bounds(box: Box, camera: Camera, setting: Setting) -> Bounds:
    """What a box and its shadows cover of the picture."""
    corners = box.corners()
    lamp = np.array(setting.light.direction)
    points = [corners, corners * [1, 1, 0]]
    for turn in LAMP_TURNS:
        towards = rotation_z(turn) @ lamp
        points.append(corners - towards * (corners[:, 2:] / max(towards[2], LOW_LAMP)))
    seen: Floats = camera.project(np.concatenate(points))
    seen = seen[np.isfinite(seen).all(axis=1)]
    if not len(seen):
        return 0, 0, 0, 0
    pad = round(1.5 * setting.light.softness_px) + 4
    x0, y0 = np.floor(seen.min(axis=0)).astype(int) - pad
    x1, y1 = np.ceil(seen.max(axis=0)).astype(int) + pad
    return int(x0), int(y0), int(x1), int(y1)


def _merge(regions: Sequence[Bounds]) -> list[Bounds]:
    """Regions that overlap as one."""
    merged: list[Bounds] = []
    for region in regions:
        joined = region
        while touching := [other for other in merged if _overlap(joined, other)]:
            merged = [other for other in merged if other not in touching]
            joined = (
                min(joined[0], *(each[0] for each in touching)),
                min(joined[1], *(each[1] for each in touching)),
                max(joined[2], *(each[2] for each in touching)),
                max(joined[3], *(each[3] for each in touching)),
            )
        merged.append(joined)
    return merged


def _overlap(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
