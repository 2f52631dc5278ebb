"""Samples for the reader: straightened crops of photographed, cut-out and rendered tiles, and of things that
are not tiles."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.images import Image
from companion.vision.candidates import straighten_quad
from companion.vision.networks import NO_TILE, READER_PX
from models.training.augment import photograph
from models.training.finder_data import UNSURE, FinderPicture, narrow_px
from models.training.image_files import decode_image, load_image
from models.training.labels import INDEX, LABELS
from models.training.pictures import LabelledPicture

PATCH_PX = 104
MIN_NARROW_PX = 8.0
DECOYS_A_PICTURE = 4
NO_TILE_SHARE = 0.07  # of crops labelled "none", besides those that come like any other label
BENT_SHARE, THICKENED_SHARE, RECOLOURED_SHARE = 0.6, 0.3, 0.2  # of crops whose strokes or colours change
BLUR = math.log(0.5), math.log(2.2)  # log scale of a crop's blur: at most 3.5 px of 64, or as far moved
STRETCH, SLANT = 0.24, 0.12  # of a bent crop's painting: log scale of either axis at most, shear (sigma)


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A tile with a little of its surroundings: picture (h, w, 3), quad (4, 2) in it, label; `upright`:
    the quad starts at the glyph's top left (else its direction is not known)."""

    picture: Image
    quad: np.ndarray
    label: int
    upright: bool


def cut_patch(picture: Image, quad: np.ndarray, code: str, upright: bool) -> Patch:
    """The quad cut out of a picture with a margin, and shrunk to at most PATCH_PX."""
    reach = (quad.max(axis=0) - quad.min(axis=0)) * 0.3
    x0, y0 = np.maximum(np.floor(quad.min(axis=0) - reach).astype(int), 0)
    x1, y1 = np.ceil(quad.max(axis=0) + reach).astype(int)
    cut = picture[y0:y1, x0:x1]
    scale = min(1.0, PATCH_PX / max(cut.shape[:2]))
    if scale < 1:
        size = [max(1, round(side * scale)) for side in cut.shape[1::-1]]
        cut = np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Patch(np.ascontiguousarray(cut), (quad - [x0, y0]) * scale, INDEX[code], upright)


def cut_patches(
    pictures: Sequence[LabelledPicture], rng: np.random.Generator, each: int = 1000
) -> list[Patch]:
    """Patches of up to `each` tiles a picture, and of other things where all tiles are known; pictures
    without tiles give random quads."""
    result = []
    for item in pictures:
        picture = decode_image(item.for_finder.jpeg)
        quads = item.for_finder.quads
        sure = [
            i
            for i in range(len(quads))
            if item.for_finder.kinds[i] != UNSURE
            and narrow_px(quads[i]) >= MIN_NARROW_PX
            and _is_inside(quads[i], picture)
        ]
        for i in rng.permutation(sure)[:each] if sure else ():
            result.append(cut_patch(picture, quads[i], item.codes[i], item.upright))
        lures = [
            quad for quad in item.decoys if narrow_px(quad) >= MIN_NARROW_PX and _is_inside(quad, picture)
        ]
        for i in rng.permutation(len(lures))[:DECOYS_A_PICTURE] if lures else ():
            result.append(cut_patch(picture, lures[i], NO_TILE, False))
        if item.for_finder.complete and item.for_finder.backs_known:
            result += _cut_non_tiles(picture, item.for_finder, rng, 12 if not len(quads) else 2)
    return result


