"""`companion serve` as a person starts it, while another process plays the game."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from companion.game.game import Game
from companion.game.shelf import path_of
from companion.table.events import GameStarted, PointsMoved
from tests.programs import LIMIT_S, started

START = GameStarted(rules="hefei", names=("Ann", "B", "C", "D"))
COMPANION = (sys.executable, "-m", "companion")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def serving(*arguments: str) -> AbstractContextManager[subprocess.Popen[str]]:
    command = [*COMPANION, "serve", "--port", "0", *arguments]
    return started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(address: str, holds: Any) -> dict[str, Any]:
    until_s = time.monotonic() + LIMIT_S
    while time.monotonic() < until_s:
        state: dict[str, Any] = json.load(urlopen(address, timeout=LIMIT_S))
        if holds(state):
            return state
        time.sleep(0.02)
    raise AssertionError("it was never so")


def move(points: int) -> PointsMoved:
    return PointsMoved(points=(points, -points, 0, 0), why="a wager")


def test_it_follows_the_game_that_was_written_last_until_it_is_stopped() -> None:
    with serving() as program:
        assert program.stdout is not None
        address = program.stdout.readline().strip()
        assert wait_for(f"{address}state", lambda state: state["game"] is None)["trouble"]
        with Game.begin(path_of("friday"), START) as friday:
            friday.append(move(5))
            wait_for(f"{address}state", lambda state: (state["game"], points(state)) == ("friday", 5))
            friday.append(move(2))
            wait_for(f"{address}state", lambda state: points(state) == 7)
            friday.undo()
            wait_for(f"{address}state", lambda state: points(state) == 5)
        with Game.begin(path_of("saturday"), START):
            wait_for(f"{address}state", lambda state: state["game"] == "saturday")
        program.send_signal(signal.SIGINT)
        out, problems = program.communicate(timeout=LIMIT_S)
        assert (out, problems, program.returncode) == ("", "", 0)
    with pytest.raises(URLError):
        urlopen(address, timeout=5)


def points(state: dict[str, Any]) -> int | None:
    return state["scores"]["points"][0] if state["scores"] else None


def test_with_json_the_address_and_the_token_are_a_document() -> None:
    Game.begin(path_of("friday"), START).close()
    with serving("friday", "--lan", "--json") as program:
        assert program.stdout is not None
        document = json.loads(program.stdout.readline())
        assert document["address"].endswith(f"?token={document['token']}")
        port = document["address"].split(":")[2].split("/")[0]
        answer = urlopen(f"http://127.0.0.1:{port}/state?token={document['token']}", timeout=LIMIT_S)
        assert json.load(answer)["version"] == 1


def test_a_game_that_does_not_exist_is_refused_in_a_sentence() -> None:
    Game.begin(path_of("friday"), START).close()
    done = subprocess.run(
        [*COMPANION, "serve", "frday"], capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "friday" in done.stderr
