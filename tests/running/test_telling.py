"""Wins of every game are told to a kept game that runs, and booked as the simulator booked them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.coach.simulation import play
from companion.history import Game
from companion.rules import RULE_SETS
from companion.running.game import RunningGame
from companion.running.telling import tell
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Discarded, GameStarted, Won
from companion.table.told_win import enter_win
from companion.table.untold import ToldWin
from companion.table.wins import find_chance, list_known_melds, make_request

SEED = 11


@pytest.mark.parametrize("rules", RULE_SETS)
def test_told_wins_of_a_kept_game_pay_what_the_simulator_paid(rules: str, tmp_path: Path) -> None:
    told_wins = 0
    for number, played in enumerate(play(GameStarted(rules=rules), 4, random.Random(SEED))):
        for earlier, step in zip(played.steps, played.steps[1:], strict=False):
            hand, was = step.state.hand, earlier.state.hand
            if not isinstance(step.event, Won) or hand is None or was is None or len(hand.results) > 1:
                continue
            result, player = hand.results[0], hand.players[step.event.seat]
            melds = list_known_melds(player)
            chance = find_chance(earlier.state, was, result.winner)
            asked = make_request(earlier.state, was, chance, player.concealed, melds)
            tiles = (*player.concealed, *(tile for meld in melds for tile in meld.tiles))
            told = ToldWin(
                result.winner, result.source, result.discarder, result.tile, tiles, melds,
                player.flowers, asked.situation, hand.fortune,
            )  # fmt: skip
            game = RunningGame()
            path = tmp_path / f"{number}.game"
            try:
                game.begin(path, played.start).result(20)
                entered = enter_win(apply(None, played.start), told)
                outcome = tell(game, entered.events)
                assert not isinstance(outcome, Sentence), outcome
                wrong = tell(game, (Discarded(seat=0),))
                assert isinstance(wrong, Sentence)
            finally:
                game.close()
            with Game.resume(path) as kept:
                assert kept.state.hand is not None
                assert kept.state.hand.results[0].score.payments == result.score.payments
                assert kept.state.hands == 1
            told_wins += 1
    assert told_wins > 0, SEED


def test_of_several_events_all_are_entered_or_none(tmp_path: Path) -> None:
    from companion.table.events import HandStarted

    game = RunningGame()
    try:
        game.begin(tmp_path / "friday.game", GameStarted(rules="hefei")).result(20)
        assert isinstance(tell(game, (HandStarted(dealer=0), Discarded(seat=0))), Sentence)
    finally:
        game.close()
    with Game.resume(tmp_path / "friday.game") as kept:
        assert not kept.state.playing


def test_events_take_the_place_of_others_or_those_stand_again(tmp_path: Path) -> None:
    from companion.table.events import Dealt, HandStarted, HandVoided

    game = RunningGame()
    try:
        game.begin(tmp_path / "friday.game", GameStarted(rules="hefei")).result(20)
        begun = (HandStarted(dealer=0), Dealt())
        tell(game, (*begun, HandVoided(seat=1)))
        assert isinstance(tell(game, (HandVoided(seat=2), Dealt()), instead_of=1), Sentence)
        told = tell(game, (HandVoided(seat=3),), instead_of=0)
        assert not isinstance(told, Sentence)
        assert told.events[1:] == (*begun, HandVoided(seat=1), HandVoided(seat=3))
        told = tell(game, (HandVoided(seat=2),), instead_of=2)
        assert not isinstance(told, Sentence)
        assert told.events[1:] == (*begun, HandVoided(seat=2))
    finally:
        game.close()
