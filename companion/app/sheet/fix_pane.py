"""Putting right: what it was instead, by touch; and beside it what that changes, before it is confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.sheet.change_card import fill_changes
from companion.app.sheet.look import Draft, EndDraft, EventDraft, Fix, HandLook
from companion.app.sheet.state import SheetState
from companion.app.sheet.wording import describe_step, name_at
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Text
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.tile_text import TileText
from companion.app.widgets.tiles import TileKey
from companion.rules import Source
from companion.sheets.rewriting import (
    ENDS,
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
from companion.sheets.wording import describe_hand, say_points
from companion.table.events import Event, HandDrawn, PointsMoved, Won
from companion.table.messages import OWN_TILE
from companion.table.state import State
from companion.tiles import Suit, Tile
from companion.words import Words

WIDE_FROM = dp(900)
KEY = dp(52)
NOBODY, DRAWN = "nobody", "drawn"
POINTS = (-10, -1, 1, 10)
KEYBOARD_HEIGHT = dp(330)


class FixPane(BoxLayout):
    """Left what it was, right what changes; one below the other in a narrow window."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(spacing=theme.GAP)
        self._controller = controller
        self._ask = Column(spacing=theme.GAP / 2)
        self._changes = Column(spacing=theme.GAP / 4)
        self._right = Card()
        self.confirm = Press(" ", main=True, act=lambda: controller.do(SheetState.confirm_fix))
        self.leave = Press(" ", act=lambda: controller.do(SheetState.leave_fix))
        buttons = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        buttons.add_widget(self.leave)
        buttons.add_widget(self.confirm)
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
        self.tiles: list[TileKey] = []
        self._shown: object = None

    def show(self, view: View[SheetState], names: Sequence[str]) -> None:
        state, words = view.state, view.words
        look, sheet, hand = state.look, state.sheet, state.hand
        if look is None or look.fix is None or sheet is None or hand is None:
            return
        fix = look.fix
        wide = view.size[0] >= WIDE_FROM
        shown = fix, words, view.size, tuple(names)
        if shown == self._shown:
            return
        self._shown = shown
        self.orientation = "horizontal" if wide else "vertical"
        self._right.size_hint = (0.72, 1) if wide else (1, 0.62)
        self.confirm.text, self.leave.text = words("Change it"), words("Leave it")
        self.confirm.disabled = fix.planned is None
        self._show_changes(fix, names, words)
        inside = self._ask.inside
        inside.clear_widgets()
        self.keyboard = self.who = self.whose = self.take_out = self.anew = self.nobody = None
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
            inside.add_widget(Text(words("It cannot have been so:"), colour=theme.UNSURE))
            inside.add_widget(Text(words.say(fix.problem)))
            is_win = isinstance(fix.draft, EventDraft) and isinstance(fix.draft.right, Won)
            if is_win and fix.problem.template == OWN_TILE:
                drawn = words("If the tile was drawn, touch Enter the win anew.")
                inside.add_widget(Text(drawn, colour=theme.GOLD))
        elif fix.planned is not None:
            fill_changes(inside, fix.planned.change, names, words)
        elif fix.changed:
            inside.add_widget(Text(words("One moment …"), colour=theme.IVORY_DIM))
        else:
            inside.add_widget(Text(words("Touch what it was."), colour=theme.IVORY_DIM))

    # The end of a hand of which nothing else was recorded.

    def _ask_end(
        self, draft: EndDraft, before: State, names: Sequence[str], words: Words, width: float
    ) -> None:
        inside = self._ask.inside
        seats = name_at(before, names)
        told = draft.told
        if draft.tile_at is None:  # else the keyboard has the room
            self._ask_who(draft, before, seats, words)
        if told is None:
            return
        inside.add_widget(Text(words("With which tiles? Touch a wrong one."), colour=theme.GOLD))
        self._add_tiles(draft.tiles, draft.tile_at, width)
        if draft.tile_at is None:
            self._add_anew(words)
        if draft.tile_at is not None:
            at = draft.tile_at
            self._add_keyboard(
                before, draft.tiles[at], width, lambda code: self._draft(_replace_tile(draft, at, code))
            )

    def _ask_who(self, draft: EndDraft, before: State, seats: Sequence[str], words: Words) -> None:
        """Who won, and on whose tile."""
        inside, told, playing = self._ask.inside, draft.told, before.house.seats
        inside.add_widget(Text(words("Who won?"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        self.who = Choices(partial(self._choose_winner, draft), a_row=3)
        who = [(str(seat), seats[seat]) for seat in playing]
        self.who.offer([*who, (NOBODY, words("Nobody"))], NOBODY if told is None else str(told.seat))
        for other in draft.others if told else ():
            self.who.button(str(other.seat)).chosen = True
        inside.add_widget(self.who)
        if told is None:
            return
        inside.add_widget(Text(words("On whose tile?"), size=theme.TEXT_LARGE, colour=theme.GOLD))
        self.whose = Choices(partial(self._choose_giver, draft), a_row=3)
        others = [(str(seat), seats[seat]) for seat in playing if seat != told.seat]
        chosen = DRAWN if told.source is Source.SELF_DRAW else str(told.discarder)
        self.whose.offer([(DRAWN, words("Self-draw")), *others], chosen)
        inside.add_widget(self.whose)

    def _choose_winner(self, draft: EndDraft, key: str) -> None:
        if key == NOBODY:
            self._draft(replace(draft, told=None, last=draft.told or draft.last, tile_at=None))
            return
        told = draft.told or draft.last
        if told is None:
            self._enter_anew(int(key))
        else:
            self._draft(replace(draft, told=with_winner(told, int(key)), tile_at=None))

    def _choose_giver(self, draft: EndDraft, key: str) -> None:
        if draft.told is not None:
            giver = None if key == DRAWN else int(key)
            self._draft(replace(draft, told=with_giver(draft.told, giver), tile_at=None))

    # One event.

    def _ask_event(
        self, draft: EventDraft, look: HandLook, names: Sequence[str], words: Words, width: float
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
            words("The hand went on") if is_end else words("It did not happen"),
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
                inside.add_widget(Text(words("With which tiles? Touch a wrong one."), colour=theme.GOLD))
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
            self._add_anew(words)
        else:
            self.who = Choices(lambda key: self._enter_anew(int(key)), a_row=3)
            self.who.offer([(str(each), seats[each]) for each in state.house.seats], None)
            inside.add_widget(self.who)
        if not isinstance(end, HandDrawn):
            self.nobody = Press(words("Nobody wins"), act=partial(self._draft, EndDraft(None)))
            inside.add_widget(self.nobody)

    def _add_anew(self, words: Words) -> None:
        self.anew = Press(words("Enter the win anew …"), act=self._enter_anew)
        self._ask.inside.add_widget(self.anew)

    def _enter_anew(self, seat: int | None = None) -> None:
        self._controller.do(lambda state: state.enter_anew(seat))

    def _ask_points(self, draft: EventDraft, right: PointsMoved, state: State, seats: Sequence[str]) -> None:
        """A row for each person; what one gets more, the first other one pays."""
        for seat in state.house.seats:
            row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
            row.add_widget(Text(f"{seats[seat]}  {say_points(right.points[seat])}", size=theme.TEXT_LARGE))
            payer = next(each for each in state.house.seats if each != seat)
            for step in POINTS:
                moved = with_points(right, payer, seat, step)
                row.add_widget(Press(say_points(step), act=partial(self._draft, replace(draft, right=moved))))
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
    assert draft.told is not None
    return replace(draft, told=with_reported_tile(draft.told, at, code), tile_at=None)
