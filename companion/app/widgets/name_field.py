"""A field for a name."""

from __future__ import annotations

from collections.abc import Callable

from kivy.uix.textinput import TextInput

from companion.app.widgets import theme

LETTERS_MAX = 60


class NameField(TextInput):
    """One line; `typed` hears every change that a person makes, up to `letters` of it."""

    def __init__(self, typed: Callable[[str], None], letters: int = LETTERS_MAX) -> None:
        super().__init__(
            multiline=False, write_tab=False, font_size=theme.TEXT, size_hint_y=None, height=theme.TOUCH,
            padding=(theme.GAP, (theme.TOUCH - theme.TEXT * 1.5) / 2), background_normal="",
            background_active="", background_color=theme.FIELD, foreground_color=theme.FIELD_INK,
            cursor_color=theme.FIELD_INK,
        )  # fmt: skip
        self._typed = typed
        self._letters = letters
        self._showing = False
        self.bind(text=self._tell)

    def show(self, name: str) -> None:
        self._showing = True
        self.text = name
        self._showing = False

    def _tell(self, _: object, text: str) -> None:
        if len(text) > self._letters:
            self.text = text[: self._letters]  # what is one letter too many is seen not to be taken
        elif not self._showing:
            self._typed(text)
