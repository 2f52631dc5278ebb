"""Icons as strokes in a unit square (0,0 bottom left), so that they are sharp at any size and need no
font.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from kivy.graphics import Color, SmoothLine
from kivy.uix.widget import Widget

from companion.app.widgets import theme

Stroke = tuple[float, ...]
SIZE = theme.TOUCH * 0.42
STROKE_WIDTH = theme.HAIRLINE * 1.3


def _arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 24) -> Stroke:
    """Points of an arc, angles in parts of a full turn, counterclockwise from the right."""
    angles = [2 * pi * (start + (end - start) * i / steps) for i in range(steps + 1)]
    return tuple(value for angle in angles for value in (x + radius * cos(angle), y + radius * sin(angle)))


ICONS: dict[str, tuple[Stroke, ...]] = {
    "picture": (
        (0.05, 0.15, 0.95, 0.15, 0.95, 0.85, 0.05, 0.85, 0.05, 0.15),
        (0.05, 0.3, 0.33, 0.58, 0.55, 0.36, 0.7, 0.5, 0.95, 0.27),
        _arc(0.7, 0.68, 0.07, 0, 1),
    ),
    "film": (
        (0.05, 0.15, 0.95, 0.15, 0.95, 0.85, 0.05, 0.85, 0.05, 0.15),
        (0.4, 0.32, 0.4, 0.68, 0.68, 0.5, 0.4, 0.32),
    ),
    "camera": (
        (0.05, 0.15, 0.95, 0.15, 0.95, 0.72, 0.7, 0.72, 0.62, 0.87, 0.38, 0.87, 0.3, 0.72, 0.05, 0.72,
         0.05, 0.15),
        _arc(0.5, 0.43, 0.18, 0, 1),
    ),
    "tile": (
        (0.22, 0.05, 0.78, 0.05, 0.78, 0.95, 0.22, 0.95, 0.22, 0.05), _arc(0.5, 0.66, 0.13, 0, 1),
        _arc(0.5, 0.34, 0.13, 0, 1),
    ),
    "undo": (
        (0.3, 0.9, 0.08, 0.66, 0.3, 0.42), (0.08, 0.66, 0.6, 0.66), _arc(0.6, 0.4, 0.26, 0.25, -0.25),
        (0.6, 0.14, 0.3, 0.14),
    ),
    "close": ((0.18, 0.18, 0.82, 0.82), (0.18, 0.82, 0.82, 0.18)),
    "plus": ((0.5, 0.12, 0.5, 0.88), (0.12, 0.5, 0.88, 0.5)),
    "minus": ((0.12, 0.5, 0.88, 0.5),),
    "up": ((0.2, 0.55, 0.5, 0.85, 0.8, 0.55), (0.5, 0.85, 0.5, 0.12)),
    "fold": ((0.2, 0.35, 0.5, 0.62, 0.8, 0.35),),
    "down": ((0.2, 0.62, 0.5, 0.35, 0.8, 0.62),),
    "folder": ((0.05, 0.15, 0.95, 0.15, 0.95, 0.72, 0.48, 0.72, 0.38, 0.85, 0.05, 0.85, 0.05, 0.15),),
    "settings": (
        (0.05, 0.75, 0.5, 0.75), _arc(0.6, 0.75, 0.1, 0, 1), (0.7, 0.75, 0.95, 0.75),
        (0.05, 0.25, 0.25, 0.25), _arc(0.35, 0.25, 0.1, 0, 1), (0.45, 0.25, 0.95, 0.25),
    ),
    "again": (_arc(0.5, 0.5, 0.36, 0.1, 0.9), (0.98, 0.6, 0.79, 0.72, 0.68, 0.5)),
    "dice": (
        (0.12, 0.12, 0.88, 0.12, 0.88, 0.88, 0.12, 0.88, 0.12, 0.12), _arc(0.32, 0.68, 0.06, 0, 1),
        _arc(0.5, 0.5, 0.06, 0, 1), _arc(0.68, 0.32, 0.06, 0, 1),
    ),
    "follow": (
        (0.12, 0.12, 0.88, 0.12, 0.88, 0.88, 0.12, 0.88, 0.12, 0.12),
        (0.36, 0.28, 0.64, 0.28), (0.36, 0.72, 0.64, 0.72), (0.28, 0.36, 0.28, 0.64),
        (0.72, 0.36, 0.72, 0.64),
    ),
    "menu": ((0.12, 0.22, 0.88, 0.22), (0.12, 0.5, 0.88, 0.5), (0.12, 0.78, 0.88, 0.78)),
    "help": (
        _arc(0.5, 0.66, 0.22, 0.45, -0.2), (0.55, 0.44, 0.5, 0.4, 0.5, 0.26), _arc(0.5, 0.1, 0.03, 0, 1, 8),
    ),
    "home": ((0.05, 0.5, 0.5, 0.92, 0.95, 0.5), (0.18, 0.45, 0.18, 0.1, 0.82, 0.1, 0.82, 0.45)),
    "coach": (
        (0.08, 0.35, 0.08, 0.9, 0.92, 0.9, 0.92, 0.35, 0.5, 0.35, 0.28, 0.1, 0.28, 0.35, 0.08, 0.35),
        (0.25, 0.72, 0.75, 0.72), (0.25, 0.53, 0.58, 0.53),
    ),
    "sound": (
        (0.06, 0.36, 0.26, 0.36, 0.5, 0.12, 0.5, 0.88, 0.26, 0.64, 0.06, 0.64, 0.06, 0.36),
        _arc(0.5, 0.5, 0.22, -0.14, 0.14), _arc(0.5, 0.5, 0.42, -0.14, 0.14),
    ),
    "mute": (
        (0.06, 0.36, 0.26, 0.36, 0.5, 0.12, 0.5, 0.88, 0.26, 0.64, 0.06, 0.64, 0.06, 0.36),
        (0.64, 0.34, 0.96, 0.66), (0.64, 0.66, 0.96, 0.34),
    ),
    "check": ((0.12, 0.5, 0.4, 0.2, 0.9, 0.82),),
}  # fmt: skip


class Icon(Widget):
    """One of ICONS, in the middle of its place."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(SIZE, SIZE), **kwargs)
        self._strokes = ICONS[name]
        with self.canvas:
            self._colour = Color(*theme.IVORY)
            self._lines = [SmoothLine(width=STROKE_WIDTH, cap="round", joint="round") for _ in self._strokes]
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def show(self, name: str) -> None:
        """Be that one of ICONS, which has as many strokes."""
        self._strokes = ICONS[name]
        self._draw()

    def paint(self, colour: theme.Colour) -> None:
        self._colour.rgba = colour

    def _draw(self, *_: object) -> None:
        for line, stroke in zip(self._lines, self._strokes, strict=True):
            points: list[float] = []
            for x, y in zip(stroke[::2], stroke[1::2], strict=True):
                points += (self.x + x * self.width, self.y + y * self.height)
            line.points = points
