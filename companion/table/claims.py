"""Who may claim the tile on offer, and who gets it: win before pung or kong, before chow (C-06).

Concealed and added kongs too, and what is paid for a kong (C-08 to C-11).
"""

from __future__ import annotations

from companion.errors import EventError, NotationError
from companion.rules import Source
from companion.rules.win import DeclaredKong, ScoreRequest
from companion.table import messages
from companion.table.events import AddedKong, Call, Claimed, ConcealedKong
from companion.table.house import House
from companion.table.moves import (
    SOURCES,
    add_tile,
    check_discardable,
    check_turn,
    find_waits,
    holds,
    make_moment,
    put,
    read_tile,
    real_tiles,
    record_visible,
    remove_tiles,
)
from companion.table.state import (
    NO_CALLS,
    HandState,
    Laid,
    LetGo,
    Offer,
    OfferKind,
    PaymentReason,
    Phase,
    Player,
    State,
    book,
    changed,
)
from companion.table.wall import Wall
from companion.tiles import KINDS, KONG_TILES, Meld, MeldKind, Suit, Tile, parse_meld

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
        player, known = remove_tiles(house, hand, seat, (tile,) * KONG_TILES)
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
    player, known = remove_tiles(house, hand, seat, (tile,))
    kong = Laid(Meld((tile,) * KONG_TILES, MeldKind.KONG_ADDED), pung.source)
    player = changed(player, melds=tuple(kong if laid is pung else laid for laid in player.melds))
    offer = Offer(OfferKind.ADDED_KONG, seat, tile)
    return changed(state, hand=_lay_kong(hand, seat, player, known, offer))


