"""A hand: its result, its steps, and putting it right; from one hand to the next."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image

from companion.app.feature import Controller, View
from companion.app.sheet.change_card import CompareView
from companion.app.sheet.fix_pane import FixPane
from companion.app.sheet.replay_pane import ReplayPane
from companion.app.sheet.result_pane import ResultPane
from companion.app.sheet.state import SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, Tag, adopt
from companion.sheets.rewriting import Change
from companion.sheets.wording import name_seated

WIDE_FROM = dp(990)
"""In a narrower one the buttons stand in two rows, so that the number of the hand has its room."""
RESULT, STEPS = "result", "steps"


class HandPage(BoxLayout):
    """Above, what is shown of the hand; below, that."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        do = controller.do
        self.close = Press(" ", act=lambda: do(SheetState.step_back))
        self.views = Choices(self._choose)
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD, align="center")
        self.fix = Press(" ", act=lambda: do(lambda state: state.put_right()))
        self.before = Press("◀", act=lambda: do(lambda state: state.turn_to(-1)))
        self.after = Press("▶", act=lambda: do(lambda state: state.turn_to(1)))
        self.undo = Press(" ", icon="undo", act=lambda: do(SheetState.take_back))
        self._head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._second = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._body = BoxLayout()
        self.result = ResultPane(controller)
        self.replay = ReplayPane(controller)
        self.fixing = FixPane(controller)
        self.picture = Image(fit_mode="contain")
        self._compared: tuple[Change, CompareView] | None = None
        self._arranged: object = None

    def show(self, view: View[SheetState]) -> None:
        state, words = view.state, view.words
        look, hand, sheet = state.look, state.hand, state.sheet
        if look is None or hand is None or sheet is None:
            return
        names = name_seated(sheet, words)
        self._arrange(view)
        fixing = look.fix is not None
        self.close.text = words("Back") if fixing or look.picture is not None else words("All hands")
        self.views.offer(
            [(RESULT, words("Result")), (STEPS, words("Step by step"))], STEPS if look.replays else RESULT
        )
        self.title.text = words("Hand {number}", number=hand.number) if hand.number else ""
        self.fix.text, self.undo.text = words("Put right"), words("Undo")
        self.fix.disabled = fixing
        self.undo.disabled = not state.can_undo_correction or fixing
        self.before.disabled = look.place == 0 or fixing
        self.after.disabled = look.place == len(sheet.hands) - 1 or fixing
        self._show_body(view, names)
        self._show_compared(look.compared, names, view)

    def _show_body(self, view: View[SheetState], names: Sequence[str]) -> None:
        look = view.state.look
        assert look is not None
        pictures = dict(view.state.pictures)
        pane: BoxLayout | Image
        if look.fix is not None:
            pane = self.fixing
            self.fixing.show(view, names)
        elif look.picture in pictures:
            pane = self.picture
            self.picture.source = str(pictures[look.picture])
        elif look.replays:
            pane = self.replay
            self.replay.show(view, names)
        else:
            pane = self.result
            self.result.show(view, names)
        if self._body.children != [pane]:
            self._body.clear_widgets()
            self._body.add_widget(pane)

    def _show_compared(self, change: Change | None, names: Sequence[str], view: View[SheetState]) -> None:
        if self._compared is not None and self._compared[0] is not change:
            card, self._compared = self._compared[1], None
            card.dismiss()
        if change is not None and self._compared is None:
            view_of_both = CompareView(change, names, view.words)
            view_of_both.bind(on_dismiss=lambda *_: self._leave_compared())
            self._compared = change, view_of_both
            view_of_both.open()

    def _leave_compared(self) -> None:
        if self._compared is not None:
            self._controller.do(lambda state: state.show_compared(None))

    def _arrange(self, view: View[SheetState]) -> None:
        wide = view.size[0] >= WIDE_FROM
        if wide == self._arranged:
            return
        self._arranged = wide
        self.clear_widgets()
        for box in (self._head, self._second):
            box.clear_widgets()
        first = (self.close, self.views, self.title, self.undo, self.fix, self.before, self.after)
        rows = (first, ()) if wide else (
            (self.close, self.title, self.before, self.after), (self.views, self.undo, self.fix)
        )  # fmt: skip
        widths = {
            self.close: dp(132), self.before: theme.TOUCH * 1.2, self.after: theme.TOUCH * 1.2,
            self.undo: dp(112), self.fix: dp(130),
        }  # fmt: skip
        for box, children in ((self._head, rows[0]), (self._second, rows[1])):
            for child in children:
                if child in widths:
                    child.size_hint_x, child.width = None, widths[child]
                adopt(box, child)
        self.views.size_hint_x, self.views.width = (None, dp(330)) if wide else (1, 0)
        self.add_widget(self._head)
        if not wide:
            self.add_widget(self._second)
        self.add_widget(self._body)

    def _choose(self, key: str) -> None:
        self._controller.do(
            lambda state: state.leave_fix().in_hand(lambda look: look.show_steps(key == STEPS))
        )
