"""How plain films look: cameras, tiles, tables and rooms, chosen by a seed.

Faces may be photographed ones: a folder with a folder for each set of tiles, in it `1m.png`, `7z.jpg` and so
on, upright; kinds that are not there are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from lab.art.faces import CODES, draw_face, random_style
from lab.film.customs import HALF_MM
from lab.film.pose import Pose, list_corners
from lab.scenes.geometry import Camera, Floats, round_to_pixels
from lab.scenes.surfaces import make_surface
from lab.scenes.things import Rng

NO_PICTURE = "'{file}' is not a picture that can be read."
FACE_PX = (96, 128)
SIZES = ((1920, 1080), (1920, 1080), (1280, 720))
STANDS = {Pose.ABOVE: (85.0, 3.0, 0.0), Pose.CORNER: (45.0, 5.0, 45.0), Pose.SIDE: (32.0, 3.0, 0.0)}
"""Degrees above the table, their spread, and degrees round it."""
CLOTHS = ("plain", "gradient", "noisy", "drawn")
EDGES = ("rim",) * 3 + ("cloth ends",) * 3 + ("round", "none")
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """How one film looks. ground: the picture (H, W, 3) without tiles; faces: BGR pictures by code; front,
    rear: colours of a tile's face and back; split: share of its depth that is of the back's colour; shadow:
    0..1; moves: how tiles come, `pop`, `slide` or `arm`; arm, sleeve: colours of people's arms; grain: grey
    levels of noise; blur: px."""

    camera: Camera
    ground: Image
    faces: dict[str, Image]
    front: Colour
    rear: Colour
    split: float
    shadow: float
    moves: str
    arm: Colour
    sleeve: Colour
    grain: float
    blur: float
    frames_a_second: float


def choose_looks(rng: Rng, pose: Pose, faces: Path | None, edge: str | None = None) -> Looks:
    """Looks for a film. faces: a folder of photographed faces; edge: one of EDGES, where it is not chosen."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    camera = place_camera(pose, rng, width, height)
    shown = load_faces(faces, rng)
    rims = np.concatenate([face[:4].reshape(-1, 3) for face in shown.values()])
    hue = np.array([[[rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(40, 220)]]], np.uint8)
    b, g, r = (float(c) for c in cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0])
    front = tuple(float(c) for c in np.median(rims, axis=0))
    skin = float(rng.uniform(0.35, 1.0))
    arm = (140 * skin, 170 * skin, 225 * skin)
    return Looks(
        camera,
        draw_ground(camera, rng, width, height, edge),
        shown,
        (front[0], front[1], front[2]),
        (b, g, r),
        float(rng.choice([0.0, 0.3, 0.5])),
        float(rng.choice([0.0, 0.35, 0.5])),
        str(rng.choice(["pop", "slide", "arm", "arm"])),
        arm,
        tuple(rng.uniform(15, 120, 3).tolist()) if rng.random() < 0.5 else arm,
        float(rng.choice([0.0, 1.5, 3.0])),
        float(rng.choice([0.0, 0.5, 0.8])),
        float(rng.choice([5, 6, 8])),
    )


def load_faces(folder: Path | None, rng: Rng) -> dict[str, Image]:
    """The faces of one set of tiles (128, 96, 3), those missing drawn on the others' ground."""
    sets = sorted(each for each in folder.iterdir() if each.is_dir()) if folder else []
    found: dict[str, Image] = {}
    if sets:
        for path in sorted(sets[int(rng.integers(len(sets)))].iterdir()):
            if path.stem in CODES:
                found[path.stem] = np.asarray(
                    cv2.resize(_load(path), FACE_PX, interpolation=cv2.INTER_AREA), np.uint8
                )
    rims = [face[:4].reshape(-1, 3) for face in found.values()]
    plain = np.median(np.concatenate(rims), axis=0) if rims else np.array(rng.uniform(200, 245, 3))
    style = random_style(rng)
    for code in CODES:
        if code not in found:
            paint = draw_face(code, style, FACE_PX[1]).astype(np.float32)
            alpha = paint[..., 3:] / 255
            found[code] = (paint[..., :3] * alpha + plain * (1 - alpha)).astype(np.uint8)
    return found


