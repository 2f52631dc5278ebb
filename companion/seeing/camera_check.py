"""Whether a camera's pictures are good enough to follow a table: what is measured, what is good, what to do.

Pure: `check_camera` makes findings of some pictures and of the table that was found in them. The command line
and the window show the findings as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Grey, Mask
from companion.seeing.table_camera import (
    CUT_OFF,
    LEGIBLE_PX,
    LOW,
    LOW_DEGREES,
    READ_PX,
    SMALL,
    TOO_SMALL,
    TableCamera,
    judge_pose,
)
from companion.sentences import Sentence, msgid


class Aspect(StrEnum):
    """What is checked."""

    RESOLUTION = "resolution"
    TABLE = "table"
    TILE_SIZE = "tile size"
    OBLIQUENESS = "obliqueness"
    SHARPNESS = "sharpness"
    EXPOSURE = "exposure"
    GLARE = "glare"
    FLICKER = "flicker"


NAMES = {
    Aspect.RESOLUTION: msgid("Resolution"),
    Aspect.TABLE: msgid("Table corners"),
    Aspect.TILE_SIZE: msgid("Tile size"),
    Aspect.OBLIQUENESS: msgid("Camera angle"),
    Aspect.SHARPNESS: msgid("Sharpness (blur)"),
    Aspect.EXPOSURE: msgid("Exposure"),
    Aspect.GLARE: msgid("Glare"),
    Aspect.FLICKER: msgid("Flicker"),
}
"""For people."""

TILE_SHARE = 35 / 880
"""Height of a tile against the shorter side of a picture that shows an 80 cm table, and little more, from
straight above."""
BLUR_SHARE = 0.05
"""Blur against the height of a tile: with more, fewer tiles are read. Chosen on blurred drawn tables."""
PRE_BLUR_PX, AGAIN_BLUR_PX = 1.0, 2.0
"""By which a picture is blurred against noise, and again to compare."""
EDGE_SHARE = 0.5
"""Edges are measured that are at least this strong against the strongest ones."""
WHITE = 250
"""Grey level from which all colours are lost."""
GLARE_MAX = 0.01
"""Share of the table that may be white: a tile is 0.0014 of it."""
BRIGHT_SHARE = 0.05
"""Tiles and paper are at least this share of a table in play."""
DARK, TOO_BRIGHT = 90.0, 252.0
"""Grey levels between which the brightest BRIGHT_SHARE of a table should be."""
FLICKER_MAX = 0.02
"""How much the brightness of a row may change from picture to picture, as a share of it."""

NOT_FOUND = msgid("The table is not found: show all four of its corners, in good light.")
FEW_PX = msgid(
    "Discards are {tile} px high at best, and 23 are needed: use a camera, or a setting of it, with at least"
    " 1280×720."
)
BLURRED = msgid("The picture is blurred: clean the lens, focus on the table, or switch on more light.")
REFLECTS = msgid("Lamps are reflected: move the lamp or the camera, or use a cloth that does not shine.")
TOO_DARK = msgid("It is too dark: switch on more light over the table.")
OVEREXPOSED = msgid("It is too bright: lower the exposure of the camera, or keep the sun off the table.")
FLICKERS = msgid("The light flickers in bands: use another lamp, or daylight.")


@dataclass(frozen=True, slots=True)
class Finding:
    """One aspect. value: what was measured, None where it is unknown; shown: the same with its unit, for
    people; good: None where it is unknown; advice: what to do where it is not good."""

    aspect: Aspect
    value: float | None
    shown: str
    good: bool | None
    advice: Sentence | None = None


def check_camera(image: Image, greys: Sequence[Grey], camera: TableCamera | None) -> tuple[Finding, ...]:
    """The findings, one for each aspect: of a picture (H, W, 3) uint8 BGR, of some small ones (h, w) uint8 of
    one size that came one after the other, and of the camera if the table was found in the picture."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    table = _mask_table(grey, camera)
    tile_px = TILE_SHARE * min(grey.shape) if camera is None else judge_pose(camera).far_px
    return (
        _check_resolution(grey),
        *_check_place(camera),
        _check_blur(grey, table, tile_px),
        _check_brightness(grey, table),
        _check_glare(image, table),
        _check_flicker(greys),
    )


def measure_blur(grey: Grey, where: Mask | None = None) -> float:
    """Standard deviation, px, of the blur of the picture's strongest edges: by how much weaker their slopes
    are when it is blurred once more (Zhuo & Sim 2011, Defocus map estimation from a single image, equation
    5). An edge between two pixels counts as 0.75, and thin sharp lines as 0; NaN without an edge."""
    first = _measure_slopes(grey, PRE_BLUR_PX)
    again = _measure_slopes(grey, float(np.hypot(PRE_BLUR_PX, AGAIN_BLUR_PX)))
    peaks = first >= np.asarray(cv2.dilate(first, np.ones((3, 3), np.uint8)))
    if where is not None:
        peaks &= where
    peaks &= first > 0
    if not peaks.any():
        return float("nan")
    strong = peaks & (first >= EDGE_SHARE * np.percentile(first[peaks], 99.5))
    ratio = first[strong] / np.maximum(again[strong], 1e-6)
    squares = AGAIN_BLUR_PX**2 / np.maximum(ratio**2 - 1, 1e-4) - PRE_BLUR_PX**2
    return float(np.sqrt(max(0.0, float(np.median(squares)))))


