"""Outlines of tiles in a picture, as places on the table: which of them are tiles that lie flat.

A lying tile's face, lifted to its height above the table, is a rectangle of the tile's size; a standing
tile's is sheared, too long or too short. What is not a lying tile's goes no further: hands are private.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.standing import ALIKE, measure_differences
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.tile_tracks import Footprint
from companion.vision.candidates import Candidates, Quads

Floats = NDArray[np.float64]

USUAL_WIDTH_MM = 26.0
WIDTHS_MM = (18.0, 40.0)
ASPECT, DEPTH = 1.33, 0.77
"""Height and depth of a tile in widths of it."""
PLAIN_SCORE = 0.5
"""Of the outlines by which the size of the tiles is judged."""
PLAIN_LEAST = 6
PLAIN_ASPECTS = (1.15, 1.6)
OFF_MAX = 0.15
"""How far the corners of a lying tile's outline may be off, root of the mean square, in widths."""
ROUGH_OFF, ROUGH_SQUARE, ROUGH_WIDTH = 0.25, 0.2, 0.06
"""The same of an outline that holds a side of the tile too, or is inexact as small ones are; the cosine of
the angle between its sides, at most; and by what share it is too narrow or too wide, at least. A standing
tile's is farther off, or slanted, or seen straight on: then it has the right width and the wrong height."""

SAME_TILE, SAME_PLACE, SAME_ANGLE = 0.6, 0.35, 0.35
"""In widths: middles nearer than the first are of one tile, and nearer than the second, their sides turned by
no more radians, two finds of the same outline."""
FITS_OFF = 0.08
"""In widths: an outline that is off by so much is trusted a good half."""
STRIP_SCORE, STRIP_SQUARE, STRIP_OFF, STRIP_WIDTHS = 0.35, 0.15, 0.15, (0.75, 1.5)
"""Of outlines of parts of tiles that touch: the least score, the cosine of the angle between their sides, how
far they may be from as high as a tile, and below and above how many widths they are none."""

PIECE_AREA, PIECE_APART = (0.1, 0.75), 0.8
"""Of a tile's area, how much a piece of it takes, and how far the middles of two pieces of one tile are from
each other at most, in heights."""
PIECES_MOST, PIECES_OFF, PIECES_TRIED = 4, 0.5, 10
"""So many pieces at most are one tile; how far, in widths, what holds them may be from as large as one; and
so many of those that are near one another are tried."""


@dataclass(frozen=True, slots=True)
class TileSize:
    """Of the tiles in play, mm of the table; `measured`: whether they were seen or are the usual ones."""

    width_mm: float = USUAL_WIDTH_MM
    height_mm: float = USUAL_WIDTH_MM * ASPECT
    measured: bool = False

    @property
    def depth_mm(self) -> float:
        return self.width_mm * DEPTH

    @property
    def sides_mm(self) -> tuple[float, float, float]:
        """Width, height and depth."""
        return self.width_mm, self.height_mm, self.depth_mm


