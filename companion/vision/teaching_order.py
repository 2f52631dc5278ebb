"""The order in which a set of tiles is laid out to be learned, and whether what was read agrees with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.tiles import KINDS, Suit, Tile

ROWS = tuple(tuple(kind for kind in KINDS if kind.suit is suit) for suit in Suit)
"""One of each kind, a suit a row: what a person is asked to lay out."""
ORDERS = (KINDS, tuple(kind for kind in KINDS if kind.suit is not Suit.FLOWERS))
CONTRADICTED_MAX = 0.2  # of the tiles read with certainty, that may be another kind than the order says


def assign_kinds(counts: Sequence[int], orders: Iterable[Sequence[Tile]] = ORDERS) -> list[Tile] | None:
    """The kinds of all tiles of photos with `counts` tiles, one after the other, if they lie in order: each
    photo shows one of `orders` whole, or all together do. None where the numbers fit neither."""
    sizes = {len(order): order for order in orders}
    if counts and all(count in sizes for count in counts):
        return [kind for count in counts for kind in sizes[count]]
    return list(sizes[total]) if (total := sum(counts)) in sizes else None


def is_contradicted(sure: Sequence[tuple[str, str]]) -> bool:
    """Whether tiles lie in another order than expected; sure: what each tile was read as with certainty, and
    the code expected there."""
    return sum(read != expected for read, expected in sure) > CONTRADICTED_MAX * len(sure)
