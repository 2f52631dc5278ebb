"""The coach's advice: values that say why. Everything in them follows from what the player can see.

They are msgspec structs, not dataclasses: players make ten for a discard, and these cost a tenth.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.tiles import Meld, Tile


class View(Struct, frozen=True):
    """One player's tiles, and what that player sees of the others.

    unseen: of each of the 42 kinds, how many tiles are neither the player's nor lie open; None: all that are
    not the player's. fortune: the kind that is wild, in games that have one.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    unseen: Sequence[int] | None = None
    fortune: Tile | None = None


class Useful(Struct, frozen=True):
    """A kind that brings a hand nearer, or completes it, and how many of it are unseen: at least one."""

    tile: Tile
    unseen: int


class Standing(Struct, frozen=True):
    """How far a hand between turns is from ready (0: it is), and what brings it nearer, or completes it.

    self_drawn: of a ready hand the useful tiles that win self-drawn alone, where that was looked at.
    """

    shanten: int
    useful: tuple[Useful, ...]
    self_drawn: tuple[Tile, ...] = ()

    @property
    def live(self) -> int:
        """How many unseen tiles are useful."""
        return sum(kind.unseen for kind in self.useful)


class Choice(Struct, frozen=True):
    """A discard, and how the hand stands after it."""

    discard: Tile
    after: Standing


class Claim(Struct, frozen=True):
    """A meld made of another's discard, the best discard then, and how the hand stands after it.

    `discard` is None for a kong, for which a tile is drawn first.
    """

    meld: Meld
    discard: Tile | None
    after: Standing
