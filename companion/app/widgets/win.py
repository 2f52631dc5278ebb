"""How the hand was won: game, source, seats, streak, circumstances. Every change scores the hand anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app import theme
from companion.app.desk import Desk, View
from companion.app.state import Page, ScorePhoto
from companion.app.text import msgid
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag
from companion.app.widgets.pick import Pick
from companion.app.widgets.seats import SEAT_NAMES, SOURCE_NAMES
from companion.rules import RULE_SETS, Source

SITUATION_NAMES = {
    "sea_floor": msgid("Sea floor"),
    "last_tile": msgid("Last tile"),
    "replacement": msgid("After a kong"),
    "heavenly": msgid("Heavenly"),
    "earthly": msgid("Earthly"),
    "ready": msgid("Ready"),
    "immediate_ready": msgid("Ready at once"),
    "all_flowers": msgid("All flowers"),
    "seven_flowers_robbing": msgid("Robbing a flower"),
}
"""Short names for the buttons; a game's own longer ones stand in its rules."""
LABEL_WIDTH = dp(104)


class WinPane(Card):
    """Rows of choices, the likeliest first. `wanted_height` shows them all."""

    wanted_height = NumericProperty(0)

    def __init__(self, desk: Desk, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._desk = desk
        self._labels: dict[str, Tag] = {}
        column = Column(spacing=theme.GAP * 0.75)
        self.add_widget(column)
        self._inside = column.inside
        self._inside.bind(height=lambda _, height: setattr(self, "wanted_height", height + 2 * theme.PAD))
        self.source = Choices(
            lambda key: desk.do(lambda state: state.with_source(Source(key))), size=theme.TEXT_SMALL
        )
        self.winner = self._seat_choice(ScorePhoto.with_winner)
        self.discarder = self._seat_choice(ScorePhoto.with_discarder)
        self.dealer = self._seat_choice(ScorePhoto.with_dealer)
        self.rules = Pick(lambda key: desk.do(lambda state: state.with_rules(key)))
        self.options = Press(
            " ",
            icon="settings",
            act=lambda: desk.do(lambda state: state.show(Page.OPTIONS)),
            size=theme.TEXT_SMALL,
        )
        self.streak = Stepper(
            lambda step: desk.do(lambda state: state.with_streak(state.facts.streak_or_default + step))
        )
        self.situations: dict[str, Press] = {}
        self._flags = GridLayout(cols=4, size_hint_y=None, spacing=theme.GAP / 2)
        self._flags.bind(minimum_height=self._flags.setter("height"))
        game = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        game.add_widget(self.rules)
        game.add_widget(self.options)
        self._from_row = self._row("from", self.discarder)
        self._rows = [
            self._row("game", game),
            self._row("won by", self.source),
            self._row("winner", self.winner),
            self._from_row,
            self._row("dealer", self.dealer),
            self._row("streak", self.streak),
        ]
        self._with_from: bool | None = None

    def show(self, view: View) -> None:
        words, facts = view.words, view.state.facts
        rule_set = RULE_SETS[facts.rules]
        self._arrange(facts.source is not Source.SELF_DRAW)
        self._labels["game"].text = words("Game")
        self._labels["won by"].text = words("Won by")
        self._labels["winner"].text = words("Winner")
        self._labels["from"].text = (
            words("Thrown by") if facts.source is Source.DISCARD else words("Robbed of")
        )
        self._labels["dealer"].text = words("Dealer")
        self._labels["streak"].text = words("Deals in a row")
        self.rules.offer(
            [(rules.name, words.both(rules.title, rules.title_zh)[0]) for rules in RULE_SETS.values()],
            facts.rules,
        )
        changed = len(facts.options)
        self.options.text = (
            words("House rules") if not changed else words("House rules: {count}", count=changed)
        )
        self.options.chosen = changed > 0
        self.source.offer(
            [(source.value, words(name)) for source, name in SOURCE_NAMES.items()], facts.source.value
        )
        seats = [(str(seat), words(name)) for seat, name in enumerate(SEAT_NAMES)]
        self.winner.offer(seats, str(facts.winner))
        self.dealer.offer(seats, str(facts.dealer))
        self.discarder.offer([seat for seat in seats if seat[0] != str(facts.winner)], str(facts.discarder))
        self.streak.show(facts.streak_or_default)
        if list(self.situations) != [situation.id for situation in rule_set.situations]:
            self._flags.clear_widgets()
            self.situations = {situation.id: self._flag(situation.id) for situation in rule_set.situations}
            for press in self.situations.values():
                self._flags.add_widget(press)
        for situation in rule_set.situations:
            press = self.situations[situation.id]
            press.text = words(SITUATION_NAMES.get(situation.id, situation.name))
            press.chosen = situation.id in facts.situation

    def _arrange(self, with_from: bool) -> None:
        if with_from is self._with_from:
            return
        self._with_from = with_from
        self._inside.clear_widgets()
        for row in self._rows:
            if row is not self._from_row or with_from:
                self._inside.add_widget(row)
        self._inside.add_widget(self._flags)

    def _row(self, name: str, choice: BoxLayout) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._labels[name] = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        holder = AnchorLayout(size_hint_x=None, width=LABEL_WIDTH)
        holder.add_widget(self._labels[name])
        row.add_widget(holder)
        row.add_widget(choice)
        return row

    def _seat_choice(self, step: Callable[[ScorePhoto, int], ScorePhoto]) -> Choices:
        return Choices(lambda key: self._desk.do(lambda state: step(state, int(key))), size=theme.TEXT_SMALL)

    def _flag(self, name: str) -> Press:
        return Press(
            " ", act=lambda: self._desk.do(lambda state: state.toggle_situation(name)), size=theme.TEXT_SMALL
        )


class Stepper(BoxLayout):
    """A number with a button to either side."""

    def __init__(self, step: Callable[[int], None]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.less = Press(icon="minus", act=lambda: step(-1), size_hint_x=None, width=theme.TOUCH * 1.2)
        self.more = Press(icon="plus", act=lambda: step(1), size_hint_x=None, width=theme.TOUCH * 1.2)
        self.number = Tag(align="center", size=theme.TEXT_LARGE, size_hint_x=None, width=theme.TOUCH)
        for child in (self.less, self.number, self.more):
            self.add_widget(child)

    def show(self, number: int) -> None:
        self.number.text = str(number)
