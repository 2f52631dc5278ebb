"""Figures of the game: totals over the hands as lines, a table by player, wins by pattern."""

from __future__ import annotations

from kivy.graphics import Color, Line
from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.feature import View
from companion.app.sheet.hands_pane import name_seated
from companion.app.sheet.state import SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Column, Tag, Text
from companion.sentences import msgid
from companion.table.ledger import Points

"""Of the people, in order: told apart by colour-blind people too."""
ROW_HEIGHT = dp(30)


class FiguresPane(Column):
    def __init__(self) -> None:
        super().__init__()
        self.plot = TotalsPlot()
        self._shown: object = None

    def show(self, view: View[SheetState]) -> None:
        state, words = view.state, view.words
        if (state.figures, words) == self._shown:
            return
        self._shown = state.figures, words
        self.inside.clear_widgets()
        if state.figures is None or state.sheet is None:
            return
        names, people = name_seated(state.sheet, words), state.sheet.people
        self.plot.show(state.figures.totals, people)
        self.inside.add_widget(self.plot)
        heads = (
            "",
            msgid("Points"),
            msgid("Wins"),
            msgid("Self-draws"),
            msgid("Gave the tile"),
            msgid("Average worth"),
            msgid("Longest deal"),
        )
        grid = GridLayout(cols=len(heads), size_hint_y=None, height=ROW_HEIGHT * (len(people) + 1))
        for head in heads:
            grid.add_widget(Tag(words(head) if head else "", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        for person in people:
            each = state.figures.people[person]
            worth = "–" if each.average_worth is None else f"{each.average_worth:.1f}"
            grid.add_widget(Tag(f"● {names[person]}", colour=choose_colour(person)))
            for figure in (each.points, each.wins, each.self_draws, each.given, worth, each.dealt):
                grid.add_widget(Tag(str(figure)))
        self.inside.add_widget(grid)
        for pattern in state.figures.patterns:
            name, other = words.both(pattern.name, pattern.name_zh)
            self.inside.add_widget(Text(f"{pattern.wins} ×  {name}  {other}"))


class TotalsPlot(Widget):
    """A line a person: the points before the first hand and after each."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=dp(260))
        self._totals: tuple[Points, ...] = ()
        self._people: tuple[int, ...] = ()
        self.bind(pos=self._draw, size=self._draw)

    def show(self, totals: tuple[Points, ...], people: tuple[int, ...]) -> None:
        self._totals, self._people = totals, people
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        values = [total[person] for total in self._totals for person in self._people]
        if not values:
            return
        low, high = min(values), max(values)
        wide = self.width / max(1, len(self._totals) - 1)
        tall = self.height / max(1, high - low)
        with self.canvas:
            Color(*theme.LINE)
            Line(rectangle=(*self.pos, *self.size), width=theme.HAIRLINE)
            for person in self._people:
                Color(*choose_colour(person))
                points = [
                    each
                    for at, total in enumerate(self._totals)
                    for each in (self.x + at * wide, self.y + (total[person] - low) * tall)
                ]
                Line(points=points, width=theme.HAIRLINE * 2, joint="round")


def choose_colour(person: int) -> theme.Colour:
    """Each player has a line of another colour."""
    return (theme.GOLD, theme.MELD, theme.UNSURE, theme.SURE)[person]
