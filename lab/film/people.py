"""Arms that reach over the table and heads that lean in, with their shadows: pictures drawn once and laid
where they are at a moment. What moves while the shutter is open is smeared along its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.film.customs import HALF_MM
from lab.film.pose import list_corners
from lab.scenes.arms import SKIN, draw_arm
from lab.scenes.furniture import choose_muted_colour
from lab.scenes.geometry import Camera, Floats, rotation_z
from lab.scenes.paint import fill_flat, project_outline
from lab.scenes.tabletop import QUARTER
from lab.scenes.things import Colour, Rng, choose_dark_colour

ARM_MM = (260.0, 1100.0)  # width and length of an arm's picture
ARM_TIP_MM = 60.0  # from its upper end to what the hand holds
HEAD_MM = (520.0, 560.0)
HEAD_TIP_MM = 150.0
BODY_MM = (520.0, 900.0)
BODY_TIP_MM = 60.0
SOFT_MM = 7.0  # how far people are out of focus
SIT_MM = 270.0  # how far people sit from the table's edge
HEAD_UP_MM = 420.0  # how high over the table their heads are
LEANING_UP_MM = 380.0
CLEAR_MM = 520.0  # around a camera, where nobody's head is
SHADE = 0.38  # darkness of a shadow
LOW_LAMP = 0.7  # height of the lamp as far as shadows of people go: a room has more than one
SHADED_MM = 120.0  # from the table's edge, where something casts a shadow on the table
NEAR_SCALE = 2.2  # most that the nearer end of an arm is larger than its hand
SMEAR_PX = 3.0  # from one picture of something that moves to the next


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A premultiplied BGRA picture, `scale` px per mm, and its shadow; tip_mm: from its upper end to the
    point that is laid somewhere."""

    picture: Image
    shadow: Image
    scale: float
    tip_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """A sprite between two points (3,) mm: its tip and, towards its lower end, another one."""

    sprite: Sprite
    tip_mm: Floats
    end_mm: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Person:
    """Somebody who plays: an arm, a head with shoulders, and the body below."""

    arm: Sprite
    head: Sprite
    body: Sprite


def make_person(rng: Rng, scale: float) -> Person:
    """Somebody; scale: px per mm."""
    cloth = choose_muted_colour(rng, 20, 200)
    return Person(_make_arm(rng, 1.4 * scale, cloth), _make_head(rng, scale, cloth), _make_body(scale, cloth))


def _make_arm(rng: Rng, scale: float, cloth: Colour) -> Sprite:
    width, height = (round(side * scale) for side in ARM_MM)
    tip = np.array([width / 2, ARM_TIP_MM * scale])
    elbow = np.array([width / 2, height + 90 * scale])
    return _make_sprite(draw_arm(rng, tip, elbow, scale, height, width, cloth), scale, ARM_TIP_MM)


