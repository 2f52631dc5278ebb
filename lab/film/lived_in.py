"""Tables as people have them, with the exact corners of their playing surface: loose discards, walls pushed
in or set up as a pinwheel, mats on larger tables, patterned mats, rails, papers, people's arms at all sides;
seen by cameras that cut the table off, are zoomed, or whose pictures were cropped or made small.

What people do was learned from photographs; every picture is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.arrays import Mask
from companion.seeing.table_camera import TABLE_MM, TableCamera
from lab.art.faces import CODES, draw_face, random_style
from lab.film.customs import list_corners, make_club_bodies
from lab.scenes.club import Setting, draw_table, lies_apart, make_room_light, make_table_things
from lab.scenes.draw import Scene, take_scene
from lab.scenes.furniture import draw_dim_room, make_random_furniture
from lab.scenes.geometry import Camera, Floats, fill_flat, rotation_x, rotation_y, rotation_z
from lab.scenes.layouts import (
    GAP_MM,
    QUARTER,
    Part,
    Resting,
    Tabletop,
    TilePose,
    find_foot,
    lies_free,
    turn_to_seat,
)
from lab.scenes.surfaces import draw_felt, draw_plain_top, draw_wood, make_surface, make_unseen_surface
from lab.scenes.things import Rng, Thing, draw_random_arms, move_thing, page, place_random_vessels
from lab.scenes.tileset import TileBodies

SIDE_TILES = (24.5, 34.0)
"""Side of the playing surface, in widths of a tile."""
FRAMES = ((1920, 1080), (1600, 1200), (1280, 720), (1200, 1600), (1080, 1440), (800, 600), (453, 340))
KINDS = {"automatic": 0.3, "trays": 0.15, "mat": 0.25, "printed mat": 0.1, "bare": 0.2}
"""Kinds of tables, and how common they are."""
FACE_PX = 96
PRINT_PX = 1200
"""Side of the picture of a cloth that lies on the table."""


@dataclass(frozen=True, slots=True, eq=False)
class LivedIn:
    """image: (H, W, 3) uint8 BGR; camera: whose picture it is; half_mm: half the side of the playing surface;
    kind: of the table."""

    image: Image
    camera: Camera
    half_mm: float
    kind: str

    @property
    def corners(self) -> Floats:
        """The corners (4, 2) px of the playing surface, counterclockwise, in or outside the picture."""
        return self.camera.project(list_corners(self.half_mm))


def draw_lived_in(rng: Rng, *, kind: str | None = None, seen: TableCamera | None = None) -> LivedIn:
    """A table in play, or before or after a hand. kind: one of KINDS; seen: where a camera has the table; by
    default any."""
    bodies = _make_bodies(rng)
    half = float(bodies.size_mm[0]) * float(rng.uniform(*SIDE_TILES)) / 2
    kind = kind or str(rng.choice(list(KINDS), p=list(KINDS.values())))
    if seen is None:
        width, height = FRAMES[int(rng.integers(len(FRAMES)))]
        camera = aim_camera(rng, half, width, height)
    else:
        width, height, camera = seen.width, seen.height, _copy_camera(seen, half)
    device = float(rng.uniform(52, 85)) if kind == "automatic" else 0.0
    layout = lay_lived_in(rng, bodies, half, device)
    setting = make_lived_in_setting(rng, kind, half, device, camera, (width, height))
    placed = layout.place_tiles()
    papers = [_drop_page(rng, half) for _ in range(int(rng.choice([0, 1, 3], p=[0.7, 0.2, 0.1])))]
    things = (*make_table_things(rng, half), *papers)
    kept = tuple(thing for thing in things if thing.flat or lies_apart(thing, placed))
    arms = draw_random_arms(rng, camera, half, int(rng.choice([0, 1, 2, 4, 7])), height, width)
    scene = draw_table(layout, replace(setting, things=kept), camera, bodies, arms)
    taken = take_scene(rng, Scene(scene.image, (), ()), float(rng.uniform(0.3, 1.0)))
    return LivedIn(taken.image, camera, half, kind)


def _make_bodies(rng: Rng) -> TileBodies:
    style = random_style(rng)
    return make_club_bodies(rng, {code: draw_face(code, style, FACE_PX) for code in CODES})


def _copy_camera(seen: TableCamera, half_mm: float) -> Camera:
    """A camera that has a table of that half side where this one has its own, as nearly as a pinhole can."""
    middle = np.array([seen.width / 2, seen.height / 2])
    lens = np.array([[seen.focal_px, 0, middle[0]], [0, seen.focal_px, middle[1]], [0, 0, 1.0]])
    turned = np.linalg.inv(lens) @ seen.projection[:, :3] * np.sign(seen.projection[2, 3])
    u, _, v = np.linalg.svd(turned)
    return Camera(seen.position_mm * 2 * half_mm / TABLE_MM, u @ v, seen.focal_px, middle)


def aim_camera(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """A camera that a person accepts: it sees most of the table. A third are zoomed, or show a part of a
    larger picture, so that the middle of the lens is not the picture's."""
    longer = max(width, height)
    elevation = float(np.radians(rng.choice([rng.uniform(22, 62), rng.uniform(62, 88)], p=[0.85, 0.15])))
    around = rng.choice([0.0, 0.5], p=[0.5, 0.5]) + rng.normal(0, 0.12)
    turn = (float(rng.integers(4)) + float(around)) * QUARTER
    is_cropped = rng.random() < 0.35
    focal = float(rng.uniform(0.6, 1.0)) * (float(rng.uniform(1.0, 3.2)) if is_cropped else 1.0) * longer
    roll = float(rng.normal(0, 0.04))
    for _ in range(100):
        distance = half_mm * focal / longer * float(rng.uniform(1.6, 4.5))
        target = np.array([*rng.normal(0, 0.12 * half_mm, 2), 0.0])
        distance = max(distance, 1.25 * half_mm)
        camera = Camera.looking_at(target, distance, elevation, turn, roll, focal, width, height)
        if is_cropped:  # it looked past the table, which was cut out of its picture
            away = rng.normal(0, 0.25 * (focal / longer), 2) * [width, height]
            middle = camera.project(target[None])[0]
            moved = replace(camera, rotation=_tilt(np.arctan2(away, focal)) @ camera.rotation)
            camera = replace(moved, centre_px=moved.centre_px + middle - moved.project(target[None])[0])
        if _shows_enough(camera, half_mm, width, height):
            return camera
    return camera


