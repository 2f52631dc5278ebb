"""A game's lesson at the table: the empty table, and next to it a step in words and drawn tiles."""

from __future__ import annotations

from functools import cache

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.practice.lessons import LESSONS
from companion.app.practice.state import Practice
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.game_words import describe_middle, describe_plates, name_rules
from companion.app.widgets.tiles import TileStrip
from companion.table.apply import apply
from companion.table.events import GameStarted
from companion.table.state import State
from companion.tiles import parse_tiles

SIDE_PART = 0.56
"""Share of the window for the step, next to the table or below it."""
GROUPS_A_ROW = 4
TILE_MOST = dp(52)


class LessonStepsPage(BoxLayout):
    """In an upright window the table is above the step."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self.board = Board(lambda seat: None, lambda number: None)
        self.title = Tag(
            size=theme.TEXT_LARGE, colour=theme.GOLD, size_hint_y=None, height=theme.TEXT_LARGE * 2
        )
        self.said = Text(size=theme.TEXT_LARGE)
        self.before = Press(" ", act=lambda: do(lambda state: state.turn_lesson(-1)))
        self.next = Press(" ", act=lambda: do(lambda state: state.turn_lesson(1)), main=True)
        self.leave = Press(" ", act=lambda: do(Practice.leave_lesson))
        self._body = Column(spacing=theme.GAP)
        buttons = layout.row(self.leave, self.before, self.next, height=theme.TOUCH)
        self._side = Card(colour=theme.PANEL)
        for part in (self.title, self._body, buttons):
            self._side.add_widget(part)
        for part in (self.board, self._side):
            self.add_widget(part)

    def show(self, view: View[Practice]) -> None:
        place, words = view.state.lesson, view.words
        if place is None:
            return
        steps = LESSONS[place.rules]
        step, game = steps[place.at], begin_game(place.rules)
        self.board.show(BoardView(game, describe_plates(game, words), describe_middle(game, words)))
        self.title.text = words(
            "{game}: step {number} of {count}",
            game=name_rules(place.rules, words), number=place.at + 1, count=len(steps),
        )  # fmt: skip
        self.said.text = words(step.text, value=step.value)
        self._show_tiles(step.groups)
        self.leave.text, self.before.text = words("End the lesson"), words("Back")
        self.before.disabled = place.at == 0
        self.next.text = words("Play a hand") if place.at + 1 == len(steps) else words("Next")
        wide = view.size[0] > view.size[1]
        self.orientation = "horizontal" if wide else "vertical"
        self._side.size_hint = (SIDE_PART, 1) if wide else (1, SIDE_PART)
        self.board.size_hint = (1 - SIDE_PART, 1) if wide else (1, 1 - SIDE_PART)

    def _show_tiles(self, groups: tuple[str, ...]) -> None:
        inside = self._body.inside
        inside.clear_widgets()
        inside.add_widget(self.said)
        drawn = [[(tile.code, False) for tile in parse_tiles(group)] for group in groups]
        rows = -(-len(drawn) // GROUPS_A_ROW)
        for row in range(rows):
            inside.add_widget(
                TileStrip(drawn[row * GROUPS_A_ROW : (row + 1) * GROUPS_A_ROW], tile_width=TILE_MOST)
            )
        inside.add_widget(Widget(size_hint_y=None, height=theme.GAP))


@cache
def begin_game(rules: str) -> State:
    """A game that has only begun."""
    return apply(None, GameStarted(rules=rules))
