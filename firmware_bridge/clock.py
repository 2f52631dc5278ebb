"""A device's clock seen from here: when something happened, in our seconds, from its milliseconds.

A message can be late but never early, so the smallest difference seen is nearest to the truth (as in the
clock filter of NTP, RFC 5905, section 10); it is let grow by the worst drift of a cheap oscillator, so that
old ones fade.
"""

from __future__ import annotations

WRAP_MS = 2**32
DRIFT = 200e-6
"""Seconds a second: a ceramic resonator after calibration; crystals are ten times better."""


class DeviceClock:
    """Maps a device's milliseconds (u32, which begin again after 49.7 days) to our seconds."""

    __slots__ = ("_last_ms", "_offset_s", "_seen_s")

    def __init__(self) -> None:
        self._last_ms: int | None = None
        self._offset_s = 0.0
        self._seen_s = 0.0

    def observe(self, t_ms: int, now: float) -> None:
        """The device's clock said `t_ms` in a message that came at `now`, seconds."""
        at_s = self._unwrap(t_ms) / 1000
        first = self._last_ms is None
        if first or at_s * 1000 > (self._last_ms or 0):
            self._last_ms = int(at_s * 1000 + 0.5)
        grown = self._offset_s + DRIFT * (now - self._seen_s)
        self._offset_s = now - at_s if first else min(now - at_s, grown)
        self._seen_s = now

    def to_host_time(self, t_ms: int, now: float) -> float:
        """Our time (seconds) of the device's `t_ms`: never later than `now`."""
        return min(now, self._unwrap(t_ms) / 1000 + self._offset_s) if self._last_ms is not None else now

    def _unwrap(self, t_ms: int) -> int:
        """`t_ms` with the rounds of the counter, the one nearest to the last."""
        if self._last_ms is None:
            return t_ms
        ahead = (t_ms - self._last_ms + WRAP_MS // 2) % WRAP_MS - WRAP_MS // 2
        return self._last_ms + ahead