def place_camera(pose: Pose, rng: Rng, width: int, height: int) -> Camera:
    """A camera about there whose picture holds the table."""
    elevation, spread, turn = STANDS[pose]
    up = np.radians(min(elevation + rng.uniform(-spread, spread), 89.5))
    round_ = np.radians(turn + rng.uniform(-8, 8))
    focal, roll = rng.uniform(0.6, 1.1) * width, np.radians(rng.uniform(-2, 2))
    share, distance = rng.uniform(0.86, 0.98), HALF_MM
    while True:
        camera = Camera.looking_at(np.zeros(3), distance, up, round_, roll, focal, width, height)
        corners = camera.project(list_corners(HALF_MM))
        if (
            np.isfinite(corners).all()
            and (np.ptp(corners, axis=0) <= share * np.array([width, height])).all()
        ):
            middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
            camera = Camera(
                camera.position_mm, camera.rotation, camera.focal_px,
                camera.centre_px + np.array([width, height]) / 2 - middle,
            )  # fmt: skip
            return camera
        distance *= 1.02


def draw_ground(camera: Camera, rng: Rng, width: int, height: int, edge: str | None = None) -> Image:
    """The table without tiles, and the room. edge: as for `choose_looks`."""
    chosen = str(rng.choice(EDGES))
    edge = edge or chosen
    image = _make_surface(rng, "drawn" if rng.random() < 0.5 else "plain", (height, width))
    image = (image * float(rng.choice([0.15, 0.5, 0.9]))).astype(np.uint8)
    half = {"none": 1600.0, "round": 1.5 * HALF_MM}.get(edge, HALF_MM)
    cloth = _make_surface(rng, str(rng.choice(CLOTHS)), (900, 900))
    outline = list_corners(half)[:, :2]
    if edge == "round":
        turns = np.linspace(0, 2 * np.pi, 72)[:-1]
        outline = 0.9 * half * np.column_stack([np.cos(turns), np.sin(turns)])
    if edge == "rim":
        wide = half + float(rng.uniform(12, 60))
        rim = tuple(rng.uniform(20, 200, 3).tolist())
        cv2.fillConvexPoly(image, _project_flat(camera, list_corners(wide)[:, :2]), rim, cv2.LINE_AA)
    inner = list_corners(half)
    behind = (inner - camera.position_mm) @ camera.rotation[2] < 50
    if behind.any():  # a cloth that fills the frame is that everywhere
        return np.asarray(cv2.resize(cloth, (width, height)), np.uint8)
    to_px = cv2.getPerspectiveTransform(
        np.array([[0, 900], [900, 900], [900, 0], [0, 0]], np.float32),
        camera.project(inner).astype(np.float32),
    )
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [_project_flat(camera, outline)], 255, cv2.LINE_AA)
    laid = cv2.warpPerspective(
        cloth, to_px, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    share = mask[..., None].astype(np.float32) / 255
    return (laid * share + image * (1 - share)).astype(np.uint8)


def _project_flat(camera: Camera, places: Floats) -> NDArray[np.int32]:
    points = camera.project(np.column_stack([places, np.zeros(len(places))]))
    return round_to_pixels(np.nan_to_num(points).clip(-9e3, 9e3))


def _make_surface(rng: Rng, kind: str, shape: tuple[int, int]) -> Image:
    """A cloth or floor (H, W, 3)."""
    height, width = shape
    hue = np.array([[[rng.uniform(0, 180), rng.uniform(20, 200), rng.uniform(50, 200)]]], np.uint8)
    colour = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    image = np.broadcast_to(colour, (height, width, 3)).copy()
    if kind == "drawn":
        return make_surface(rng, height, width)
    if kind == "gradient":
        along = np.linspace(0.7, 1.15, width, dtype=np.float32)
        image *= along[None, :, None]
    if kind == "noisy":
        image += rng.normal(0, 9, (height, width, 1)).astype(np.float32)
        coarse = rng.normal(0, 8, (height // 30, width // 30, 1)).astype(np.float32)
        image += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(image.clip(0, 255), np.uint8)


def _load(path: Path) -> Image:
    """A picture (H, W, 3). Raises InputError where there is none."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise InputError(NO_PICTURE, file=path)
    return np.asarray(image, np.uint8)
