"""Before a game is open: which one is to be played, or gone on with."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.game.state import GameTable
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Press, Tag, Text
from companion.app.widgets.pick import Pick
from companion.rules import RULE_SETS
from companion.words.filling import SEAT_NAMES

LABEL_WIDTH = dp(150)
FORM_WIDTH = dp(760)


class SetupPane(Card):
    """A short form, and one button that begins."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__()
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(GameTable.step_back), size_hint_x=None, width=dp(110)
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self.go_on = Press(" ", main=True, act=lambda: controller.do(lambda state: state.go_on()))
        self.rules = Pick(lambda key: controller.do(lambda state: state.pick_rules(key)))
        self.dealer = Choices(
            lambda key: controller.do(lambda state: state.with_dealer(int(key))), size=theme.TEXT_SMALL
        )
        self.begin = Press(" ", act=lambda: controller.do(GameTable.begin_game))
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._labels: list[Tag] = []
        self._inner = BoxLayout(orientation="vertical", spacing=theme.GAP, size_hint=(None, None))
        self._inner.bind(minimum_height=self._inner.setter("height"))
        self._parts = (self._row(self.rules), self._row(self.dealer), self.begin, self.about)
        form = AnchorLayout(anchor_x="center", anchor_y="center")
        form.bind(width=lambda _, width: setattr(self._inner, "width", min(width, FORM_WIDTH)))
        form.add_widget(self._inner)
        self.add_widget(head)
        self.add_widget(form)

    def show(self, view: View[GameTable]) -> None:
        words, state = view.words, view.state
        plan = state.plan
        self.title.text, self.back.text = words("Which game?"), words("Back")
        for label, name in zip(self._labels, (words("Game"), words("Who deals?")), strict=True):
            label.text = name
        self.rules.offer(
            [(rules.name, words.both(rules.title, rules.title_zh)[0]) for rules in RULE_SETS.values()],
            plan.rules,
        )
        self.dealer.offer(
            [(str(seat), words(name)) for seat, name in enumerate(SEAT_NAMES)], str(plan.dealer)
        )
        self.begin.text = words("Begin a new game")
        self.begin.chosen = plan.name is None
        self.about.text = words(
            "Record by touch, with a camera, or only who won: the table offers all of them."
        )
        if plan.name is not None:
            self.go_on.text = words("Go on with {name}", name=plan.name)
        parts = [*([self.go_on] if plan.name is not None else []), *self._parts]
        if self._inner.children[::-1] != parts:
            self._inner.clear_widgets()
            for part in parts:
                self._inner.add_widget(part)

    def _row(self, field: Widget) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None, width=LABEL_WIDTH)
        self._labels.append(label)
        row.add_widget(label)
        row.add_widget(field)
        return row
