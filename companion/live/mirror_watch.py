"""Whether the pictures of the camera over a table are mirrored, as the front camera of a phone may make them;
if they are, every picture is flipped before anything else is seen in it.

It is decided once: by whole pictures of a recording before it is followed, else by the tiles on the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.cameras.frames import Frame
from companion.images import Image
from companion.seeing.outlines import TileSize, place_quads
from companion.seeing.sights import SeenTile
from companion.seeing.table_camera import TableCamera
from companion.vision.candidates import Candidates
from companion.vision.classifying import classify_once, straighten_tiles
from companion.vision.finding import find_tiles
from companion.vision.learned import LearnedSet
from companion.vision.mirrored import SURE, flip, measure_handedness
from companion.vision.recogniser import Recogniser

MORE_TILES = 4
"""After this number of further tiles on the table it is tried again: about one of them says something."""


class MirrorWatch:
    """Decides for one camera. is_mirrored: as far as is known; it was so when it was last used, perhaps."""

    def __init__(
        self, recogniser: Recogniser, learned: LearnedSet | None = None, *, is_mirrored: bool = False
    ) -> None:
        self.is_mirrored = is_mirrored
        self._recogniser = recogniser
        self._learned = learned
        self._is_decided = False
        self._next = MORE_TILES

    def straighten(self, image: Image) -> Image:
        """The picture (H, W, 3) as it would be without a mirror."""
        return flip(image) if self.is_mirrored else image

    def look_ahead(self, frames: Iterable[Frame]) -> None:
        """Decide by some pictures of a recording, if they say it."""
        for frame in frames:
            image = self.straighten(frame.image)
            if self._judge(image, find_tiles(self._recogniser.finder, image)):
                return

    def is_turned(self, image: Image, camera: TableCamera, size: TileSize, lying: Sequence[SeenTile]) -> bool:
        """Whether the tiles seen on the table in this straightened picture say, for the first time, that such
        pictures have to be flipped."""
        if self._is_decided or len(lying) < self._next:
            return False
        self._next = len(lying) + MORE_TILES
        middles = np.array([[tile.x_mm, tile.y_mm] for tile in lying])
        quads = place_quads(
            middles, np.array([tile.angle for tile in lying]), np.ones(len(lying), bool), size
        )
        flat = np.concatenate([quads, np.full((*quads.shape[:2], 1), size.depth_mm)], axis=2)
        px = camera.project(flat.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
        px = px[np.isfinite(px).all(axis=(1, 2))]
        ones = np.ones(len(px), np.float32)
        before = self.is_mirrored
        self._judge(image, Candidates.from_finder(px, ones, 0 * ones))
        return self.is_mirrored != before

    def _judge(self, image: Image, candidates: Candidates) -> bool:
        """Whether the candidates in a straightened picture have decided it."""
        if not len(candidates):
            return False
        reader = self._recogniser.reader
        classified = classify_once(reader, straighten_tiles(image, candidates, reader.size_px), self._learned)
        says = measure_handedness(reader, classified, self._learned)
        self._is_decided = abs(says) >= SURE
        if says <= -SURE:
            self.is_mirrored = not self.is_mirrored
        return self._is_decided


def flip_corners(corners: NDArray[np.floating], width: int) -> NDArray[np.floating]:
    """The corners (4, 2) px of a table, from the lower left one counterclockwise, in the flipped picture."""
    flipped: NDArray[np.floating] = np.array([width, 0]) + corners * np.array([-1, 1])
    return flipped[[1, 0, 3, 2]]
