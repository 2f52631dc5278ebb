"""Keeps Python's search for garbage short: the window stands still while it lasts.

Kivy's widgets refer to one another, so that only such a search finds those that are not used any more. It
goes through all objects, 800,000 if every page stayed, in a third of a second. But code and the pages that
are got ready ahead are there for the whole evening: once they have settled they need not be searched again.
Other pages go when they are not shown any more, and a search is due then.
"""

from __future__ import annotations

import gc

from kivy.clock import Clock

from companion.app.look import Look
from companion.app.shell.features import PAGES_AHEAD
from companion.app.shell.root import Root
from companion.app.shell.window_state import WindowView

REST_S = 2.0
"""After it came to the front a page has all that it shows; so long a time is between two searches, too."""
PAGES_KEPT = 2
"""Pages that were shown last stay built beside those that are got ready ahead, and the one in front."""


class Garbage:
    """`look` at every view that the root shows. Once a page that lasts has been shown for a while, what is
    there then stays, and is searched no more until all pages are built anew, for another look of the window.
    Pages that pass stay out of it: they are let go of before, one at a time, and so are those that others
    have followed."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._worn: Look | None = None
        self._lasting: set[str] = set()
        self._settles = False
        self._tidy_soon = Clock.create_trigger(self._tidy, REST_S)

    def look(self, view: WindowView) -> None:
        """Note what the window shows now."""
        worn, page = view.window.look, view.front.page
        if worn != self._worn:
            if self._worn is not None:
                gc.unfreeze()
                gc.collect()
            self._worn, self._settles = worn, True
            self._lasting.clear()
        if page in PAGES_AHEAD and page not in self._lasting:
            self._lasting.add(page)
            self._settles = True
        if self._settles or self._root.count_passing() > PAGES_KEPT:
            self._tidy_soon()

    def _tidy(self, _: float) -> None:
        passing = self._root.count_passing()
        if passing > (0 if self._settles else PAGES_KEPT):
            self._root.drop_passing()
            gc.collect()
            self._tidy_soon()
        elif self._settles:
            self._settles = False
            gc.collect()
            gc.freeze()
