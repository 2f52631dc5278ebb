"""Whether the camera was bumped between two frames, and how its picture moved: from what lies still on the
table in both, while arms, new tiles and lamps change the rest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.tracking.table_camera import TableCamera

if TYPE_CHECKING:
    from cv2.typing import MatLike

Floats = NDArray[np.float64]

SIDE_PX = 960
"""Longer side of the pictures that are compared: places in them are found to a tenth of a pixel."""
LOCAL_PX = 12.0
"""Light is evened out over this many px of those, so that a lamp that is switched looks like no movement."""
CONTRAST = 32.0
POINTS = 500
QUALITY = 0.03
"""Of the plainest corner in the picture that another must have."""
APART_PX = 8
WINDOW_PX = (21, 21)
LEVELS = 4
BACK_PX = 0.5
"""A point that is followed there and back again must come back this near."""
INLIER_PX = 1.0
FOLLOWED_MIN = 40
FOLLOWED_SHARE = 0.4
"""Of the points, that must move alike to be trusted without comparing features."""
CONFIRMED_SHARE = 0.15
"""Of the points, that must where matched features say how they move."""
MATCHED_MIN = 24
MATCHED_SHARE = 0.15
"""Of the matched features that must agree on one movement: chance agrees on far fewer."""
FEATURES = 2000
RATIO = 0.8
"""A feature's best match must be this much nearer than its second (Lowe 2004, section 7.1)."""
STILL_PX = 1.5
"""Of the picture itself: what moves less has not moved, or trembles."""
MOST = 0.9
"""This share of the places compared moves less: at the rim a movement is least well known."""
ROUND_TABLE = 1.1
"""How many times as wide as the table the part of the picture is that is compared."""
LARGEST_STRETCH = 2.0
"""More than by this a bump makes nothing in the picture longer or shorter."""


class Movement(Enum):
    """What became of the camera."""

    STILL = "still"
    BUMPED = "bumped"
    ELSEWHERE = "elsewhere"
    """Another scene is in the picture, or too little can be compared: something covers the lens, or it is
    dark."""


@dataclass(frozen=True, slots=True, eq=False)
class Bump:
    """How a picture moved. homography: (3, 3), before → after, px; of a camera that stands still, or sees
    another scene, that which moves nothing. agreeing: how many places show it."""

    movement: Movement
    homography: Floats
    agreeing: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A frame made small, its light evened out, to compare later ones with. grey: (h, w) uint8; looked_at:
    (h, w) uint8, not 0 where the table is; scale: px of it a px of the frame."""

    grey: NDArray[np.uint8]
    looked_at: NDArray[np.uint8]
    scale: float

    @classmethod
    def of(cls, image: Image, camera: TableCamera | None = None) -> Reference:
        """Of a frame (H, W, 3); camera: where it stands over the table, beyond which nothing is compared."""
        height, width = image.shape[:2]
        scale = min(1.0, SIDE_PX / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        looked_at = np.full(small.shape, 255, np.uint8)
        if camera is not None:
            middle = camera.corners.mean(axis=0)
            around = (middle + (camera.corners - middle) * ROUND_TABLE) * scale
            looked_at[:] = 0
            cv2.fillConvexPoly(looked_at, np.round(around).astype(np.int32), 255)
        return cls(_even_out(small.astype(np.float32)), looked_at, scale)


def find_bump(before: Reference, after: Image | Reference) -> Bump:
    """How the picture moved from the reference to a later frame of the same size."""
    now = after if isinstance(after, Reference) else Reference.of(after)
    nothing = Bump(Movement.ELSEWHERE, np.eye(3))
    if now.grey.shape != before.grey.shape:
        return nothing
    found = _follow(before, now)
    if found is None and (matched := _match(before, now)) is not None:
        found = _follow(before, now, matched) or (matched, MATCHED_MIN)
    if found is None:
        return nothing
    small, agreeing = found
    scaling = np.diag([before.scale, before.scale, 1.0])
    homography = np.linalg.inv(scaling) @ small @ scaling
    y, x = np.nonzero(before.looked_at[::16, ::16])
    places = np.column_stack([x, y]) * 16.0 / before.scale
    moved = cv2.perspectiveTransform(places[None], homography)[0]
    far = np.linalg.norm(moved - places, axis=1)
    if np.quantile(far, MOST) < STILL_PX:
        return Bump(Movement.STILL, np.eye(3), agreeing)
    return Bump(Movement.BUMPED, homography / homography[2, 2], agreeing)


def _even_out(grey: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The picture without its slow changes of light, and with the same contrast however bright it is. The
    contrast of its parts stays: evened out as well, the sensor's grain would be as plain as a tile's edge."""
    off = grey - cv2.GaussianBlur(grey, (0, 0), LOCAL_PX)
    spread = float(off.std()) + 1.0
    return np.asarray(np.clip(128 + CONTRAST * off / spread, 0, 255), np.uint8)


