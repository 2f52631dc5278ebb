"""One moment of a hand as the camera shows it: the tiles at rest, what moves over them (arms, heads, dice),
and what disturbs the picture (bumps, light, focus, a wide lens).

What is at rest is kept as a picture, of which only what changed is drawn anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.table.events import Event, HandStarted, IndicatorTurned
from lab.film.customs import HALF_MM, list_corners, map_pictures, turn_camera, widen
from lab.film.lived_in import make_lived_in_setting
from lab.film.timeline import Slips, Timeline, ease
from lab.film.webcams import GOOD, Webcam
from lab.scenes.club import Empty, Setting, draw_empty, make_random_setting
from lab.scenes.draw import LAMP_TURNS, LAMPS, draw_scene
from lab.scenes.furniture import choose_muted_colour, draw_drink_holder
from lab.scenes.geometry import Box, Camera, Floats, fill_flat, project_outline, rotation_z
from lab.scenes.layouts import QUARTER, TOWARDS, PlacedTile
from lab.scenes.things import (
    SKIN,
    Colour,
    Rng,
    Thing,
    choose_dark_colour,
    choose_look,
    draw_arm,
    lay_dice,
    place_random_vessels,
    scatter_dice,
)
from lab.scenes.tileset import TileBodies

SHAKE_S = 0.7  # how long a camera trembles after a bump
SHAKE_HZ = 6.0
SHUTTER_S = 1 / 40  # how long the shutter is open
READOUT_S = 0.02  # from a picture's first line to its last
FADE_S = 0.15  # in which a lamp is switched
LEAN_SHARE = 0.3  # of a lean's time for coming, and for going
Gains = tuple[float, float, float]
"""Factors of blue, green and red."""


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera is pushed: turned by this angle in radians for good, and trembles by `shake_px`."""

    t: float
    yaw: float
    pitch: float
    roll: float
    shake_px: float


@dataclass(frozen=True, slots=True)
class Hunt:
    """For a while the lens is out by up to `strength`: px of blur, or a factor of exposure."""

    t: float
    long_s: float
    strength: float

    def measure(self, t: float) -> float:
        """How far it is out at that second: 0 before and after, up to ±strength."""
        share = (t - self.t) / self.long_s
        if not 0 < share < 1:
            return 0.0
        return self.strength * float(np.sin(np.pi * share) * np.cos(1.5 * np.pi * (share - 0.3)))


@dataclass(frozen=True, slots=True)
class Switch:
    """From then on a lamp gives this light."""

    t: float
    gains: Gains


@dataclass(frozen=True, slots=True)
class Lean:
    """A person leans over the table: `along_mm` right of the middle, `in_mm` in."""

    seat: int
    t: float
    long_s: float
    along_mm: float
    in_mm: float

    def measure(self, t: float) -> float:
        """How far in the head is at that second, 0..1."""
        share = (t - self.t) / self.long_s
        if not 0 < share < 1:
            return 0.0
        return ease(min(share, 1 - share) / LEAN_SHARE)


