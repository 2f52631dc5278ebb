"""A second renderer of hands, as plain as can be and independent of lab.film in how it looks:
flat textures on blocks, painted from far to near. What is followed well in our own films alone is not
followed well.

Only the played hand, and the format of the truth (docs/films.md), are shared with those films.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.coach.play.simulation import PlayedHand
from companion.images import Image
from companion.table.events import Claimed, Dealt, Discarded, HandStarted, Won
from lab.bench.plain_looks import Colour, Looks, choose_looks
from lab.bench.plain_places import Manner, PlainPlaces, choose_manner, is_away, make_customs
from lab.film.course import Course, follow
from lab.film.customs import HALF_MM
from lab.film.pose import Pose, map_pictures, turn_camera
from lab.film.timeline import Mark, Motion, Reach, Timeline
from lab.film.truth import VERSION, describe_camera, describe_table, list_events
from lab.scenes.contents import HIDDEN
from lab.scenes.draw import Shown, find_shown, sort_far_to_near
from lab.scenes.geometry import Box, Camera, Floats, round_to_pixels
from lab.scenes.seating import TOWARDS
from lab.scenes.tabletop import Resting
from lab.scenes.things import Rng

START_S, END_S = 2.5, 4.0
"""Before the first event, and after the last one."""
SHOULDER_MM = 700.0
"""From the middle of the table."""
ARM_MM = (22.0, 34.0)
"""Half as wide are hands, and sleeves."""
STILL_S = 0.15
"""Shorter moments in which nothing moves are not described."""
BITS = 4
"""Of a pixel, by which corners are drawn more exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainFilm:
    """A film that can be drawn, and the lines of its truth."""

    timeline: Timeline
    manner: Manner
    looks: Looks
    truth: tuple[dict[str, Any], ...]
    steps: tuple[tuple[float, float], ...]
    bumps: tuple[tuple[float, Camera], ...]


def prepare_plain(
    played: PlayedHand,
    pose: Pose,
    seed: int,
    *,
    pace: float = 2.0,
    faces: Path | None = None,
    edge: str | None = None,
) -> PlainFilm:
    """A played hand ready to be drawn; the same for the same hand and seed.

    pace: how many times as quickly as usual people play; faces: a folder of photographed ones, as
    `load_faces` takes them; edge: how the table ends, as for `choose_looks`.
    """
    rng = np.random.default_rng((seed, 77))
    state = played.steps[0].state
    assert state.hand is not None
    wall = state.hand.wall
    manner = choose_manner(rng, wall.stacks)
    looks = choose_looks(rng, pose, faces, edge)
    customs = make_customs(
        rng, manner, flowers=wall.rule.tile_set.total > 136, public_kongs=state.house.policy.kongs.public
    )
    places = PlainPlaces(manner.size_mm, wall.stacks, sum(wall.rule.deal), customs, seed, manner)
    course = follow([(step.event, step.state) for step in played.steps], places)
    timeline = spread_in_time(course, manner, looks.moves, pace, rng)
    steps = [(float(rng.uniform(0.2, 1) * timeline.end_s), float(rng.uniform(0.85, 1.2))) for _ in range(2)]
    bumps = [
        (float(rng.uniform(0.2, 1) * timeline.end_s), turn_camera(looks.camera, *rng.normal(0, 0.002, 3)))
        for _ in range(int(rng.choice([0, 0, 1])))
    ]
    truth = _tell(played, pose, seed, pace, timeline, looks, bumps)
    return PlainFilm(timeline, manner, looks, tuple(truth), tuple(sorted(steps)), tuple(bumps))


