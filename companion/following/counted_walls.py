"""What the tiles that are counted in the walls say of the events: the count is believed once it has agreed
with them often enough."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import inf

from companion.table.state import HandState

AGREED_LEAST, REMEMBERED = 3, 5
"""So many of the last counts must have agreed with the events: part of a wall may be hidden for good."""
BELIED_S = 3.0
"""For so long they must disagree, whatever hides the walls meanwhile: events are stated late."""


@dataclass(frozen=True, slots=True)
class WallLeft:
    """How many tiles stand in the walls, at least and at most, dead ones too."""

    least: int
    most: int

    def find_off(self, hand: HandState) -> int:
        """By how many tiles more than by the events are left there; negative where there are fewer."""
        left = count_standing(hand)
        return max(0, self.least - left) - max(0, left - self.most)

    def has_drawn(self, hand: HandState) -> bool | None:
        """Whether one tile more has gone than the events say; None where this does not tell."""
        left = count_standing(hand)
        if left > self.most:
            return True
        return False if left - 1 < self.least else None

    def tells(self, last: int) -> bool:
        """Whether it is plain from it if no more than so many are left."""
        return self.most <= last or self.least > last


@dataclass(slots=True)
class CountedWalls:
    """Of one table. now: the count at this moment, None while the walls are not in sight; belied_s: since
    when it is not what the events say."""

    now: WallLeft | None = None
    belied_s: float = inf
    _last: WallLeft | None = None
    _agrees: bool = False
    _before: deque[bool] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def note(self, counted: tuple[int, int] | None, hand: HandState | None, t: float) -> None:
        """hand: as it stands at second t by the events so far; None between hands."""
        self.now = None if counted is None or hand is None else WallLeft(*counted)
        if hand is None:
            self._last, self.belied_s = None, inf
        if self.now is None or hand is None:
            return
        if self.now != self._last:
            if self._last is not None:
                self._before.append(self._agrees)
            self._last, self._agrees = self.now, False
        is_off = self.now.find_off(hand) != 0
        self._agrees |= not is_off
        self.belied_s = min(self.belied_s, t) if is_off else inf

    @property
    def is_trusted(self) -> bool:
        """Whether it has agreed with the events often enough."""
        return self._before.count(True) + self._agrees >= AGREED_LEAST

    @property
    def trusted(self) -> WallLeft | None:
        """The count at this moment, where it is believed."""
        return self.now if self.is_trusted else None

    def find_shown(self, t: float) -> WallLeft | None:
        """What was counted last, where it is believed, and either agrees with the events or has not done so
        for long."""
        is_settled = self.belied_s == inf or t - self.belied_s >= BELIED_S
        return self._last if self.is_trusted and is_settled else None


def count_standing(hand: HandState) -> int:
    """How many tiles stand in the walls by the events."""
    return hand.wall.live_left + hand.wall.dead_left
