"""How a hand ends (wins, false wins, dead hands, draws), what is paid, and what happens between hands."""

from __future__ import annotations

from functools import partial

from companion.errors import EventError, NotationError, RequestError
from companion.rules import Score, Source, score
from companion.rules.play import MULTI_WIN
from companion.rules.scoring import false_win_payments
from companion.rules.stated import Stated, score_stated
from companion.rules.win import ScoreRequest
from companion.table import messages
from companion.table.claims import (
    add_call,
    check_precedence,
    find_standing_call,
    name_discard,
    turn_distance,
    undo_kong,
)
from companion.table.events import (
    Call,
    DealSet,
    Dealt,
    FalseWin,
    GameEnded,
    GameStarted,
    HandAbandoned,
    HandDrawn,
    HandShown,
    HandStarted,
    HandVoided,
    IndicatorTurned,
    MeldText,
    SeatsChanged,
    Tiles,
    Wind,
    Won,
)
from companion.table.house import House, make_house
from companion.table.moves import put, read_tile, read_tiles, record_visible, remove_tiles
from companion.table.settling import read_currency
from companion.table.state import (
    Deal,
    HandResult,
    HandState,
    Laid,
    OfferKind,
    PaymentReason,
    Phase,
    Player,
    State,
    book,
    changed,
    is_cancelled,
    take_back,
)
from companion.table.wall import Wall
from companion.table.wins import (
    Chance,
    add_winning_tile,
    find_chance,
    list_known_melds,
    make_request,
    score_win,
    would_win,
)
from companion.tiles import MeldKind, Suit, parse_meld

WINDS = tuple(Wind)
OF_THE_HAND = (PaymentReason.KONG, PaymentReason.FALSE_WIN)
"""Reasons of payments that may precede the end of a hand."""


def apply_game_started(event: GameStarted) -> State:
    """The state of a game in which nothing has happened yet."""
    house = make_house(event)
    start = house.play.points(house.options)
    streak = house.rules.streak_default if event.streak is None else _check_streak(house, event.streak)
    dealer = _check_plays(house, event.dealer)
    return State(
        house=house,
        names=event.names,
        points=event.points or (start, start, start, start),
        deal=Deal(dealer, streak, WINDS.index(event.round_wind), tuple(sorted(set(event.dealt)))),
        currency=read_currency(event.currency),
    )


def apply_seats_changed(state: State, event: SeatsChanged) -> State:
    if sorted(event.order) != [0, 1, 2, 3]:
        raise EventError(messages.NO_ORDER, order=list(event.order))
    a, b, c, d = (state.seated[seat] for seat in event.order)
    return changed(_settle_last_hand(state), seated=(a, b, c, d))


def seat_next_hand(state: State) -> tuple[int, int, int, int]:
    """Who sits where in the next hand: where three play, who won changes places with who sat out.

    Not if people have changed seats since, or if nobody sat out: a player without a name, where others have
    names. The deal stays with its seat.
    """
    hand, seated = state.hand, state.seated
    out = next((seat for seat in range(4) if seat not in state.house.seats), None)
    if out is None or hand is None or not hand.results or seated != hand.seated:
        return seated
    if any(state.names) and not state.names[seated[out]]:
        return seated
    winner = rank_winners(state.house, hand)[0]
    changing = {winner: seated[out], out: seated[winner]}
    a, b, c, d = (changing.get(seat, person) for seat, person in enumerate(seated))
    return a, b, c, d


def apply_deal_set(state: State, event: DealSet) -> State:
    house, deal = state.house, state.deal
    dealer = deal.dealer if event.dealer is None else _check_plays(house, event.dealer)
    streak = deal.streak if dealer == deal.dealer else house.rules.streak_default
    return changed(
        _settle_last_hand(state),
        deal=Deal(
            dealer,
            streak if event.streak is None else _check_streak(house, event.streak),
            deal.wind if event.round_wind is None else WINDS.index(event.round_wind),
            deal.dealt if event.round_wind is None else (),
        ),
    )


