"""The coach's two panels next to another page: advice on the running game, and the graded decisions of a hand
that is replayed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.coach.noted_tiles import (
    Noted,
    NotedTiles,
    colour_grade,
    list_useful,
    note_decisions,
    note_hand,
    note_useful,
    note_worst,
)
from companion.app.coach.state import CoachState, Replayed
from companion.app.coach.wording import describe_first, shorten, sum_up_hand
from companion.app.feature import Controller, View
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.coach.results import Level, RatedDecision
from companion.coach.words.wording import (
    describe_best,
    describe_decision,
    describe_grade,
    list_action_tiles,
    name_action,
    name_people,
    name_seats,
    phrase,
)
from companion.words import Words

BUTTON, BUTTON_NARROW = dp(132), dp(84)
NARROW, TWO_BUTTONS_FROM = dp(600), dp(490)
"""Widths of the card, below which its buttons are narrower, and below which it has one of them in a line."""
COUNTED_MIN = dp(36)
LINE_TILE = dp(40)
USEFUL_MIN = dp(34)
LINE_MAX = dp(110)
"""Up to this height the panel is one line."""


class TablePanel(Card):
    """The sentence, which scrolls where it has no room, and the hand below it; in one line the advised tile.
    has_hand: whether it shows the hand, else what helps it; the page of a practice game shows the hand.
    wanted_height: the height it needs, px; all there is, once a hand is known."""

    wanted_height = NumericProperty(inf)

    def __init__(self, controller: Controller[CoachState], *, has_hand: bool = True) -> None:
        super().__init__(
            orientation="horizontal", padding=theme.GAP / 2, spacing=theme.GAP,
            radius=theme.RADIUS if has_hand else 0, colour=theme.PANEL_RAISED,
        )  # fmt: skip
        do = controller.do
        self._has_hand = has_hand
        self.said = Text(size=theme.TEXT)
        self._sayings: tuple[str, ...] = ("",)
        self._scroll = Column(spacing=0)
        self._scroll.inside.add_widget(self.said)
        self._scroll.bind(size=self._fit)
        self.hand = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, size_hint_y=None)
        self.advised = NotedTiles(tile_width=LINE_TILE, notes=False, size_hint_x=None, width=LINE_TILE)
        self.useful = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, least=USEFUL_MIN, cuts=True)
        self.useful_words = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self.useful_words.height = theme.TEXT_SMALL * 1.5
        self.more = Press(" ", act=lambda: do(CoachState.enter), size=theme.TEXT_SMALL)
        self.tell = Press(" ", act=lambda: do(CoachState.enter_missing), size=theme.TEXT_SMALL, main=True)
        self.legend = Text(size=theme.TEXT_TINY, colour=theme.IVORY_DIM)
        self._head = layout.row()
        self._main = layout.column(spacing=theme.GAP / 2)
        self._useful = layout.column(self.useful_words, self.useful, spacing=theme.GAP / 4)
        self._buttons = layout.column(spacing=theme.GAP / 2, width=BUTTON)

    def measure(self, size: tuple[float, float]) -> tuple[float, float]:
        return size[0], layout.measure_panel_above(size)

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        self.more.text = words("More")
        self.legend.text = words("Below each tile: its chance of dealing in")
        position, answer = state.position, state.answer
        names = () if state.game is None else name_seats(state.game, words)
        self._sayings = _say_position(state, words, names)
        self.tell.text = _name_missing(state, words, names)
        asked = position.question is not None
        hand = [] if answer is None or not asked else note_hand(answer, counts=state.level is Level.LEFT)
        self.hand.show(hand if self._has_hand else ())
        self.advised.show([Noted(each.code) for each in hand if each.raised])
        useful = () if answer is None else list_useful(answer)
        self.useful.show(note_useful(useful))
        left = sum(each.unseen for each in useful)
        self.useful_words.text = words("What helps: {count} left", count=left) if useful else ""
        bare = self._has_hand and position.wants_hand and position.trouble is None
        self.wanted_height = layout.PANEL_LINE if bare else inf
        self._arrange(state, (view.size[0], min(view.size[1], self.wanted_height)))
        self._fit()

    def _fit(self, *_: object) -> None:
        """The longest version of the sentence that has room; the shortest scrolls if need be."""
        said, room = self.said, self._scroll
        said.text_size = (room.width, None)
        for saying in self._sayings:
            said.text = saying
            said.texture_update()
            if said.texture_size[1] <= room.height:
                break
        said.text_size = (said.width, None)
        room.show_start()

    def _arrange(self, state: CoachState, size: tuple[float, float]) -> None:
        for each in (self, self._main, self._head, self._buttons):
            each.clear_widgets()
        asks = state.position.wants_hand or state.position.unnamed is not None
        is_line, is_narrow = size[1] <= LINE_MAX, size[0] < NARROW
        has_hand = bool(self.hand.tiles) and not is_line
        self.said.font_size = theme.TEXT_SMALL if is_line and is_narrow else theme.TEXT
        buttons = [self.tell, self.more] if asks else [self.more]
        if is_line and is_narrow and size[0] < TWO_BUTTONS_FROM:
            buttons = buttons[:1]
        self._buttons.orientation = "horizontal" if is_line else "vertical"
        width = BUTTON_NARROW if is_narrow else BUTTON
        self._buttons.width = width * (len(buttons) if is_line else 1)
        for button in buttons:
            self._buttons.add_widget(button)
        if not is_line:
            self._buttons.add_widget(Widget())
        self._head.add_widget(self._scroll)
        self._main.add_widget(self._head)
        if has_hand:
            counts = state.level is Level.LEFT
            self.hand.least = COUNTED_MIN if counts else 0.0
            most = size[1] - theme.TOUCH - self.legend.height - theme.GAP * 2
            self.hand.height = min(self.hand.measure(size[0] - theme.GAP, len(self.hand.tiles)), most)
            self._head.add_widget(self._buttons)
            self._main.add_widget(self.hand)
            if not counts:
                self._main.add_widget(self.legend)
        elif not is_line and self.useful.tiles:
            self._head.add_widget(self._useful)
        for part in (
            *([self.advised] if is_line and self.advised.tiles else []),
            self._main,
            *([] if has_hand else [self._buttons]),
        ):
            self.add_widget(part)


def _say_position(state: CoachState, words: Words, names: tuple[str, ...]) -> tuple[str, ...]:
    """The advice, in full and in shorter versions; or what is missing."""
    position, answer = state.position, state.answer
    if position.trouble is not None:
        return (phrase(position.trouble, words, names),)
    if position.unnamed is not None and position.seat is not None:
        return (words("Which tile did {who} draw?", who=names[position.seat]),)
    if position.wants_hand:
        if position.seat is None:
            return (words("Whose hand? Enter its tiles by touch or with a photo."),)
        return (words("Enter the tiles of {who}, by touch or with a photo.", who=names[position.seat]),)
    if answer is None:
        return (words("Thinking …"),)
    if position.seat is None:
        return (words("Tiles still to come, by kind"),)
    sayings = [describe_first(answer, words, names)]
    if answer.trouble is None and answer.advice is not None and answer.advice.choices:
        best = answer.advice.choices[0]
        sayings = [describe_best(best, phrase(each, words, names), words) for each in shorten(best.why)]
    if not sayings[0]:
        return (words("Tiles still to come, by kind"),)
    who = names[position.seat]
    return tuple([words("{who}: {said}", who=who, said=said) for said in sayings])


def _name_missing(state: CoachState, words: Words, names: tuple[str, ...]) -> str:
    return words("Name the tile") if state.position.unnamed is not None else words("Enter hand")


BELOW_PART, BELOW_MIN = 0.34, dp(250)
SIDE_PART, SIDE_MIN = 0.28, dp(300)
"""Share of the window's width for the panel on the right, and its minimum width."""
CHIP = theme.TOUCH
"""The least width of a decision: it is touched."""
BEST_TILE = dp(40)
WORST_HEIGHT = theme.TOUCH * 1.75


