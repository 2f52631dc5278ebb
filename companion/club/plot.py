"""A line over a season, as places in a drawing. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.sentences import write_number
from companion.sheets.ticks import find_ticks

LEFT, TOP, BOTTOM = 14.0, 4.0, 96.0
"""Edges of the plot in the drawing, %; numbers stand to its left."""
RIGHT = 98.0


@dataclass(frozen=True, slots=True)
class Tick:
    value: int
    said: str
    at: float


@dataclass(frozen=True, slots=True)
class Dot:
    """x, y: %, from the upper left corner. said: what it stands for."""

    x: float
    y: float
    said: str


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    ticks: Sequence[Tick]
    dots: Sequence[Dot]


def draw_chart(title: str, values: Sequence[float], said: Sequence[str], with_zero: bool = True) -> Chart:
    """The values from left to right, each with what it stands for; there must be one or more. with_zero:
    whether the line of 0 is in the drawing."""
    shown = [0, *values] if with_zero else list(values)
    ticks = find_ticks(min(shown), max(shown))
    low, high = ticks[0], ticks[-1]

    def place(value: float) -> float:
        return round(BOTTOM - (value - low) / max(high - low, 1) * (BOTTOM - TOP), 2)

    step = (RIGHT - LEFT) / max(len(values) - 1, 1)
    return Chart(
        title,
        [Tick(value, write_number(value), place(value)) for value in ticks],
        [Dot(round(LEFT + at * step, 2), place(value), said[at]) for at, value in enumerate(values)],
    )