def apply_hand_started(state: State, event: HandStarted) -> State:
    house, deal = state.house, state.deal
    if event.dealer != deal.dealer:
        raise EventError(
            messages.NOT_THE_DEALER, seat=event.dealer, right=deal.dealer, ruling=house.play.deal_ruling
        )
    if event.dice is not None and len(set(event.dice)) == 1:
        deal = changed(deal, streak=max(deal.streak, house.policy.double_streak))
    nobody = Player()
    hand = HandState(
        phase=Phase.DEAL,
        deal=deal,
        dice=event.dice,
        wall=Wall.break_by_dice(house.wall, deal.dealer, event.dice),
        players=(nobody, nobody, nobody, nobody),
        turn=deal.dealer,
        known=bytes(len(house.copies)),
        booked=len(state.ledger),
        seated=seat_next_hand(state),
    )
    return changed(state, hand=hand, seated=hand.seated)


def apply_dealt(state: State, hand: HandState, event: Dealt) -> State:
    """Everybody has the first tiles (C-04)."""
    house, dealer, known = state.house, hand.deal.dealer, hand.known
    each = sum(house.wall.deal)
    players = list(hand.players)
    for seat, text in enumerate(event.hands):
        asked = each + (seat == dealer) if seat in house.seats else 0
        tiles = None if text is None else read_tiles(house, text)
        if tiles is None:
            players[seat] = Player(hidden=asked)
            continue
        if len(tiles) != asked:
            raise EventError(messages.OTHER_DEAL, seat=seat, given=len(tiles), right=asked, ruling="C-04")
        for tile in tiles:
            known = record_visible(house, known, tile)
        players[seat] = Player(concealed=tiles)
    a, b, c, d = players
    wild = house.wild()
    indicator = bool(house.wall.indicator_dice)
    concealed = players[dealer].concealed
    flowers = tuple([tile for tile in concealed if tile.suit is Suit.FLOWERS])
    hand = changed(
        hand,
        phase=Phase.INDICATOR if indicator else Phase.FLOWERS if house.flowers else Phase.TURN,
        wall=hand.wall.draw(each * len(house.seats) + 1),
        players=(a, b, c, d),
        known=known,
        due=flowers,
        drew=True,
        drawn=concealed[-1] if concealed else None,
        fortune=None if indicator or wild is None else wild.tile,
    )
    return changed(state, hand=hand)


def apply_indicator_turned(state: State, hand: HandState, event: IndicatorTurned) -> State:
    """The mates of the tile that was turned are Fortunes."""
    house, tile = state.house, read_tile(state.house, event.tile)
    wall = hand.wall if event.dice is None else hand.wall.turn_indicator(event.dice)
    hand = changed(
        hand,
        phase=Phase.TURN,
        wall=wall,
        known=record_visible(house, hand.known, tile),
        indicator=tile,
        fortune=tile,
    )
    return changed(state, hand=hand)


def next_deal(house: House, deal: Deal, winners: tuple[int, ...]) -> Deal:
    """The deal of the hand after one that these seats won, in the order in which they come first."""
    rotation, dealer = house.rotation, deal.dealer
    count = winners[:1] if rotation.to_winner and house.first_winner_deals else winners  # S-04
    if (dealer in count and rotation.on_win) or (not winners and rotation.on_draw):
        longer = bool(winners) or rotation.draws_count
        return Deal(dealer, deal.streak + longer, deal.wind, deal.dealt)
    next_dealer = winners[0] if winners and rotation.to_winner else house.following[dealer]
    have_dealt = tuple(sorted({*deal.dealt, dealer}))
    round_over = set(house.seats) <= set(have_dealt)
    return Deal(
        next_dealer,
        house.rules.streak_default,
        deal.wind + round_over,
        () if round_over else have_dealt,
    )


def finish_hand(state: State, hand: HandState) -> State:
    """The state after a hand that is decided: whose deal follows, and whether the game is over."""
    house, length, hands = state.house, state.house.length, state.hands + 1
    seats = rank_winners(house, hand)
    deal = next_deal(house, hand.deal, seats)
    over = (length.rounds is not None and deal.wind >= length.rounds) or hands == length.hands
    if length.broke and hand.deal.dealer not in seats:
        over = over or min(state.balances) <= 0
    hand = changed(hand, phase=Phase.OVER)
    return changed(state, hand=hand, deal=deal, hands=hands, over=over)


