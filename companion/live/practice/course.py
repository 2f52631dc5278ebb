"""What happens next at a practice table: what the built-in players do, and what the person is asked. Pure.

The person is asked before any other who may take a tile, so nobody's answer shows before the person's.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from companion.coach.play.player import Answer, BuiltIn
from companion.coach.play.simulation import DealtHand, make_call
from companion.coach.value.judge import Judge
from companion.live.practice.asking import ask
from companion.live.practice.truth import Truth, shuffle_deck
from companion.live.practice.values import Asked
from companion.table.apply import apply
from companion.table.claims import find_standing_call
from companion.table.events import Called, Event, WinPassed, Won
from companion.table.fields import Call
from companion.table.house import House
from companion.table.knowledge import event_as_seen
from companion.table.state import State
from companion.tiles import Tile


@dataclass(frozen=True)
class Players:
    """Those that are built in, at one table."""

    house: House

    @cached_property
    def judge(self) -> Judge:
        return Judge(self.house.rules, self.house.scoring)

    @cached_property
    def built_in(self) -> BuiltIn:
        return BuiltIn(self.judge)


def ask_person(players: Players, truth: Truth) -> Asked | None:
    """What the person may do now; None where it is not the person who acts."""
    return ask(truth.state, truth.seat, players.judge)


def begin_hand(players: Players, truth: Truth) -> tuple[Event, ...]:
    """The next hand begins."""
    return (_deal(players, truth, truth.hand + 1).begin(truth.state),)


def go_on(players: Players, truth: Truth, said: Answer | None = None) -> tuple[Event, ...]:
    """What happens next, as the person sees it, unless the person does something: `said` is what the person
    does with the tile on offer. Empty where nothing does: the hand is over."""
    state, person = truth.state, truth.seat
    if not state.playing:
        return _hide(state, _list_more_wins(players, truth), person)
    dealt = _deal(players, truth, truth.hand)
    wanted = dealt.ask(state, [seat for seat in state.house.seats if seat != person])
    if said is not None:
        wanted[person] = said
    answers = {seat: answer for seat, answer in wanted.items() if not isinstance(answer, WinPassed)}
    calls: list[Event] = [make_call(answer) for answer in answers.values()]
    called = state
    for call in calls:
        called = apply(called, call)
    assert called.hand is not None
    first = find_standing_call(called.house, called.hand)
    if first is None:
        return _hide(state, [dealt.next_event(state, person)], person)
    events = [*calls, answers[first]]
    if isinstance(answers[first], Won) and state.house.policy.multi_win:
        events += [each for seat, each in answers.items() if isinstance(each, Won) and seat != first]
    return _hide(state, events, person)


def does_win_stand(players: Players, truth: Truth) -> bool:
    """Whether nobody comes before the person, who calls a win."""
    state, person = truth.state, truth.seat
    hand = state.hand
    if hand is None or hand.offer is None:
        return True
    events = go_on(players, truth, Won(seat=person))
    won = [event.seat for event in events if isinstance(event, Won)]
    called = any(isinstance(event, Called) and event.call is Call.WIN for event in events)
    return not called or person in won


def _list_more_wins(players: Players, truth: Truth) -> list[Event]:
    """Who else wins on the tile on which the person has won, where the table lets several win."""
    before, hand = truth.before_win, truth.state.hand
    if before is None or hand is None or not truth.state.house.policy.multi_win or hand.offer is None:
        return []
    seats = [seat for seat in before.house.seats if seat != truth.seat]
    answers = _deal(players, truth, truth.hand).ask(before, seats)
    have_won = {result.winner for result in hand.results}
    return [each for seat, each in answers.items() if isinstance(each, Won) and seat not in have_won]


def _deal(players: Players, truth: Truth, number: int) -> DealtHand:
    """That hand, with dice that fall as they did if something was taken back."""
    dice = random.Random(f"{truth.state.house.practice}:{number}:{len(truth.events)}")
    deck: tuple[Tile, ...] = shuffle_deck(truth.state, number)
    return DealtHand(players.built_in, deck, dice)


def _hide(state: State, events: list[Event], person: int) -> tuple[Event, ...]:
    """The events as the person sees them."""
    shown = []
    for event in events:
        shown.append(event_as_seen(state, event, person))
        state = apply(state, event)
    return tuple(shown)
