"""The types of arrays in this folder. Pictures in colour are `companion.images.Image`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Places and lengths: px of a picture, or mm on the table."""
Grey = NDArray[np.uint8]
"""A picture in shades of grey, 0 to 255."""
Mask = NDArray[np.bool_]
"""Which pixels, or which rows of another array, are marked."""
