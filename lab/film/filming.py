"""One moment of a hand as the camera shows it: what lies, what moves over it, what the camera does to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.images import Image
from lab.film.customs import HALF_MM
from lab.film.disturbances import READOUT_S, SHUTTER_S, Disturbances
from lab.film.people import (
    SMEAR_PX,
    Person,
    Stroke,
    find_ground,
    find_shoulder,
    is_clear,
    make_person,
    paint_strokes,
    place_body,
    place_head,
)
from lab.film.pose import map_pictures, turn_camera, widen
from lab.film.still import Still
from lab.film.throws import Throw, find_thrown
from lab.film.timeline import Timeline
from lab.film.wide_lens import WideLens
from lab.scenes.club import Empty, Setting, draw_empty, make_random_setting
from lab.scenes.geometry import Camera, Floats
from lab.scenes.things import Rng
from lab.scenes.tileset import TileBodies
from lab.scenes.vessels import place_random_vessels

MARGIN_PX = 32  # drawn round the picture, for when the camera is bumped
GRAINS = 4
MOST_MOMENTS = 9  # that what moves is drawn at while the shutter is open


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """All that stays while a hand is played: the table without tiles, the tiles' bodies, the camera of a
    picture with its margin, and who sits at each seat."""

    setting: Setting
    empty: Empty
    bodies: TileBodies
    camera: Camera
    people: tuple[Person, ...]


def make_scenery(rng: Rng, camera: Camera, bodies: TileBodies, width: int, height: int) -> Scenery:
    """A random table of the size that a film's table has, before this camera."""
    wide, high = width + 2 * MARGIN_PX, height + 2 * MARGIN_PX
    camera = widen(camera, MARGIN_PX)
    setting = make_random_setting(rng, HALF_MM, 0.0, wide, high)
    setting = replace(
        setting,
        table=replace(setting.table, rim_mm=max(30.0, setting.table.rim_mm)),
        things=(),
        vessels=place_random_vessels(rng, 1.13 * HALF_MM),
    )
    scale = camera.focal_px / float(np.linalg.norm(camera.position_mm))
    people = tuple(make_person(rng, scale) for _ in range(4))
    bodies_seen = [place_body(person, seat) for seat, person in enumerate(people)]
    paint_strokes(setting.room, camera, [[body for body in bodies_seen if is_clear(body, camera)]], None)
    return Scenery(setting, draw_empty(setting, camera), bodies, camera, people)


