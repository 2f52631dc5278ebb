"""What a picture's straight things say about its lens (plumb lines: Devernay & Faugeras 2001).

Edges of the table, rows of tiles, floors and doors are straight; a lens that bends one of them bends all of
them by one rule. Each long edge of the picture says how it would be bowed through every lens; the lens under
which most of them are straight is the camera's, if it explains them clearly better than another one.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.lens import BENDS, Lens

Floats = NDArray[np.float64]

LOOK_PX = 1280
"""Longer side of the picture in which edges are looked for."""
CONTRAST = (30, 90)
"""Of Canny's edges, grey levels of a Sobel filter."""
SECTORS = 8
"""Directions, over half a turn, in which edges are linked: a bent line stays in one and its neighbours."""
LENGTH_MIN = 60
"""Of an edge, px: shorter ones are hardly bowed by any lens."""
SAMPLES = 24
"""Places at which an edge is measured."""
FILLED_MIN = 0.6
"""Of these places that must be seen."""
SMOOTH_PX = 0.6
"""How far an edge may be off a smooth bow, root of the mean square."""
BOW_PX, BOW_SHARE = 0.4, 0.002
"""How far a straight thing may seem bowed: by pixels, and as a share of its length, by how straight things
are made and laid."""
OFF_MOST = 2.0
"""Of these, beyond which an edge is that of something else, and says no more against a lens."""


def rate_lenses(image: Image) -> Floats:
    """How badly (k,) each lens of BENDS explains the long edges in a picture (H, W, 3), as `choose_lens`
    takes it."""
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
    return np.asarray(0.5 * np.minimum(np.square(bows), OFF_MOST**2).sum(axis=1), np.float64)


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
    """The edges (n, SAMPLES, 2) that pixels make whose gradient is turned by so much from this direction."""
    mask = np.zeros(shape, np.uint8)
    mask[ys, xs] = 1
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    long = np.hypot(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) >= LENGTH_MIN
    long[0] = False
    numbers = labels[ys, xs]
    means = np.bincount(numbers, turned, count) / np.maximum(np.bincount(numbers, minlength=count), 1)
    long &= np.abs(means) <= np.pi / SECTORS / 2  # of others the neighbouring direction has more
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
    """An edge's pixels (m, 2) as places (SAMPLES, 2) along it; None where they are not one smooth edge."""
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
    """How far (n,) the middles of edges (n, SAMPLES, 2) px are off the lines between their ends, by the
    parabolas that fit them."""
    ends = edges[:, -1] - edges[:, 0]
    lengths = np.linalg.norm(ends, axis=1)
    way = ends / lengths[:, None]
    off = edges - edges[:, :1]
    along = (off * way[:, None]).sum(axis=2) / lengths[:, None] * 2 - 1
    beside = off[..., 1] * way[:, None, 0] - off[..., 0] * way[:, None, 1]
    # the part of a parabola, along² less its line, in what is beside
    ones = np.ones_like(along)
    rows = np.stack([ones, along, along**2], axis=2)
    normal = np.einsum("nsi,nsj->nij", rows, rows)
    wanted = np.einsum("nsi,ns->ni", rows, beside)
    return np.asarray(np.linalg.solve(normal, wanted[..., None])[:, 2, 0], np.float64)
