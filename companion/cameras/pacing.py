"""Plays recordings as fast as they were recorded."""

from __future__ import annotations

import time


class Pacer:
    """Knows when each picture of a recording is due. Whoever reads more slowly than it was recorded is not
    hurried to catch up."""

    def __init__(self) -> None:
        self._start_ns: int | None = None

    def wait_until(self, t_ns: int) -> None:
        """Until the moment that is so many nanoseconds after the recording's beginning."""
        now_ns = time.monotonic_ns()
        if self._start_ns is None or now_ns > self._start_ns + t_ns:
            self._start_ns = now_ns - t_ns
        time.sleep((self._start_ns + t_ns - now_ns) / 1e9)
