"""The page of the score sheet: which part of it is shown, and the parts that need no file of their own."""

from __future__ import annotations

from functools import partial

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.sheet.figures_pane import FiguresPane
from companion.app.sheet.hand_pane import HandPane
from companion.app.sheet.hands_pane import HandsPane
from companion.app.sheet.state import FIGURES, GAMES, HANDS, SheetState
from companion.app.text import Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text


class SheetPage(BoxLayout):
    """Above, which part is shown; below, that part."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self._controller = controller
        self.parts = Choices(lambda key: controller.do(lambda state: state.choose_part(key)))
        self.undo = Press(" ", icon="undo", act=self._take_back, size_hint_x=None, width=theme.TOUCH * 4)
        self._head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.heading = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self._head.add_widget(self.parts)
        self._head.add_widget(self.undo)
        self.hands = HandsPane(controller)
        self.hand = HandPane(controller)
        self.figures = FiguresPane()
        self.games = GamesPane(controller)
        self._body = BoxLayout()
        self.add_widget(self._head)
        self.add_widget(self._body)
        self._state = SheetState()

    def show(self, view: View[SheetState]) -> None:
        state = self._state = view.state
        words = view.words
        self.parts.offer(
            [(HANDS, words("Hands")), (FIGURES, words("Figures")), (GAMES, words("Kept games"))], state.part
        )
        self.undo.text = words("Undo the correction") if state.can_undo_correction else words("Bring back")
        self.undo.disabled = not (state.can_undo_correction or state.moved)
        pane = self._choose(state)
        if self._body.children != [pane]:
            self._body.clear_widgets()
            self._body.add_widget(pane)
        pane.show(view)

    def _choose(self, state: SheetState) -> HandsPane | HandPane | FiguresPane | GamesPane:
        if state.part == GAMES:
            return self.games
        if state.part == FIGURES:
            return self.figures
        return self.hands if state.hand is None else self.hand

    def _take_back(self) -> None:
        self._controller.do(SheetState.take_back)


class GamesPane(Column):
    """The kept games: touch one to see its sheet."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__()
        self._controller = controller
        self._shown: object = None

    def show(self, view: View[SheetState]) -> None:
        shown = view.state.games, view.state.played.name, view.words
        if shown == self._shown:
            return
        self._shown = shown
        self.inside.clear_widgets()
        if not view.state.games:
            self.inside.add_widget(Text(view.words("No game is kept yet.")))
        for name in view.state.games:
            self.inside.add_widget(self._make_row(name, name == view.state.played.name, view.words))

    def _make_row(self, name: str, is_played: bool, words: Words) -> Card:
        row = Card(orientation="horizontal", size_hint_y=None, height=theme.TOUCH + 2 * theme.PAD)
        said = words("{name} · is being played", name=name) if is_played else name
        row.add_widget(Press(said, act=partial(self._do, "open_game", name)))
        remove = Press(words("Set aside"), act=partial(self._do, "remove", name), size_hint_x=None)
        remove.width, remove.disabled = theme.TOUCH * 3, is_played
        row.add_widget(remove)
        return row

    def _do(self, what: str, name: str) -> None:
        self._controller.do(lambda state: getattr(state, what)(name))
