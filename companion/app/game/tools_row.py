"""What is always at hand beside the table: undo, redo, and the ways of recording."""

from __future__ import annotations

from collections.abc import Callable

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.game.recording import Side
from companion.app.game.state import GameTable
from companion.app.widgets import theme
from companion.app.widgets.basics import Press


class ToolsRow(BoxLayout):
    """One touch each."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        do = controller.do
        self.undo = _button(lambda: do(GameTable.take_back))
        self.redo = _button(lambda: do(GameTable.bring_back))
        self.keys = _button(lambda: do(lambda state: state.show_side(Side.KEYS)))
        self.events = _button(lambda: do(lambda state: state.show_side(Side.EVENTS)))
        self.camera = _button(lambda: do(lambda state: state.show_side(Side.CAMERA)))
        self.counts = _button(lambda: do(lambda state: state.show_counts(not state.shows_counts)))
        self.wins = _button(lambda: do(lambda state: state.record_wins_only(not state.wins_only)))
        self._placed: object = None

    def show(self, view: View[GameTable]) -> None:
        state, words = view.state, view.words
        self.undo.text, self.redo.text = words("Undo"), words("Redo")
        self.undo.disabled = not state.can_take_back
        self.redo.disabled = not state.can_bring_back
        self.keys.text, self.events.text = words("Tiles"), words("Events")
        self.camera.text, self.counts.text = words("Follow"), words("Counts")
        self.wins.text = words("Record tiles too") if state.wins_only else words("Only wins")
        for button, side in ((self.keys, Side.KEYS), (self.events, Side.EVENTS), (self.camera, Side.CAMERA)):
            button.chosen = state.side is side
        self.counts.chosen = state.shows_counts
        buttons = [self.undo, self.redo, self.wins]
        if not state.wins_only:
            buttons[2:2] = [self.keys, self.events, self.camera, *([] if state.fair else [self.counts])]
        if buttons != self._placed:
            self._placed = buttons
            self.clear_widgets()
            for button in buttons:
                self.add_widget(button)


def _button(act: Callable[[], None]) -> Press:
    press = Press(" ", act=act, size=theme.TEXT_SMALL)
    press.padding = (theme.GAP / 4, 0)
    return press
