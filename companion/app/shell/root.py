"""The window's root: bar, banner, and the page that is in front."""

from __future__ import annotations

from dataclasses import replace

from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.devices.page import DevicesPage
from companion.app.pictures.camera import CameraPage
from companion.app.pictures.chooser import PicturesPage
from companion.app.score_photo.more import MorePage
from companion.app.score_photo.options import OptionsPage
from companion.app.score_photo.page import Arrangement, TablePage, arrangement
from companion.app.shell.banner import BannerStrip
from companion.app.shell.bar import Bar
from companion.app.shell.desk import Desk, View
from companion.app.shell.pages import Page
from companion.app.tile_sets.lesson_page import LessonPage
from companion.app.tile_sets.sets_page import SetsPage
from companion.app.widgets import theme
from companion.running.device_views import DevicesView


class Root(BoxLayout):
    """Shows every view that the desk gives out."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(orientation="vertical")
        with self.canvas.before:
            Color(*theme.FELT)
            self._felt = Rectangle()
        self._view: View | None = None
        self._page: Widget | None = None
        self.bar = Bar(desk)
        self.banner = BannerStrip(desk)
        self.table = TablePage(desk)
        self.pictures = PicturesPage(desk)
        self.camera = CameraPage(desk)
        self.options = OptionsPage(desk)
        self.more = MorePage(desk)
        self.sets = SetsPage(desk)
        self.lesson = LessonPage(desk)
        self.devices = DevicesPage(desk)
        desk.on_devices = self.show_devices
        self._front = BoxLayout()
        for child in (self.bar, self.banner, self._front):
            self.add_widget(child)
        self.bind(pos=self._place, size=self._place)
        Window.clearcolor = theme.FELT_EDGE

    def show(self, view: View) -> None:
        self._view = view
        form = arrangement(*self.size)
        on_table = view.state.page is Page.TABLE
        self.bar.show(view, panes=form is Arrangement.SMALL and on_table)
        self.banner.show(view)
        page: Widget = {
            Page.TABLE: self.table,
            Page.PICTURES: self.pictures,
            Page.CAMERA: self.camera,
            Page.OPTIONS: self.options,
            Page.MORE: self.more,
            Page.SETS: self.sets,
            Page.LESSON: self.lesson,
            Page.DEVICES: self.devices,
        }[view.state.page]
        if page is not self._page:
            self._page = page
            self._front.clear_widgets()
            self._front.add_widget(page)
        if on_table:
            self.table.show(view, form)
        else:
            page.show(view)

    def show_devices(self, devices: DevicesView) -> None:
        """Only these are others: a device may tell many things a second."""
        if self._view:
            self._view = replace(self._view, devices=devices)
            self.bar.show_devices(devices)
            if self._page is self.devices:
                self.devices.show(self._view)

    def _place(self, *_: object) -> None:
        self._felt.pos, self._felt.size = self.pos, self.size
        if self._view:
            self.show(self._view)