class StepPanel(Card):
    """Touch a decision, and the replay goes there."""

    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP / 2, radius=0, colour=theme.PANEL_RAISED)
        self._controller = controller
        self._replayed: Replayed | None = None
        self.people = Choices(
            lambda key: controller.do(lambda state: state.choose_person(int(key))), size=theme.TEXT_SMALL,
        )  # fmt: skip
        self.more = Press(" ", act=lambda: controller.do(CoachState.enter), size=theme.TEXT_SMALL)
        self.done = Text(size=theme.TEXT, bold=True)
        self.grade = Text(size=theme.TEXT_LARGE, bold=True)
        self.why = Text(size=theme.TEXT)
        self.best_words = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.best = NotedTiles(tile_width=BEST_TILE, notes=False, size_hint_y=None, height=dp(60))
        self.worst: list[WorstRow] = []
        self.chips = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, least=CHIP, act=self._touch)
        self.chips.size_hint_y = None
        self.chips.bind(width=self._measure_chips)
        self._body = Column()
        self._said = layout.column(spacing=theme.GAP / 2, size_hint_y=None)
        self._said.bind(minimum_height=self._said.setter("height"))
        for part in (self._said, self.chips):
            self._body.inside.add_widget(part)

    def measure(self, size: tuple[float, float]) -> tuple[float, float]:
        width, height = size
        if width > height:
            return max(width * SIDE_PART, SIDE_MIN), height
        return width, max(height * BELOW_PART, BELOW_MIN)

    def show(self, view: View[CoachState]) -> None:
        words, replayed = view.words, view.state.replayed
        self._replayed = replayed
        if replayed is None:
            return
        self.people.cols = 2 if view.size[0] < view.size[1] else len(replayed.people)
        names = name_people(replayed.sheet.names, words)
        self.people.offer([(str(each), names[each]) for each in replayed.people], str(replayed.person))
        self.more.text = words("All decisions")
        self.chips.show(note_decisions(replayed))
        self._measure_chips()
        self._say(replayed, words, names)

    def _say(self, replayed: Replayed, words: Words, names: tuple[str, ...]) -> None:
        current = replayed.current
        seated = (replayed.hand.after.hand or replayed.hand.after).seated
        seats = tuple(names[person] for person in seated)
        parts: list[Widget] = [self.why]
        if current is None:
            self.why.text = sum_up_hand(replayed, words)
            self.worst = [
                WorstRow(noted, explain_decision(each, words, seats), partial(self._want, each.number))
                for noted, each in zip(note_worst(replayed), replayed.worst, strict=True)
            ]
            parts += self.worst
        else:
            parts = [self.done, self.grade, self.why]
            self.done.text = describe_decision(current, words)
            self.grade.text = describe_grade(current, words)
            self.grade.color = colour_grade(current.grade)
            self.why.text = explain_decision(current, words, seats)
        best = None if current is None else current.best
        if current is not None and best is not None and best is not current.chosen and current.cost:
            self.best_words.text = words("Best: {act}", act=name_action(best, words))
            self.best.show([Noted(code) for code in list_action_tiles(best)])
            parts.append(self.best_words)
            if self.best.tiles:
                parts.append(self.best)
        for box in (self, self._said):
            box.clear_widgets()
        for part in parts:
            self._said.add_widget(part)
        for part in (self.people, self._body, self.more):
            self.add_widget(part)

    def _measure_chips(self, *_: object) -> None:
        self.chips.height = self.chips.measure(self.chips.width, len(self.chips.tiles))

    def _touch(self, at: int) -> None:
        if self._replayed is not None and at < len(self._replayed.decisions):
            self._want(self._replayed.decisions[at].number)

    def _want(self, number: int) -> None:
        self._controller.do(lambda state: state.want_step(number))


class WorstRow(ButtonBehavior, BoxLayout):
    """One of the worst decisions and why; touched, the replay goes there."""

    def __init__(self, noted: Noted, why: str, act: Callable[[], None]) -> None:
        super().__init__(size_hint_y=None, height=WORST_HEIGHT, spacing=theme.GAP)
        self._act = act
        tile = NotedTiles(tile_width=theme.TOUCH, size_hint_x=None, width=theme.TOUCH)
        tile.show([noted])
        self.add_widget(tile)
        self.why = Text(why, size=theme.TEXT_SMALL)
        self.why.pos_hint = {"center_y": 0.5}
        self.why.bind(height=self._grow)
        self.add_widget(self.why)

    def on_release(self) -> None:
        self._act()

    def _grow(self, *_: object) -> None:
        """As high as its words need."""
        self.height = max(WORST_HEIGHT, self.why.height)


def explain_decision(decision: RatedDecision, words: Words, seats: tuple[str, ...]) -> str:
    """The sentence of a decision; of a good one that nothing was better."""
    if decision.why is not None:
        return phrase(decision.why, words, seats)
    if decision.cost:
        return words("Another choice was a little better.")
    return words("No other choice was better.")
