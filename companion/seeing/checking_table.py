"""Whether a camera stands where it is thought to stand: the table's edges are where they were, and what lies
on it does not say otherwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.finding_table import TILES_MIN, FoundTable, find_table
from companion.seeing.outlines import fit_outlines, measure_size
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.table_layout import find_layout
from companion.seeing.table_lines import trace_corners
from companion.seeing.table_plane import SURE_SCORE, TILE_UNITS, Plane, look_for_tiles, measure_widths
from companion.seeing.table_sides import Square
from companion.vision.candidates import Candidates
from companion.vision.recogniser import Recogniser

Floats = NDArray[np.float64]

SEEN_MIN, SEEN_SIDES = 0.3, 3
"""A side counts from this share of it on; with fewer sides nothing can be said."""
SAME_SHARE = 0.7
"""Of each side so much must be seen of what was seen before: in drawn films at least 0.8 is, unless somebody
leans over it, and where the camera stands 40 mm or 8 degrees elsewhere less than 0.6 of some side."""
ACROSS_MM, NEAR_EDGE_MM, ACROSS_LEAST = 10.0, 60.0, 2
"""So many faces reach so far beyond the table's edge, and lie no farther out than that, where it is thought
to end too early: no tile hangs over the edge."""
CONTRADICTED_NATS = -12.0
"""What lies on a table of drawn films says no more against its true place in 21 of 22 looks, seen from above
or from a corner, and more against most places 5 to 20 cm off."""


class TableReview:
    """Looks again at a table that is being followed."""

    def __init__(self, recogniser: Recogniser, *, bottom: int = 0) -> None:
        """bottom: as for `find_table`."""
        self._recogniser = recogniser
        self._bottom = bottom

    def find(self, image: Image) -> FoundTable | None:
        """The table in a picture (H, W, 3), wherever it was thought to be."""
        return find_table(image, self._recogniser, bottom=self._bottom)

    def contradicts(self, image: Image, camera: TableCamera) -> bool:
        """Whether what lies on the table shows that it is not where this camera has it."""
        tiles = look_for_tiles(self._recogniser.finder, image)
        return contradict(tiles, camera) or reach_beyond(tiles, camera)


def contradict(tiles: Candidates, camera: TableCamera) -> bool:
    """Whether these tiles show that the table is not where the camera has it."""
    if len(tiles) < TILES_MIN:
        return False
    p = camera.projection
    to_table = np.asarray(np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]])), np.float64)
    widths = measure_widths(tiles.quads, to_table)
    if not len(widths):
        return False
    times = TILE_UNITS / float(np.median(widths))
    plane = Plane(np.diag([times, times, 1.0]) @ to_table, 1.0, 1.0, camera.position_mm * times)
    half = TABLE_MM / 2 * times
    return bool(find_layout(tiles, plane).rate(np.array([[-half, half, -half, half]]))[0] < CONTRADICTED_NATS)


def reach_beyond(tiles: Candidates, camera: TableCamera) -> bool:
    """Whether faces lie across the edge of the table as the camera has it: then it ends farther out, and what
    looked like its edge was a row of hands."""
    faces = tiles[(tiles.scores >= SURE_SCORE) & (tiles.back_shares < 0.5)]
    size = measure_size(tiles, camera)
    if not size.measured:
        return False
    lying = fit_outlines(faces, camera, size, within_mm=TABLE_MM / 2 + NEAR_EDGE_MM)
    outermost = np.abs(lying.quads).max(axis=(1, 2)) if len(lying) else np.zeros(0)
    return bool(np.count_nonzero(outermost > TABLE_MM / 2 + ACROSS_MM) >= ACROSS_LEAST)


def measure_sides(image: Image, camera: TableCamera) -> Floats:
    """How much (4,), 0..1, of the table's left, right, lower and upper side is seen as an edge where the
    camera has it."""
    image, camera = camera.straighten(image)
    p = camera.projection
    to_table = np.asarray(np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]])), np.float64)
    half, whole = TABLE_MM / 2, np.ones(4)
    _, seen = trace_corners(image, to_table, Square(-half, half, -half, half, 1.0, whole, whole))
    return seen


def shows_table(image: Image, camera: TableCamera, sides: Floats) -> bool | None:
    """Whether the picture shows the table where it was when `sides` of it were seen, as `measure_sides` gives
    them; None where too little of it was."""
    if np.count_nonzero(sides >= SEEN_MIN) < SEEN_SIDES:
        return None
    return bool((measure_sides(image, camera) >= SAME_SHARE * sides).all())
