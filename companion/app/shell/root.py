"""The window's root: bar, banner, and the page that is in front. A page is built when it is first shown."""

from __future__ import annotations

from collections.abc import Callable

from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import FeatureState, Page, View
from companion.app.shell.banner import BannerStrip
from companion.app.shell.bar import Bar
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets import theme


class Root(BoxLayout):
    """Shows every view that the controller gives out."""

    def __init__(self, controller: WindowController) -> None:
        super().__init__(orientation="vertical")
        with self.canvas.before:
            Color(*theme.FELT)
            self._felt = Rectangle()
        self._view: WindowView | None = None
        self._page: Page | None = None
        self._page_view: View[FeatureState] | None = None
        self.bar = Bar(controller)
        self.banner = BannerStrip(controller)
        self._offered: dict[str, Callable[[], Page]] = {}
        for name, feature in controller.features.items():
            self._offered.update(feature.offer_pages(controller.controller_of(name)))
        self._pages: dict[str, Page] = {}
        self._front = BoxLayout()
        for child in (self.bar, self.banner, self._front):
            self.add_widget(child)
        self.bind(pos=self._place, size=self._place)
        Window.clearcolor = theme.FELT_EDGE

    def show(self, view: WindowView) -> None:
        self._view = view
        self.bar.show(view, self.size)
        self.banner.show(view)
        page = self.page(view.front.page)
        arriving = page is not self._page
        if arriving:
            self._page = page
            self._front.clear_widgets()
            self._front.add_widget(page)
        page_view = View(view.front, view.words, (self.width, self.height))
        if arriving or not self._is_shown(page_view):
            self._page_view = page_view
            page.show(page_view)

    def page(self, name: str) -> Page:
        """The page of that name, built where it has not been shown yet."""
        if name not in self._pages:
            self._pages[name] = self._offered[name]()
        return self._pages[name]

    def _is_shown(self, view: View[FeatureState]) -> bool:
        """Whether the page shows the same already: other features may have news many times a second."""
        shown = self._page_view
        return (
            shown is not None
            and shown.state is view.state
            and (shown.words, shown.size) == (view.words, view.size)
        )

    def _place(self, *_: object) -> None:
        self._felt.pos, self._felt.size = self.pos, self.size
        if self._view:
            self._page_view = None
            self.show(self._view)
