"""Who reaches out: what moves at a player's edge of the table is an arm, or tiles that are sorted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf

from companion.seeing.quarters import see_from
from companion.seeing.sights import Box, Sight

EDGE_MM, ASIDE_MM = 320.0, 260.0
"""From here on towards the player, and no farther aside, the hand stands."""
REMEMBERED_S = 60.0
RESTS_S = 2.0
"""What hides the same place for longer is no arm: a tile that stands there, or something put down."""


@dataclass(frozen=True, slots=True)
class Reaches:
    """Which players reached out of late, and when. since: since when each place has been hidden."""

    seen: deque[tuple[float, frozenset[int]]] = field(default_factory=deque)
    since: dict[Box, float] = field(default_factory=dict)

    def note(self, sight: Sight) -> None:
        """Take in who reaches at this moment."""
        since = {box: self.since.get(box, sight.t) for box in sight.covered}
        self.since.clear()
        self.since.update(since)
        moving = [box for box, since_s in since.items() if sight.t - since_s <= RESTS_S]
        seats = frozenset(find_reaching(moving))
        if seats:
            self.seen.append((sight.t, seats))
        while self.seen and self.seen[0][0] < sight.t - REMEMBERED_S:
            self.seen.popleft()

    def find_first(self, seat: int, since_s: float) -> float:
        """When that player reached out first since then; infinity where they have not."""
        return next((t for t, seats in self.seen if t > since_s and seat in seats), inf)

    def is_reaching(self, seat: int, t: float) -> bool:
        """Whether that player reaches out at this moment, the last that was noted."""
        return bool(self.seen) and self.seen[-1][0] == t and seat in self.seen[-1][1]

    def find_between(self, from_s: float, to_s: float) -> frozenset[int]:
        """Who reached out between these seconds."""
        return frozenset[int]().union(*(seats for t, seats in self.seen if from_s <= t <= to_s))


def find_reaching(covered: Iterable[Box]) -> list[int]:
    """The seats at whose edge something is in the way."""
    boxes = list(covered)
    return [seat for seat in range(4) if any(_is_before(seat, box) for box in boxes)]


def _is_before(seat: int, box: Box) -> bool:
    u, v = see_from(seat, (box.left + box.right) / 2, (box.near + box.far) / 2)
    return v > EDGE_MM and abs(u) < ASIDE_MM
