"""Draws placed tiles as a camera sees them, with the exact truth about every visible face.

Painter's algorithm over boxes, far to near; a second, unlit picture of face numbers shows how much of each
face stays visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import NORMALS, SIDES, Box, Camera, Floats, rotation_z, round_to_pixels
from lab.scenes.layouts import PlacedTile
from lab.scenes.paint import (
    SUBPIXEL_BITS,
    blend_quad,
    fill_quad,
    grow_quad,
    hide_quad,
    measure_side,
    paint_quad,
    shrink_texture,
)
from lab.scenes.shade import LAMP_TURNS, SideLight, light_sides, light_texture
from lab.scenes.things import Thing
from lab.scenes.tileset import TileBodies

SIDE_NUMBERS = {name: number for number, name in enumerate(SIDES)}
DECOY_VISIBLE = 0.7  # share of a decoy that must be seen
STANDING_COSINE = 0.7  # of a face's normal to the vertical, below which its tile stands
CONTACT = 0.35  # darkness of the table right under a box
SEAM_PX = 0.6  # how far sides are painted over their edges, so that nothing shows between them
RIM_OF_CORNER = 0.65  # width of the rim that catches light, of the corner's radius
EDGE_OF_CORNER = 0.55  # radius of a tile's edges, of that of the corners of its face
ROUND_PX = 1.2  # radius of a tile's corners from which on its outline is drawn round


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp: unit direction towards it (3,), share of ambient light 0..1, shadow darkness 0..1, its softness
    in px.

    room: light of a room, not of one bare lamp: feet lie in shade, rims and polished backs catch light."""

    direction: tuple[float, float, float]
    ambient: float = 0.55
    shadow: float = 0.45
    softness_px: float = 6.0
    room: bool = False

    def brightness_on(self, normal: Floats) -> float:
        """Brightness of a surface with this normal, about 0.4..1.1."""
        return float(self.ambient + (1.1 - self.ambient) * max(0.0, float(normal @ np.array(self.direction))))


@dataclass(frozen=True, slots=True)
class SceneTile:
    """The truth about one visible face: code (or "back"), its quad in px and the share of it that is visible.

    quad: the glyph's top left, top right, bottom right, bottom left; for a back any corner comes first.
    standing: the face or back is upright or leans, and does not lie.
    """

    code: str
    quad: tuple[tuple[float, float], ...]
    visible: float
    standing: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture, shape (H, W, 3) uint8 BGR, and what is to be seen in it.

    decoys: quads px of what could be taken for a face but is not one: sides of tiles, faces of other
    things."""

    image: Image
    tiles: tuple[SceneTile, ...]
    decoys: tuple[tuple[tuple[float, float], ...], ...] = ()


def draw_scene(
    ground: Image,
    camera: Camera,
    placed: Sequence[PlacedTile],
    bodies: TileBodies,
    light: Light,
    clutter: Sequence[Thing] = (),
    over: Sequence[tuple[Image, Floats]] = (),
) -> Scene:
    """Draws tiles and other things on a ground picture of shape (H, W, 3); `over`: BGRA pictures with their
    quads (4, 2) px that hide what is behind them."""
    image = ground.copy()
    height, width = image.shape[:2]
    decoys: dict[int, Floats] = {}
    for thing in clutter:
        if thing.flat and np.all(np.isfinite(quad := camera.project(thing.box.side("face")))):
            paint_quad(
                image,
                shrink_texture(thing.sides["face"], quad),
                quad,
                light.brightness_on(thing.box.normal("face")),
            )
    things = [thing for thing in clutter if not thing.flat]
    boxes = [p.box for p in placed] + [thing.box for thing in things]
    _shade_ground(image, camera, boxes, light)
    numbers: NDArray[np.int32] = np.zeros((height, width), np.int32)
    faces: dict[int, tuple[str, Floats, bool]] = {}
    order = sort_far_to_near(camera, boxes)
    shown = find_shown(camera, boxes, order)
    lights = _light_sides([side for side in shown if side.index < len(placed)], camera, light, bodies)
    for index, sides in groupby(shown, key=lambda side: side.index):
        tile = placed[index].code if index < len(placed) else ""
        shaded = bool(tile) and light.room
        radius_mm = _find_radius(boxes[index], bodies) if shaded else 0.0
        if not tile:
            radius_mm = things[index - len(placed)].round_mm
        outline = _Outline.begin(image, camera, boxes[index], radius_mm) if radius_mm else None
        for side in sides:
            number = 0
            if tile:
                if side.name in ("face", "back"):
                    number = index + 1
                    code = "back" if side.name == "back" else tile
                    faces[number] = (code, side.quad, bool(abs(side.normal[2]) < STANDING_COSINE))
                    texture = bodies.texture(code, measure_side(side.quad))
                else:
                    texture = bodies.side_texture(
                        side.name in ("left", "right"), measure_side(side.quad), rimmed=not light.room
                    )
                    number = (len(boxes) + 1) * (1 + SIDE_NUMBERS[side.name]) + index
                    decoys[number] = side.quad
                if shaded:
                    shone = lights[index, side.name]
                    if side.name in ("face", "back"):  # below its round corners
                        colour = bodies.rear if side.name == "back" else bodies.front
                        fill_quad(image, side.quad, colour, float(shone.gain.mean()))
                    blend_quad(
                        image,
                        light_texture(texture, shone, RIM_OF_CORNER * bodies.corner),
                        grow_quad(side.quad, SEAM_PX),
                    )
                else:
                    paint_quad(image, texture, side.quad, light.brightness_on(side.normal))
            else:
                thing = things[index - len(placed)]
                bright = light.brightness_on(side.normal)
                fill_quad(image, side.quad, thing.colour, bright)
                if side.name in thing.sides:
                    paint_quad(image, shrink_texture(thing.sides[side.name], side.quad), side.quad, bright)
                    number = (len(boxes) + 1) * (1 + SIDE_NUMBERS[side.name]) + index
                    decoys[number] = side.quad
            cv2.fillConvexPoly(numbers, round_to_pixels(side.quad), number)
        if outline:
            outline.end()
    for picture, quad in over:
        paint_quad(image, picture, quad, light.brightness_on(np.array([0.0, 0.0, 1.0])))
        hide_quad(numbers, picture, quad)
    most = max(faces.keys() | decoys.keys(), default=0)
    seen = np.bincount(numbers.ravel(), minlength=most + 1)
    return Scene(image, tuple(_collect_truth(faces, seen)), tuple(_find_seen_decoys(decoys, seen)))


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A side of the box `index` that is turned to the camera: corners mm, normal, quad px."""

    index: int
    name: str
    corners: Floats
    normal: Floats
    quad: Floats


