"""Finds the flat tiles in parts of the table, and reads their faces, in the size that suits the networks."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats, Mask
from companion.seeing.cloth import Tops
from companion.seeing.lens import resample
from companion.seeing.outlines import (
    ROUGH_OFF,
    Outlines,
    TileSize,
    agree_outlines,
    find_flat_outlines,
    find_strips,
    fit_outlines,
    join_pieces,
    mark_lying,
    show_true_size,
    trim_outlines,
)
from companion.seeing.sights import BLANK, Box
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.top_view import to_places
from companion.tiles import BACK
from companion.vision.candidates import Candidates
from companion.vision.classifying import classify_tiles
from companion.vision.learned import LearnedSet
from companion.vision.networks import NO_TILE, DirectionAnswers
from companion.vision.recogniser import Recogniser

COMFORTABLE_PX = 46.0
"""Width of a tile at which the finder separates the tiles of a row best."""
LOOKS = 0.6, 0.85, 1.2
"""Sizes of tiles in the finder's three looks, against that: of 300 faces seen from a corner one look missed 8
and misplaced 31 by 0.15 of a width and more, three looks together none and 12."""
FOUND_MIN_LOOKS = 2
"""Number of looks that must find a tile that is not surely a face: cloth may look like a back in one."""
CLOSER = 1.4
"""How much larger tiles are in a second look."""
PART_MM, MARGIN_MM = 400.0, 30.0
"""Parts of the table are no larger than this, and are searched with this margin, so that a tile at their edge
is whole."""
JOINED_PX = 6
"""Px of the small picture: places this near to one another are searched together."""
CUT_PX = 80
"""Px of the small picture: anything longer is cut, so that the inside of an L is not searched."""
SURE_BACK, LIKELY_BACK, SURE_SCORE = 0.85, 0.6, 0.4
"""Scores of the finder for a back, for a back where one is known, and for a tile, with which the reader is
not asked: it takes backs for White dragons."""
SURE_FACE = 0.9
"""Probability by the reader of a face whose outline is rough."""
NO_FACE = NO_TILE, BACK
WITH_RIM = 1.1
"""A tile is read in this size, with a little of its surroundings: a face that is cut off is read wrongly, one
with a rim is not."""
APART_MIN_WIDTHS = 0.75
"""In widths: tiles are no nearer to each other."""
NOTHING = Candidates.from_finder(
    np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
)
WHOLE_TABLE = Box(-TABLE_MM / 2, -TABLE_MM / 2, TABLE_MM / 2, TABLE_MM / 2)


Looks = tuple[float, ...]


class TileReader:
    """The networks, at work on one camera's pictures."""

    def __init__(self, recogniser: Recogniser, learned: LearnedSet | None) -> None:
        self._finder = recogniser.finder
        self._reader = recogniser.reader
        self._learned = learned

    def find(
        self, image: Image, boxes: list[Box], camera: TableCamera, size: TileSize, looks: Looks = LOOKS
    ) -> Candidates:
        """All outlines in these parts of the table, of standing tiles too, many of them several times. looks:
        the sizes in which tiles are shown to the finder."""
        found = [
            self._find_in(image, part, camera, size, times)
            for box in boxes for part in _split(box) for times in looks
        ]  # fmt: skip
        return Candidates.join([NOTHING, *found])

    def find_lying(
        self, image: Image, found: Candidates, boxes: list[Box], camera: TableCamera, size: TileSize,
        least: int = FOUND_MIN_LOOKS,
    ) -> Outlines:  # fmt: skip
        """The tiles that lie flat, each once, by the outlines found in these parts of the table, at least
        `least` times unless it is surely a face. If outlines cover only parts of what looks like a row of
        tiles, it is searched more closely."""
        outlines, finds = self._agree(image, found, camera, size)
        strips = find_strips(found, camera, size)
        apart = np.linalg.norm(strips[:, None] - outlines.middles, axis=2).min(axis=1, initial=np.inf)
        strips = strips[apart > APART_MIN_WIDTHS * size.width_mm]
        again = [
            self._find_in(image, part, camera, size, CLOSER)
            for box in boxes for part in _split(box)
            if any(part.holds(x, y) for x, y in strips.tolist())
        ]  # fmt: skip
        if again:
            found = Candidates.join([found, *again])
            outlines, finds = self._agree(image, found, camera, size)
        rare = self._read_surely(image, outlines.choose(finds < least))
        outlines = outlines.choose(finds >= least).join(rare)
        return outlines.join(self._sharpen(image, found, outlines, camera, size))

    def _agree(
        self, image: Image, found: Candidates, camera: TableCamera, size: TileSize
    ) -> tuple[Outlines, NDArray[np.intp]]:
        """The tiles whose outlines fit, and that surely lie flat: if one may stand as well, no top must be
        seen. And the number of looks that found each (n,)."""
        fitting = fit_outlines(found, camera, size)
        surely = mark_lying(fitting, camera, size)
        lying, finds = agree_outlines(fitting.choose(surely), camera, size)
        if surely.all():
            return lying, finds
        doubtful, looks = agree_outlines(fitting.choose(~surely), camera, size)
        tops, known, shown = Tops.of(image, doubtful, camera, size), lying, np.zeros(len(doubtful), bool)
        while (more := tops.mark_absent(known.candidates.quads) & ~shown).any():
            shown |= more
            # a top may be found as a tile, but is never read as a face
            known = known.join(self._read_surely(image, doubtful.choose(more), (*NO_FACE, BLANK)))
        shown &= _mark_apart(doubtful, lying, size)
        return lying.join(doubtful.choose(shown)), np.concatenate([finds, looks[shown]])

    def find_pieces(
        self, image: Image, found: Candidates, known: Outlines, camera: TableCamera, size: TileSize
    ) -> Outlines:
        """The flat tiles, apart from the `known` ones, of which only pieces were found, surely faces. Blank
        ones cannot be found in pieces."""
        joined = find_flat_outlines(join_pieces(found, camera, size), camera, size, ROUGH_OFF)
        joined = show_true_size(_choose_apart(joined, known, size), camera, size)
        return self._read_surely(image, joined, (*NO_FACE, BLANK))

    def _sharpen(
        self, image: Image, found: Candidates, plain: Outlines, camera: TableCamera, size: TileSize
    ) -> Outlines:
        """The flat tiles, apart from the plain ones, whose outlines are rough: surely a face where a tile of
        the true size would be."""
        rough = find_flat_outlines(found, camera, size, ROUGH_OFF)
        rough = trim_outlines(_choose_apart(rough, plain, size), camera, size)
        return self._read_surely(image, agree_outlines(rough, camera, size)[0])

    def _read_surely(self, image: Image, rough: Outlines, no_face: tuple[str, ...] = NO_FACE) -> Outlines:
        """Those that are surely faces, without these labels."""
        if not len(rough):
            return rough
        read = self._classify(image, rough.candidates)
        none = sum(read.probability_of(label) for label in no_face)
        return rough.choose((read.probabilities.max(axis=1) >= SURE_FACE) & (none < 1 - SURE_FACE))

    def read(self, image: Image, outlines: Outlines, backs: set[int]) -> dict[int, Candidates]:
        """The faces of flat tiles, one row each, by their rows. Plain backs are not read, nor rows of known
        tiles that show their backs."""
        found = outlines.candidates
        known = np.array([row in backs for row in range(len(found))], bool)
        sure = (found.back_shares > np.where(known, LIKELY_BACK, SURE_BACK)) & (found.scores > SURE_SCORE)
        asked = np.flatnonzero(~sure)
        if not len(asked):
            return {}
        read = self._classify(image, found[asked])
        back = read.probability_of(BACK) + read.probability_of(NO_TILE)
        shown = (found.back_shares[asked] <= LIKELY_BACK) | (back < 0.5)
        return {int(row): read[at : at + 1] for at, row in enumerate(asked) if shown[at]}

    def read_again(
        self, image: Image, face: Candidates, quad_mm: Floats, camera: TableCamera, size: TileSize
    ) -> Candidates:
        """Another reading of a face, one row, of a flat tile with these corners (4, 2)."""
        px = camera.project(np.column_stack([quad_mm, np.full(4, size.depth_mm)])).astype(np.float32)
        again = Candidates.from_finder(px[None], face.scores, face.back_shares)
        return self._classify(image, again)

    def read_turned(self, face: Candidates) -> NDArray[np.float32]:
        """What the reader sees of a face, one row, turned each way: (4, f)."""
        return np.asarray(DirectionAnswers.read_all(self._reader, face.crops).features[0], np.float32)

    def _classify(self, image: Image, faces: Candidates) -> Candidates:
        """The classes of the faces with these outlines, n > 0."""
        middles = faces.quads.mean(axis=1, keepdims=True)
        wider = replace(faces, quads=middles + (faces.quads - middles) * np.float32(WITH_RIM))
        return classify_tiles(self._reader, image, wider, self._learned)

    def _find_in(
        self, image: Image, part: Box, camera: TableCamera, size: TileSize, times: float
    ) -> Candidates:
        """The outlines in a part of the table, px of the picture. They are searched in a view from straight
        above, in which flat tiles are undistorted, with tiles `times` the size that suits the finder."""
        scale = times * COMFORTABLE_PX / size.width_mm
        left, near = part.left - MARGIN_MM, part.near - MARGIN_MM
        right, far = part.right + MARGIN_MM, part.far + MARGIN_MM
        width, height = round((right - left) * scale), round((far - near) * scale)
        a_px = np.array([(right - left) / width, (near - far) / height])

        def find_px(view_px: Floats) -> Floats:
            places = np.array([left, far]) + view_px * a_px
            return camera.project(np.column_stack([places, np.full(len(places), size.depth_mm)]))

        corners = find_px(np.array([[0.0, 0], [width, 0], [width, height], [0, height]]))
        if not np.isfinite(corners).all():
            return NOTHING
        found = self._finder.find(resample(image, find_px, width, height), 1.0)
        quads = find_px(found.quads.reshape(-1, 2).astype(np.float64))
        return replace(found, quads=quads.reshape(-1, 4, 2).astype(np.float32))


