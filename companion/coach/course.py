"""How a hand goes on by chance, as the coach takes it: one model, for the exact reckoning and the drawn one.

Until the player's next draw each opponent lays out a tile: with the chance `shown` it is any of the unseen
ones, else one that helps nobody. After that somebody else wins with the chance `hazard`, which costs
`loss`. Then the player draws one of the unseen tiles, and has `draws` such draws.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from companion.coach.seen import Seen

SHOWN = 0.6
"""Of tiles that opponents draw, about so many are laid out again, now or later."""
USED = (0.1, 0.3, 0.5, 0.7, 0.9)
OTHERS_WIN = (0.01, 0.07, 0.18, 0.27, 0.30)
"""The chance that somebody else wins before the next draw, by how far the wall is used up: as counted in
simulated hands of all games, which hardly differ."""
HAZARD_MELD = 0.008
"""And more for every meld that opponents have laid beyond what is usual by then."""
MELDS_A_WALL = 6
"""How many melds opponents have laid as the wall is used up."""
MOST_HAZARD = 0.35


class Course(Struct, frozen=True):
    """The chances of one position; loss: in what the game is paid in, at least 0.

    hazards: of each draw that is left, where they grow; else `hazard` holds for all.
    """

    draws: int
    others: int
    shown: float = SHOWN
    hazard: float = 0.05
    loss: float = 0.0
    hazards: tuple[float, ...] = ()


def foresee(seen: Seen, loss: float) -> Course:
    """The chances from what lies open: how far the wall is used up, and what opponents have melded."""
    house, hand = seen.state.house, seen.hand
    wall, seats = hand.wall, len(house.seats)
    whole = max(1, len(wall.order) - wall.rule.dead - seats * house.rules.hand_size)
    laid = sum(len(player.melds) for seat, player in enumerate(hand.players) if seat != seen.seat)
    more = HAZARD_MELD * (laid - MELDS_A_WALL * (1 - wall.live_left / whole))
    draws = wall.live_left // seats
    used = [1 - (wall.live_left - seats * ahead) / whole for ahead in range(draws)]
    hazards = [min(MOST_HAZARD, max(0.0, _find_hazard(each) + more)) for each in used]
    return Course(
        draws=draws,
        others=seats - 1,
        hazard=hazards[0] if hazards else 0.0,
        hazards=tuple(hazards),
        loss=loss,
    )


def _find_hazard(used: float) -> float:
    """Between the shares of the wall that were counted, on the straight line."""
    points = list(zip(USED, OTHERS_WIN, strict=True))
    for (low, below), (high, above) in pairwise(points):
        if used <= high:
            return max(0.0, below + (above - below) * (used - low) / (high - low))
    return OTHERS_WIN[-1]
