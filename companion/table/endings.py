"""How a hand ends, or a player's hope in it: wins, false ones, dead hands, draws; hands shown."""

from __future__ import annotations

from companion.errors import EventError, NotationError
from companion.rules import Source
from companion.rules.scoring import false_win_payments
from companion.table import messages
from companion.table.between_hands import finish_hand
from companion.table.claims import add_call, check_precedence, find_standing_call, name_discard
from companion.table.events import FalseWin, HandDrawn, HandShown, HandVoided, Won
from companion.table.fields import Call, MeldText, Tiles
from companion.table.house import House
from companion.table.kongs import undo_kong
from companion.table.ledger import PaymentReason, book, is_cancelled, take_back
from companion.table.moves import note_seen, put, read_tile, read_tiles, take
from companion.table.payments import pay_winners
from companion.table.state import HandResult, HandState, Laid, OfferKind, Phase, Player, State, changed
from companion.table.wins import (
    Chance,
    add_winning_tile,
    find_chance,
    list_known_melds,
    make_request,
    score_win,
    would_win,
)
from companion.tiles import MeldKind, parse_meld


def apply_won(state: State, hand: HandState, event: Won) -> State:
    """A win that the rules core agrees with; it is scored and paid, and the hand is over.

    Where it is over already, this is another win on the same tile (C-13).
    """
    house, seat = state.house, event.seat
    if event.tile is not None:
        hand = name_discard(house, hand, read_tile(house, event.tile))
    chance = find_chance(state, hand, seat)
    if chance.discarder is not None and not chance.by_flowers:
        if chance.tile is None and chance.source is Source.DISCARD:
            raise EventError(messages.UNSEEN_DISCARD, seat=seat, giver=chance.discarder)
        if chance.tile is None:
            raise EventError(messages.UNSEEN_KONG)
        check_precedence(house, hand, seat, Call.WIN)
    hand = _take_winning_tile(hand, chance)
    hand, chance = _show_winner(house, hand, chance, event)
    player = hand.players[seat]
    request = make_request(state, hand, chance, player.concealed, list_known_melds(player), event.told)
    found = score_win(state, hand, chance, request)
    if hand.results:
        state = changed(state, hands=state.hands - 1)
        player, _ = take(house, hand, seat, () if chance.tile is None else (chance.tile,))
        hand = changed(hand, players=put(hand, seat, player))
    asked = None if chance.discarder is None or chance.by_flowers else request
    result = HandResult(seat, chance.source, chance.discarder, request.winning_tile, found, asked)
    return finish_hand(*pay_winners(state, changed(hand, results=(*hand.results, result))))


def apply_false_win(state: State, hand: HandState, event: FalseWin) -> State:
    """A win that was none: the hand is dead, and the opponents get what the house says (C-17)."""
    house, seat = state.house, event.seat
    if seat not in house.seats:
        raise EventError(messages.SITS_OUT, seat=seat, ruling=house.play.seats_ruling)
    payments = false_win_payments(house.options, house.base, seat, house.seats, state.purses)
    state = book(state, PaymentReason.FALSE_WIN, payments, seat)
    return _void_hand(state, hand, seat, "C-17")


def apply_hand_voided(state: State, hand: HandState, event: HandVoided) -> State:
    """A hand with a wrong number of tiles is dead (C-17)."""
    house, seat = state.house, event.seat
    if seat not in house.seats:
        raise EventError(messages.SITS_OUT, seat=seat, ruling=house.play.seats_ruling)
    return _void_hand(state, hand, seat, house.play.void_ruling)


def apply_hand_drawn(state: State, hand: HandState, event: HandDrawn) -> State:
    """Nobody wins: all tiles are drawn, or the last one is declined."""
    house, phase = state.house, hand.phase
    last_tile, refund = house.policy.last_tile, house.policy.kongs.refund
    caller = find_standing_call(house, hand)
    if caller is not None:
        raise EventError(messages.CALLED_FIRST, seat=caller, call=hand.calls[caller].value, ruling="C-06")
    if event.declined_by is None:
        if phase not in (Phase.CLAIM, Phase.SEA, Phase.EXHAUSTED):
            raise EventError(messages.NOT_DRAWN_NOW, seat=hand.turn)
        if phase is not Phase.EXHAUSTED and hand.wall.live_left:
            raise EventError(messages.TILES_LEFT, left=hand.wall.live_left, ruling=house.wall.ruling)
        if phase is Phase.SEA:
            check_must_win(state, hand, hand.turn)
    elif not last_tile.may_decline:
        raise EventError(messages.NO_DECLINING, rules=house.rules.title, ruling=last_tile.ruling)
    elif phase is not Phase.CLAIM or hand.wall.live_left != 1 or event.declined_by != hand.turn:
        raise EventError(
            messages.NOT_THE_LAST, seat=event.declined_by, left=hand.wall.live_left, right=hand.turn,
            ruling=last_tile.ruling,
        )  # fmt: skip
    if refund:
        for number in range(hand.booked, len(state.ledger)):
            if state.ledger[number].reason is PaymentReason.KONG and not is_cancelled(state, number):
                state = take_back(state, number, refund)
    return finish_hand(state, changed(hand, offer=None))


