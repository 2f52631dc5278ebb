"""No command prints 1460 where another one prints 1,460; JSON and spreadsheets keep plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.config import data_dir
from companion.game import shelf
from companion.game.game import Game
from companion.rules.win import Stakes
from companion.table.events import GameStarted, PointsMoved
from tests.plain_numbers import find_plain_numbers

Call = Callable[..., Any]


def test_commands_write_large_numbers_one_way(call: Call) -> None:
    start = GameStarted(rules="taiwanese", names=("Ann", "Bo", "Chen", "Dee"), stakes=Stakes(1500, 1200))
    with Game.begin(shelf.path_of("friday"), start) as game:
        game.append(PointsMoved(points=(14600, -1460, -1460, -11680), why="a bet"))
    hand = (
        "--rules",
        "taiwanese",
        "--hand",
        "123m456m789m123p55z",
        "--meld",
        "p222s",
        "--winning-tile",
        "5z",
    )
    won = (*hand, "--winner", "0", "--self-draw", "--stakes", "base=1500,unit=1200")
    printed = [
        call(*command).out
        for command in (
            ("games", "list"), ("games", "show", "friday"), ("games", "settle", "friday", "--currency", "¥"),
            ("games", "figures", "friday"), ("score", *won),
            ("simulate", "--rules", "taiwanese", "--hands", "1"),
        )
    ]  # fmt: skip
    assert all(printed)
    lines = [line for text in printed for line in text.replace(str(data_dir()), "").splitlines()]
    assert find_plain_numbers(lines) == []
    assert any("−11,680" in text for text in printed)
    assert call("games", "settle", "friday", "--currency", "¥", "--json").document["points"][0] == 14600
    assert "14600" in call("games", "export", "friday", "--as", "csv").out
