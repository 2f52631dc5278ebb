"""Filmed hands as a camera that makes no mistake sees them: which tile lies where, from when to when, as
places that are reckoned back from the film's pictures.

Times are seconds, places mm, as in companion.seeing.sights.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, hypot
from typing import Any

import numpy as np

from companion.coach.play.simulation import PlayedHand
from companion.seeing.sights import Box
from companion.seeing.table_camera import TableCamera
from companion.tiles import BACK
from lab.bench.laid_hands import FOREVER, Arm, LaidHand, Lying
from lab.film.people import find_shoulder
from lab.film.pose import Pose as CameraPose
from lab.film.timeline import Reach
from lab.film.writing import Film, Shooting, prepare_film
from lab.scenes.geometry import Camera, Floats
from lab.scenes.tabletop import Part, Pose, Resting, place_tile

SAME_MM = 14.0
"""A tile that is moved no farther is followed on its way: it was only nudged."""
VISIBLE_FROM = 0.5
"""Share of a face that must be seen."""
UNDER_MM = 12.0
ARM_EVERY_S, ARM_HALF_MM = 0.25, 45.0
ARM_SHARES = tuple(k / 9 for k in range(10))
PX = (1920, 1080)


@dataclass(frozen=True, slots=True)
class _Rest:
    """One tile at one place from a second to another one."""

    tile: int
    since: float
    until: float
    resting: Resting


def film_hand(played: PlayedHand, pose: CameraPose, seed: int, pace: float = 1.0) -> Film:
    """The film of a hand, of which no picture is drawn."""
    shooting = Shooting(pose=pose, size=PX, pace=pace, seed=seed)
    return prepare_film(played.start, [(step.event, step.state) for step in played.steps], shooting)


def lay_filmed_hand(film: Film, rng: random.Random) -> LaidHand:
    """What lies on the film's table from its first second on; when it is over, the table is swept."""
    header = film.truth[0]
    see = _Seeing(film, TableCamera.from_corners(np.array(header["camera"]["corners"]), *PX))
    size_mm = film.timeline.size_mm
    ends = film.timeline.end_s
    laid = LaidHand(tile_mm=(size_mm[0], size_mm[1]))
    spans = [line for line in film.truth if "table" in line]
    rests = list(_list_rests(film))
    for number, rest in enumerate(rests):
        lying = see.find_lying(rest)
        if lying is None:
            continue
        lying.identity = _find_identity(rests, number)
        lying.hidden = tuple(_find_hidden(rest, lying, rests, spans, film))
        if rest.until == FOREVER:
            lying.until = ends + 3.0 + rng.uniform(0.0, 1.0)
        laid.lying.append(lying)
    laid.arms = [arm for reach in film.timeline.reaches for arm in see.cover(reach)]
    laid.blind = [(lean.t, lean.t + lean.long_s) for lean in film.disturbances.leans]
    laid.blind += [(bump.t, bump.t + 0.7) for bump in film.disturbances.bumps]
    laid.ends = ends + 10.0
    return laid


@dataclass(frozen=True, eq=False)
class _Seeing:
    """A film, and the camera that the table's corners in its first picture say it has."""

    film: Film
    camera: TableCamera

    def find_lying(self, rest: _Rest) -> Lying | None:
        """The tile as it lies on the table; None for those that stand."""
        resting, size = rest.resting, np.array(self.film.timeline.size_mm)
        if resting.pose not in (Pose.FACE_UP, Pose.FACE_DOWN):
            return None
        up = resting.pose is Pose.FACE_UP
        box = place_tile(resting, size).box
        filmed = self.film.filming.find_camera(0.0)
        quad = self.camera.lift(filmed.project(box.side("face" if up else "back")), float(size[2]))
        x, y = quad.mean(axis=0)
        right = quad[1] - quad[0] + quad[2] - quad[3]
        code = self.film.timeline.codes[rest.tile] if up else BACK
        return Lying(
            code, float(x), float(y), atan2(float(right[1]), float(right[0])), rest.since, rest.until,
        )  # fmt: skip

    def cover(self, reach: Reach) -> Iterator[Arm]:
        """What of the table an arm hides while it reaches over it."""
        filmed = self.film.filming.find_camera(0.0)
        t = reach.start_s
        while t < reach.end_s:
            hand = reach.find_hand(t + ARM_EVERY_S / 2)
            hidden = _hide_by_arm(filmed, self.camera, hand, find_shoulder(reach.seat, hand))
            yield Arm(t, min(t + ARM_EVERY_S, reach.end_s), tuple(hidden))
            t += ARM_EVERY_S


def _hide_by_arm(filmed: Camera, camera: TableCamera, hand: Floats, shoulder: Floats) -> Iterator[Box]:
    """Boxes round the places on the table that are behind an arm."""
    points = np.array([hand + (shoulder - hand) * share for share in ARM_SHARES])
    for x, y in camera.lift(filmed.project(points)):
        if np.isfinite(x + y) and max(abs(x), abs(y)) < 460.0:
            yield Box(x - ARM_HALF_MM, y - ARM_HALF_MM, x + ARM_HALF_MM, y + ARM_HALF_MM)


def _list_rests(film: Film) -> Iterator[_Rest]:
    """Every time that a tile rests, tile by tile."""
    timeline = film.timeline
    for tile, first in enumerate(timeline.standing):
        since, resting = 0.0, first
        for motion in (each for each in timeline.motions if each.tile == tile):
            yield _Rest(tile, since, motion.start_s, resting)
            since, resting = motion.end_s, motion.after
        yield _Rest(tile, since, FOREVER, resting)


def _find_identity(rests: Sequence[_Rest], number: int) -> int:
    """The number of the rest with which the tile came to where it is, but for nudges."""
    while number > 0:
        here, before = rests[number], rests[number - 1]
        a, b = here.resting, before.resting
        moved = hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
        if here.tile != before.tile or a.pose is not b.pose or moved > SAME_MM:
            break
        number -= 1
    return number


def _find_hidden(
    rest: _Rest, lying: Lying, rests: Sequence[_Rest], spans: Sequence[Mapping[str, Any]], film: Film
) -> Iterator[tuple[float, float]]:
    """From when to when something that lies or stands on the table hides the tile."""
    if lying.code == BACK:
        if rest.resting.layer == 0 and rest.resting.part is Part.WALL:
            yield from _find_upper(rest, rests)
        return
    starts = [float(span["t"]) for span in spans]
    at = bisect_left(starts, rest.since - 0.01)
    while at < len(spans) and starts[at] < rest.until:
        shown = [tile for tile in spans[at]["table"] if tile["code"] == lying.code]
        camera = film.filming.find_camera(starts[at])
        box = place_tile(rest.resting, np.array(film.timeline.size_mm)).box
        middle = camera.project(box.side("face")).mean(axis=0)
        mine = [tile for tile in shown if float(np.abs(np.mean(tile["quad"], axis=0) - middle).max()) < 2.0]
        if not mine or mine[0]["visible"] < VISIBLE_FROM:
            since = float(spans[at - 1]["until"]) if at else 0.0
            yield since, starts[at + 1] if at + 1 < len(starts) else FOREVER
        at += 1


def _find_upper(rest: _Rest, rests: Sequence[_Rest]) -> Iterator[tuple[float, float]]:
    """From when to when another tile of the wall lies upon this one."""
    for other in rests:
        above = other.resting
        if (
            above.layer == 1
            and above.part is Part.WALL
            and (
                abs(above.x_mm - rest.resting.x_mm) < UNDER_MM
                and abs(above.y_mm - rest.resting.y_mm) < UNDER_MM
            )
        ):
            yield other.since, other.until
