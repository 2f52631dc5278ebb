"""The window's root: bar, strip, the page that is in front, and below it the panel that another feature has
for it. A page is built when it is first shown; most go again if memory is short (`garbage`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import FeatureState, Page, PanelHolder, Room, View
from companion.app.look import Look
from companion.app.shell.bar import Bar, MessageCard, Strip
from companion.app.shell.features import PAGES_LASTING
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets import layout, theme
from companion.app.widgets.name_field import use_keyboard
from companion.app.widgets.window_thread import is_calling


class Root(BoxLayout):
    """Shows each view of the controller; rebuilt when the theme changes."""

    def __init__(self, controller: WindowController) -> None:
        super().__init__(orientation="vertical")
        self._controller = controller
        with self.canvas.before:
            self._colour = Color()
            self._felt = Rectangle()
        self._view: WindowView | None = None
        self._page: Page | None = None
        self._page_view: View[FeatureState] | None = None
        self._panel: Any = None
        self._panel_view: View[FeatureState] | None = None
        self._offered: dict[str, Callable[[], Page]] = {}
        self._pages: dict[str, Page] = {}
        self._worn = Look(), theme.is_roomy(Window.size)
        self._after_layout = Clock.create_trigger(self._show_again, -1)
        self._before_frame = Clock.create_trigger(self._show_newest, -1)
        self._build()
        self.bind(pos=self._place, size=self._place)

    def show(self, view: WindowView) -> None:
        """Show it at once, or before the next frame what is the newest by then: other threads, as that of the
        game, may have news several times a frame, for several features each."""
        self._view = view
        if is_calling():
            self._before_frame()
        else:
            self._show(view)

    def _show_newest(self, _: float) -> None:
        if self._view:
            self._show(self._view)

    def _show(self, view: WindowView) -> None:
        self._apply_look(view.window.look)
        use_keyboard(view.window.keyboard)
        self.bar.show(view, self.size)
        says_below = view.window.shown_banner is not None and not self.bar.has_message
        self._strip.show(view, has_message=says_below)
        page = self.page(view.front.page)
        arriving = page is not self._page
        if arriving:
            if isinstance(self._page, PanelHolder):
                self._page.hold_panel(None)
            self._page = page
            self._front.clear_widgets()
            self._panel = None
            self._front.add_widget(page)
        page_view = View(view.front, view.words_of(view.window.front), self._show_panel(view, page))
        if arriving or not self._is_shown(page_view):
            self._page_view = page_view
            page.show(page_view)

    def _show_panel(self, view: WindowView, page: Page) -> tuple[float, float]:
        """Place the panel within or next to the page in front, if there is one; the size that is left of the
        window."""
        found = view.find_panel()
        panel: Any = None if found is None else self.page(found[1])
        holder = page if isinstance(page, PanelHolder) else None
        if panel is not self._panel:
            if self._panel is not None and holder is None:
                self._front.remove_widget(self._panel)
            self._panel, self._panel_view, self._page_view = panel, None, None
            if holder is not None:
                holder.hold_panel(panel)
        if found is None:
            return self.width, self.height
        whole = self.width, self.height
        width, height = (holder.measure_panel if holder is not None else panel.measure)(whole)
        panel_view = View(view.states[found[0]], view.words_of(found[0]), (width, height))
        if panel_view != self._panel_view:
            self._panel_view = panel_view
            panel.show(panel_view)
        if holder is not None:
            return whole
        below = width >= self.width
        self._front.orientation = "vertical" if below else "horizontal"
        panel.size_hint = (1, None) if below else (None, 1)
        panel.width, panel.height = width, height
        if panel.parent is None:
            stands_above = view.front.room is Room.OWN_TABLE
            self._front.add_widget(panel, index=1 if stands_above else 0)
        return (self.width, self.height - height) if below else (self.width - width, self.height)

    def page(self, name: str) -> Page:
        """The page of that name, built where it is not there."""
        if name not in self._pages:
            self._pages[name] = self._offered[name]()
        return self._pages[name]

    def list_pages(self) -> set[str]:
        """The pages that are built."""
        return set(self._pages)

    def drop_passing(self) -> set[str]:
        """Let go of the pages that neither last nor are shown: all that a person did is in states. Which."""
        shown = (self._page, self._panel)
        gone = {name for name, page in self._pages.items() if name not in PAGES_LASTING and page not in shown}
        for name in gone:
            del self._pages[name]
        return gone

    def _apply_look(self, look: Look) -> None:
        """Rebuild all pages if colours, spacing or text size change; what the person did is in the states."""
        worn = look, theme.is_roomy(Window.size)
        if worn != self._worn:
            self._worn = worn
            self._build()

    def _build(self) -> None:
        self.clear_widgets()
        theme.apply_look(*self._worn)
        self._colour.rgba = theme.FELT
        Window.clearcolor = theme.FELT_EDGE
        self._page = self._page_view = self._panel = self._panel_view = None
        self.banner = MessageCard(self._controller)
        self.bar = Bar(self._controller, self.banner)
        self._strip = Strip(self.banner)
        self._offered = {}
        for name, feature in self._controller.features.items():
            pages = feature.offer_pages(self._controller.controller_of(name))
            assert self._offered.keys().isdisjoint(pages)
            self._offered.update(pages)
        self._pages = {}
        self._front = layout.column(spacing=0)
        self._front.bind(size=self._after_layout)
        for child in (self.bar, self._strip, self._front):
            self.add_widget(child)

    def _is_shown(self, view: View[FeatureState]) -> bool:
        """Whether the page shows the same already: other features may have news many times a second."""
        shown = self._page_view
        return (
            shown is not None
            and shown.state is view.state
            and (shown.words, shown.size) == (view.words, view.size)
        )

    def _place(self, *_: object) -> None:
        self._panel_view = None
        self._felt.pos, self._felt.size = self.pos, self.size
        if self._view:
            self._page_view = None
            self._show(self._view)

    def _show_again(self, _: float) -> None:
        """Panes measure the room that they have: once the page has its new size, before that is drawn."""
        if self._view:
            self._page_view = self._panel_view = None
            self._show(self._view)
