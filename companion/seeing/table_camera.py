"""Where a camera is over the table, and its lens: between px of its picture and mm of the table; and whether
games can be followed from there.

World axes are those of a `Sight` (`sights.py`) with z up, 0 on the table's surface. The table's side is
TABLE_MM here, whatever it really measures: a picture alone cannot tell a large table from a near one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.seeing.arrays import Floats
from companion.seeing.lens import PERFECT, Lens
from companion.sentences import Sentence, msgid

TABLE_MM = 800.0
USUAL_FOCAL = 0.8
"""Focal length of a phone's or webcam's lens, in longer sides of the picture, if the corners do not show
it."""
FOCAL_RANGE = (0.5, 4.0)
"""Possible focal lengths, in longer sides of the picture, zoomed and cropped ones included; values beyond it
come from inaccurate corners."""
TILTED_FROM = 0.2
"""How much smaller the table's far edge must look than the near one before the two show the focal length."""
NO_TABLE = msgid(
    "These corners are not those of a table seen from above: enter its four corners counterclockwise,"
    " starting at the lower left."
)

OUTSIDE = msgid(
    "The corner {x},{y} is not in the picture, which is {width}x{height} px: enter the corners in px "
    "of this picture."
)
OUTSIDE_SHARE = 0.5
"""How far outside the picture, as a share of its side, a corner entered by a person may be, when the table is
cut off."""


