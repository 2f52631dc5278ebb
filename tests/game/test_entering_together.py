"""Wins of every game are told to a kept game that runs, and booked as the simulator booked them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.coach.play.simulation import play
from companion.game.game import Game
from companion.game.owner import enter_together
from companion.live.running import RunningGame
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Discarded, GameStarted, PointsMoved, Won
from companion.table.unrecorded import ReportedWin, enter_drawn, enter_win
from companion.table.wins import find_chance, list_known_melds, make_request
from tests.programs import started

SEED = 11
KILLS = 4


@pytest.mark.slow
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
            reported = ReportedWin(
                result.winner, result.source, result.discarder, result.tile, tiles, melds,
                player.flowers, asked.situation, asked.discards, hand.fortune,
            )  # fmt: skip
            game = RunningGame()
            path = tmp_path / f"{number}.game"
            try:
                game.begin(path, played.start).result(20)
                entered = enter_win(apply(None, played.start), reported)
                outcome = enter_together(game, entered.events)
                assert not isinstance(outcome, Sentence), outcome
                wrong = enter_together(game, (Discarded(seat=0),))
                assert isinstance(wrong, Sentence)
            finally:
                game.close()
            with Game.resume(path) as kept:
                assert kept.state.hand is not None
                assert kept.state.hand.results[0].score.payments == result.score.payments
                assert kept.state.hands == 1
            told_wins += 1
    assert told_wins > 0, SEED


def test_several_events_are_entered_all_or_none(tmp_path: Path) -> None:
    from companion.table.events import HandStarted

    game = RunningGame()
    try:
        game.begin(tmp_path / "friday.game", GameStarted(rules="hefei")).result(20)
        assert isinstance(enter_together(game, (HandStarted(dealer=0), Discarded(seat=0))), Sentence)
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
        enter_together(game, (*begun, HandVoided(seat=1)))
        assert isinstance(enter_together(game, (HandVoided(seat=2), Dealt()), instead_of=1), Sentence)
        reported = enter_together(game, (HandVoided(seat=3),), instead_of=0)
        assert not isinstance(reported, Sentence)
        assert reported.events[1:] == (*begun, HandVoided(seat=1), HandVoided(seat=3))
        reported = enter_together(game, (HandVoided(seat=2),), instead_of=2)
        assert not isinstance(reported, Sentence)
        assert reported.events[1:] == (*begun, HandVoided(seat=2))
    finally:
        game.close()


KILLED = """
import sys
from pathlib import Path
from companion.live.running import RunningGame
from companion.game.owner import enter_together
from companion.sentences import Sentence
from companion.table.events import HandDrawn
from companion.table.unrecorded import enter_drawn

game = RunningGame()
game.resume(Path(sys.argv[1])).result()
after = game.transact(lambda transaction: transaction.get_progress()).result()
print("open", flush=True)
while True:
    after = enter_together(game, enter_drawn(after.state))
    assert not isinstance(after, Sentence), after
    print(after.state.hands, flush=True)
"""


@pytest.mark.slow
def test_a_hand_that_was_made_up_is_there_whole_or_not_at_all_whenever_the_program_is_killed(
    tmp_path: Path,
) -> None:
    """Played in Hong Kong, where the dealer of a drawn hand stays: so many of them never end the game."""
    path = tmp_path / "friday.game"
    Game.begin(path, GameStarted(rules="hong_kong")).close()
    chance = random.Random(SEED)
    reported = 0
    for _ in range(KILLS):
        with started(
            [sys.executable, "-c", KILLED, str(path)],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE, text=True,
        ) as program:  # fmt: skip
            assert program.stdout is not None
            assert program.stdout.readline() == "open\n"
            reported = int(program.stdout.readline())
            time.sleep(chance.uniform(0.0, 0.1))
            program.kill()
            lines = [line for line in program.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        with Game.resume(path) as game:
            assert not game.state.playing, "no hand is half there"
            assert game.state.hands >= int(lines[-1] if lines else reported)
            reported = game.state.hands
    assert reported > 0


def test_a_disk_that_is_full_in_the_middle_enters_nothing(tmp_path: Path) -> None:
    game = RunningGame()
    path = tmp_path / "friday.game"
    try:
        game.begin(path, GameStarted(rules="hefei")).result(20)
        connection = game._game.file._connection  # type: ignore[union-attr]

        def allow(pages: int) -> None:
            game._ask(lambda: connection.execute(f"PRAGMA max_page_count = {pages}")).result(20)

        first = PointsMoved(points=(1, -1, 0, 0), why="the first entry says how large a file may be")
        enter_together(game, (first,))
        before = game.transact(lambda transaction: transaction.get_progress()).result(20)
        hand = enter_drawn(before.state)
        allow(1)
        outcome = enter_together(game, hand)
        assert isinstance(outcome, Sentence)
        assert "Free some space and try again." in outcome.template
        assert game.transact(lambda transaction: transaction.get_progress()).result(20) == before
        allow(10**6)
        assert not isinstance(enter_together(game, hand), Sentence)
    finally:
        game.close()
    with Game.resume(path) as kept:
        assert kept.state.hands == 1
        assert len(kept.file.entries) == 2 + len(hand), "nothing was entered and taken back"
