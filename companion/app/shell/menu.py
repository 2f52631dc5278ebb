"""The menu at the end of the bar: the languages, and the buttons that have no place in the bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.metrics import dp

from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, adopt
from companion.app.widgets.pick import TouchList
from companion.words import Language, Words

LANGUAGE_NAMES = ((Language.ENGLISH, "EN"), (Language.SIMPLIFIED, "简"), (Language.TRADITIONAL, "繁"))
LIST_WIDTH = dp(280)


class Menu(Press):
    """Opens a list of buttons."""

    def __init__(self, speak: Callable[[Language], None]) -> None:
        super().__init__(icon="menu", act=self._open, size_hint_x=None, width=theme.TOUCH * 1.2)
        self.language = Choices(lambda key: self._speak(Language(key)), size=theme.TEXT)
        self._tell = speak
        self._buttons: Sequence[Press] = ()
        self.list = TouchList(auto_width=False, width=LIST_WIDTH)

    def show(self, words: Words) -> None:
        """Mark the language that is spoken."""
        offer_languages(self.language, words)

    def offer(self, buttons: Sequence[Press]) -> None:
        """Hold these buttons below the languages."""
        self._buttons = buttons
        self.list.dismiss()

    def _open(self) -> None:
        self.list.clear_widgets()
        for widget in (self.language, *self._buttons):
            adopt(self.list, widget)
        self.list.open(self)

    def _speak(self, language: Language) -> None:
        self.list.dismiss()
        self._tell(language)


def offer_languages(choices: Choices, words: Words) -> None:
    """Offer each of the languages, the one that is spoken marked."""
    choices.offer([(language.value, name) for language, name in LANGUAGE_NAMES], words.language.value)
