"""Makes the labelled photos of a split worse: a group of pictures for every trouble.

python -m models.training.worsen --data TILE_DATA --split SPLIT --out DIR
companion bench vision --data DIR --split SPLIT
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.draw import add_rims
from models.training.arguments import require_files
from models.training.image_files import load_image

SEED = 61
QUALITY, POOR_QUALITY = 92, 12  # of JPEG
WIDE_PX = 40.0  # of tiles, where a photo has none
Trouble = Callable[[np.random.Generator, Image, float], np.ndarray]
"""Makes a picture worse, given the width of its tiles, px."""


def _shake_kernel(wide: float) -> np.ndarray:
    reach = max(3, round(wide / 5))
    return np.eye(reach, dtype=np.float32) / reach


def _denoise(picture: Image, wide: float) -> np.ndarray:
    """Smoothed but for its edges: faint and fine lines go with the noise."""
    return cv2.bilateralFilter(picture, -1, 50, wide / 25)


def _shrink(picture: Image, share: float) -> np.ndarray:
    """As taken from farther away; one is not enlarged."""
    if share >= 1:
        return picture
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return add_rims(np.asarray(small, np.uint8), 1.0, 0.4)


TROUBLES: dict[str, Trouble] = {
    "dim": lambda rng, picture, _: 0.18 * picture + rng.normal(0, 6, picture.shape),
    "lamplight": lambda _, picture, __: picture * np.array([0.5, 0.8, 1.1]),
    "soft": lambda _, picture, wide: cv2.GaussianBlur(picture, (0, 0), wide / 22),
    "out of focus": lambda _, picture, wide: cv2.GaussianBlur(picture, (0, 0), wide / 13),
    "shaken": lambda _, picture, wide: cv2.filter2D(picture, -1, _shake_kernel(wide)),
    "sharpened": lambda _, picture, __: add_rims(picture, 1.3, 1.2),
    "denoised": lambda _, picture, wide: _denoise(picture, wide),
    "tiles of 22 px": lambda _, picture, wide: _shrink(picture, 22 / wide),
    "tiles of 17 px": lambda _, picture, wide: _shrink(picture, 17 / wide),
    "tiles of 13 px": lambda _, picture, wide: _shrink(picture, 13 / wide),
    "poor JPEG": lambda _, picture, __: picture,
    "upside down": lambda _, picture, __: np.rot90(picture, 2),
}


def main() -> None:
    """Writes the photos and their labels; the same seed gives the same files."""
    parser = argparse.ArgumentParser(prog="python -m models.training.worsen", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with photos/")
    parser.add_argument("--split", required=True, help="which of its photos")
    parser.add_argument("--out", type=Path, required=True, help="where photos/ is written")
    parser.add_argument(
        "--trouble", action="append", choices=TROUBLES, help="one of them only; may be repeated"
    )
    options = parser.parse_args()
    source, target = options.data / "photos", options.out / "photos"
    if target.resolve() == source.resolve():
        parser.error(f"--out '{options.out}' would be written over the photos: name another folder")
    require_files(parser, source / f"{options.split}.json")
    document = json.loads((source / f"{options.split}.json").read_text())
    require_files(parser, *(source / image["file_name"] for image in document["images"]))
    (target / options.split).mkdir(parents=True, exist_ok=True)
    labels = defaultdict(list)
    for annotation in document["annotations"]:
        labels[annotation["image_id"]].append(annotation)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    rng = np.random.default_rng(SEED)
    chosen = options.trouble or list(TROUBLES)
    for image in document["images"]:
        picture = load_image(source / image["file_name"])
        boxes = [label["bbox"] for label in labels[image["id"]]]
        wide = float(np.median([min(w, h) for _, _, w, h in boxes])) if boxes else WIDE_PX
        for trouble in chosen:
            name = f"{options.split}/{len(images):05d}.jpg"
            worse = np.clip(TROUBLES[trouble](rng, picture, wide), 0, 255).astype(np.uint8)
            quality = POOR_QUALITY if trouble == "poor JPEG" else QUALITY
            cv2.imwrite(str(target / name), worse, [cv2.IMWRITE_JPEG_QUALITY, quality])
            height, width = worse.shape[:2]
            for label in labels[image["id"]]:
                x, y, w, h = (length * width / picture.shape[1] for length in label["bbox"])
                box = [width - x - w, height - y - h, w, h] if trouble == "upside down" else [x, y, w, h]
                own = {"id": len(annotations), "image_id": len(images), "bbox": box, "segmentation": []}
                annotations.append(label | own)
            size = {"width": width, "height": height}
            images.append(image | size | {"id": len(images), "file_name": name, "group": trouble})
    document |= {"images": images, "annotations": annotations}
    (target / f"{options.split}.json").write_text(json.dumps(document))
    print(f"{len(images)} pictures of {len(document['images']) // len(chosen)} photos")


if __name__ == "__main__":
    main()