def spread_in_time(course: Course, manner: Manner, moves: str, pace: float, rng: Rng) -> Timeline:
    """The course of a hand in time: walls stand and hands are dealt when the film begins."""
    now = dict(enumerate(course.standing))
    standing = dict(now)
    motions: list[Motion] = []
    reaches: list[Reach] = []
    marks = []
    clock = START_S
    quick = float(rng.uniform(1.2, 2.6)) / pace
    for deed in course.deeds:
        moved = [laying for carry in deed.carries for laying in carry.tiles] + list(deed.tidied)
        if isinstance(deed.event, HandStarted | Dealt):
            now.update(moved)
            standing.update(moved)
            marks.append(Mark(clock, deed))
            continue
        if isinstance(deed.event, Claimed):
            clock += quick * float(rng.uniform(0.5, 1.6))
        elif isinstance(deed.event, Discarded):
            clock += quick * float(rng.choice([0.1, rng.uniform(0.5, 2.0), rng.uniform(0.5, 2.0)]))
        else:
            clock += quick * float(rng.uniform(0.3, 0.9))
        seat = deed.carries[0].seat if deed.carries else 0
        shown = [laying for laying in moved if now[laying[0]] != laying[1]]
        takes = (
            0.0
            if moves == "pop" or not deed.carries
            else quick * (0.9 if isinstance(deed.event, Won) else 0.45)
        )
        if moves == "arm" and takes:
            clock += _reach(reaches, clock, seat, [after for _, after in shown if not is_away(after)], takes)
        for tile, after in shown:
            before = now[tile]
            way = 0.0 if is_away(before) or is_away(after) else takes
            motions.append(Motion(tile, clock, clock + way, before, after, 12.0 if way else 0.0))
            now[tile] = after
        clock += takes
        marks.append(Mark(clock, deed))
    order = sorted(motions, key=lambda motion: motion.start_s)
    return Timeline(
        manner.size_mm, course.codes, tuple(standing[tile] for tile in sorted(standing)), tuple(order),
        tuple(reaches), tuple(marks), clock + END_S,
    )  # fmt: skip


def _reach(reaches: list[Reach], clock: float, seat: int, places: Sequence[Resting], takes: float) -> float:
    """Add an arm that reaches over the table to these places and back; returns how long it takes to come."""
    if not places:
        return 0.0
    x, y = np.mean([(place.x_mm, place.y_mm) for place in places], axis=0)
    away = np.array(TOWARDS[seat]) * (HALF_MM + 150)
    comes = 0.3
    reaches.append(Reach(seat, (
        (clock, *away.tolist(), 40.0), (clock + comes, float(x), float(y), 40.0),
        (clock + comes + takes, float(x), float(y), 40.0), (clock + 2 * comes + takes, *away.tolist(), 40.0),
    )))  # fmt: skip
    return comes


