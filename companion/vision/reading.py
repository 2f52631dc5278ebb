"""What was read in a picture, as values, and its rows: top to bottom, left to right, as the glyphs stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from companion.images import Quad
from companion.tiles import BACK, UNKNOWN, Tile, format_tiles
from companion.vision.candidates import Quads

# Probability of a tile below which a person is asked to check it: at this figure one in ten is wrong
SURE = 0.9

CLOSER, SHARPER = "closer", "sharper"
CUT_SHORT, MIRRORED = "cut_short", "mirrored"


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile that was found.

    code: one of the 42 kinds, "back", or "?" where it was not read with certainty.
    quad: px in the upright picture: the glyph's top left, top right, bottom right, bottom left.
    p: probability 0..1 that `code` is right (for "?" that of the likeliest kind).
    alternatives: (code, probability), likeliest first, the chosen one included.
    """

    code: str
    quad: Quad
    p: float
    alternatives: tuple[tuple[str, float], ...]

    @property
    def is_unsure(self) -> bool:
        """Whether a person should check it; backs need no check."""
        return self.code == UNKNOWN or (self.code != BACK and self.p < SURE)


@dataclass(frozen=True, slots=True)
class Reading:
    """All tiles of one picture of width × height px.

    tiles: in reading order; rows: indices into `tiles`, rows top to bottom and each left to right;
    ms: milliseconds for "decode" (0 for a picture already in memory), "detect", "classify", "total";
    advice: how a better picture would be taken, CLOSER or SHARPER, where some tiles could not be read for it;
    warnings: what is wrong with the picture: CUT_SHORT where the end of its file is missing, MIRRORED where
    it was flipped to be read.
    """

    width: int
    height: int
    tiles: tuple[TileReading, ...]
    rows: tuple[tuple[int, ...], ...]
    ms: Mapping[str, float]
    advice: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def enlarge(reading: Reading, width: int, height: int, times: int) -> Reading:
    """The reading of a shrunk picture in px of the whole one, of width × height px, `times` as large."""
    tiles = []
    for tile in reading.tiles:
        a, b, c, d = ((x * times, y * times) for x, y in tile.quad)
        tiles.append(replace(tile, quad=(a, b, c, d)))
    return replace(reading, width=width, height=height, tiles=tuple(tiles))


def flip_back(reading: Reading) -> Reading:
    """The reading of a picture that was mirrored and flipped to be read, in px of the mirrored one: there the
    glyph's top left corner is to the right."""
    tiles = []
    for tile in reading.tiles:
        a, b, c, d = ((reading.width - x, y) for x, y in tile.quad)
        tiles.append(replace(tile, quad=(a, b, c, d)))
    return replace(reading, tiles=tuple(tiles), warnings=(*reading.warnings, MIRRORED))


def row_notation(reading: Reading) -> tuple[str, ...]:
    """The rows as a person writes them: "123m456p77z", with "back" and "?" set apart by spaces."""
    return tuple(write_codes([reading.tiles[index].code for index in row]) for row in reading.rows)


def write_codes(codes: Sequence[str]) -> str:
    """Codes as a person writes them, with "back" and "?" set apart by spaces."""
    pieces: list[str] = []
    run: list[Tile] = []
    for code in [*codes, ""]:
        if code and code not in (BACK, UNKNOWN):
            run.append(Tile.parse(code))
            continue
        if run:
            pieces.append(format_tiles(run))
            run = []
        if code:
            pieces.append(code)
    return " ".join(pieces)


def reading_json(image: str, reading: Reading) -> dict[str, object]:
    """One entry of the list that `companion read --json` prints, "advice" and "warnings" if not empty."""
    entry: dict[str, object] = {
        "image": image,
        "width": reading.width,
        "height": reading.height,
        "tiles": [
            {
                "code": tile.code,
                "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad],
                "p": round(tile.p, 4),
                "alternatives": [[code, round(p, 4)] for code, p in tile.alternatives],
            }
            for tile in reading.tiles
        ],
        "rows": list(row_notation(reading)),
        "ms": {stage: round(ms, 1) for stage, ms in reading.ms.items()},
    }
    if reading.advice:
        entry["advice"] = list(reading.advice)
    if reading.warnings:
        entry["warnings"] = list(reading.warnings)
    return entry


ROW_GAP = 0.5  # of a tile's extent across the row: further below the middle of a row starts a new one
STREWN_GAP = 0.6  # of it: further below the last tile starts a new row of tiles that are strewn
TOUCHING = 0.25  # of a tile's extent: neighbours no further apart than this touch
MOSTLY = 0.6  # share of glyphs that must lie on their sides for a row to run up or down the picture
COLUMN = 3  # touching neighbours above and below for each one beside, from which a column is a row
COLUMNS_MAX = 2  # a column in two parts; tiles that touch in more are a grid, read as its glyphs stand
# Tiles are strewn where at most FEW touching pairs come to one of them, where the mean of the unit vectors to
# their nearest neighbours, modulo a quarter turn, is shorter than EVERY_WAY, and that of the unit vectors
# along their glyphs is longer than ONE_WAY. Two photos of strewn tiles have 0.14 and 0.50, 0.25 and 0.13,
# 0.71 and 0.78; the tables with such neighbours, of 530 photos, have from 0.7 touching pairs a tile.
FEW, EVERY_WAY, ONE_WAY = 0.6, 0.4, 0.6


