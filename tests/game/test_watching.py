"""A kept game is watched while another process writes it, which notices nothing of that."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from processes import running
from sums import START, event

from companion.errors import CompanionError, GameFileError, InputError
from companion.game import watching
from companion.game.game import Game
from companion.game.watching import PlayedSoFar, WatchedGame
from tests.programs import LIMIT_S

WRITER = """
import sys
with Game.resume(Path(sys.argv[1])) as game:
    for line in sys.stdin:
        number = int(line)
        if number < 0:
            game.undo(-number)
        else:
            game.append(event(number))
        print("kept", flush=True)
"""
HASTY = """
import sys
with Game.resume(Path(sys.argv[1])) as game:
    for number in range(1, 101):
        game.append(event(number))
    print("done", flush=True)
    sys.stdin.read()
"""


def wait_for_change(watched: WatchedGame) -> PlayedSoFar:
    until_s = time.monotonic() + LIMIT_S
    while (found := watched.poll()) is None:
        assert time.monotonic() < until_s
    return found


def test_each_event_and_each_undo_of_another_process_is_seen(path: Path) -> None:
    Game.begin(path, START).close()
    watched = WatchedGame(path)
    assert wait_for_change(watched).state.points == (0, 0, 0, 0)
    with running("from pathlib import Path\n" + WRITER, path) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        for number, points in ((3, 3), (4, 7), (-1, 3), (5, 8), (-2, 0)):
            writer.stdin.write(f"{number}\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "kept\n"
            found = wait_for_change(watched)
            assert found.state.points[0] == points
            assert found.name == "home"
        with pytest.raises(GameFileError):  # the writer has kept its lock
            Game.resume(path)
    time.sleep(2 * watching.SAME_TIME_NS / 1e9)
    assert watched.poll() is None
    assert watched.poll() is None


def test_what_is_read_in_the_middle_of_a_transaction_is_never_shown(path: Path) -> None:
    Game.begin(path, START).close()
    watched = WatchedGame(path)
    sums = [sum(range(1, number + 1)) for number in range(101)]
    seen = [wait_for_change(watched)]
    with running("from pathlib import Path\n" + HASTY, path):
        while len(seen[-1].events) < 101:
            seen.append(wait_for_change(watched))
    lengths = [len(each.events) for each in seen]
    assert lengths == sorted(set(lengths))
    assert all(each.state.points[0] == sums[len(each.events) - 1] for each in seen)


def test_a_game_that_is_damaged_or_gone_says_so_and_may_come_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Game.begin(path, START) as game:
        game.append(event(7))
    content = path.read_bytes()
    watched = WatchedGame(path)
    wait_for_change(watched)
    path.write_bytes(content[: len(content) // 2])
    assert watched.poll() is None
    monkeypatch.setattr(watching, "UNSETTLED_S", -1.0)
    with pytest.raises(GameFileError):
        watched.poll()
    path.unlink()
    with pytest.raises(InputError):
        watched.poll()
    with Game.begin(path, START) as game:
        game.append(event(9))
    assert wait_for_change(watched).state.points[0] == 9


def test_a_game_that_comes_back_after_an_impossible_one_is_shown_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Game.begin(path, START) as game:
        game.append(event(7))
    content = path.read_bytes()
    watched = WatchedGame(path)
    wait_for_change(watched)

    def refuse(_: object) -> None:
        raise InputError("This cannot have happened.")

    path.unlink()
    Game.begin(path, START).close()
    with monkeypatch.context() as patch:
        patch.setattr(watching, "decode_event", refuse)
        with pytest.raises(InputError):
            wait_for_change(watched)
    path.write_bytes(content)
    assert wait_for_change(watched).state.points[0] == 7


def test_a_game_without_a_file_is_refused(path: Path) -> None:
    with pytest.raises(CompanionError):
        WatchedGame(path).poll()
