"""How long each stage of reading a picture takes."""

from __future__ import annotations

import time
from collections.abc import Mapping


class Stopwatch:
    """Runs from when it is made; time goes to whichever stage is noted at its end."""

    def __init__(self) -> None:
        self._began = self._at = time.perf_counter()
        self._ms = {"decode": 0.0, "detect": 0.0, "classify": 0.0}

    def note(self, stage: str) -> None:
        """The time since the last note was that of this stage."""
        now = time.perf_counter()
        self._ms[stage] += (now - self._at) * 1e3
        self._at = now

    @property
    def ms(self) -> Mapping[str, float]:
        """Milliseconds of each stage, and in "total" up to the last note."""
        return {**self._ms, "total": (self._at - self._began) * 1e3}
