"""Layouts in one line: widgets in a row, in a column, in a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme

PANEL_LINE, PANEL_STRIP = theme.TOUCH + theme.GAP, dp(150)
"""Heights of a panel above or within a table: one line, and a strip with tiles."""
PANEL_STRIP_FROM = dp(700)
"""In a window that is lower than this the panel above a table is one line."""


def measure_panel_above(size: tuple[float, float]) -> float:
    """The height of the panel above a table at which a person plays, whose tiles are on the page, px."""
    return float(PANEL_LINE if size[1] < PANEL_STRIP_FROM else PANEL_STRIP)


def row(*children: Widget, **kwargs: Any) -> BoxLayout:
    """The widgets side by side, with the usual gap. A `height` or `width` in px is fixed; without one,
    the row takes its share of the room."""
    return _fill(BoxLayout(**_complete(kwargs)), children)


def column(*children: Widget, **kwargs: Any) -> BoxLayout:
    """The widgets one below the other, as `row`."""
    return _fill(BoxLayout(orientation="vertical", **_complete(kwargs)), children)


def grid(cols: int, *children: Widget, **kwargs: Any) -> GridLayout:
    """The widgets in rows of `cols`, as `row`."""
    return _fill(GridLayout(cols=cols, **_complete(kwargs)), children)


def _complete(kwargs: dict[str, Any]) -> dict[str, Any]:
    kwargs.setdefault("spacing", theme.GAP)
    if "height" in kwargs:
        kwargs["size_hint_y"] = None
    if "width" in kwargs:
        kwargs["size_hint_x"] = None
    return kwargs


def _fill(parent: Any, children: Sequence[Widget]) -> Any:
    for child in children:
        parent.add_widget(child)
    return parent
