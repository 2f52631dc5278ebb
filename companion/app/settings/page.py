"""The page of the settings: four parts, of which one is shown; a touch applies at once."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.settings.cards import say_pairs
from companion.app.settings.data_pane import DataPane
from companion.app.settings.looks_pane import LooksPane
from companion.app.settings.sound_pane import SoundPane
from companion.app.settings.state import Part, Settings
from companion.app.settings.table_pane import TablePane
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press
from companion.images import Image
from companion.sentences import msgid

PARTS = (
    (Part.LOOKS, msgid("Looks")), (Part.SOUND, msgid("Sound")), (Part.TABLE, msgid("Camera and table")),
    (Part.DATA, msgid("Data")),
)  # fmt: skip
BUTTON_WIDTH = dp(110)
ONE_ROW_FROM = dp(900)


class SettingsPage(BoxLayout):
    """Head and parts share a row where there is room."""

    def __init__(self, controller: Controller[Settings], find_picture: Callable[[], Image | None]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self.part = Choices(lambda key: do(lambda state: state.show_part(Part(key))))
        self.back = Press(
            " ", act=lambda: do(lambda state: state.step_back()), size_hint_x=None, width=BUTTON_WIDTH
        )
        self._head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.looks, self.sound = LooksPane(controller), SoundPane(controller)
        self.table, self.data = TablePane(controller, find_picture), DataPane(controller)
        self._panes: dict[Part, LooksPane | SoundPane | TablePane | DataPane] = {
            Part.LOOKS: self.looks, Part.SOUND: self.sound, Part.TABLE: self.table, Part.DATA: self.data,
        }  # fmt: skip
        self._placed: object = None

    def show(self, view: View[Settings]) -> None:
        words, state = view.words, view.state
        self.back.text = words("Back")
        self.part.offer(say_pairs(PARTS, words), state.part)
        self._place(state.part, one_row=view.size[0] >= ONE_ROW_FROM)
        self._panes[state.part].show(view)

    def _place(self, part: Part, *, one_row: bool) -> None:
        if self._placed == (part, one_row):
            return
        self._placed = part, one_row
        for box in (self, self._head):
            box.clear_widgets()
        self.back.size_hint_x = None if one_row else 1
        for widget in (self.part, self.back) if one_row else (self.back,):
            self._head.add_widget(widget)
        for row in (self._head, self._panes[part]) if one_row else (self.part, self._panes[part], self._head):
            self.add_widget(row)
