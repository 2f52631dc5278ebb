"""Outlines of tiles in a picture, as places on the table: which of them are tiles that lie flat.

A flat tile's face, raised to its height above the table, is a rectangle of the tile's size; a standing tile's
is sheared, too long or too short. All others are dropped: hands are private.

Seen from behind its player, 45 degrees above it, a standing face looks just like a flat one; from across it
is sheared, and from above invisible. So the camera's place tells where an outline proves that a tile lies
flat; at all other places nothing is read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.arrays import Floats, Mask
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.top_view import SIDE, to_pixels
from companion.vision.candidates import Candidates, Quads

WATCHED_SHARE = 0.9
"""Share of a tile's sides within which its place is watched."""

HAND_STRIP_WIDTHS = 10.0
"""From the middle of the table to where hands begin, in widths of a tile: the outer side of a wall of 17
stacks, which people build before their hands."""
STRIP_MIN_MM = 105.0
"""Hands may stand this near to the table's edge, whatever the size of the tiles."""
LEANS_DEGREES = (0.0, 10.0)
"""How far a standing tile leans back towards the table."""
TURNS_DEGREES = (-10.0, 0.0, 10.0)
"""How far a row is turned from along its player's edge."""
FACING_MIN_COSINE = 0.05
"""Cosine between a face and the view of it below which nothing can be decided."""
MISTAKABLE_WIDTHS = 0.2
"""In widths of a tile, root of the mean square of its corners: if standing faces look this much like flat
tiles, nothing is read. Outlines by the finder are off by some 0.05."""


def find_strip_mm(width_mm: float) -> float:
    """How far from the middle of the table hands begin with tiles of this width, mm."""
    return min(HAND_STRIP_WIDTHS * width_mm, TABLE_MM / 2 - STRIP_MIN_MM)


def mark_strips(places_mm: Floats, width_mm: float) -> Mask:
    """At which of the places (n, 2) hands may stand (n,), beyond the table's edge too."""
    return np.asarray(np.abs(places_mm).max(axis=1) > find_strip_mm(width_mm), bool)


def mark_mistakable(places_mm: Floats, camera: TableCamera, size_mm: tuple[float, float, float]) -> Mask:
    """At which of these places (n, 2) of flat tiles' middles the face of a hand's tile may look like a flat
    tile to this camera (n,). size_mm: width, height and depth of a tile."""
    return np.asarray(measure_difference(places_mm, camera, size_mm) < MISTAKABLE_WIDTHS, bool)


def measure_difference(places_mm: Floats, camera: TableCamera, size_mm: tuple[float, float, float]) -> Floats:
    """The least difference (n,), in widths, between the face of a hand's tile, or a part of it, and every
    flat tile at these places (n, 2); infinite where no such face can be seen. size_mm: width, height and
    depth of a tile."""
    return np.asarray(measure_differences(places_mm, camera, size_mm).min(axis=0), np.float64)


def measure_differences(
    places_mm: Floats, camera: TableCamera, size_mm: tuple[float, float, float]
) -> Floats:
    """The same for the hands of each seat (4, n)."""
    strip_mm = find_strip_mm(size_mm[0])
    least: Floats = np.full((4, len(places_mm)), np.inf)
    for seat in range(4):
        quarter = _turn(seat * np.pi / 2)
        own = places_mm @ quarter  # turned to this seat's edge
        eye = np.append(camera.position_mm[:2] @ quarter, camera.position_mm[2])
        here = -own[:, 1] > strip_mm
        for lean, turn in product(np.radians(LEANS_DEGREES), np.radians(TURNS_DEGREES)):
            differs = _differ(own[here], eye, size_mm, lean, turn)
            least[seat, here] = np.minimum(least[seat, here], differs)
    return least


def _differ(
    places: Floats, eye: Floats, size_mm: tuple[float, float, float], lean: float, turn: float
) -> Floats:
    """The difference (n,) from a flat tile of faces that stand along the lower edge, seen at these places (n,
    2) at the height of a flat tile; infinite where they are turned away."""
    width, height, depth = size_mm
    along = np.array([np.cos(turn), np.sin(turn), 0.0])
    away = np.array([-np.sin(turn), np.cos(turn), 0.0])
    up = np.sin(lean) * away + np.cos(lean) * np.array([0.0, 0.0, 1.0])
    looks = eye - np.column_stack([places, np.full(len(places), depth)])
    facing = looks @ np.cross(along, up) > FACING_MIN_COSINE * np.linalg.norm(looks, axis=1)
    # the upright side, as seen in the plane of flat faces
    side = height * (up[:2] - up[2] * looks[:, :2] / looks[:, 2:])
    lengths = np.linalg.norm(side, axis=1, keepdims=True)
    side = side * np.minimum(1.0, height / np.maximum(lengths, 1e-9))  # a part of it may be found, too
    foot = np.broadcast_to(width * along[:2], side.shape)
    return np.where(facing, _measure_skew(foot, side, width, height), np.inf)


