"""What can happen next, for a person who records a game by hand: which moves of a player, which claims.

Whoever records a game names what everybody saw. What must have happened before it, as a draw before a
discard, is added here; whether it can have happened says `apply` alone.
"""

from __future__ import annotations

from msgspec import Struct

from companion.errors import EventError
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    IndicatorTurned,
    ReadyDeclared,
    Won,
)
from companion.table.knowledge import count_unseen, list_possible_kongs
from companion.table.state import Phase, State
from companion.tiles import KINDS, MeldKind, Tile

IMPLIED_MAX = 9
"""The most draws that nobody names before an event: eight flowers are replaced, and the next tile drawn."""
IN_TURN = (Discarded, ConcealedKong, AddedKong, ReadyDeclared, FlowerSetOut, Won)
"""What a player does after drawing."""


class Moves(Struct, frozen=True):
    """What a player can do now. tiles: of each kind that can be discarded, set out or turned over, by its
    code, what that is; unseen: a discard that nobody saw. claims: of the tile on offer, the kong first.
    added: kongs that a tile is added to; concealed: those laid down, without a tile where it stays hidden.
    """

    tiles: dict[str, Event]
    unseen: Discarded | None = None
    claims: tuple[Claimed, ...] = ()
    added: tuple[AddedKong, ...] = ()
    concealed: tuple[ConcealedKong, ...] = ()
    ready: ReadyDeclared | None = None


def find_way(state: State, event: Event) -> tuple[Event, ...] | None:
    """The event, after the deal and the draws that it implies; None where it cannot happen."""
    way: list[Event] = []
    for _ in range(IMPLIED_MAX + 1):
        try:
            apply(state, event)
            return (*way, event)
        except EventError:
            implied = _find_implied(state, event)
        if implied is None:
            return None
        try:
            state = apply(state, implied)
        except EventError:
            return None
        way.append(implied)
    return None


def find_own_draw(state: State, seat: int) -> tuple[State, tuple[Event, ...]] | None:
    """How the game stands once that player has drawn the tile that is next, and the draws that lead there;
    None where nobody has to draw before the player can act."""
    way: list[Event] = []
    while len(way) < IMPLIED_MAX:
        implied = _find_implied(state, Won(seat=seat))
        if implied is None:
            break
        try:
            state = apply(state, implied)
        except EventError:
            return None
        way.append(implied)
    return (state, tuple(way)) if way else None


def list_moves(state: State, seat: int, dice: tuple[int, ...] | None = None) -> Moves:
    """What this player can do now, whatever is hidden in the hand. dice: the throw for the indicator, where
    that is turned next."""
    hand = state.hand
    if hand is None or not state.playing or seat not in state.house.seats:
        return Moves({})
    kinds = [kind for kind, left in zip(KINDS, count_unseen(state, None), strict=True) if left]
    if hand.phase is Phase.INDICATOR:
        turned = {kind.code: IndicatorTurned(tile=kind.code, dice=dice) for kind in kinds}
        return Moves({code: event for code, event in turned.items() if find_way(state, event)})
    tiles = {kind.code: _name_move(seat, kind) for kind in kinds}
    unseen, ready = Discarded(seat=seat), ReadyDeclared(seat=seat)
    return Moves(
        {code: event for code, event in tiles.items() if find_way(state, event)},
        unseen if find_way(state, unseen) else None,
        tuple(Claimed(seat=seat, meld=str(meld)) for meld in list_claims(state.house, hand, seat)),
        tuple(event for event in _list_added(state, seat) if find_way(state, event)),
        tuple(event for event in _list_concealed(state, seat) if find_way(state, event)),
        ready if find_way(state, ready) else None,
    )


def find_sea_draw(state: State) -> Drawn | None:
    """The next draw where nobody discards any more, if there is one."""
    hand = state.hand
    if hand is None or not state.playing or not hand.wall.in_sea or hand.owed:
        return None
    seat = state.house.following[hand.turn] if hand.phase is Phase.SEA else hand.turn
    event = Drawn(seat=seat)
    return event if find_way(state, event) else None


def _find_implied(state: State, event: Event) -> Event | None:
    """What must have happened before such an event, and nobody named."""
    hand = state.hand
    if hand is None or not state.playing:
        return None
    if hand.phase is Phase.DEAL:
        return Dealt()
    if hand.owed and hand.phase is not Phase.EXHAUSTED:
        return Drawn(seat=hand.turn)
    if hand.phase is Phase.CLAIM and isinstance(event, IN_TURN) and event.seat == hand.turn:
        return Drawn(seat=hand.turn)
    return None


def _name_move(seat: int, kind: Tile) -> Event:
    """Whether such a tile is discarded, exposed or turned over."""
    return (
        FlowerSetOut(seat=seat, tile=kind.code) if kind.index >= 34 else Discarded(seat=seat, tile=kind.code)
    )


def _list_added(state: State, seat: int) -> list[AddedKong]:
    assert state.hand is not None
    melds = [laid.meld for laid in state.hand.players[seat].melds if laid.kind is MeldKind.PUNG]
    return [AddedKong(seat=seat, tile=meld.tiles[0].code) for meld in melds if meld is not None]


def _list_concealed(state: State, seat: int) -> list[ConcealedKong]:
    if not state.house.policy.kongs.public:
        return [ConcealedKong(seat=seat)]
    kinds = list_possible_kongs(state, None)
    return [ConcealedKong(seat=seat, tile=kind.code) for kind in kinds if kind.index < 34]
