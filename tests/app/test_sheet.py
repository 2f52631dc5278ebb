"""The score sheet in a real window: a kept game is opened, a hand replayed, an event put right by touch."""

from __future__ import annotations

import random

import pytest
from app_driver import Driver

from companion.app.news import SheetWanted
from companion.app.sheet.state import SheetState
from companion.coach.simulation import play
from companion.history import Game, shelf
from companion.table.events import GameStarted, PointsMoved

NAMES = ("Ann", "Bao", "陈", "Dai")


def keep_game(rules: str = "hong_kong", hands: int = 3) -> Game:
    start = GameStarted(rules=rules, names=NAMES)
    with Game.begin(shelf.path_of("friday"), start) as game:
        game.append(PointsMoved(points=(5, -5, 0, 0), why="a bet"))
        for hand in play(start, hands, random.Random(5)):
            for step in hand.steps:
                game.append(step.event)
    return game


def sheet_of(companion: Driver) -> SheetState:
    state = companion.controller.view.states["sheet"]
    assert isinstance(state, SheetState)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (800, 1280), (1024, 600)])
def test_a_kept_game_is_read_replayed_and_put_right(companion: Driver, size: tuple[int, int]) -> None:
    points = keep_game().state.points
    companion.resize(size)
    companion.controller.announce(SheetWanted("friday"))
    companion.settle()
    sheet = sheet_of(companion).sheet
    assert sheet is not None
    assert sheet.state.points == points
    assert companion.page == "sheet"
    assert companion.says("Ann")
    companion.shot(f"sheet-hands-{size[0]}x{size[1]}")
    row = next(
        w for w in companion.root.walk(restrict=True) if type(w).__name__ == "HandRow" and w.place == 3
    )
    companion.touch(row)
    assert sheet_of(companion).opened == 3
    for _ in range(3):
        companion.press("▶")
    assert sheet_of(companion).at == 3
    companion.shot(f"sheet-hand-{size[0]}x{size[1]}")
    companion.press("All hands")
    companion.controller.do("sheet", lambda state: state.open_hand(0))
    companion.frames(4)
    companion.press("Put right")
    companion.shot(f"sheet-fix-{size[0]}x{size[1]}")
    companion.press("It did not happen")
    companion.settle()
    after = sheet_of(companion).sheet
    assert after is not None
    assert after.state.points == (points[0] - 5, points[1] + 5, points[2], points[3])
    companion.press("Undo the correction")
    companion.settle()
    again = sheet_of(companion).sheet
    assert again is not None
    assert again.state.points == points
    companion.press("Figures")
    companion.shot(f"sheet-figures-{size[0]}x{size[1]}")


@pytest.mark.slow
def test_what_cannot_have_happened_changes_nothing_and_says_why(companion: Driver) -> None:
    points = keep_game().state.points
    companion.controller.announce(SheetWanted("friday"))
    companion.settle()
    companion.controller.do("sheet", lambda state: state.open_hand(1, 4))
    companion.frames(4)
    companion.press("Put right")
    companion.press("It did not happen")
    companion.settle()
    sheet = sheet_of(companion).sheet
    assert companion.banner is not None
    assert "vent" in str(companion.banner.sentence)
    assert sheet is not None
    assert sheet.state.points == points
    assert not sheet.corrections


@pytest.mark.slow
def test_a_game_is_set_aside_and_brought_back(companion: Driver) -> None:
    keep_game()
    companion.touch(companion.root.bar.buttons["sheet"])
    companion.settle()
    companion.press("Set aside")
    companion.settle()
    assert shelf.names() == []
    companion.press("Bring back")
    companion.settle()
    assert shelf.names() == ["friday"]
    assert companion.says("friday")