def _choose_apart(outlines: Outlines, known: Outlines, size: TileSize) -> Outlines:
    return outlines.choose(_mark_apart(outlines, known, size))


def _mark_apart(outlines: Outlines, known: Outlines, size: TileSize) -> Mask:
    """Which of the outlines (n,) are at places without a known one."""
    apart = np.linalg.norm(outlines.middles[:, None] - known.middles, axis=2).min(axis=1, initial=np.inf)
    return np.asarray(apart > APART_MIN_WIDTHS * size.width_mm, bool)


def box_parts(ready: Mask) -> list[Box]:
    """Boxes around the marked parts of the small picture, large parts cut."""
    side = 2 * JOINED_PX + 1
    wide = cv2.dilate(ready.astype(np.uint8), np.ones((side, side), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(wide)
    boxes = []
    for label in range(1, count):
        left, top, width, height = stats[label, :4].tolist()
        columns, rows = (
            np.linspace(0, length, -(-length // CUT_PX) + 1).round() for length in (width, height)
        )
        for x0, x1 in pairwise((left + columns).astype(int).tolist()):
            for y0, y1 in pairwise((top + rows).astype(int).tolist()):
                ys, xs = np.nonzero(labels[y0:y1, x0:x1] == label)
                if len(xs):
                    lower = x0 + xs.min(), y0 + ys.max() + 1
                    upper = x0 + xs.max() + 1, y0 + ys.min()
                    corners = to_places(np.array([lower, upper], np.float64) - 0.5)
                    boxes.append(Box(*corners.ravel().tolist()))
    return boxes


def _split(box: Box) -> list[Box]:
    """A box cut into parts of at most PART_MM."""
    xs, ys = (
        np.linspace(first, last, max(1, int(np.ceil((last - first) / PART_MM))) + 1).tolist()
        for first, last in ((box.left, box.right), (box.near, box.far))
    )
    return [Box(left, near, right, far) for left, right in pairwise(xs) for near, far in pairwise(ys)]
