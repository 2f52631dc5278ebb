"""A hand step by step, back and forth: the table as it lay, and every event, which can be put right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.recycleview.views import RecycleDataViewBehavior
from kivy.uix.slider import Slider

from companion.app.feature import Controller, View
from companion.app.sheet.look import HandLook
from companion.app.sheet.state import SheetState
from companion.app.sheet.wording import describe_step
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Tag, Text
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.board_words import (
    describe_coming,
    describe_left,
    describe_middle,
    describe_plates,
    describe_sea,
)
from companion.app.widgets.listing import ROW_SIZE, Listing
from companion.app.widgets.tile_text import TileText, measure_text
from companion.sentences import Sentence
from companion.sheets.hands import Step
from companion.sheets.rewriting import can_be_fixed, is_made_up
from companion.table.state import changed
from companion.words import Words

STEP_S = 0.9
"""Between events while the hand plays by itself."""
APART = theme.GAP / 4
"""Between two events of the list."""
NUMBER_WIDTH = dp(34)
FIX_WIDTH, FIX_NARROW = dp(124), dp(92)
MIDDLE = {"center_y": 0.5}
LIST_NARROW = dp(440)
"""In a narrower list there is less room for what puts an event right, and more for its words."""
WIDE_FROM = dp(900)
LISTED_FROM = dp(1000)
"""In a narrower and lower window only the table is shown."""
TURN_WIDTH = theme.TOUCH * 1.4
NARROW = dp(360)
"""With less room the buttons that turn are no wider than a finger."""


class ReplayPane(BoxLayout):
    """The table, and beside or below it the events and the buttons."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(spacing=theme.GAP)
        self._controller = controller
        do = controller.do
        self.board = Board(lambda seat: None, lambda number: None)
        self.said = TileText(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.note = Text(size=theme.TEXT_SMALL, colour=theme.UNSURE)
        self.list = Listing(StepRow, row_height=theme.TOUCH, spacing=APART)
        self.list.bind(width=Clock.create_trigger(self._list_again))
        self.slider = Slider(min=0, max=1, step=1, size_hint_y=None, height=theme.TOUCH)
        self.slider.bind(value=self._slide)
        self.buttons = {
            "first": Press("◀◀", act=lambda: do(lambda state: state.in_hand(lambda look: look.go(0)))),
            "back": Press("◀", act=lambda: do(lambda state: state.in_hand(lambda look: look.turn(-1)))),
            "run": Press(" ", main=True, act=lambda: do(lambda state: state.in_hand(HandLook.run))),
            "on": Press("▶", act=lambda: do(lambda state: state.in_hand(lambda look: look.turn(1)))),
        }
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        for name, button in self.buttons.items():
            if name in ("first", "back", "on"):
                button.size_hint_x, button.width = None, TURN_WIDTH
            row.add_widget(button)
        self._side = BoxLayout(orientation="vertical", spacing=theme.GAP / 2)
        for child in (self.said, self.list, self.slider, row):
            self._side.add_widget(child)
        self.add_widget(self.board)
        self.add_widget(self._side)
        self._tick = Clock.schedule_interval(self._go_on, STEP_S)
        self._tick.cancel()
        self._showing = False
        self._listed: object = None
        self._told: tuple[HandLook, Sequence[str], Words] | None = None

    def show(self, view: View[SheetState], names: Sequence[str]) -> None:
        look, words = view.state.look, view.words
        if look is None or look.step is None:
            return
        wide = view.size[0] >= min(WIDE_FROM, view.size[1])
        self.orientation = "horizontal" if wide else "vertical"
        self._arrange(view.size, wide=wide)
        beside = view.size[0] - self.board.width if wide else view.size[0]
        for name in ("first", "back", "on"):
            self.buttons[name].width = TURN_WIDTH if beside >= NARROW else theme.TOUCH
        step = look.step
        self.note.text = words("Nobody recorded this hand: only how it ended is known.")
        if is_made_up(step.event for step in look.steps) != (self.note.parent is not None):
            if self.note.parent is None:
                self._side.add_widget(self.note, index=len(self._side.children))
            else:
                self._side.remove_widget(self.note)
        self.said.say(describe_step(step, names), words)
        self.board.show(_view_board(step, words))
        self._showing = True
        self.slider.max, self.slider.value = max(1, len(look.told) - 1), look.told_at
        self._showing = False
        self.buttons["run"].text = words("Stop") if look.runs else words("Play")
        self.buttons["back"].disabled = self.buttons["first"].disabled = look.told_at == 0
        self.buttons["on"].disabled = look.told_at == len(look.told) - 1
        self._list_steps(look, names, words)
        if look.runs:
            self._tick()
        else:
            self._tick.cancel()

    def _arrange(self, size: tuple[float, float], *, wide: bool) -> None:
        """Where there is no room for the list, the table has it."""
        listed = wide or size[1] >= LISTED_FROM
        if listed != (self.list.parent is not None):
            if listed:
                self._side.add_widget(self.list, index=2)
            else:
                self._side.remove_widget(self.list)
        self._side.size_hint_y = 1 if listed else None
        self._side.height = theme.TOUCH * 2 + self.said.height + theme.GAP * 2
        self.board.size_hint = (None, 1) if wide else (1, None if listed else 1)
        if wide:
            self.board.width = min(size[1] - dp(170), size[0] * 0.58)
        elif listed:
            self.board.height = min(size[0], size[1] * 0.5)

    def _list_steps(self, look: HandLook, names: Sequence[str], words: Words) -> None:
        self._told = look, names, words
        width = self.list.width
        listed = look.steps, look.at, words, tuple(names), width
        if listed == self._listed:
            return
        self._listed, told = listed, look.told
        self.list.data = [
            {
                "content": (at, number, said, words, at == look.at),
                "may_be_fixed": can_be_fixed(look.steps[at].event),
                "fix_width": _measure_fix(width),
                "pane": self,
                ROW_SIZE: (None, _measure_row(said, words, width)),
            }
            for number, at in enumerate(told, 1)
            for said in [describe_step(look.steps[at], names)]
        ]
        heights = [row[ROW_SIZE][1] + APART for row in self.list.data]
        room = sum(heights) - self.list.height
        if room > 0:
            above = sum(heights[: look.told_at]) - self.list.height / 2
            self.list.scroll_y = min(1.0, max(0.0, 1 - above / room))
        else:
            self.list.scroll_y = 1.0

    def _list_again(self, _: float) -> None:
        """The list has another width."""
        if self._told is not None:
            self._list_steps(*self._told)

    def go(self, at: int) -> None:
        self._controller.do(lambda state: state.in_hand(lambda look: look.go(at)))

    def put_right(self, at: int) -> None:
        self._controller.do(lambda state: state.put_right(at))

    def _slide(self, _: object, value: float) -> None:
        if not self._showing:
            self._controller.do(lambda state: state.in_hand(lambda look: look.go_told(round(value))))

    def _go_on(self, _: float) -> bool:
        if self.parent is None:
            return False
        self._controller.do(lambda state: state.in_hand(lambda look: look.turn(1) if look.runs else look))
        return True


class StepRow(RecycleDataViewBehavior, ButtonBehavior, BoxLayout):
    """One event; touched, the table is shown as it lay after it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(padding=(theme.GAP, 0), spacing=theme.GAP, **kwargs)
        with self.canvas.before:
            self._colour = Color(*theme.CLEAR)
            self._plate = SmoothRoundedRectangle(radius=[theme.RADIUS / 2])
        self.number = Tag(
            size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None, width=NUMBER_WIDTH, align="right"
        )
        self.said = TileText(size=theme.TEXT, size_hint_y=1)
        self.fix = Press(
            " ",
            act=self._put_right,
            size=theme.TEXT_SMALL,
            size_hint_x=None,
            width=FIX_WIDTH,
            pos_hint=MIDDLE,
        )
        for child in (self.number, self.said, self.fix):
            self.add_widget(child)
        self.bind(pos=self._place, size=self._place)
        self.at = 0
        self._pane: ReplayPane | None = None

    def refresh_view_attrs(self, _: Any, index: int, data: dict[str, Any]) -> None:
        self.at, number, sentence, words, chosen = data["content"]
        assert isinstance(sentence, Sentence)
        self._pane = data["pane"]
        self.number.text = str(number)
        self.said.say(sentence, words)
        self.fix.text, self.fix.width = words("Put right"), data["fix_width"]
        self.fix.disabled, self.fix.opacity = not data["may_be_fixed"], int(data["may_be_fixed"])
        self._colour.rgba = theme.PANEL_PRESSED if chosen else theme.PANEL

    def on_release(self) -> None:
        if self._pane:
            self._pane.go(self.at)

    def _put_right(self) -> None:
        if self._pane:
            self._pane.put_right(self.at)

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size


def _measure_fix(width: float) -> float:
    """How wide the button is that puts an event right, in a list of that width. px"""
    return float(FIX_WIDTH if width >= LIST_NARROW else FIX_NARROW)


def _measure_row(said: Sentence, words: Words, width: float) -> float:
    """How high the row of an event is that is told so, in a list of that width. px"""
    free = width - NUMBER_WIDTH - _measure_fix(width) - 4 * theme.GAP
    return float(max(theme.TOUCH, measure_text(said, words, theme.TEXT, free) + theme.GAP / 2))


def _view_board(step: Step, words: Words) -> BoardView:
    state = step.state
    if state.hand is not None:  # once the hand is over, the state says who deals next
        state = changed(state, deal=state.hand.deal)
    return BoardView(
        state=state,
        plates=describe_plates(state, words),
        round_words=describe_middle(state, words),
        left=describe_left(state),
        about=describe_coming(state, words),
        sea=describe_sea(state, words) is not None,
        hands=True,
    )
