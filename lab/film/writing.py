"""Films a hand into two files: the video, and the truth about it as lines of JSON (the camera, the events,
the tiles on the table). Both are written whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import uuid4

import cv2
import msgspec
import numpy as np

from companion.errors import InputError, MissingError
from companion.files import restrict_to_owner, write_whole
from companion.images import Image
from companion.named_files import FULL, make_unusable
from companion.table.events import Event, GameStarted
from companion.table.state import HandState, State
from lab.film.customs import (
    HALF_MM,
    Places,
    Pose,
    choose_bodies,
    choose_customs,
    list_corners,
    make_matrix,
    place_camera,
)
from lab.film.filming import (
    CALM,
    MARGIN_PX,
    Disturbances,
    Filming,
    Scenery,
    WideLens,
    add_pumping,
    bump_once,
    choose_disturbances,
    choose_mean_slips,
    choose_slips,
    make_scenery,
    throw_dice,
)
from lab.film.hlg import mark_hlg
from lab.film.timeline import Slips, Timeline, follow, make_timeline
from lab.film.webcams import GOOD, choose_webcam
from lab.scenes.draw import STANDING_COSINE, find_shown, sort_far_to_near
from lab.scenes.geometry import Box, Camera, Floats, hide_quad, round_to_pixels
from lab.scenes.layouts import Part

Json = dict[str, Any]
VERSION = 1
SHORTEST_S = 0.15  # for which nothing moves, where the table's truth is stated


def describe_camera(camera: Camera) -> Json:
    """The camera's matrix and pose, and the corners of the playing surface in px: seat 0's left one, then
    counterclockwise."""
    return {
        "matrix": _round(make_matrix(camera), 3),
        "rotation": _round(camera.rotation, 6),
        "position_mm": _round(camera.position_mm, 2),
        "corners": _round(camera.project(list_corners(HALF_MM)), 2),
    }


def bend_truth(line: Json, lens: WideLens) -> Json:
    """A line, of pictures of a perfect lens, for those of this one."""
    if lens.k1 == 0:
        return line
    bent = dict(line)
    if "table" in line:
        bent["table"] = [
            {**tile, "quad": _round(lens.bend(np.array(tile["quad"])), 2)} for tile in line["table"]
        ]
    if "camera" in line:
        camera = line["camera"]
        bent["camera"] = {**camera, "corners": _round(lens.bend(np.array(camera["corners"])), 2)}
    return bent


def flip_truth(line: Json, width: int) -> Json:
    """A line, of pictures of that width in px, for those of a mirrored camera. Corners stay
    counterclockwise."""

    def flip(px: Sequence[tuple[float, float]]) -> list[list[float]]:
        return [[round(width - x, 2), y] for x, y in px]

    flipped = dict(line)
    if "table" in line:
        flipped["table"] = [{**tile, "quad": flip(tile["quad"])} for tile in line["table"]]
    if "camera" in line:
        a, b, c, d = flip(line["camera"]["corners"])
        flipped["camera"] = {**line["camera"], "corners": [b, a, d, c]}
    return flipped


def list_events(timeline: Timeline) -> Iterator[Json]:
    """A line for each event: when what it says was done, and how the table stands after it."""
    for mark in timeline.marks:
        hand = mark.deed.state.hand
        assert hand is not None
        yield {
            "t": round(mark.t, 3),
            "number": mark.deed.number,
            "event": msgspec.to_builtins(mark.deed.event),
            "left": hand.wall.live_left,
        }


def list_spans(timeline: Timeline, disturbances: Disturbances) -> list[tuple[float, float]]:
    """The spans, start and end in s, in which nothing moves and nothing is over the table."""
    return [
        (start, end)
        for start, end in timeline.find_still()
        if end - start >= SHORTEST_S
        and not disturbances.shakes(start, end)
        and not disturbances.leans_in(start, end)
    ]


def describe_table(
    timeline: Timeline,
    camera: Camera,
    size: tuple[int, int],
    before: Sequence[tuple[Image, Floats]],
    span: tuple[float, float],
) -> Json:
    """What lies on the table between these seconds: every face that the camera sees, with its code, its quad,
    whose it is and what it belongs to, and the share of it that is visible; and how many tiles the wall has.

    size: width and height of the picture, px; before: what stands before the tiles, as `Empty` has it.
    """
    start, end = span
    resting = timeline.find_resting(start)
    shown = find_faces(camera, timeline.place_boxes(start), size, before)
    wall = sum(each.part is Part.WALL for each in resting)
    tiles = [
        {
            "code": timeline.codes[tile],
            "quad": _round(quad, 2),
            "owner": resting[tile].seat,
            "zone": resting[tile].part.value,
            "visible": round(visible, 3),
            "standing": standing,
        }
        for tile, quad, visible, standing in shown
    ]
    state = next((mark.deed.state for mark in reversed(timeline.marks) if mark.t <= start), None)
    hand: HandState | None = state.hand if state is not None else None
    return {
        "t": round(start, 3),
        "until": round(end, 3),
        "wall": wall,
        "left": hand.wall.live_left if hand is not None else None,
        "table": tiles,
    }


def find_faces(
    camera: Camera, boxes: Sequence[Box], size: tuple[int, int], before: Sequence[tuple[Image, Floats]] = ()
) -> list[tuple[int, Floats, float, bool]]:
    """The faces turned to the camera: tile, quad (4, 2) px, the share that is seen, whether it stands."""
    width, height = size
    numbers = np.zeros((height, width), np.int32)
    faces = []
    shown = find_shown(camera, boxes, sort_far_to_near(camera, boxes))
    for index, sides in groupby(shown, key=lambda side: side.index):
        for side in sides:
            number = 0
            if side.name == "face":
                number = index + 1
                faces.append((index, side.quad, bool(abs(side.normal[2]) < STANDING_COSINE)))
            cv2.fillConvexPoly(numbers, round_to_pixels(side.quad), number)
    for picture, quad in before:
        hide_quad(numbers, picture, quad)
    seen = np.bincount(numbers.ravel(), minlength=len(boxes) + 1)
    found = []
    for tile, quad, stands in sorted(faces, key=lambda face: face[0]):
        area = max(1.0, float(cv2.contourArea(quad.astype(np.float32))))
        found.append((tile, quad, min(1.0, float(seen[tile + 1]) / area), stands))
    return found


def _round(values: Floats, digits: int) -> Any:
    return np.round(values, digits).tolist()


FORMAT = "mahjong-companion-film"
FRAMES_A_SECOND = 10
CODEC = "mp4v"  # which OpenCV's wheels write everywhere
CANNOT_WRITE = "The film '{file}' cannot be written: check its folder and the room on its disk."
FILM_THERE = "A film '{file}' exists already: choose another folder."


@dataclass(frozen=True, slots=True)
class Shooting:
    """How a hand is filmed: where the camera stands, width and height in px, how many times as quickly as
    usual people play, whether nothing disturbs them, by which seed, and how the lens bends straight lines, as
    `WideLens` has it; mean: whether people and camera are as careless and cheap as they are in life; bump_px:
    by how much the camera is bumped, once, in the middle of the film; 0 for as often as it happens."""

    pose: Pose = Pose.ABOVE
    size: tuple[int, int] = (1920, 1080)
    pace: float = 1.0
    calm: bool = False
    seed: int = 0
    k1: float = 0.0
    mean: bool = False
    bump_px: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A hand ready to be filmed, and all that is true of it."""

    timeline: Timeline
    scenery: Scenery
    filming: Filming
    disturbances: Disturbances
    truth: tuple[dict[str, Any], ...]


