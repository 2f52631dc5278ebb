"""Draws placed tiles as a camera sees them, with the exact truth about every visible face.

Painter's algorithm over boxes, far to near; a second, unlit picture of face numbers shows how much of each
face stays visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.scenes.geometry import SIDES, Box, Camera, Floats, round_to_pixels
from companion.scenes.layouts import PlacedTile
from companion.scenes.things import Thing
from companion.scenes.tileset import TileBodies

SUBPIXEL_BITS = 4
SIDE_NUMBERS = {name: number for number, name in enumerate(SIDES)}
DECOY_VISIBLE = 0.7  # share of a decoy that must be seen


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp: unit direction towards it (3,), share of ambient light 0..1, shadow darkness 0..1, its softness
    in px."""

    direction: tuple[float, float, float]
    ambient: float = 0.55
    shadow: float = 0.45
    softness_px: float = 6.0

    def brightness_on(self, normal: Floats) -> float:
        """Brightness of a surface with this normal, about 0.4..1.1."""
        return float(self.ambient + (1.1 - self.ambient) * max(0.0, float(normal @ np.array(self.direction))))


@dataclass(frozen=True, slots=True)
class SceneTile:
    """The truth about one visible face: code (or "back"), its quad in px and the share of it that is visible.

    quad: the glyph's top left, top right, bottom right, bottom left; for a back any corner comes first.
    """

    code: str
    quad: tuple[tuple[float, float], ...]
    visible: float


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
            _paint(
                image,
                _shrink_texture(thing.sides["face"], quad),
                quad,
                light.brightness_on(thing.box.normal("face")),
            )
    things = [thing for thing in clutter if not thing.flat]
    boxes = [p.box for p in placed] + [thing.box for thing in things]
    _shade_ground(image, camera, boxes, light)
    numbers: NDArray[np.int32] = np.zeros((height, width), np.int32)
    faces: dict[int, tuple[str, Floats]] = {}
    for index in sorted(range(len(boxes)), key=lambda i: -_depth(camera, boxes[i])):
        box = boxes[index]
        if not np.all(np.isfinite(camera.project(box.corners()))):
            continue
        code = placed[index].code if index < len(placed) else ""
        for name in SIDES:
            corners = box.side(name)
            normal = box.normal(name)
            if (camera.position_mm - corners.mean(axis=0)) @ normal <= 0:
                continue
            quad = camera.project(corners)
            number = 0
            bright = light.brightness_on(normal)
            if code and name in ("face", "back"):
                number = index + 1
                texture_code = "back" if name == "back" else code
                faces[number] = (texture_code, quad)
                _paint(image, bodies.texture(texture_code, _side_px(quad)), quad, bright)
            elif code:
                texture = bodies.side_texture(name in ("left", "right"), _side_px(quad))
                _paint(image, texture, quad, bright)
                number = (len(boxes) + 1) * (1 + SIDE_NUMBERS[name]) + index
                decoys[number] = quad
            else:
                thing = things[index - len(placed)]
                _fill(image, quad, thing.colour, bright)
                if name in thing.sides:
                    _paint(image, _shrink_texture(thing.sides[name], quad), quad, bright)
                    number = (len(boxes) + 1) * (1 + SIDE_NUMBERS[name]) + index
                    decoys[number] = quad
            cv2.fillConvexPoly(numbers, round_to_pixels(quad), number)
    for picture, quad in over:
        _paint(image, picture, quad, light.brightness_on(np.array([0.0, 0.0, 1.0])))
        hides = np.zeros((height, width, 3), np.uint8)
        _paint(hides, picture, quad, 1.0)
        numbers[hides.max(axis=2) > 0] = 0
    return Scene(image, tuple(_collect_truth(faces, numbers)), tuple(_find_seen_decoys(decoys, numbers)))


def _depth(camera: Camera, box: Box) -> float:
    return float(np.linalg.norm(camera.position_mm - box.centre_mm))


def _side_px(quad: Floats) -> float:
    return float(max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2])))


def _collect_truth(faces: dict[int, tuple[str, Floats]], numbers: NDArray[np.int32]) -> list[SceneTile]:
    seen = np.bincount(numbers.ravel(), minlength=max(faces, default=0) + 1)
    result = []
    for number, (code, quad) in sorted(faces.items()):
        area = cv2.contourArea(quad.astype(np.float32))
        if area < 9 or seen[number] == 0:
            continue
        visible = min(1.0, float(seen[number]) / area)
        result.append(SceneTile(code, tuple((float(x), float(y)) for x, y in quad), visible))
    return result


def _find_seen_decoys(
    decoys: dict[int, Floats], numbers: NDArray[np.int32]
) -> list[tuple[tuple[float, float], ...]]:
    seen = np.bincount(numbers.ravel(), minlength=max(decoys, default=0) + 1)
    return [
        tuple((float(x), float(y)) for x, y in quad)
        for number, quad in sorted(decoys.items())
        if seen[number] > DECOY_VISIBLE * max(9.0, cv2.contourArea(quad.astype(np.float32)))
    ]


def _shrink_texture(texture: Image, quad: Floats) -> Image:
    """A texture no more than twice as fine as it will be seen."""
    factor = 2 * _side_px(quad) / texture.shape[0]
    if factor >= 0.8:
        return texture
    size = [max(2, round(texture.shape[1] * factor)), max(2, round(texture.shape[0] * factor))]
    return cv2.resize(texture, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _fill(image: Image, quad: Floats, colour: tuple[int, int, int], bright: float) -> None:
    points = round_to_pixels(quad * (1 << SUBPIXEL_BITS))
    cv2.fillConvexPoly(image, points, [min(255.0, c * bright) for c in colour], cv2.LINE_AA, SUBPIXEL_BITS)


def _paint(image: Image, texture: Image, quad: Floats, bright: float) -> None:
    """Warps a BGRA texture onto a quad of the picture."""
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [width, height])
    if x1 <= x0 or y1 <= y0:
        return
    rows, columns = texture.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0] - 0.5).astype(np.float32))
    warped = cv2.warpPerspective(texture, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = warped[:, :, 3:].astype(np.float32) / 255
    region = image[y0:y1, x0:x1]
    colour = np.minimum(warped[:, :, :3] * np.float32(bright), 255)
    image[y0:y1, x0:x1] = (region * (1 - alpha) + colour * alpha).astype(np.uint8)


def _shade_ground(image: Image, camera: Camera, boxes: Sequence[Box], light: Light) -> None:
    """Darkens the table where boxes keep the lamp away, and a little all round their feet."""
    direction = np.array(light.direction)
    feet: NDArray[np.uint8] = np.zeros(image.shape[:2], np.uint8)
    for box in boxes:
        corners = box.corners()
        cast = corners - direction * (corners[:, 2:] / max(direction[2], 0.2))
        ground = np.concatenate([cast[:, :2], corners[:, :2]])
        flat = camera.project(np.column_stack([ground, np.zeros(len(ground))]))
        if np.all(np.isfinite(flat)):
            hull = cv2.convexHull(flat.astype(np.float32))
            cv2.fillConvexPoly(feet, round_to_pixels(hull), 255)
    dark = cv2.GaussianBlur(feet, (0, 0), max(0.5, light.softness_px))[:, :, None] * np.float32(
        light.shadow / 255
    )
    np.copyto(image, (image * (1 - dark)).astype(np.uint8))