def _cut_non_tiles(picture: Image, known: FinderPicture, rng: np.random.Generator, count: int) -> list[Patch]:
    height, width = picture.shape[:2]
    quads = known.quads[known.kinds != UNSURE]
    unsure = known.quads[known.kinds == UNSURE].astype(np.float32)
    result = []
    for _ in range(count):
        if len(quads) and rng.random() < 0.5:
            quad = quads[rng.integers(len(quads))]
            side = quad[rng.integers(4)] - quad.mean(axis=0)
            quad = quad + side * rng.uniform(0.7, 1.2) * rng.choice([-1, 1])
        else:
            size = np.exp(rng.uniform(np.log(15), np.log(150)))
            box = cv2.boxPoints(((0, 0), (size, size * rng.uniform(1.0, 1.6)), rng.uniform(0, 360)))
            quad = order_box(box) + rng.uniform([0, 0], [width, height])
        centre = quad.mean(axis=0)
        apart = np.linalg.norm(quads.mean(axis=1) - centre, axis=1)
        is_tile = np.any(apart < 0.45 * np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1)))
        may_be = any(cv2.pointPolygonTest(each, centre.tolist(), False) >= 0 for each in unsure)
        if not is_tile and not may_be and _is_inside(quad, picture) and narrow_px(quad) >= MIN_NARROW_PX:
            result.append(cut_patch(picture, quad, NO_TILE, False))
    return result


def order_box(box: np.ndarray) -> np.ndarray:
    """The corners of cv2.boxPoints, clockwise on the screen."""
    box = box.astype(np.float64)
    x, y = box.T
    turning = np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    return box if turning > 0 else box[::-1].copy()


def load_cut_outs(data: Path) -> list[Patch]:
    """The single-tile crops, whole."""
    result = []
    with (data / "crops" / "labels.csv").open() as lines:
        for line in csv.DictReader(lines):
            picture = load_image(data / "crops" / line["file"])
            height, width = picture.shape[:2]
            quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
            result.append(cut_patch(picture, quad, line["label"], True))
    return result


def _short_side(quad: np.ndarray) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min())


def _is_inside(quad: np.ndarray, picture: Image) -> bool:
    height, width = picture.shape[:2]
    return bool(np.all(quad > -2) and np.all(quad < [width + 2, height + 2]))


def augment_crop(rng: np.random.Generator, item: Patch, turns: int) -> Image:
    """The crop of a patch as a camera and an inexact finder would give it, `turns` quarter turns
    clockwise."""
    quad = item.quad
    side = _short_side(quad)
    picture = item.picture
    wanted = float(np.exp(rng.uniform(np.log(13), np.log(90))))
    scale = wanted / max(side, 1e-3)
    if scale < 0.9:
        small = np.maximum(2, np.round(np.array(picture.shape[1::-1]) * scale)).astype(int)
        shrunk = cv2.resize(picture, small.tolist(), interpolation=cv2.INTER_AREA)
        picture = np.asarray(shrunk, np.uint8)
        quad = quad * (np.array(picture.shape[1::-1]) / np.array(item.picture.shape[1::-1]))
        side *= scale
    centre = quad.mean(axis=0)
    quad = centre + (quad - centre) * (1 + rng.uniform(-0.05, 0.09)) + rng.normal(0, 0.028, (4, 2)) * side
    quad = quad + rng.normal(0, 0.025, 2) * side
    crop = straighten_quad(picture, np.roll(quad, turns, axis=0), READER_PX)
    if rng.random() < BENT_SHARE:
        crop = _bend(rng, crop)
    if rng.random() < THICKENED_SHARE:
        crop = _thicken(rng, crop)
    if rng.random() < RECOLOURED_SHARE:
        crop = _recolour(rng, crop)
    return photograph(rng, crop, rng.uniform(0.3, 1.0), math.exp(rng.uniform(*BLUR)))


