"""Figures of a game or of all evenings: totals as lines, a table by player, what was won with, who gave."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.feature import View
from companion.app.sheet.shelf import list_marked
from companion.app.sheet.state import EVENINGS, SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Tag, Text
from companion.app.widgets.card_rows import line_up
from companion.app.widgets.name_tag import NameTag
from companion.app.widgets.plots import BarRow, LinePlot, Mark, mark_person
from companion.sentences import msgid
from companion.sheets.figures import PatternCount, PersonFigures
from companion.sheets.wording import SAME_EVENING, name_seated, say_points
from companion.words import Words

ROW_HEIGHT = dp(40)
WIDE_FROM = dp(900)
PATTERNS_MOST = 14
PEOPLE_MOST = 12
HEADS = (
    msgid("Points"), msgid("Wins"), msgid("Self-draws"), msgid("Gave the tile"), msgid("Hands played"),
    msgid("Longest deal"),
)  # fmt: skip


class FiguresPane(Column):
    """One column; in a wide window the bars stand beside each other."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None

    def show(self, view: View[SheetState]) -> None:
        state, words = view.state, view.words
        evenings = state.shelf.evenings if state.part == EVENINGS else None
        figures = state.figures if state.part != EVENINGS else None
        shown = evenings, figures, words, view.size, state.part, state.shelf.marked
        if shown == self._shown:
            return
        self._shown = shown
        self.inside.clear_widgets()
        wide = view.size[0] >= WIDE_FROM
        height = max(dp(200), view.size[1] * 0.36)
        if evenings is not None:
            counts = (
                words("{count} games", count=evenings.evenings),
                words("{count} hands", count=evenings.hands),
            )
            said = " · ".join(counts)
            self.inside.add_widget(Text(said, size=theme.TEXT_LARGE, colour=theme.GOLD))
            for name, other in evenings.same:
                same = words(SAME_EVENING, name=name, other=other)
                self.inside.add_widget(Text(same, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
            if not evenings.people:
                nothing = words("People with names who have played hands appear here.")
                self.inside.add_widget(Text(nothing, colour=theme.IVORY_DIM))
                return
            people = evenings.people[:PEOPLE_MOST]
            names = [one.name for one in people]
            marks = [mark_person(state.shelf.marked.index(one.name)) for one in people]
            self._fill(people, names, marks, evenings.totals, range(len(people)), evenings.patterns, words,
                       height, wide, words("Points after each evening"))  # fmt: skip
        elif figures is not None and state.sheet is not None:
            sheet = state.sheet
            seated = name_seated(sheet, words)
            people = tuple(figures.people[person] for person in sheet.people)
            names = [seated[person] for person in sheet.people]
            keys = list_marked(sheet)
            marks = [mark_person(state.shelf.marked.index(key)) for key in keys]
            self._fill(people, names, marks, figures.totals, sheet.people, figures.patterns, words, height,
                       wide, words("Points after each hand"))  # fmt: skip

    def _fill(
        self,
        people: Sequence[PersonFigures],
        names: Sequence[str],
        marks: Sequence[Mark],
        totals: Sequence[Sequence[int]],
        shown: Sequence[int],
        patterns: Sequence[PatternCount],
        words: Words,
        height: float,
        wide: bool,
        title: str,
    ) -> None:
        inside = self.inside
        inside.add_widget(Text(title, colour=theme.GOLD))
        plot = LinePlot(height=height)
        plot.show(totals, shown, marks)
        inside.add_widget(plot)
        inside.add_widget(_make_table(people, names, marks, words))
        given = _make_card(words("Tiles that others won on"))
        most = max((one.given for one in people), default=0)
        for one, name, mark in zip(people, names, marks, strict=True):
            given.add_widget(BarRow(name, one.given, most, colour=mark.colour))
        won = _make_card(words("What was won with"))
        most = max((each.wins for each in patterns), default=0)
        for each in patterns[:PATTERNS_MOST]:
            won.add_widget(BarRow(words.both(each.name, each.name_zh)[0], each.wins, most))
        for card in (won, given):
            card.add_widget(Widget())  # below what is in it, where the other one is higher
        for row in line_up([won, given], 2 if wide else 1):
            inside.add_widget(row)
        for one, name, mark in zip(people, names, marks, strict=True):
            if one.patterns:
                said = words.join(
                    f"{words.both(each.name, each.name_zh)[0]} {each.wins}" for each in one.patterns[:6]
                )
                inside.add_widget(Text(f"{name}:  {said}", colour=mark.colour))


def _make_table(
    people: Sequence[PersonFigures], names: Sequence[str], marks: Sequence[Mark], words: Words
) -> GridLayout:
    """A row for each person, with the mark of that person's line."""
    grid = GridLayout(
        cols=len(HEADS) + 1, size_hint_y=None, height=ROW_HEIGHT * (len(people) + 1), spacing=(theme.GAP, 0)
    )
    for head in ("", *HEADS):
        tag = Tag(words(head) if head else "", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, align="right")
        grid.add_widget(tag)
    for one, name, mark in zip(people, names, marks, strict=True):
        grid.add_widget(NameTag(f"{mark.sign}\u00a0{name}", colour=mark.colour, size_hint_x=1.6))
        figures = (say_points(one.points), one.wins, one.self_draws, one.given, one.hands, one.dealt)
        for figure in figures:
            grid.add_widget(Tag(str(figure), align="right"))
    return grid


def _make_card(title: str) -> Card:
    card = Card(spacing=theme.GAP / 4)
    card.add_widget(Text(title, colour=theme.GOLD))
    return card