def sort_far_to_near(camera: Camera, boxes: Sequence[Box]) -> list[int]:
    """The order in which boxes are painted."""
    return sorted(range(len(boxes)), key=lambda i: -_depth(camera, boxes[i]))


def find_shown(camera: Camera, boxes: Sequence[Box], order: Sequence[int]) -> list[Shown]:
    """The sides of boxes that are turned to the camera, box by box in this order; none of a box of which a
    part lies behind the camera."""
    if not boxes:
        return []
    rotations = np.stack([boxes[index].rotation for index in order])
    halves = np.stack([boxes[index].half_mm for index in order])
    centres = np.stack([boxes[index].centre_mm for index in order])
    normals = np.einsum("nij,sj->nsi", rotations, np.stack(list(NORMALS.values())))
    local = np.stack(list(SIDES.values()))[None] * halves[:, None, None]
    corners = np.einsum("nij,nscj->nsci", rotations, local) + centres[:, None, None]
    quads = camera.project(corners.reshape(-1, 3)).reshape(len(order), len(SIDES), 4, 2)
    whole = np.isfinite(quads).all(axis=(1, 2, 3))
    facing = ((camera.position_mm - corners.mean(axis=2)) * normals).sum(axis=2) > 0
    return [
        Shown(order[int(n)], name, corners[n, s], normals[n, s], quads[n, s])
        for n in np.flatnonzero(whole)
        for s, name in enumerate(SIDES)
        if facing[n, s]
    ]


def _light_sides(
    sides: Sequence[Shown], camera: Camera, light: Light, bodies: TileBodies
) -> dict[tuple[int, str], SideLight]:
    if not light.room or not sides:
        return {}
    corners, normals = np.stack([side.corners for side in sides]), np.stack([side.normal for side in sides])
    lights = light_sides(corners, normals, camera, np.array(light.direction), light.ambient, bodies.gloss)
    return {(side.index, side.name): lit for side, lit in zip(sides, lights, strict=True)}


