"""The chance that a discard deals in, from what opponents show, and what it costs."""

from __future__ import annotations

from companion.coach.seen import Seen
from companion.tiles import Tile


def risk(seen: Seen, tile: Tile) -> tuple[float, float]:
    """The chance that a discard of that kind is won on by anybody, and the mean payment then, at least 0."""
    return 0.0, 0.0