class PlainFilming:
    """Draws the moments of a film in their order."""

    def __init__(self, film: PlainFilm, seed: int) -> None:
        self._film = film
        self._still = film.looks.ground
        self._resting: list[Resting | None] = []
        height, width = self._still.shape[:2]
        rng = np.random.default_rng(seed)
        grain = film.looks.grain
        self._grain = (
            rng.normal(128.5, max(grain, 1e-3), (height + 64, width + 64, 1)).clip(0, 255).astype(np.uint8)
        )
        self._grain = _as_image(cv2.merge([self._grain] * 3))
        self._rng = rng

    def draw(self, t: float) -> Image:
        """The picture (H, W, 3) of that second."""
        film, looks = self._film, self._film.looks
        boxes = film.timeline.place_boxes(t)
        moving = {
            tile for tile in range(len(boxes))
            if (motion := film.timeline.find_motion(tile, t)) and t < motion.end_s
        }  # fmt: skip
        resting = [
            None if tile in moving else each for tile, each in enumerate(film.timeline.find_resting(t))
        ]
        if resting != self._resting:
            self._resting = resting
            self._still = looks.ground.copy()
            lying = [tile for tile, each in enumerate(resting) if each is not None and not is_away(each)]
            if looks.shadow:
                self._shade([boxes[tile] for tile in lying])
            self._paint(self._still, lying, boxes)
        image = self._still
        reaches = film.timeline.find_reaches(t)
        if moving or reaches:
            image = image.copy()
            self._paint(image, sorted(moving), boxes)
            for reach in reaches:
                self._paint_arm(image, reach.find_hand(t), reach.seat)
        return self._expose(image, t)

    def _shade(self, boxes: Sequence[Box]) -> None:
        height, width = self._still.shape[:2]
        mask = np.zeros((height // 2, width // 2), np.uint8)
        for box in boxes:
            feet = box.corners()
            feet[:, :2] += feet[:, 2:] * [0.25, 0.2]
            feet[:, 2] = 0
            points = self._film.looks.camera.project(feet) / 2
            if np.isfinite(points).all():
                hull = cv2.convexHull(points.astype(np.float32))[:, 0]
                cv2.fillConvexPoly(mask, round_to_pixels(hull), 255)
        dark = cv2.resize(cv2.blur(mask, (5, 5)), (width, height))
        share = 255 - cv2.convertScaleAbs(dark, alpha=self._film.looks.shadow)
        self._still = _as_image(cv2.multiply(self._still, cv2.merge([share] * 3), scale=1 / 255))

    def _paint(self, image: Image, tiles: Sequence[int], boxes: Sequence[Box]) -> None:
        chosen = [boxes[tile] for tile in tiles]
        for side in find_shown(
            self._film.looks.camera, chosen, sort_far_to_near(self._film.looks.camera, chosen)
        ):
            self._paint_side(image, side, self._film.timeline.codes[tiles[side.index]])

    def _paint_side(self, image: Image, side: Shown, code: str) -> None:
        looks = self._film.looks
        bright = 0.72 + 0.28 * max(0.0, float(side.normal[2])) + 0.08 * float(side.normal[0])
        standing = abs(side.normal[2]) < 0.7
        if side.name == "face" and code != HIDDEN and not (standing and self._film.manner.hands == "blocks"):
            _warp_face(image, looks.faces[code], side.quad, bright)
            return
        if side.name in ("face", "back"):
            _fill(image, side.quad, looks.front if side.name == "face" else looks.rear, bright)
            return
        _fill(image, side.quad, looks.front, bright)
        if looks.split:
            _fill(image, _cut_rear(side.quad, looks.split), looks.rear, bright)

    def _paint_arm(self, image: Image, hand: Floats, seat: int) -> None:
        looks = self._film.looks
        shoulder = np.array([*(np.array(TOWARDS[seat]) * SHOULDER_MM), 120.0])
        points = looks.camera.project(np.stack([hand, hand + (shoulder - hand) * 0.3, shoulder]))
        if not np.isfinite(points).all():
            return
        px = looks.camera.focal_px / float(np.linalg.norm(looks.camera.position_mm - hand))
        tip, wrist, end = (tuple(point) for point in round_to_pixels(points.clip(-4000, 6000)).tolist())
        cv2.line(image, wrist, end, looks.sleeve, max(1, round(2 * ARM_MM[1] * px)), cv2.LINE_AA)
        cv2.line(image, tip, wrist, looks.arm, max(1, round(2 * ARM_MM[0] * px)), cv2.LINE_AA)

    def _expose(self, image: Image, t: float) -> Image:
        looks = self._film.looks
        for since, camera in self._film.bumps:
            if t >= since:
                seen = map_pictures(looks.camera, camera)
                size = (image.shape[1], image.shape[0])
                image = _as_image(cv2.warpPerspective(image, seen, size, borderMode=cv2.BORDER_REFLECT))
        light = next((light for since, light in reversed(self._film.steps) if t >= since), 1.0)
        if light != 1.0:
            image = _as_image(cv2.convertScaleAbs(image, alpha=light))
        if looks.blur:
            image = _as_image(cv2.GaussianBlur(image, (0, 0), looks.blur))
        if looks.grain:
            x, y = (int(shift) for shift in self._rng.integers(0, 64, 2))
            part = self._grain[y : y + image.shape[0], x : x + image.shape[1]]
            image = _as_image(cv2.addWeighted(image, 1, part, 1, -128))
        return image


def write_plain(film: PlainFilm, folder: Path, name: str) -> tuple[Path, Path]:
    """Write `name`.mp4 and `name`.jsonl into the folder, and give their paths."""
    video, truth = (folder / f"{name}{suffix}" for suffix in (".mp4", ".jsonl"))
    header = film.truth[0]
    filming = PlainFilming(film, header["seed"])
    rate = film.looks.frames_a_second
    size = (header["width"], header["height"])
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
    for frame in range(header["frames"]):
        writer.write(filming.draw(frame / rate))
    writer.release()
    truth.write_text("".join(json.dumps(line) + "\n" for line in film.truth), encoding="utf-8")
    return video, truth


def _as_image(picture: Any) -> Image:
    """What OpenCV made of a picture, which is one of bytes again."""
    return np.ascontiguousarray(picture, np.uint8)


def _warp_face(image: Image, face: Image, quad: Floats, bright: float) -> None:
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [width, height])
    if x1 <= x0 or y1 <= y0:
        return
    times = 1.4 * float(np.linalg.norm(quad[0] - quad[3])) / face.shape[0]
    if times < 0.8:
        smaller = [max(2, round(side * times)) for side in face.shape[1::-1]]
        face = _as_image(cv2.resize(face, smaller, interpolation=cv2.INTER_AREA))
    rows, columns = face.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    local = (quad - [x0, y0]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, local - 0.5)
    size = (int(x1 - x0), int(y1 - y0))
    seen = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, round_to_pixels(local * (1 << BITS)), 255, cv2.LINE_AA, BITS)
    share = mask[..., None].astype(np.float32) / 255
    region = image[y0:y1, x0:x1]
    region[:] = region * (1 - share) + seen * (share * bright)


