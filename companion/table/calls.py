"""What players say to the tile on offer: a call for it, or that they let a win on it go."""

from __future__ import annotations

from companion.errors import EventError
from companion.table import messages
from companion.table.claims import add_call, check_call
from companion.table.events import Called, WinPassed
from companion.table.fields import Call
from companion.table.moments import SOURCES, make_moment
from companion.table.moves import put
from companion.table.state import HandState, LetGo, Offer, OfferKind, State, changed
from companion.table.wins import check_let_go, would_win


def apply_called(state: State, hand: HandState, event: Called) -> State:
    """A call stands until another of the same player, or until the tile is taken or the next one is drawn."""
    if event.call is Call.WIN:
        _check_win(state, hand, event.seat)
    elif event.call is not Call.NOTHING:
        check_call(state.house, hand, event.seat, event.call)
    return changed(state, hand=changed(hand, calls=add_call(hand, event.seat, event.call)))


def apply_win_passed(state: State, hand: HandState, event: WinPassed) -> State:
    """The player may not win on that tile, or on any, until the next draw (C-12)."""
    house, seat = state.house, event.seat
    missed, ready = house.policy.missed_win, house.policy.ready
    offer = _check_win(state, hand, seat)
    player = hand.players[seat]
    if player.ready and ready.must_win:
        raise EventError(messages.MUST_WIN, seat=seat, ruling=ready.ruling)
    if not player.hidden and offer.tile is not None and would_win(state, seat) is None:
        raise EventError(messages.PASSED_NOTHING, seat=seat, tile=offer.tile, ruling=missed.ruling)
    hand = changed(hand, calls=add_call(hand, seat, Call.NOTHING))
    if missed.costs and (offer.tile is not None or offer.kind is OfferKind.DISCARD):
        moment = make_moment(hand, offer.seat, SOURCES[offer.kind])
        now = LetGo(offer, moment, player.melds, player.flowers, spoken=True)
        hand = changed(hand, players=put(hand, seat, changed(player, let_go=(*player.let_go, now))))
    return changed(state, hand=hand)


def _check_win(state: State, hand: HandState, seat: int) -> Offer:
    """What is on offer, where the player may call a win on it; whether the hand wins is not looked at."""
    offer = check_call(state.house, hand, seat, Call.WIN)
    player = hand.players[seat]
    if not player.hidden and all(laid.meld is not None for laid in player.melds):
        check_let_go(state, hand, seat, offer, player.concealed)
    return offer