def _make_head(rng: Rng, scale: float, cloth: Colour) -> Sprite:
    """A head, its hair towards the table, over shoulders."""
    width, height = (round(side * scale) for side in HEAD_MM)
    head = np.zeros((height, width, 4), np.uint8)
    skin = tuple(float(c) for c in SKIN[int(rng.integers(len(SKIN)))])
    hair = choose_dark_colour(rng)
    for away, across, along, colour in (
        (340, 225, 120, cloth), (235, 55, 90, skin), (150, 80, 105, skin), (128, 86, 100, hair)
    ):  # fmt: skip
        axes = (round(across * scale), round(along * scale))
        cv2.ellipse(head, (width // 2, round(away * scale)), axes, 0, 0, 360, (*colour, 255), -1, cv2.LINE_AA)
    return _make_sprite(_soften(head, scale), scale, HEAD_TIP_MM)


def _make_body(scale: float, cloth: Colour) -> Sprite:
    """What is below the shoulders."""
    width, height = (round(side * scale) for side in BODY_MM)
    body = np.zeros((height, width, 4), np.uint8)
    middle, reach, top = width // 2, round(215 * scale), round(150 * scale)
    cv2.ellipse(body, (middle, top), (reach, round(110 * scale)), 0, 0, 360, (*cloth, 255), -1, cv2.LINE_AA)
    cv2.rectangle(body, (middle - reach, top), (middle + reach, height), (*cloth, 255), -1)
    return _make_sprite(_soften(body, scale), scale, BODY_TIP_MM)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What shadows fall on: the direction (3,) towards the lamp, and where the table is, (H, W) 0..255."""

    lamp: Floats
    cover: NDArray[np.uint8]


def find_ground(camera: Camera, lamp: Floats, width: int, height: int) -> Ground:
    """The table as a camera sees it in this light."""
    cover = np.zeros((height, width), np.uint8)
    fill_flat(cover, camera, list_corners(HALF_MM), (255,))
    return Ground(lamp, cover)


def find_shoulder(seat: int, hand: Floats) -> Floats:
    """The other end of an arm whose hand is there, (3,) mm."""
    along = float((rotation_z(-seat * QUARTER) @ hand)[0])
    right = 170.0 if along > -60 else -170.0
    shoulder: Floats = rotation_z(seat * QUARTER) @ np.array([right, -HALF_MM - SIT_MM - 40, 250.0])
    return shoulder


def place_head(person: Person, seat: int, along_mm: float = 0.0, in_mm: float = 0.0) -> Stroke:
    """A head over a seat; along_mm: right of its middle, in_mm: from where it is when its owner sits up."""
    side = rotation_z(seat * QUARTER)
    share = min(1.0, in_mm / SIT_MM)
    up = HEAD_UP_MM + (LEANING_UP_MM - HEAD_UP_MM) * share
    head = side @ np.array([along_mm, -HALF_MM - SIT_MM + in_mm, up])
    return Stroke(person.head, head, head + side @ np.array([0.0, -150.0 - 300.0 * share, -420.0]))


def place_body(person: Person, seat: int) -> Stroke:
    """The body of somebody who sits there."""
    side = rotation_z(seat * QUARTER)
    top = np.array([0.0, -HALF_MM - SIT_MM - 60, HEAD_UP_MM - 190])
    return Stroke(person.body, side @ top, side @ (top - [0.0, 0.0, 900.0]))


def is_clear(stroke: Stroke, camera: Camera) -> bool:
    """Whether something is not where the camera stands, nor behind it."""
    away = stroke.tip_mm - camera.position_mm
    return bool(np.linalg.norm(away) > CLEAR_MM and away @ camera.rotation[2] > CLEAR_MM / 2)


def paint_strokes(
    image: Image, camera: Camera, moments: Sequence[Sequence[Stroke]], ground: Ground | None
) -> None:
    """Paints strokes as a shutter sees them that is open from the first to the last of these moments.

    Each moment has the same strokes, from far to near. ground: what they cast shadows on, if on anything.
    """
    for strokes in zip(*moments, strict=True):
        same = strokes[:1] if np.array_equal(strokes[0].tip_mm, strokes[-1].tip_mm) else strokes
        if ground is not None and np.abs(same[0].tip_mm[:2]).max() < HALF_MM + SHADED_MM:
            shadows = [_find_quad(image, camera, stroke, ground.lamp) for stroke in same]
            _paint(image, [stroke.sprite.shadow for stroke in same], shadows, ground.cover)
        bodies = [_find_quad(image, camera, stroke, None) for stroke in same]
        _paint(image, [stroke.sprite.picture for stroke in same], bodies)


def _soften(picture: Image, scale: float) -> Image:
    """A flat picture with light from above and soft rims."""
    light = np.linspace(1.15, 0.75, len(picture))[:, None, None]
    picture[:, :, :3] = np.clip(picture[:, :, :3] * light, 0, 255)
    alpha = cv2.GaussianBlur(picture[:, :, 3], (0, 0), max(0.8, SOFT_MM * scale))
    colour = cv2.GaussianBlur(picture[:, :, :3] * (picture[:, :, 3:] > 0), (0, 0), max(0.8, SOFT_MM * scale))
    share = np.maximum(1, alpha.astype(np.float32))[:, :, None] / 255
    return np.dstack([np.clip(colour / share, 0, 255), alpha]).astype(np.uint8)


def _make_sprite(picture: Image, scale: float, tip_mm: float) -> Sprite:
    alpha = picture[:, :, 3:].astype(np.float32) / 255
    own = picture.copy()
    own[:, :, :3] = picture[:, :, :3] * alpha
    shadow = np.zeros_like(picture)
    soft = cv2.GaussianBlur(picture[:, :, 3], (0, 0), max(1.0, 9 * scale))
    shadow[:, :, 3] = soft * SHADE
    return Sprite(own, shadow, scale, tip_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """The quad (4, 2) px of the upper `rows` of a sprite."""

    quad: Floats
    rows: int


def _find_quad(image: Image, camera: Camera, stroke: Stroke, lamp: Floats | None) -> _Laid | None:
    """Where a sprite is seen; lamp: where its shadow on the table is, in the light from there."""
    tip, end = stroke.tip_mm, stroke.end_mm
    if lamp is not None:
        cast = lamp / max(float(lamp[2]), LOW_LAMP)
        tip, end = tip - cast * tip[2], end - cast * end[2]
    line = project_outline(camera, np.stack([tip, end, end + np.array([1.0, 1.0, 0.5])]))
    seen = camera.project(tip[None])[0]
    if not len(line) or not np.all(np.isfinite(seen)):
        return None
    far = line[int(np.argmax(np.linalg.norm(line - seen, axis=1)))]
    way = far - seen
    long = float(np.linalg.norm(way))
    if long < 1:
        return None
    way = way / long
    aside = np.array([way[1], -way[0]])
    near_scale = camera.focal_px / max(60.0, float((tip - camera.position_mm) @ camera.rotation[2]))
    depth = float((end - camera.position_mm) @ camera.rotation[2])
    end_scale = min(camera.focal_px / max(60.0, depth), NEAR_SCALE * near_scale)
    sprite = stroke.sprite
    height, width = sprite.picture.shape[:2]
    long = min(long, 1.5 * float(np.hypot(*image.shape[:2])))
    reach_mm = min(sprite.tip_mm + 2 * long / (near_scale + end_scale), height / sprite.scale)
    rows = max(2, round(reach_mm * sprite.scale))
    below = (reach_mm - sprite.tip_mm) * (near_scale + end_scale) / 2
    top = seen - way * sprite.tip_mm * near_scale
    bottom = seen + way * below
    half = width / sprite.scale / 2
    left, right = half * near_scale, half * end_scale
    quad = np.array([top - aside * left, top + aside * left, bottom + aside * right, bottom - aside * right])
    return _Laid(quad, rows)


def _paint(
    image: Image,
    pictures: Sequence[Image],
    laid: Sequence[_Laid | None],
    cover: NDArray[np.uint8] | None = None,
) -> None:
    """Paints the mean of what is seen at each moment, where `cover` (H, W) lets it be seen."""
    found = [(picture, each) for picture, each in zip(pictures, laid, strict=True) if each is not None]
    if not found:
        return
    quads = np.concatenate([each.quad for _, each in found])
    height, width = image.shape[:2]
    x0, y0 = np.clip(np.floor(quads.min(axis=0)).astype(int) - 1, 0, [width, height])
    x1, y1 = np.clip(np.ceil(quads.max(axis=0)).astype(int) + 1, 0, [width, height])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    total = np.zeros((int(y1 - y0), int(x1 - x0), 4), np.float32)
    for picture, each in found:
        columns = picture.shape[1]
        source = np.array([[0, 0], [columns, 0], [columns, each.rows], [0, each.rows]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, (each.quad - [x0, y0]).astype(np.float32))
        size = (int(x1 - x0), int(y1 - y0))
        cv2.accumulate(cv2.warpPerspective(picture[: each.rows], matrix, size), total)
    layer = (total * np.float32(1 / len(found))).astype(np.uint8)
    region = image[y0:y1, x0:x1]
    share = layer[:, :, 3] * np.float32(1 / 255)
    if cover is not None:
        share *= cover[y0:y1, x0:x1] * np.float32(1 / 255)
    under = cv2.blendLinear(region, np.zeros_like(region), 1 - share, share)
    region[:] = cv2.add(layer[:, :, :3], under)
