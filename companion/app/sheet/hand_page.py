"""The page of one hand: its result, its steps with the table at each, and correcting an event with what the
correction changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.recycleview.views import RecycleDataViewBehavior
from kivy.uix.slider import Slider
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.sheet.hands_pane import ResultPane
from companion.app.sheet.state import Draft, EndDraft, EventDraft, Fix, SheetState, ShownHand
from companion.app.sheet.wording import describe_step, name_at
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Overlay, Press, Tag, Text, adopt
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.fields import Keyboard, NumberField
from companion.app.widgets.game_words import (
    describe_coming,
    describe_left,
    describe_middle,
    describe_plates,
    describe_sea,
)
from companion.app.widgets.listing import ROW_SIZE, Listing
from companion.app.widgets.tiles import TileKey, TileText, measure_text
from companion.rules import Source
from companion.rules.stated import Stated
from companion.sentences import Sentence, write_number
from companion.sheets.hands import Step
from companion.sheets.rewriting import (
    ENDS,
    Change,
    HandChange,
    can_be_fixed,
    find_seat,
    find_tile,
    has_tile,
    list_hand,
    with_giver,
    with_hand_tile,
    with_points,
    with_reported_tile,
    with_seat,
    with_tile,
    with_winner,
)
from companion.sheets.wording import describe_hand, name_seated, write_points
from companion.table.events import Event, HandDrawn, PointsMoved, Won
from companion.table.messages import OWN_TILE
from companion.table.state import Points, State, changed
from companion.table.unrecorded import ReportedWin
from companion.tiles import Suit, Tile
from companion.words import Words

HANDS_MOST = 8
ROW = dp(34)
NAME_WIDTH = dp(96)


def fill_changes(column: BoxLayout, change: Change, names: Sequence[str], words: Words) -> None:
    """Put the table into the column."""
    if not change.hands and change.before == change.after:
        column.add_widget(Text(words("No payment changes.")))
    for each in change.hands[:HANDS_MOST]:
        _fill_hand(column, each, change.people, names, words)
    if len(change.hands) > HANDS_MOST:
        more = len(change.hands) - HANDS_MOST
        column.add_widget(Text(words("and {count} more hands", count=more), colour=theme.IVORY_DIM))
    column.add_widget(Text(words("Total"), colour=theme.GOLD))
    column.add_widget(_make_heads(change.people, names))
    column.add_widget(_make_row(words("before"), change.before, change.before, change.people, signed=False))
    column.add_widget(_make_row(words("after"), change.after, change.before, change.people, signed=False))
    if change.kept_deal:
        note = words("The dealers of later hands stay the same.")
        column.add_widget(Text(note, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))


def _fill_hand(
    column: BoxLayout, change: HandChange, people: Sequence[int], names: Sequence[str], words: Words
) -> None:
    texts = [describe_hand(hand, names, words) if hand else "–" for hand in (change.before, change.after)]
    title = words("Hand {number}", number=change.number)
    column.add_widget(Text(title, colour=theme.GOLD))
    if texts[0] != texts[1]:
        column.add_widget(Text(texts[0], size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        column.add_widget(Text(f"→  {texts[1]}", size=theme.TEXT_SMALL))
    else:
        column.add_widget(Text(texts[1], size=theme.TEXT_SMALL))
    nothing: Points = (0, 0, 0, 0)
    before = change.before.points if change.before else nothing
    after = change.after.points if change.after else nothing
    column.add_widget(_make_heads(people, names))
    column.add_widget(_make_row(words("before"), before, before, people))
    column.add_widget(_make_row(words("after"), after, before, people))


def _make_heads(people: Sequence[int], names: Sequence[str]) -> BoxLayout:
    row = layout.row(Tag("", size_hint_x=None, width=NAME_WIDTH), height=theme.TEXT_SMALL * 1.5, spacing=0)
    for person in people:
        row.add_widget(Tag(names[person], size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, align="right"))
    return row


def _make_row(
    what: str, points: Points, before: Points, people: Sequence[int], *, signed: bool = True
) -> BoxLayout:
    row = layout.row(
        Tag(what, colour=theme.IVORY_DIM, size_hint_x=None, width=NAME_WIDTH), height=ROW, spacing=0
    )
    for person in people:
        differs = points[person] != before[person]
        said = write_points(points[person]) if signed else write_number(points[person])
        row.add_widget(
            Tag(said, align="right", size=theme.TEXT_LARGE, bold=differs,
                colour=theme.GOLD if differs else theme.IVORY)
        )  # fmt: skip
    return row


class CompareView(Overlay):
    """Both versions of what was corrected, over the page. `leave` is called when it is touched away."""

    def __init__(self, change: Change, names: Sequence[str], words: Words) -> None:
        super().__init__(size=(min(Window.width - dp(32), dp(760)), min(Window.height - dp(32), dp(640))))
        card = Card(colour=theme.PANEL_RAISED)
        card.add_widget(
            Text(words("Before and after the correction"), size=theme.TEXT_LARGE, colour=theme.GOLD)
        )
        column = Column(spacing=theme.GAP / 2)
        fill_changes(column.inside, change, names, words)
        card.add_widget(column)
        self.done = Press(words("Done"), main=True, act=self.dismiss)
        card.add_widget(self.done)
        self.add_widget(card)


WIDE_FROM = dp(900)
KEY = dp(52)
NOBODY, DRAWN = "nobody", "drawn"
POINTS = (-10, -1, 1, 10)
KEYBOARD_HEIGHT = dp(330)


class FixPane(BoxLayout):
    """Left what it was, right what changes; one below the other in an upright window."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(spacing=theme.GAP)
        self._controller = controller
        self._ask = Column(spacing=theme.GAP / 2)
        self._changes = Column(spacing=theme.GAP / 4)
        self._right = Card()
        self.confirm = Press(" ", main=True, act=lambda: controller.do(SheetState.confirm_fix))
        self.leave = Press(" ", act=lambda: controller.do(SheetState.leave_fix))
        buttons = layout.row(self.leave, self.confirm, height=theme.TOUCH)
        self._right.add_widget(self._changes)
        self._right.add_widget(buttons)
        self.add_widget(self._ask)
        self.add_widget(self._right)
        self.keyboard: Keyboard | None = None
        self.who: Choices | None = None
        self.whose: Choices | None = None
        self.take_out: Press | None = None
        self.anew: Press | None = None
        self.nobody: Press | None = None
        self.value: NumberField | None = None
        self.tiles: list[TileKey] = []
        self._shown: object = None

    def show(self, view: View[SheetState], names: Sequence[str]) -> None:
        state, words = view.state, view.words
        look, sheet, hand = state.look, state.sheet, state.hand
        if look is None or look.fix is None or sheet is None or hand is None:
            return
        fix = look.fix
        wide = view.size[0] > view.size[1]
        shown = fix, words, view.size, tuple(names)
        if shown == self._shown:
            return
        self._shown = shown
        self.orientation = "horizontal" if wide else "vertical"
        self._right.size_hint = (0.72, 1) if wide else (1, 0.62)
        self.confirm.text, self.leave.text = words("Apply"), words("Leave it")
        self.confirm.disabled = fix.planned is None
        self._show_changes(fix, names, words)
        inside = self._ask.inside
        inside.clear_widgets()
        self.keyboard = self.who = self.whose = self.take_out = self.anew = self.nobody = self.value = None
        self.tiles = []
        width = view.size[0] * (0.56 if wide else 1) - 4 * theme.PAD
        if isinstance(fix.draft, EndDraft):
            inside.add_widget(Text(describe_hand(hand, names, words), colour=theme.IVORY_DIM))
            self._ask_end(fix.draft, hand.before, names, words, width)
        else:
            self._ask_event(fix.draft, look, names, words, width)

    def _show_changes(self, fix: Fix, names: Sequence[str], words: Words) -> None:
        inside = self._changes.inside
        inside.clear_widgets()
        inside.add_widget(Text(words("What it changes"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        if fix.problem is not None:
            inside.add_widget(Text(words("Not possible:"), colour=theme.UNSURE))
            inside.add_widget(Text(words.say(fix.problem)))
            is_win = isinstance(fix.draft, EventDraft) and isinstance(fix.draft.right, Won)
            if is_win and fix.problem.template == OWN_TILE:
                drawn = words("If the tile was drawn, touch Enter the win again.")
                inside.add_widget(Text(drawn, colour=theme.GOLD))
        elif fix.planned is not None:
            fill_changes(inside, fix.planned.change, names, words)
        elif fix.changed:
            inside.add_widget(Text(words("One moment …"), colour=theme.IVORY_DIM))
        else:
            inside.add_widget(Text(words("Touch what it really was."), colour=theme.IVORY_DIM))

    # The end of a hand of which nothing else was recorded.

    def _ask_end(
        self, draft: EndDraft, before: State, names: Sequence[str], words: Words, width: float
    ) -> None:
        inside = self._ask.inside
        seats = name_at(before, names)
        win = draft.win
        if draft.tile_at is None:  # else the keyboard has the room
            self._ask_who(draft, before, seats, words)
        if win is None:
            return
        if win.stated is not None:
            self._ask_stated(draft, win, win.stated, words)
            return
        inside.add_widget(Text(words("Touch a wrong tile to change it."), colour=theme.GOLD))
        self._add_tiles(draft.tiles, draft.tile_at, width)
        if draft.tile_at is None:
            self._add_enter_again(words)
        if draft.tile_at is not None:
            at = draft.tile_at
            self._add_keyboard(
                before, draft.tiles[at], width, lambda code: self._draft(_replace_tile(draft, at, code))
            )

    def _ask_stated(self, draft: EndDraft, win: ReportedWin, stated: Stated, words: Words) -> None:
        """What a win was worth whose tiles were not entered."""

        def choose(value: int | None) -> None:
            self._draft(replace(draft, win=replace(win, stated=Stated(value=value))))

        if stated.value is not None:
            inside, title = self._ask.inside, words("Value")
            inside.add_widget(Text(title, size=theme.TEXT_LARGE, colour=theme.GOLD))
            self.value = NumberField(choose)
            self.value.show(stated.value, words, title=title, none="")
            inside.add_widget(self.value)
        self._add_enter_again(words)

    def _ask_who(self, draft: EndDraft, before: State, seats: Sequence[str], words: Words) -> None:
        """Who won, and on whose tile."""
        inside, win, playing = self._ask.inside, draft.win, before.house.seats
        inside.add_widget(Text(words("Who won?"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        self.who = Choices(partial(self._choose_winner, draft), size=theme.TEXT_SMALL, whole=True)
        who = [(str(seat), seats[seat]) for seat in playing]
        self.who.offer([*who, (NOBODY, words("Nobody"))], NOBODY if win is None else str(win.seat))
        for other in draft.others if win else ():
            self.who.button(str(other.seat)).chosen = True
        inside.add_widget(self.who)
        if win is None:
            return
        inside.add_widget(Text(words("Who discarded it?"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        self.whose = Choices(partial(self._choose_giver, draft), size=theme.TEXT_SMALL, whole=True)
        others = [(str(seat), seats[seat]) for seat in playing if seat != win.seat]
        chosen = DRAWN if win.source is Source.SELF_DRAW else str(win.discarder)
        self.whose.offer([(DRAWN, words("Self-draw")), *others], chosen)
        inside.add_widget(self.whose)

    def _choose_winner(self, draft: EndDraft, key: str) -> None:
        if key == NOBODY:
            self._draft(replace(draft, win=None, last=draft.win or draft.last, tile_at=None))
            return
        win = draft.win or draft.last
        if win is None:
            self._enter_again(int(key))
        else:
            self._draft(replace(draft, win=with_winner(win, int(key)), tile_at=None))

    def _choose_giver(self, draft: EndDraft, key: str) -> None:
        if draft.win is not None:
            giver = None if key == DRAWN else int(key)
            self._draft(replace(draft, win=with_giver(draft.win, giver), tile_at=None))

    # One event.

    def _ask_event(
        self, draft: EventDraft, look: ShownHand, names: Sequence[str], words: Words, width: float
    ) -> None:
        inside, step = self._ask.inside, look.steps[draft.at]
        was = TileText(colour=theme.IVORY_DIM)
        was.say(describe_step(step, names), words)
        inside.add_widget(was)
        right = draft.right
        question = words("Who won?") if isinstance(right, ENDS) else words("What was it?")
        inside.add_widget(Text(question, size=theme.TEXT_LARGE, colour=theme.GOLD))
        is_end = isinstance(right, ENDS)
        self.take_out = Press(
            words("The hand continued") if is_end else words("It did not happen"),
            act=partial(self._draft, replace(draft, right=None)),
        )
        self.take_out.chosen = right is None
        if right is not None:
            seats = name_at(step.state, names)
            seat = find_seat(right)
            if seat is not None:
                self.who = Choices(
                    lambda key: self._draft(replace(draft, right=with_seat(right, int(key)))), a_row=3
                )
                self.who.offer([(str(each), seats[each]) for each in step.state.house.seats], str(seat))
                inside.add_widget(self.who)
            shown = list_hand(right)
            if shown:
                inside.add_widget(Text(words("Touch a wrong tile to change it."), colour=theme.GOLD))
                order = sorted(range(len(shown)), key=lambda at: Tile.parse(shown[at]))
                self._add_tiles(shown, draft.tile_at, width, order)
                if draft.tile_at is not None:
                    at = draft.tile_at
                    self._add_keyboard(
                        step.state, shown[at], width,
                        lambda code: self._draft(
                            replace(draft, right=with_hand_tile(right, at, code), tile_at=None)
                        ),
                    )  # fmt: skip
            elif has_tile(right):
                self._add_keyboard(
                    step.state, find_tile(right), width,
                    lambda code: self._draft(replace(draft, right=with_tile(right, code))),
                )  # fmt: skip
            if isinstance(right, PointsMoved):
                self._ask_points(draft, right, step.state, seats)
            if isinstance(right, ENDS):
                self._ask_other_end(right, step.state, seats, words)
        else:
            again = Press(
                words("It did happen"), act=partial(self._draft, replace(draft, right=step.event)), main=True
            )
            inside.add_widget(again)
        inside.add_widget(self.take_out)

    def _ask_other_end(self, end: Event, state: State, seats: Sequence[str], words: Words) -> None:
        """Who else may have won, or that nobody did."""
        inside = self._ask.inside
        if isinstance(end, Won):
            self._add_enter_again(words)
        else:
            self.who = Choices(lambda key: self._enter_again(int(key)), a_row=3)
            self.who.offer([(str(each), seats[each]) for each in state.house.seats], None)
            inside.add_widget(self.who)
        if not isinstance(end, HandDrawn):
            self.nobody = Press(words("Nobody wins"), act=partial(self._draft, EndDraft(None)))
            inside.add_widget(self.nobody)

    def _add_enter_again(self, words: Words) -> None:
        self.anew = Press(words("Enter the win again …"), act=self._enter_again)
        self._ask.inside.add_widget(self.anew)

    def _enter_again(self, seat: int | None = None) -> None:
        self._controller.do(lambda state: state.enter_again(seat))

    def _ask_points(self, draft: EventDraft, right: PointsMoved, state: State, seats: Sequence[str]) -> None:
        """A row for each person; what one gets more, the first other one pays."""
        for seat in state.house.seats:
            row = layout.row(
                Text(f"{seats[seat]}  {write_points(right.points[seat])}", size=theme.TEXT_LARGE),
                height=theme.TOUCH,
                spacing=theme.GAP / 2,
            )
            payer = next(each for each in state.house.seats if each != seat)
            for step in POINTS:
                moved = with_points(right, payer, seat, step)
                row.add_widget(
                    Press(write_points(step), act=partial(self._draft, replace(draft, right=moved)))
                )
            self._ask.inside.add_widget(row)

    # What both ask for.

    def _add_tiles(
        self, codes: Sequence[str], chosen: int | None, width: float, places: Sequence[int] = ()
    ) -> None:
        """places: of the tiles in the order in which they are shown, where that is another one."""
        flow = StackLayout(size_hint_y=None, spacing=theme.GAP / 4)
        flow.bind(minimum_height=flow.setter("height"))
        fitting = width / max(len(codes), 1) - theme.GAP / 4
        for at in places or range(len(codes)):
            key = TileKey(
                codes[at], width=min(KEY, max(fitting, theme.TILE_WIDTH_MIN)),
                act=partial(self._choose_tile, at),
            )  # fmt: skip
            key.mark(ring=theme.GOLD if at == chosen else None)
            self.tiles.append(key)
            flow.add_widget(key)
        self._ask.inside.add_widget(flow)

    def _add_keyboard(self, state: State, code: str | None, width: float, press: object) -> None:
        copies = state.house.copies
        is_flower = code is not None and code.endswith(Suit.FLOWERS.value)
        kinds = [
            tile
            for tile in state.house.wall.tile_set.kinds
            if copies[tile.index] and (tile.suit is Suit.FLOWERS) == is_flower
        ]
        self.keyboard = Keyboard(kinds, (width, KEYBOARD_HEIGHT), press)  # type: ignore[arg-type]
        if code in self.keyboard.keys:
            self.keyboard.keys[code].mark(ring=theme.GOLD)
        self._ask.inside.add_widget(self.keyboard)

    def _choose_tile(self, at: int) -> None:
        self._controller.do(lambda state: state.in_hand(lambda look: look.choose_tile(at)))

    def _draft(self, draft: Draft) -> None:
        self._controller.do(lambda state: state.draft(draft))


def _replace_tile(draft: EndDraft, at: int, code: str) -> EndDraft:
    assert draft.win is not None
    return replace(draft, win=with_reported_tile(draft.win, at, code), tile_at=None)


STEP_S = 0.9
"""Between events while the hand plays by itself."""
APART = theme.GAP / 4
"""Between two events of the list."""
NUMBER_WIDTH = dp(34)
FIX_WIDTH, FIX_NARROW = dp(124), dp(92)
MIDDLE = {"center_y": 0.5}
LIST_NARROW = dp(440)
"""In a narrower list there is less room for what puts an event right, and more for its words."""
LISTED_FROM = dp(1000)
"""In a narrower and lower window only the table is shown."""
TURN_WIDTH = theme.TOUCH * 1.4
NARROWEST = theme.TOUCH * 5
"""With less room there is no button that turns to the start."""
NARROW = dp(360)
"""With less room the buttons that turn are no wider than a finger."""
LOW_UNDER = dp(560)
"""In a lower window a narrow list has no room next to the table."""


class ReplayPane(BoxLayout):
    """The table, and next to or below it the events and the buttons."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(spacing=theme.GAP)
        self._controller = controller
        do = controller.do
        self.board = Board(lambda seat: None, lambda number: None)
        self.said = TileText(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.list = Listing(StepRow, row_height=theme.TOUCH, spacing=APART)
        self.list.bind(width=Clock.create_trigger(self._list_again))
        self.slider = Slider(min=0, max=1, step=1, size_hint_y=None, height=theme.TOUCH)
        self.slider.bind(value=self._slide)
        self.buttons = {
            "first": Press("◀◀", act=lambda: do(lambda state: state.in_hand(lambda look: look.go(0)))),
            "back": Press("◀", act=lambda: do(lambda state: state.in_hand(lambda look: look.turn(-1)))),
            "run": Press(" ", main=True, act=lambda: do(lambda state: state.in_hand(ShownHand.run))),
            "on": Press("▶", act=lambda: do(lambda state: state.in_hand(lambda look: look.turn(1)))),
        }
        self._row = layout.row(*self.buttons.values(), height=theme.TOUCH, spacing=theme.GAP / 2)
        for name in ("first", "back", "on"):
            self.buttons[name].size_hint_x = None
        self._side = layout.column(self.said, self.list, self.slider, self._row, spacing=theme.GAP / 2)
        self.add_widget(self.board)
        self.add_widget(self._side)
        self._tick = Clock.schedule_interval(self._go_on, STEP_S)
        self._tick.cancel()
        self._showing = False
        self._listed: object = None
        self._list_inputs: tuple[ShownHand, Sequence[str], Words] | None = None

    def show(self, view: View[SheetState], names: Sequence[str]) -> None:
        look, words = view.state.look, view.words
        if look is None or look.step is None:
            return
        wide = view.size[0] >= min(WIDE_FROM, view.size[1])
        self.orientation = "horizontal" if wide else "vertical"
        if wide:
            self.board.width = min(view.size[1] - dp(170), view.size[0] * 0.58)
        beside = view.size[0] - self.board.width if wide else view.size[0]
        cramped = wide and beside < NARROW and view.size[1] < LOW_UNDER
        self._arrange(view.size, wide=wide, cramped=cramped)
        for name in ("first", "back", "on"):
            self.buttons[name].width = TURN_WIDTH if beside >= NARROW else theme.TOUCH
        first = self.buttons["first"]  # the slider leads there too
        if (beside >= NARROWEST) != (first.parent is not None):
            if first.parent is None:
                self._row.add_widget(first, index=len(self._row.children))
            else:
                self._row.remove_widget(first)
        step = look.step
        self.said.letters = theme.TEXT_SMALL if cramped else theme.TEXT_LARGE
        self.said.say(describe_step(step, names), words)
        self.board.show(_view_board(step, words))
        self._showing = True
        self.slider.max, self.slider.value = max(1, len(look.steps) - 1), look.at
        self._showing = False
        self.buttons["run"].text = words("Stop") if look.runs else words("Play")
        self.buttons["back"].disabled = self.buttons["first"].disabled = look.at == 0
        self.buttons["on"].disabled = look.at == len(look.steps) - 1
        self._list_steps(look, names, words)
        if look.runs:
            self._tick()
        else:
            self._tick.cancel()

    def _arrange(self, size: tuple[float, float], *, wide: bool, cramped: bool) -> None:
        """Where there is no room for the list, the table has it, or the words of the step."""
        listed = not cramped if wide else size[1] >= LISTED_FROM
        if listed != (self.list.parent is not None):
            if listed:
                self._side.add_widget(self.list, index=2)
            else:
                self._side.remove_widget(self.list)
        self._side.size_hint_y = 1 if wide or listed else None
        self._side.height = theme.TOUCH * 2 + self.said.height + theme.GAP * 2
        self.board.size_hint = (None, 1) if wide else (1, None if listed else 1)
        if listed and not wide:
            self.board.height = min(size[0], size[1] * 0.5)

    def _list_steps(self, look: ShownHand, names: Sequence[str], words: Words) -> None:
        self._list_inputs = look, names, words
        width = self.list.width
        listed = look.steps, look.at, words, tuple(names), width
        if listed == self._listed:
            return
        self._listed = listed
        self.list.data = [
            {
                "content": (at, said, words, at == look.at),
                "may_be_fixed": can_be_fixed(step.event),
                "fix_width": _measure_fix(width),
                "pane": self,
                ROW_SIZE: (None, _measure_row(said, words, width)),
            }
            for at, step in enumerate(look.steps)
            for said in [describe_step(step, names)]
        ]
        heights = [row[ROW_SIZE][1] + APART for row in self.list.data]
        room = sum(heights) - self.list.height
        if room > 0:
            above = sum(heights[: look.at]) - self.list.height / 2
            self.list.scroll_y = min(1.0, max(0.0, 1 - above / room))
        else:
            self.list.scroll_y = 1.0

    def _list_again(self, _: float) -> None:
        """The list has another width."""
        if self._list_inputs is not None:
            self._list_steps(*self._list_inputs)

    def go(self, at: int) -> None:
        self._controller.do(lambda state: state.in_hand(lambda look: look.go(at)))

    def begin_correction(self, at: int) -> None:
        self._controller.do(lambda state: state.begin_correction(at))

    def _slide(self, _: object, value: float) -> None:
        if not self._showing:
            self._controller.do(lambda state: state.in_hand(lambda look: look.go(round(value))))

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
            act=self._correct_played,
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
        self.at, sentence, words, chosen = data["content"]
        assert isinstance(sentence, Sentence)
        self._pane = data["pane"]
        self.number.text = str(self.at + 1)
        self.said.say(sentence, words)
        self.fix.text, self.fix.width = words("Correct"), data["fix_width"]
        self.fix.disabled, self.fix.opacity = not data["may_be_fixed"], int(data["may_be_fixed"])
        self._colour.rgba = theme.PANEL_PRESSED if chosen else theme.PANEL

    def on_release(self) -> None:
        if self._pane:
            self._pane.go(self.at)

    def _correct_played(self) -> None:
        if self._pane:
            self._pane.begin_correction(self.at)

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size


def _measure_fix(width: float) -> float:
    """How wide the button is that puts an event right, in a list of that width. px"""
    return float(FIX_WIDTH if width >= LIST_NARROW else FIX_NARROW)


def _measure_row(said: Sentence, words: Words, width: float) -> float:
    """The height in px of the row of an event with this text, in a list of that width."""
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


ASIDE_FROM = dp(990)
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
        self.fix = Press(" ", act=lambda: do(lambda state: state.begin_correction()))
        self.before = Press("◀", act=lambda: do(lambda state: state.turn_to(-1)))
        self.after = Press("▶", act=lambda: do(lambda state: state.turn_to(1)))
        self._head = layout.row(height=theme.TOUCH)
        self._second = layout.row(height=theme.TOUCH)
        self._body = layout.row(spacing=0)
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
        ways = [(RESULT, words("Result")), (STEPS, words("Step by step"))]
        self.views.offer(ways if state.has_steps else [], STEPS if look.replays else RESULT)
        self.title.text = words("Hand {number}", number=hand.number) if hand.number else ""
        self.fix.text = words("Correct")
        self.fix.disabled = fixing
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
        elif look.replays and view.state.has_steps:
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
        wide = view.size[0] >= ASIDE_FROM or not view.state.has_steps
        arranged = wide, view.state.has_steps
        if arranged == self._arranged:
            return
        self._arranged = arranged
        self.clear_widgets()
        for box in (self._head, self._second):
            box.clear_widgets()
        views = (self.views,) if view.state.has_steps else ()
        first = (self.close, *views, self.title, self.fix, self.before, self.after)
        rows = (first, ()) if wide else (
            (self.close, self.title, self.before, self.after), (*views, self.fix)
        )  # fmt: skip
        widths = {
            self.close: dp(132), self.before: theme.TOUCH * 1.2, self.after: theme.TOUCH * 1.2,
            self.fix: dp(130),
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
