"""A hand step by step: the table, the event in words, and putting it right."""

from __future__ import annotations

from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.slider import Slider
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.sheet.hands_pane import describe_deal, describe_hand, name_seated
from companion.app.sheet.state import SheetState
from companion.app.text import Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Text
from companion.app.widgets.tiles import TileFace, TileKey
from companion.errors import EventError
from companion.running.event_words import describe_event
from companion.sheets import fixes
from companion.sheets.hands import Sheet, Step
from companion.table.apply import apply
from companion.table.events import Event
from companion.table.state import State
from companion.tiles import BACK, KINDS, UNKNOWN

STEP_S = 0.8
"""Between events while the hand plays by itself."""
FACE, SMALL_FACE, KEY = dp(30), dp(24), dp(57)


class HandPane(BoxLayout):
    """The table above, the steps below; the event beside them can be put right."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.head = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.table = Column()
        self.said = Text()
        self.was = Text(size=theme.TEXT_SMALL, colour=theme.UNSURE, height=0)
        self.slider = Slider(min=0, max=1, step=1, size_hint_y=None, height=theme.TOUCH)
        self.slider.bind(value=self._slide)
        self.fix = Column()
        self.buttons = {
            name: Press(" ", act=partial(self._act, name)) for name in ("close", "back", "run", "on", "fix")
        }
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for button in self.buttons.values():
            row.add_widget(button)
        self._middle = BoxLayout(spacing=theme.GAP)
        self._middle.add_widget(self.table)
        for child in (self.head, self._middle, self.said, self.was, self.slider, row):
            self.add_widget(child)
        self._tick = Clock.schedule_interval(self._go_on, STEP_S)
        self._tick.cancel()
        self._showing = False

    def show(self, view: View[SheetState]) -> None:
        state, words = view.state, view.words
        hand, step, sheet = state.hand, state.step, state.sheet
        if hand is None or step is None or sheet is None:
            return
        names = name_seated(sheet, words)
        deal, how = describe_deal(hand, names, words), describe_hand(hand, names, words)
        self.head.text = f"{hand.number}   {how}   {deal}"
        seats = tuple(names[person] for person in (step.state.hand or step.state).seated)
        self.said.text = f"{state.at + 1}/{len(state.steps)}   " + words.say(
            describe_event(step.event, step.state, seats)
        )
        self._show_corrections(sheet, state, step, seats, words)
        self._showing = True
        self.slider.max, self.slider.value = max(1, len(state.steps) - 1), state.at
        self._showing = False
        for name, said in (
            ("close", words("All hands")), ("back", "◀"),
            ("run", words("Stop") if state.running else words("Play")),
            ("on", "▶"), ("fix", words("Put right")),
        ):  # fmt: skip
            self.buttons[name].text = said
        self.buttons["fix"].disabled = not fixes.can_be_fixed(step.event)
        self._show_table(step.state, seats)
        self._show_fix(state, step, seats, words)
        if state.running:
            self._tick()
        else:
            self._tick.cancel()

    def _show_corrections(
        self, sheet: Sheet, state: SheetState, step: Step, seats: tuple[str, ...], words: Words
    ) -> None:
        before = state.steps[state.at - 1].state if state.at else state.hand.before if state.hand else None
        found = sheet.corrections_of(step.number)
        self.was.text = "\n".join(
            words("corrected: was “{what}”", what=_describe_old(each.was, before, seats, words))
            for each in found
        )
        if not found:
            self.was.height = 0

    def _show_table(self, state: State, seats: tuple[str, ...]) -> None:
        self.table.inside.clear_widgets()
        if state.hand is None:
            return
        for seat in state.house.seats:
            player = state.hand.players[seat]
            card = Card(size_hint_y=None, padding=theme.GAP / 2, spacing=theme.GAP / 4)
            card.bind(minimum_height=card.setter("height"))
            card.add_widget(
                Text(
                    seats[seat],
                    size=theme.TEXT_SMALL,
                    colour=theme.GOLD if state.hand.turn == seat else theme.IVORY,
                )
            )
            held = [tile.code for tile in sorted(player.concealed)] + [BACK] * player.hidden
            laid = [
                c
                for meld in player.melds
                for c in ([t.code for t in meld.meld.tiles] if meld.meld else [BACK] * 4)
            ]
            flowers = [tile.code for tile in player.flowers]
            card.add_widget(_make_flow([*laid, *flowers, *held], FACE))
            card.add_widget(_make_flow([t.code if t else UNKNOWN for t in player.discards], SMALL_FACE))
            self.table.inside.add_widget(card)

    def _show_fix(self, state: SheetState, step: Step, seats: tuple[str, ...], words: Words) -> None:
        draft = state.fixing
        if draft is None:
            if self.fix.parent:
                self._middle.remove_widget(self.fix)
            return
        if not self.fix.parent:
            self._middle.add_widget(self.fix)
        inside = self.fix.inside
        inside.clear_widgets()
        inside.add_widget(Text(words("What was it?"), colour=theme.GOLD))
        if (seat := fixes.find_seat(draft)) is not None:
            row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
            for each in step.state.house.seats:
                press = Press(seats[each], act=partial(self._draft, fixes.with_seat(draft, each)))
                press.chosen = each == seat
                row.add_widget(press)
            inside.add_widget(row)
        if fixes.has_tile(draft):
            keys = StackLayout(size_hint_y=None, spacing=theme.GAP / 2)
            keys.bind(minimum_height=keys.setter("height"))
            for tile, copies in zip(KINDS, step.state.house.copies, strict=True):
                if copies:
                    key = TileKey(
                        tile.code, width=KEY, act=partial(self._draft, fixes.with_tile(draft, tile.code))
                    )
                    key.mark(ring=theme.GOLD if tile.code == fixes.find_tile(draft) else None)
                    keys.add_widget(key)
            inside.add_widget(keys)
        for said, happened in ((words("Change it"), True), (words("It did not happen"), False)):
            inside.add_widget(Press(said, act=partial(self._confirm, happened), main=happened))
        inside.add_widget(Press(words("Leave it"), act=partial(self._draft, None)))

    def _draft(self, draft: Event | None) -> None:
        self._controller.do(lambda state: state.fix(draft))

    def _confirm(self, happened: bool) -> None:
        self._controller.do(lambda state: state.confirm_fix(happened=happened))

    def _act(self, name: str) -> None:
        def step(state: SheetState) -> SheetState:
            match name:
                case "close":
                    return state.close_hand()
                case "back":
                    return state.go(state.at - 1)
                case "on":
                    return state.go(state.at + 1)
                case "run":
                    return state.run()
            return state.fix(state.step.event) if state.step else state

        self._controller.do(step)

    def _slide(self, _: object, value: float) -> None:
        if not self._showing:
            self._controller.do(lambda state: state.go(round(value)))

    def _go_on(self, _: float) -> bool:
        if self.parent is None:
            return False
        self._controller.do(lambda state: state.go(state.at + 1) if state.running else state)
        return True


def _describe_old(event: Event, before: State | None, seats: tuple[str, ...], words: Words) -> str:
    """What was believed. Where it cannot have happened in the game as it is now, at least what it was."""
    try:
        return words.say(describe_event(event, apply(before, event), seats))
    except EventError as problem:
        return words.say(problem.sentence)


def _make_flow(codes: list[str], width: float) -> StackLayout:
    flow = StackLayout(size_hint_y=None, spacing=dp(1))
    flow.height = width / theme.TILE_ASPECT
    flow.bind(minimum_height=flow.setter("height"))
    for code in codes:
        flow.add_widget(TileFace(code, width=width))
    return flow
