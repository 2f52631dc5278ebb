"""The tile sets that were taught: which one pictures are read with; teach another, or forget one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.tile_sets.state import TileSets
from companion.app.tile_sets.stored_sets import StoredSet
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.words import Words

BUTTON_WIDTH = dp(112)
WIDE_BUTTON_WIDTH = dp(230)


class SetsPage(Card):
    """A list; made anew with every change, as it is short."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__()
        self._controller = controller
        self._view: View[TileSets] | None = None
        self._forgetting: str | None = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(" ", act=lambda: controller.do(TileSets.step_back), size_hint_x=None, width=dp(110))
        self.teach = Press(" ", icon="plus", act=self._teach, size_hint_x=None, width=WIDE_BUTTON_WIDTH)
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for child in (self.title, self.teach, self.done):
            head.add_widget(child)
        self._column = Column(spacing=theme.GAP)
        self.rows: dict[str | None, SetRow] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[TileSets]) -> None:
        self._view = view
        words, state = view.words, view.state
        self.title.text = words("My tiles")
        under_way = bool(view.state.lesson.photos)
        self.teach.text = words("Go on teaching") if under_way else words("Teach it your tiles")
        self.teach.chosen = under_way or not state.sets
        self.done.text = words("Back")
        self._column.inside.clear_widgets()
        usual = words("Any tiles")
        self.rows = {None: SetRow(usual, words("As the program knows them by itself."))}
        for one in state.sets:
            self.rows[one.name] = SetRow(one.name, _describe(one, words), trouble=one.problem is not None)
            if one.name == self._forgetting:
                self._offer_forgetting(self.rows[one.name], one.name, words)
            else:
                self._offer_steps(self.rows[one.name], one, state.used, words)
        if state.sets:
            self.rows[None].offer(self._use(None, state.used, words))
        for row in self.rows.values():
            self._column.inside.add_widget(row)
        if not state.sets:
            hint = words(
                "If your tiles are often misread, teach them: lay out one of each kind and take a photo. It"
                " takes a minute."
            )
            self._column.inside.add_widget(Text(hint, colour=theme.IVORY_DIM))

    def _offer_steps(self, row: SetRow, one: StoredSet, used: str | None, words: Words) -> None:
        if one.problem is None:
            row.offer(self._use(one.name, used, words))
            row.offer(_button(words("Show"), partial(self._look_at, one.name)))
        again = partial(self._teach, one.name)
        row.offer(_button(words("Teach again"), again, main=one.problem is not None))
        row.offer(_button(words("Forget"), partial(self._ask, one.name)))

    def _offer_forgetting(self, row: SetRow, name: str, words: Words) -> None:
        row.offer(_button(words("Forget it"), partial(self._forget, name), main=True))
        row.offer(_button(words("Keep it"), partial(self._ask, None)))

    def _use(self, name: str | None, used: str | None, words: Words) -> Press:
        press = _button(
            words("In use") if name == used else words("Use"),
            lambda: self._controller.do(lambda state: state.use(name)),
        )
        press.chosen = name == used
        return press

    def _teach(self, name: str | None = None) -> None:
        if self._view:
            word = self._view.words("tiles")
            self._controller.do(lambda state: state.teach(name, word))

    def _look_at(self, name: str) -> None:
        self._controller.do(lambda state: state.look_at(name))

    def _ask(self, name: str | None) -> None:
        self._forgetting = name
        if self._view:
            self.show(self._view)

    def _forget(self, name: str) -> None:
        self._forgetting = None
        self._controller.do(lambda state: state.forget(name))


class SetRow(Card):
    """A set: its name, what is to be said of it, and what can be done."""

    def __init__(self, name: str, about: str, *, trouble: bool = False) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, colour=theme.PANEL_RAISED,
            padding=(theme.PAD, theme.GAP), spacing=theme.GAP,
        )  # fmt: skip
        texts = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        texts.bind(minimum_height=texts.setter("height"))
        texts.add_widget(Text(name))
        colour = theme.UNSURE if trouble else theme.IVORY_DIM
        texts.add_widget(Text(about, size=theme.TEXT_SMALL, colour=colour))
        texts.bind(height=lambda _, height: setattr(self, "height", max(height, theme.TOUCH) + 2 * theme.GAP))
        self.steps: list[Press] = []
        self.add_widget(texts)

    def offer(self, press: Press) -> None:
        self.steps.append(press)
        self.add_widget(press)


def _button(text: str, act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(
        text, act=act, main=main, size=theme.TEXT_SMALL, size_hint_x=None, width=BUTTON_WIDTH,
        pos_hint={"center_y": 0.5},
    )  # fmt: skip


def _describe(one: StoredSet, words: Words) -> str:
    return words.say(one.problem) if one.problem else words("Kinds: {count}", count=one.kinds)
