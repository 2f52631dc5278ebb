"""Records a simulated hand in the real window by touches alone, and counts them."""

from __future__ import annotations

from typing import Any

from app_driver import Driver

from companion.app.game.state import GameTable
from companion.app.news import NewGameWanted
from companion.coach.simulation import PlayedHand
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandDrawn,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import State

ENDS = (Won, HandDrawn)
"""What another page enters."""


class Recorder:
    """The table of the window. touches: how many it took, by the type of the event."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.touches: dict[type, list[int]] = {}
        self._count = 0

    @property
    def state(self) -> GameTable:
        state = self.driver.controller.view.states["game"]
        assert isinstance(state, GameTable)
        return state

    @property
    def game(self) -> State:
        assert self.state.game is not None
        return self.state.game

    @property
    def pane(self) -> Any:
        return self.driver.pages.game.table

    def begin(self, start: GameStarted) -> None:
        self.driver.controller.announce(NewGameWanted(start))
        self.driver.settle()
        self.driver.wait(lambda: self.state.followed is not None, "the game")
        self.driver.frames(3)

    def touch(self, target: Any) -> None:
        self._count += 1
        self.driver.touch(target, hold_frames=0)

    def record(self, event: Event) -> None:
        """Touch what enters that event, and wait until it is in the game."""
        self._count, before = 0, self.state.followed
        assert before is not None
        self._touch_event(event)
        self.touches.setdefault(type(event), []).append(self._count)
        self.driver.wait(lambda: self._is_in(event, before.count), f"{event}")
        self.driver.frames(1)

    def _is_in(self, event: Event, count: int) -> bool:
        """Whether the game has it, and the deal after the dice."""
        followed = self.state.followed
        assert followed is not None
        if isinstance(event, HandStarted):
            return followed.count >= count + 2
        if isinstance(event, Drawn):
            return followed.count > count
        return followed.count > count and followed.entries[-1].event == event

    def _touch_event(self, event: Event) -> None:
        keys = self.pane.keys
        match event:
            case HandStarted(dice=dice):
                for die in dice or ():
                    self.touch(keys.dice.keys[die])
                if dice is None:
                    self.touch(keys.no_dice)
            case IndicatorTurned(tile=tile, dice=dice):
                for die in dice or ():
                    self.touch(keys.dice.keys[die])
                self.touch(keys.grid.keys[tile])
            case Claimed(seat=seat, meld=meld):
                self.touch(self.pane.board.find_side(seat))
                self.touch(keys.melds[meld])
            case ConcealedKong(tile=tile):
                self.touch(keys.kong)
                if tile is not None and "concealed" not in keys.melds and self.state.kong:
                    self.touch(keys.grid.keys[tile])
                elif self.state.kong:
                    self.touch(keys.melds["concealed"])
            case AddedKong(tile=tile):
                self.touch(keys.kong)
                if self.state.kong:
                    self.touch(keys.melds[f"a{tile}"])
            case ReadyDeclared():
                self.touch(keys.ready)
            case FlowerSetOut(seat=seat, tile=tile) | Discarded(seat=seat, tile=tile):
                if seat != keys._actor:
                    self.touch(self.pane.board.find_side(seat))
                self.touch(keys.grid.keys[tile] if tile else keys.unseen)
            case Drawn():
                self.touch(keys.draw)


def list_recorded(hand: PlayedHand) -> list[Event]:
    """What everybody at the table sees of that hand, without words and without its end."""
    seen, before = [], hand.before
    for step in hand.steps:
        event = event_as_seen(before, step.event, None)
        before = step.state
        if not isinstance(event, (Called, WinPassed, *ENDS)):
            seen.append(event)
    return seen


def fold_seen(start: GameStarted, events: list[Event]) -> State:
    state = apply(None, start)
    for event in events:
        state = apply(state, event)
    return state


def is_touched(event: Event, state: State) -> bool:
    """Whether a person names it: draws and the deal go without saying, but for those of the sea."""
    if isinstance(event, Dealt):
        return False
    return not isinstance(event, Drawn) or (state.hand is not None and state.hand.wall.in_sea)