def check_replacement(house: House, hand: HandState, seat: int) -> None:
    """EventError if no tile can replace the fourth one of a kong.

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
    """The state with what the rules pay at once for a kong, if they do."""
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


CALLS = {MeldKind.CHOW: Call.CHOW, MeldKind.PUNG: Call.PUNG, MeldKind.KONG_DISCARD: Call.KONG}
"""The call of each kind of claim."""
MELDS = {call: kind for kind, call in CALLS.items()}
RANK = {Call.NOTHING: 0, Call.CHOW: 1, Call.PUNG: 2, Call.KONG: 2, Call.WIN: 3}
FROM_HAND = {Call.PUNG: 2, Call.KONG: 3}
"""Number of equal tiles in hand that a call needs."""
CLAIMABLE = (Phase.CLAIM, Phase.REPLACEMENT, Phase.EXHAUSTED)
"""The phases in which a tile may be on offer."""
MISSED = (OfferKind.DISCARD, OfferKind.ADDED_KONG)
"""Offers that a player can miss with later consequences."""


def apply_claimed(state: State, hand: HandState, event: Claimed) -> State:
    """The discard becomes a meld of the claimer, who goes on from there."""
    house, seat = state.house, event.seat
    try:
        meld = parse_meld(event.meld)
    except NotationError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    call = CALLS.get(meld.kind)
    if call is None:
        raise EventError(messages.NOT_CLAIMED, meld=event.meld)
    if call is not Call.CHOW:
        hand = name_discard(house, hand, meld.tiles[0])
    offer = check_call(house, hand, seat, call)
    check_precedence(house, hand, seat, call)
    tiles = remove_from_hand(house, hand, meld, offer.tile)
    hand = record_missed_win(house, hand)
    if offer.tile is None:  # nobody knows which tile of the chow it is
        hand = changed(hand, players=put(hand, seat, add_tile(hand.players[seat], None)))
    player, known = remove_tiles(house, hand, seat, tiles)
    player = changed(
        player,
        melds=(*player.melds, Laid(meld, offer.seat)),
        let_go=tuple([changed(x, claimed=(*x.claimed, offer.tile)) for x in player.let_go]),
    )
    giver = hand.players[offer.seat]
    hand = changed(hand, players=put(hand, offer.seat, changed(giver, discards=giver.discards[:-1])))
    kong = call is Call.KONG
    hand = changed(
        hand,
        phase=phase_after_kong(hand.wall) if kong else Phase.TURN,
        players=put(hand, seat, player),
        turn=seat,
        known=known,
        offer=None,
        calls=NO_CALLS,
        owed=int(kong),
        kongs=int(kong),
        claims=hand.claims + 1,
    )
    state = changed(state, hand=hand)
    return pay_kong(state, MeldKind.KONG_DISCARD, seat, offer.seat) if kong else state


def name_discard(house: House, hand: HandState, tile: Tile) -> HandState:
    """The hand with the discard on offer known as this tile, if nobody saw it. EventError if it cannot
    be that."""
    offer = hand.offer
    if offer is None or offer.kind is not OfferKind.DISCARD or offer.tile is not None:
        return hand
    check_discardable(house, tile)
    giver = hand.players[offer.seat]
    giver = changed(giver, discards=(*giver.discards[:-1], tile))
    return changed(
        hand,
        players=put(hand, offer.seat, giver),
        known=record_visible(house, hand.known, tile),
        offer=changed(offer, tile=tile),
    )


def check_call(house: House, hand: HandState, seat: int, call: Call) -> Offer:
    """The tile on offer, if this player may make this call; otherwise an EventError explains.

    Tiles that nobody saw may be any. Whether a hand wins is not checked.
    """
    offer = hand.offer
    if offer is None or offer.kind is OfferKind.FLOWER or hand.phase not in CLAIMABLE:
        raise EventError(messages.NOTHING_ON_OFFER, seat=seat, ruling=_no_offer_ruling(house, hand.phase))
    if seat == offer.seat:
        raise EventError(messages.OWN_TILE, seat=seat)
    if seat not in house.seats:
        raise EventError(messages.SITS_OUT, seat=seat, ruling=house.play.seats_ruling)
    if call is Call.WIN:
        check_win_call(house, hand, seat, offer)
        return offer
    if offer.kind is not OfferKind.DISCARD:
        raise EventError(messages.ONLY_A_WIN_ROBS, seat=seat, ruling="C-11")
    _check_claim(house, hand, seat, call, offer.tile, offer.seat)
    return offer


def _no_offer_ruling(house: House, phase: Phase) -> str:
    """The sentence that others may claim nothing in this phase, or that the time to claim is over."""
    if phase is Phase.SEA:
        return house.policy.sea.ruling
    return "C-11" if phase is Phase.REPLACEMENT else house.play.window_ruling


def check_win_call(house: House, hand: HandState, seat: int, offer: Offer) -> None:
    """EventError if the player may not win on another's tile, whatever the hand."""
    player = hand.players[seat]
    if player.void:
        raise EventError(messages.DEAD_HAND, seat=seat, ruling=player.void)
    if offer.kind is not OfferKind.DISCARD:
        return
    discarder = None
    if offer.tile is not None and offer.tile is hand.fortune:
        wildcards = house.policy.wildcards
        if not wildcards.win_on_discard:
            raise EventError(messages.FORTUNE_CLAIMED, tile=offer.tile.code, ruling=wildcards.ruling)
        discarder = offer.seat
    if player.let_go and any(before.spoken and bars(house, before, offer.tile) for before in player.let_go):
        missed = ", ".join("?" if each is None else each.code for each in player.missed)
        raise EventError(messages.MISSED, seat=seat, missed=missed, ruling=house.policy.missed_win.ruling)
    _check_gambits(house, hand, seat, Call.WIN, discarder)


