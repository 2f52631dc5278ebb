"""Notices that the tiles were dealt, by how far the walls have shrunk, before any tile lies open."""

from __future__ import annotations

from dataclasses import dataclass

from companion.following.turns import begin_hand
from companion.table.apply import apply
from companion.table.state import State

WHOLE_SHARE = 0.8
"""Of the backs that whole walls show, two tiles high, from which on the walls have been built."""
OFF_SHARE = 0.1
"""By how much of whole walls what is left may be off: some backs are not found."""
STAYS_S = 0.7
"""For so long the walls must stay so: while tiles are taken, or walls are pushed, they change."""


@dataclass(slots=True)
class DealWatch:
    """Watches the walls between two hands.

    most: backs of the walls at their most. since_s: since when there are `backs`. dealt: whether they were as
    few as a deal leaves.
    """

    most: int = 0
    backs: int = 0
    since_s: float = 0.0
    dealt: bool = False

    def note(self, backs: int, t: float) -> None:
        """backs: how many of the walls are known at that second."""
        self.most = max(self.most, backs)
        if backs != self.backs:
            self.backs, self.since_s = backs, t

    def has_dealt(self, state: State, t: float) -> bool:
        """Whether the walls were as short as a deal leaves them. state: before the hand."""
        if self.dealt or not self.most or t - self.since_s < STAYS_S:
            return self.dealt
        after: State | None = state
        for event in begin_hand(state):
            after = apply(after, event)
        if after is None or after.hand is None or after is state:
            return False
        tiles = sum(state.house.copies)
        left = (after.hand.wall.live_left + after.hand.wall.dead_left) / tiles
        is_whole = self.most >= WHOLE_SHARE * tiles / 2
        self.dealt = is_whole and abs(self.backs / self.most - left) <= OFF_SHARE
        return self.dealt
