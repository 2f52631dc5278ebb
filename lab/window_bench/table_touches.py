"""What a person touches on the table's page to record an event: one touch for a discard, none for a draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from companion.app.game.state import GameTable, find_actor
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
)
from companion.table.state import State

if TYPE_CHECKING:  # which brings Kivy: not before the window is prepared
    from companion.app.shell.root import Root
    from companion.app.shell.window_controller import WindowController


class Screen(Protocol):
    """A window, and the finger on it."""

    controller: WindowController
    root: Root

    def touch(self, target: Any) -> None:
        """Touch the middle of that widget."""

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Draw frames until the condition holds."""


class TableTouches:
    """The table's page of that window."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    @property
    def state(self) -> GameTable:
        state = self._screen.controller.view.states["game"]
        assert isinstance(state, GameTable)
        return state

    @property
    def game(self) -> State:
        """How the game stands that the window shows."""
        assert self.state.game is not None
        return self.state.game

    @property
    def pane(self) -> Any:
        return self._screen.root.page("game").table  # type: ignore[attr-defined]

    def record(self, event: Event) -> int:
        """Touch what enters that event; how many touches that was."""
        targets = 0
        for find in self._list_targets(event):
            target = find()
            if target is not None:
                self._screen.touch(target)
                targets += 1
        return targets

    def _list_targets(self, event: Event) -> list[Callable[[], Any]]:
        """What is touched, one after the other; each is found once the one before has changed the page."""
        keys, board = self.pane.keys, self.pane.board
        match event:
            case HandStarted(dice=None):
                return [lambda: keys.no_dice]
            case HandStarted(dice=tuple() as dice):
                return [self._find_die(face) for face in dice]
            case IndicatorTurned(tile=tile, dice=dice):
                return [*(self._find_die(face) for face in dice or ()), lambda: keys.grid.keys[tile]]
            case Claimed(seat=seat, meld=meld):
                return [lambda: board.find_side(seat), lambda: keys.melds[meld]]
            case ConcealedKong(tile=tile):
                return [lambda: keys.kong, lambda: self._find_kong("concealed", tile)]
            case AddedKong(tile=tile):
                return [lambda: keys.kong, lambda: self._find_kong(f"a{tile}", None)]
            case ReadyDeclared():
                return [lambda: keys.ready]
            case FlowerSetOut(seat=seat, tile=tile) | Discarded(seat=seat, tile=tile):
                other = seat != find_actor(self.state)
                side = [lambda: board.find_side(seat)] if other else []
                return [*side, lambda: keys.grid.keys[tile] if tile else keys.unseen]
            case Drawn():
                return [lambda: keys.draw]
        raise ValueError(f"not recorded on the table's page: {event}")

    def _find_die(self, face: int) -> Callable[[], Any]:
        return lambda: self.pane.keys.dice.keys[face]

    def _find_kong(self, key: str, tile: str | None) -> Any:
        """Which kong it is, where it can be several."""
        keys = self.pane.keys
        if not self.state.kong:
            return None
        return keys.melds.get(key) or keys.grid.keys[tile]
