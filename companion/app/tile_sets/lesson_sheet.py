"""One tile of a lesson: what it is, on the keyboard of all kinds, or that it is to be left out."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.tile_sets.lesson import NamedTile
from companion.app.tile_sets.state import TileSets
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Text, adopt
from companion.app.widgets.fields import Keyboard
from companion.app.widgets.stage import CloseUp
from companion.app.widgets.tiles import TileKey
from companion.photo_hand.hand import PhotoTile
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.words import Words

CLOSE_UP_HEIGHT = dp(64)
SUGGESTED_MAX = 2


class LessonSheet(BoxLayout):
    """Shows the selected tile."""

    def __init__(self, controller: Controller[TileSets]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP)
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self._key: object = None
        self._close_up = CloseUp()
        self._close_up.width = CLOSE_UP_HEIGHT * theme.TILE_ASPECT
        self.keys: dict[str, TileKey] = {}
        self.leave_out = Press(
            " ", act=lambda: self._press(BACK), size=theme.TEXT_SMALL, size_hint_x=None, width=dp(108)
        )
        self.done = Press(icon="close", act=self._put_away, size_hint_x=None, width=theme.TOUCH)

    def show(self, view: View[TileSets], room: tuple[float, float]) -> None:
        lesson = view.state.lesson
        key = lesson, view.words.language, room, view.state.photo
        if key == self._key or lesson.selected is None:
            return
        self._key = key
        self.clear_widgets()
        tile = next(tile for tile in lesson.tiles if tile.id == lesson.selected)
        named = next(named for named in lesson.named[lesson.front] if named.id == tile.id)
        self.add_widget(self._heading(tile, named, view))
        keyboard = Keyboard(KINDS, (room[0], room[1] - CLOSE_UP_HEIGHT - theme.GAP), self._press)
        self.keys = keyboard.keys | self.keys
        self.add_widget(keyboard)

    def _heading(self, tile: PhotoTile, named: NamedTile, view: View[TileSets]) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=CLOSE_UP_HEIGHT, spacing=theme.GAP)
        if view.state.photo:
            self._close_up.look_at(named.quad, view.state.photo)
            adopt(row, self._close_up)
        row.add_widget(Text(_question(tile, named, view.words), pos_hint={"center_y": 0.5}))
        likely = [named.kind, tile.code, *(code for code, _ in tile.alternatives)]
        codes = [code for code in dict.fromkeys(likely) if code not in (None, UNKNOWN, BACK)]
        self.keys = {}
        width = CLOSE_UP_HEIGHT * theme.TILE_ASPECT
        for code in codes[:SUGGESTED_MAX]:
            assert code is not None
            self.keys[code] = TileKey(code, width=width, act=partial(self._press, code))
            self.keys[code].mark(ring=theme.SURE if code == named.kind else None)
            row.add_widget(self.keys[code])
        self.leave_out.text = view.words("Leave it out")
        adopt(row, self.leave_out)
        adopt(row, self.done)
        return row

    def _press(self, code: str) -> None:
        self._controller.do(lambda state: state.edit(lambda lesson: lesson.press(code)))

    def _put_away(self) -> None:
        self._controller.do(lambda state: state.look(lambda lesson: lesson.select(None)))


def _question(tile: PhotoTile, named: NamedTile, words: Words) -> str:
    if named.kind is None:
        return words("Left out: what is it?")
    if named.kind == UNKNOWN:
        return words("Not read: what is it?")
    if named.needs_look:
        return words("Is this right?")
    return words("This tile")
