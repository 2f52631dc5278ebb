"""What a hand may be played for: any hand, one suit, one suit and honours, triplets, and the other shapes.

An aim is what the tiles of the finished hand are, never what it pays: which aim is worth something in a game
its own scoring says (companion.coach.payoff).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.other_shapes import OtherShape
from companion.coach.reach import EVERY_SUIT, PLACES, Lacks, Reach, Sets, Suits
from companion.rules.hand import Hand
from companion.rules.shapes import Game, Shape, standard_lacks
from companion.tiles import Meld, MeldKind, Suit

SUITS_OF_TILES = (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO, Suit.HONORS)
HONORS = 3


class Aim(NamedTuple):
    """shape: one other than sets and a pair, None for these. suits: those that concealed tiles may be of.
    sets: what the sets are. honors: the honours, by rank from 0, of which it has a concealed triplet.
    loose: it waits for any tile, which makes the pair with a wild one."""

    shape: Shape | None = None
    suits: Suits = EVERY_SUIT
    sets: Sets = Sets.ANY
    honors: tuple[int, ...] = ()
    loose: bool = False


class Distances(NamedTuple):
    """How far hands between turns are from an aim: tiles lacking (n,), and which places help (n, 36)."""

    lacking: NDArray[np.int64]
    useful: NDArray[np.bool_]


def list_aims(shapes: list[Shape], game: Game, melds: tuple[Meld, ...]) -> list[Aim]:
    """The aims that are still open to a hand with these melds, any hand first."""
    found = []
    laid = {SUITS_OF_TILES.index(meld.tiles[0].suit) for meld in melds}
    chows = any(meld.kind is MeldKind.CHOW for meld in melds)
    for shape in shapes:
        if shape.lacks is not standard_lacks:
            found += [] if melds else [Aim(shape)]
            continue
        found.append(Aim())
        if not chows:
            found.append(Aim(sets=Sets.TRIPLETS))
        for suit in range(HONORS):
            if laid <= {suit}:
                found.append(Aim(suits=(suit,)))
            if laid <= {suit, HONORS} and not game.short:
                found.append(Aim(suits=(suit, HONORS)))
    return sorted(found, key=lambda aim: aim != Aim())


def measure(aim: Aim, hand: Hand, game: Game, places: NDArray[np.intp] | None) -> Distances:
    """How far the hand is after each of these discards, or as it is where `places` is None.

    Places of wild tiles are not marked: those help every hand.
    """
    reach: Reach | OtherShape
    if aim.shape is None:
        reach = Reach(hand, game, aim.suits, aim.sets, aim.honors, aim.loose)
    else:
        reach = OtherShape(aim.shape, hand, game)
    now: Lacks
    if places is None:
        now, more = np.array([reach.now], np.uint8), reach.after_draws()[None]
    elif isinstance(reach, Reach):
        now, more = reach.after_discards()[places], reach.after_exchanges(places)
    else:
        now, more = reach.after_discards(places), reach.after_exchanges(places)
    lacking = now.astype(np.int64) - hand.wild
    if aim.loose:  # one wild tile is kept for the pair, and the last tile counts
        lacking = np.maximum(lacking + 2, 1)
    return Distances(lacking, (more < now[:, None])[:, :PLACES])
