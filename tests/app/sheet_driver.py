"""Games that are kept for the tests of the score sheet, and what its page shows of them."""

from __future__ import annotations

import random
from typing import Any

from app_driver import Driver

from companion.app.home.state import Home
from companion.app.news import GamesWanted, SheetWanted
from companion.app.sheet.state import SheetState
from companion.coach.play.simulation import play
from companion.game import shelf
from companion.game.game import Game
from companion.rules import Source
from companion.table.apply import fold
from companion.table.events import Event, GameStarted, PointsMoved
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import Tile, parse_tiles

NAMES = ("Ann", "Bao", "陈小姐", "Dai")
LONG = ("Maximiliana von Hohenstein", "Bao", "歐陽司馬諸葛上官", "Dai")


def keep_game(
    name: str = "friday", rules: str = "hong_kong", hands: int = 4, names: tuple[str, str, str, str] = NAMES
) -> list[Event]:
    """A game of built-in players, of which everything was seen."""
    start = GameStarted(rules=rules, names=names)
    events: list[Event] = [start, PointsMoved(points=(5, -5, 0, 0), why="penalty")]
    for hand in play(start, hands, random.Random(5)):
        events += [step.event for step in hand.steps]
    keep(name, events)
    return events


def keep_declared(name: str = "told", names: tuple[str, str, str, str] = NAMES) -> list[Event]:
    """A game of which only wins were recorded."""
    tiles = tuple(parse_tiles("123m55z456p678s789s"))
    events: list[Event] = [GameStarted(rules="hong_kong", names=names)]
    for seat, giver in ((1, None), (2, 3), (0, 1)):
        state = fold(events)
        assert state is not None
        source = Source.SELF_DRAW if giver is None else Source.DISCARD
        reported = ReportedWin(seat, source, giver, Tile.parse("9s"), tiles)
        events += enter_win(state, reported).events
    keep(name, events)
    return events


def keep(name: str, events: list[Event]) -> None:
    start = events[0]
    assert isinstance(start, GameStarted)
    with Game.begin(shelf.path_of(name), start) as game:
        for event in events[1:]:
            game.append(event)


def state_of(companion: Driver) -> SheetState:
    state = companion.controller.view.states["sheet"]
    assert isinstance(state, SheetState)
    return state


def wait_for_fix(companion: Driver) -> None:
    """Until what a correction would change is worked out and shown."""
    companion.wait(lambda: state_of(companion).is_ready_to_show, "what would change")
    companion.frames(4)


def open_sheet(companion: Driver, name: str) -> None:
    companion.controller.announce(SheetWanted(name))
    companion.settle()


def find(companion: Driver, kind: str, **wanted: Any) -> Any:
    """The widget of that class with these attributes."""
    return next(
        each
        for each in companion.root.walk(restrict=True)
        if type(each).__name__ == kind and all(getattr(each, k) == v for k, v in wanted.items())
    )


def open_games(companion: Driver) -> None:
    """The list of games."""
    companion.controller.announce(GamesWanted())
    companion.wait(lambda: list_names(companion) == set(shelf.names()), "all games")
    companion.settle()


def list_names(companion: Driver) -> set[str]:
    """The names of the games that the window knows."""
    home = companion.controller.view.states["home"]
    assert isinstance(home, Home)
    return {game.name for game in home.all_games}


def find_row(companion: Driver, name: str) -> Any:
    """The row of that game in the list, once it is read."""

    def find() -> list[Any]:
        rows = (each for each in companion.root.walk(restrict=True) if type(each).__name__ == "GameRow")
        return [row for row in rows if row.game.name == name]

    companion.wait(find, f"the row of {name}")
    return find()[0]


def page(companion: Driver) -> Any:
    return companion.pages.sheet


def points_of(companion: Driver) -> tuple[int, ...]:
    sheet = state_of(companion).sheet
    assert sheet is not None
    return sheet.state.points
