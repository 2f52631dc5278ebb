"""The events that nobody sees and that must have happened: draws, and discards that were missed."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.events import Dealt, Discarded, Drawn, Event, HandStarted
from companion.table.house import House
from companion.table.state import HandState, Phase, State

UNSEEN_COST = 4.0
"""Nats of a discard that nobody saw: one in fifty is covered for as long as it lies there alone."""
QUICK_COST = 2.5
"""Nats of a discard that was taken before anybody saw it."""
SKIPPED_MAX = 4


@dataclass(frozen=True, slots=True)
class Path:
    """Events on the way, and how many discards among them were not seen."""

    events: tuple[Event, ...]
    skipped: int = 0

    @property
    def steps(self) -> tuple[tuple[Event, tuple[int, ...]], ...]:
        """The events, none of which put down a tile that is seen."""
        return tuple((event, ()) for event in self.events)

    @property
    def cost(self) -> float:
        return self.skipped * UNSEEN_COST


def begin_hand(state: State) -> tuple[Event, ...]:
    """The events before the first that is seen of a hand."""
    if state.playing or state.over:
        return ()
    return HandStarted(dealer=state.deal.dealer), Dealt()


def reach_turn(house: House, hand: HandState, seat: int) -> Path | None:
    """How it comes to be that player's turn, a tile drawn; None where it cannot."""
    if hand.phase in (Phase.DEAL, Phase.INDICATOR, Phase.EXHAUSTED, Phase.OVER):
        return None
    if hand.phase is Phase.SEA or (hand.phase is Phase.CLAIM and hand.wall.in_sea):
        return _reach_in_sea(house, hand, seat)
    events: list[Event] = [Drawn(seat=hand.turn)] * hand.owed
    turn, has = hand.turn, True
    if hand.phase is Phase.FLOWERS:
        turn = hand.deal.dealer
    elif hand.phase is Phase.CLAIM:
        has = False
    skipped = 0
    left = hand.wall.before_sea
    while True:
        if not has:
            if left == 0:
                return None
            events.append(Drawn(seat=turn))
            left -= 1
        if turn == seat:
            return Path(tuple(events), skipped)
        if skipped == SKIPPED_MAX:
            return None
        events.append(Discarded(seat=turn))
        turn, has, skipped = house.following[turn], False, skipped + 1


def find_next_to_draw(house: House, hand: HandState) -> int:
    """Who draws next where nobody claims or wins: in the sea whoever drew has had a turn."""
    return house.following[hand.turn] if hand.phase is Phase.SEA else hand.turn


def _reach_in_sea(house: House, hand: HandState, seat: int) -> Path | None:
    """The last tiles are drawn without discards."""
    turn = find_next_to_draw(house, hand)
    if hand.phase is Phase.SEA and hand.turn == seat:
        return Path(())
    events: list[Event] = []
    for _ in range(hand.wall.live_left):
        events.append(Drawn(seat=turn))
        if turn == seat:
            return Path(tuple(events))
        turn = house.following[turn]
    return None


def reach_end(house: House, hand: HandState) -> Path | None:
    """How the wall came to be empty without a win."""
    if hand.phase is Phase.EXHAUSTED:
        return Path(())
    if hand.wall.in_sea or (hand.phase is Phase.SEA):
        turn = find_next_to_draw(house, hand)
        events: list[Event] = []
        for _ in range(hand.wall.live_left):
            events.append(Drawn(seat=turn))
            turn = house.following[turn]
        return Path(tuple(events))
    if hand.phase is Phase.CLAIM and not hand.wall.live_left:
        return Path(())
    return None