def prepare_film(start: GameStarted, steps: Sequence[tuple[Event, State]], shooting: Shooting) -> Film:
    """Everything about the film of a hand but its pictures; the same for the same hand and seed."""
    looks, places_rng, times, troubles, dice = (
        np.random.default_rng((shooting.seed, each)) for each in range(5)
    )
    state = steps[0][1]
    hand, house = state.hand, state.house
    assert hand is not None
    wall = hand.wall.rule
    bodies = choose_bodies(looks, hand.wall.stacks)
    customs = choose_customs(
        places_rng, start.rules, flowers=wall.tile_set.total > 136, public_kongs=house.policy.kongs.public,
        calm=shooting.calm,
    )  # fmt: skip
    a, b, c = (float(side) for side in bodies.size_mm)
    places = Places((a, b, c), hand.wall.stacks, sum(wall.deal), customs, int(places_rng.integers(2**31)))
    mean = np.random.default_rng((shooting.seed, 5)) if shooting.mean else None
    slips = Slips() if shooting.calm else choose_slips(troubles)
    if mean is not None:
        slips = choose_mean_slips(mean)
    timeline = make_timeline(follow(steps, places), (a, b, c), times, pace=shooting.pace, slips=slips)
    camera = place_camera(shooting.pose, looks, *shooting.size)
    disturbances = (
        CALM
        if shooting.calm
        else choose_disturbances(troubles, timeline.end_s, shooting.pace, camera.focal_px)
    )
    webcam = GOOD
    if mean is not None:
        disturbances = add_pumping(disturbances, mean, timeline.end_s)
        webcam = choose_webcam(mean)
    if shooting.bump_px:
        disturbances = bump_once(disturbances, timeline.end_s / 2, shooting.bump_px, camera.focal_px)
    scenery = make_scenery(looks, camera, bodies, *shooting.size, mean)
    throws = throw_dice(timeline, dice, shooting.pace)
    lens = WideLens(shooting.k1, camera.focal_px, *shooting.size)
    filming = Filming(timeline, scenery, disturbances, shooting.seed, lens, throws, webcam)
    truth = _tell(start, shooting, timeline, scenery, filming, disturbances)
    return Film(timeline, scenery, filming, disturbances, tuple(truth))


