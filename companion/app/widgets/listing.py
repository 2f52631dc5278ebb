"""A list of any length: a row is built when it comes into sight, and used again when it has gone.

To build a row takes milliseconds. A list that comes to the front therefore gets a few a frame, and not a
whole page of them in one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.uix.recycleboxlayout import RecycleBoxLayout
from kivy.uix.recycleview import RecycleView
from kivy.uix.recycleview.views import RecycleDataAdapter
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import TouchScroll

ROWS_A_FRAME = 3
ROW_SIZE = "row_size"


class Listing(RecycleView, TouchScroll):
    """row: the widget that a row is, whose `refresh_view_attrs` is given what is in `data`; `row_height` in
    px, and `spacing` between two. A row whose data has a `ROW_SIZE`, `(None, height)`, is that high."""

    def __init__(self, row: type, *, row_height: float, spacing: float) -> None:
        super().__init__(
            bar_width=theme.GAP / 2, bar_color=theme.SURE, scroll_type=["bars", "content"], do_scroll_x=False,
            view_adapter=OwnRows(),
        )  # fmt: skip
        self._rows = GradualRows(
            orientation="vertical", size_hint_y=None, default_size=(None, row_height),
            default_size_hint=(1, None), spacing=spacing, key_size=ROW_SIZE,
        )  # fmt: skip
        self._rows.bind(minimum_height=self._rows.setter("height"))
        self.add_widget(self._rows)
        self.viewclass = row

    @property
    def row_height(self) -> float:
        return float(self._rows.default_size[1])

    @row_height.setter
    def row_height(self, height: float) -> None:
        self._rows.default_size = (None, height)


class OwnRows(RecycleDataAdapter):
    """Keeps unused rows for the same list, whose rows are all of one class.

    Kivy would reuse them in the next list of such rows, even after a change of theme, where they would keep
    their colours and text size.
    """

    def __init__(self) -> None:
        super().__init__()
        self.views: dict[int, Widget] = {}
        self._spare: list[Widget] = []

    def invalidate(self) -> None:
        """Called by Kivy when the data have changed."""
        self._spare += self.views.values()
        for rows in self.dirty_views.values():
            self._spare += rows.values()
        self.views = {}
        self.dirty_views.clear()

    def create_view(self, index: int, data_item: dict[str, Any], viewclass: type) -> Widget:
        """Called by Kivy where it has no row."""
        row = self._spare.pop() if self._spare else viewclass()
        self.refresh_view_attrs(index, data_item, row)
        return row


class GradualRows(RecycleBoxLayout):
    """Lays out the rows in sight, of those that are not there yet only a few in a frame."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._frame = -1
        self._may_build = 0
        self._go_on = Clock.create_trigger(self._lay_more)

    def set_visible_views(
        self, indices: Sequence[int], data: Sequence[Any], viewport: tuple[float, ...]
    ) -> None:
        """Called by Kivy, many times in a frame, with the rows that are in sight."""
        if self._frame != Clock.frames:
            self._frame, self._may_build = Clock.frames, ROWS_A_FRAME
        there = self._list_built()
        missing = [index for index in indices if index not in there]
        later = set(missing[self._may_build :])
        self._may_build -= len(missing) - len(later)
        if later:
            self._go_on()
        super().set_visible_views([index for index in indices if index not in later], data, viewport)

    def _list_built(self) -> Collection[int]:
        adapter = self.recycleview.view_adapter
        return {*adapter.views, *(index for rows in adapter.dirty_views.values() for index in rows)}

    def _lay_more(self, _: float) -> None:
        if self.recycleview is not None:
            self.recycleview.refresh_from_viewport()
