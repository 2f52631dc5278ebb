"""Plots: lines of several people over hands or evenings, and bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from kivy.graphics import Color, Line, Rectangle, SmoothEllipse, SmoothLine, Triangle
from kivy.graphics import SmoothRoundedRectangle as Rounded
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Tag
from companion.app.widgets.name_tag import NameTag
from companion.app.widgets.tiles import draw_words
from companion.sentences import write_number
from companion.sheets.ticks import find_ticks

LEFT, BELOW, TOP = dp(64), dp(28), dp(10)
DOT = dp(7)
DOTS_MAX = 40
GRID_ALPHA = 0.5
LABELS_MAX = 12
CIRCLE, SQUARE, TRIANGLE = SIGNS = "●■▲"
BAR_HEIGHT = dp(34)


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands for a person in a plot: a colour, and the sign of its dots."""

    colour: theme.Colour
    sign: str


def mark_person(number: int) -> Mark:
    """The mark of the person of that number: colours that colour-blind people tell apart too, and if those
    are used up the same ones with another sign."""
    colours = (theme.GOLD, theme.MELD, theme.UNSURE, theme.SURE, theme.IVORY)
    return Mark(colours[number % len(colours)], SIGNS[number // len(colours) % len(SIGNS)])


class LinePlot(Widget):
    """A line for each person: what that person has at each place from left to right."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        kwargs.setdefault("height", dp(260))
        super().__init__(**kwargs)
        self._lines: tuple[tuple[float, ...], ...] = ()
        self._marks: list[Mark] = []
        self.bind(pos=self._draw, size=self._draw)

    def show(self, totals: Sequence[Sequence[float]], people: Sequence[int], marks: Sequence[Mark]) -> None:
        """totals: at each place, by person; people: those that are shown, each with its mark."""
        self._lines = tuple(tuple(total[person] for total in totals) for person in people)
        self._marks = list(marks)
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        values = [value for line in self._lines for value in line]
        if not values or self.width < LEFT * 2:
            return
        ticks = find_ticks(min(values), max(values))
        if len(ticks) < 2:
            ticks = [ticks[0], ticks[0] + 1]
        left, low = self.x + LEFT, self.y + BELOW
        wide, tall = self.width - LEFT - DOT, self.height - BELOW - TOP
        count = max(len(line) for line in self._lines)

        def place(at: int, value: float) -> tuple[float, float]:
            x = left + wide * at / max(1, count - 1)
            return x, low + tall * (value - ticks[0]) / (ticks[-1] - ticks[0])

        with self.canvas:
            for tick in ticks:
                y = place(0, tick)[1]
                Color(*(theme.IVORY_DIM if tick == 0 else (*theme.LINE[:3], GRID_ALPHA)))
                Line(points=[left, y, left + wide, y], width=theme.HAIRLINE)
                said = write_number(tick)
                draw_words(said, (self.x + LEFT / 2, y), (LEFT - dp(10), dp(22)), theme.IVORY_DIM)
            every = max(1, ceil((count - 1) / LABELS_MAX))
            for at in range(0, count, every):
                x = place(at, 0)[0]
                draw_words(str(at), (x, self.y + BELOW / 2), (dp(40), dp(22)), theme.IVORY_DIM)
            for line, mark in zip(self._lines, self._marks, strict=True):
                Color(*mark.colour)
                spots = [place(at, value) for at, value in enumerate(line)]
                if len(spots) > 1:
                    points = [each for spot in spots for each in spot]
                    SmoothLine(points=points, width=dp(1.6), joint="round")
                for x, y in spots if len(spots) <= DOTS_MAX else spots[-1:]:
                    _draw_sign(mark.sign, x, y)


def _draw_sign(sign: str, x: float, y: float) -> None:
    half = DOT / 2
    if sign == SQUARE:
        Rectangle(pos=(x - half, y - half), size=(DOT, DOT))
    elif sign == TRIANGLE:
        Triangle(points=[x - half * 1.2, y - half, x + half * 1.2, y - half, x, y + half * 1.3])
    else:
        SmoothEllipse(pos=(x - half, y - half), size=(DOT, DOT))


class BarRow(BoxLayout):
    """A name, a bar as long as its share of the longest, and the number."""

    def __init__(self, name: str, number: int, most: int, *, colour: theme.Colour | None = None) -> None:
        super().__init__(size_hint_y=None, height=BAR_HEIGHT, spacing=theme.GAP)
        self.add_widget(NameTag(name, size_hint_x=1.1))
        self.add_widget(_Bar(number / max(most, 1), colour or theme.GOLD))
        self.add_widget(Tag(write_number(number), size_hint_x=None, width=dp(56), align="right"))


class _Bar(Widget):
    def __init__(self, share: float, colour: theme.Colour) -> None:
        super().__init__()
        with self.canvas:
            Color(*colour)
            bar = Rounded(radius=[theme.RADIUS / 3])

        def place(*_: object) -> None:
            height = self.height * 0.6
            bar.pos = (self.x, self.center_y - height / 2)
            bar.size = (max(self.width * share, theme.HAIRLINE * 2), height)

        self.bind(pos=place, size=place)
        place()