@dataclass(frozen=True, slots=True, eq=False)
class _Outline:
    """What was there before a box was painted, and how much of it the box's round outline hides."""

    region: Image
    before: Image
    cover: NDArray[np.uint8]

    @staticmethod
    def begin(image: Image, camera: Camera, box: Box, radius_mm: float) -> _Outline | None:
        """Call before the sides are painted. None where the box is too small to look round."""
        height, width = image.shape[:2]
        radius = float(radius_mm * camera.focal_px / max(1.0, _depth(camera, box)))
        if radius < ROUND_PX:
            return None
        whole = camera.project(box.corners())
        inner = camera.project(Box(box.half_mm - radius_mm, box.rotation, box.centre_mm).corners())
        x0, y0 = np.maximum(np.floor(whole.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(whole.max(axis=0)).astype(int) + 2, [width, height])
        region = image[y0 : max(y0, y1), x0 : max(x0, x1)]
        if not region.size:
            return None
        cover = np.zeros(region.shape[:2], np.uint8)
        hull = cv2.convexHull((inner - [x0, y0]).astype(np.float32))[:, 0]
        points = round_to_pixels(hull * (1 << SUBPIXEL_BITS))
        cv2.fillConvexPoly(cover, points, 255, cv2.LINE_AA, SUBPIXEL_BITS)
        cv2.polylines(cover, [points], True, 255, round(2 * radius), cv2.LINE_AA, SUBPIXEL_BITS)
        return _Outline(region, region.copy(), cover)

    def end(self) -> None:
        """Call when they are: gives back what lies outside the outline."""
        share = self.cover * np.float32(1 / 255)
        self.region[:] = cv2.blendLinear(self.region, self.before, share, 1 - share)


def _find_radius(box: Box, bodies: TileBodies) -> float:
    """Of a tile's edges, mm."""
    return float(EDGE_OF_CORNER * bodies.corner * 2 * box.half_mm[0])


def _depth(camera: Camera, box: Box) -> float:
    return float(np.linalg.norm(camera.position_mm - box.centre_mm))


def _collect_truth(faces: dict[int, tuple[str, Floats, bool]], seen: NDArray[np.intp]) -> list[SceneTile]:
    """The faces of which at least something is seen; seen: how many px show each number."""
    result = []
    for number, (code, quad, standing) in sorted(faces.items()):
        area = cv2.contourArea(quad.astype(np.float32))
        if area < 9 or seen[number] == 0:
            continue
        visible = min(1.0, float(seen[number]) / area)
        result.append(SceneTile(code, tuple((float(x), float(y)) for x, y in quad), visible, standing))
    return result


def _find_seen_decoys(
    decoys: dict[int, Floats], seen: NDArray[np.intp]
) -> list[tuple[tuple[float, float], ...]]:
    return [
        tuple((float(x), float(y)) for x, y in quad)
        for number, quad in sorted(decoys.items())
        if seen[number] > DECOY_VISIBLE * max(9.0, cv2.contourArea(quad.astype(np.float32)))
    ]


def _shade_ground(image: Image, camera: Camera, boxes: Sequence[Box], light: Light) -> None:
    """Darkens the table where boxes keep the lamp away, and a little all round their feet."""
    lamp = np.array(light.direction)
    if not light.room:
        feet = _cast_feet(image.shape[:2], 1, camera, boxes, lamp)
        dark = cv2.GaussianBlur(feet, (0, 0), max(0.5, light.softness_px))[:, :, None] * np.float32(
            light.shadow / 255
        )
        np.copyto(image, (image * (1 - dark)).astype(np.uint8))
        return
    height, width = image.shape[:2]
    bright = np.ones(((height + 1) // 2, (width + 1) // 2), np.float32)
    upright = np.array([0.0, 0.0, 1.0])
    for towards, darkness, softness in (
        (lamp, light.shadow / 2, light.softness_px / 2),
        (rotation_z(LAMP_TURNS[1]) @ lamp, light.shadow / 2, light.softness_px / 2),
        (upright, CONTACT, light.softness_px / 5),
    ):
        feet = _cast_feet(bright.shape[:2], 2, camera, boxes, towards)
        bright *= 1 - cv2.GaussianBlur(feet, (0, 0), max(0.6, softness)) * np.float32(darkness / 255)
    twice = cv2.resize(bright * 255, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    level = np.ascontiguousarray(twice[:height, :width]).astype(np.uint8)
    cv2.multiply(image, cv2.merge([level, level, level]), dst=image, scale=1 / 255)


def _cast_feet(
    shape: tuple[int, ...], shrink: int, camera: Camera, boxes: Sequence[Box], lamp: Floats
) -> NDArray[np.uint8]:
    """Where boxes keep this lamp from the table, in a picture `shrink` times smaller."""
    feet: NDArray[np.uint8] = np.zeros(shape, np.uint8)
    if not boxes:
        return feet
    corners = np.stack([box.corners() for box in boxes])
    cast = corners - lamp * (corners[:, :, 2:] / max(lamp[2], 0.2))
    ground = np.concatenate([cast[:, :, :2], corners[:, :, :2]], axis=1).reshape(-1, 2)
    flat = camera.project(np.column_stack([ground, np.zeros(len(ground))])).reshape(len(boxes), -1, 2)
    for points in flat / shrink:
        if np.all(np.isfinite(points)):
            cv2.fillConvexPoly(feet, round_to_pixels(cv2.convexHull(points.astype(np.float32))), 255)
    return feet
