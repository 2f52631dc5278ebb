"""The type of every picture in memory. Imports nothing of companion, and no picture library."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, BGR, upright; where a docstring says so, with opacity, 0..255, as a fourth."""