def _measure_skew(foot: Floats, side: Floats, width: float, height: float) -> Floats:
    """The distance (n,), in widths, of parallelograms with these sides (n, 2) from a tile's rectangle."""
    directions = foot / np.linalg.norm(foot, axis=1, keepdims=True)
    directions += _turn_back(side) / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-9)
    upwards = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    off = np.stack([foot - width * directions, side - height * upwards])
    return np.asarray(np.sqrt((off**2).sum(axis=(0, 2)) / 4) / width, np.float64)


def _turn_back(vectors: Floats) -> Floats:
    """Vectors (n, 2) turned a quarter clockwise."""
    return np.stack([vectors[:, 1], -vectors[:, 0]], axis=1)


def _turn(angle: float) -> Floats:
    """The matrix that turns places (n, 2) @ it into those seen by a player who sits turned by that angle."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


USUAL_WIDTH_MM = 26.0
WIDTHS_MM = (18.0, 40.0)
ASPECT, DEPTH = 1.33, 0.77
"""Height and depth of a tile in widths."""
PLAIN_SCORE = 0.5
"""Least score of the outlines by which the size of the tiles is measured."""
PLAIN_MIN = 6
PLAIN_ASPECTS = (1.15, 1.6)
OFF_MAX = 0.15
"""How far the corners of a flat tile's outline may be off, root of the mean square, in widths."""
ROUGH_OFF, ROUGH_SQUARE, ROUGH_WIDTH = 0.25, 0.2, 0.06
"""The same for an outline that includes a side of the tile, or is inexact because it is small; the largest
cosine of the angle between its sides; and the least share by which it is too narrow or too wide. A standing
tile's is farther off, or slanted, or seen straight on: then its width is right and its height wrong."""

SAME_TILE, SAME_PLACE, SAME_ANGLE = 0.6, 0.35, 0.35
"""In widths: middles nearer than the first are of one tile; nearer than the second, with sides turned by no
more radians, they are two finds of the same outline."""
FITS_OFF = 0.08
"""In widths: an outline that is off by this much has a good half of the trust."""
STRIP_SCORE, STRIP_SQUARE, STRIP_OFF, STRIP_WIDTHS = 0.35, 0.15, 0.15, (0.75, 1.5)
"""Outlines of parts of tiles that touch: their least score, the largest cosine of the angle between their
sides, how far their height may be from a tile's, and the range of widths outside which they are not whole
tiles."""

PIECE_AREA, PIECE_APART = (0.1, 0.75), 0.8
"""The area of a piece of a tile, as a share of the tile's; and the most, in heights, between the middles of
two pieces of one tile."""
PIECES_MAX, PIECES_OFF, PIECES_TRIED = 4, 0.5, 10
"""The most pieces of one tile; how far, in widths, the rectangle around them may differ from a tile; and the
number of neighbouring pieces that are tried."""


