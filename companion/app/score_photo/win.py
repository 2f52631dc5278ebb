"""How the hand was won: game, source, seats, circumstances. Every change scores the hand anew.

What only some games ask for is shown where the rule set says that it uses it; what is rare stands on the page
"More".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo.more import told_more
from companion.app.score_photo.numbers import Stepper
from companion.app.score_photo.seats import SOURCE_NAMES
from companion.app.score_photo.state import Page, ScorePhoto
from companion.app.text import SEAT_NAMES, Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag
from companion.app.widgets.pick import Pick
from companion.app.widgets.tiles import TileFace
from companion.photo_hand.draft import WinDraft
from companion.rules import RULE_SETS, RuleSet, Source
from companion.sentences import msgid

WIND_LABELS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
LABEL_WIDTH = dp(104)
MORE_WIDTH = dp(84)
SITUATIONS_A_ROW = 4


class WinPane(Card):
    """Rows of choices, the likeliest first. `wanted_height` shows them all."""

    wanted_height = NumericProperty(0)

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._controller = controller
        self._labels: dict[str, Tag] = {}
        column = Column(spacing=theme.GAP * 0.75)
        self.add_widget(column)
        self._inside = column.inside
        self._inside.bind(height=lambda _, height: setattr(self, "wanted_height", height + 2 * theme.PAD))
        self.source = Choices(
            lambda key: controller.do(lambda state: state.with_source(Source(key))), size=theme.TEXT_SMALL
        )
        self.winner = self._seat_choice(ScorePhoto.with_winner)
        self.discarder = self._seat_choice(ScorePhoto.with_discarder)
        self.dealer = self._seat_choice(ScorePhoto.with_dealer)
        self.rules = Pick(lambda key: controller.do(lambda state: state.with_rules(key)))
        self.options = Press(
            " ", icon="settings", act=lambda: controller.do(lambda state: state.show(Page.OPTIONS)),
            size=theme.TEXT_SMALL,
        )  # fmt: skip
        self.more = Press(
            " ", act=lambda: controller.do(lambda state: state.show(Page.MORE)),
            size=theme.TEXT_SMALL, size_hint_x=None, width=MORE_WIDTH,
        )  # fmt: skip
        self.streak = Stepper(
            lambda step: controller.do(lambda state: state.with_streak(state.draft.streak_or_default + step))
        )
        self.round_wind = Pick(lambda key: controller.do(lambda state: state.record(round_wind=int(key))))
        self.fortune = TilePress(lambda: controller.do(ScorePhoto.name_fortune))
        self.gambits = self._chain("gambits")
        self.kongs = self._chain("consecutive_kongs")
        self._cells = {
            "streak": self._row("streak", self.streak),
            "round_wind": self._row("round_wind", self.round_wind),
            "fortune": self._row("fortune", self.fortune),
            "gambits": self._row("gambits", self.gambits),
            "consecutive_kongs": self._row("consecutive_kongs", self.kongs),
        }
        self._fields = GridLayout(cols=2, size_hint_y=None, spacing=(theme.GAP, theme.GAP * 0.75))
        self._fields.bind(minimum_height=self._fields.setter("height"))
        self.situations: dict[str, Press] = {}
        self._flags = GridLayout(cols=SITUATIONS_A_ROW, size_hint_y=None, spacing=theme.GAP / 2)
        self._flags.bind(minimum_height=self._flags.setter("height"))
        game = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        for child in (self.rules, self.options, self.more):
            game.add_widget(child)
        self._from_row = self._row("from", self.discarder)
        self._rows = [
            self._row("game", game),
            self._row("won by", self.source),
            self._row("winner", self.winner),
            self._from_row,
            self._row("dealer", self.dealer),
        ]
        self._arranged: object = None

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        rule_set = draft.rule_set
        self._arrange(rule_set, draft.source is not Source.SELF_DRAW)
        for name, text in _labels(draft, words).items():
            self._labels[name].text = text
        self.rules.offer(
            [(rules.name, words.both(rules.title, rules.title_zh)[0]) for rules in RULE_SETS.values()],
            draft.rules,
        )
        changed = len(draft.options)
        self.options.text = (
            words("House rules") if not changed else words("House rules: {count}", count=changed)
        )
        self.options.chosen = changed > 0
        told = told_more(draft)
        self.more.text = words("More: {count}", count=told) if told else words("More")
        self.more.chosen = told > 0
        self.source.offer(
            [(source.value, words(name)) for source, name in SOURCE_NAMES.items()], draft.source.value
        )
        seats = [(str(seat), words(SEAT_NAMES[seat])) for seat in draft.seats]
        self.winner.offer(seats, str(draft.winner))
        self.dealer.offer(seats, str(draft.dealer))
        self.discarder.offer([seat for seat in seats if seat[0] != str(draft.winner)], str(draft.discarder))
        self.streak.show(draft.streak_or_default)
        self.round_wind.offer(
            [(str(i), words(name)) for i, name in enumerate(WIND_LABELS)], str(draft.round_wind)
        )
        fixed = draft.fixed_fortune
        self.fortune.show(fixed.code if fixed else draft.fortune, words("Choose"))
        self.fortune.disabled = fixed is not None
        self.gambits.show(draft.gambits)
        self.kongs.show(draft.consecutive_kongs)
        for situation in rule_set.situations:
            press = self.situations[situation.id]
            press.text = words.both(situation.label, situation.label_zh)[0]
            press.chosen = situation.id in draft.situation

    def _arrange(self, rule_set: RuleSet, with_from: bool) -> None:
        if (rule_set, with_from) == self._arranged:
            return
        self._arranged = rule_set, with_from
        cells: list[Widget] = [cell for name, cell in self._cells.items() if name in rule_set.uses]
        filler = [Widget(size_hint_y=None, height=theme.TOUCH)] if len(cells) % 2 else []
        _fill(self._fields, cells + filler)
        self.situations = {situation.id: self._flag(situation.id) for situation in rule_set.situations}
        self._flags.cols = min(SITUATIONS_A_ROW, len(self.situations)) or 1
        _fill(self._flags, list(self.situations.values()))
        rows = [row for row in self._rows if row is not self._from_row or with_from]
        _fill(self._inside, [*rows, self._fields, self._flags])

    def _row(self, name: str, choice: Widget) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._labels[name] = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        holder = AnchorLayout(size_hint_x=None, width=LABEL_WIDTH)
        holder.add_widget(self._labels[name])
        row.add_widget(holder)
        row.add_widget(choice)
        return row

    def _seat_choice(self, step: Callable[[ScorePhoto, int], ScorePhoto]) -> Choices:
        return Choices(
            lambda key: self._controller.do(lambda state: step(state, int(key))), size=theme.TEXT_SMALL
        )

    def _chain(self, name: str) -> Stepper:
        return Stepper(
            lambda step: self._controller.do(
                lambda state: state.with_chain(name, getattr(state.draft, name) + step)
            )
        )  # fmt: skip

    def _flag(self, name: str) -> Press:
        return Press(
            " ",
            act=lambda: self._controller.do(lambda state: state.toggle_situation(name)),
            size=theme.TEXT_SMALL,
        )


class TilePress(Press):
    """A button that shows a tile, or a word while there is none."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(" ", act=act, size=theme.TEXT_SMALL)
        self._code: str | None = None
        self._holder = AnchorLayout()

    def show(self, code: str | None, word: str) -> None:
        self.text = "" if code else word
        if code == self._code:
            return
        self._code = code
        self._holder.clear_widgets()
        self._words.size_hint_x, self._words.width = (None, 0) if code else (1, 0)
        if self._holder.parent:
            self.remove_widget(self._holder)
        if code:
            height = theme.TOUCH - theme.GAP
            self._holder.add_widget(TileFace(code, width=height * theme.TILE_ASPECT))
            self.add_widget(self._holder)


def _labels(draft: WinDraft, words: Words) -> dict[str, str]:
    return {
        "game": words("Game"),
        "won by": words("Won by"),
        "winner": words("Winner"),
        "from": words("Thrown by") if draft.source is Source.DISCARD else words("Robbed of"),
        "dealer": words("Dealer"),
        "streak": words("Deals in a row") if draft.rule_set.streak_default else words("Dealer's streak"),
        "round_wind": words("Round wind"),
        "fortune": words("Fortune tile"),
        "gambits": words("Gambits"),
        "consecutive_kongs": words("Kongs in a row"),
    }


def _fill(box: Widget, children: Sequence[Widget]) -> None:
    box.clear_widgets()
    for child in children:
        if child.parent:
            child.parent.remove_widget(child)
        box.add_widget(child)
