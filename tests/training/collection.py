"""A small collection of labelled pictures of two designs, drawn, as the real one is laid out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.tiles import BACK, KINDS
from lab.scenes.draw import Scene
from lab.scenes.hand import render_hand

CODES = [*(kind.code for kind in KINDS), BACK]
HAND = [CODES[:11], CODES[11:22]]
"""Kinds enough to teach a set."""


def write_split(file: Path, pictures: Sequence[tuple[int, str, Scene]]) -> None:
    """Writes pictures, each with its number and group, and their labels."""
    images: list[Any] = []
    annotations: list[Any] = []
    (file.parent / "images").mkdir(parents=True, exist_ok=True)
    for number, group, scene in pictures:
        name = f"images/{number}.jpg"
        cv2.imwrite(str(file.parent / name), scene.image)
        images.append(
            {"id": number, "file_name": name, "group": group, "complete": True, "box_fit": "upright"}
        )
        for tile in scene.tiles:
            quad = np.array(tile.quad)
            annotations.append(
                {
                    "image_id": number, "category_id": CODES.index(tile.code),
                    "bbox": [*quad.min(axis=0), *np.ptp(quad, axis=0)],
                    "segmentation": [quad.ravel().tolist()],
                }
            )  # fmt: skip
    categories = [{"id": number, "name": code} for number, code in enumerate(CODES)]
    file.write_text(json.dumps({"images": images, "annotations": annotations, "categories": categories}))


def make_collection(data: Path) -> Path:
    """A collection of two designs, "lettered" (photos 1 to 7) and "wheels" (11, 12, 21), and a photo in doubt
    (197), with cut-out tiles and a picture without tiles."""
    hands = {
        number: render_hand(HAND, seed=number, width=800, height=320)
        for number in (*range(1, 8), 11, 12, 21, 197)
    }
    train = [(n, "wood-desk", hands[n]) for n in range(1, 7)] + [(n, "live-teal", hands[n]) for n in (11, 12)]
    write_split(data / "photos" / "train.json", [*train, (197, "live-green", hands[197])])
    write_split(
        data / "photos" / "dev-seen.json", [(7, "white-desk", hands[7]), (21, "live-teal", hands[21])]
    )
    write_split(data / "photos" / "dev-unseen-set.json", [(12, "black-tray", hands[12])])
    (data / "crops").mkdir()
    cut = hands[1].image[:64, :48]
    cv2.imwrite(str(data / "crops" / "a.jpg"), cut)
    (data / "crops" / "labels.csv").write_text("file,label,set\na.jpg,1m,A\n")
    (data / "backgrounds" / "cloth").mkdir(parents=True)
    cv2.imwrite(str(data / "backgrounds" / "cloth" / "1.jpg"), np.full((256, 256, 3), 90, np.uint8))
    return data
