"""Drawn splits in designs and on surfaces that no training picture shows, labelled as
`companion bench vision` reads it: tables each laid out of one box of tiles, tables without tiles, whole
tables in play as a camera on a stand sees them, pictures for each cause of misreading, print that is no tile,
and tiles that touch.

    python -m models.training.render --out DIR
    companion bench vision --data DIR --split rendered
    companion bench vision --data DIR --split tileless
    companion bench vision --data DIR --split causes
    companion bench vision --data DIR --split prints
    companion bench vision --data DIR --split pale-backs
    companion bench vision --data DIR --split touching
    companion bench vision --data DIR --split whole-tables

Each seed draws other pictures; `lab.bench.labelled_photos` says which draw is for choosing (DEV_SEED, the
default) and which is read for a release only (TEST_SEED).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.images import Image
from companion.tiles import BACK, SET_144
from lab.art.faces import CODES
from lab.art.glyphs import CANDIDATES, HANDS_FOLDER, Writing
from lab.bench.labelled_photos import DEV_SEED, TEST_SEED
from lab.film.customs import make_club_bodies
from lab.scenes import layouts
from lab.scenes.closeups import Close, draw_packed_rows, draw_rows_of_backs, draw_touching_tiles
from lab.scenes.club import draw_whole_table
from lab.scenes.draw import Scene, choose_frame, take_scene
from lab.scenes.prints import PRINTS
from lab.scenes.surfaces import make_unseen_surface
from lab.scenes.table import random_scene, tileless_scene
from models.training.arguments import at_least, require_files
from models.training.augment import photograph
from models.training.club import (
    BLANK_SHARE,
    DRAWS,
    SAME_BGR,
    draw_bare_picture,
    draw_club_picture,
    draw_printed_picture,
)
from models.training.designs import Designs, differ, measure_difference
from models.training.finder_data import narrow_px
from models.training.pictures import HIDDEN_SHARE, VISIBLE_SHARE

STYLES = 40
WIDTH, HEIGHT = 1280, 960
TILE_PX = (34.0, 95.0)
BLUR = 0.5  # of lens and motion: at most 5 px
LEAST_PX = 18.0  # narrower extent of a face, from which it is labelled: the width of one 24 px high
MAKES = {
    "rows": layouts.row,
    "grids": layouts.grid,
    "piles": layouts.pile,
    "melds": layouts.melds,
    "hands-before-walls": layouts.hand_and_wall,
}
LABELS = (*CODES, BACK)
CAUSES = (*DRAWS, "no-tiles")
CAUSES_STYLES = 24
CAUSES_LESS = 5  # how many times fewer pictures each cause and each stand has than each of the other sets
CAUSES_LEAST_PX = 13.0  # narrower extent of a tile, from which it has to be found: far ones of a photo
UNSEEN_SHARE = 0.05  # of a tile, up to which nobody sees that there is one
WHOLE_LARGER = 1.5  # pictures of whole tables are 1920 px long, so that tiles are large enough to be named
CAUSES_TAKEN = 0.6  # how much a telephone does to a picture
TINTED = (SAME_BGR, 90.0)  # distance of a pale back from the face
TOUCHING: Mapping[str, Close] = {"packed": draw_packed_rows, "touching": draw_touching_tiles}
STANDS = ("above", "corner", "propped")  # from where a camera sees whole tables
STAND_PX = (1920, 1080)
Quads = list[tuple[str, np.ndarray]]
"""Codes of tiles and their quads (4, 2) px."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """What is to be found in a picture.

    ignore: quads (4, 2) px that may be found or not; complete: whether the picture shows no other face;
    backs: whether backs are labelled.
    """

    tiles: Quads
    ignore: list[np.ndarray]
    complete: bool
    backs: bool = False


Sample = tuple[Image, str, Labels]
"""A picture, its group and its labels."""


def label_faces(scene: Scene) -> Labels:
    """The faces to be read."""
    wanted, complete = [], True
    height, width = scene.image.shape[:2]
    for tile in scene.tiles:
        quad = np.array(tile.quad)
        if tile.code == BACK or tile.visible < HIDDEN_SHARE:
            continue
        whole = np.all(quad >= 0) and np.all(quad <= [width, height])
        if tile.visible < VISIBLE_SHARE or narrow_px(quad) < LEAST_PX or not whole:
            complete = False
        else:
            wanted.append((tile.code, quad))
    return Labels(wanted, [], complete)


def label_faces_and_backs(scene: Scene, one_colour: bool, least_px: float = CAUSES_LEAST_PX) -> Labels:
    """The faces and the flat backs to be found; what is covered, cut off, too small or a standing back, and
    every back of a set of one colour, may be found or not; least_px: narrower extent of what is not too
    small."""
    wanted: Quads = []
    ignore = []
    height, width = scene.image.shape[:2]
    for tile in scene.tiles:
        quad = np.array(tile.quad)
        if tile.visible < UNSEEN_SHARE:
            continue
        whole = np.all(quad >= 0) and np.all(quad <= [width, height])
        doubtful = tile.code == BACK and (tile.standing or one_colour)
        if tile.visible < VISIBLE_SHARE or narrow_px(quad) < least_px or not whole or doubtful:
            ignore.append(quad)
        else:
            wanted.append((tile.code, quad))
    return Labels(wanted, ignore, True, True)


def write_split(folder: Path, split: str, pictures: Sequence[Sample], seed: int) -> None:
    """Writes pictures, each with its group and labels, as JPEG files and COCO labels that name their seed."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    (folder / "photos" / split).mkdir(parents=True, exist_ok=True)
    for number, (picture, group, labels) in enumerate(pictures):
        name = f"{split}/{number:04d}.jpg"
        cv2.imwrite(str(folder / "photos" / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        described = {"id": number, "file_name": name, "group": group, "complete": labels.complete}
        if labels.backs:
            ignore = [quad.round(2).ravel().tolist() for quad in labels.ignore]
            described |= {"backs_complete": True, "covered": True, "ignore": ignore}
        images.append(described)
        for code, quad in labels.tiles:
            low, size = quad.min(axis=0), quad.max(axis=0) - quad.min(axis=0)
            annotations.append(
                {
                    "id": len(annotations), "image_id": number, "category_id": LABELS.index(code),
                    "bbox": [*low.round(2), *size.round(2)], "segmentation": [quad.round(2).ravel().tolist()],
                }
            )  # fmt: skip
    categories = [{"id": index, "name": code} for index, code in enumerate(LABELS)]
    content = {
        "info": {"seed": seed}, "images": images, "annotations": annotations, "categories": categories,
    }  # fmt: skip
    (folder / "photos" / f"{split}.json").write_text(json.dumps(content))


def draw_tables(count: int, seed: int) -> tuple[list[Sample], list[Sample]]:
    """`count` tables, and as many without tiles, in designs that no training picture shows."""
    designs = Designs(None, STYLES, seed, unseen=True)
    rng = np.random.default_rng(seed)
    tables: list[Sample] = []
    others: list[Sample] = []
    for number in range(count):
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
        tables.append((photograph(rng, scene.image, 0.7, BLUR), group, label_faces(scene)))
        bare = tileless_scene(rng, bodies, width=WIDTH, height=HEIGHT, ground=make_unseen_surface)
        others.append((photograph(rng, bare.image, 0.7, BLUR), "things", Labels([], [], True, True)))
    return tables, others


def draw_causes(count: int, seed: int) -> list[Sample]:
    """`count` pictures for each cause of misreading, in designs that no training picture shows; peacocks are
    the 1s of Japanese sets."""
    designs = Designs(None, CAUSES_STYLES, seed, unseen=True, japanese=0.5)
    japanese = Designs(None, CAUSES_STYLES, seed + 1, unseen=True, japanese=1.0)
    rng = np.random.default_rng(seed)
    drawn: list[Sample] = []
    for cause in CAUSES:
        for _ in range(count):
            if cause == "no-tiles":
                bare = draw_bare_picture(rng, ground=make_unseen_surface, strength=CAUSES_TAKEN)
                drawn.append((bare.image, cause, label_faces_and_backs(bare, False)))
                continue
            club = draw_club_picture(
                rng,
                japanese if cause == "peacocks" else designs,
                kind=cause,
                ground=make_unseen_surface,
                strength=CAUSES_TAKEN,
                larger=WHOLE_LARGER if cause == "whole-tables" else 1.0,
            )
            drawn.append((club.scene.image, cause, label_faces_and_backs(club.scene, club.one_colour)))
    return drawn


def draw_printed(count: int, seed: int) -> list[Sample]:
    """`count` pictures of each kind of `PRINTS` without tiles and as many with rows of tiles, in designs
    that no training picture shows."""
    designs = Designs(None, CAUSES_STYLES, seed, unseen=True, japanese=0.5)
    rng = np.random.default_rng(seed)
    drawn: list[Sample] = []
    for kind in PRINTS:
        for number in range(2 * count):
            with_tiles = number % 2 == 0
            picture = draw_printed_picture(
                rng, designs, tiles=with_tiles, kind=kind, ground=make_unseen_surface, strength=CAUSES_TAKEN
            )
            group = f"{kind}, with tiles" if with_tiles else kind
            drawn.append(
                (picture.scene.image, group, label_faces_and_backs(picture.scene, picture.one_colour))
            )
    return drawn


def draw_pale_backs(count: int, seed: int) -> list[Sample]:
    """Four times `count` pictures of walls, heaps and whole tables whose backs are as pale as their faces, in
    designs that no training picture shows."""
    designs = Designs(None, CAUSES_STYLES, seed, unseen=True, japanese=0.5)
    rng = np.random.default_rng(seed)
    drawn: list[Sample] = []
    for number in range(4 * count):
        bodies = make_club_bodies(rng, designs.choose_faces(rng), back="cream")
        bodies = replace(bodies, rear=tint(rng, bodies.front))
        width, height = choose_frame(rng)
        draw = draw_whole_table if number % 4 == 0 else draw_rows_of_backs
        scene = draw(rng, bodies, width=width, height=height, ground=make_unseen_surface)
        scene = take_scene(rng, scene, CAUSES_TAKEN)
        drawn.append((scene.image, "pale-backs", label_faces_and_backs(scene, False)))
    return drawn


def draw_touching(count: int, seed: int) -> list[Sample]:
    """Five times `count` pictures of each of TOUCHING, in designs that no training picture shows; White
    dragons in packed rows are blank in BLANK_SHARE of them."""
    designs = Designs(None, CAUSES_STYLES, seed, unseen=True, japanese=0.5)
    rng = np.random.default_rng(seed)
    drawn: list[Sample] = []
    for group, draw in TOUCHING.items():
        for _ in range(5 * count):
            faces = designs.choose_faces(rng)
            if group == "packed" and rng.random() < BLANK_SHARE:
                faces = faces | {"5z": np.zeros((4, 3, 4), np.uint8)}
            bodies = make_club_bodies(rng, faces)
            width, height = choose_frame(rng)
            scene = draw(rng, bodies, width=width, height=height, ground=make_unseen_surface)
            scene = take_scene(rng, scene, CAUSES_TAKEN)
            one_colour = measure_difference(bodies.front, bodies.rear) < SAME_BGR
            drawn.append((scene.image, group, label_faces_and_backs(scene, one_colour)))
    return drawn


def tint(rng: np.random.Generator, front: tuple[int, int, int]) -> tuple[int, int, int]:
    """A colour as pale as a face's and a little different in hue: mint, ivory, sky, rose."""
    away = rng.normal(0, 1, 3)
    away = (away - away.mean()) / np.linalg.norm(away - away.mean()) * rng.uniform(*TINTED)
    b, g, r = (int(value) for value in np.clip(np.array(front) * 0.95 + away, 0, 255))
    return b, g, r


def draw_whole_tables(count: int, seed: int) -> list[Sample]:
    """`count` whole tables from each of `STANDS`, in designs that no training picture shows; tiles that are
    smaller than LEAST_PX may be found or not."""
    designs = Designs(None, CAUSES_STYLES, seed, unseen=True, japanese=0.5)
    rng = np.random.default_rng(seed)
    width, height = STAND_PX
    drawn: list[Sample] = []
    for stand in STANDS:
        for _ in range(count):
            bodies = make_club_bodies(rng, designs.choose_faces(rng), texture_px=(96, 128))
            scene = draw_whole_table(
                rng, bodies, width=width, height=height, view=stand, ground=make_unseen_surface
            )
            scene = take_scene(rng, scene, CAUSES_TAKEN)
            one_colour = measure_difference(bodies.front, bodies.rear) < SAME_BGR
            drawn.append((scene.image, stand, label_faces_and_backs(scene, one_colour, LEAST_PX)))
    return drawn


def main() -> None:
    """Draws the sets; the same fonts give the same files."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where photos/ is written")
    parser.add_argument("--pictures", type=at_least(1), default=150, help="how many of each set")
    parser.add_argument(
        "--seed",
        type=at_least(0),
        default=DEV_SEED,
        help=f"what is drawn: {DEV_SEED} (dev) to choose by, {TEST_SEED} (test) for a release only",
    )
    options = parser.parse_args()
    require_files(parser, *(HANDS_FOLDER / name for name, _ in CANDIDATES[Writing.UNSEEN]))
    tables, others = draw_tables(options.pictures, options.seed)
    few = max(1, options.pictures // CAUSES_LESS)
    drawn = {
        "rendered": tables,
        "tileless": others,
        "causes": draw_causes(few, options.seed),
        "prints": draw_printed(few, options.seed),
        "pale-backs": draw_pale_backs(few, options.seed),
        "touching": draw_touching(few, options.seed),
        "whole-tables": draw_whole_tables(few, options.seed),
    }
    for split, pictures in drawn.items():
        write_split(options.out, split, pictures, options.seed)
        print(
            f"{split}: {sum(len(labels.tiles) for *_, labels in pictures)} tiles in {len(pictures)} pictures"
        )


if __name__ == "__main__":
    main()