def find_rows(quads: Quads) -> tuple[tuple[int, ...], ...]:
    """Rows of indices of quads (n, 4, 2) px, top to bottom, each from left to right.

    Rows may slant: the common slant is taken from the directions between neighbours. Rows that run up or down
    the picture are read as if it were turned by a quarter, their glyphs upright. Tiles strewn about,
    their glyphs one way up, lie in level rows that may bend.
    """
    if not len(quads):
        return ()
    strewn = _are_strewn(quads)
    level = _turn_back(quads, _find_direction(quads, 0.0 if strewn else _measure_slant(quads)))
    heights = np.ptp(level[:, :, 1], axis=1).tolist()
    x, y = level.mean(axis=1).T.tolist()
    rows: list[list[int]] = []
    for index in sorted(range(len(y)), key=y.__getitem__):
        if rows:
            row = rows[-1]
            height = min(heights[index], median(heights[i] for i in row))
            above, gap = (y[row[-1]], STREWN_GAP) if strewn else (fmean(y[i] for i in row), ROW_GAP)
            if y[index] - above < gap * height:
                row.append(index)
                continue
        rows.append([index])
    joined = _join_ends([sorted(row, key=x.__getitem__) for row in rows], level)
    return tuple(tuple(row) for row in joined)


def _join_ends(rows: list[list[int]], level: Quads) -> list[list[int]]:
    """The rows, one made of two where the lower one goes on beside an end of the upper one: it slants
    differently from most rows, as the hand in front of a pile does."""
    beside = _touch(level)[0]
    x = level.mean(axis=1)[:, 0]
    joined = rows[:1]
    for row in rows[1:]:
        left, right = sorted((joined[-1], row), key=lambda each: float(x[each[0]]))
        if beside[left[-1], right[0]] and x[left[-1]] < x[right[0]]:
            joined[-1] = [*left, *right]
        else:
            joined.append(row)
    return joined


def _turn_back(quads: Quads, angle: float) -> Quads:
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turned: Quads = quads @ turn.T
    return turned


def _find_direction(quads: Quads, slant: float) -> float:
    """Angle of reading along the rows against the picture's horizontal, radians, where rows or columns have
    that slant."""
    level = _turn_back(quads, slant)
    right = _point_right(level)
    sideways = np.abs(right[:, 1]) > np.abs(right[:, 0])
    upright = bool(sideways.mean() < MOSTLY)
    beside, below = _count_touching(level)
    along, across = (beside, below) if upright else (below, beside)
    are_columns = across > COLUMN * along and across >= max(len(quads) - COLUMNS_MAX, len(quads) / 2)
    if are_columns != upright:
        return slant
    upwards = np.sum(np.sign(right[sideways, 1])) < 0
    return slant - np.pi / 2 if upwards else slant + np.pi / 2


def _touch(level: Quads) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which tiles (n, n) touch side by side, and one above the other; each touches itself."""
    middles, sizes = level.mean(axis=1), np.ptp(level, axis=1)
    apart = np.abs(middles[:, None] - middles[None])
    extent = (sizes[:, None] + sizes[None]) / 2
    near, in_line = apart <= (1 + TOUCHING) * extent, apart < extent / 2
    return near[..., 0] & in_line[..., 1], near[..., 1] & in_line[..., 0]


def _count_touching(level: Quads) -> tuple[int, int]:
    """How many pairs of tiles touch side by side, and one above the other."""
    beside, below = (int(np.triu(touching, 1).sum()) for touching in _touch(level))
    return beside, below


def _are_strewn(quads: Quads) -> bool:
    """Whether few tiles touch and their nearest neighbours lie every way, though the glyphs stand one way:
    then only the glyphs say how rows run."""
    if len(quads) < 2:
        return False
    neighbours, glyphs = _measure_angles(_list_steps(quads)), _measure_angles(_point_right(quads))
    return bool(
        sum(_count_touching(quads)) <= FEW * len(quads)
        and abs(np.exp(4j * neighbours).mean()) < EVERY_WAY
        and abs(np.exp(1j * glyphs).mean()) > ONE_WAY
    )


def _measure_slant(quads: Quads) -> float:
    """Angle of the rows or of the columns against the picture's horizontal, radians within ±π/4: the mean of
    the directions to each tile's nearest neighbour, modulo a quarter turn, and of the tiles' own sides where
    there is only one."""
    steps = _list_steps(quads) if len(quads) > 1 else _point_right(quads)
    return float(np.angle(np.exp(4j * _measure_angles(steps)).mean()) / 4)


def _list_steps(quads: Quads) -> NDArray[np.float32]:
    """The way (n, 2) px to each of n > 1 tiles from its nearest neighbour."""
    centres = quads.mean(axis=1)
    apart = centres[:, None] - centres[None]
    distance = np.hypot(apart[..., 0], apart[..., 1]) + np.eye(len(quads)) * 1e9
    steps: NDArray[np.float32] = apart[np.arange(len(quads)), distance.argmin(axis=1)]
    return steps


def _point_right(quads: Quads) -> NDArray[np.float32]:
    """The way (n, 2) px from the left to the right of each glyph."""
    way: NDArray[np.float32] = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    return way


def _measure_angles(ways: NDArray[np.float32]) -> NDArray[np.float32]:
    angles: NDArray[np.float32] = np.arctan2(ways[:, 1], ways[:, 0])
    return angles