@dataclass(frozen=True, slots=True)
class TileSize:
    """Size of the tiles in play, mm of the table; `measured`: whether it was measured or is the usual one."""

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
    """Outlines of n flat tiles. middles: (n, 2) mm; angles: (n,) radians counterclockwise of the side from
    the first corner to the second; quads: (n, 4, 2) mm, of tiles of the true size, corners in the order of
    those of `candidates`; off: (n,) how far the seen corners are from these, in widths."""

    candidates: Candidates
    middles: Floats
    angles: Floats
    quads: Floats
    off: Floats

    def __len__(self) -> int:
        return len(self.middles)

    @cached_property
    def footprints(self) -> list[Footprint]:
        """The pixels of the table's small picture that each of them covers."""
        return [Footprint.of(quad) for quad in self.quads]

    def choose(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Outlines:
        """Those chosen by a mask (n,) or by indices."""
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
    """The size of the tiles by these outlines; the usual one if too few are clearly flat."""
    plain = candidates.quads[candidates.scores >= PLAIN_SCORE]
    if len(plain) < PLAIN_MIN:
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
        if good.sum() < PLAIN_MIN:
            return TileSize()
        width = float(np.median(short[good]))
    return TileSize(width, width * ASPECT, True)


def find_flat_outlines(
    candidates: Candidates, camera: TableCamera, size: TileSize, off_max: float = OFF_MAX
) -> Outlines:
    """The outlines of flat tiles, surely so where hands stand, with corners off by `off_max` at most."""
    fitting = fit_outlines(candidates, camera, size, off_max)
    return fitting.choose(mark_lying(fitting, camera, size))


def fit_outlines(
    candidates: Candidates, camera: TableCamera, size: TileSize, off_max: float = OFF_MAX,
    within_mm: float = TABLE_MM / 2,
) -> Outlines:  # fmt: skip
    """The outlines that fit flat tiles, with corners off by `off_max` at most; where hands stand, standing
    tiles may fit too. within_mm: the largest distance from the table's middle, along either side."""
    lifted = _lift(candidates.quads, camera, size.depth_mm)
    along, down = _measure_sides(lifted)
    upright = np.linalg.norm(along, axis=1) <= np.linalg.norm(down, axis=1)
    # Turned a quarter counterclockwise, the second side is along the first.
    directions = _scale_to_unit(along) + _scale_to_unit(np.stack([-down[:, 1], down[:, 0]], axis=1))
    angles = np.arctan2(directions[:, 1], directions[:, 0])
    middles = lifted.mean(axis=1)
    quads = place_quads(middles, angles, upright, size)
    off = np.sqrt(((quads - lifted) ** 2).sum(axis=2).mean(axis=1)) / size.width_mm
    fitting = np.isfinite(off) & (off <= off_max) & (np.abs(middles) < within_mm).all(axis=1)
    return Outlines(candidates, middles, angles, quads, off).choose(fitting)


def mark_lying(outlines: Outlines, camera: TableCamera, size: TileSize) -> NDArray[np.bool_]:
    """Which of the outlines (n,) fit a flat tile better than one that may stand there."""
    return np.logical_not(mark_like_standing(outlines, camera, size).any(axis=0))


def mark_like_standing(outlines: Outlines, camera: TableCamera, size: TileSize) -> NDArray[np.bool_]:
    """For each seat (4, n), whether a standing tile of its hand may have such an outline."""
    unlike = measure_differences(outlines.middles, camera, size.sides_mm)
    return np.asarray((outlines.off > unlike / 2) | (unlike < MISTAKABLE_WIDTHS), bool)


def agree_outlines(
    outlines: Outlines, camera: TableCamera, size: TileSize
) -> tuple[Outlines, NDArray[np.intp]]:
    """Each tile once, from several looks: the outline that fits best, at the place on which all looks at it
    agree; and their number (n,)."""
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
    """The weight of outlines by how far they are off a tile's, in widths: 0 to 1."""
    return np.asarray(np.exp(-((off / FITS_OFF) ** 2) / 2), np.float64)


def trim_outlines(outlines: Outlines, camera: TableCamera, size: TileSize) -> Outlines:
    """The outlines that are rectangles of another width, corrected to tiles of the true size, in the picture
    too."""
    along, down = _measure_sides(_lift(outlines.candidates.quads, camera, size.depth_mm))
    one, other = np.linalg.norm(along, axis=1), np.linalg.norm(down, axis=1)
    square = np.abs((along * down).sum(axis=1)) < ROUGH_SQUARE * one * other
    other_width = np.abs(np.minimum(one, other) / size.width_mm - 1) > ROUGH_WIDTH
    return show_true_size(outlines.choose(square & other_width), camera, size)


def show_true_size(chosen: Outlines, camera: TableCamera, size: TileSize) -> Outlines:
    """The outlines as those of tiles of the true size, in the picture too."""
    raised = np.concatenate([chosen.quads, np.full((len(chosen), 4, 1), size.depth_mm)], axis=2)
    px = camera.project(raised.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
    return replace(chosen, candidates=replace(chosen.candidates, quads=px))


def find_strips(candidates: Candidates, camera: TableCamera, size: TileSize) -> Floats:
    """The middles (n, 2) mm of outlines that are as high as a flat tile, and far too narrow or too wide:
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
    """Outlines around what may be pieces of one tile each: a face with dots far apart, in rows, may be found
    as two or three tiles."""
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
    """Which of the pieces (n, 4, 2) together are nearest to the size of a tile, and the rectangle (4, 2)
    around them; None if none are. A tile's side may be found as a piece, too, and belongs to no face."""
    best: tuple[float, list[int], Floats] | None = None
    tried = range(min(len(pieces_mm), PIECES_TRIED))
    for count in range(2, PIECES_MAX + 1):
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
    """Quads (n, 4, 2) mm of tiles about these middles (n, 2), clockwise as seen from above, with the first
    side turned by `angles` (n,), and shorter where `upright` (n,)."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """The pixels of the table's small picture covered by a tile: a window, and which of its pixels."""

    window: tuple[slice, slice]
    inside: Mask

    @staticmethod
    def of(quad_mm: Floats) -> Footprint:
        """Of a tile with these corners (4, 2)."""
        middle = quad_mm.mean(axis=0)
        px = to_pixels(middle + (quad_mm - middle) * WATCHED_SHARE)
        left, top = np.floor(px.min(axis=0)).astype(int).clip(0, SIDE - 1).tolist()
        right, bottom = (np.ceil(px.max(axis=0)).astype(int) + 1).clip(1, SIDE).tolist()
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, (px - [left, top]).round().astype(np.int32), 1)
        return Footprint((slice(top, bottom), slice(left, right)), mask > 0)

    def measure_share(self, mask: Mask) -> float:
        """The share of it that is marked in a mask (SIDE, SIDE)."""
        marked = np.count_nonzero(mask[self.window] & self.inside)
        return float(marked) / max(1, int(np.count_nonzero(self.inside)))
