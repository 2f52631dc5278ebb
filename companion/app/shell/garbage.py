"""Keeps Python's search for garbage short: the window stands still while it lasts.

Kivy's widgets refer to one another, so that only such a search finds those that are not used any more. It
goes through all objects, 800,000 once every page has been shown, in a third of a second. But code and pages
are there for the whole evening: what has settled need not be searched again.
"""

from __future__ import annotations

import gc

from kivy.clock import Clock

from companion.app.look import Look
from companion.app.shell.window_state import WindowView

REST_S = 2.0
"""After it came to the front a page has all that it shows."""


class Garbage:
    """`look` at every view. Once a page has been shown for a while, what is there then stays, and is searched
    no more until all pages are built anew, for another look of the window."""

    def __init__(self) -> None:
        self._worn: Look | None = None
        self._pages: set[str] = set()
        self._settle = Clock.create_trigger(_settle, REST_S)

    def look(self, view: WindowView) -> None:
        """Note what the window shows now."""
        worn, panel = view.window.look, view.find_panel()
        if worn != self._worn:
            if self._worn is not None:
                gc.unfreeze()
                gc.collect()
            self._worn = worn
            self._pages.clear()
        shown = {view.front.page} if panel is None else {view.front.page, panel[1]}
        if not shown <= self._pages:
            self._pages |= shown
            self._settle()


def _settle(_: float) -> None:
    gc.collect()
    gc.freeze()
