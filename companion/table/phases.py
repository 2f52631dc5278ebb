"""Whose turn it is, and what has to come first."""

from __future__ import annotations

from companion.errors import EventError
from companion.table import messages
from companion.table.moves import find_flower
from companion.table.state import HandState, Phase, State, changed


def begin_dealers_turn(state: State, hand: HandState, seat: int) -> HandState:
    """The hand with the dealer's turn begun, where it still was in the flowers of the deal.

    EventError unless that may be: all flowers are out and replaced, and it is the dealer who acts.
    """
    if hand.phase is not Phase.FLOWERS:
        return hand
    dealer = hand.deal.dealer
    if hand.owed:
        raise EventError(messages.REPLACES_FIRST, seat=seat, right=hand.turn)
    for place, player in enumerate(hand.players):
        flower = find_flower(player)
        if flower is not None:
            raise EventError(
                messages.HAS_A_FLOWER, seat=place, tile=flower.code, ruling=state.house.policy.flowers.ruling
            )
    if seat != dealer:
        raise EventError(messages.NOT_ON_TURN, seat=seat, right=dealer)
    return changed(hand, phase=Phase.TURN, turn=dealer, drew=True, replaced=False, offer=None)


def check_turn(state: State, hand: HandState, seat: int) -> HandState:
    """The hand, where it is this player's turn to act; EventError says what is wrong else."""
    hand = begin_dealers_turn(state, hand, seat)
    if hand.phase is not Phase.TURN:
        ruling = state.house.policy.sea.ruling if hand.phase is Phase.SEA else ""
        raise EventError(messages.NOT_NOW[hand.phase], seat=hand.turn, ruling=ruling)
    if seat != hand.turn:
        raise EventError(messages.NOT_ON_TURN, seat=seat, right=hand.turn)
    return hand
