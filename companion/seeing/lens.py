"""How a lens bends straight lines, how that is measured, and how pictures are straightened.

The division model (Fitzgibbon 2001): one number says how much nearer to the picture's middle a place is shown
than a perfect lens would show it. It has a closed form both ways, and fits wide lenses as well as two
coefficients of a polynomial. It is measured by plumb lines (Devernay & Faugeras 2001): edges of the table,
rows of tiles, floors and doors are straight, and a lens bends all of them by one rule. px are of a picture
whose middle is taken for the lens's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import cv2
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats

FindPx = Callable[[Floats], Floats]

BEND_RANGE = (-0.35, 0.05)
"""Range of lenses for cameras, without fisheyes: OpenCV's k1 of about -0.9 to 0.13 for usual focal
lengths."""
Bend = Annotated[float, Meta(ge=BEND_RANGE[0], le=BEND_RANGE[1])]
"""Checked in files from other people."""
BENDS = np.linspace(*BEND_RANGE, 81)
CLEAR_NATS = 6.0
"""By how much likelier, as a logarithm, a lens must be than another to replace it: on drawn films it is never
above 1 for perfect lenses, 3 to 18 for a k1 of -0.1, and 18 or more for -0.3."""
EXPLAINED_MIN_SHARE = 0.5
"""The share it must explain of what the other lens leaves unexplained: of letters and the grain of wood,
which bend in any way, a lens explains 0.16 at most; of drawn tables at least 0.4 for a k1 of -0.1, and at
least 0.9 for -0.3."""
GRID_PX = 16
"""Grid of places that are converted; all others are interpolated, exact to a hundredth of a px."""


@dataclass(frozen=True, slots=True)
class Lens:
    """bend: a place half the picture's longer side from its middle would be shown by a perfect lens farther
    off by 1 / (1 + bend). Below 0 for lenses that make straight lines bulge outwards, as wide ones do."""

    bend: float = 0.0

    @property
    def is_perfect(self) -> bool:
        """Whether it shows straight lines straight."""
        return self.bend == 0

    def straighten(self, px: NDArray[np.floating], width: int, height: int) -> Floats:
        """Where a perfect lens would show px (..., 2) of this lens's picture of that size."""
        off, half = _measure_off(px, width, height)
        squared = (off * off).sum(axis=-1, keepdims=True) / half**2
        return np.asarray(off / (1 + self.bend * squared) + [width / 2, height / 2], np.float64)

    def distort(self, px: NDArray[np.floating], width: int, height: int) -> Floats:
        """Where this lens shows px (..., 2) of a perfect lens's picture; nan if outside."""
        off, half = _measure_off(px, width, height)
        squared = (off * off).sum(axis=-1, keepdims=True) / half**2
        with np.errstate(invalid="ignore"):
            root = np.sqrt(1 - 4 * self.bend * squared)
        return np.asarray(off * 2 / (1 + root) + [width / 2, height / 2], np.float64)

    def measure_straight(self, width: int, height: int) -> tuple[int, int]:
        """Width and height, px, of a straightened picture that holds the middles of all four edges."""
        edges = self.straighten(np.array([[width, height / 2], [width / 2, height]]), width, height)
        return round(2 * float(edges[0, 0]) - width), round(2 * float(edges[1, 1]) - height)

    def straighten_picture(self, image: Image) -> Image:
        """The picture (H, W, 3) as a perfect lens would show it, of the size of `measure_straight`."""
        if self.is_perfect:
            return image
        height, width = image.shape[:2]
        wide, high = self.measure_straight(width, height)

        def find_px(places: Floats) -> Floats:
            shift = np.array([width - wide, height - high]) / 2
            return self.distort(places + shift, width, height)

        return resample(image, find_px, wide, high)


PERFECT = Lens()


