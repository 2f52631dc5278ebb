"""What one seat sees of a game, and what of every kind can still come: all that the coach is ever given."""

from __future__ import annotations

from msgspec import Struct

from companion.coach.views import View
from companion.table.knowledge import state_as_seen
from companion.table.state import HandState, Player, State
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, Tile


class Seen(Struct, frozen=True):
    """A hand in play as it looks from `seat`. Made by `look` alone, which takes out what is hidden."""

    state: State
    seat: int

    @property
    def hand(self) -> HandState:
        """The hand in play."""
        assert self.state.hand is not None
        return self.state.hand

    @property
    def player(self) -> Player:
        """What lies before the player."""
        return self.hand.players[self.seat]


def look(state: State, seat: int) -> Seen:
    """The hand in play in `state` as that seat sees it; ValueError where there is none."""
    if state.hand is None:
        raise ValueError("no hand was begun yet")
    return Seen(state_as_seen(state, seat), seat)


def count_seen(seen: Seen) -> tuple[int, ...]:
    """Of each of the 42 kinds, how many tiles the player sees: own ones, discards, melds, flowers, indicator.

    A concealed kong that others laid face down is not seen (C-07).
    """
    return tuple(seen.hand.known)


def count_left(seen: Seen) -> tuple[int, ...]:
    """Of each of the 42 kinds, how many tiles can still come: all that the player does not see.

    Where `is_least` is true it is the most that can come: as many at least have been seen.
    """
    return tuple(has - known for has, known in zip(seen.state.house.copies, seen.hand.known, strict=True))


def is_least(seen: Seen) -> bool:
    """Whether tiles lie open that nobody named, so that of some kinds more are gone than are counted."""
    return seen.player.hidden > 0 or any(None in player.discards for player in seen.hand.players)


def make_view(seen: Seen) -> View:
    """The player's tiles and what is unseen, as the judge takes them."""
    return View(seen.player.concealed, list_known_melds(seen.player), count_left(seen), seen.hand.fortune)


def name_left(seen: Seen) -> dict[str, int]:
    """What can still come by code, of every kind that the game has but flowers that were set out."""
    copies = seen.state.house.copies
    return {tile.code: left for tile, left in zip(KINDS, count_left(seen), strict=True) if copies[tile.index]}


def list_concealed(seen: Seen) -> tuple[Tile, ...]:
    """The player's concealed tiles that are known."""
    return seen.player.concealed
