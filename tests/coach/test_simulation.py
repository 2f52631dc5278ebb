"""Whole hands of every game, each event checked; also by players who do anything that is allowed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.coach.play.player import Answer, BuiltIn
from companion.coach.play.simulation import PlayedHand, SimulatedMove, Simulation, play
from companion.coach.value.judge import Judge
from companion.errors import EventError
from companion.game.game import Game
from companion.rules import RULE_SETS, OptionValue, rule_set
from companion.rules.profile import list_house_options
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import (
    AddedKong,
    Call,
    Called,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    FalseWin,
    GameStarted,
    HandDrawn,
    HandVoided,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.table.knowledge import count_unseen, event_as_seen, state_as_seen
from companion.table.state import Phase, State
from lab.bench.table import NotSo, check, check_log, check_state

OF_CHOICE = {
    "hebei": {"a win passed up"},
    "taiwanese": {"a win passed up", "a last tile declined"},
    "hong_kong": {"a win passed up", "a win after one passed up"},
    "hangzhou": {"a win passed up", "a gambit"},
}
"""What some player should choose within 150 hands of each game."""
USUAL_HANDS = 150


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_hands_by_built_in_players(rules: str, hands: int) -> None:
    won, number, chosen = 0, hands * 3 // 20, Counter[str]()
    for hand in play(GameStarted(rules=rules), number, random.Random(rules)):
        check(hand)
        won += bool(hand.after.hand and hand.after.hand.results)
        chosen.update(choices(hand))
    assert won > 0.7 * number
    if number >= USUAL_HANDS:
        assert OF_CHOICE.get(rules, set()) <= set(chosen)


def choices(hand: PlayedHand) -> Iterator[str]:
    """What players chose to do where they might have won, or drawn."""
    passed = set()
    for event, state in hand.steps:
        match event:
            case WinPassed():
                passed.add(event.seat)
                yield "a win passed up"
            case Won() if event.seat in passed:
                yield "a win after one passed up"
            case HandDrawn() if event.declined_by is not None:
                yield "a last tile declined"
            case Discarded() if state.hand is not None and state.hand.players[event.seat].gambits:
                yield "a gambit"


@pytest.mark.slow
def test_several_players_win_on_one_tile_where_the_house_says_so() -> None:
    start = GameStarted(rules="hefei", options={"multi_win": True})
    winners = []
    for hand in play(start, 60, random.Random(1)):
        check(hand)
        assert hand.after.hand is not None
        called = [step.event for step in hand.steps if isinstance(step.event, Called)]
        on_the_last = {call.seat for call in called if call.call is Call.WIN}
        winners.append(len(hand.after.hand.results))
        assert {result.winner for result in hand.after.hand.results} >= on_the_last
    assert max(winners) > 1


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_kept_game_continues_from_any_event(rules: str, tmp_path: Path) -> None:
    start = GameStarted(rules=rules)
    [hand] = play(start, 1, random.Random(rules))
    Game.begin(tmp_path / "home.game", start).close()
    for step in hand.steps:
        with Game.resume(tmp_path / "home.game") as game:
            game.append(step.event)
            assert game.state == step.state


class Careless(BuiltIn):
    """Half of the time it does what a player does, else anything that the table allows."""

    def __init__(self, judge: Judge, rng: random.Random) -> None:
        super().__init__(judge)
        self._rng = rng

    def act(self, state: State, seat: int) -> Event | None:
        event = super().act(state, seat)
        if self._rng.random() < 0.5 or event is None:
            return event
        assert state.hand is not None
        codes = [tile.code for tile in dict.fromkeys(state.hand.players[seat].concealed)]
        rare: list[Event] = [ReadyDeclared(seat=seat)]
        rare += [kong(seat=seat, tile=code) for code in codes for kong in (ConcealedKong, AddedKong)]
        if self._rng.random() < 0.02:
            rare += [FalseWin(seat=seat), HandVoided(seat=seat)]
        for events in (rare, [Discarded(seat=seat, tile=code) for code in codes]):
            may = [each for each in events if allowed(state, each)]
            if may:
                return self._rng.choice(may)
        return event

    def answer(self, state: State, seat: int) -> Answer | None:
        wanted = super().answer(state, seat)
        if wanted is not None or self._rng.random() < 0.8:
            return wanted
        assert state.hand is not None
        possible = list_claims(state.house, state.hand, seat)
        return Claimed(seat=seat, meld=str(self._rng.choice(possible))) if possible else None


def allowed(state: State, event: Event) -> bool:
    try:
        apply(state, event)
    except EventError:
        return False
    return True


def other_house(rules: str, rng: random.Random) -> dict[str, OptionValue]:
    """Some of the house options at other settings."""
    found: dict[str, OptionValue] = {}
    for option in list_house_options(rule_set(rules)):
        if rng.random() < 0.3:
            values = option.values
            found[option.key] = rng.choice(values if isinstance(values, tuple) else values[:50])
    return found


@pytest.mark.long
@pytest.mark.parametrize("rules", RULE_SETS)
def test_hands_of_other_houses_by_careless_players(rules: str, hands: int) -> None:
    rng = random.Random(rules)
    for number in range(hands // 50):
        start = GameStarted(rules=rules, options=other_house(rules, rng), dealer=number % 3, base=number + 1)
        state = apply(None, start)
        judge = Judge(state.house.rules, state.house.scoring)
        simulation = Simulation(state.house, rng, Careless(judge, rng))
        steps: list[SimulatedMove] = []
        try:
            for step in simulation.hand(state):
                steps.append(step)
                check_state(step.state)
        except (EventError, NotSo) as problem:
            raise AssertionError([start, *(step.event for step in steps)]) from problem
        check_log(start, tuple(steps))


SEED, VIEWER = 5, 2


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_player_whose_own_discards_are_seen_acts_on(rules: str) -> None:
    """Others' discards are not; what the player does then can be done."""
    (hand,) = play(GameStarted(rules=rules), 1, random.Random(SEED))
    state: State | None = apply(None, hand.start)
    truth, acted, unseen = state, 0, 0
    assert state is not None
    player = BuiltIn(Judge(state.house.rules, state.house.scoring))
    for step in hand.steps:
        if not step.state.playing:
            break
        event = event_as_seen(truth, step.event, VIEWER)
        if isinstance(event, Discarded) and event.seat != VIEWER:
            event, unseen = Discarded(seat=event.seat), unseen + 1
        state, truth = apply(state, event), step.state
        assert state.hand is not None
        if state.hand.phase is Phase.CLAIM and state.hand.offer and state.hand.offer.tile is None:
            assert player.answer(state_as_seen(state, VIEWER), VIEWER) is None
        if state.hand.phase is Phase.TURN and state.hand.turn == VIEWER:
            choice = player.act(state_as_seen(state, VIEWER), VIEWER)
            assert choice is not None
            apply(state, choice)
            acted += 1
    assert min(acted, unseen) > 3
    assert state.hand is not None
    assert truth is not None
    rivers = [tile for seat in state.hand.players for tile in seat.discards]
    open_chows = state.hand.players[VIEWER].hidden  # which tile of a chow was the discard, and which stayed
    extra = sum(count_unseen(state, VIEWER)) - sum(count_unseen(truth, VIEWER))
    assert extra == rivers.count(None) + open_chows