@dataclass(frozen=True, slots=True)
class Disturbances:
    """All of them, in the order of time. noise: levels of the sensor's grain; fall: how much darker the
    corners are; light: of the lamps at first."""

    bumps: tuple[Bump, ...] = ()
    focus: tuple[Hunt, ...] = ()
    exposure: tuple[Hunt, ...] = ()
    lamps: tuple[Switch, ...] = ()
    leans: tuple[Lean, ...] = ()
    noise: float = 0.0
    fall: float = 0.0
    light: Gains = (1.0, 1.0, 1.0)
    moving: bool = False
    """Whether what moves is smeared, and picture lines are taken one after the other."""

    def find_light(self, t: float) -> Floats:
        """The gains (3,) of blue, green and red at that second."""
        light = np.array(self.light)
        for switch in self.lamps:
            light = light + (np.array(switch.gains) - light) * ease((t - switch.t) / FADE_S)
        hunted: Floats = light * float(np.exp(sum(hunt.measure(t) for hunt in self.exposure)))
        return hunted

    def find_blur(self, t: float) -> float:
        """How far the picture is out of focus at that second, px."""
        return max((abs(hunt.measure(t)) for hunt in self.focus), default=0.0)

    def find_turn(self, t: float) -> tuple[float, float, float]:
        """How far the camera has been turned for good: yaw, pitch and roll in radians."""
        past = [bump for bump in self.bumps if bump.t <= t]
        turns = [(bump.yaw, bump.pitch, bump.roll) for bump in past]
        yaw, pitch, roll = np.sum(turns, axis=0) if turns else (0.0, 0.0, 0.0)
        return float(yaw), float(pitch), float(roll)

    def find_shake(self, t: float) -> tuple[float, float]:
        """How far the picture is off by the camera's trembling at that second, x and y in px."""
        x = y = 0.0
        for bump in self.bumps:
            since = t - bump.t
            if 0 <= since < SHAKE_S:
                size = bump.shake_px * float(np.exp(-4 * since / SHAKE_S)) * (1 - since / SHAKE_S)
                x += size * float(np.cos(2 * np.pi * SHAKE_HZ * since))
                y += 0.7 * size * float(np.sin(2 * np.pi * 1.3 * SHAKE_HZ * since))
        return x, y

    def find_lean(self, seat: int, t: float) -> tuple[float, float]:
        """How far right of the seat's middle its player's head is, and how far in, mm."""
        for lean in self.leans:
            if lean.seat == seat and (share := lean.measure(t)):
                return lean.along_mm * share, lean.in_mm * share
        return 0.0, 0.0

    def shakes(self, start: float, end: float) -> bool:
        """Whether the camera is bumped or trembles between these seconds."""
        return any(bump.t < end and bump.t + SHAKE_S > start for bump in self.bumps)

    def leans_in(self, start: float, end: float) -> bool:
        """Whether a player leans over the table between these seconds."""
        return any(lean.t < end and lean.t + lean.long_s > start for lean in self.leans)


CALM = Disturbances()


def choose_slips(rng: Rng) -> Slips:
    """How carefully people at a table play."""
    nudged, turned, early = rng.uniform([0.05, 0.01, 0.2], [0.35, 0.06, 0.7])
    return Slips(float(nudged), float(turned), float(early))


def choose_mean_slips(rng: Rng) -> Slips:
    """How tired or lively people play, who know nothing of a camera."""
    careless = choose_slips(rng)
    shown, thrown, rests, paused, pushed, across = rng.uniform([0.05] * 6, [0.25, 0.2, 0.3, 0.1, 0.1, 0.2])
    return replace(
        careless, shown=float(shown), thrown=float(thrown), rests=float(rests), paused=float(paused),
        pushed=float(pushed), across=float(across),
    )  # fmt: skip


def add_pumping(disturbances: Disturbances, rng: Rng, end_s: float) -> Disturbances:
    """The same with a focus that hunts again and again, and players who reach across all the time."""
    times = np.cumsum(rng.uniform(4.0, 14.0, max(1, round(end_s / 6))))
    hunts = [Hunt(float(t), float(rng.uniform(0.5, 1.5)), float(rng.uniform(1.0, 4.0))) for t in times]
    leans = [_choose_lean(rng, float(t)) for t in rng.uniform(1.0, end_s, int(rng.poisson(end_s / 30)))]
    return replace(
        disturbances,
        focus=tuple(sorted((*disturbances.focus, *hunts), key=lambda hunt: hunt.t)),
        leans=tuple(sorted((*disturbances.leans, *leans), key=lambda lean: lean.t)),
    )


def bump_once(disturbances: Disturbances, t: float, px: float, focal_px: float) -> Disturbances:
    """The same with a single bump, by which everything in the picture moves by about this many px for good.
    focal_px: of the camera."""
    turn = px / focal_px / np.sqrt(2)
    bump = Bump(t, yaw=float(turn), pitch=float(turn), roll=0.0, shake_px=0.5 * px)
    return replace(disturbances, bumps=(bump,))


def choose_disturbances(rng: Rng, end_s: float, pace: float, focal_px: float) -> Disturbances:
    """Disturbances of a film that long, of people who play `pace` times as quickly as usual.

    focal_px: of the camera, for how many px a turn is.
    """
    minutes = end_s * pace / 60

    def pick(a_minute: float) -> list[float]:
        return sorted(float(t) for t in rng.uniform(1.0, end_s, int(rng.poisson(a_minute * minutes))))

    def turn(px: float) -> float:
        return float(rng.normal(0, px)) / focal_px

    def bump(t: float) -> Bump:
        return Bump(t, turn(7), turn(7), float(rng.normal(0, 0.003)), float(rng.uniform(2, 14)))

    return Disturbances(
        tuple(bump(t) for t in pick(0.5)),
        tuple(Hunt(t, float(rng.uniform(0.8, 2.0)), float(rng.uniform(1.5, 5))) for t in pick(0.8)),
        tuple(Hunt(t, float(rng.uniform(1.0, 3.0)), float(rng.uniform(0.1, 0.4))) for t in pick(1.0)),
        tuple(Switch(t, _choose_light(rng)) for t in pick(0.3)),
        tuple(_choose_lean(rng, t) for t in pick(0.8)),
        noise=float(np.exp(rng.uniform(np.log(1.0), np.log(5.0)))),
        fall=float(rng.uniform(0.0, 0.3)),
        light=_choose_light(rng),
        moving=True,
    )


