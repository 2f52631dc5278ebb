"""Every house option of a game: what it means, its settings, and an example that shows what it changes:
a hand, or of an option of play what happens at the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.house.examples import Example, find_example, list_settings
from companion.app.house.play_examples import PLAY_EXAMPLES, PlayExample
from companion.app.house.state import Section
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.example_hands import group_tiles, say_payments, say_win
from companion.app.widgets.option_words import say_option, say_setting
from companion.app.widgets.tile_strip import TileStrip
from companion.rules import RULE_SETS
from companion.rules.options import Option
from companion.rules.profile import Profile
from companion.rules.win import OptionValue
from companion.words import Words

EXAMPLE_TILE = dp(34)
STEPS = (-100, -10, -1, 1, 10, 100)
"""By how much a number changes with one touch."""
CHOICES_A_ROW = 3

Choose = Callable[[str, OptionValue], None]


class OptionList(Column):
    """A card for each option. They are made one a frame, so that the window never waits for all of them."""

    def __init__(self, choose: Choose) -> None:
        super().__init__()
        self._choose = choose
        self._made_for: tuple[str, Section] | None = None
        self._name: str | None = None
        self._shown: tuple[Profile, Words] | None = None
        self._left: list[Option] = []
        self.cards: dict[str, OptionCard] = {}
        self._tick = Clock.schedule_interval(self._add_next, 0)
        self._tick.cancel()

    @property
    def is_complete(self) -> bool:
        """Whether every option has its card."""
        return not self._left

    def show(self, name: str, profile: Profile, section: Section, words: Words) -> None:
        self._shown = profile, words
        if self._made_for != (profile.rules, section):
            self._made_for = profile.rules, section
            self.inside.clear_widgets()
            self.cards = {}
            rules = RULE_SETS[profile.rules]
            self._left = list(rules.play.own_options if section is Section.PLAY else rules.options)
            self.scroll_y = 1
            self._tick()
        if self._name != name:
            self._name = name
            self.scroll_y = 1
        for key, card in self.cards.items():
            card.show(profile.settings[key], words)

    def _add_next(self, _: float) -> bool:
        if not self._left or self._shown is None:
            return False
        profile, words = self._shown
        option = self._left.pop(0)
        card: OptionCard
        if option.key in profile.play:
            card = PlayCard(option, self._choose)
        else:
            card = ScoringCard(profile.rules, option, self._choose)
        self.cards[option.key] = card
        card.show(profile.settings[option.key], words)
        self.inside.add_widget(card)
        return bool(self._left)


class OptionCard(Card):
    """One option. What is not the game's own setting has another colour."""

    def __init__(self, option: Option, choose: Choose) -> None:
        super().__init__(size_hint_y=None, colour=theme.PANEL_RAISED)
        self.bind(minimum_height=self.setter("height"))
        self._option, self._choose = option, choose
        self._value: OptionValue = option.default
        self._by_key = {str(value): value for value in list_settings(option)}
        self.meaning = Text()
        self.choices = Choices(self._pick, size=theme.TEXT, a_row=CHOICES_A_ROW)
        self.number = Tag(size=theme.TEXT_LARGE, align="center")
        self.usual = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.add_widget(self.meaning)
        self.add_widget(self.choices if self._by_key else self._make_stepper())
        self.add_widget(self.usual)

    def show(self, value: OptionValue, words: Words) -> None:
        self._value = value
        option = self._option
        self.meaning.text = self.say_meaning(words)
        changed = value != option.default
        self.paint(theme.PANEL_PRESSED if changed else theme.PANEL_RAISED)
        usual = self.say_setting(option.default, words)
        said = words("Changed; by default: {setting}", setting=usual)
        self.usual.text = said if changed else words("By default: {setting}", setting=usual)
        self.choices.offer(
            [(key, self.say_setting(each, words)) for key, each in self._by_key.items()], str(value)
        )
        self.number.text = str(value)

    def say_meaning(self, words: Words) -> str:
        return say_option(self._option, words)

    def say_setting(self, value: OptionValue, words: Words) -> str:
        return say_setting(value, words)

    def _pick(self, key: str) -> None:
        self._choose(self._option.key, self._by_key[key])

    def _make_stepper(self) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        for step in STEPS:
            if step == 1:
                row.add_widget(self.number)
            row.add_widget(
                Press(f"{step:+}".replace("-", "−"), act=partial(self._step, step), size=theme.TEXT_SMALL)
            )
        return row

    def _step(self, step: int) -> None:
        values = self._option.values
        assert isinstance(values, range)
        self._choose(self._option.key, min(max(int(self._value) + step, values[0]), values[-1]))


class ScoringCard(OptionCard):
    """An option that changes what a win is worth, with an example hand."""

    def __init__(self, rules: str, option: Option, choose: Choose) -> None:
        super().__init__(option, choose)
        self.example = find_example(rules, option.key)
        self.told = Text(size=theme.TEXT_SMALL)
        self.outcomes = Text(size=theme.TEXT)
        if self.example:
            self.add_widget(self.told)
            self.add_widget(TileStrip(group_tiles(self.example.request), tile_width=EXAMPLE_TILE))
            self.add_widget(self.outcomes)

    def show(self, value: OptionValue, words: Words) -> None:
        super().show(value, words)
        if self.example:
            self.told.text = words("For example, {win}:", win=say_win(self.example.request, words))
            self.outcomes.text = say_outcomes(self.example, words)


class PlayCard(OptionCard):
    """An option about how the game is played, with an example in words."""

    def __init__(self, option: Option, choose: Choose) -> None:
        super().__init__(option, choose)
        self.example: PlayExample = PLAY_EXAMPLES[option.key]
        self.told = Text()
        self.add_widget(self.told)

    def show(self, value: OptionValue, words: Words) -> None:
        super().show(value, words)
        self.told.text = words("For example: {what}", what=words(self.example.text))

    def say_meaning(self, words: Words) -> str:
        return words(self.example.meaning) if self.example.meaning else super().say_meaning(words)

    def say_setting(self, value: OptionValue, words: Words) -> str:
        label = self.example.labels.get(value)
        return words(label) if label else super().say_setting(value, words)


def say_outcomes(example: Example, words: Words) -> str:
    """What each setting makes of the hand, one a line."""
    values = {(outcome.legal, outcome.value) for outcome in example.outcomes}
    lines = []
    for outcome in example.outcomes:
        setting = say_setting(outcome.setting, words)
        if not outcome.possible:
            worth = words("not played so")
        elif not outcome.legal and not any(outcome.payments):
            worth = words("No win")
        elif len(values) > 1:
            worth = f"{outcome.value:,}"
        else:
            worth = say_payments(outcome.payments, words)
        lines.append(f"{setting}:  {worth}")
    return "\n".join(lines)
