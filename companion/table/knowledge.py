"""What a viewer at the table can know: events and states as seen from one seat, or by a camera above; and
which tiles a player is likely to discard next.

A viewer is a seat, or None for a viewer who sees only open tiles: discards, claimed melds,
flowers, the indicator, the number of every player's tiles. A concealed kong does where the house says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.table.claims import name_discard
from companion.table.events import ConcealedKong, Dealt, Drawn, Event, HandShown, Won
from companion.table.house import House
from companion.table.moves import hide_tiles, read_tile
from companion.table.state import HandState, Laid, LetGo, Phase, Player, State, changed
from companion.tiles import KINDS, KONG_TILES, MeldKind, Suit, Tile, format_tiles


def event_as_seen(state: State | None, event: Event, viewer: int | None) -> Event:
    """The event as the viewer sees it happen in `state`, which is fully known."""
    if isinstance(event, Dealt):
        a, b, c, d = (text if seat == viewer else None for seat, text in enumerate(event.hands))
        return Dealt(hands=(a, b, c, d))
    if isinstance(event, Drawn):
        return event if event.seat == viewer else Drawn(seat=event.seat)
    if isinstance(event, ConcealedKong):
        shown = event.seat == viewer or (state is not None and state.house.policy.kongs.public)
        return event if shown else ConcealedKong(seat=event.seat)
    if state is None or state.hand is None:
        return event
    if isinstance(event, Won) and event.hand is None:
        return _show_win(state.house, state.hand, event)
    if isinstance(event, HandShown) and not event.kongs:
        return changed(event, kongs=_kongs(state.hand.players[event.seat]))
    return event


def state_as_seen(state: State, viewer: int | None) -> State:
    """The state as the viewer knows it: tiles of others that were never open are counted only."""
    hand = state.hand
    if hand is None:
        return state
    public = state.house.policy.kongs.public
    known = bytearray(hand.known)
    a, b, c, d = (
        player if seat == viewer else _view_player(player, public, known)
        for seat, player in enumerate(hand.players)
    )
    open_seats = {viewer, *(result.winner for result in hand.results)}
    drawn = hand.drawn if hand.turn in open_seats else None
    due = hand.due if hand.turn in open_seats else ()
    return changed(state, hand=changed(hand, players=(a, b, c, d), drawn=drawn, due=due, known=bytes(known)))


def count_unseen(state: State, viewer: int | None) -> tuple[int, ...]:
    """How many tiles of each of the 42 kinds the viewer has not seen: in walls, in others' hands, and among
    the discards if nobody saw one."""
    copies = state.house.copies
    hand = state_as_seen(state, viewer).hand
    known = bytes(len(copies)) if hand is None else hand.known
    return tuple(has - seen for has, seen in zip(copies, known, strict=True))


def list_possible_kongs(state: State, viewer: int | None) -> tuple[Tile, ...]:
    """The kinds that a concealed kong hidden from the viewer can be: those without a visible tile."""
    return tuple(KINDS[i] for i, left in enumerate(count_unseen(state, viewer)) if left == KONG_TILES)


def _view_player(player: Player, public: bool, known: bytearray) -> Player:
    """The player as others know it."""
    if player.let_go:
        player = changed(player, let_go=tuple([_hide_let_go(before, public) for before in player.let_go]))
    return player if player.shown else _hide_hand(player, public, known)


def _hide_hand(player: Player, public: bool, known: bytearray) -> Player:
    """The player with tiles and kongs that are counted only; they are taken out of `known`."""
    melds = player.melds
    if not public:
        for laid in melds:
            if laid.kind is MeldKind.KONG_CONCEALED and laid.meld is not None:
                known[laid.meld.tiles[0].index] -= KONG_TILES
        melds = _hide_kongs(melds)
    return hide_tiles(changed(player, melds=melds), known)


def _hide_kongs(melds: tuple[Laid, ...]) -> tuple[Laid, ...]:
    if all(laid.kind is not MeldKind.KONG_CONCEALED for laid in melds):
        return melds
    hidden = Laid(None, None)
    return tuple([hidden if laid.kind is MeldKind.KONG_CONCEALED else laid for laid in melds])


def _hide_let_go(before: LetGo, public: bool) -> LetGo:
    melds = before.melds if public else _hide_kongs(before.melds)
    if melds is before.melds and not before.replaced:
        return before
    return changed(before, melds=melds, replaced=(None,) * len(before.replaced))


def _show_win(house: House, hand: HandState, event: Won) -> Won:
    """The win with the tiles that the winner lays open."""
    if event.tile is not None:
        hand = name_discard(house, hand, read_tile(house, event.tile))
    player, offer = hand.players[event.seat], hand.offer
    from_another = offer is not None and offer.seat != event.seat and hand.phase is not Phase.TURN
    tiles = player.concealed
    if offer is not None and from_another and offer.tile is not None and offer.tile.index < 34:
        tiles = (*tiles, offer.tile)
    drawn = None if from_another or hand.drawn is None else hand.drawn.code
    return Won(seat=event.seat, hand=format_tiles(tiles), tile=event.tile or drawn, kongs=_kongs(player))


def _kongs(player: Player) -> tuple[str, ...]:
    return tuple(
        [str(laid.meld) for laid in player.melds if laid.meld and laid.kind is MeldKind.KONG_CONCEALED]
    )


EARLY = 4
"""A player's first discards, in which honours go."""
RATES = {"honour": (7.9, 3.6), "end": (4.0, 3.8), "near end": (3.3, 3.6), "middle": (1.6, 2.8)}
"""Discards of such a tile in a hundred times that it could be discarded: early, and later in the hand."""
EQUALS_MAX = 1.5
"""Ties may extend the list to this multiple of `most`."""
LYING = (1.0, 1.5, 1.0)
"""Times as often, if none, one, or more of the kind were discarded before."""
UNSEEN = (0.0, 0.6, 1.05, 1.3, 0.85)
"""Times as often, by how many of the kind nobody has seen."""


def list_likely(state: State, seat: int, kinds: Iterable[Tile], most: int = 9) -> tuple[Tile, ...]:
    """The likeliest discards among these kinds, likeliest first; about `most` of them, since equally likely
    kinds are all included or all left out."""
    hand = state.hand
    if hand is None:
        return ()
    lying = Counter(tile for player in hand.players for tile in player.discards if tile)
    unseen = count_unseen(state, None)
    later = len(hand.players[seat].discards) >= EARLY

    def rate(kind: Tile) -> float:
        hidden = min(unseen[kind.index], len(UNSEEN) - 1)
        before = min(lying[kind], len(LYING) - 1)
        return RATES[_name_class(kind)][later] * LYING[before] * UNSEEN[hidden]

    plain = [kind for kind in kinds if kind.suit is not Suit.FLOWERS]
    ranked = sorted(plain, key=lambda kind: -rate(kind))
    if len(ranked) <= most or rate(ranked[most - 1]) != rate(ranked[most]):
        return tuple(ranked[:most])
    edge = rate(ranked[most])
    with_all = tuple(kind for kind in ranked if rate(kind) >= edge)
    return with_all if len(with_all) <= EQUALS_MAX * most else tuple(k for k in ranked if rate(k) > edge)


def _name_class(kind: Tile) -> str:
    if kind.suit is Suit.HONORS:
        return "honour"
    return {1: "end", 9: "end", 2: "near end", 8: "near end"}.get(kind.rank, "middle")
