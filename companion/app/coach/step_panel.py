"""The coach beside a hand that is replayed: every decision of one player with its grade, the worst two
explained."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.coach.looks import colour_grade, note_decisions, note_worst
from companion.app.coach.noted_tiles import Noted, NotedTiles
from companion.app.coach.replayed import Replayed
from companion.app.coach.state import CoachState
from companion.app.coach.wording import sum_up_hand
from companion.app.feature import Controller, View
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Text
from companion.coach.results import RatedDecision
from companion.coach.words.wording import (
    describe_decision,
    describe_grade,
    list_action_tiles,
    name_action,
    name_people,
    phrase,
)
from companion.words import Words

BELOW_PART, BELOW_LEAST = 0.34, dp(250)
SIDE_PART, SIDE_LEAST = 0.28, dp(300)
"""Of the window: in a wide one the panel stands on the right."""
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
        self._said = BoxLayout(orientation="vertical", spacing=theme.GAP / 2, size_hint_y=None)
        self._said.bind(minimum_height=self._said.setter("height"))
        for part in (self._said, self.chips):
            self._body.inside.add_widget(part)

    def measure(self, size: tuple[float, float]) -> tuple[float, float]:
        width, height = size
        if width > height:
            return max(width * SIDE_PART, SIDE_LEAST), height
        return width, max(height * BELOW_PART, BELOW_LEAST)

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
    return words("Nothing was better here.")
