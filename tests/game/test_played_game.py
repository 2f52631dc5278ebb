"""What a subscriber knows of the game that is played, kept up to date by the updates alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hands import TOUCH, played

from companion.game.deciding import Progress
from companion.game.proposals import Proposal
from companion.game.updates import PlayedGame, Update
from companion.live.running import RunningGame
from companion.table.events import GameStarted


@pytest.fixture
def running() -> Iterator[RunningGame]:
    game = RunningGame(clock=lambda: 0)
    yield game
    game.close()


def now(game: RunningGame) -> Progress:
    return game.transact(lambda transaction: transaction.get_progress()).result()


def test_it_is_the_owners_game_after_every_update(running: RunningGame, tmp_path: Path) -> None:
    heard: list[Update] = []
    running.subscribe(heard.append).result()
    path = tmp_path / "friday.game"
    start, *events = played("hefei", 3)
    assert isinstance(start, GameStarted)
    running.begin(path, start).result()
    for event in events[:12]:
        running.propose(Proposal(event, 0, TOUCH)).result()
    running.undo(2).result()
    known = PlayedGame()
    for update in heard:
        known = known.apply_update(update)
    assert (known.progress, known.path, known.name) == (now(running), path, "friday")
    running.leave().result()
    assert known.apply_update(heard[-1]) == PlayedGame()