def apply_hand_abandoned(state: State, hand: HandState, event: HandAbandoned) -> State:
    """As if the hand had never been: what was paid for it is taken back, the same dealer deals."""
    for number in range(hand.booked, len(state.ledger)):
        if state.ledger[number].reason in OF_THE_HAND and not is_cancelled(state, number):
            state = take_back(state, number, event.why)
    return changed(state, hand=changed(hand, phase=Phase.OVER, offer=None))


def apply_game_ended(state: State, event: GameEnded) -> State:
    return changed(state, over=True)


def rank_winners(house: House, hand: HandState) -> tuple[int, ...]:
    """Who has won, in the order in which they come first (C-13), not the order in which they were entered."""
    return tuple(sorted((result.winner for result in hand.results), key=partial(turn_distance, house, hand)))


def _settle_last_hand(state: State) -> State:
    """The state in which nobody else wins on the last hand's last tile any more."""
    hand = state.hand
    return state if hand is None else changed(state, hand=changed(hand, offer=None))


def _check_streak(house: House, streak: int) -> int:
    least = house.rules.streak_default
    if streak < least:
        raise EventError(messages.NO_STREAK, given=streak, least=least, rules=house.rules.title)
    return streak


def _check_plays(house: House, seat: int) -> int:
    if seat not in house.seats:
        raise EventError(messages.SITS_OUT, seat=seat, ruling=house.play.seats_ruling)
    return seat


def pay_winners(state: State, hand: HandState) -> tuple[State, HandState]:
    """The state with the last of the hand's results paid, and the earlier ones adjusted to it.

    Winners do not pay each other. A player who cannot pay all winners pays them in the order that decides the
    next dealer. Earlier payments whose sum changes are reversed and booked again.
    """
    *before, last = hand.results
    if not before or not state.house.settled:
        return _book_win(state, last), hand
    numbers = {
        entry.seat: number
        for number, entry in enumerate(state.ledger[hand.booked :], start=hand.booked)
        if entry.reason is PaymentReason.WIN and not is_cancelled(state, number)
    }
    purses = state
    for number in numbers.values():
        purses = take_back(purses, number, MULTI_WIN.key)
    results = {result.winner: result for result in hand.results}
    for seat in rank_winners(state.house, hand):
        old = results[seat]
        if old is not last and seat not in numbers:
            continue  # what it paid was taken back, by hand
        assert old.request is not None
        others = tuple([winner for winner in results if winner != seat])
        request = old.request.changed(also_won=others, balances=purses.purses)
        new = changed(old, score=_score_again(old, request), request=request)
        purses = _book_win(purses, new)
        results[seat] = new
        if old is last or new.score.payments != old.score.payments:
            state = state if old is last else take_back(state, numbers[seat], MULTI_WIN.key)
            state = _book_win(state, new)
    return state, changed(hand, results=tuple(results.values()))


def _score_again(result: HandResult, request: ScoreRequest) -> Score:
    if result.stated is not None:
        return score_stated(request, result.stated)
    return score(request, house_rules=False)


def _book_win(state: State, result: HandResult) -> State:
    names = ", ".join(line.name for line in result.score.lines)
    return book(state, PaymentReason.WIN, result.score.payments, result.winner, names)