def choose_lens(rated: Floats, before: Lens = PERFECT) -> Lens:
    """The likeliest of the lenses of BENDS, or `before` unless another one is clearly likelier. rated: how
    unlikely (k,) each of them is, as the logarithm of its inverse."""
    best = int(rated.argmin())
    gain, left = float(np.interp(before.bend, BENDS, rated) - rated[best]), float(rated[best])
    if best in (0, len(BENDS) - 1) or gain < max(CLEAR_NATS, EXPLAINED_MIN_SHARE * left):
        return before
    low, least, high = rated[best - 1 : best + 2].tolist()
    curve = low + high - 2 * least
    step = 0.5 * (low - high) / curve if curve > 0 else 0.0
    return Lens(float(BENDS[best]) + step * float(BENDS[1] - BENDS[0]))


def resample(image: Image, find_px: FindPx, width: int, height: int) -> Image:
    """A picture (height, width, 3) taken from `image`. find_px takes places (n, 2) of the new picture to px
    of the old one, and is called for a grid of them."""
    # resizing puts the middle of the grid's cell at its place; one more on each side, so that none is missing
    columns, rows = (-(-side // GRID_PX) + 2 for side in (width, height))
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    places = np.asarray((np.stack([x, y], axis=-1).reshape(-1, 2) - 0.5) * GRID_PX, np.float64)
    coarse = (find_px(places) - 0.5).reshape(rows, columns, 2)
    coarse = np.asarray(np.nan_to_num(coarse, nan=-1e4).clip(-1e4, 1e4), np.float64)
    px, py = (_refine(coarse[..., axis], width, height) for axis in range(2))
    seen = cv2.remap(image, px, py, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _refine(coarse: Floats, width: int, height: int) -> NDArray[np.float32]:
    """The values of each pixel, from a grid (n, m) that begins a cell before the picture."""
    size = (coarse.shape[1] * GRID_PX, coarse.shape[0] * GRID_PX)
    fine = cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[GRID_PX : GRID_PX + height, GRID_PX : GRID_PX + width], np.float32)


def _measure_off(px: NDArray[np.floating], width: int, height: int) -> tuple[Floats, float]:
    """How far px (..., 2) are from the picture's middle, and half its longer side."""
    return np.asarray(px, np.float64) - [width / 2, height / 2], max(width, height) / 2


LOOK_PX = 1280
"""Longer side of the picture in which edges are searched."""
CONTRAST = (30, 90)
"""Thresholds of Canny's edges, grey levels of a Sobel filter."""
SECTORS = 8
"""Directions, over half a turn, in which edges are linked: a bent line stays in one and its neighbours."""
LENGTH_MIN = 60
"""Least length of an edge, px: shorter ones are hardly bent by any lens."""
SAMPLES = 24
"""Places at which an edge is measured."""
FILLED_MIN = 0.6
"""Share of these places that must be seen."""
SMOOTH_PX = 0.6
"""How far an edge may be off a smooth bow, root of the mean square."""
BOW_PX, BOW_SHARE = 0.4, 0.002
"""How far a straight thing may seem bowed: in pixels, and as a share of its length, by how straight things
are made and placed."""
OFF_MAX = 2.0
"""Multiple of these beyond which an edge is that of something else, and counts no more against a lens."""


def rate_lenses(image: Image) -> Floats:
    """How badly (k,) each lens of BENDS explains the long edges in a picture (H, W, 3), for `choose_lens`."""
    height, width = image.shape[:2]
    scale = min(1.0, LOOK_PX / max(height, width))
    size = (round(width * scale), round(height * scale))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    edges = list_edges(np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8))
    if not len(edges):
        return np.zeros(len(BENDS))
    lengths = np.linalg.norm(edges[:, -1] - edges[:, 0], axis=1)
    usual = np.hypot(BOW_PX, BOW_SHARE * lengths)
    bows = [_measure_bow(Lens(bend).straighten(edges + 0.5, *size)) / usual for bend in BENDS.tolist()]
    return np.asarray(0.5 * np.minimum(np.square(bows), OFF_MAX**2).sum(axis=1), np.float64)


def list_edges(grey: Image) -> Floats:
    """The long smooth edges of a picture (H, W): (n, SAMPLES, 2) px along each of them."""
    across = cv2.Sobel(grey, cv2.CV_16S, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_16S, 0, 1)
    ys, xs = np.nonzero(cv2.Canny(across, down, *CONTRAST, L2gradient=True))
    ways = np.arctan2(down[ys, xs].astype(np.float64), across[ys, xs]) % np.pi
    edges = [np.zeros((0, SAMPLES, 2))]
    for sector in range(SECTORS):
        middle = np.pi * sector / SECTORS
        turned = (ways - middle + np.pi / 2) % np.pi - np.pi / 2
        here = np.abs(turned) < np.pi / SECTORS
        edges.append(_link(xs[here], ys[here], turned[here], middle, grey.shape))
    return np.concatenate(edges)


def _link(
    xs: NDArray[np.intp], ys: NDArray[np.intp], turned: Floats, middle: float, shape: tuple[int, ...]
) -> Floats:
    """The edges (n, SAMPLES, 2) of pixels whose gradient is turned from this direction by `turned`."""
    mask = np.zeros(shape, np.uint8)
    mask[ys, xs] = 1
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    long = np.hypot(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) >= LENGTH_MIN
    long[0] = False
    numbers = labels[ys, xs]
    means = np.bincount(numbers, turned, count) / np.maximum(np.bincount(numbers, minlength=count), 1)
    long &= np.abs(means) <= np.pi / SECTORS / 2  # the neighbouring direction has more of the others
    edges = []
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], np.arange(count + 1))
    for number in np.flatnonzero(long):
        rows = order[starts[number] : starts[number + 1]]
        edge = _sample(np.column_stack([xs[rows], ys[rows]]).astype(np.float64))
        if edge is not None:
            edges.append(edge)
    return np.array(edges).reshape(-1, SAMPLES, 2)


