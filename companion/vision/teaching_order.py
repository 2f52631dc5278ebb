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


def place_kinds(
    photos: Sequence[Sequence[str | None]], orders: Iterable[Sequence[Tile]] = ORDERS
) -> list[Tile] | None:
    """As `assign_kinds`, of photos by what each tile was read as with certainty, or None. Where the tiles of
    a photo contradict the order from its beginning and not from its end, the photo is upside down."""
    kinds = assign_kinds([len(photo) for photo in photos], orders)
    if kinds is None:
        return None
    rest = iter(kinds)
    return [kind for photo in photos for kind in _turn_to_fit([next(rest) for _ in photo], photo)]


def _turn_to_fit(kinds: Sequence[Tile], read: Sequence[str | None]) -> Sequence[Tile]:
    turned = kinds[::-1]
    first, last = (
        is_contradicted([(code, kind.code) for code, kind in zip(read, order, strict=True) if code])
        for order in (kinds, turned)
    )
    return turned if first and not last else kinds


def find_exchanged(sure: Sequence[tuple[str, str]]) -> list[int]:
    """The indices of tiles that seem to have changed places: each was read as the kind that is expected where
    another one of them lies. A drawing that is read as another kind alone is none.

    sure: what each tile was read as with certainty, and the code expected there.
    """
    found = [at for at, (read, expected) in enumerate(sure) if read != expected]
    while True:
        reads, expecteds = {sure[at][0] for at in found}, {sure[at][1] for at in found}
        kept = [at for at in found if sure[at][0] in expecteds and sure[at][1] in reads]
        if kept == found:
            return found
        found = kept


def is_contradicted(sure: Sequence[tuple[str, str]]) -> bool:
    """Whether tiles lie in another order than expected; sure: what each tile was read as with certainty, and
    the code expected there."""
    return sum(read != expected for read, expected in sure) > CONTRADICTED_MAX * len(sure)
