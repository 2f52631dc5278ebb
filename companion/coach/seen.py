"""What one seat sees of a game, and what of every kind can still come: all that the coach is ever given."""

from __future__ import annotations

from msgspec import Struct

from companion.table.knowledge import list_possible_kongs, state_as_seen
from companion.table.moves import put
from companion.table.state import HandState, Laid, Player, State, changed
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, KONG_TILES, Meld, MeldKind, Suit, Tile

MIDDLE = 5
NEAR = 2
"""Kinds this many ranks apart may be in one chow."""


class SeatView(Struct, frozen=True):
    """A hand in play as it looks from `seat`. Only `observe` makes it, without what is hidden.

    stand_ins: the kongs assumed for the player's own concealed kongs of an unknown kind; they are among the
    player's melds, and are not counted as seen. calls_known: whether it is known who called ready; always
    where the game has no such call. unread: open tiles of no known player that nobody named.
    """

    state: State
    seat: int
    stand_ins: tuple[Meld, ...] = ()
    calls_known: bool = True
    unread: int = 0

    @property
    def hand(self) -> HandState:
        """The hand in play."""
        assert self.state.hand is not None
        return self.state.hand

    @property
    def player(self) -> Player:
        """The player in that seat."""
        return self.hand.players[self.seat]


def observe(state: State, seat: int, *, calls_known: bool | None = None, unread: int = 0) -> SeatView:
    """The hand in play in `state` as that seat sees it; ValueError without a hand.

    calls_known: whether it is known who called ready; None: where a player called in this game. unread: open
    tiles, besides those of the state, that nobody named.
    """
    if state.hand is None:
        raise ValueError("no hand was begun yet")
    if calls_known is None:
        calls_known = state.calls_known or not state.house.policy.ready.declared
    seen = SeatView(state_as_seen(state, seat), seat, calls_known=calls_known, unread=unread)
    hidden = sum(laid.meld is None for laid in seen.player.melds)
    return _stand_in(seen, hidden) if hidden else seen


def count_left(seen: SeatView) -> tuple[int, ...]:
    """The tiles of each of the 42 kinds that can still come: all that the player does not see.

    Where `is_least` is true it is the most that can come: at least as many have been seen.
    """
    return tuple(has - known for has, known in zip(seen.state.house.copies, seen.hand.known, strict=True))


def is_least(seen: SeatView) -> bool:
    """Whether open tiles exist that nobody named, so that more tiles of some kinds are gone than are
    counted."""
    return (
        seen.player.hidden > 0
        or bool(seen.stand_ins)
        or seen.unread > 0
        or any(None in player.discards for player in seen.hand.players)
    )


def name_left(seen: SeatView) -> dict[str, int]:
    """The tiles that can still come by code, of every kind in the game except flowers that were set out."""
    copies = seen.state.house.copies
    return {tile.code: left for tile, left in zip(KINDS, count_left(seen), strict=True) if copies[tile.index]}


def list_own_melds(seen: SeatView) -> tuple[Meld, ...]:
    """The player's melds that are known."""
    return tuple([meld for meld in list_known_melds(seen.player) if meld not in seen.stand_ins])


def _stand_in(seen: SeatView, hidden: int) -> SeatView:
    """With each own kong of an unknown kind replaced by a kind that adds least: a finished set.

    Among the kinds without a visible tile: a number that makes no chow with the player's tiles, of the suit
    with the fewest of them, in the middle, so that it suggests no flush and pays as no honour.
    """
    player = seen.player
    own = [*player.concealed, *[tile for meld in list_known_melds(player) for tile in meld.tiles]]

    def rank(kind: Tile) -> tuple[bool, int, int, int]:
        same = [tile for tile in own if tile.suit is kind.suit]
        near = sum(abs(tile.rank - kind.rank) <= NEAR for tile in same)
        return kind.suit is Suit.HONORS, near, len(same), abs(kind.rank - MIDDLE)

    possible = [kind for kind in list_possible_kongs(seen.state, seen.seat) if kind.suit is not Suit.FLOWERS]
    kinds = sorted(possible, key=rank)[:hidden]
    taken = tuple([Meld((kind,) * KONG_TILES, MeldKind.KONG_CONCEALED) for kind in kinds])
    rest = iter(taken)
    melds = tuple([Laid(next(rest, None), None) if laid.meld is None else laid for laid in player.melds])
    hand = changed(seen.hand, players=put(seen.hand, seen.seat, changed(player, melds=melds)))
    return changed(seen, state=changed(seen.state, hand=hand), stand_ins=taken)