def _sample(points: Floats) -> Floats | None:
    """An edge's pixels (m, 2) as places (SAMPLES, 2) along it; None unless they are one smooth edge."""
    middle = points.mean(axis=0)
    way = np.linalg.svd((points - middle).T @ (points - middle))[0][:, 0]
    along, beside = (points - middle) @ way, (points - middle) @ np.array([-way[1], way[0]])
    first, last = float(along.min()), float(along.max())
    if last - first < LENGTH_MIN:
        return None
    cell = np.minimum(((along - first) / (last - first) * SAMPLES).astype(int), SAMPLES - 1)
    counts = np.bincount(cell, minlength=SAMPLES)
    seen = counts > 0
    if seen.mean() < FILLED_MIN:
        return None
    at = first + (np.arange(SAMPLES) + 0.5) * (last - first) / SAMPLES
    off = np.bincount(cell, beside, SAMPLES) / np.maximum(counts, 1)
    fit = np.polynomial.Polynomial.fit(at[seen], off[seen], 2)
    if float(np.sqrt(np.mean((off[seen] - fit(at[seen])) ** 2))) > SMOOTH_PX:
        return None
    smooth = np.where(seen, off, fit(at))
    return np.asarray(middle + at[:, None] * way + smooth[:, None] * np.array([-way[1], way[0]]))


def _measure_bow(edges: Floats) -> Floats:
    """How far (n,) the middles of edges (n, SAMPLES, 2) px are off the lines between their ends, by fitted
    parabolas."""
    ends = edges[:, -1] - edges[:, 0]
    lengths = np.linalg.norm(ends, axis=1)
    way = ends / lengths[:, None]
    off = edges - edges[:, :1]
    along = (off * way[:, None]).sum(axis=2) / lengths[:, None] * 2 - 1
    beside = off[..., 1] * way[:, None, 0] - off[..., 0] * way[:, None, 1]
    # the share of a parabola, along² without its line, in the offset to the side
    ones = np.ones_like(along)
    rows = np.stack([ones, along, along**2], axis=2)
    normal = np.einsum("nsi,nsj->nij", rows, rows)
    wanted = np.einsum("nsi,ns->ni", rows, beside)
    return np.asarray(np.linalg.solve(normal, wanted[..., None])[:, 2, 0], np.float64)
