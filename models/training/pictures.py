"""Everything the networks learn from, gathered once: labelled photos, rendered tables, pictures without
tiles."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.images import Image
from companion.tiles import BACK as BACK_CODE
from lab.scenes.draw import Scene
from lab.scenes.surfaces import make_surface
from lab.scenes.table import random_scene, tileless_scene
from models.training.club import draw_bare_picture, draw_club_picture, draw_printed_picture
from models.training.designs import CODES, Designs, differ
from models.training.finder_data import BACK, FACE, UNSURE, FinderPicture
from models.training.image_files import load_image
from models.training.in_parts import JOBS, work_in_parts

SCENE_PX = 640
CLUB_SHARE = 0.65  # of rendered pictures that are drawn as in clubs, by telephones
JAPANESE_SHARE = 0.3  # of procedural designs
STYLES_AT_ONCE = 200  # procedural designs that a process holds: some 6 MB each
VISIBLE_SHARE = 0.6  # of a face, from which it must be found
HIDDEN_SHARE = 0.15  # up to which it counts as not there
ROW_TILT_DEG = 4.0  # of a row, up to which an upright box is its tiles' outline


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """A labelled picture.

    for_finder: the picture and its quads (n, 4, 2); codes: of each quad; upright: the quads start at the
    glyph's top left; decoys: (k, 4, 2) px, what looks like a tile and is not one.
    """

    for_finder: FinderPicture
    codes: tuple[str, ...]
    upright: bool
    decoys: np.ndarray = field(default_factory=lambda: np.zeros((0, 4, 2)))


def order_clockwise(points: np.ndarray) -> np.ndarray:
    """The four corners (4, 2) of any outline, clockwise on the screen, starting nearest the picture's top
    left."""
    hull = cv2.convexHull(points.astype(np.float32))
    four = (
        cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2) if len(hull) > 4 else hull.reshape(-1, 2)
    )
    if len(four) != 4:
        four = cv2.boxPoints(cv2.minAreaRect(hull))
    around = np.argsort(np.arctan2(*(four - four.mean(axis=0)).T[::-1]))
    four = four[around]
    return np.roll(four, -int(np.argmin(four.sum(axis=1))), axis=0).astype(np.float64)


PHOTOGRAPHED = ("photos/train.json", "photos-2/train-2.json")
"""The splits whose photos the networks learn from, as far as a collection has them."""


def load_training_photos(data: Path) -> list[LabelledPicture]:
    """The labelled photos that there are to learn from, boxes as quads; what is neither right nor wrong in
    them is UNSURE."""
    files = [data / name for name in PHOTOGRAPHED]
    return [photo for file in files if file.is_file() for photo in _load_photos(file)]


def _load_photos(file: Path) -> list[LabelledPicture]:
    labels = json.loads(file.read_text())
    names = {category["id"]: category["name"] for category in labels["categories"]}
    boxes: dict[int, list[dict[str, Any]]] = {image["id"]: [] for image in labels["images"]}
    for annotation in labels["annotations"]:
        boxes[annotation["image_id"]].append(annotation)
    return [_label_photo(file.parent, image, boxes[image["id"]], names) for image in labels["images"]]


def _label_photo(
    folder: Path, image: dict[str, Any], boxes: list[dict[str, Any]], names: dict[int, str]
) -> LabelledPicture:
    upright = image["box_fit"] == "upright" and _is_level(image)
    quads, codes, shaped = [], [], []
    for box in boxes:
        x, y, w, h = box["bbox"]
        outline = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], float)
        if box["segmentation"]:
            outline = order_clockwise(np.array(box["segmentation"][0], float).reshape(-1, 2))
        quads.append(outline)
        codes.append(names[box["category_id"]])
        shaped.append(bool(box["segmentation"]) or upright)
    kinds = [BACK if code == BACK_CODE else FACE for code in codes]
    for region in image.get("ignore", ()):
        quads.append(order_clockwise(np.array(region, float).reshape(-1, 2)))
        codes.append(BACK_CODE)
        shaped.append(False)
        kinds.append(UNSURE)
    covered = bool(image.get("covered", False))
    labelled = FinderPicture(
        (folder / image["file_name"]).read_bytes(),
        np.array(quads).reshape(-1, 4, 2),
        np.array(kinds, int),
        np.array(shaped, bool),
        complete=covered or bool(image["complete"]),
        backs_known=covered or bool(image.get("backs_complete", False)),
    )
    return LabelledPicture(labelled, tuple(codes), upright=False)


def _is_level(image: dict[str, Any]) -> bool:
    """Whether the rows of a photo run along its edges, as far as is known."""
    tilt = image.get("row_tilt_deg")
    return not isinstance(tilt, int | float) or abs((tilt + 45) % 90 - 45) <= ROW_TILT_DEG


def load_empty_pictures(data: Path) -> list[LabelledPicture]:
    """Pictures without any tile."""
    nothing = np.zeros((0, 4, 2))
    flags = np.zeros(0, bool)
    return [
        LabelledPicture(
            FinderPicture(path.read_bytes(), nothing, np.zeros(0, int), flags, True, True), (), False
        )
        for path in sorted([*data.glob("backgrounds/*/*.jpg"), *data.glob("photos-2/negatives/*.jpg")])
    ]


def label_scene(scene: Scene, one_colour: bool = False) -> LabelledPicture:
    """A rendered table as a labelled picture. In a set of one colour nobody can tell a back from a blank
    face, so its backs are neither wanted nor wrong."""
    tiles = [tile for tile in scene.tiles if tile.visible > HIDDEN_SHARE]
    kinds = [
        UNSURE
        if tile.visible < VISIBLE_SHARE or (one_colour and tile.code == "back")
        else BACK
        if tile.code == "back"
        else FACE
        for tile in tiles
    ]
    jpeg = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    quads = np.array([tile.quad for tile in tiles]).reshape(-1, 4, 2)
    return LabelledPicture(
        FinderPicture(jpeg, quads, np.array(kinds, int), np.ones(len(tiles), bool), True, True),
        tuple(tile.code for tile in tiles),
        True,
        np.array([] if one_colour else scene.decoys, float).reshape(-1, 4, 2),
    )


def make_ground(data: Path) -> Callable[[np.random.Generator, int, int], Image]:
    """A function that draws table tops: half of them made, half cut out of pictures without tiles."""
    paths = sorted((data / "backgrounds").glob("*/*.jpg"))

    def ground(rng: np.random.Generator, height: int, width: int) -> Image:
        if rng.random() < 0.5:
            return make_surface(rng, height, width)
        picture = load_image(paths[rng.integers(len(paths))])
        rows, columns = picture.shape[:2]
        share = rng.uniform(0.4, 1.0)
        h, w = int(rows * share), int(columns * share)
        y, x = int(rng.integers(0, rows - h + 1)), int(rng.integers(0, columns - w + 1))
        resized = cv2.resize(picture[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(resized, np.uint8)

    return ground


def _render(
    data: Path, styles: int, count: int, seed: int, tileless: bool, codes: Sequence[str]
) -> list[LabelledPicture]:
    cv2.setNumThreads(1)
    designs = Designs(data, styles, seed, codes=codes, japanese=JAPANESE_SHARE)
    ground = make_ground(data)
    rng = np.random.default_rng(seed)
    draw = tileless_scene if tileless else random_scene
    club = CLUB_SHARE if len(codes) == len(CODES) else 0.0
    result = []
    for _ in range(count):
        if rng.random() < club:
            if tileless:
                result.append(label_scene(draw_bare_picture(rng, ground=ground)))
            else:
                picture = draw_club_picture(rng, designs, ground=ground)
                result.append(label_scene(picture.scene, picture.one_colour))
            continue
        bodies = designs.sample(rng)
        scene = draw(rng, bodies, width=SCENE_PX, height=SCENE_PX, ground=ground)
        result.append(label_scene(scene, not differ(bodies.front, bodies.rear)))
    return result


def _render_prints(data: Path, styles: int, count: int, seed: int) -> list[LabelledPicture]:
    cv2.setNumThreads(1)
    designs = Designs(data, styles, seed, japanese=JAPANESE_SHARE)
    ground = make_ground(data)
    rng = np.random.default_rng(seed)
    pictures = [draw_printed_picture(rng, designs, tiles=at % 2 == 0, ground=ground) for at in range(count)]
    return [label_scene(picture.scene, picture.one_colour) for picture in pictures]


def _take_part(number: int, k: int, parts: int) -> int:
    """The `k`th of nearly equal parts whose sum is the number."""
    return number * (k + 1) // parts - number * k // parts


def render_scenes(
    data: Path,
    styles: int,
    count: int,
    seed: int,
    *,
    tileless: bool = False,
    codes: Sequence[str] = CODES,
) -> list[LabelledPicture]:
    """`count` rendered tables in `styles` procedural designs and all others, or tables without tiles; a share
    of them as in clubs and by telephones.

    codes: the kinds that are drawn; if not all, in procedural designs only. The same seed gives the same
    tables.
    """
    parts = [(*part, tileless, codes) for part in _cut_work(data, styles, count, seed)]
    return [picture for part in work_in_parts(_render, parts) for picture in part]


def render_prints(data: Path, styles: int, count: int, seed: int) -> list[LabelledPicture]:
    """`count` pictures of print and handwriting that is no tile, half of them with tiles in `styles`
    procedural designs and all others. The same seed gives the same pictures."""
    parts = _cut_work(data, styles, count, seed)
    return [picture for part in work_in_parts(_render_prints, parts) for picture in part]


def _cut_work(data: Path, styles: int, count: int, seed: int) -> list[tuple[Path, int, int, int]]:
    """The arguments of each part of a drawing: data, its styles, pictures and seed."""
    jobs = max(JOBS, math.ceil(styles / STYLES_AT_ONCE))
    return [
        (data, max(1, _take_part(styles, k, jobs)), _take_part(count, k, jobs), seed * 1000 + k)
        for k in range(jobs)
    ]
