"""What happens between hands: people sit down, the deal passes, a hand is dealt, the game ends."""

from __future__ import annotations

from functools import partial

from companion.errors import EventError
from companion.table import messages
from companion.table.claims import turn_distance
from companion.table.events import (
    DealSet,
    Dealt,
    GameEnded,
    GameStarted,
    HandAbandoned,
    HandStarted,
    IndicatorTurned,
    SeatsChanged,
)
from companion.table.fields import Wind
from companion.table.house import House, make_house
from companion.table.ledger import PaymentReason, is_cancelled, take_back
from companion.table.moves import note_seen, read_tile, read_tiles
from companion.table.settling import read_currency
from companion.table.state import Deal, HandState, Phase, Player, State, changed
from companion.table.wall import Wall
from companion.tiles import Suit

WINDS = tuple(Wind)
OF_THE_HAND = (PaymentReason.KONG, PaymentReason.FALSE_WIN)
"""What may have been paid in a hand before it is over."""


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
            known = note_seen(house, known, tile)
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
        known=note_seen(house, hand.known, tile),
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