def _fill(image: Image, quad: Floats, colour: Colour, bright: float) -> None:
    points = round_to_pixels(quad * (1 << BITS))
    cv2.fillConvexPoly(image, points, [min(255.0, c * bright) for c in colour], cv2.LINE_AA, BITS)


def _cut_rear(quad: Floats, share: float) -> Floats:
    """The part of a side, px, that is of the back's colour: its first two corners are at the back."""
    a, b, c, d = quad
    return np.stack([a, b, b + (c - b) * share, a + (d - a) * share])


def _tell(
    played: PlayedHand, pose: Pose, seed: int, pace: float, timeline: Timeline, looks: Looks,
    bumps: Sequence[tuple[float, Camera]],
) -> list[dict[str, Any]]:  # fmt: skip
    """The lines of the truth."""
    height, width = looks.ground.shape[:2]
    lines: list[dict[str, Any]] = list(list_events(timeline))
    for start, end in timeline.find_still():
        if end - start >= STILL_S:
            camera = next((each for t, each in reversed(bumps) if t <= start), looks.camera)
            lines.append(describe_table(timeline, camera, (width, height), (), (start, end)))
    lines += [{"t": round(t, 3), "camera": describe_camera(camera)} for t, camera in bumps]
    lines.sort(key=lambda line: float(line["t"]))
    header = {
        "format": "mahjong-companion-film", "version": VERSION, "rules": played.start.rules,
        "options": played.start.options, "dealer": played.start.dealer, "seed": seed,
        "frames_a_second": looks.frames_a_second, "frames": round(timeline.end_s * looks.frames_a_second),
        "width": width, "height": height, "pose": pose.value, "pace": pace, "calm": False, "bottom": 0,
        "tile_mm": [round(side, 2) for side in timeline.size_mm], "table_mm": 2 * HALF_MM,
        "camera": describe_camera(looks.camera),
    }  # fmt: skip
    return [header, *lines]