def record_missed_win(house: House, hand: HandState) -> HandState:
    """The hand when the time to claim is over: who called no win has let the tile go (C-12, S-02).

    Not that of a concealed kong: who may rob it waits for nothing else, and four of it lie there. Nor one
    that nobody saw: whether it won cannot be known.
    """
    offer = hand.offer
    if not house.policy.missed_win.costs or offer is None or offer.kind not in MISSED or offer.tile is None:
        return hand
    moment = make_moment(hand, offer.seat, SOURCES[offer.kind])
    for seat in house.seats:
        player = hand.players[seat]
        said = player.let_go and any(x.spoken and x.offer == offer for x in player.let_go)
        if said or seat == offer.seat:
            continue
        try:
            check_win_call(house, hand, seat, offer)
        except EventError:
            continue
        now = LetGo(offer, moment, player.melds, player.flowers)
        hand = changed(hand, players=put(hand, seat, changed(player, let_go=(*player.let_go, now))))
    return hand


def bars(house: House, before: LetGo, tile: Tile | None) -> bool:
    """Whether a win let go then bars one on a discard of this tile."""
    if not (house.settled or (before.spoken and before.offer.kind is OfferKind.DISCARD)):
        return False
    return not house.policy.missed_win.same_tile or (tile is not None and before.offer.tile is tile)


def check_precedence(house: House, hand: HandState, seat: int, call: Call) -> None:
    """EventError if another player's call comes before this player's (C-06, C-13)."""
    if hand.calls == NO_CALLS:
        return
    first = find_standing_call(house, changed(hand, calls=add_call(hand, seat, call)))
    if first is not None and first != seat:
        if call is Call.WIN and hand.calls[first] is Call.WIN and house.policy.multi_win:
            return
        raise EventError(
            messages.OUTRANKED, seat=seat, call=call.value, right=first, other=hand.calls[first].value,
            ruling="C-13" if call is Call.WIN else "C-06",
        )  # fmt: skip


def find_standing_call(house: House, hand: HandState) -> int | None:
    """Who gets the tile on offer, by the calls so far; None if nobody calls."""
    best = max(map(RANK.__getitem__, hand.calls))
    if not best or hand.offer is None:
        return None
    callers = [seat for seat in range(4) if RANK[hand.calls[seat]] == best]
    return min(callers, key=lambda seat: turn_distance(house, hand, seat, wins=best == RANK[Call.WIN]))


def list_claims(house: House, hand: HandState, seat: int) -> tuple[Meld, ...]:
    """Every meld that the player may claim the discard for; hidden tiles may be any. None if nobody saw
    the discard."""
    offer = hand.offer
    if hand.phase is not Phase.CLAIM or offer is None or offer.tile is None or seat == offer.seat:
        return ()
    tile, player = offer.tile, hand.players[seat]
    melds = [
        _make_equal_meld(tile, call)
        for call in (Call.KONG, Call.PUNG)
        if holds(player, tile, FROM_HAND[call])
    ]
    if seat == house.following[offer.seat]:
        melds += _list_chows(house, hand, tile)
    return tuple([meld for meld in melds if _may_claim(house, hand, seat, meld, tile)])


def _may_claim(house: House, hand: HandState, seat: int, meld: Meld, tile: Tile) -> bool:
    player = hand.players[seat]
    if not player.hidden and meld.kind is MeldKind.CHOW:
        lying = real_tiles(house, hand, meld)
        if any(each is not tile and each not in player.concealed for each in lying):
            return False  # most chows end here, and far cheaper than by an error
    try:
        check_call(house, hand, seat, CALLS[meld.kind])
        remove_tiles(house, hand, seat, remove_from_hand(house, hand, meld, tile))
    except EventError:
        return False
    return True


def remove_from_hand(house: House, hand: HandState, meld: Meld, offered: Tile | None) -> tuple[Tile, ...]:
    """The tiles of the meld that are not the one on offer; Raises EventError if `offered` is not in it.

    All of them if `offered` is None: the unseen tile is one of the hidden ones. A chow that is written with
    the wild kind contains its substitute, or a wild tile if the house allows that.
    """
    fortune, tiles = hand.fortune, list(real_tiles(house, hand, meld))
    wildcards = house.policy.wildcards
    may_hold = meld.kind is MeldKind.CHOW and wildcards.in_chows
    if fortune is not None and fortune in tiles and not may_hold:
        raise EventError(messages.FORTUNE_IN_MELD, meld=str(meld), tile=fortune.code, ruling=wildcards.ruling)
    if offered is None:
        return tuple(tiles)
    if offered not in tiles:
        raise EventError(messages.OTHER_TILE, meld=str(meld), tile=offered)
    tiles.remove(offered)
    return tuple(tiles)


