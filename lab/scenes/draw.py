"""Draws placed tiles as a camera sees them, with the exact truth about every visible face; shade, and what a
telephone's lens, shutter and JPEG do to a picture.

Painter's algorithm over boxes, far to near; a second, unlit picture of face numbers shows how much of each
face stays visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import (
    NORMALS,
    SIDES,
    SUBPIXEL_BITS,
    Box,
    Camera,
    Floats,
    blend_quad,
    fill_quad,
    grow_quad,
    hide_quad,
    measure_side,
    paint_quad,
    rotation_z,
    round_to_pixels,
    shrink_texture,
)
from lab.scenes.layouts import PlacedTile
from lab.scenes.things import Rng, Thing
from lab.scenes.tileset import TileBodies

Floats32 = NDArray[np.float32]

FOOT_SHADE, FOOT_MM = 0.22, 8.0  # how much darker a side is where it meets the table, and how far up
LAMP_TURNS = (0.0, 1.9, -2.3)  # radians about the vertical: the lamp, and two weaker ones of the same room
LAMP_SHARES = (1.0, 0.45, 0.35)


@dataclass(frozen=True, slots=True, eq=False)
class SideLight:
    """What light does to one side. Corners: top left, top right, bottom right, bottom left; rims: top, right,
    bottom, left.

    gain, sheen: (4,) factor and BGR levels added at the corners; rim_gain, rim_sheen: (4,) the same on rims.
    """

    gain: Floats
    sheen: Floats
    rim_gain: Floats
    rim_sheen: Floats


def light_sides(
    corners_mm: Floats,
    normals: Floats,
    camera: Camera,
    lamp: Floats,
    ambient: float,
    gloss: float,
) -> list[SideLight]:
    """The light on n sides with these corners (n, 4, 3) mm and these outward unit normals (n, 3).

    lamp: unit direction towards the lamp; ambient: share of light from all round, 0..1; gloss: 0 matt to 1.
    """
    if not len(normals):
        return []
    view = _normalise(camera.position_mm - corners_mm)
    normal = normals[:, None]
    foot = 1 - FOOT_SHADE * np.exp(-np.maximum(corners_mm[:, :, 2], 0.0) / FOOT_MM)
    bright = _find_brightness(normal, lamp, ambient)
    up, across = corners_mm[:, 0] - corners_mm[:, 3], corners_mm[:, 1] - corners_mm[:, 0]
    outward = _normalise(np.stack([up, across, -up, -across], axis=1))
    rim_gain = _find_brightness((outward + normal) * np.sqrt(0.5), lamp, ambient) / bright
    sheen, rim_sheen = np.zeros((len(normals), 4)), np.zeros((len(normals), 4))
    if gloss > 0:
        sheen = 70.0 * gloss * (1 - np.clip((view * normal).sum(axis=2), 0.0, 1.0)) ** 3
        middle = view.mean(axis=1)
        for turn, share in zip(LAMP_TURNS, LAMP_SHARES, strict=True):
            towards = rotation_z(turn) @ lamp
            facing = np.clip((_normalise(view + towards) * normal).sum(axis=2), 0.0, 1.0)
            sheen = sheen + 120.0 * gloss * share * facing**40
            between = _normalise(middle + towards)
            ahead = (between * normals).sum(axis=1)[:, None]
            aside = (outward * between[:, None]).sum(axis=2)
            along = np.clip(ahead**2 + aside**2, 0.0, 1.0)
            rim_sheen = rim_sheen + 95.0 * gloss * share * along**10 * ((aside > -0.05) & (ahead > 0))
    return [SideLight(*light) for light in zip(bright * foot, sheen, rim_gain, rim_sheen, strict=True)]


def _normalise(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return vectors / lengths


def _find_brightness(normals: Floats, lamp: Floats, ambient: float) -> Floats:
    """Brightness of surfaces with these normals (..., 3), about 0.5..1.1: (...)."""
    sky = ambient * (0.93 + 0.07 * normals[..., 2])
    lit: Floats = sky + (1.1 - ambient) * np.maximum(0.0, normals @ lamp)
    return lit


@lru_cache(maxsize=512)
def _weigh_rims(height: int, width: int, rim_px: int) -> tuple[Floats32, Floats32]:
    """Weights (4, height × width) of the four rims: of their gain, and of the narrower light they catch."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = (np.stack([y, width - 1 - x, height - 1 - y, x]) / max(1, rim_px)).astype(np.float32)
    gain: Floats32 = np.clip(1 - away, 0, 1)
    caught: Floats32 = np.clip(1 - np.abs(away - 0.55) / 0.55, 0, 1)
    return gain.reshape(4, -1), caught.reshape(4, -1)


