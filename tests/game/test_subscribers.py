"""What those are told who follow a running game."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest
from followed import WAIT_S, Follower
from hands import TOUCH

from companion.game.proposals import Proposal
from companion.game.updates import GameOpened, Update
from companion.live.running import RunningGame
from companion.table.events import GameStarted, HandStarted

START = GameStarted(rules="hebei")
ROLL = HandStarted(dealer=0, dice=(3, 5))


def test_every_subscriber_gets_everything_though_another_fails(
    game: RunningGame, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Update) -> None:
        raise RuntimeError("a window that is gone")

    def fail_post(_: Callable[[], None]) -> None:
        raise RuntimeError("a loop that has ended")

    game.subscribe(fail)
    game.subscribe(lambda _: None, fail_post)
    follower = Follower(game)
    inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    posted: list[tuple[Update, int]] = []
    game.subscribe(lambda update: posted.append((update, threading.get_ident())), inbox.put)
    game.play(START)
    game.propose(Proposal(ROLL, game.now_ns, TOUCH)).result(WAIT_S)
    assert posted == []
    while not inbox.empty():
        inbox.get()()
    assert [type(update) for update, _ in posted] == [type(each) for each in follower.updates]
    assert {thread for _, thread in posted} == {threading.get_ident()}
    assert threading.get_ident() not in follower.threads
    assert "a subscriber of the running game failed" in caplog.text


def test_unsubscribed_listener_receives_nothing(game: RunningGame) -> None:
    follower, other = Follower(game), Follower(game)
    game.play(START).result(WAIT_S)
    game.unsubscribe(follower.take).result(WAIT_S)
    game.play(START).result(WAIT_S)
    assert len(follower.of(GameOpened)) == 2
    assert len(other.of(GameOpened)) == 3


def test_a_late_subscriber_finds_the_game_as_it_is(game: RunningGame) -> None:
    game.play(START)
    game.propose(Proposal(ROLL, game.now_ns, TOUCH))
    opened = Follower(game).of(GameOpened)[0].progress
    assert opened is not None
    assert opened.state.playing
