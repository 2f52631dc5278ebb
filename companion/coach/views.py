"""What a player is told: values that say why. Everything in them follows from what the player can see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.tiles import Meld, Tile


@dataclass(frozen=True, slots=True)
class View:
    """One player's tiles, and what that player sees of the others.

    unseen: of each of the 42 kinds, how many tiles are neither the player's nor lie open; None: all that are
    not the player's. fortune: the kind that is wild, in games that have one.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    unseen: Sequence[int] | None = None
    fortune: Tile | None = None


@dataclass(frozen=True, slots=True)
class Useful:
    """A kind that brings a hand nearer, or completes it, and how many of it are unseen: at least one."""

    tile: Tile
    unseen: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a hand between turns is from ready (0: it is), and what brings it nearer, or completes it."""

    shanten: int
    useful: tuple[Useful, ...]

    @property
    def live(self) -> int:
        """How many unseen tiles are useful."""
        return sum(kind.unseen for kind in self.useful)


@dataclass(frozen=True, slots=True)
class Choice:
    """A discard, and how the hand stands after it."""

    discard: Tile
    after: Standing


@dataclass(frozen=True, slots=True)
class Claim:
    """A meld made of another's discard, the best discard then, and how the hand stands after it.

    `discard` is None for a kong, for which a tile is drawn first.
    """

    meld: Meld
    discard: Tile | None
    after: Standing
