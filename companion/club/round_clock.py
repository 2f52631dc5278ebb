"""The clock of a round: how much of its time is left. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class RoundClock:
    """minutes: of the round. started: None until the clock runs. paused: since when it stands, and `paused_s`
    for how long it stood before. ended: when the round was over."""

    minutes: int
    started: datetime | None = None
    paused: datetime | None = None
    paused_s: float = 0.0
    ended: datetime | None = None

    @property
    def runs(self) -> bool:
        return self.started is not None and self.paused is None and self.ended is None

    def left_s(self, now: datetime) -> float:
        """Seconds that are left, below 0 once the time is up: the hand in play is finished then."""
        whole_s = self.minutes * 60.0
        if self.started is None:
            return whole_s
        until = min(each for each in (now, self.paused, self.ended) if each is not None)
        played = until - self.started - timedelta(seconds=self.paused_s)
        return whole_s - max(played.total_seconds(), 0.0)
