"""The pages that bring a picture: the chooser of pictures or films, with thumbnails; the live camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.recyclegridlayout import RecycleGridLayout
from kivy.uix.recycleview import RecycleView
from kivy.uix.recycleview.views import RecycleDataViewBehavior
from kivy.uix.widget import Widget

from companion.app.cameras import say_camera
from companion.app.feature import Controller, View
from companion.app.feature import Page as PageWidget
from companion.app.live_preview import LivePicture
from companion.app.pictures.folders import (
    Entry,
    Shortcut,
    Sought,
    Thumbnails,
    find_films,
    find_pictures,
    list_entries,
    list_places,
)
from companion.app.pictures.state import BringPicture, Page
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Icon, Press, Tag, Text, TouchCard, TouchScroll
from companion.app.widgets.fields import Pick
from companion.app.widgets.listing import OwnRows
from companion.app.widgets.stage import LiveView, fit, texture_of
from companion.app.widgets.window_thread import call_on_window_thread
from companion.cameras import CameraInfo
from companion.images import Image
from companion.photo_hand.from_reading import choose_advice
from companion.sentences import as_text
from companion.tiles import BACK
from companion.words import Words

CELL_WIDTH = dp(176)
CELL_HEIGHT = dp(164)
NAME_HEIGHT = dp(34)
SHORTCUT_WIDTH = dp(150)
LOOK_S = 1.5
"""Interval at which the folder is listed again."""
SHORTCUTS_FILL = 5
"""Number of shortcuts from which they share the whole width."""


class CameraPage(Card):
    """The live picture of a camera, while the page is in front."""

    def __init__(
        self, controller: Controller[BringPicture], list_cameras: Callable[[], Sequence[CameraInfo]]
    ) -> None:
        super().__init__()
        self._controller = controller
        self._list_cameras = list_cameras
        self._words: Words | None = None
        self.stage = LiveView(self._note)
        self.status = Tag(size=theme.TEXT, colour=theme.IVORY_DIM)
        self.pick = Pick(
            lambda key: controller.do(lambda state: state.open_camera(key)), size_hint_x=None, width=dp(200)
        )
        self.take = Press(" ", icon="camera", main=True, act=self._take, size_hint_x=None, width=dp(190))
        self.back = Press(
            " ", act=lambda: controller.do(BringPicture.step_back), size_hint_x=None, width=dp(110)
        )
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._row = row
        for child in (self.status, self.pick, self.take, self.back):
            row.add_widget(child)
        self.add_widget(self.stage)
        self.add_widget(row)
        self._listed: str | None = None
        self._tile_set: str | None = None

    def show(self, view: View[BringPicture]) -> None:
        words = self._words = view.words
        self.take.text = words("Take this picture")
        self.back.text = words("Back")
        self._tile_set = view.state.tile_set
        if self._listed != view.state.camera:
            self._listed = view.state.camera
            cameras = [(info.id, say_camera(info.name, words)) for info in self._list_cameras()]
            self.pick.offer(cameras, view.state.camera)
            self.pick.opacity, self.pick.disabled = (1, False) if len(cameras) > 1 else (0, True)
            self.pick.width = dp(200) if len(cameras) > 1 else 0
        self.stage.show(view.state.preview)
        self.take.disabled = self.stage.live is None

    def _note(self, live: LivePicture | None) -> None:
        words = self._words
        self.take.disabled = live is None
        if words is not None and live is None:
            self._say(words("Waiting for the camera …"))
        elif words is not None and live is not None:
            self._describe(live, words)

    def _take(self) -> None:
        """Use the newest frame as the picture."""
        if self.stage.live:
            image = self.stage.live.image
            self._controller.do(lambda state: state.use_frame(image))

    def _describe(self, live: LivePicture, words: Words) -> None:
        """The number of tiles seen, or how to see more of them."""
        if live.tiles is None:
            self._say(words("Reading the tiles …"))
            return
        better = choose_advice(live.advice)
        if better:
            self._say(words.say(better), theme.UNSURE)
            return
        parts = [words("Tiles seen: {count}", count=sum(tile.code != BACK for tile in live.tiles))]
        if unsure := sum(tile.unsure for tile in live.tiles):
            parts.append(words("unsure: {count}", count=unsure))
        if self._tile_set:
            parts.append(self._tile_set)
        self._say(" · ".join(parts))

    def _say(self, text: str, colour: theme.Colour | None = None) -> None:
        self.status.text, self.status.color = text, colour or theme.IVORY_DIM


class ChooserPage(Card):
    """Starts where people keep pictures; later in the folder it was left in."""

    def __init__(self, controller: Controller[BringPicture], sought: Sought) -> None:
        super().__init__()
        self._controller = controller
        self.sought = sought
        self._thumbs = Thumbnails(call_on_window_thread)
        self._view: View[BringPicture] | None = None
        self._places: tuple[Shortcut, ...] = ()
        self.folder: Path | None = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD, size_hint_x=None, width=dp(170))
        self.where = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, shorten_from="left")
        self.up = Press(icon="up", act=self._go_up, size_hint_x=None, width=theme.TOUCH * 1.1)
        self.close = Press(
            " ", act=lambda: controller.do(BringPicture.step_back), size_hint_x=None, width=dp(110)
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for child in (self.title, self.where, self.up, self.close):
            head.add_widget(child)
        self._shortcuts = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self.note = Text(align="center", colour=theme.IVORY_DIM)
        self.grid = PictureGrid(self)
        for child in (head, self._shortcuts, self.grid):
            self.add_widget(child)
        self._looks = Clock.schedule_interval(self._look_again, LOOK_S)
        self._looks.cancel()

    @property
    def thumbs(self) -> Thumbnails:
        return self._thumbs

    def show(self, view: View[BringPicture]) -> None:
        self._view = view
        words = view.words
        self.title.text = words(self.sought.title)
        self.close.text = words("Back")
        self._looks()
        if self.folder is None or not self.grid.data:
            self._places = list_places(self.sought)
            self.go(self.folder if self.folder and self.folder.is_dir() else self._places[0].path)
        self._shortcuts.clear_widgets()
        for place in self._places:
            press = Press(words(place.name), act=partial(self.go, place.path), size=theme.TEXT_SMALL)
            press.chosen = place.path == self.folder
            self._shortcuts.add_widget(press)
        self._shortcuts.size_hint_x = None if len(self._places) < SHORTCUTS_FILL else 1
        self._shortcuts.width = len(self._places) * SHORTCUT_WIDTH

    def go(self, folder: Path) -> None:
        """Show the content of `folder`."""
        self.folder = folder
        found, trouble = list_entries(folder, self.sought)
        words = self._view.words if self._view else None
        self.where.text = as_text(str(folder))
        self.up.disabled = folder.parent == folder
        if words is None:
            return
        self.note.text = words.say(trouble) if trouble else "" if found else words(self.sought.nothing)
        if self.note.parent:
            self.remove_widget(self.note)
        if self.note.text:
            self.add_widget(self.note, index=1)
        self.grid.data = [{"entry": entry, "page": self} for entry in found]
        self.grid.scroll_y = 1
        for press, place in zip(reversed(self._shortcuts.children), self._places, strict=False):
            press.chosen = place.path == folder

    def _look_again(self, _: float) -> bool:
        """List the folder again while the page is visible."""
        if self.parent is None or self.folder is None:
            return False
        found, _trouble = list_entries(self.folder, self.sought)
        if found != tuple(item["entry"] for item in self.grid.data):
            scrolled = self.grid.scroll_y
            self.go(self.folder)
            self.grid.scroll_y = scrolled
        return True

    def choose(self, entry: Entry) -> None:
        if entry.is_folder:
            self.go(entry.path)
        else:
            self._controller.do(lambda state: state.choose(entry.path))

    def _go_up(self) -> None:
        if self.folder:
            self.go(self.folder.parent)


class PictureGrid(TouchScroll, RecycleView):
    """Only visible entries have widgets, so that thousands of pictures scroll smoothly."""

    def __init__(self, page: ChooserPage) -> None:
        super().__init__(
            bar_width=theme.GAP / 2, bar_color=theme.SURE, scroll_type=["bars", "content"], do_scroll_x=False,
            view_adapter=OwnRows(),
        )  # fmt: skip
        self._layout = RecycleGridLayout(
            cols=4,
            default_size=(CELL_WIDTH, CELL_HEIGHT),
            default_size_hint=(None, None),
            size_hint_y=None,
            spacing=theme.GAP,
        )
        self._layout.bind(minimum_height=self._layout.setter("height"))
        self.add_widget(self._layout)
        self.viewclass = PictureCell
        self.bind(width=self._count)

    def _count(self, *_: object) -> None:
        cols = self._layout.cols = max(2, int(self.width // CELL_WIDTH))
        width = (self.width - (cols - 1) * theme.GAP - 2 * self.bar_width) / cols
        self._layout.default_size = (max(width, 1), CELL_HEIGHT)


class PictureCell(RecycleDataViewBehavior, TouchCard):
    """A folder, a picture or a film."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(colour=theme.PANEL_RAISED, padding=theme.GAP / 2, spacing=0, **kwargs)
        self.entry: Entry | None = None
        self._page: ChooserPage | None = None
        self.picture = Thumbnail()
        self.name = Tag(size=theme.TEXT_SMALL, align="center", size_hint_y=None, height=NAME_HEIGHT)
        self.add_widget(self.picture)
        self.add_widget(self.name)
        self.bind(
            state=lambda *_: self.paint(theme.PANEL_PRESSED if self.state == "down" else theme.PANEL_RAISED)
        )

    def refresh_view_attrs(self, view: object, index: int, data: dict[str, object]) -> None:
        entry, page = data["entry"], data["page"]
        assert isinstance(entry, Entry)
        assert isinstance(page, ChooserPage)
        self.entry, self._page = entry, page
        self.name.text = as_text(entry.path.name)
        self.picture.show_sign("folder" if entry.is_folder else page.sought.icon)
        if not entry.is_folder and page.sought.has_thumbs:
            page.thumbs.want(entry.path, lambda image: self._fill(entry, image))

    def on_release(self) -> None:
        if self._page and self.entry:
            self._page.choose(self.entry)

    def _fill(self, entry: Entry, image: Image | None) -> None:
        if self.entry is entry:
            self.picture.fill(image)


