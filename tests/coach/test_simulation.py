"""Whole hands of every game, each event checked; also by players who do anything that is allowed."""

import random
from pathlib import Path

import pytest

from companion.bench.table_checks import NotSo, check, check_log, check_state
from companion.coach.judge import Judge
from companion.coach.player import BuiltIn
from companion.coach.simulation import Simulation, Step, play
from companion.errors import EventError
from companion.history import Game
from companion.rules import RULE_SETS, OptionValue, rule_set
from companion.rules.plays import house_options
from companion.table.apply import apply
from companion.table.claims import claims_of
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    FalseWin,
    GameStarted,
    HandVoided,
    ReadyDeclared,
    Won,
)
from companion.table.state import State


@pytest.mark.parametrize("rules", RULE_SETS)
def test_hands_by_built_in_players(rules: str, hands: int) -> None:
    won = 0
    for hand in play(GameStarted(rules=rules), hands // 5, random.Random(rules)):
        check(hand)
        won += bool(hand.after.hand and hand.after.hand.results)
    assert won > 0.7 * (hands // 5)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_kept_game_goes_on_from_any_event(rules: str, tmp_path: Path) -> None:
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

    def answer(self, state: State, seat: int) -> Won | Claimed | None:
        wanted = super().answer(state, seat)
        if wanted is not None or self._rng.random() < 0.8:
            return wanted
        assert state.hand is not None
        possible = claims_of(state.house, state.hand, seat)
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
    for option in house_options(rule_set(rules)):
        if rng.random() < 0.3:
            values = option.values
            found[option.key] = rng.choice(values if isinstance(values, tuple) else values[:50])
    return found


@pytest.mark.parametrize("rules", RULE_SETS)
def test_hands_of_other_houses_by_careless_players(rules: str, hands: int) -> None:
    rng = random.Random(rules)
    for number in range(hands // 50):
        start = GameStarted(rules=rules, options=other_house(rules, rng), dealer=number % 3, base=number + 1)
        state = apply(None, start)
        judge = Judge(state.house.rules, state.house.scoring)
        simulation = Simulation(state.house, rng, Careless(judge, rng))
        steps: list[Step] = []
        try:
            for step in simulation.hand(state):
                steps.append(step)
                check_state(step.state)
        except (EventError, NotSo) as problem:
            raise AssertionError([start, *(step.event for step in steps)]) from problem
        check_log(start, tuple(steps))