def write_film(
    film: Film, folder: Path, name: str, note: Callable[[float], None] = lambda t: None
) -> tuple[Path, Path]:
    """Write `name`.mp4 and `name`.jsonl into the folder, and give their paths. note: is called with how many
    seconds have been filmed.

    Raises InputError where one of them exists or cannot be written, MissingError where the disk is full.
    """
    video, truth = (folder / f"{name}{suffix}" for suffix in (".mp4", ".jsonl"))
    check_free(folder, name)
    partial = folder / f"{name}-{uuid4().hex}.partial.mp4"
    try:
        _write_video(film, partial, video, note)
        if film.filming.webcam.hlg:
            mark_hlg(partial)
        write_whole(truth, b"".join(json.dumps(line).encode() + b"\n" for line in film.truth))
        partial.replace(video)
    except OSError as error:
        raise make_unusable(video, error) from error
    finally:
        partial.unlink(missing_ok=True)
    return video, truth


def check_free(folder: Path, name: str) -> None:
    """Raise InputError where a film of that name lies in the folder."""
    for suffix in (".mp4", ".jsonl"):
        if (folder / f"{name}{suffix}").exists():
            raise InputError(FILM_THERE, file=folder / f"{name}{suffix}")


def count_frames(film: Film) -> int:
    """How many frames the film has."""
    return round(film.timeline.end_s * FRAMES_A_SECOND)


def _write_video(film: Film, path: Path, named: Path, note: Callable[[float], None]) -> None:
    """Raises InputError, which names the file that it will be."""
    frames = count_frames(film)
    first = film.filming.draw(0.0)
    height, width = first.shape[:2]
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*CODEC), FRAMES_A_SECOND, (width, height))
    try:
        if not video.isOpened():
            raise InputError(CANNOT_WRITE, file=named)
        restrict_to_owner(path)
        video.write(first)
        for frame in range(1, frames):
            video.write(film.filming.draw(frame / FRAMES_A_SECOND))
            note(frame / FRAMES_A_SECOND)
    finally:
        video.release()
    if _count_written(path) != frames:  # a full disk is not reported in any other way
        raise MissingError(FULL, file=named)


def _count_written(path: Path) -> int:
    written = cv2.VideoCapture(str(path))
    try:
        return int(written.get(cv2.CAP_PROP_FRAME_COUNT))
    finally:
        written.release()


def _tell(
    start: GameStarted,
    shooting: Shooting,
    timeline: Timeline,
    scenery: Scenery,
    filming: Filming,
    disturbances: Disturbances,
) -> list[dict[str, Any]]:
    """The lines of the truth: what the film is, then everything in the order of time."""
    width, height = shooting.size
    before = [(picture, quad - MARGIN_PX) for picture, quad in scenery.empty.before]
    lines: list[dict[str, Any]] = [*list_events(timeline)]
    for span in list_spans(timeline, disturbances):
        camera = filming.find_camera(span[0])
        lines.append(describe_table(timeline, camera, shooting.size, before, span))
    for bump in disturbances.bumps:
        lines.append({"t": round(bump.t, 3), "camera": describe_camera(filming.find_camera(bump.t))})
    lines.sort(key=lambda line: float(line["t"]))
    header = {
        "format": FORMAT,
        "version": VERSION,
        "rules": start.rules,
        "options": start.options,
        "dealer": start.dealer,
        "seed": shooting.seed,
        "frames_a_second": FRAMES_A_SECOND,
        "frames": round(timeline.end_s * FRAMES_A_SECOND),
        "width": width,
        "height": height,
        "pose": shooting.pose.value,
        "pace": shooting.pace,
        "calm": shooting.calm,
        "k1": shooting.k1,
        "mean": shooting.mean,
        "mirrored": filming.webcam.mirrored,
        "hlg": filming.webcam.hlg,
        "bottom": 0,
        "tile_mm": [round(side, 2) for side in timeline.size_mm],
        "table_mm": 2 * HALF_MM,
        "camera": describe_camera(filming.find_camera(0.0)),
    }
    bent = [bend_truth(line, filming.lens) for line in (header, *lines)]
    return [flip_truth(line, width) for line in bent] if filming.webcam.mirrored else bent
