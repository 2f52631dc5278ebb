"""How well dice are read: drawn throws as a camera sees them, 10 pictures a second, and things that are none.

Only the table's middle is drawn. Looks are those of `lab.scenes.things`, all else of filmed tables.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.dice.watch import DiceWatch
from companion.seeing.sights import Roll
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import SIDE, TopView
from lab.film.customs import HALF_MM, Pose, choose_bodies, list_corners, place_camera
from lab.scenes.club import Setting, draw_empty, make_random_setting
from lab.scenes.draw import draw_scene
from lab.scenes.geometry import Camera
from lab.scenes.layouts import Part, PlacedTile, Resting, TilePose, place_tile
from lab.scenes.rooms import NO_TILES
from lab.scenes.things import Rng, Thing, chip, choose_look, lay_dice, letter_tile, move_thing, scatter_dice
from lab.scenes.tileset import TileBodies

SIZE = (1920, 1080)
SHOWN_MM = 170.0
"""Radius of the drawn part of the table."""
FRAMES, FRAME_S = 21, 0.1
"""Two seconds from the moment at which the dice lie still."""
THROWS_A_TABLE = 10
REACH_MM = 60.0
DOTS = tuple(f"{number}p" for number in range(1, 10))
STACKS = (18, 18, 18, 18)


def bench_dice(throws: int, poses: Sequence[Pose], seed: int) -> list[dict[str, Any]]:
    """A row of figures for each pose: throws, and as many tables where dots tiles that were not found, chips
    and letters lie in place of dice."""
    rows = []
    for pose in poses:
        counts: Counter[str] = Counter()
        began = time.process_time()
        for number in range(-(-throws // THROWS_A_TABLE)):
            _bench_table(counts, pose, (seed, number), min(THROWS_A_TABLE, throws - number * THROWS_A_TABLE))
        rows.append({
            "pose": pose.value,
            "throws": counts["throws"],
            "read": counts["read"],
            "wrong": counts["wrong"],
            "without_dice": counts["without dice"],
            "false": counts["false"],
            "ms_a_look": round(counts["us"] / 1000 / max(1, counts["looks"])),
            "s": round(time.process_time() - began, 1),
        })  # fmt: skip
    return rows


def _bench_table(counts: Counter[str], pose: Pose, seed: tuple[int, int], throws: int) -> None:
    rng = np.random.default_rng(seed)
    camera = place_camera(pose, rng, *SIZE)
    setting = replace(make_random_setting(rng, HALF_MM, 0.0, *SIZE), things=(), vessels=())
    ground = draw_empty(setting, camera).ground
    corners = camera.project(list_corners(HALF_MM)) + rng.normal(0, 1, (4, 2))
    table = _Table(ground, setting, camera, TableCamera.from_corners(corners, *SIZE))
    bodies = choose_bodies(rng, STACKS)
    for _ in range(throws):
        look = choose_look(rng)
        shown = [int(number) for number in rng.integers(1, 7, int(rng.choice([2, 2, 3])))]
        places = scatter_dice(rng, look, len(shown), REACH_MM)
        roll = table.watch(counts, rng, table.draw(lay_dice(rng, look, shown, places)))
        counts["throws"] += 1
        counts["read"] += roll is not None and roll.pips == tuple(sorted(shown))
        counts["wrong"] += roll is not None and roll.pips != tuple(sorted(shown))
        tiles = [
            PlacedTile(str(rng.choice(DOTS)), place_tile(_lay(rng, at), np.array(bodies.size_mm)).box)
            for at in range(2)
        ]
        things = [
            move_thing(make(rng), float(x), float(y), float(rng.uniform(0, 6.3)))
            for make, (x, y) in zip((chip, letter_tile), ((60.0, 60.0), (60.0, -60.0)), strict=True)
        ]
        counts["without dice"] += 1
        counts["false"] += table.watch(counts, rng, table.draw(things, tiles, bodies)) is not None


def _lay(rng: Rng, at: int) -> Resting:
    """A tile on the left of the table's middle."""
    x, y = -60.0 + float(rng.normal(0, 8)), (-60.0, 60.0)[at] + float(rng.normal(0, 8))
    return Resting("", x, y, float(rng.uniform(0, 6.3)), TilePose.FACE_UP, part=Part.RIVER)


class _Table:
    """A table without tiles, and what the program knows of its camera."""

    def __init__(self, ground: Image, setting: Setting, camera: Camera, seen: TableCamera) -> None:
        self._ground, self._setting, self._camera = ground, setting, camera
        self._seen = seen
        self._plane = TopView.of(seen, 20.0)
        self._bare = self._plane.show(ground)
        px = camera.project(SHOWN_MM * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]))
        x0, y0 = np.maximum(np.floor(px.min(axis=0)), 0).astype(int) // 2 * 2
        x1, y1 = np.ceil(px.max(axis=0)).astype(int)
        self._part = slice(int(y0), int(y1)), slice(int(x0), int(x1))

    def draw(
        self, things: Sequence[Thing], tiles: Sequence[PlacedTile] = (), bodies: TileBodies = NO_TILES
    ) -> Image:
        """The picture with these on it."""
        image = self._ground.copy()
        rows, columns = self._part
        moved = replace(self._camera, centre_px=self._camera.centre_px - [columns.start, rows.start])
        part = image[self._part].copy()
        image[self._part] = draw_scene(part, moved, tiles, bodies, self._setting.light, things).image
        return image

    def watch(self, counts: Counter[str], rng: Rng, picture: Image) -> Roll | None:
        """The report about it within two seconds."""
        watch, everywhere = DiceWatch(), np.ones((SIDE, SIDE), bool)
        light, grain, blur = rng.uniform(0.75, 1.15), rng.uniform(0, 3), float(rng.choice([0, 0.4, 0.8]))
        quality = int(rng.integers(70, 95))
        after = self._plane.show(picture)
        new = cv2.dilate(cv2.absdiff(self._bare, after), np.ones((3, 3), np.uint8)) > 6
        watch.note(new, ~everywhere, after, 0.0)
        for frame in range(1, FRAMES):
            seen = picture.copy()
            part = np.asarray(picture[self._part], np.float64)
            if blur:
                part = np.asarray(cv2.GaussianBlur(part, (0, 0), blur), np.float64)
            lit = np.clip(part * light + rng.normal(0, grain, part.shape), 0, 255).astype(np.uint8)
            code = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
            seen[self._part] = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
            began = time.process_time_ns()
            looked = watch.read_next(seen, self._seen, everywhere, frame * FRAME_S)
            if looked:
                counts["looks"] += 1
                counts["us"] += (time.process_time_ns() - began) // 1000
            if watch.roll is not None or not watch.is_busy:
                break
        return watch.roll
