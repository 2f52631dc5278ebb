"""Kongs from the hand, concealed and added, and what is paid for a kong (C-08 to C-11)."""

from __future__ import annotations

from companion.errors import EventError
from companion.rules import Source
from companion.rules.win import DeclaredKong, ScoreRequest
from companion.table import messages
from companion.table.events import AddedKong, ConcealedKong
from companion.table.house import House
from companion.table.ledger import PaymentReason, book
from companion.table.moves import find_waits, put, read_tile, take
from companion.table.phases import check_turn
from companion.table.state import HandState, Laid, Offer, OfferKind, Phase, Player, State, changed
from companion.table.wall import Wall
from companion.tiles import Meld, MeldKind, Tile

KONG_TILES = 4
OFFERED = {
    OfferKind.ADDED_KONG: MeldKind.KONG_ADDED,
    OfferKind.CONCEALED_KONG: MeldKind.KONG_CONCEALED,
}


def apply_concealed_kong(state: State, hand: HandState, event: ConcealedKong) -> State:
    """Four equal tiles of the hand are laid down."""
    house, seat = state.house, event.seat
    tile = None if event.tile is None else read_tile(house, event.tile)
    hand = _check_may_kong(state, hand, seat, tile)
    before = hand.players[seat]
    if tile is not None:
        player, known = take(house, hand, seat, (tile,) * KONG_TILES)
        laid = Laid(Meld((tile,) * KONG_TILES, MeldKind.KONG_CONCEALED), None)
    elif before.hidden >= KONG_TILES:
        player, known = changed(before, hidden=before.hidden - KONG_TILES), hand.known
        laid = Laid(None, None)
    else:
        raise EventError(messages.WHICH_KONG, seat=seat)
    player = changed(player, melds=(*player.melds, laid))
    if before.ready and not before.hidden:
        _check_waits_stay(state, hand, seat, before, player)
    robbable = bool(house.policy.kongs.robbed_concealed_for)
    offer = Offer(OfferKind.CONCEALED_KONG, seat, tile) if robbable else None
    state = changed(state, hand=_lay_kong(hand, seat, player, known, offer))
    return state if robbable else pay_kong(state, MeldKind.KONG_CONCEALED, seat)


def apply_added_kong(state: State, hand: HandState, event: AddedKong) -> State:
    """A fourth tile is added to a claimed pung; it may be robbed."""
    house, seat, tile = state.house, event.seat, read_tile(state.house, event.tile)
    hand = _check_may_kong(state, hand, seat, tile)
    before = hand.players[seat]
    pung = next((x for x in before.melds if x.kind is MeldKind.PUNG and _tile(x) is tile), None)
    if pung is None:
        raise EventError(messages.NO_PUNG_TO_ADD, seat=seat, tile=tile.code, ruling="C-08")
    if before.ready:
        raise EventError(messages.READY_KONG, seat=seat, ruling=house.policy.ready.ruling)
    gambits = house.policy.gambits
    if gambits and before.gambits:
        raise EventError(messages.GAMBLER_KONGS, seat=seat, ruling=gambits.ruling)
    if house.policy.kongs.only_drawn_tile and hand.drawn not in (None, tile):
        raise EventError(messages.ONLY_DRAWN_TILE, seat=seat, tile=tile.code, right=hand.drawn, ruling="C-08")
    player, known = take(house, hand, seat, (tile,))
    kong = Laid(Meld((tile,) * KONG_TILES, MeldKind.KONG_ADDED), pung.source)
    player = changed(player, melds=tuple(kong if laid is pung else laid for laid in player.melds))
    offer = Offer(OfferKind.ADDED_KONG, seat, tile)
    return changed(state, hand=_lay_kong(hand, seat, player, known, offer))