def light_texture(texture: Image, light: SideLight, rim: float) -> Image:
    """A BGRA texture in that light, premultiplied; rim: the width of its rims as a share of its width."""
    height, width = texture.shape[:2]
    corners = np.array([light.gain, light.sheen], np.float32)[:, [0, 1, 3, 2]].reshape(2, 2, 2)
    spread = cv2.resize(np.ascontiguousarray(corners.transpose(1, 2, 0)), (width, height))
    gain, sheen = spread[:, :, 0], spread[:, :, 1]
    rim_px = round(rim * width)
    if rim_px >= 1:
        gain_of, caught_of = _weigh_rims(height, width, rim_px)
        gain = gain * (1 + (light.rim_gain - 1).astype(np.float32) @ gain_of).reshape(height, width)
        sheen = sheen + (light.rim_sheen.astype(np.float32) @ caught_of).reshape(height, width)
    factor = np.minimum(gain * 128, 255).astype(np.uint8)
    added = np.minimum(sheen, 255).astype(np.uint8)
    alpha = texture[:, :, 3]
    shone = cv2.multiply(texture[:, :, :3], cv2.merge([factor] * 3), scale=1 / 128)
    shone = cv2.add(shone, cv2.merge([added] * 3))
    shone = cv2.multiply(shone, cv2.merge([alpha] * 3), scale=1 / 255)
    result = np.empty_like(texture)
    result[:, :, :3] = shone
    result[:, :, 3] = alpha
    return result


SIDE_NUMBERS = {name: number for number, name in enumerate(SIDES)}
DECOY_VISIBLE = 0.7  # share of a decoy that must be seen
STANDING_COSINE = 0.7  # of a face's normal to the vertical, below which its tile stands
CONTACT = 0.35  # darkness of the table right under a box
SEAM_PX = 0.6  # how far sides are painted over their edges, so that nothing shows between them
RIM_OF_CORNER = 0.65  # width of the rim that catches light, of the corner's radius
EDGE_OF_CORNER = 0.55  # radius of a tile's edges, of that of the corners of its face
ROUND_PX = 1.2  # radius of a tile's corners, from which its outline is drawn round


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
    """The faces that are at least partly visible; seen: how many px show each number."""
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


FRAMES = ((1280, 960), (1280, 720), (1200, 800), (960, 1280), (720, 1280), (800, 1200))
"""Width and height of pictures in the proportions that telephones take, lying and upright."""

BARELY_SHARE = 0.85  # of blurred pictures that are blurred hardly more than a good lens blurs

# Gains of blue, green and red: lamps of homes, of clubs, daylight from a window, the pink of a wrong balance.
LAMPS = ((0.68, 0.88, 1.0), (0.9, 1.0, 1.0), (1.0, 0.97, 0.86), (0.86, 0.86, 1.0), (0.8, 1.0, 0.95))


def choose_frame(rng: Rng) -> tuple[int, int]:
    """Width and height of a picture, px."""
    return FRAMES[int(rng.integers(len(FRAMES)))]


def take_scene(rng: Rng, scene: Scene, strength: float = 1.0) -> Scene:
    """The scene as a telephone would have taken it; strength: 0 as good as possible, 1 as they are in use."""
    scene = _shear(rng, scene, strength)
    image = scene.image
    if rng.random() < 0.5 * strength:
        image = _blur(rng, image)
    image = _expose(rng, image, strength)
    if rng.random() < 0.6 * strength:
        image = _add_noise(rng, image, strength)
        if rng.random() < 0.6:
            image = smear(rng, image)
    if rng.random() < 0.6 * strength:
        image = sharpen(rng, image)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(round(94 - 50 * strength), 96))]
    return replace(
        scene, image=np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], 1), np.uint8)
    )