class Filming:
    """The film of a timeline. It is quickest where each moment asked for is soon after the one before."""

    def __init__(
        self,
        timeline: Timeline,
        scenery: Scenery,
        disturbances: Disturbances,
        seed: int,
        lens: WideLens,
        throws: tuple[Throw, ...] = (),
    ) -> None:
        self.lens = lens
        self._timeline = timeline
        self._throws = throws
        self._scenery = scenery
        self._disturbances = disturbances
        self._seed = seed
        self._still = Still(scenery.empty, scenery.setting, scenery.camera, scenery.bodies, timeline.codes)
        height, width = self._still.image.shape[:2]
        lamp = np.array(scenery.setting.light.direction)
        self._ground = find_ground(scenery.camera, lamp, width, height)
        self._size = (width - 2 * MARGIN_PX, height - 2 * MARGIN_PX)
        self._grains = _make_grains(seed, self._size, disturbances.noise)
        self._falls = _make_falls(self._size, disturbances.fall)

    def find_camera(self, t: float) -> Camera:
        """The camera as it stands at that second, its trembling and its lens left out."""
        camera = turn_camera(self._scenery.camera, *self._disturbances.find_turn(t))
        return widen(camera, -MARGIN_PX)

    def draw(self, t: float) -> Image:
        """The picture (H, W, 3) that is taken at that second."""
        self._still.show(self._timeline.place_boxes(t), find_thrown(self._throws, t))
        image = self._still.image
        strokes = self._list_moments(t)
        if strokes[0]:
            image = image.copy()
            paint_strokes(image, self._scenery.camera, strokes, self._ground)
        return self._expose(self.lens.bend_picture(self._turn(image, t)), t)

    def _list_moments(self, t: float) -> list[list[Stroke]]:
        """What is over the table while the shutter is open, the same things at each moment."""
        first, last = self._list_strokes(t, 0.0), self._list_strokes(t, SHUTTER_S)
        if not self._disturbances.moving or not first:
            return [first]
        camera = self._scenery.camera
        far_mm = max(float(np.linalg.norm(a.tip_mm - b.tip_mm)) for a, b in zip(first, last, strict=True))
        far = far_mm * camera.focal_px / float(np.linalg.norm(camera.position_mm))
        count = min(MOST_MOMENTS, 1 + round(far / SMEAR_PX))
        return [first, *(self._list_strokes(t, SHUTTER_S * step / count) for step in range(1, count))]

    def _list_strokes(self, t: float, after_s: float) -> list[Stroke]:
        """What is over the table at that second as it is so much later, from far to near."""
        strokes = []
        camera, people = self._scenery.camera, self._scenery.people
        for reach in self._timeline.find_reaches(t):
            now = reach.find_hand(t)
            hand = reach.find_hand(self._delay(now, t + after_s))
            stroke = Stroke(people[reach.seat].arm, hand, find_shoulder(reach.seat, hand))
            strokes.append((float(np.linalg.norm(now - camera.position_mm)), stroke))
        for seat, person in enumerate(people):
            head = place_head(person, seat, *self._disturbances.find_lean(seat, t + after_s))
            sitting = place_head(person, seat)
            if is_clear(sitting, camera):
                strokes.append((float(np.linalg.norm(sitting.tip_mm - camera.position_mm)), head))
        return [stroke for _, stroke in sorted(strokes, key=lambda each: -each[0])]

    def _delay(self, point_mm: Floats, t: float) -> float:
        """When the line of the picture in which a point is seen is taken."""
        if not self._disturbances.moving:
            return t
        y = float(self._scenery.camera.project(point_mm[None])[0, 1])
        share = y / self._still.image.shape[0] if np.isfinite(y) else 0.0
        return t + READOUT_S * min(max(share, 0.0), 1.0)

    def _turn(self, image: Image, t: float) -> Image:
        """The picture of the camera as it was bumped, without the margin."""
        width, height = self._size
        turned = self._disturbances.find_turn(t)
        if any(turned):
            seen = map_pictures(self._scenery.camera, self.find_camera(t))
            image = np.asarray(
                cv2.warpPerspective(image, seen, self._size, borderMode=cv2.BORDER_REFLECT), np.uint8
            )
        else:
            image = image[MARGIN_PX : MARGIN_PX + height, MARGIN_PX : MARGIN_PX + width]
        if not self._disturbances.shakes(t, t + READOUT_S):
            return image
        lines = [self._disturbances.find_shake(t + READOUT_S * line / height) for line in range(height)]
        shifts = np.array(lines, np.float32)
        x = np.arange(width, dtype=np.float32)[None] + shifts[:, :1]
        y = np.arange(height, dtype=np.float32)[:, None] + shifts[:, 1:]
        return np.asarray(
            cv2.remap(
                image, x, np.ascontiguousarray(np.broadcast_to(y, x.shape)), cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REFLECT,
            ), np.uint8,
        )  # fmt: skip

    def _expose(self, image: Image, t: float) -> Image:
        """Focus, light, darker corners and grain."""
        blur, light = self._disturbances.find_blur(t), self._disturbances.find_light(t)
        if blur > 0.3:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
        if np.any(np.abs(light - 1) > 1e-3):
            levels = np.clip(np.arange(256)[:, None] * light, 0, 255).astype(np.uint8)
            image = np.asarray(cv2.LUT(image, levels[None]), np.uint8)
        if self._falls is not None:
            image = np.asarray(cv2.multiply(image, self._falls, scale=1 / 255), np.uint8)
        if self._grains:
            rng = np.random.default_rng((self._seed, round(t * 1000)))
            grain = self._grains[int(rng.integers(len(self._grains)))]
            x, y = (int(shift) for shift in rng.integers(0, 2 * MARGIN_PX, 2))
            part = grain[y : y + image.shape[0], x : x + image.shape[1]]
            image = np.asarray(cv2.addWeighted(image, 1, part, 1, -128), np.uint8)
        return np.ascontiguousarray(image)


def _make_grains(seed: int, size: tuple[int, int], noise: float) -> list[Image]:
    """Pictures of a sensor's grain about 128, larger than a frame; none where there is no noise."""
    if noise <= 0:
        return []
    width, height = size[0] + 2 * MARGIN_PX, size[1] + 2 * MARGIN_PX
    rng = np.random.default_rng((seed, 1))
    grains = []
    for _ in range(GRAINS):
        fine = rng.standard_normal((height, width), np.float32)
        coarse = cv2.resize(rng.standard_normal((height // 4, width // 4, 3), np.float32), (width, height))
        both = (cv2.merge([fine] * 3) + 0.7 * coarse) * np.float32(noise) + np.float32(128.5)
        grains.append(np.clip(both, 0, 255).astype(np.uint8))
    return grains


def _make_falls(size: tuple[int, int], fall: float) -> Image | None:
    """How bright each part of a frame is, 255 in the middle; None where all are alike."""
    if fall <= 0:
        return None
    y, x = np.mgrid[-1:1:33j, -1:1:33j]
    level = cv2.resize((255 * (1 - fall * (x * x + y * y) / 2)).astype(np.uint8), size)
    return np.asarray(cv2.merge([level] * 3), np.uint8)
