"""The value that the stages of reading pass on: the places of one picture that may be tiles, a row each; and
the geometry of their outlines.

A stage is a function from one such value to the next. It fills its own columns and leaves the others as they
are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image

Quads = NDArray[np.float32]

NEXT_CORNERS = [1, 2, 3, 0]
"""Of each corner of a quad the one that follows it: indexing by these is quicker than rolling the array."""
SAME_TILE_IOU = 0.3
CANDIDATES_MAX = 1000
"""Seven whole sets of tiles. What is compared with one another takes memory by the square of its number."""


def short_sides(quads: Quads) -> NDArray[np.float32]:
    """Length of each quad's shorter pair of sides, (n, 4, 2) → (n,) px."""
    return np.minimum(*_measure_sides(quads))


def long_sides(quads: Quads) -> NDArray[np.float32]:
    """Length of each quad's longer pair of sides, (n, 4, 2) → (n,) px."""
    return np.maximum(*_measure_sides(quads))


def _measure_sides(quads: Quads) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean length of first and third side, and of second and fourth: (n, 4, 2) → two arrays (n,), px."""
    sides = np.linalg.norm(quads - quads[:, NEXT_CORNERS], axis=2)
    return (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2


def start_at_top_left(quads: Quads) -> Quads:
    """The same quads (n, 4, 2), each from the left end of the side that is uppermost in the picture: in most
    pictures that is the glyph's top left corner."""
    if not len(quads):
        return quads
    uppermost = (quads + quads[:, NEXT_CORNERS])[:, :, 1].argmin(axis=1)
    corners = (uppermost[:, None] + np.arange(4)) % 4
    turned: Quads = np.take_along_axis(quads, corners[:, :, None], axis=1)
    return turned


def overlap(one: Quads, other: Quads) -> float:
    """Intersection over union of two convex quads (4, 2), 0..1."""
    common, _ = cv2.intersectConvexConvex(one, other)
    whole = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / whole) if whole > 0 else 0.0