@dataclass(frozen=True, eq=False)
class TableCamera:
    """A camera over a table.

    projection: (3, 4), homogeneous places in mm → px of its picture with a perfect lens; focal_px: of the
    lens; width, height: of its picture, px; lens: how it bends that picture.
    """

    projection: Floats
    focal_px: float
    width: int
    height: int
    lens: Lens = PERFECT

    @staticmethod
    def from_corners(
        corners: NDArray[np.floating],
        width: int,
        height: int,
        focal_px: float | None = None,
        lens: Lens = PERFECT,
    ) -> TableCamera:
        """The camera that sees the table's corners through its lens at these places (4, 2) px: seat 0's left
        one first, then counterclockwise as seen from above. Without a focal length it is calculated from the
        perspective of the table's edges, or a usual one if they do not show it. Raises InputError for corners
        that are not those of a table."""
        seen: Floats = np.asarray(corners, np.float64)
        if seen.shape != (4, 2) or not np.isfinite(seen).all():
            raise InputError(NO_TABLE)
        seen = lens.straighten(seen, width, height)
        if not _is_counterclockwise(seen):
            raise InputError(NO_TABLE)
        homography = np.asarray(
            cv2.getPerspectiveTransform(_square()[:, :2].astype(np.float32), seen.astype(np.float32)),
            np.float64,
        )
        focal = focal_px or _find_focal(homography, width, height)
        matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
        sides = np.linalg.inv(matrix) @ homography
        along, away = sides[:, 0], sides[:, 1]
        scale = (np.linalg.norm(along) + np.linalg.norm(away)) / 2
        up = matrix @ (np.cross(along, away) / scale)
        projection = np.column_stack([homography[:, 0], homography[:, 1], up, homography[:, 2]])
        camera = TableCamera(projection, focal, width, height, lens)
        if camera.position_mm[2] <= 0:
            raise InputError(NO_TABLE)
        return camera

    @staticmethod
    def from_person(
        corners: NDArray[np.floating], width: int, height: int, lens: Lens = PERFECT
    ) -> TableCamera:
        """As `from_corners`, for places (4, 2) px entered by a person. Raises InputError also for a corner
        outside the picture, as in one of another size."""
        for x, y in corners:
            off = max(-x / width, x / width - 1, -y / height, y / height - 1)
            if off > OUTSIDE_SHARE:
                raise InputError(OUTSIDE, x=f"{x:g}", y=f"{y:g}", width=str(width), height=str(height))
        return TableCamera.from_corners(corners, width, height, lens=lens)

    @cached_property
    def position_mm(self) -> Floats:
        """The camera's place (3,)."""
        return np.asarray(-np.linalg.solve(self.projection[:, :3], self.projection[:, 3]), np.float64)

    @property
    def corners(self) -> Floats:
        """The table's corners (4, 2) px, seat 0's left one first, then counterclockwise."""
        return self.project(_square())

    def project(self, points_mm: Floats) -> Floats:
        """Places (n, 3) mm as px (n, 2); nan for those behind the camera."""
        points = np.asarray(points_mm, np.float64)
        seen = points @ self.projection[:, :3].T + self.projection[:, 3]
        with np.errstate(divide="ignore", invalid="ignore"):
            px = np.where(seen[:, 2:] * self._front > 0, seen[:, :2] / seen[:, 2:], np.nan)
        return px if self.lens.is_perfect else self.lens.distort(px, self.width, self.height)

    def lift(self, points_px: NDArray[np.floating], z_mm: float = 0.0) -> Floats:
        """The places (n, 2) mm at that height which are seen at these px (n, 2); nan above the horizon."""
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        if not self.lens.is_perfect:
            points = self.lens.straighten(points, self.width, self.height)
        p = self.projection
        plane = np.column_stack([p[:, 0], p[:, 1], p[:, 3] + z_mm * p[:, 2]])
        places = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(plane).T
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(places[:, 2:] * self._front > 0, places[:, :2] / places[:, 2:], np.nan)

    def px_a_mm(self, x_mm: float, y_mm: float) -> float:
        """Px per mm at this place of the table, in the direction in which it is largest."""
        near = self.project(np.array([[x_mm, y_mm, 0], [x_mm + 1, y_mm, 0], [x_mm, y_mm + 1, 0.0]]))
        return float(np.linalg.svd((near[1:] - near[0]).T, compute_uv=False)[0])

    def resize(self, width: int, height: int) -> TableCamera:
        """The same camera with pictures of another size, px, of the same proportions."""
        times = np.array([[width / self.width], [height / self.height], [1.0]])
        focal = self.focal_px * width / self.width
        return replace(self, projection=self.projection * times, focal_px=focal, width=width, height=height)

    def straighten(self, image: Image) -> tuple[Image, TableCamera]:
        """A picture (H, W, 3) of this camera as a perfect lens would show it, and the camera of that picture,
        which has another size."""
        straight = self.lens.straighten_picture(image)
        height, width = straight.shape[:2]
        return straight, self._move_picture(width, height, PERFECT)

    def see_through(self, lens: Lens, width: int, height: int) -> TableCamera:
        """The camera whose pictures of this size, straightened by that lens, are those of this one."""
        return self._move_picture(width, height, lens)

    def turn(self, homography: Floats) -> TableCamera:
        """The camera after a bump that moved its picture, as a perfect lens would show it, by this homography
        (3, 3), before → after, px."""
        return replace(self, projection=homography @ self.projection)

    def move_places(self, movement: Floats) -> TableCamera:
        """The same camera after all places of the table have moved by this similarity (3, 3), mm."""
        scale = float(np.hypot(movement[0, 0], movement[1, 0]))
        moved = np.array([[*movement[0, :2], 0, movement[0, 2]], [*movement[1, :2], 0, movement[1, 2]],
                          [0, 0, scale, 0], [0, 0, 0, 1.0]])  # fmt: skip
        return replace(self, projection=self.projection @ np.linalg.inv(moved))

    @cached_property
    def _front(self) -> float:
        """The sign of the last coordinate of places before the camera."""
        return float(np.sign(self.projection[2, 3]))

    def _move_picture(self, width: int, height: int, lens: Lens) -> TableCamera:
        """The camera with pictures of another size about the same middle, through another lens."""
        x, y = (width - self.width) / 2, (height - self.height) / 2
        moved = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]]) @ self.projection
        return TableCamera(moved, self.focal_px, width, height, lens)


def _square() -> Floats:
    """The table's corners (4, 3) mm."""
    half = TABLE_MM / 2
    return np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])


def _is_counterclockwise(corners: Floats) -> bool:
    """Whether corners (4, 2) px, y down, are a convex quad, counterclockwise as seen."""
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] < 0).all())


def _find_focal(homography: Floats, width: int, height: int) -> float:
    """The focal length, px, for which the table's sides are at right angles and equally long (Zhang 2000,
    section 3.1), the picture's middle being its principal point."""
    longer = max(width, height)
    focal = measure_focal(homography, width, height)
    if focal is None or focal <= 0:
        return USUAL_FOCAL * longer
    return float(np.clip(focal, FOCAL_RANGE[0] * longer, FOCAL_RANGE[1] * longer))


