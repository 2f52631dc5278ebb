"""What the window does with camera and game when a game is gone on with. No window, no camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.cameras import Cameras
from companion.app.feature import Effect, Say, take_step
from companion.app.game.feature import GameFeature
from companion.app.game.state import BeginGame, FollowGame, GoOn, OpenGame, Plan
from companion.cameras import CameraInfo
from companion.running.followed_game import ENTERED_BEFORE
from companion.running.game import RunningGame

FILM = "file:hand.mkv"


class Table:
    """The feature and its state; what it works on is done at once, and its own effects are only noted."""

    def __init__(self, game: RunningGame) -> None:
        cameras = Cameras(lambda: (CameraInfo("desk", "Desk"),), lambda _: pytest.fail("a camera is opened"))
        reader: Any = SimpleNamespace(watch_table=lambda *_: pytest.fail("a picture is read"))
        self.feature = GameFeature(cameras, reader, game, lambda step: None)
        self.state = FollowGame(Plan("hefei"))
        self.effects: list[Effect] = []

    def do(self, step: Callable[[FollowGame], FollowGame]) -> None:
        self.state, effects = take_step(self.state, step)
        self.effects += effects

    def work(self, job: Callable[[], Callable[[FollowGame], FollowGame]]) -> None:
        self.do(job())

    def perform(self, effect: Effect) -> list[Effect]:
        """The effects that come of it."""
        self.effects = []
        self.feature.perform(effect, self)
        return self.effects


@pytest.fixture
def table() -> Iterator[Table]:
    game = RunningGame()
    yield Table(game)
    game.close()


def test_the_open_game_is_opened_with_another_camera(table: Table) -> None:
    table.perform(BeginGame(table.state.plan))
    first, name = table.state.following, table.state.plan.name
    assert name is not None
    table.do(lambda state: state.with_camera("door"))
    effects = table.perform(OpenGame(table.state.plan, name))
    assert effects[-1] == GoOn(table.state.plan)
    assert table.state.following not in (None, first)


def test_what_cannot_be_opened_leaves_a_game_to_go_on_with(table: Table, tmp_path: Path) -> None:
    table.perform(BeginGame(table.state.plan))
    table.do(lambda state: state.with_camera(f"file:{tmp_path / 'missing.mkv'}"))
    (said,) = table.perform(BeginGame(table.state.plan))
    assert isinstance(said, Say)
    assert (table.state.following, table.state.busy) == (None, None)
    assert any(isinstance(each, OpenGame) for each in table.state.go_on().effects)


def test_a_film_is_not_followed_into_its_game_twice(table: Table) -> None:
    class Started:
        has_started = True

    following: Any = Started()
    table.feature._following = following
    (said,) = table.perform(GoOn(Plan("hefei", camera=FILM, name="friday")))
    assert isinstance(said, Say)
    assert said.sentence is not None
    assert said.sentence.template == ENTERED_BEFORE
    assert not table.state.runs
