"""`companion games export` and `import` with the formats of other programs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from companion.coach.play.simulation import play
from companion.game import shelf
from companion.game.game import Game
from companion.table.events import GameStarted

Call = Callable[..., Any]


@pytest.fixture
def friday() -> Path:
    """A game of two hands of built-in players."""
    start = GameStarted(rules="hebei", names=("Ann", "Bo", "陈", "=1+1"))
    path = shelf.path_of("friday")
    with Game.begin(path, start) as game:
        for hand in play(start, 2, random.Random(3)):
            for step in hand.steps:
                game.append(step.event)
    return path


def test_mjai_goes_out_and_comes_in_again(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.mjson"
    assert call("games", "export", "friday", "--as", "mjai", "--to", str(file)).status == 0
    text = call("games", "export", "friday", "--as", "mjai", "--json").document["text"]
    assert text == file.read_text("utf-8")
    file.write_text("\n\n" + text, "utf-8")
    assert call("games", "import", "again", str(file), "--json").document["hands"] == 2
    assert call("games", "export", "again").out == call("games", "export", "friday").out


def test_a_bad_line_of_mjai_makes_no_game(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.mjson"
    text = call("games", "export", "friday", "--as", "mjai").out
    file.write_text(text[:-40], "utf-8")
    complaint = call("games", "import", "again", str(file)).refused(2)
    assert complaint.endswith(" Nothing was imported.\n")
    assert shelf.names() == ["friday"]
    file.write_text('{"type":"start_game","names":["0","1","2","3"]}\n', "utf-8")
    assert "only games that this program wrote can be read" in call(
        "games", "import", "again", str(file)
    ).refused(2)


def test_pmn_has_all_hands_or_one(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.pmn"
    assert call("games", "export", "friday", "--as", "pmn").out.count("[Board ") == 2
    assert call("games", "export", "friday", "--as", "pmn", "--hand", "2", "--to", str(file)).status == 0
    assert '[Board "2"]' in file.read_text("utf-8")
    assert "There is no hand 3" in call("games", "export", "friday", "--as", "pmn", "--hand", "3").refused(2)
    assert "add --as pmn" in call("games", "export", "friday", "--hand", "1").refused(2)
    again = call("games", "import", "again", str(file), "--json").document
    assert (again["rules"], again["hands"]) == ("hebei", 1)
    call("games", "export", "friday", "--as", "pmn", "--to", str(tmp_path / "both.pmn"))
    both = call("games", "import", "both", str(tmp_path / "both.pmn")).refused(2)
    assert "only a file of one hand can be read. Nothing was imported." in both
    foreign = re.sub(r"\[Game .*", "", file.read_text("utf-8"))
    file.write_text(foreign, "utf-8")
    assert "as --rules hong_kong" in call("games", "import", "foreign", str(file)).refused(2)
    named = call("games", "import", "foreign", str(file), "--rules", "hebei", "--json").document
    assert named["points"] == again["points"]


def test_a_spreadsheet_holds_one_game_or_several(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.xlsx"
    assert "--to FILE" in call("games", "export", "friday", "--as", "spreadsheet").refused(2)
    assert "--as spreadsheet" in call("games", "export", "friday", "--also", "friday").refused(2)
    assert "No game 'late'" in call(
        "games", "export", "friday", "--as", "spreadsheet", "--also", "late", "--to", str(file)
    ).refused(2)
    call("games", "import", "late", "-", stdin=call("games", "export", "friday").out.encode())
    asked = ("--as", "spreadsheet", "--also", "late", "--language", "zh_Hans", "--to", str(file))
    assert call("games", "export", "friday", *asked).status == 0
    assert load_workbook(file).sheetnames == ["总计", "friday", "late"]
    assert "A spreadsheet is not imported" in call("games", "import", "again", str(file)).refused(2)