def _choose_light(rng: Rng) -> Gains:
    lamps: Sequence[Sequence[float]] = LAMPS
    gains = np.array(lamps[int(rng.integers(len(lamps)))]) ** float(rng.uniform(0, 0.8))
    b, g, r = (float(gain) for gain in gains * float(rng.uniform(0.82, 1.15)))
    return b, g, r


def _choose_lean(rng: Rng, t: float) -> Lean:
    return Lean(
        int(rng.integers(4)), t, float(rng.uniform(1.2, 3.0)), float(rng.uniform(-220, 220)),
        float(rng.uniform(220, 430)),
    )  # fmt: skip


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
LOW_LAMP_OF_PEOPLE = 0.7  # height of the lamp as far as shadows of people go: a room has more than one
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
    """A player: an arm, a head with shoulders, and the body below."""

    arm: Sprite
    head: Sprite
    body: Sprite


def make_person(rng: Rng, scale: float) -> Person:
    """A player; scale: px per mm."""
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
    """The body of a player who sits there."""
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
        cast = lamp / max(float(lamp[2]), LOW_LAMP_OF_PEOPLE)
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


Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""
LOW_LAMP = 0.2  # height of a lamp as far as shadows go, as `draw_scene` has it


class Still:
    """A table whose tiles may move. `image` (H, W, 3) is what `show` drew last."""

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


ROLLS_S = 0.6
BEFORE_S = 2.0  # a roll rests before what it decides is done
REACH_MM = 24.0  # from the middle of the table, where no discard is put
FROM_MM, HIGH_MM = 170.0, 45.0  # where dice leave the hand: from where they come to rest, and above it
TURNS = 2.5  # of a die on its way
BOUNCES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """One throw. dice: as they come to rest; way: unit vector (2,) along which they come; axes: (n, 3) about
    which each turns."""

    rolls_s: float
    rests_s: float
    dice: tuple[Thing, ...]
    way: Floats
    axes: Floats

    def find_dice(self, t: float) -> tuple[Thing, ...]:
        """The dice at that second; the same objects once they rest."""
        if t >= self.rests_s:
            return self.dice
        left = ((self.rests_s - t) / (self.rests_s - self.rolls_s)) ** 2
        return tuple(self._roll(die, axis, left) for die, axis in zip(self.dice, self.axes, strict=True))

    def _roll(self, die: Thing, axis: Floats, left: float) -> Thing:
        """A die that has this share of its way before it."""
        turn = np.asarray(cv2.Rodrigues(axis * (2 * np.pi * TURNS * left))[0])
        box = die.box
        rotation = turn @ box.rotation
        x, y = box.centre_mm[:2] - self.way * FROM_MM * left
        z = float((np.abs(rotation) @ box.half_mm)[2]) + HIGH_MM * left * abs(np.cos(np.pi * BOUNCES * left))
        return replace(die, box=Box(box.half_mm, rotation, np.array([x, y, z])))


def throw_dice(timeline: Timeline, rng: Rng, pace: float) -> tuple[Throw, ...]:
    """The throws of a filmed hand, in their order."""
    look = choose_look(rng)
    throws = []
    for mark in timeline.marks:
        shown = _read_throw(mark.deed.event)
        if not shown:
            continue
        begins = isinstance(mark.deed.event, HandStarted)
        rests_s = mark.t if begins else mark.t - BEFORE_S / pace
        hand = mark.deed.state.hand
        assert hand is not None
        places = scatter_dice(rng, look, len(shown), REACH_MM)
        axes = rng.normal(0, 1, (len(shown), 3))
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        way = -np.array(TOWARDS[hand.deal.dealer])
        dice = tuple(lay_dice(rng, look, shown, places))
        throws.append(Throw(rests_s - ROLLS_S / pace, rests_s, dice, way, axes))
    return tuple(throws)


