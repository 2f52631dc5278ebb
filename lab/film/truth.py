"""The truth about a film, line by line as JSON values: the camera, the events, and what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.images import Image
from companion.table.state import HandState
from lab.film.customs import HALF_MM
from lab.film.disturbances import Disturbances
from lab.film.pose import list_corners, make_matrix
from lab.film.timeline import Timeline
from lab.film.wide_lens import WideLens
from lab.scenes.draw import STANDING_COSINE, find_shown, sort_far_to_near
from lab.scenes.geometry import Box, Camera, Floats, round_to_pixels
from lab.scenes.paint import hide_quad
from lab.scenes.tabletop import Part

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
