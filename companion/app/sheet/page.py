"""The page of the score sheet: which part of it is shown, and what may be done with it as a whole."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.sheet.figures_pane import FiguresPane
from companion.app.sheet.games_pane import GamesPane
from companion.app.sheet.hand_page import HandPage
from companion.app.sheet.hands_pane import HandsPane
from companion.app.sheet.no_game import NoGame
from companion.app.sheet.settle_pane import SettlePane
from companion.app.sheet.state import EVENINGS, FIGURES, GAMES, HANDS, SETTLING, SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, adopt
from companion.app.widgets.pick import TouchList
from companion.sentences import msgid
from companion.words import Words

WIDE_FROM = dp(1000)
FORMS = (
    ("pdf", msgid("To print (PDF)")),
    ("csv", msgid("For a spreadsheet (CSV)")),
    ("json", msgid("For a program (JSON)")),
)


Pane = HandsPane | HandPage | SettlePane | FiguresPane | GamesPane | NoGame


class SheetPage(BoxLayout):
    """Above, which part is shown; below, that part. A hand that is looked at takes the whole page."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self._controller = controller
        self.parts = Choices(lambda key: controller.do(lambda state: state.choose_part(key)))
        self.undo = Press(" ", icon="undo", act=lambda: controller.do(SheetState.take_back))
        self.save = Press(" ", icon="down", act=self._offer_forms)
        self.forms = TouchList(auto_width=False, width=dp(280))
        self._first = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._second = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.hands = HandsPane(controller)
        self.hand = HandPage(controller)
        self.settling = SettlePane(controller)
        self.figures = FiguresPane()
        self.games = GamesPane(controller)
        self.no_game = NoGame(controller)
        self._arranged: object = None
        self._words: Words | None = None
        self._part = HANDS

    def show(self, view: View[SheetState]) -> None:
        state, words = view.state, view.words
        self._words, self._part = words, state.part
        settling = [(SETTLING, words("Settle up"))] if state.may_settle else []
        self.parts.offer(
            [
                (HANDS, words("Hands")), *settling, (FIGURES, words("Figures")),
                (EVENINGS, words("All evenings")), (GAMES, words("Kept games")),
            ],
            state.part,
        )  # fmt: skip
        is_games = state.part == GAMES
        self.undo.text = words("Undo the change") if is_games else words("Undo the correction")
        self.undo.disabled = not state.can_take_back
        self.save.text = words("Save …")
        self.save.disabled = is_games or (state.sheet is None and state.part != EVENINGS)
        pane = self._choose(state)
        self._arrange(pane, wide=view.size[0] >= WIDE_FROM * theme.SCALE)
        pane.show(view)

    def _choose(self, state: SheetState) -> Pane:
        if state.part == GAMES:
            return self.games
        if state.part != EVENINGS and state.sheet is None and state.busy is None:
            return self.no_game
        if state.part in (FIGURES, EVENINGS):
            return self.figures
        if state.part == SETTLING and state.may_settle:
            return self.settling
        return self.hands if state.hand is None else self.hand

    def _arrange(self, pane: Pane, *, wide: bool) -> None:
        if self._arranged == (pane, wide):
            return
        self._arranged = pane, wide
        self.clear_widgets()
        if pane is not self.hand:
            for press, width in ((self.undo, dp(210)), (self.save, dp(130))):
                press.size_hint_x, press.width = (None, width) if wide else (1, 0)
            self._first.clear_widgets()
            self._second.clear_widgets()
            adopt(self._first, self.parts)
            adopt(self._first if wide else self._second, self.undo)
            adopt(self._first if wide else self._second, self.save)
            self.add_widget(self._first)
            if not wide and pane is not self.settling:  # which has nothing to undo, and needs the room
                self.add_widget(self._second)
        self.add_widget(pane)

    def _offer_forms(self) -> None:
        words = self._words
        if words is None:
            return
        self.forms.clear_widgets()
        for form, said in FORMS:
            if form == "pdf" and self._part == EVENINGS:
                continue
            self.forms.add_widget(Press(words(said), act=partial(self._export, form)))
        self.forms.open(self.save)

    def _export(self, form: str) -> None:
        self.forms.dismiss()
        words = self._words
        if words is not None:
            self._controller.do(lambda state: state.export(form, words))