def apply_won(state: State, hand: HandState, event: Won) -> State:
    """A win that the rules core agrees with; it is scored and paid, and the hand is over.

    Where it is over already, this is another win on the same tile (C-13).
    """
    house, seat = state.house, event.seat
    if event.tile is not None:
        hand = name_discard(house, hand, read_tile(house, event.tile))
    chance = find_chance(state, hand, seat)
    by_tile = chance.discarder is not None and not chance.by_flowers
    if by_tile and chance.tile is None and event.stated is None:
        if chance.source is Source.DISCARD:
            raise EventError(messages.UNSEEN_DISCARD, seat=seat, giver=chance.discarder)
        raise EventError(messages.UNSEEN_KONG)
    if by_tile:
        check_precedence(house, hand, seat, Call.WIN)
    if event.stated is None:
        hand, request, found = _score_shown(state, hand, chance, event)
    else:
        request, found = _score_stated(state, hand, chance, event, event.stated)
        hand = _take_from_giver(hand, chance)
    if hand.results:
        state = changed(state, hands=state.hands - 1)
    asked = request if by_tile else None
    tile = request.winning_tile
    result = HandResult(seat, chance.source, chance.discarder, tile, found, asked, event.stated)
    return finish_hand(*pay_winners(state, changed(hand, results=(*hand.results, result))))


def _score_shown(
    state: State, hand: HandState, chance: Chance, event: Won
) -> tuple[HandState, ScoreRequest, Score]:
    """The hand with the winner's tiles shown, what the rules were asked, and their answer."""
    house, seat = state.house, event.seat
    hand = _take_winning_tile(hand, chance)
    hand, chance = _show_winner(house, hand, chance, event)
    player = hand.players[seat]
    request = make_request(
        state, hand, chance, player.concealed, list_known_melds(player), event.circumstances
    )
    found = score_win(state, hand, chance, request)
    if hand.results:
        player, _ = remove_tiles(house, hand, seat, () if chance.tile is None else (chance.tile,))
        hand = changed(hand, players=put(hand, seat, player))
    return hand, request, found


def _score_stated(
    state: State, hand: HandState, chance: Chance, event: Won, stated: Stated
) -> tuple[ScoreRequest, Score]:
    """What the rules were asked of a win whose tiles nobody entered, and their answer. The winner's tiles
    stay as they were known; whether a win was let go before is not looked at (C-12)."""
    if event.hand is not None or event.kongs:
        raise EventError(messages.STATED_AND_SHOWN, seat=event.seat)
    if chance.orphans_only and state.house.policy.kongs.robbed_concealed_for not in stated.rows:
        raise EventError(messages.ORPHANS_ONLY, seat=event.seat, ruling="C-11")
    request = make_request(state, hand, chance, (), (), event.circumstances)
    try:
        found = score_stated(request, stated)
    except RequestError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    if found.reason is not None:
        reason = found.reason
        raise EventError(messages.NO_WIN, seat=event.seat, reason=reason.sentence, ruling=reason.ruling)
    return request, found


def apply_false_win(state: State, hand: HandState, event: FalseWin) -> State:
    """A false win: the hand is dead, and the opponents get the penalty of the house (C-17)."""
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
    """EventError if the house requires a win with a winning tile of the sea."""
    sea = state.house.policy.sea
    if sea.must_win and would_win(state, seat) is not None:
        raise EventError(messages.MUST_WIN, seat=seat, ruling=sea.ruling)


def _void_hand(state: State, hand: HandState, seat: int, ruling: str) -> State:
    players = put(hand, seat, changed(hand.players[seat], void=ruling))
    return changed(state, hand=changed(hand, players=players, calls=add_call(hand, seat, Call.NOTHING)))


def _take_winning_tile(hand: HandState, chance: Chance) -> HandState:
    """The hand with another's tile that wins in the winner's hand; several winners each show it as theirs."""
    if chance.discarder is None or chance.by_flowers or hand.offer is None or chance.tile is None:
        return hand
    winner = hand.players[chance.seat]
    shown = changed(winner, concealed=add_winning_tile(winner, chance))
    return _take_from_giver(changed(hand, players=put(hand, chance.seat, shown)), chance)


def _take_from_giver(hand: HandState, chance: Chance) -> HandState:
    """The hand without another's tile that wins where it lay; the first of several winners takes it."""
    offer = hand.offer
    if chance.discarder is None or chance.by_flowers or offer is None or chance.tile is None or hand.results:
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
    """The player with these concealed tiles and kongs shown. EventError if they cannot be those."""
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
            known = record_visible(house, known, tile)
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
        known = record_visible(house, known, tile)
    melds[at] = Laid(meld, None)
    return known