def suppress_overlaps(quads: Quads, scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """Indices (k,) of the quads (n, 4, 2) that remain, best first, when of every two that lie on one tile the
    one of the better score (n,) is kept (non-maximum suppression). Of more than CANDIDATES_MAX only the best
    are looked at."""
    best = np.argsort(-scores, kind="stable")[:CANDIDATES_MAX]
    quads = quads[best]
    centres = quads.mean(axis=1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    apart = np.hypot(*(centres[:, None] - centres).transpose(2, 0, 1))
    near = apart < reach[:, None] + reach
    kept: list[int] = []
    for index in range(len(quads)):
        rivals = [k for k in kept if near[index, k]]
        if all(overlap(quads[index], quads[k]) < SAME_TILE_IOU for k in rivals):
            kept.append(index)
    return best[kept]


def straighten_quad(picture: Image, quad: Quads, size_px: int) -> Image:
    """A quad (4, 2) px of a picture warped to a square (size_px, size_px, 3), its first corner to the top
    left. A large tile is shrunk by a whole number first, so that no pixel is skipped."""
    corners = [*quad.tolist(), quad[0].tolist()]
    side = max(math.dist(one, other) for one, other in pairwise(corners))
    whole = max(1, round(side / size_px))
    if whole > 1:
        left, top = (max(0, math.floor(min(axis)) - whole) for axis in zip(*corners, strict=True))
        right, bottom = (math.ceil(max(axis)) for axis in zip(*corners, strict=True))
        around = picture[top : bottom + whole, left : right + whole]
        height, width = (length // whole for length in around.shape[:2])
        if height and width:
            around = around[: height * whole, : width * whole]
            picture = np.asarray(cv2.resize(around, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            quad = (quad - np.array([left, top])) / whole
    square = np.array([[0, 0], [size_px, 0], [size_px, size_px], [0, size_px]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), square)
    crop = cv2.warpPerspective(
        picture, matrix, (size_px, size_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False)


Floats = NDArray[np.float32]
ROWS = ("quads", "scores", "back_shares", "crops", "probabilities", "features", "turns")
"""The arrays with a row for each candidate."""
PROBABILITY_MIN = 1e-6
"""Smaller ones are raised to this before their logarithm is taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """n candidates. What a later stage fills is there from the start, and empty: s, k and d are 0 until then.

    quads: (n, 4, 2) float32, px, clockwise from any corner;
    scores: (n,) float32, 0..1, the finder's;
    back_shares: (n,) float32, 0..1, of what the finder says for a tile, how much says that it shows its back;
    crops: (n, s, s, 3) uint8 BGR, each quad straightened to a square;
    labels: what the columns of `probabilities` stand for: k of them, kinds of tiles, "back" and "none";
    probabilities: (n, k) float32, each row adding up to 1;
    features: (n, d) float32, what the reader saw of each one, upright, to compare them by;
    turns: (n,) intp, quarter turns clockwise from upright, 0 until classified.

    Raises ValueError where an array has another shape or dtype.
    """

    quads: Quads
    scores: Floats
    back_shares: Floats
    crops: NDArray[np.uint8]
    labels: tuple[str, ...]
    probabilities: Floats
    features: Floats
    turns: NDArray[np.intp]

    def __post_init__(self) -> None:
        n, size = len(self.quads), self.crops.shape[1] if self.crops.ndim == 4 else 0
        _check("quads", self.quads, np.float32, (n, 4, 2))
        _check("scores", self.scores, np.float32, (n,))
        _check("back_shares", self.back_shares, np.float32, (n,))
        _check("crops", self.crops, np.uint8, (n, size, size, 3))
        _check("probabilities", self.probabilities, np.float32, (n, len(self.labels)))
        _check("features", self.features, np.float32, (n, None))
        _check("turns", self.turns, np.intp, (n,))

    @staticmethod
    def from_finder(quads: Quads, scores: Floats, back_shares: Floats) -> Candidates:
        """Candidates as the finder leaves them: quads (n, 4, 2) px, scores and back_shares (n,), the rest
        empty."""
        n = len(quads)
        nothing = np.zeros((n, 0), np.float32)
        crops = np.zeros((n, 0, 0, 3), np.uint8)
        return Candidates(quads, scores, back_shares, crops, (), nothing, nothing, np.zeros(n, np.intp))

    @staticmethod
    def join(parts: Sequence[Candidates]) -> Candidates:
        """The candidates of all parts, at least one, in order; all parts come from the same stage."""
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in ROWS
        }
        return replace(parts[0], **arrays)

    def __len__(self) -> int:
        return len(self.quads)

    def __getitem__(self, rows: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Candidates:
        """Those that a slice, a mask (n,) or indices choose, in that order."""
        chosen: dict[str, Any] = {name: getattr(self, name)[rows] for name in ROWS}
        return replace(self, **chosen)

    def probability_of(self, label: str) -> Floats:
        """The column (n,) of `probabilities` for a label."""
        column: Floats = self.probabilities[:, self.labels.index(label)]
        return column

    @property
    def upright_quads(self) -> Quads:
        """The quads (n, 4, 2) px, each from the glyph's top left corner."""
        corners = (np.arange(4) + self.turns[:, None]) % 4
        upright: Quads = np.take_along_axis(self.quads, corners[:, :, None], axis=1)
        return upright


def _check(name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int | None, ...]) -> None:
    """Raises ValueError for another dtype or shape; None: any length."""
    fits = array.ndim == len(shape) and all(
        wanted is None or wanted == has for wanted, has in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype != dtype:
        wanted = tuple("any" if length is None else length for length in shape)
        raise ValueError(
            f"{name} must be {np.dtype(dtype)} of shape {wanted}, not {array.dtype} {array.shape}"
        )


# Steepest edges below this: one in five tiles of the labelled photos, when blurred like this, is read as
# another.
BLURRED = 0.11
SMOOTHED_PX = 1.0  # so that noise is no edge
RIM_PX = 6  # of a 64 px crop, which shows the edge of the tile
LEAST_PX = 12.0  # height of a tile, below which none is named
# Heights below which a name needs that certainty. Of 1,105 finds 12 to 20 px high with 0.98, on photos and
# drawn tables shrunk for it, 3 were wrong, of 184 with 0.90 to 0.98 13. Such tiles have less detail than the
# reader looks at: of those 20 to 60 px high, on drawn tables for choosing, 18 of 64 with 0.75 to 0.90 were
# wrong; with 0.90 to 0.95 5 of 25 that each maker draws in a way of his own, and 2 of 29 others.
LEGIBLE_PX, SUREST = 20.0, 0.98
CLEAR_PX, SURER, SURER_OF_VARIED = 60.0, 0.9, 0.95
# Where a set was learned, tiles of another design have lower probabilities: 0.9 left 23 of 911 faces unnamed
# that had been right.
SURER_WHERE_TAUGHT = 0.75
VARIED = frozenset({"1s", *(f"{number}f" for number in range(1, 9))})
FAINT = 25.0  # grey levels between dark and light: a face with less is blank


def are_legible(
    quads: Quads, codes: Sequence[str], certainties: NDArray[np.float32], *, taught: bool = False
) -> NDArray[np.bool_]:
    """Whether each of the faces (n, 4, 2) px is large enough to be called what it is most likely: by these
    codes, with these probabilities (n,). taught: whether a set was learned."""
    high = long_sides(quads)
    surer = np.array([SURER_OF_VARIED if code in VARIED else SURER for code in codes])
    if taught:
        surer = np.full(len(codes), SURER_WHERE_TAUGHT)
    needed = np.select([high < LEAST_PX, high < LEGIBLE_PX, high < CLEAR_PX], [np.inf, SUREST, surer])
    legible: NDArray[np.bool_] = certainties >= needed
    return legible


def sharpness(crop: Image) -> float:
    """How steep the steepest edges of a straightened tile (64, 64, 3) are, 0..1: the share of its contrast by
    which it changes from one px to the next; 1 for a blank face, which has no edges."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    dark, light = np.percentile(grey, (2, 98))
    if light - dark < FAINT:
        return 1.0
    smooth = cv2.GaussianBlur(grey, (0, 0), SMOOTHED_PX)
    slope = np.hypot(np.diff(smooth, axis=1)[1:], np.diff(smooth, axis=0)[:, 1:])
    return float(np.percentile(slope, 97) / (light - dark))


SHORTER_MIN_PX = 32  # of the shorter side, which is never halved below that


def halve(picture: Image, halvings: int) -> Image:
    """A (H, W, 3) picture, halved that often, without the pixels at its right and lower edge that make no
    whole one."""
    height, width = (side >> halvings << halvings for side in picture.shape[:2])
    picture = picture[:height, :width]
    for halving in range(1, halvings + 1):
        half = (width >> halving, height >> halving)
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    return picture


def halve_down_to(picture: Image, side_px: int) -> tuple[Image, int]:
    """A (H, W, 3) picture, halved as long as its longer side keeps `side_px`, and how many times smaller it
    is."""
    shorter, longer = sorted(picture.shape[:2])
    halvings = max(0, int(np.log2(min(longer / side_px, shorter / SHORTER_MIN_PX))))
    return halve(picture, halvings), 2**halvings
