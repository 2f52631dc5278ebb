"""What the hand at the table means for devices, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

from companion.app.devices.controller import DevicesController
from companion.app.news import GameAtTable
from companion.running.deciding import Verdict
from companion.running.game import RunningGame
from companion.running.proposals import Proposal, Source, SourceKind
from companion.running.updates import GameOpened, Update
from companion.table.events import GameStarted, HandStarted

WAIT_S = 20.0
ROLL = HandStarted(dealer=0, dice=(3, 5))
CUP = Source(SourceKind.DEVICE, "cup")


def controls(game: RunningGame) -> DevicesController:
    return DevicesController(
        game,
        lambda call: call(),
        changed=lambda: None,
        kept=lambda: None,
        asked=lambda _: None,
        say=lambda _: None,
    )


def test_a_hand_at_the_table_leaves_a_kept_game_alone(tmp_path: Path) -> None:
    game, path, updates = RunningGame(), tmp_path / "friday.game", list[Update]()
    game.begin(path, GameStarted(rules="hebei"))
    game.subscribe(updates.append)
    controls(game).play(GameAtTable("hong_kong", (), 2))
    accepted = game.propose(Proposal(ROLL, game.now_ns, CUP)).result(WAIT_S)
    game.close()
    assert [each.path for each in updates if isinstance(each, GameOpened)] == [path]
    assert accepted.verdict is Verdict.ACCEPTED
    assert accepted.progress.state.house.rules.name == "hebei"


def test_nothing_is_entered_by_itself_for_a_hand_at_the_table() -> None:
    game = RunningGame()
    controls(game).play(GameAtTable("hebei", (), 0))
    held = game.propose(Proposal(ROLL, game.now_ns, CUP)).result(WAIT_S)
    game.close()
    assert held.verdict is Verdict.HELD
    assert len(held.progress.events) == 1
