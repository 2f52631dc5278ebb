"""A clock for recordings, whose own may jump."""

from __future__ import annotations

JUMP_S = 60.0
"""No camera pauses for as long between two pictures: its clock was set."""


class SteadyClock:
    """Counts seconds from the first place in a recording, always forwards."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self._place_s: float | None = None

    def count(self, place_s: float, usual_s: float) -> float:
        """The time of what says that its place is at that second. usual_s: from one to the next, which counts
        where the clock stands still, goes back, or leaps by a minute."""
        if self._place_s is not None:
            step_s = place_s - self._place_s
            self._now_s += step_s if 0 < step_s < JUMP_S else usual_s
        self._place_s = place_s
        return self._now_s
