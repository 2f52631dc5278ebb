"""Who reaches out: what moves at a player's edge of the table is an arm, or tiles that are sorted."""

from __future__ import annotations

from companion.tracking.quarters import see_from
from companion.tracking.sights import Box, Sight

EDGE_MM, ASIDE_MM = 320.0, 260.0
"""From here on towards the player, and no farther aside, the hand stands."""


def find_reaching(sight: Sight) -> list[int]:
    """The seats at whose edge something is in the way."""
    return [seat for seat in range(4) if any(_is_before(seat, box) for box in sight.covered)]


def _is_before(seat: int, box: Box) -> bool:
    u, v = see_from(seat, (box.left + box.right) / 2, (box.near + box.far) / 2)
    return v > EDGE_MM and abs(u) < ASIDE_MM