def measure_flicker(greys: Sequence[Grey]) -> float:
    """How much lamps change the rows of pictures (h, w), of one size, that came in a row: the standard
    deviation of the rows' brightness, as a share of it; the median over pairs of pictures. Rows of a rolling
    shutter see the lamps at different moments. What moves over less than half of a row does not count. NaN of
    fewer than three pictures."""
    if len(greys) < 3:
        return float("nan")
    stack = np.stack(greys).astype(np.float32) + 1
    rows = np.median(stack / stack.mean(axis=0), axis=2)
    changes = [float(np.std(after - before)) / np.sqrt(2) for before, after in pairwise(rows)]
    return float(np.median(changes))


def _check_resolution(grey: Grey) -> Finding:
    height, width = grey.shape
    tile_px = TILE_SHARE * min(height, width)
    good = tile_px >= READ_PX
    advice = None if good else Sentence(FEW_PX, {"tile": round(tile_px)})
    return Finding(Aspect.RESOLUTION, min(height, width), f"{width}×{height}", good, advice)


def _check_place(camera: TableCamera | None) -> tuple[Finding, Finding, Finding]:
    """Table, tile size and angle."""
    if camera is None:
        return (
            Finding(Aspect.TABLE, None, "?", False, Sentence(NOT_FOUND)),
            Finding(Aspect.TILE_SIZE, None, "?", None),
            Finding(Aspect.OBLIQUENESS, None, "?", None),
        )
    pose = judge_pose(camera)
    far, degrees = round(pose.far_px), round(pose.elevation_degrees)
    inside = (camera.corners >= 0) & (camera.corners <= [camera.width, camera.height])
    share = float(inside.all(axis=1).mean())
    small = SMALL if pose.far_px >= LEGIBLE_PX else TOO_SMALL
    return (
        Finding(Aspect.TABLE, share, f"{round(4 * share)}/4", share == 1, _advise(share == 1, CUT_OFF)),
        Finding(
            Aspect.TILE_SIZE, pose.far_px, f"{far} px", pose.far_px >= READ_PX,
            _advise(pose.far_px >= READ_PX, small, far=far),
        ),
        Finding(
            Aspect.OBLIQUENESS, pose.elevation_degrees, f"{degrees}°", pose.elevation_degrees >= LOW_DEGREES,
            _advise(pose.elevation_degrees >= LOW_DEGREES, LOW, degrees=degrees),
        ),
    )  # fmt: skip


def _check_blur(grey: Grey, table: Mask, tile_px: float) -> Finding:
    blur_px = measure_blur(grey, table)
    if not np.isfinite(blur_px):
        return Finding(Aspect.SHARPNESS, None, "?", False, Sentence(BLURRED))
    good = blur_px <= max(1.0, BLUR_SHARE * tile_px)
    return Finding(Aspect.SHARPNESS, blur_px, f"{blur_px:.1f} px", good, _advise(good, BLURRED))


def _check_brightness(grey: Grey, table: Mask) -> Finding:
    level = float(np.percentile(grey[table], 100 * (1 - BRIGHT_SHARE)))
    good = DARK <= level <= TOO_BRIGHT
    advice = _advise(good, TOO_DARK if level < DARK else OVEREXPOSED)
    return Finding(Aspect.EXPOSURE, level / 255, f"{level / 255:.0%}", good, advice)


def _check_glare(image: Image, table: Mask) -> Finding:
    share = float((image.min(axis=2) >= WHITE)[table].mean())
    good = share <= GLARE_MAX
    return Finding(Aspect.GLARE, share, f"{share:.1%}", good, _advise(good, REFLECTS))


def _check_flicker(greys: Sequence[Grey]) -> Finding:
    share = measure_flicker(greys)
    if not np.isfinite(share):
        return Finding(Aspect.FLICKER, None, "?", None)
    good = share <= FLICKER_MAX
    return Finding(Aspect.FLICKER, share, f"{share:.1%}", good, _advise(good, FLICKERS))


def _advise(good: bool, template: str, **params: object) -> Sentence | None:
    return None if good else Sentence(template, params)


def _mask_table(grey: Grey, camera: TableCamera | None) -> Mask:
    """Where the table is in the picture; everywhere if that is unknown."""
    mask = np.zeros(grey.shape, np.uint8)
    if camera is None or not np.isfinite(camera.corners).all():
        return np.ones(grey.shape, bool)
    cv2.fillConvexPoly(mask, camera.corners.round().astype(np.int32), 1)
    return mask.astype(bool) if mask.any() else np.ones(grey.shape, bool)


def _measure_slopes(grey: Grey, blur_px: float) -> NDArray[np.float32]:
    """The gradients (h, w) of the picture after it is blurred."""
    blurred = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), blur_px)
    across, down = cv2.Sobel(blurred, cv2.CV_32F, 1, 0), cv2.Sobel(blurred, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)