def find_thrown(throws: Sequence[Throw], t: float) -> tuple[Thing, ...]:
    """The dice on the table at that second: those of the throw that began last."""
    begun = [throw for throw in throws if throw.rolls_s <= t]
    return begun[-1].find_dice(t) if begun else ()


def _read_throw(event: Event) -> tuple[int, ...]:
    return (event.dice or ()) if isinstance(event, HandStarted | IndicatorTurned) else ()


FARTHEST = 3.0
"""Tangent of the widest angle from the axis that any lens here sees."""


@dataclass(frozen=True, eq=False)
class WideLens:
    """k1: OpenCV's first radial coefficient, below 0 where straight lines bulge outwards; focal_px, width,
    height: of the pictures, about whose middle they are bent."""

    k1: float
    focal_px: float
    width: int
    height: int

    def bend(self, px: Floats) -> Floats:
        """Where it shows what a perfect lens shows at px (..., 2)."""
        off = (px - self._middle) / self.focal_px
        squared = (off * off).sum(axis=-1, keepdims=True)
        return np.asarray(off * (1 + self.k1 * squared) * self.focal_px + self._middle, np.float64)

    def bend_picture(self, image: Image) -> Image:
        """A picture (H, W, 3) as this lens shows it; what was not drawn beyond its edges is mirrored."""
        if self.k1 == 0:
            return image
        x, y = self._maps
        seen = cv2.remap(image, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(seen, np.uint8)

    @cached_property
    def _middle(self) -> Floats:
        return np.array([self.width, self.height]) / 2

    @cached_property
    def _maps(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where each pixel of a bent picture is in a perfect lens's."""
        flat = np.linspace(0, FARTHEST, 3001)
        bent = flat * (1 + self.k1 * flat**2)
        turns = np.flatnonzero(np.diff(bent) <= 0)  # from there on the polynomial is no lens's
        count = int(turns[0]) + 1 if len(turns) else len(flat)
        y, x = np.mgrid[0 : self.height, 0 : self.width] + 0.5
        off = (np.stack([x, y], axis=-1) - self._middle) / self.focal_px
        far = np.maximum(np.linalg.norm(off, axis=-1, keepdims=True), 1e-9)
        px = off / far * np.interp(far, bent[:count], flat[:count]) * self.focal_px + self._middle - 0.5
        return px[..., 0].astype(np.float32), px[..., 1].astype(np.float32)


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


MEAN_TABLES = ("automatic", "trays", "printed mat")
"""Kinds of tables with something in their middle, as `lived_in.KINDS` has them."""
CENTRE_MM = (42.0, 62.0)
"""Half the side of what is in the middle: discards begin beyond it."""
HOLDER_MIN_RIM_MM = 50.0


def make_mean_setting(rng: Rng, camera: Camera, width: int, height: int) -> Setting:
    """A table with a printed or built centre, and drink holders in its rail if that is wide enough."""
    kind, centre = str(rng.choice(MEAN_TABLES)), float(rng.uniform(*CENTRE_MM))
    setting = make_lived_in_setting(rng, kind, HALF_MM, centre, camera, (width, height))
    holder = draw_drink_holder(rng) if setting.table.rim_mm >= HOLDER_MIN_RIM_MM else None
    return replace(setting, table=replace(setting.table, holder=holder))


def make_scenery(
    rng: Rng, camera: Camera, bodies: TileBodies, width: int, height: int, mean: Rng | None = None
) -> Scenery:
    """A random table of the size that a film's table has, before this camera. mean: chooses a table as clubs
    have it instead."""
    wide, high = width + 2 * MARGIN_PX, height + 2 * MARGIN_PX
    camera = widen(camera, MARGIN_PX)
    setting = make_random_setting(rng, HALF_MM, 0.0, wide, high)
    table = replace(setting.table, rim_mm=max(30.0, setting.table.rim_mm))
    if mean is not None:
        setting = make_mean_setting(mean, camera, wide, high)
        table = setting.table
    setting = replace(
        setting,
        table=table,
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
        webcam: Webcam = GOOD,
    ) -> None:
        self.lens = lens
        self.webcam = webcam
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
        return self.webcam.take(self._expose(self.lens.bend_picture(self._turn(image, t)), t), t)

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
