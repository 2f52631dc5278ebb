"""A test set of drawn tables in designs and on surfaces that no training picture shows, each laid out of one
box of tiles, labelled as `companion bench vision` reads it, and one of tables without tiles.

    python -m models.training.render --out DIR
    companion bench vision --data DIR --split rendered
    companion bench vision --data DIR --split tileless
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.art.glyphs import CANDIDATES, HANDS_FOLDER, Writing
from companion.images import Image
from companion.scenes import layouts
from companion.scenes.draw import Scene
from companion.scenes.surfaces import make_unseen_surface
from companion.scenes.table import random_scene, tileless_scene
from companion.tiles import KINDS, SET_144
from models.training.arguments import require_files
from models.training.augment import photograph
from models.training.designs import Designs, differ
from models.training.finder_data import narrow_px
from models.training.pictures import HIDDEN_SHARE, VISIBLE_SHARE

SEED = 977
STYLES = 40
WIDTH, HEIGHT = 1280, 960
TILE_PX = (34.0, 95.0)
BLUR = 0.5  # of lens and motion: at most 5 px
LEAST_PX = 18.0  # narrower extent of a face from which on it is labelled: the width of one 24 px high
MAKES = {
    "rows": layouts.row,
    "grids": layouts.grid,
    "piles": layouts.pile,
    "melds": layouts.melds,
    "hands-before-walls": layouts.hand_and_wall,
}
Sample = tuple[Image, str, list[tuple[str, np.ndarray]], bool]
"""A picture, its group, the codes and quads of its tiles, and whether these are all faces."""
CODES = [tile.code for tile in KINDS]


def label_tiles(scene: Scene) -> tuple[list[tuple[str, np.ndarray]], bool]:
    """Codes and quads (4, 2) px of the faces to be read, and whether the picture shows no other face."""
    wanted, complete = [], True
    height, width = scene.image.shape[:2]
    for tile in scene.tiles:
        quad = np.array(tile.quad)
        if tile.code == "back" or tile.visible < HIDDEN_SHARE:
            continue
        whole = np.all(quad >= 0) and np.all(quad <= [width, height])
        if tile.visible < VISIBLE_SHARE or narrow_px(quad) < LEAST_PX or not whole:
            complete = False
        else:
            wanted.append((tile.code, quad))
    return wanted, complete


def write_split(folder: Path, split: str, pictures: Sequence[Sample]) -> None:
    """Writes pictures, each with its group, labels and completeness, as JPEG files and COCO labels."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    (folder / "photos" / split).mkdir(parents=True, exist_ok=True)
    for number, (picture, group, tiles, complete) in enumerate(pictures):
        name = f"{split}/{number:04d}.jpg"
        cv2.imwrite(str(folder / "photos" / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        images.append({"id": number, "file_name": name, "group": group, "complete": complete})
        for code, quad in tiles:
            low, size = quad.min(axis=0), quad.max(axis=0) - quad.min(axis=0)
            annotations.append(
                {
                    "id": len(annotations), "image_id": number, "category_id": CODES.index(code),
                    "bbox": [*low.round(2), *size.round(2)], "segmentation": [quad.round(2).ravel().tolist()],
                }
            )  # fmt: skip
    categories = [{"id": index, "name": code} for index, code in enumerate(CODES)]
    labels = {"images": images, "annotations": annotations, "categories": categories}
    (folder / "photos" / f"{split}.json").write_text(json.dumps(labels))


def main() -> None:
    """Draws both sets; the same fonts give the same files."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where photos/ is written")
    parser.add_argument("--pictures", type=int, default=150, help="how many of each set")
    options = parser.parse_args()
    require_files(parser, *(HANDS_FOLDER / name for name, _ in CANDIDATES[Writing.UNSEEN]))
    designs = Designs(None, STYLES, SEED, unseen=True)
    rng = np.random.default_rng(SEED)
    tables: list[Sample] = []
    others: list[Sample] = []
    for number in range(options.pictures):
        group = list(MAKES)[number % len(MAKES)]
        bodies = designs.sample(rng)
        while not differ(bodies.front, bodies.rear):
            bodies = designs.sample(rng)
        scene = random_scene(
            rng,
            bodies,
            width=WIDTH,
            height=HEIGHT,
            ground=make_unseen_surface,
            tile_px=TILE_PX,
            makes=(MAKES[group],),
            box=SET_144,
        )
        tiles, complete = label_tiles(scene)
        tables.append((photograph(rng, scene.image, 0.7, BLUR), group, tiles, complete))
        bare = tileless_scene(rng, bodies, width=WIDTH, height=HEIGHT, ground=make_unseen_surface)
        others.append((photograph(rng, bare.image, 0.7, BLUR), "things", [], True))
    write_split(options.out, "rendered", tables)
    write_split(options.out, "tileless", others)
    count = sum(len(tiles) for _, _, tiles, _ in tables)
    print(f"{count} tiles in {len(tables)} pictures, {len(others)} pictures without")


if __name__ == "__main__":
    main()