def check_replacement(house: House, hand: HandState, seat: int) -> None:
    """EventError where no tile can replace the fourth one of a kong.

    Not where the dead wall alone is empty: then the kong makes the hand a draw (S-11).
    """
    if not (hand.wall.may_replace or hand.wall.may_lack_one):
        why = messages.NO_KONG_IN_SEA if hand.wall.in_sea else messages.NO_REPLACEMENT
        raise EventError(why, seat=seat, sea=house.wall.sea, ruling=house.wall.ruling)


def undo_kong(player: Player, kind: OfferKind, tile: Tile) -> Player:
    """The player whose kong was robbed: an added one is a pung again, of a concealed one three tiles go back
    into the hand (C-11)."""
    at = next(
        i for i in reversed(range(len(player.melds)))
        if player.melds[i].kind is OFFERED[kind] and _tile(player.melds[i]) in (tile, None)
    )  # fmt: skip
    before, after, rest = player.melds[:at], player.melds[at + 1 :], (tile,) * (KONG_TILES - 1)
    if kind is OfferKind.ADDED_KONG:
        pung = Laid(Meld(rest, MeldKind.PUNG), player.melds[at].source)
        return changed(player, melds=(*before, pung, *after))
    return changed(player, melds=before + after, concealed=player.concealed + rest)


def pay_kong(state: State, kind: MeldKind, seat: int, discarder: int | None = None) -> State:
    """The state with what the rules pay at once for a kong, where they do."""
    house = state.house
    if not house.rules.cash_rows:
        return state
    request = ScoreRequest(
        rules=house.rules.name, options=house.scoring, hand=(), melds=(), winning_tile=None, flowers=(),
        winner=seat, dealer=state.deal.dealer, round_wind=state.deal.round_wind, source=Source.SELF_DRAW,
        discarder=None, streak=house.rules.streak_default, situation=frozenset(), discards=None, fortune=None,
        gambits=0, consecutive_kongs=0, three_melds=(), kongs_declared=(DeclaredKong(kind, seat, discarder),),
        stakes=house.stakes, base=house.base, cap=None, balances=state.purses,
    )  # fmt: skip
    for row, payments in house.rules.cash(request):
        state = book(state, PaymentReason.KONG, payments, seat, row.name)
    return state


def phase_after_kong(wall: Wall) -> Phase:
    """What the table waits for once a kong lies there."""
    return Phase.REPLACEMENT if wall.may_replace else Phase.EXHAUSTED


def _check_may_kong(state: State, hand: HandState, seat: int, tile: Tile | None) -> HandState:
    house = state.house
    hand = check_turn(state, hand, seat)
    if not hand.drew and not house.policy.kongs.after_claim:
        raise EventError(messages.KONG_AFTER_CLAIM, seat=seat, ruling="C-09")
    if tile is not None and tile is hand.fortune:
        raise EventError(messages.FORTUNE_KONG, tile=tile.code, ruling=house.policy.wildcards.ruling)
    check_replacement(house, hand, seat)
    return hand


def _lay_kong(hand: HandState, seat: int, player: Player, known: bytes, offer: Offer | None) -> HandState:
    return changed(
        hand, phase=phase_after_kong(hand.wall), players=put(hand, seat, player), known=known, offer=offer,
        owed=1, kongs=hand.kongs + 1,
    )  # fmt: skip


def _check_waits_stay(state: State, hand: HandState, seat: int, before: Player, after: Player) -> None:
    """EventError unless a ready hand waits for the same tiles with the kong as without the drawn tile."""
    drawn = hand.drawn
    if drawn is None:
        return
    at = len(before.concealed) - 1 - before.concealed[::-1].index(drawn)
    ready = changed(before, concealed=before.concealed[:at] + before.concealed[at + 1 :])
    if find_waits(state.house, hand, ready) != find_waits(state.house, hand, after):
        raise EventError(messages.READY_KONG, seat=seat, ruling=state.house.policy.ready.ruling)


def _tile(laid: Laid) -> Tile | None:
    return None if laid.meld is None else laid.meld.tiles[0]
