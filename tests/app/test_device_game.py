"""What the hand at the table means for devices, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

from companion.app.devices.state import Devices, DevicesController
from companion.app.effects import AskQuestion
from companion.app.mirror import GameMirror
from companion.app.news import GameAtTable, SeatWins
from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.game.updates import GameOpened, Post, Update
from companion.live.running import RunningGame
from companion.table.apply import apply
from companion.table.events import GameStarted, HandStarted, SeatsChanged

WAIT_S = 60.0
ROLL = HandStarted(dealer=0, dice=(3, 5))
CUP = Reporter(SourceKind.DEVICE, "cup")


def controls(game: RunningGame) -> DevicesController:
    post: Post = lambda call: call()  # noqa: E731
    return DevicesController(
        game,
        GameMirror(game, post),
        post,
        changed=lambda: None,
        kept=lambda: None,
        asked=lambda _seat, _game: None,
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


def test_the_win_button_is_that_of_who_sits_there() -> None:
    begun = apply(None, GameStarted(rules="hebei", names=("Ann", "Bao", "", "Dai")))
    moved = apply(begun, SeatsChanged(order=(1, 0, 2, 3)))
    asked = [Devices().ask_winner(seat, game).effects[-1] for game in (begun, moved) for seat in (0, 2)]
    said = [
        (str(each.sentence), str(each.answer), each.then) for each in asked if isinstance(each, AskQuestion)
    ]
    assert said == [
        ("Ann: the win button was pressed.", "Ann wins", SeatWins(0)),
        ("Across: the win button was pressed.", "Across wins", SeatWins(2)),
        ("Bao: the win button was pressed.", "Bao wins", SeatWins(0)),
        ("Across: the win button was pressed.", "Across wins", SeatWins(2)),
    ]