def apply_hand_shown(state: State, event: HandShown) -> State:
    """After a hand, what a player held."""
    hand = state.hand
    if hand is None:
        raise EventError(messages.NO_HAND, event="hand_shown")
    player, known = _open_hand(state.house, hand, event.seat, event.hand, event.kongs)
    player = changed(player, shown=True)
    return changed(state, hand=changed(hand, players=put(hand, event.seat, player), known=known))


def check_must_win(state: State, hand: HandState, seat: int) -> None:
    """EventError where the house says that a tile of the sea that wins has to be won with."""
    sea = state.house.policy.sea
    if sea.must_win and would_win(state, seat) is not None:
        raise EventError(messages.MUST_WIN, seat=seat, ruling=sea.ruling)


def _void_hand(state: State, hand: HandState, seat: int, ruling: str) -> State:
    players = put(hand, seat, changed(hand.players[seat], void=ruling))
    return changed(state, hand=changed(hand, players=players, calls=add_call(hand, seat, Call.NOTHING)))


def _take_winning_tile(hand: HandState, chance: Chance) -> HandState:
    """The hand with another's tile that wins in the winner's hand; several winners each show it as theirs."""
    offer, seat = hand.offer, chance.seat
    if chance.discarder is None or chance.by_flowers or offer is None or chance.tile is None:
        return hand
    winner = hand.players[seat]
    hand = changed(hand, players=put(hand, seat, changed(winner, concealed=add_winning_tile(winner, chance))))
    if hand.results:
        return hand
    giver = hand.players[offer.seat]
    if offer.kind is OfferKind.DISCARD:
        giver = changed(giver, discards=giver.discards[:-1])
    else:
        giver = undo_kong(giver, offer.kind, chance.tile)
    return changed(hand, players=put(hand, offer.seat, giver))


def _show_winner(house: House, hand: HandState, chance: Chance, event: Won) -> tuple[HandState, Chance]:
    """The hand with the winner's tiles as shown, and the tile that was drawn, where it was not known."""
    seat = chance.seat
    if event.tile is not None:
        tile = read_tile(house, event.tile)
        if chance.tile not in (None, tile):
            raise EventError(messages.OTHER_WINNING_TILE, seat=seat, tile=tile.code, right=chance.tile)
        chance = changed(chance, tile=tile)
        if chance.source is Source.SELF_DRAW:
            hand = changed(hand, drawn=tile)
    player, known = hand.players[seat], hand.known
    if event.hand is not None or event.kongs:
        player, known = _open_hand(house, hand, seat, event.hand, event.kongs)
    elif (player.hidden or any(laid.meld is None for laid in player.melds)) and not chance.by_flowers:
        raise EventError(messages.SHOW_THE_HAND, seat=seat)
    player = changed(player, shown=not chance.by_flowers)
    return changed(hand, players=put(hand, seat, player), known=known), chance


def _open_hand(
    house: House, hand: HandState, seat: int, text: Tiles | None, kongs: tuple[MeldText, ...]
) -> tuple[Player, bytes]:
    """The player with these concealed tiles and kongs shown. EventError where they cannot be those."""
    player, known = hand.players[seat], hand.known
    melds = list(player.melds)
    for written in kongs:
        known = _open_kong(house, melds, known, seat, written)
    if text is None:
        return changed(player, melds=tuple(melds)), known
    tiles, unseen = read_tiles(house, text), list(player.concealed)
    if len(tiles) != player.count:
        raise EventError(messages.OTHER_COUNT, seat=seat, given=len(tiles), right=player.count)
    for tile in tiles:
        if tile in unseen:
            unseen.remove(tile)
        else:
            known = note_seen(house, known, tile)
    if unseen:
        raise EventError(messages.NOT_SHOWN, seat=seat, tile=unseen[0].code)
    return changed(player, concealed=tiles, hidden=0, melds=tuple(melds)), known


def _open_kong(house: House, melds: list[Laid], known: bytes, seat: int, written: MeldText) -> bytes:
    try:
        meld = parse_meld(written)
    except NotationError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    if any(laid.meld == meld for laid in melds):
        return known
    at = next((i for i, laid in enumerate(melds) if laid.meld is None), None)
    if meld.kind is not MeldKind.KONG_CONCEALED or at is None:
        raise EventError(messages.NO_HIDDEN_KONG, seat=seat, meld=written)
    for tile in meld.tiles:
        known = note_seen(house, known, tile)
    melds[at] = Laid(meld, None)
    return known
