"""What happens between hands: people sit down, the deal passes, a hand is dealt, the game ends."""

from __future__ import annotations

from companion.errors import EventError
from companion.table import messages
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
from companion.table.house import House, house_of
from companion.table.ledger import Reason, is_cancelled, take_back
from companion.table.moves import seen, tile_of, tiles_of
from companion.table.state import Deal, Hand, Phase, Player, State, changed
from companion.table.wall import Wall

WINDS = tuple(Wind)
LAO_OF_A_DOUBLE = 3
"""HZ-16."""
OF_THE_HAND = (Reason.KONG, Reason.FALSE_WIN)
"""What may have been paid in a hand before it is over."""


def game_started(event: GameStarted) -> State:
    """The state of a game in which nothing has happened yet."""
    house = house_of(event)
    start = house.play.points(house.options)
    streak = house.rules.streak_default if event.streak is None else _streak(house, event.streak)
    dealer = _playing(house, event.dealer)
    return State(
        house=house,
        names=event.names,
        points=event.points or (start, start, start, start),
        deal=Deal(dealer, streak, WINDS.index(event.round_wind), tuple(sorted(set(event.dealt)))),
    )


def seats_changed(state: State, event: SeatsChanged) -> State:
    if sorted(event.order) != [0, 1, 2, 3]:
        raise EventError(messages.NO_ORDER, order=list(event.order))
    a, b, c, d = (state.seated[seat] for seat in event.order)
    return changed(state, seated=(a, b, c, d))


def deal_set(state: State, event: DealSet) -> State:
    deal = state.deal
    return changed(
        state,
        deal=Deal(
            deal.dealer if event.dealer is None else _playing(state.house, event.dealer),
            deal.streak if event.streak is None else _streak(state.house, event.streak),
            deal.wind if event.round_wind is None else WINDS.index(event.round_wind),
            deal.dealt if event.round_wind is None else (),
        ),
    )


def hand_started(state: State, event: HandStarted) -> State:
    house, deal = state.house, state.deal
    if event.dealer != deal.dealer:
        raise EventError(messages.NOT_THE_DEALER, seat=event.dealer, right=deal.dealer)
    if event.dice is not None and len(set(event.dice)) == 1 and house.on("double_dice_3lao"):
        deal = changed(deal, streak=max(deal.streak, LAO_OF_A_DOUBLE))
    nobody = Player()
    hand = Hand(
        phase=Phase.DEAL,
        deal=deal,
        dice=event.dice,
        wall=Wall.thrown(house.wall, deal.dealer, event.dice),
        players=(nobody, nobody, nobody, nobody),
        turn=deal.dealer,
        known=bytes(len(house.copies)),
        booked=len(state.ledger),
    )
    return changed(state, hand=hand)


def dealt(state: State, hand: Hand, event: Dealt) -> State:
    """Everybody has the first tiles (C-04)."""
    house, dealer, known = state.house, hand.deal.dealer, hand.known
    each = sum(house.wall.deal)
    players = list(hand.players)
    for seat, text in enumerate(event.hands):
        asked = each + (seat == dealer) if seat in house.seats else 0
        tiles = None if text is None else tiles_of(house, text)
        if tiles is None:
            players[seat] = Player(hidden=asked)
            continue
        if len(tiles) != asked:
            raise EventError(messages.OTHER_DEAL, seat=seat, given=len(tiles), right=asked, ruling="C-04")
        for tile in tiles:
            known = seen(house, known, tile)
        players[seat] = Player(concealed=tiles)
    a, b, c, d = players
    wild = house.wild()
    indicator = bool(house.wall.indicator_dice)
    concealed = players[dealer].concealed
    hand = changed(
        hand,
        phase=Phase.INDICATOR if indicator else Phase.FLOWERS if house.flowers else Phase.TURN,
        wall=hand.wall.draw(each * len(house.seats) + 1),
        players=(a, b, c, d),
        known=known,
        drew=True,
        drawn=concealed[-1] if concealed else None,
        fortune=None if indicator or wild is None else wild.tile,
    )
    return changed(state, hand=hand)


def indicator_turned(state: State, hand: Hand, event: IndicatorTurned) -> State:
    """The mates of the tile that was turned are Fortunes (HZ-04, HZ-05)."""
    house, tile = state.house, tile_of(state.house, event.tile)
    wall = hand.wall if event.dice is None else hand.wall.turn_indicator(event.dice)
    hand = changed(
        hand, phase=Phase.TURN, wall=wall, known=seen(house, hand.known, tile), indicator=tile, fortune=tile
    )
    return changed(state, hand=hand)


def deal_after(house: House, deal: Deal, winners: tuple[int, ...]) -> Deal:
    """The deal of the hand after one that these seats won: HF-03, HB-23, TW-03, HK-06, HZ-16, HZ-17."""
    rotation, dealer = house.rotation, deal.dealer
    if (dealer in winners and rotation.on_win) or (not winners and rotation.on_draw):
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


def hand_over(state: State, hand: Hand) -> State:
    """The state after a hand that is decided: whose deal follows, and whether the game is over."""
    house, winners = state.house, tuple(result.winner for result in hand.results)
    deal, hands = deal_after(house, hand.deal, winners), state.hands + (hand.phase is not Phase.OVER)
    length = house.length
    over = (length.rounds is not None and deal.wind >= length.rounds) or hands == length.hands
    if length.broke and hand.deal.dealer not in winners:
        over = over or min(state.balances) <= 0
    hand = changed(hand, phase=Phase.OVER)
    return changed(state, hand=hand, deal=deal, hands=hands, over=over)


def hand_abandoned(state: State, hand: Hand, event: HandAbandoned) -> State:
    """As if the hand had never been: what was paid for it is taken back, the same dealer deals."""
    for number in range(hand.booked, len(state.ledger)):
        if state.ledger[number].reason in OF_THE_HAND and not is_cancelled(state, number):
            state = take_back(state, number, event.why)
    return changed(state, hand=changed(hand, phase=Phase.OVER, offer=None))


def game_ended(state: State, event: GameEnded) -> State:
    if state.playing:
        raise EventError(messages.HAND_IN_PLAY, event="game_ended")
    return changed(state, over=True)


def _streak(house: House, streak: int) -> int:
    least = house.rules.streak_default
    if streak < least:
        raise EventError(messages.NO_STREAK, given=streak, least=least, rules=house.rules.title)
    return streak


def _playing(house: House, seat: int) -> int:
    if seat not in house.seats:
        raise EventError(messages.SITS_OUT, seat=seat, ruling="HB-01")
    return seat
