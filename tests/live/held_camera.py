"""Cameras that a test holds."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import numpy as np

from companion.cameras import Frame
from companion.errors import CameraError
from companion.vision import Reading, TileReading


class HeldCamera:
    """Gives `frames` frames, each of another grey, or frames without end."""

    def __init__(
        self,
        frames: int | None = None,
        changed: Callable[[int], None] = lambda _: None,
        closing_s: float = 0.0,
    ) -> None:
        self._left = frames
        self._number = 0
        self._changed = changed
        self._closing_s = closing_s
        changed(1)

    def read(self) -> Frame:
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise CameraError("pulled out")
        time.sleep(0.005)
        self._number += 1
        return Frame(np.full((36, 64, 3), self._number % 256, np.uint8), time.monotonic_ns())

    def close(self) -> None:
        time.sleep(self._closing_s)  # drivers take their time
        self._changed(-1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def reading_of(code: str, x: float) -> Reading:
    """One tile at that place."""
    quad = ((x, 0.0), (x + 4, 0.0), (x + 4, 6.0), (x, 6.0))
    tile = TileReading(code, quad, 0.99, ((code, 0.99),))
    return Reading(64, 36, (tile,), ((0,),), {"total": 1.0}, ())