def measure_focal(homography: Floats, width: int, height: int) -> float | None:
    """The same focal length, whether a lens may have it or not, of this homography (3, 3), mm → px: 0 if no
    lens shows a square so, None if the table is not tilted enough to show it."""
    h = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]]) @ homography
    steep = h[2, :2] * TABLE_MM / h[2, 2]
    if np.abs(steep).sum() < TILTED_FROM:
        return None
    # With w = 1 / f² and h's columns (a, c) and (b, d): w (a · b) + c d = 0, w (|a|² - |b|²) + c² - d² = 0.
    a, b, (c, d) = h[:2, 0], h[:2, 1], h[2, :2]
    known = np.array([a @ b, a @ a - b @ b])
    wanted = -np.array([c * d, c * c - d * d])
    w = float(known @ wanted) / float(known @ known)
    return float(1 / np.sqrt(w)) if w > 0 else 0.0


TILE_MM = (26.0, 35.0)
"""Width and height of usual tiles."""
HANDS_MM = 0.43 * TABLE_MM
"""How far hands and melds are from the middle of the table."""
MELDS_MM = 0.32 * TABLE_MM
"""How far to a player's right melds are."""
READ_PX = 23.0
"""Nearly every tile of drawn tables is read from this height."""
LEGIBLE_PX = 20.0
"""Nearly none is read below this height."""
LOW_DEGREES = 38.0
"""A lower camera does not see over hands and walls: from 30 degrees most walls are hidden, from 45 few."""

GOOD = msgid("The camera is in a good place: the far tiles are {far} px high.")
SMALL = msgid(
    "The far tiles are only {far} px high: some of them will not be read. Put the camera nearer, or higher."
)
TOO_SMALL = msgid(
    "The far tiles are only {far} px high: many of them will not be read. Put the camera nearer, or higher."
)
LOW = msgid(
    "The camera is only {degrees} degrees above the table: standing tiles hide walls and far melds. "
    "Put the camera higher."
)
CUT_OFF = msgid(
    "The picture cuts the table off: tiles beyond its edge are not seen. Turn the camera, or put it farther"
    " away."
)
SENTENCES = (GOOD, SMALL, TOO_SMALL, LOW, CUT_OFF)


@dataclass(frozen=True, slots=True)
class PoseAdvice:
    """near_px, far_px: height of the largest and the smallest of the players' tiles; elevation_degrees: of
    the camera over the table, 90 straight above; good: whether it may stay; sentence: says so, or what to
    do."""

    near_px: float
    far_px: float
    elevation_degrees: float
    good: bool
    sentence: Sentence


def judge_pose(camera: TableCamera) -> PoseAdvice:
    """Whether tiles and walls are seen from there, and what would be better."""
    heights = [measure_tile(camera, x, y) for x, y in _list_places()]
    near, far = max(heights), min(heights)
    x, y, z = camera.position_mm
    elevation = float(np.degrees(np.arctan2(z, np.hypot(x, y))))
    corners = camera.corners
    inside = (corners >= 0) & (corners <= [camera.width, camera.height])
    shown = {"far": round(far), "degrees": round(elevation)}
    good = False
    if not inside.all():
        template = CUT_OFF
    elif elevation < LOW_DEGREES:
        template = LOW
    elif far < LEGIBLE_PX:
        template = TOO_SMALL
    elif far < READ_PX:
        template = SMALL
    else:
        template, good = GOOD, True
    named = {name: value for name, value in shown.items() if f"{{{name}}}" in template}
    return PoseAdvice(near, far, elevation, good, Sentence(template, named))


def measure_tile(camera: TableCamera, x_mm: float, y_mm: float) -> float:
    """Height of a tile at this place, px, by its most foreshortened side."""
    wide, high = TILE_MM[0] / 2, TILE_MM[1] / 2
    seen = []
    for a, b in ((wide, high), (high, wide)):
        quad = np.array([[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0]])
        corners = camera.project(quad + np.array([x_mm, y_mm, 0]))
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        seen.append(min(across * high / a, along * high / b))
    return float(min(seen))


def _list_places() -> list[tuple[float, float]]:
    """The middle of each player's hand, and of the melds at their right."""
    own = [(0.0, -HANDS_MM), (MELDS_MM, -HANDS_MM)]
    return [turned for x, y in own for turned in ((x, y), (-y, x), (-x, -y), (y, -x))]
