"""What a win looks like from afar. Few wins differ in it, so that which rows of a table can be found at all
is worked out once for each outline (rows.py), and a hand is asked for no other row.
"""

from __future__ import annotations

from typing import NamedTuple

_BITS = 4
"""Bits of one field of a tally: no reading has more than 15 groups."""
SEQUENCE, PUNG, CONCEALED_PUNG, KONG, DRAGON_PUNG, WIND_PUNG, DRAGON_PAIR, WIND_PAIR = (
    1 << _BITS * place for place in range(8)
)
"""Contribution of a group to the tally of its reading, a sum that contains the last eight fields of an
Outline."""

NOT_KNOWN = -1


class Outline(NamedTuple):
    """The outline of a win and one reading of its tiles.

    situation: the circumstances of the win; self_drawn, robbed: where the winning tile came from
    by_dealer, closed: whether the dealer wins, and with nothing claimed (ruling C-16)
    one_wait: whether only one kind would have completed the hand
    flowers: how many the winner has, NOT_KNOWN where the request says null: no row about flowers
        applies then
    suits: how many of m, p, s the tiles are of; honors: whether any are winds or dragons
    wild: how many concealed tiles are wild
    chained: whether gambits or kongs in a row led to the win
    shape: the reading's winning shape
    sequences and so on: how many of the reading's groups are that; a kong is a pung, too
    """

    situation: frozenset[str]
    self_drawn: bool
    robbed: bool
    by_dealer: bool
    closed: bool
    one_wait: bool
    flowers: int
    suits: int
    honors: bool
    wild: int
    chained: bool
    shape: str
    sequences: int
    pungs: int
    concealed_pungs: int
    kongs: int
    dragon_pungs: int
    wind_pungs: int
    dragon_pairs: int
    wind_pairs: int


OfWin = tuple[frozenset[str], bool, bool, bool, bool, bool, int, int, bool, int, bool]
"""Fields that all readings of a win share: those of an Outline before `shape`."""


class Debt(NamedTuple):
    """The outline of what one payer owes.

    self_drawn: the winner drew the tile; by_dealer: the dealer wins
    of_dealer: the payer is the dealer; discarded: the winning tile, or the robbed kong, was the payer's
    """

    self_drawn: bool
    by_dealer: bool
    of_dealer: bool
    discarded: bool


def make_outline(of_win: OfWin, shape: str, tally: int) -> Outline:
    """The outline of a reading with that shape and that tally of its groups."""
    numbers = [tally >> _BITS * place & (1 << _BITS) - 1 for place in range(8)]
    return Outline(*of_win, shape, *numbers)