def _tilt(angles: Floats) -> Floats:
    """A turn (3, 3) of a camera to the side and down by these angles (2,), radians."""
    return np.asarray(rotation_x(float(angles[1])) @ rotation_y(-float(angles[0])))


def _shows_enough(camera: Camera, half_mm: float, width: int, height: int) -> bool:
    """Whether the picture holds most of the table and the table fills much of it, as with a camera that a
    person would leave there."""
    steps = np.linspace(-half_mm, half_mm, 15)
    x, y = (each.ravel() for each in np.meshgrid(steps, steps))
    seen = camera.project(np.column_stack([x, y, np.zeros(len(x))]))
    if not np.isfinite(seen).all():
        return False
    held: Mask = np.asarray(((seen > 0) & (seen < [width, height])).all(axis=1))
    inner = np.abs(np.column_stack([x, y])).max(axis=1) < 0.6 * half_mm
    area = cv2.contourArea(cv2.convexHull(seen.astype(np.float32))) / (width * height)
    return bool(held.mean() > 0.86 and held[inner].all() and 0.14 < area < 1.1)


def lay_lived_in(rng: Rng, bodies: TileBodies, half_mm: float, device_mm: float) -> Tabletop:
    """The tiles: hands of some seats, what is left of the walls, melds, and discards in rows or where they
    fell."""
    size = bodies.size_mm
    codes = [str(code) for code in rng.choice(CODES, 200)] * 3
    taken: list[tuple[Floats, Floats]] = []
    tiles: list[Resting] = []

    def put(candidates: Sequence[Resting], *, apart: bool = False) -> None:
        """Lay down those that have room; apart: each of them needs its own."""
        before = taken if apart else list(taken)
        for each in candidates:
            spot = np.array([each.x_mm, each.y_mm])
            feet = find_foot(size, each.angle)
            if np.abs(spot).max() < half_mm and lies_free(spot, feet, before):
                tiles.append(each)
                if not each.layer:
                    taken.append((spot, feet + spot))

    stage = str(rng.choice(["built", "play", "play", "play", "play", "end"]))
    custom = str(rng.choice(["ring", "pinwheel", "pushed"]))
    for seat in range(4):
        if stage != "built" and rng.random() < 0.93:
            put(turn_to_seat(_lay_hand(rng, codes, size, half_mm), seat))
    for seat in range(4):
        left = (
            float(rng.uniform(0.5, 1.0)) if stage == "built" else float(rng.choice([0, rng.uniform(0, 1), 1]))
        )
        put(turn_to_seat(_lay_wall(rng, codes, size, half_mm, custom, left), seat))
    if stage != "built":
        put(_lay_discards(rng, codes, size, half_mm, device_mm, open_hand=stage == "end"), apart=True)
    width, height, depth = (float(value) for value in size)
    return Tabletop((width, height, depth), tuple(tiles))


