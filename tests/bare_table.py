"""A table before its first tile, as a decoder sees it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.following.decoder import Decoder
from companion.seeing.sights import USUAL_WALL_MM, Sight
from companion.table.events import Event

BEFORE_S = -2.0


def see_walls(log: Sequence[Event]) -> Decoder:
    """A decoder that has seen a bare table with walls: the next tile belongs to a hand that is played."""
    decoder = Decoder(log)
    decoder.follow(Sight(BEFORE_S, wall_mm=USUAL_WALL_MM))
    return decoder