class Thumbnail(Widget):
    """A thumbnail, or a sign for the kind of entry."""

    def __init__(self) -> None:
        super().__init__()
        self._image: Image | None = None
        self._signs = {name: Icon(name) for name in ("folder", "picture", "film")}
        for name, icon in self._signs.items():
            icon.size = (theme.TOUCH, theme.TOUCH)
            icon.paint(theme.GOLD if name == "folder" else theme.IVORY_DIM)
        with self.canvas:
            self._tint = Color(1, 1, 1, 0)
            self._plate = Rectangle()
        self.bind(pos=self._place, size=self._place)

    def show_sign(self, name: str) -> None:
        """Show that sign instead of a picture."""
        self.clear_widgets()
        self.add_widget(self._signs[name])
        self._image, self._tint.a = None, 0
        self._place()

    def fill(self, image: Image | None) -> None:
        if image is None:
            return
        self.clear_widgets()
        self._image, self._tint.a = image, 1
        self._plate.texture = texture_of(image)
        self._place()

    def _place(self, *_: object) -> None:
        for icon in self._signs.values():
            icon.center = self.center
        if self._image is not None:
            height, width = self._image.shape[:2]
            where = fit((width, height), (self.x, self.y, max(self.width, 1), max(self.height, 1)))
            self._plate.pos, self._plate.size = (
                (where.x, where.y),
                (width * where.scale, height * where.scale),
            )


def offer_pages(
    controller: Controller[BringPicture],
    list_cameras: Callable[[], tuple[CameraInfo, ...]],
    taken_folder: Path,
) -> Mapping[str, Callable[[], PageWidget]]:
    """The builder of each page, by its name."""
    return {
        Page.FILES: partial(ChooserPage, controller, find_pictures(taken_folder)),
        Page.FILMS: partial(ChooserPage, controller, find_films()),
        Page.CAMERA: partial(CameraPage, controller, list_cameras),
    }