def shrink_scene(scene: Scene, share: float) -> Scene:
    """The scene as a smaller picture, truth and all."""
    height, width = scene.image.shape[:2]
    size = max(1, round(width * share)), max(1, round(height * share))
    image = np.asarray(cv2.resize(scene.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _map_scene(scene, image, np.array([[size[0] / width, 0, 0], [0, size[1] / height, 0]]))


def cut_scene(scene: Scene, left: int, top: int, width: int, height: int) -> Scene:
    """A part of the scene; what it shows of a tile that is cut counts as visible."""
    part = scene.image[top : top + height, left : left + width].copy()
    moved = _map_scene(scene, part, np.array([[1.0, 0, -left], [0, 1.0, -top]]))
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    tiles = []
    for tile in moved.tiles:
        quad = np.array(tile.quad, np.float32)
        area = max(1e-6, cv2.contourArea(quad))
        share = float(cv2.intersectConvexConvex(quad, frame)[0]) / area
        if share > 0:
            tiles.append(replace(tile, visible=min(tile.visible, share)))
    return replace(moved, tiles=tuple(tiles))


def _map_scene(scene: Scene, image: Image, matrix: np.ndarray) -> Scene:
    """A scene with another picture, to which this affine map (2, 3) takes its points."""

    def bend(quad: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        points = np.array(quad) @ matrix[:, :2].T + matrix[:, 2]
        return tuple((float(x), float(y)) for x, y in points)

    tiles = tuple(replace(tile, quad=bend(tile.quad)) for tile in scene.tiles)
    return Scene(image, tiles, tuple(bend(decoy) for decoy in scene.decoys))


def _shear(rng: Rng, scene: Scene, strength: float) -> Scene:
    """Rolling shutter: lines taken later are shifted or squeezed, as far as a moving hand does that."""
    if rng.random() > 0.3 * strength:
        return scene
    height, width = scene.image.shape[:2]
    shear, stretch = float(rng.normal(0, 0.012)), float(rng.normal(0, 0.008))
    matrix = np.array([[1.0, shear, -shear * height / 2], [0.0, 1 + stretch, -stretch * height / 2]])
    image = cv2.warpAffine(scene.image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return _map_scene(scene, np.asarray(image, np.uint8), matrix)


def _blur(rng: Rng, image: Image) -> Image:
    """Out of focus or shaken, by some thousandths of the picture's width."""
    thousandths = rng.uniform(0.2, 0.8) if rng.random() < BARELY_SHARE else rng.uniform(0.8, 1.7)
    reach = float(thousandths) * max(image.shape[:2]) / 1000
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.4, reach)), np.uint8)
    length = 2 * max(1, round(reach * 2)) + 1
    kernel = np.zeros((length, length), np.float32)
    start = int(rng.integers(0, length))  # a line through the middle, so that nothing is shifted
    cv2.line(kernel, (0, start), (length - 1, length - 1 - start), 1.0)
    kernel = kernel if rng.random() < 0.5 else kernel.T
    return np.asarray(cv2.filter2D(image, -1, np.ascontiguousarray(kernel / kernel.sum())), np.uint8)


def _expose(rng: Rng, image: Image, strength: float) -> Image:
    """Exposure, white balance, the curve of contrast, and darker corners."""
    gains = np.array(LAMPS[int(rng.integers(len(LAMPS)))]) ** (strength * float(rng.uniform(0, 1)))
    dim = rng.random() < 0.14 * strength
    level = float(rng.uniform(0.4, 0.7)) if dim else float(np.exp(rng.normal(0.06, 0.14 * strength)))
    curve = float(np.exp(rng.normal(0, 0.12 * strength)))
    steps = np.arange(256) / 255
    tables = [np.clip(255 * (np.clip(steps * gain * level, 0, None) ** curve), 0, 255) for gain in gains]
    result = cv2.LUT(image, np.stack(tables, axis=1).astype(np.uint8)[:, None])
    if rng.random() < 0.5 * strength:
        height, width = image.shape[:2]
        y, x = np.mgrid[-1:1:33j, -1:1:33j]
        dark = 255 * (1 - float(rng.uniform(0.05, 0.35)) * (x * x + y * y) / 2)
        falls = cv2.resize(dark.astype(np.uint8), (width, height), interpolation=cv2.INTER_LINEAR)
        result = cv2.multiply(result, cv2.merge([falls, falls, falls]), scale=1 / 255)
    return np.asarray(result, np.uint8)


def _add_noise(rng: Rng, image: Image, strength: float) -> Image:
    """Grain of the sensor, in brightness fine, in colour coarse."""
    height, width = image.shape[:2]
    loud = float(np.exp(rng.uniform(np.log(1.0), np.log(9.0)))) * strength
    fine = rng.standard_normal((height // 2 + 1, width // 2 + 1), np.float32) * np.float32(loud)
    how = cv2.INTER_NEAREST if rng.random() < 0.3 else cv2.INTER_LINEAR
    grain = cv2.resize(fine, (width, height), interpolation=how)
    coarse = rng.standard_normal((height // 4 + 1, width // 4 + 1, 3), np.float32)
    blotches = cv2.resize(coarse * np.float32(loud * rng.uniform(0, 0.8)), (width, height))
    return np.asarray(cv2.add(image, cv2.add(blotches, cv2.merge([grain] * 3)), dtype=cv2.CV_8U), np.uint8)


def smear(rng: Rng, image: Image) -> Image:
    """A (H, W, 3) uint8 picture as removing noise leaves it: small things run together like water colours,
    edges stay."""
    smooth = cv2.medianBlur(image, 3 if rng.random() < 0.6 else 5)
    share = float(rng.uniform(0.4, 1.0))
    return np.asarray(cv2.addWeighted(smooth, share, image, 1 - share, 0), np.uint8)


def sharpen(rng: Rng, image: Image, scale: float = 1.0) -> Image:
    """A (H, W, 3) uint8 picture with the rims of sharpening, 0.7 to 2 times `scale` px wide."""
    return add_rims(image, float(rng.uniform(0.7, 2.0)) * scale, float(rng.uniform(0.3, 1.6)))


def add_rims(image: Image, reach_px: float, amount: float) -> Image:
    """A (H, W, 3) uint8 picture with the bright and dark rims of sharpening, so wide and so strong."""
    soft = cv2.GaussianBlur(image, (0, 0), reach_px)
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)
