"""Samples for the finder: a random view of a photo, a rendered table or a picture without tiles, and its
targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.networks import CHANNELS, STRIDE_PX, encode
from models.training.augment import photograph
from models.training.image_files import decode_image

MIN_NARROW_PX = 7.0
SEEN_PX = 36.0  # width of most tiles in a view: at first sight they are smaller, at a second look 40 px
SCALES = 0.06, 2.6  # of a view: from a tile that fills a photo to one that is hardly seen
BARE_SCALES = 0.5, 5.0  # of a picture without tiles, against one that just fits: a closer look enlarges it
AREA_BELOW = 0.6  # scale of a view, below which a pixel of it is the mean of those that it covers
BLUR_OF_TILE = 1 / 38  # of a tile's width, the scale of the blur of a view
BLUR = math.log(0.7), math.log(2.2)  # log of how much less or more a view may have
FACE, BACK, UNSURE = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class FinderPicture:
    """A picture that the finder learns from.

    jpeg: encoded picture; quads: (n, 4, 2) px, clockwise; kinds: (n,) FACE, BACK or UNSURE;
    complete: every visible face is labelled; backs_known: every visible back is too;
    shaped: (n,) the quad is the tile's outline and not only a box round it.
    """

    jpeg: bytes
    quads: np.ndarray
    kinds: np.ndarray
    shaped: np.ndarray
    complete: bool
    backs_known: bool


def pick_view(rng: np.random.Generator, size: int, quads: np.ndarray, width: int, height: int) -> np.ndarray:
    """A random affine map (2, 3) from the picture to a `size` square: scale, stretch, turn, tilt."""
    if len(quads):
        short = float(np.median(_short_sides(quads)))
        wanted = float(np.clip(np.exp(rng.normal(np.log(SEEN_PX), 0.5)), 12, 110))
        scale = np.clip(wanted / short, *SCALES)
        centre = quads[rng.integers(len(quads))].mean(axis=0) + rng.normal(0, 0.25 * size / scale, 2)
    else:
        scale = float(np.exp(rng.uniform(*np.log(BARE_SCALES)))) * size / max(width, height)
        scale = min(scale, SCALES[1])
        centre = rng.uniform([0, 0], [width, height])
    angle = rng.choice([rng.normal(0, 0.08), rng.uniform(-np.pi, np.pi)], p=[0.6, 0.4])
    stretch = np.exp(rng.uniform(-0.55, 0.55))
    c, s = np.cos(angle), np.sin(angle)
    linear = np.array([[c, -s], [s, c]]) @ np.diag([stretch**0.5, stretch**-0.5])
    if rng.random() < 0.4:
        linear = linear @ np.array([[1, rng.normal(0, 0.12)], [0, 1]])
    linear = linear * scale
    return np.column_stack([linear, size / 2 - linear @ centre])


def narrow_px(quad: np.ndarray) -> float:
    """The narrower extent of a quad (4, 2) px: of a face seen from aside, less than any of its sides."""
    return float(min(cv2.minAreaRect(quad.astype(np.float32))[1]))


def _short_sides(quads: np.ndarray) -> np.ndarray:
    shortest: np.ndarray = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1)
    return shortest


def make_targets(
    quads: np.ndarray, kinds: np.ndarray, shaped: np.ndarray, cells: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Heat (2, n, n), shape (7, n, n), weight of the shape (n, n), and where nothing may be punished (n, n),
    n = cells."""
    heat = np.zeros((2, cells, cells), np.float32)
    shapes = np.zeros((CHANNELS - 2, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    unsure = np.zeros((cells, cells), np.uint8)
    for quad, kind, outlined in zip(quads, kinds, shaped, strict=True):
        if kind == UNSURE:
            cv2.fillConvexPoly(unsure, (quad / STRIDE_PX).astype(np.int32), 1)
            continue
        centre = quad.mean(axis=0)
        x0, y0 = np.maximum(np.floor(quad.min(axis=0) / STRIDE_PX).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(quad.max(axis=0) / STRIDE_PX).astype(int) + 1, cells)
        if x1 <= x0 or y1 <= y0:
            continue
        xs, ys = np.meshgrid((np.arange(x0, x1) + 0.5) * STRIDE_PX, (np.arange(y0, y1) + 0.5) * STRIDE_PX)
        across = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
        along = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
        frame = np.linalg.inv(np.column_stack([across, along]))
        u, v = np.tensordot(frame, np.stack([xs - centre[0], ys - centre[1]]), 1)
        bump = np.exp(-(u**2 + v**2) / (2 * 0.28**2)).astype(np.float32)
        peak = bump.max()
        if peak <= 0:
            continue
        bump = bump / peak
        region = heat[kind, y0:y1, x0:x1]
        won = bump > np.maximum(weight[y0:y1, x0:x1], 0.35)
        np.maximum(region, bump, out=region)
        if outlined:
            block = shapes[:, y0:y1, x0:x1]
            block[:, won] = encode(quad, np.column_stack([xs[won], ys[won]])).T
            weight[y0:y1, x0:x1][won] = bump[won]
    return heat, shapes, weight, unsure


class FinderSamples:
    """Random views as torch's DataLoader takes them; `weights` says how often each picture comes."""

    def __init__(
        self, pictures: Sequence[FinderPicture], weights: np.ndarray, size: int, count: int, seed: int
    ) -> None:
        self.pictures, self.size, self.count, self.seed = pictures, size, count, seed
        self.cumulated = np.cumsum(weights / weights.sum())

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        """The view (size, size, 3) and what `make_targets` gives for it, the last as where a score is
        punished."""
        rng = np.random.default_rng((self.seed, index))
        item = self.pictures[min(int(np.searchsorted(self.cumulated, rng.random())), len(self.pictures) - 1)]
        picture = decode_image(item.jpeg)
        size = self.size
        sure = item.quads[item.kinds != UNSURE]
        matrix = pick_view(rng, size, sure, picture.shape[1], picture.shape[0])
        zoom = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
        source, lens = picture, matrix.copy()
        if zoom < AREA_BELOW:
            width, height = (max(1, round(side * zoom)) for side in picture.shape[1::-1])
            shrunk = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
            source = np.asarray(shrunk, np.uint8)
            lens[:, :2] /= np.array([width, height]) / picture.shape[1::-1]
        border = [int(c) for c in rng.integers(0, 256, 3)] if rng.random() < 0.5 else [0, 0, 0]
        seen = cv2.warpAffine(source, lens, (size, size), flags=cv2.INTER_LINEAR, borderValue=border)
        quads = item.quads @ matrix[:, :2].T + matrix[:, 2]
        kinds = _mark_cut(quads, item.kinds, size)
        heat, shapes, weight, unsure = make_targets(quads, kinds, item.shaped, size // STRIDE_PX)
        punish = np.stack([1 - unsure, 1 - unsure]).astype(np.float32)
        labelled = np.zeros_like(unsure)
        for quad in quads:
            cv2.fillConvexPoly(labelled, (quad / STRIDE_PX).astype(np.int32), 1)
        if not item.complete:
            punish[0] *= cv2.dilate(labelled, np.ones((3, 3), np.uint8))
        if not item.backs_known:
            punish[1] *= labelled
        wide = float(np.median(_short_sides(quads[item.kinds != UNSURE]))) if len(sure) else SEEN_PX
        blur = wide * BLUR_OF_TILE * math.exp(rng.uniform(*BLUR))
        photo = photograph(rng, np.asarray(seen, np.uint8), blur=float(np.clip(blur, 0.4, 3.0)))
        return photo, heat, shapes, weight, punish


def _mark_cut(quads: np.ndarray, kinds: np.ndarray, size: int) -> np.ndarray:
    """The kinds (n,), with UNSURE for tiles mostly outside the view or too small in it."""
    kinds = kinds.copy()
    frame = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    for index, quad in enumerate(quads):
        quad32 = quad.astype(np.float32)
        area = cv2.contourArea(quad32)
        inside = bool(np.all((quad >= 0) & (quad <= size)))
        if not inside:
            share = cv2.intersectConvexConvex(quad32, frame)[0] / max(area, 1e-6)
            if share < 0.65:
                kinds[index] = UNSURE
        if narrow_px(quad) < MIN_NARROW_PX:
            kinds[index] = UNSURE
    return kinds
