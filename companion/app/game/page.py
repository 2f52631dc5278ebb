"""The page of the game that is played: its table; before one is open, which it is to be."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.app.cameras import Cameras
from companion.app.feature import Controller, View
from companion.app.game.setup import SetupPane
from companion.app.game.state import GameTable
from companion.app.game.table_pane import TablePane

FRAMES_PER_S = 30


class GamePage(BoxLayout):
    """Draws the camera's pictures while it is in front and the camera is at work."""

    def __init__(self, controller: Controller[GameTable], cameras: Cameras) -> None:
        super().__init__()
        self.setup = SetupPane(controller)
        self.table = TablePane(controller, cameras)
        self._is_live = False
        self._tick = Clock.schedule_interval(self._update, 1 / FRAMES_PER_S)
        self._tick.cancel()

    def show(self, view: View[GameTable]) -> None:
        state = view.state
        pane = self.table if state.shows_table else self.setup
        pane.show(view)
        if self.children != [pane]:
            self.clear_widgets()
            self.add_widget(pane)
        self._is_live = state.shows_table and (state.runs or state.ended)
        if self._is_live:
            self._tick()
        else:
            self.table.picture.forget()

    def _update(self, _: float) -> bool:
        if self.parent is None or not self._is_live:
            self.table.picture.forget()
            return False
        return self.table.picture.update()