def _check_claim(house: House, hand: HandState, seat: int, call: Call, tile: Tile | None, giver: int) -> None:
    player, kind = hand.players[seat], MELDS[call]
    if kind not in house.melds:
        raise EventError(messages.NO_SUCH_CLAIM, call=call.value, ruling=house.policy.chows.ruling)
    if call is Call.CHOW and seat != house.following[giver]:
        raise EventError(messages.CHOW_OF_NEXT, seat=seat, right=giver, ruling=house.policy.chows.ruling)
    if player.ready:
        raise EventError(messages.READY_CLAIMS, seat=seat, ruling=house.policy.ready.ruling)
    if tile is not None and tile is hand.fortune:
        raise EventError(messages.FORTUNE_CLAIMED, tile=tile.code, ruling=house.policy.wildcards.ruling)
    _check_gambits(house, hand, seat, call)
    if call is Call.CHOW:
        chows = sum(laid.kind is MeldKind.CHOW for laid in player.melds)
        policy = house.policy.chows
        if policy.most is not None and chows >= policy.most:
            raise EventError(messages.TOO_MANY_CHOWS, seat=seat, chows=chows, ruling=policy.most_ruling)
        return
    if call is Call.KONG:
        if any(x.kind is MeldKind.PUNG and x.meld and x.meld.tiles[0] is tile for x in player.melds):
            raise EventError(messages.OPEN_PUNG, seat=seat, tile=tile, ruling="C-10")
        check_replacement(house, hand, seat)
    if tile is not None and not holds(player, tile, FROM_HAND[call]):
        raise EventError(messages.TOO_FEW, seat=seat, tile=tile.code, call=call.value, needed=FROM_HAND[call])


def _check_gambits(house: House, hand: HandState, seat: int, call: Call, but: int | None = None) -> None:
    """During a gambit, `but` one, nobody claims, and only who is in one wins on a discard."""
    gambits = house.policy.gambits
    if gambits is None:
        return
    if call is Call.WIN and hand.players[seat].gambits:
        return
    for gambler, player in enumerate(hand.players):
        if player.gambits and gambler != but:
            raise EventError(
                messages.GAMBIT_ON, seat=seat, right=gambler, call=call.value, ruling=gambits.others_ruling
            )


def turn_distance(house: House, hand: HandState, seat: int, *, wins: bool = True) -> int:
    """How far from the player whose tile it is; of a win, in some games, from the dealer."""
    offer = hand.offer
    if wins and house.play.from_dealer:
        return (seat - hand.deal.dealer) % 4
    return (seat - (0 if offer is None else offer.seat)) % 4


def add_call(hand: HandState, seat: int, call: Call) -> tuple[Call, Call, Call, Call]:
    """The calls of all, with that one of this player."""
    a, b, c, d = (call if place == seat else hand.calls[place] for place in range(4))
    return a, b, c, d


def _make_equal_meld(tile: Tile, call: Call) -> Meld:
    return Meld((tile,) * (FROM_HAND[call] + 1), MELDS[call])


def _list_chows(house: House, hand: HandState, tile: Tile) -> list[Meld]:
    """The chows with this tile; a substitute counts as the tile that it represents."""
    wild = None if hand.fortune is None else house.wild(hand.fortune)
    if wild is not None and wild.substitute is tile:
        tile = wild.tile
    if tile.suit in (Suit.HONORS, Suit.FLOWERS):
        return []
    starts = range(max(1, tile.rank - 2), min(7, tile.rank) + 1)
    first = tile.index - tile.rank
    return [Meld(KINDS[first + start : first + start + 3], MeldKind.CHOW) for start in starts]
