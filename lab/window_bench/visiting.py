"""Opens one page of the window after the other, the table of the game between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.app.effects import Announce
from companion.app.feature import FeatureState
from companion.app.home.state import Home
from companion.app.home.state import Page as HomePage
from companion.app.news import HandEndWanted, HouseWanted, News, WinEntryWanted
from companion.app.settings.state import Part, Settings
from companion.app.sheet.state import SheetState

if TYPE_CHECKING:
    from companion.app.shell.window_controller import WindowController

Step = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Door:
    """What leads to a page, or to a part of the one in front: a step of that feature."""

    feature: str
    step: Step


def _say(news: News) -> Step:
    return lambda state: state.also(Announce(news))


def _enter(state: Any) -> FeatureState:
    entered: FeatureState = state.enter()
    return entered


def _show_part(part: Part) -> Step:
    return lambda state: Settings.show_part(state.enter(), part)


def _show_sheet(part: str) -> Step:
    return lambda state: SheetState.choose_part(state, part)


def _open_hand(state: SheetState) -> SheetState:
    return state.open_hand(0) if state.sheet and state.sheet.hands else state


ROUNDS: tuple[tuple[Door, ...], ...] = (
    (
        Door("sheet", _enter),
        Door("sheet", _show_sheet("figures")),
        Door("sheet", _show_sheet("evenings")),
        Door("sheet", _show_sheet("games")),
        Door("sheet", _show_sheet("hands")),
        Door("sheet", _open_hand),
        Door("sheet", lambda state: state.in_hand(lambda look: look.show_steps(True))),
    ),
    (Door("game", _say(WinEntryWanted(0))),),
    (Door("game", _say(HandEndWanted())),),
    (Door("coach", lambda state: state.toggle()), Door("coach", lambda state: state.toggle())),
    (Door("coach", _enter),),
    (
        Door("settings", _show_part(Part.LOOKS)),
        Door("settings", _show_part(Part.SOUND)),
        Door("settings", _show_part(Part.DATA)),
        Door("settings", lambda state: state.explain()),
    ),
    (Door("devices", _enter),),
    (Door("tile_sets", _enter),),
    (Door("home", _say(HouseWanted())),),
    (
        Door("home", Home.go_home),
        Door("home", lambda state: state.show(HomePage.NEW_GAME)),
        Door("home", lambda state: state.show(HomePage.GAMES)),
    ),
)
"""All that people open while a game is played. After each round the table is shown."""
TABLE = Door("game", _enter)


def make_visit(controller: WindowController) -> Iterator[None]:
    """Open the next page each time that it is asked for one."""
    for doors in ROUNDS:
        for door in (*doors, TABLE):
            controller.do(door.feature, door.step)
            yield
