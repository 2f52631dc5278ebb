"""`companion games`: the kept games on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.history import Game, shelf
from companion.table.events import GameStarted, PointsMoved

Call = Callable[..., Any]


@pytest.fixture
def friday() -> Path:
    """A game with two payments, of which one was undone."""
    path = shelf.path_of("friday")
    with Game.begin(path, GameStarted(rules="hefei", names=("Ann", "Bo", "陈", "Dee"))) as game:
        game.append(PointsMoved(points=(5, -5, 0, 0), why="a bet"), "bet 1")
        game.append(PointsMoved(points=(9, -9, 0, 0), why="no bet"))
        game.undo()
    return path


def test_no_game(call: Call) -> None:
    assert call("games", "list", "--json").document == []
    assert call("games", "list").out == "No game is kept.\n"
    assert "There is no game 'friday': there is none yet." in call("games", "export", "friday").refused(2)


def test_games_are_listed_damaged_and_open_ones_too(call: Call, friday: Path) -> None:
    friday.with_name("sunday.game").write_bytes(b"East, South, West, North. " * 1000)
    friday, sunday = call("games", "list", "--json").document
    assert (friday["name"], friday["rules"], friday["points"]) == ("friday", "hefei", [5, -5, 0, 0])
    assert (friday["names"], friday["events"], friday["entries"]) == (["Ann", "Bo", "陈", "Dee"], 2, 4)
    assert sunday["name"] == "sunday"
    assert "is damaged: file is not a database" in sunday["error"]
    with Game.resume(Path(friday["file"])):
        assert "friday  The game 'friday' is open in another program" in call("games", "list").out
    assert "friday  hefei, 0 hands, Ann +5, Bo -5, 陈 +0, Dee +0; last played 20" in call("games", "list").out


@pytest.mark.parametrize("form", ["log", "history"])
def test_a_game_goes_out_and_comes_in_again(call: Call, friday: Path, tmp_path: Path, form: str) -> None:
    file = tmp_path / "friday.jsonl"
    assert call("games", "export", "friday", "--as", form, "--to", str(file), "--json").document == {
        "name": "friday", "as": form, "file": str(file)
    }  # fmt: skip
    assert call("games", "export", "friday", "--as", form, "--json").document["text"] == file.read_text(
        "utf-8"
    )
    told = call("games", "import", "saturday", str(file), "--json").document
    assert (told["name"], told["points"], told["entries"]) == (
        "saturday", [5, -5, 0, 0], {"log": 2, "history": 4}[form]
    )  # fmt: skip
    assert "There is a game 'saturday' already" in call("games", "import", "saturday", str(file)).refused(2)
    assert "(File exists)" in call("games", "export", "friday", "--to", str(file)).refused(2)


def test_a_table_goes_out_and_comes_in_again(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.csv"
    assert call("games", "export", "friday", "--as", "csv", "--to", str(file)).status == 0
    assert file.read_text("utf-8-sig").splitlines()[1] == "0,,,,moved,,a bet,,5,-5,0,0,5,-5,0,0"
    assert "read where its rules are named" in call("games", "import", "new", str(file)).refused(2)
    told = call("games", "import", "new", str(file), "--rules", "hefei", "--json").document
    assert (told["points"], told["events"]) == ([5, -5, 0, 0], 2)


def test_a_bad_line_makes_no_game(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.jsonl"
    call("games", "export", "friday", "--to", str(file))
    file.write_bytes(file.read_bytes()[:-20])
    assert "Line 3: " in call("games", "import", "new", str(file)).refused(2)
    assert shelf.names() == ["friday"]
    assert "cannot be read" in call("games", "import", "new", str(tmp_path / "none")).refused(2)


def test_a_damaged_game_is_rescued(call: Call, friday: Path) -> None:
    content = friday.read_bytes()
    friday.write_bytes(content.replace(b'"no bet"', b'"an bet"'))
    assert "is damaged: entry 3 is not as it was written" in call("games", "export", "friday").refused(3)
    told = call("games", "rescue", "friday", "friday-2", "--json").document
    assert (told["name"], told["points"], told["entries"]) == ("friday-2", [5, -5, 0, 0], 2)
    assert "There is no game 'nix': there is friday or friday-2." in call(
        "games", "rescue", "nix", "new"
    ).refused(2)
