"""The house options of the game: each with what it means, where it is ruled, and its settings."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.editing import Page
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.fields import Stepper
from companion.app.widgets.game_words import describe_option, describe_setting
from companion.rules import RULE_SETS
from companion.rules.options import Option
from companion.rules.win import OptionValue
from companion.words import Words

SETTING_WIDTH, SETTING_GROWS = dp(290), 1.3
"""What a setting is chosen in, and how many times as wide it becomes with larger letters."""


class OptionsPage(Card):
    """A list; a setting that is not the game's own has another colour."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._controller = controller
        self._game: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ",
            main=True,
            act=lambda: controller.do(lambda state: state.show(Page.TABLE)),
            size_hint_x=None,
            width=dp(120),
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.done)
        self._column = Column(spacing=theme.GAP)
        self.rows: dict[str, OptionRow] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        rule_set = RULE_SETS[draft.rules]
        title = words.both(rule_set.title, rule_set.title_zh)[0]
        self.title.text = words("House rules: {game}", game=title)
        self.done.text = words("Done")
        if self._game != draft.rules:
            self._game = draft.rules
            self._column.inside.clear_widgets()
            self.rows = {option.key: OptionRow(option, self._set) for option in rule_set.options}
            for row in self.rows.values():
                self._column.inside.add_widget(row)
        for key, row in self.rows.items():
            row.show(draft.option(key), words)

    def _set(self, key: str, value: OptionValue) -> None:
        self._controller.do(lambda state: state.with_option(key, value))


class OptionRow(Card):
    """One option."""

    def __init__(self, option: Option, choose: Callable[[str, OptionValue], None]) -> None:
        super().__init__(
            orientation="horizontal",
            size_hint_y=None,
            colour=theme.PANEL_RAISED,
            padding=(theme.PAD, theme.GAP),
            spacing=theme.PAD,
        )
        self._option = option
        self._value: OptionValue = option.default
        values = () if isinstance(option.values, range) else option.values
        if isinstance(option.default, bool):
            values = (False, True)
        if all(type(one) is int for one in values):
            values = tuple(sorted(values))
        self._values = {str(one): one for one in values}
        self.meaning = Text()
        self._small = Text(size=theme.TEXT_TINY, colour=theme.IVORY_DIM)
        texts = BoxLayout(orientation="vertical", size_hint_y=None)
        texts.bind(minimum_height=texts.setter("height"))
        texts.add_widget(self.meaning)
        texts.add_widget(self._small)
        left, right = (
            AnchorLayout(),
            AnchorLayout(size_hint_x=None, width=SETTING_WIDTH * min(theme.SCALE, SETTING_GROWS)),
        )
        left.add_widget(texts)
        wordy = len(values) > 2 and any(isinstance(one, str) for one in values)
        self.choices = Choices(
            lambda key: choose(option.key, self._values[key]), size=theme.TEXT_SMALL, a_row=2 if wordy else 9
        )
        self.stepper = Stepper(lambda step: self._step(step, choose))
        right.add_widget(self.choices if self._values else self.stepper)
        self.add_widget(left)
        self.add_widget(right)
        for side in (texts, self.choices):
            side.bind(
                height=lambda *_: setattr(
                    self, "height", max(texts.height, self.choices.height) + 2 * theme.GAP
                )
            )

    def show(self, value: OptionValue, words: Words) -> None:
        self._value = value
        self.meaning.text = describe_option(self._option, words)
        usual = describe_setting(self._option.default, words)
        self._small.text = words("usual: {setting}", setting=usual)
        self.paint(theme.PANEL_RAISED if value == self._option.default else theme.PANEL_PRESSED)
        if self._values:
            self.choices.offer(
                [(key, describe_setting(one, words)) for key, one in self._values.items()], str(value)
            )
        else:
            self.stepper.show(int(value))

    def _step(self, step: int, choose: Callable[[str, OptionValue], None]) -> None:
        value = int(self._value) + step
        if self._option.allows(value):
            choose(self._option.key, value)
