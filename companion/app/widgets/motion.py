"""What moves to explain, for a moment, where a person wants that; the window sleeps again afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable

from kivy.clock import Clock

LASTS_S = 0.28
"""Short enough to be over before anybody touches what comes next."""


class Motion:
    """One motion at a time. It changes only what is drawn: all that is touched has its last place at once."""

    def __init__(self) -> None:
        self._step: Callable[[float], None] | None = None
        self._begun_s: float | None = None
        self._tick = Clock.schedule_interval(self._go_on, 0)
        self._tick.cancel()

    @property
    def runs(self) -> bool:
        return self._step is not None

    def start(self, step: Callable[[float], None]) -> None:
        """Call `step` in each frame with how far the motion is, from 0 to 1; the last time with 1."""
        self.end()
        self._step, self._begun_s = step, None
        step(0.0)
        self._tick()

    def end(self) -> None:
        """As if it had been watched to its end."""
        step, self._step = self._step, None
        self._tick.cancel()
        if step is not None:
            step(1.0)

    def _go_on(self, _: float) -> None:
        now_s = time.monotonic()
        if self._begun_s is None:  # from the first frame that shows it, however long that took
            self._begun_s = now_s
        share = (now_s - self._begun_s) / LASTS_S
        if share >= 1 or self._step is None:
            self.end()
        else:
            self._step(1 - (1 - share) ** 3)
