"""Keeps Python's search for garbage short: the window stands still while it lasts.

Kivy's widgets refer to one another, so that only such a search finds those that are not used any more. It
goes through all objects, 1,000,000 once every page has been shown, in a third of a second. But code and pages
are there for the whole evening: what has settled need not be searched again. Only where the machine's memory
is short do pages go that are not shown, and the whole search is worth its time.
"""

from __future__ import annotations

import gc
import time

from kivy.clock import Clock

from companion.app.look import Look
from companion.app.shell.freed_memory import is_memory_short
from companion.app.shell.root import Root
from companion.app.shell.window_state import WindowView

REST_S = 2.0
"""Seconds after opening a page until it has built all that it shows."""
WHOLE_SEARCH_S = 300.0
"""The least time between two searches through everything."""


def begin_search() -> None:
    """Switch Python's search for garbage on, for what is made from now on. Until the first screen it is off
    (`companion.window`): all that is loaded for it stays, and each search through it would take 0.1 s."""
    gc.freeze()
    gc.collect()  # of nothing: Python otherwise waits until 25% new objects exist, about 50 MB of garbage
    gc.enable()


def keep_what_is_there() -> None:
    """Search all objects that are not frozen, and freeze those that stay."""
    gc.collect()
    gc.freeze()
    gc.collect()  # as above


class Garbage:
    """Call `look` for every view that the root shows. Once a page has been shown for a while, its objects
    stay, and are not searched again until all pages are rebuilt, for another theme, or memory is short."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._worn: Look | None = None
        self._page = ""
        self._settled: set[str] = set()
        self._has_dropped = False
        self._searched_s = -WHOLE_SEARCH_S
        self._settle = Clock.create_trigger(self._tidy, REST_S)

    def look(self, view: WindowView) -> None:
        """Note what the window shows now."""
        worn, page, panel = view.window.look, view.front.page, view.find_panel()
        if worn != self._worn:
            if self._worn is not None:
                gc.unfreeze()
                gc.collect()
            self._worn = worn
            self._settled.clear()
        shown = {page} if panel is None else {page, panel[1]}
        if not shown <= self._settled or page != self._page:
            self._page = page
            self._settle()

    def _tidy(self, _: float) -> None:
        if self._drop_pages():
            self._has_dropped = True
            self._settle()  # a page may still be scrolling, and is referred to until then
            return
        pages = self._root.list_pages()
        if self._has_dropped or not pages <= self._settled:
            if self._has_dropped:
                gc.unfreeze()
                gc.collect()  # what only this lets go is found by the next one
            self._has_dropped, self._settled = False, pages
            keep_what_is_there()

    def _drop_pages(self) -> bool:
        """Have those go that are not shown, if memory is short; what was put aside is then to be searched,
        too. Whether any went."""
        now_s = time.monotonic()
        if now_s - self._searched_s < WHOLE_SEARCH_S or not is_memory_short():
            return False
        if not self._root.drop_passing():
            return False
        self._searched_s = now_s
        return True
