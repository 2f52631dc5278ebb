"""Whether a camera still stands where it stood: the table's edges are where they were, in one look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.tracking.table_camera import TABLE_MM, TableCamera
from companion.tracking.table_lines import trace_corners
from companion.tracking.table_sides import Square

Floats = NDArray[np.float64]

SEEN_MIN, SEEN_SIDES = 0.3, 3
"""A side counts from this share of it on; with fewer sides nothing can be said."""
SAME_SHARE = 0.7
"""Of each side so much must be seen of what was seen before: in drawn films at least 0.8 is, unless somebody
leans over it, and where the camera stands 40 mm or 8 degrees elsewhere less than 0.6 of some side."""


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