def _bend(rng: np.random.Generator, crop: Image) -> Image:
    """A crop as another hand might have drawn it: wider, higher, slanted, each stroke a little moved,
    neighbours alike."""
    size = crop.shape[0]
    cells = int(rng.integers(3, 7))
    apart = rng.normal(0, rng.uniform(0.4, 1.8), (2, cells, cells)).astype(np.float32) * (4 / cells)
    dx, dy = (cv2.resize(part, (size, size), interpolation=cv2.INTER_CUBIC) for part in apart)
    x, y = np.meshgrid(*[np.arange(size, dtype=np.float32) - (size - 1) / 2] * 2)
    wider, higher = np.exp(-rng.uniform(-STRETCH, STRETCH, 2)).astype(np.float32)
    across, down = rng.normal(0, SLANT, 2).astype(np.float32) * np.array([1, 0.5], np.float32)
    u, v = wider * x + across * y + dx, higher * y + down * x + dy
    middle = np.float32((size - 1) / 2)
    bent = cv2.remap(crop, u + middle, v + middle, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def _thicken(rng: np.random.Generator, crop: Image) -> Image:
    """A crop with bolder or finer strokes."""
    change = cv2.erode if rng.random() < 0.6 else cv2.dilate
    share = rng.uniform(0.3, 1.0)
    changed = change(crop, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.addWeighted(changed, share, crop, 1 - share, 0), np.uint8)


def _recolour(rng: np.random.Generator, crop: Image) -> Image:
    """A crop with its colours turned, exchanged or gone, or its paint (what is unlike the ground) in another
    ink."""
    kind = rng.integers(4)
    if kind == 0:
        hsv = cv2.cvtColor(crop, cv2.COLOR_BGR2HSV)
        hsv[:, :, 0] = (hsv[:, :, 0].astype(np.int32) + int(rng.integers(0, 180))) % 180
        return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    if kind == 1:
        return np.ascontiguousarray(crop[:, :, rng.permutation(3)])
    grey = crop.astype(np.float32).mean(axis=2)
    if kind == 2:
        return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)
    ground = np.percentile(crop.reshape(-1, 3), 80, axis=0)
    paint = np.clip((ground.mean() - grey) / max(30.0, float(ground.mean() - grey.min())), 0, 1)[:, :, None]
    ink = rng.uniform(0, 150, 3)
    recoloured: Image = np.clip(ground * (1 - paint) + ink * paint, 0, 255).astype(np.uint8)
    return recoloured


class ReaderSamples:
    """Batches as torch's DataLoader takes them: crops (n, 64, 64, 3), labels (n,), turns (n,) clockwise.

    `sources` are lists of patches with their shares; within a source every label comes equally often, but
    "none" more often, as it stands for many kinds of things.
    """

    def __init__(
        self, sources: Sequence[tuple[float, Sequence[Patch]]], batch: int, count: int, seed: int
    ) -> None:
        self.batch, self.count, self.seed = batch, count, seed
        self.shares = np.array([share for share, _ in sources]) / sum(share for share, _ in sources)
        self.by_label: list[list[list[Patch]]] = []
        for _, items in sources:
            lists: list[list[Patch]] = [[] for _ in LABELS]
            for item in items:
                lists[item.label].append(item)
            self.by_label.append(lists)

    def __len__(self) -> int:
        return self.count

    def _pick(self, rng: np.random.Generator) -> Patch:
        while True:
            label = INDEX[NO_TILE] if rng.random() < NO_TILE_SHARE else int(rng.integers(len(LABELS)))
            items = self.by_label[int(rng.choice(len(self.shares), p=self.shares))][label]
            if items:
                return items[rng.integers(len(items))]

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        rng = np.random.default_rng((self.seed, index))
        crops = np.empty((self.batch, READER_PX, READER_PX, 3), np.uint8)
        labels, turns = np.empty(self.batch, np.int64), np.empty(self.batch, np.int64)
        for i in range(self.batch):
            item = self._pick(rng)
            turns[i] = 0 if rng.random() < 0.5 else rng.integers(1, 4)
            labels[i] = item.label
            crops[i] = augment_crop(rng, item, int(turns[i]))
        return crops, labels, turns


def set_directions(items: Sequence[Patch], firsts: np.ndarray) -> list[Patch]:
    """The patches with quads that start at the glyph's top left, which is corner `firsts[i]` of each."""
    return [
        replace(item, quad=np.roll(item.quad, -int(k), axis=0), upright=True)
        for item, k in zip(items, firsts, strict=True)
    ]
