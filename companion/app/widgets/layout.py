"""Layouts in one line: widgets in a row, in a column, in a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme


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