def _lay_hand(rng: Rng, codes: list[str], size: Floats, half_mm: float) -> list[Resting]:
    """A hand along the edge, at a slant and off its middle, with melds at one end."""
    width, height, _ = (float(value) for value in size)
    count = int(rng.choice([4, 7, 10, 13, 14, 16]))
    pose = (TilePose.STANDING, TilePose.FACE_UP, TilePose.FACE_DOWN)[int(rng.choice(3, p=[0.75, 0.13, 0.12]))]
    away = half_mm - height * float(rng.uniform(0.5, 3.2))
    slant, middle = float(rng.normal(0, 0.03)), float(rng.normal(0, 0.12)) * half_mm
    lean = float(rng.choice([0.0, rng.uniform(0.0, 0.5)]))
    tiles = []
    for index in range(count):
        along = (index - (count - 1) / 2) * (width + GAP_MM)
        x, y = middle + along * np.cos(slant), -away + along * np.sin(slant)
        turn = slant + float(rng.normal(0, 0.01))
        tiles.append(Resting(codes.pop(), float(x), float(y), turn, pose, 0, lean, part=Part.HAND))
    at = middle + (count / 2 + 1.5) * width
    for _ in range(max(0, (14 - count) // 3)):
        if rng.random() < 0.75:
            for _ in range(3):
                y = -away + float(rng.normal(0, 1.0))
                turn = slant + float(rng.normal(0, 0.03))
                tiles.append(Resting(codes.pop(), at, y, turn, TilePose.FACE_UP, part=Part.MELD))
                at += width + GAP_MM
            at += float(rng.uniform(0, 0.6)) * width
    return tiles


def _lay_wall(
    rng: Rng, codes: list[str], size: Floats, half_mm: float, custom: str, left: float
) -> list[Resting]:
    """One side's wall of two layers, of which this share is left: round the middle, pushed in at a slant, or
    reaching past the middle on one side as the arms of a pinwheel do."""
    width, height, _ = (float(value) for value in size)
    stacks = int(rng.integers(13, 19))
    long = stacks * (width + GAP_MM)
    away = min(long / 2 + 0.6 * height, half_mm - 4 * height)
    slide, slant = float(rng.normal(0, 0.4)) * width, 0.0
    if custom == "pinwheel":
        away = float(rng.uniform(0.3, 0.42)) * half_mm
        slide, slant = long * float(rng.uniform(0.06, 0.2)), float(rng.uniform(0.0, 0.25))
    elif custom == "pushed":
        slant, away = float(rng.normal(0, 0.12)), away * float(rng.uniform(0.6, 1.0))
    kept = round(stacks * left)
    begins = int(rng.choice([0, stacks - kept]))
    tiles = []
    for stack in range(begins, begins + kept):
        along = (stack - (stacks - 1) / 2) * (width + GAP_MM)
        x, y = slide + along * np.cos(slant), -away + along * np.sin(slant)
        for layer in range(2 if stack < begins + kept - 1 or rng.random() < 0.5 else 1):
            dx, dy, turn = rng.normal(0, [0.3, 0.8, 0.008])
            x_mm, y_mm, angle = float(x + dx), float(y + dy), slant + float(turn)
            lying = Resting(codes.pop(), x_mm, y_mm, angle, TilePose.FACE_DOWN, layer, part=Part.WALL)
            tiles.append(lying)
    return tiles


def _lay_discards(
    rng: Rng, codes: list[str], size: Floats, half_mm: float, device_mm: float, *, open_hand: bool
) -> list[Resting]:
    """Discards in rows of six before each seat, or loose about one place; and strewn ones after a hand."""
    width, height, _ = (float(value) for value in size)
    tiles: list[Resting] = []
    if rng.random() < 0.35:
        start = max(device_mm + 4, 3.1 * width)
        for seat in range(4):
            for index in range(int(rng.integers(1, 19))):
                x_mm = (index % 6 - 2.5) * (width + 1) + float(rng.normal(0, 0.6))
                y_mm = -start - (index // 6 + 0.5) * (height + 1) + float(rng.normal(0, 0.8))
                lying = Resting(codes.pop(), x_mm, y_mm, float(rng.normal(0, 0.02)), TilePose.FACE_UP)
                tiles += turn_to_seat([lying], seat)
        return tiles
    middle = rng.normal(0, rng.choice([0.08, 0.25]), 2) * half_mm
    spread = float(rng.uniform(0.12, 0.33)) * half_mm
    aligned = float(rng.choice([0.1, 0.6]))
    for _ in range(int(rng.integers(3, 60))):
        x, y = middle + rng.normal(0, spread, 2)
        if device_mm and max(abs(x), abs(y)) < device_mm + height / 2:
            continue
        turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, aligned))
        pose = TilePose.FACE_DOWN if rng.random() < (0.4 if open_hand else 0.04) else TilePose.FACE_UP
        tiles.append(Resting(codes.pop(), float(x), float(y), turn, pose))
    return tiles


def make_lived_in_setting(
    rng: Rng, kind: str, half_mm: float, device_mm: float, camera: Camera, frame: tuple[int, int]
) -> Setting:
    """The table of that kind in its room. frame: width and height of the picture."""
    width, height = frame
    room = draw_dim_room(rng, height, width) if rng.random() < 0.6 else make_surface(rng, height, width)
    furniture = make_random_furniture(rng, half_mm, device_mm=device_mm)
    if kind in ("mat", "printed mat"):
        furniture = replace(furniture, rim_mm=0.0, apron_mm=2.0, trays=(None,) * 4, fronts=(None,) * 4)
        room = _draw_larger_table(rng, room, camera, half_mm)
    elif kind == "bare":
        thin = float(rng.choice([0.0, rng.uniform(15, 60)]))
        furniture = replace(furniture, rim_mm=thin, trays=(None,) * 4, fronts=(None,) * 4)
    elif kind == "trays":
        dark = tuple(int(level) for level in rng.integers(10, 60, 3))
        furniture = replace(furniture, rim=(dark[0], dark[1], dark[2]), rim_mm=float(rng.uniform(60, 110)))
    if kind == "printed mat":
        top = make_unseen_surface if rng.random() < 0.3 else make_surface
        cloth = _lay_flat(top(rng, PRINT_PX, PRINT_PX), camera, half_mm, frame)
    elif kind == "bare":
        top = draw_wood if rng.random() < 0.6 else draw_plain_top
        cloth = _lay_flat(top(rng, PRINT_PX, PRINT_PX), camera, half_mm, frame)
    else:
        cloth = draw_felt(rng, height, width)
    return Setting(furniture, make_room_light(rng), cloth, room, (), place_random_vessels(rng, half_mm))


def _draw_larger_table(rng: Rng, room: Image, camera: Camera, half_mm: float) -> Image:
    """A room with a table in it that is larger than the mat, and not in its middle."""
    height, width = room.shape[:2]
    reach = half_mm * rng.uniform(1.04, 1.6, 2)
    middle = rng.uniform(-1, 1, 2) * (reach - half_mm) * 0.8
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach + middle
    cover = np.zeros((height, width), np.uint8)
    fill_flat(cover, camera, np.column_stack([square, np.full(4, -2.0)]), (255,))
    top = (draw_wood if rng.random() < 0.7 else draw_plain_top)(rng, PRINT_PX, PRINT_PX)
    laid = _lay_flat(top, camera, float(reach.max() + np.abs(middle).max()), (width, height))
    share = cover * np.float32(1 / 255)
    return np.asarray(cv2.blendLinear(laid, room, share, 1 - share), np.uint8)


def _lay_flat(picture: Image, camera: Camera, half_mm: float, frame: tuple[int, int]) -> Image:
    """A square picture as it looks lying on the table, up to this far from its middle."""
    side = picture.shape[0]
    there = camera.project(list_corners(half_mm))
    if not np.isfinite(there).all():
        return cv2.resize(picture, frame).astype(np.uint8)
    here = np.array([[0, side], [side, side], [side, 0], [0, 0]], np.float32)
    seen = cv2.getPerspectiveTransform(here, there.astype(np.float32))
    return np.asarray(
        cv2.warpPerspective(picture, seen, frame, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101),
        np.uint8,
    )


def _drop_page(rng: Rng, half_mm: float) -> Thing:
    """A paper at the edge of the table."""
    side = rotation_z(float(rng.integers(4)) * QUARTER)
    x, y, _ = side @ np.array([rng.uniform(-0.9, 0.9) * half_mm, -half_mm * rng.uniform(0.9, 1.2), 0])
    return move_thing(page(rng), float(x), float(y), float(rng.uniform(0, 6.3)))
