"""How a hand goes on by chance, as the coach takes it: one model, for the exact reckoning and the drawn one.

Until the player's next draw each opponent lays out a tile: with the chance `shown` it is any of the unseen
ones, else one that helps nobody. After that somebody else wins with the chance `hazard`, which costs
`loss`. Then the player draws one of the unseen tiles, and has `draws` such draws.
"""

from __future__ import annotations

from msgspec import Struct

from companion.coach.seen import Seen

SHOWN = 0.6
"""Of tiles that opponents draw, about so many are laid out again, now or later."""
HAZARD_EARLY, HAZARD_LATE = 0.01, 0.13
"""The chance that somebody else wins before the next draw, as the wall is full and as it is used up."""
HAZARD_MELD = 0.012
"""And more for every meld that opponents have laid."""
MOST_HAZARD = 0.35


class Course(Struct, frozen=True):
    """The chances of one position; loss: in what the game is paid in, at least 0."""

    draws: int
    others: int
    shown: float = SHOWN
    hazard: float = 0.05
    loss: float = 0.0


def foresee(seen: Seen, loss: float) -> Course:
    """The chances from what lies open: how far the wall is used up, and what opponents have melded."""
    house, hand = seen.state.house, seen.hand
    wall = hand.wall
    whole = len(wall.order) - wall.rule.dead - len(house.seats) * house.rules.hand_size
    used = 1 - wall.live_left / max(1, whole)
    laid = sum(len(player.melds) for seat, player in enumerate(hand.players) if seat != seen.seat)
    hazard = HAZARD_EARLY + (HAZARD_LATE - HAZARD_EARLY) * max(0.0, used) + HAZARD_MELD * laid
    others = len(house.seats) - 1
    return Course(
        draws=wall.live_left // len(house.seats), others=others, hazard=min(MOST_HAZARD, hazard), loss=loss
    )
