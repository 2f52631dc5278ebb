"""What waits in a running game is decided about as soon as it can happen, and its end is always known."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from followed import WAIT_S, Follower, wait_for
from hands import CAMERA, TOUCH

from companion.game.deciding import Verdict, Why
from companion.game.proposals import ASK_ALWAYS, ASKS, Proposal, Trust, TrustPolicy
from companion.game.updates import GameOpened
from companion.live.running import RunningGame
from companion.table.events import Dealt, GameStarted, HandStarted

START = GameStarted(rules="hebei")
ROLL = HandStarted(dealer=0, dice=(3, 5))
PATIENT = TrustPolicy(camera=Trust(accept_from=0.9, waits_s=60))


@pytest.fixture
def game() -> Iterator[RunningGame]:
    running = RunningGame(policy=PATIENT)
    yield running
    running.close()


def seen(game: RunningGame, p: float = 1.0, key: str | None = None) -> Proposal:
    """The deal, which comes too early while nobody has rolled."""
    return Proposal(Dealt(), game.now_ns, CAMERA, p, key=key)


def rolled(game: RunningGame, key: str | None = None) -> Proposal:
    return Proposal(ROLL, game.now_ns, TOUCH, key=key)


def test_a_person_is_asked_about_a_doubtful_proposal_as_soon_as_it_can_happen(game: RunningGame) -> None:
    follower = Follower(game)
    game.play(START)
    early = game.propose(seen(game, p=0.5))
    game.propose(rolled(game))
    wait_for(lambda: len(follower.decisions) == 3)
    asked = follower.decisions[-1]
    assert asked.pending is not None
    assert asked.pending.why is Why.ASKS
    assert asked.progress.pending == (asked.pending,)
    waited = early.result(WAIT_S).pending
    assert waited is not None
    assert asked.pending.number == waited.number
    confirmed = game.confirm(asked.pending.number, TOUCH).result(WAIT_S)
    assert confirmed is not None
    assert confirmed.event == Dealt()


def test_a_redo_makes_possible_what_waits(game: RunningGame) -> None:
    follower = Follower(game)
    game.play(START)
    game.propose(rolled(game))
    game.undo()
    early = game.propose(seen(game)).result(WAIT_S)
    assert early.pending is not None
    assert early.pending.why is Why.EARLY
    game.redo()
    wait_for(lambda: len(follower.accepted) == 2)
    assert follower.accepted[-1].event == Dealt()


def test_an_undo_makes_possible_what_waits(game: RunningGame) -> None:
    follower = Follower(game)
    game.play(START)
    game.propose(rolled(game))
    other = Proposal(HandStarted(dealer=0, dice=(1, 1)), game.now_ns - 30 * 10**9, CAMERA)
    early = game.propose(other).result(WAIT_S)
    assert early.pending is not None
    assert early.pending.why is Why.EARLY
    game.undo()
    wait_for(lambda: len(follower.accepted) == 2)
    assert follower.accepted[-1].event == other.event


def test_a_key_that_is_used_refuses_what_waits_and_nothing_else(game: RunningGame, path: Path) -> None:
    follower = Follower(game)
    game.begin(path, START)
    game.propose(seen(game, key="k"))
    assert game.propose(rolled(game, key="k")).result(WAIT_S).verdict is Verdict.ACCEPTED
    wait_for(lambda: len(follower.decisions) == 3)
    refused = follower.decisions[-1]
    assert (refused.verdict, refused.proposal.event) == (Verdict.REFUSED, Dealt())
    assert "key" in str(refused.error)
    assert refused.progress.pending == ()


def test_nothing_is_done_for_a_future_that_was_cancelled(game: RunningGame) -> None:
    follower, gate = Follower(game), threading.Event()
    game._owner.post(lambda: gate.wait(WAIT_S) and None)
    played = game.play(START)
    assert played.cancel()
    gate.set()
    game.play(GameStarted(rules="hefei")).result(WAIT_S)
    opened = [each.progress for each in follower.of(GameOpened)]
    assert [each and each.state.house.rules.name for each in opened] == [None, "hefei"]
    assert follower.troubles == []


def test_a_game_that_is_not_kept_never_takes_the_place_of_one_that_is(game: RunningGame, path: Path) -> None:
    follower = Follower(game)
    assert game.play(START, ASK_ALWAYS).result(WAIT_S)
    held = game.propose(rolled(game)).result(WAIT_S)
    assert held.verdict is Verdict.HELD, "this game's own policy"
    game.begin(path, START).result(WAIT_S)
    assert not game.play(GameStarted(rules="hefei"), ASK_ALWAYS).result(WAIT_S)
    assert [each.path for each in follower.of(GameOpened)] == [None, None, path]
    assert game.propose(rolled(game)).result(WAIT_S).verdict is Verdict.ACCEPTED, "what was agreed on"


def test_general_policy_does_not_replace_a_games_own(game: RunningGame) -> None:
    game.play(START, ASK_ALWAYS)
    game.agree(TrustPolicy(device=ASKS))
    assert game.propose(rolled(game)).result(WAIT_S).verdict is Verdict.HELD
    game.play(START)
    assert game.propose(rolled(game)).result(WAIT_S).verdict is Verdict.ACCEPTED
