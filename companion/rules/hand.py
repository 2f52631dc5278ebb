"""A player's tiles, counted, and wildcards among them."""

from __future__ import annotations

from msgspec import Struct

from companion.rules.lazy import lazy_property
from companion.rules.suit_tiles import Counts, SuitTiles, find_suit_tiles
from companion.tiles import Meld, Tile

Suits = tuple[Counts, ...]
"""Concealed tiles as counts of m (9), p (9), s (9) and z (7)."""


class Wild(Struct, frozen=True):
    """Wildcards: every concealed tile of the kind `tile` stands for any tile. There are `copies` of it.

    `substitute`: the kind whose concealed tiles stand for `tile` as it would be were it not wild.
    """

    tile: Tile
    copies: int
    substitute: Tile | None = None

    def count_held(self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> int:
        """How many wild tiles a player holds; in a meld the kind is the substitute, where there is one."""
        if self.substitute is not None:
            return hand.count(self.tile)
        return hand.count(self.tile) + sum([meld.tiles.count(self.tile) for meld in melds])


class Hand(Struct, frozen=True, dict=True):
    """A player's tiles, finished or one short: `suits` counts the concealed ones, `total` all of them.

    `sizes`: how many tiles each of `suits` has. `wild` concealed tiles are of the kind of `wildcard`: they
    stand for any tile and are not in `suits`.
    """

    suits: Suits
    sizes: tuple[int, ...]
    total: Counts
    melds: tuple[Meld, ...]
    wild: int = 0
    wildcard: Wild | None = None

    @lazy_property
    def parts(self) -> tuple[SuitTiles, ...]:
        """What is known of each of `suits`."""
        return tuple(map(find_suit_tiles, range(4), self.suits))

    @property
    def fortune(self) -> Tile:
        """The kind that is wild, in a game with wildcards."""
        assert self.wildcard is not None
        return self.wildcard.tile

    def without(self, tile: Tile, stands_for: Tile | None) -> Hand:
        """The hand without one concealed `tile`, which counts as `stands_for`, or as a wild one where that is
        None."""
        held = list(self.total)
        held[tile.index] -= 1
        total = tuple(held)
        if stands_for is None:
            less = Hand(self.suits, self.sizes, total, self.melds, self.wild - 1, self.wildcard)
            less.__dict__["parts"] = self.parts
            return less
        suit = stands_for.index // 9
        parts = list(self.parts)
        parts[suit] = here = parts[suit].plus(stands_for.index - 9 * suit, -1)
        suits, sizes = list(self.suits), list(self.sizes)
        suits[suit], sizes[suit] = here.counts, here.size
        less = Hand(tuple(suits), tuple(sizes), total, self.melds, self.wild, self.wildcard)
        less.__dict__["parts"] = tuple(parts)
        return less
