"""The page on which a game is followed: first what is to be followed, then the table."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.app.cameras import Cameras
from companion.app.feature import Controller, View
from companion.app.game.live_pane import LivePane
from companion.app.game.setup import SetupPane
from companion.app.game.state import FollowGame

FRAMES_PER_S = 30


class GamePage(BoxLayout):
    """Draws the camera's pictures while it is in front."""

    def __init__(self, controller: Controller[FollowGame], cameras: Cameras) -> None:
        super().__init__()
        self.setup = SetupPane(controller, cameras)
        self.live = LivePane(controller)
        self._tick = Clock.schedule_interval(self._update, 1 / FRAMES_PER_S)
        self._tick.cancel()

    def show(self, view: View[FollowGame]) -> None:
        runs = view.state.shows_table
        pane = self.live if runs else self.setup
        pane.show(view)
        if self.children != [pane]:
            self.clear_widgets()
            self.add_widget(pane)
        if runs:
            self._tick()
        else:
            self.live.forget()

    def _update(self, _: float) -> bool:
        if self.parent is None or self.live.parent is None:
            self.live.forget()
            return False
        return self.live.update()