@dataclass(frozen=True, eq=False)
class Outlines:
    """Of n lying tiles. middles: (n, 2) mm; angles: (n,) radians counterclockwise of the side from the first
    corner to the second; quads: (n, 4, 2) mm, as tiles of the true size lie there, corners in the order of
    those of `candidates`; off: (n,) how far the corners seen are from these, in widths."""

    candidates: Candidates
    middles: Floats
    angles: Floats
    quads: Floats
    off: Floats

    def __len__(self) -> int:
        return len(self.middles)

    @cached_property
    def footprints(self) -> list[Footprint]:
        """The pixels that each takes of the table's small picture."""
        return [Footprint.of(quad) for quad in self.quads]

    def choose(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Outlines:
        """Those that a mask (n,) or indices choose."""
        return Outlines(
            self.candidates[rows], self.middles[rows], self.angles[rows], self.quads[rows], self.off[rows]
        )

    def join(self, others: Outlines) -> Outlines:
        """These and others."""
        return Outlines(
            Candidates.join([self.candidates, others.candidates]),
            np.concatenate([self.middles, others.middles]),
            np.concatenate([self.angles, others.angles]),
            np.concatenate([self.quads, others.quads]),
            np.concatenate([self.off, others.off]),
        )


def measure_size(candidates: Candidates, camera: TableCamera) -> TileSize:
    """The size of the tiles by these outlines; the usual one where too few lie plainly."""
    plain = candidates.quads[candidates.scores >= PLAIN_SCORE]
    if len(plain) < PLAIN_LEAST:
        return TileSize()
    width = USUAL_WIDTH_MM
    for _ in range(2):
        lifted = _lift(plain, camera, width * DEPTH)
        along, down = _measure_sides(lifted)
        one, other = np.linalg.norm(along, axis=1), np.linalg.norm(down, axis=1)
        short, long = np.minimum(one, other), np.maximum(one, other)
        square = np.abs((along * down).sum(axis=1)) < 0.15 * one * other
        of_table = (np.abs(lifted.mean(axis=1)) < TABLE_MM / 2).all(axis=1)
        aspect = long / np.maximum(short, 1e-6)
        good = (
            square & of_table & (short > WIDTHS_MM[0]) & (short < WIDTHS_MM[1])
            & (aspect > PLAIN_ASPECTS[0]) & (aspect < PLAIN_ASPECTS[1])
        )  # fmt: skip
        if good.sum() < PLAIN_LEAST:
            return TileSize()
        width = float(np.median(short[good]))
    return TileSize(width, width * ASPECT, True)


def lay_outlines(
    candidates: Candidates, camera: TableCamera, size: TileSize, off_max: float = OFF_MAX
) -> Outlines:
    """The outlines that are those of lying tiles, surely so where hands stand, corners being off
    by `off_max` at most."""
    fitting = fit_outlines(candidates, camera, size, off_max)
    return fitting.choose(mark_lying(fitting, camera, size))


def fit_outlines(
    candidates: Candidates, camera: TableCamera, size: TileSize, off_max: float = OFF_MAX,
    within_mm: float = TABLE_MM / 2,
) -> Outlines:  # fmt: skip
    """The outlines that fit tiles that lie on the table, corners being off by `off_max` at most; where hands
    stand, standing ones may do so too. within_mm: so far from the table's middle, along either side."""
    lifted = _lift(candidates.quads, camera, size.depth_mm)
    along, down = _measure_sides(lifted)
    upright = np.linalg.norm(along, axis=1) <= np.linalg.norm(down, axis=1)
    # Turned a quarter counterclockwise, the side that runs down lies along the other.
    directions = _scale_to_unit(along) + _scale_to_unit(np.stack([-down[:, 1], down[:, 0]], axis=1))
    angles = np.arctan2(directions[:, 1], directions[:, 0])
    middles = lifted.mean(axis=1)
    quads = place_quads(middles, angles, upright, size)
    off = np.sqrt(((quads - lifted) ** 2).sum(axis=2).mean(axis=1)) / size.width_mm
    fitting = np.isfinite(off) & (off <= off_max) & (np.abs(middles) < within_mm).all(axis=1)
    return Outlines(candidates, middles, angles, quads, off).choose(fitting)


def mark_lying(outlines: Outlines, camera: TableCamera, size: TileSize) -> NDArray[np.bool_]:
    """Which of the outlines (n,) are nearer to what lies there than to what may stand there."""
    return np.logical_not(mark_like_standing(outlines, camera, size).any(axis=0))


def mark_like_standing(outlines: Outlines, camera: TableCamera, size: TileSize) -> NDArray[np.bool_]:
    """Of the hands of which seats (4, n) a standing tile may have such an outline."""
    unlike = measure_differences(outlines.middles, camera, size.sides_mm)
    return np.asarray((outlines.off > unlike / 2) | (unlike < ALIKE), bool)


def agree_outlines(
    outlines: Outlines, camera: TableCamera, size: TileSize
) -> tuple[Outlines, NDArray[np.intp]]:
    """Each tile once, by several looks: the outline that fits a tile best, put where all of the same tile say
    that it lies; and how many say so (n,)."""
    if not len(outlines):
        return outlines, np.zeros(0, np.intp)
    trust = outlines.candidates.scores * measure_trust(outlines.off)
    apart = np.linalg.norm(outlines.middles[:, None] - outlines.middles, axis=2) / size.width_mm
    kept: list[int] = []
    for row in np.argsort(-trust).tolist():
        if all(apart[row, other] >= SAME_TILE for other in kept):
            kept.append(row)
    best = outlines.choose(np.array(kept))
    turned = outlines.angles - best.angles[:, None]
    turned -= np.round(turned / (np.pi / 2)) * (np.pi / 2)
    same = (apart[kept] < SAME_PLACE) & (np.abs(turned) < SAME_ANGLE)
    weights = trust * same
    weights /= weights.sum(axis=1, keepdims=True)
    middles = weights @ outlines.middles
    angles = best.angles + (weights * turned).sum(axis=1)
    along, down = _measure_sides(best.quads)
    upright = np.linalg.norm(along, axis=1) <= np.linalg.norm(down, axis=1)
    placed = replace(best, middles=middles, angles=angles, quads=place_quads(middles, angles, upright, size))
    return show_true_size(placed, camera, size), same.sum(axis=1)


def measure_trust(off: Floats) -> Floats:
    """0 to 1, how far outlines are to be trusted that are so far from a tile's, in widths."""
    return np.asarray(np.exp(-((off / FITS_OFF) ** 2) / 2), np.float64)


def trim_outlines(outlines: Outlines, camera: TableCamera, size: TileSize) -> Outlines:
    """The outlines that are rectangles of another width, in the picture too as tiles of the true size lie
    there."""
    along, down = _measure_sides(_lift(outlines.candidates.quads, camera, size.depth_mm))
    one, other = np.linalg.norm(along, axis=1), np.linalg.norm(down, axis=1)
    square = np.abs((along * down).sum(axis=1)) < ROUGH_SQUARE * one * other
    other_width = np.abs(np.minimum(one, other) / size.width_mm - 1) > ROUGH_WIDTH
    return show_true_size(outlines.choose(square & other_width), camera, size)


def show_true_size(chosen: Outlines, camera: TableCamera, size: TileSize) -> Outlines:
    """The outlines as tiles of the true size lie there, in the picture too."""
    raised = np.concatenate([chosen.quads, np.full((len(chosen), 4, 1), size.depth_mm)], axis=2)
    px = camera.project(raised.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
    return replace(chosen, candidates=replace(chosen.candidates, quads=px))


def find_strips(candidates: Candidates, camera: TableCamera, size: TileSize) -> Floats:
    """The middles (n, 2) mm of outlines that are as high as a lying tile, and far too narrow or too wide:
    parts of tiles that touch, or several of them."""
    lifted = _lift(candidates.quads, camera, size.depth_mm)
    along, down = _measure_sides(lifted)
    one, other = np.linalg.norm(along, axis=1), np.linalg.norm(down, axis=1)
    square = np.abs((along * down).sum(axis=1)) < STRIP_SQUARE * one * other
    plain = (candidates.scores >= STRIP_SCORE) & (candidates.back_shares < 0.5)
    strip = np.zeros(len(one), bool)
    for high, wide in ((one, other), (other, one)):
        as_high = np.abs(high / size.height_mm - 1) < STRIP_OFF
        strip |= as_high & (
            (wide < STRIP_WIDTHS[0] * size.width_mm) | (wide > STRIP_WIDTHS[1] * size.width_mm)
        )
    return np.asarray(lifted.mean(axis=1)[strip & square & plain], np.float64)


def join_pieces(candidates: Candidates, camera: TableCamera, size: TileSize) -> Candidates:
    """Outlines round what may be pieces of one tile each: a face whose dots lie far apart, in rows, may be
    taken for two or three tiles."""
    lifted = _lift(candidates.quads, camera, size.depth_mm)
    along, down = _measure_sides(lifted)
    area = np.abs(along[:, 0] * down[:, 1] - along[:, 1] * down[:, 0]) / (size.width_mm * size.height_mm)
    pieces = np.flatnonzero((area > PIECE_AREA[0]) & (area < PIECE_AREA[1]))
    middles = lifted[pieces].mean(axis=1)
    near = np.linalg.norm(middles[:, None] - middles, axis=2) < PIECE_APART * size.height_mm
    joined, of = [], []
    for group in find_groups(near):
        left = pieces[group]
        while (best := _find_tile(lifted[left], size)) is not None:
            chosen, places = best
            joined.append(camera.project(np.column_stack([places, np.full(4, size.depth_mm)])))
            of.append(left[chosen[0]])
            left = np.delete(left, chosen)
    if not joined:
        return candidates[pieces[:0]]
    return replace(candidates[np.array(of)], quads=np.array(joined, np.float32))


def _find_tile(pieces_mm: Floats, size: TileSize) -> tuple[list[int], Floats] | None:
    """Which of the pieces (n, 4, 2) together are most nearly as large as a tile, and the rectangle (4, 2)
    round them; None where none are: a tile's side may be found as a piece, too, and belongs to no face."""
    best: tuple[float, list[int], Floats] | None = None
    tried = range(min(len(pieces_mm), PIECES_TRIED))
    for count in range(2, PIECES_MOST + 1):
        for chosen in map(list, combinations(tried, count)):
            around = cv2.minAreaRect(pieces_mm[chosen].reshape(-1, 2).astype(np.float32))
            short, long = sorted(around[1])
            off = float(np.hypot(short - size.width_mm, long - size.height_mm)) / size.width_mm
            if off < (best[0] if best else PIECES_OFF):
                best = off, chosen, np.asarray(cv2.boxPoints(around)[::-1], np.float64)
    return best[1:] if best else None


def find_groups(near: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """The groups, as indices, of n things that are near one another or not (n, n)."""
    left = np.ones(len(near), bool)
    groups = []
    while left.any():
        group = np.zeros(len(near), bool)
        group[left.argmax()] = True
        while (wider := group | near[group].any(axis=0)).sum() > group.sum():
            group = wider
        groups.append(np.flatnonzero(group))
        left &= ~group
    return groups


def place_quads(middles: Floats, angles: Floats, upright: NDArray[np.bool_], size: TileSize) -> Floats:
    """Quads (n, 4, 2) mm of tiles about these middles (n, 2), clockwise as seen from above, the first side
    turned by `angles` (n,), and being the shorter one where `upright` (n,)."""
    first = np.where(upright, size.width_mm, size.height_mm)[:, None] / 2
    second = np.where(upright, size.height_mm, size.width_mm)[:, None] / 2
    along = np.stack([np.cos(angles), np.sin(angles)], axis=1) * first
    down = np.stack([np.sin(angles), -np.cos(angles)], axis=1) * second
    corners = [-along - down, along - down, along + down, down - along]
    return middles[:, None] + np.stack(corners, axis=1)


def _lift(quads: Quads, camera: TableCamera, height_mm: float) -> Floats:
    return camera.lift(quads.reshape(-1, 2), height_mm).reshape(-1, 4, 2)


def _measure_sides(quads: Floats) -> tuple[Floats, Floats]:
    """The sides (n, 2) from the first corner to the second, and from the first to the last."""
    along = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return along, down


def _scale_to_unit(vectors: Floats) -> Floats:
    result: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return result
