"""The page of the settings: a card for each, whose touch applies at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.look import Shade, TextSize
from companion.app.settings.state import VOLUMES, Settings
from companion.app.text import Language
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.sentences import msgid

LANGUAGES = (
    (Language.ENGLISH, "English"),
    (Language.SIMPLIFIED, "简体中文"),
    (Language.TRADITIONAL, "繁體中文"),
)
SHADES = ((Shade.DARK, msgid("Dark")), (Shade.LIGHT, msgid("Light")))
SIZES = (
    (TextSize.NORMAL, msgid("Normal")), (TextSize.LARGE, msgid("Large")),
    (TextSize.VERY_LARGE, msgid("Very large")),
)  # fmt: skip
ON_OFF = ((False, msgid("Off")), (True, msgid("On")))
VOLUME_NAMES = (msgid("Off"), msgid("Quiet"), msgid("Medium"), msgid("Loud"))
TWO_COLUMNS_FROM = dp(900)
BUTTON_WIDTH = dp(150)


class SettingsPage(BoxLayout):
    """Two columns where there is room."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._controller = controller
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.undo = Press(
            " ", icon="undo", act=lambda: controller.do(Settings.take_back), size_hint_x=None,
            width=BUTTON_WIDTH,
        )  # fmt: skip
        self.back = Press(
            " ", act=lambda: controller.do(lambda state: state.step_back()), size_hint_x=None,
            width=BUTTON_WIDTH,
        )  # fmt: skip
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for widget in (self.title, self.undo, self.back):
            head.add_widget(widget)
        self.language = Choices(lambda key: controller.do(lambda state: state.speak(Language(key))))
        self.text = Choices(lambda key: self._set(text=TextSize(key)))
        self.shade = Choices(lambda key: self._set(shade=Shade(key)))
        self.safe = Choices(lambda key: self._set(safe=key == "True"))
        self.volume = Choices(lambda key: self._set(volume=int(key)))
        self.turns = Choices(lambda key: self._set(turns=key == "True"))
        self.fair = Choices(lambda key: self._set(fair=key == "True"))
        self._headings: list[Text] = []
        self._grid = GridLayout(cols=1, size_hint_y=None, spacing=theme.GAP)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self.data = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.fair_note = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.voice_note = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        cards: tuple[tuple[Choices | None, Text | None], ...] = (
            (self.language, None), (self.text, None), (self.shade, None), (self.safe, None),
            (self.volume, self.voice_note), (self.turns, None), (self.fair, self.fair_note),
            (None, self.data),
        )  # fmt: skip
        for choices, note in cards:
            self._grid.add_widget(self._make_card(choices, note))
        column = Column()
        column.inside.add_widget(self._grid)
        self.add_widget(head)
        self.add_widget(column)

    def show(self, view: View[Settings]) -> None:
        words, state = view.words, view.state
        kept = state.kept
        self._grid.cols = 2 if view.size[0] >= TWO_COLUMNS_FROM else 1
        self.title.text, self.undo.text, self.back.text = words("Settings"), words("Undo"), words("Back")
        self.undo.disabled = not state.past
        titles = (
            words("Language"), words("Size of the text"), words("Colours"),
            words("Colours for people who see red and green alike"),
            words("Voice: wins, claims, Sea Floor, payments"), words("Voice: whose turn it is"),
            words("Fair game"), words("Your data"),
        )  # fmt: skip
        for heading, title in zip(self._headings, titles, strict=True):
            heading.text = title

        def say(pairs: Sequence[tuple[object, str]]) -> list[tuple[str, str]]:
            return [(str(key), words(name)) for key, name in pairs]

        self.language.offer([(str(key), name) for key, name in LANGUAGES], words.language)
        self.text.offer(say(SIZES), kept.text)
        self.shade.offer(say(SHADES), kept.shade)
        self.safe.offer(say(ON_OFF), str(kept.safe))
        self.volume.offer(say(tuple(zip(VOLUMES, VOLUME_NAMES, strict=True))), str(kept.volume))
        self.turns.offer(say(ON_OFF), str(kept.turns))
        self.fair.offer(say(ON_OFF), str(kept.fair))
        self.fair_note.text = words("Nobody is shown how many tiles are left, or what to discard.")
        self.voice_note.text = (
            words("Turned off, it says nothing at all, the Sea Floor too: the table shows it.")
            if state.has_voice
            else words("No speech engine is installed: install espeak-ng, and it speaks.")
        )
        self.data.text = words(
            "Games, pictures and settings lie in {folder}. To move them, close the program, move that folder,"
            " and name its new place in COMPANION_DATA.",
            folder=state.data_folder,
        )

    def _make_card(self, widget: Choices | None, note: Text | None) -> Card:
        card = Card(size_hint_y=None, spacing=theme.GAP / 2)
        card.bind(minimum_height=card.setter("height"))
        heading = Text(size=theme.TEXT)
        self._headings.append(heading)
        for child in (heading, widget, note):
            if child is not None:
                card.add_widget(child)
        return card

    def _set(self, **changes: object) -> None:
        self._controller.do(partial(_change, changes))


def _change(changes: dict[str, object], state: Settings) -> Settings:
    return state.change(**changes)