def _follow(before: Reference, now: Reference, start: Floats | None = None) -> tuple[Floats, int] | None:
    """The movement (3, 3) of most corners of the reference, followed by optical flow from where `start` has
    them, and how many they are; None where too few move alike."""
    corners = cv2.goodFeaturesToTrack(before.grey, POINTS, QUALITY, APART_PX, mask=before.looked_at)
    if corners is None or len(corners) < FOLLOWED_MIN:
        return None
    flags = 0 if start is None else cv2.OPTFLOW_USE_INITIAL_FLOW
    guess = corners.copy() if start is None else cv2.perspectiveTransform(corners, start).astype(np.float32)
    there, status, _ = cv2.calcOpticalFlowPyrLK(
        before.grey, now.grey, corners, guess, winSize=WINDOW_PX, maxLevel=LEVELS, flags=flags
    )
    back, returned, _ = cv2.calcOpticalFlowPyrLK(
        now.grey, before.grey, there, corners.copy(), winSize=WINDOW_PX, maxLevel=LEVELS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW if start is not None else 0,
    )  # fmt: skip
    same = np.linalg.norm(back - corners, axis=2).ravel() < BACK_PX
    kept = (status.ravel() == 1) & (returned.ravel() == 1) & same
    if kept.sum() < FOLLOWED_MIN / 2:
        return None
    share = FOLLOWED_SHARE if start is None else CONFIRMED_SHARE
    return _agree(corners[kept], there[kept], max(FOLLOWED_MIN / 2, share * len(corners)))


def _match(before: Reference, now: Reference) -> Floats | None:
    """The movement (3, 3) on which matching features agree, None where they do not."""
    sift = cv2.SIFT.create(FEATURES)
    points, features = sift.detectAndCompute(before.grey, before.looked_at)
    others, other_features = sift.detectAndCompute(now.grey, None)
    if len(points) < MATCHED_MIN or len(others) < MATCHED_MIN:
        return None
    pairs = cv2.BFMatcher().knnMatch(features, other_features, k=2)
    good = [one for one, second in pairs if one.distance < RATIO * second.distance]
    if len(good) < MATCHED_MIN:
        return None
    here = np.array([points[each.queryIdx].pt for each in good], np.float32)
    there = np.array([others[each.trainIdx].pt for each in good], np.float32)
    found = _agree(here[:, None], there[:, None], max(MATCHED_MIN, MATCHED_SHARE * len(good)))
    return None if found is None else found[0]


def _agree(here: MatLike, there: MatLike, fewest: float) -> tuple[Floats, int] | None:
    """The movement (3, 3) on which at least so many places (n, 1, 2) agree, and how many do."""
    movement, agreeing = cv2.findHomography(here, there, cv2.USAC_MAGSAC, INLIER_PX, maxIters=3000)
    if movement is None or agreeing.sum() < fewest:
        return None
    stretch = np.linalg.svd(movement[:2, :2] / movement[2, 2], compute_uv=False)
    if stretch[0] > LARGEST_STRETCH or stretch[1] < 1 / LARGEST_STRETCH:
        return None
    return np.asarray(movement, np.float64), int(agreeing.sum())
