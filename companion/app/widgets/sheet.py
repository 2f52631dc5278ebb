"""The keyboard of drawn tiles: corrects the chosen tile, makes a meld of it, marks it as the winning
one, adds tiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Quad, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app import theme
from companion.app.desk import Desk, View
from companion.app.hand import TableTile
from companion.app.sight import Shown
from companion.app.state import ScorePhoto
from companion.app.text import msgid
from companion.app.widgets.basics import Card, Column, Press, Tag, adopt
from companion.app.widgets.outlines import texture_of
from companion.app.widgets.tiles import TileKey
from companion.rules import RULE_SETS
from companion.tiles import BACK, UNKNOWN, MeldKind, Suit

MELD_NAMES = {
    MeldKind.CHOW: msgid("Chow"),
    MeldKind.PUNG: msgid("Pung"),
    MeldKind.KONG_DISCARD: msgid("Kong"),
    MeldKind.KONG_ADDED: msgid("Added kong"),
    MeldKind.KONG_CONCEALED: msgid("Concealed kong"),
}
KEY_WIDTH_MAX = dp(58)
KEY_WIDTH_MIN = dp(40)
STEP_WIDTH_MIN = dp(124)
CLOSE_UP_HEIGHT = dp(84)
CLOSE_UP_HEIGHT_SMALL = dp(62)
ROOMY_FROM = dp(430)
"""With less room in height, the close-up gives way to the keyboard."""


class Sheet(Card):
    """Everything that can be done with one tile, or the keyboard for adding some.

    `room` is the height that there is at most, `wanted_height` what is needed of it.
    """

    room = NumericProperty(dp(440))
    wanted_height = NumericProperty(dp(300))

    def __init__(self, desk: Desk, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._desk = desk
        self._view: View | None = None
        self._key: object = None
        self.keys: dict[str, TileKey] = {}
        self.actions: dict[str, Press] = {}
        self._close_up = CloseUp()
        self._column = Column()
        self._column.inside.bind(
            height=lambda _, height: setattr(self, "wanted_height", min(height + 2 * theme.PAD, self.room))
        )
        self.add_widget(self._column)
        self.bind(
            width=lambda *_: self._view and self.show(self._view),
            room=lambda *_: self._view and self.show(self._view),
        )

    def show(self, view: View) -> None:
        self._view = view
        state = view.state
        key = (
            state.hand,
            state.selected,
            state.adding,
            state.naming_fortune,
            state.facts,
            view.words.language,
            self.width,
            self.room,
        )
        if not state.typing or key == self._key:
            return
        self._key = key
        self.keys, self.actions = {}, {}
        inside = self._column.inside
        inside.clear_widgets()
        tile = state.hand.tile(state.selected) if state.selected is not None else None
        if tile:
            inside.add_widget(self._heading(tile, view))
            inside.add_widget(self._steps(tile, view))
        else:
            inside.add_widget(self._adding(view))
        inside.add_widget(self._keyboard(tile, view))

    def _adding(self, view: View) -> BoxLayout:
        words = view.words
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        asked = (
            words("Which tile is the fortune tile?")
            if view.state.naming_fortune
            else words("Touch each tile that is to be added.")
        )
        row.add_widget(Tag(asked, size=theme.TEXT))
        self.actions["done"] = Press(
            words("Done"),
            main=True,
            act=lambda: self._desk.do(ScorePhoto.stop_typing),
            size_hint_x=None,
            width=dp(110),
        )
        row.add_widget(self.actions["done"])
        return row

    def _heading(self, tile: TableTile, view: View) -> BoxLayout:
        words = view.words
        height = self._close_up_height
        row = BoxLayout(size_hint_y=None, height=height, spacing=theme.GAP)
        if tile.quad and view.shown:
            self._close_up.look_at(tile, view.shown)
            adopt(row, self._close_up)
        group = view.state.hand.group_of(tile.id)
        code = group.codes[0] if group else tile.code
        suggested = [code] + [code for code, _ in tile.alternatives if code not in (tile.code, UNKNOWN, BACK)]
        texts = BoxLayout(orientation="vertical")
        texts.add_widget(Tag(_question(tile, view), size=theme.TEXT))
        sure = (
            words("sure: {percent} %", percent=round(tile.p * 100))
            if not tile.settled
            else words("set by you")
        )
        texts.add_widget(Tag(sure, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        row.add_widget(texts)
        kinds = {kind.code for kind in RULE_SETS[view.state.facts.rules].tile_set.kinds}
        width = height * theme.TILE_ASPECT
        self._close_up.width = width
        for suggestion in [code for code in suggested if code in kinds][:3]:
            key = self._tile_key(suggestion, width)
            key.mark(ring=theme.SURE if suggestion == code else None)
            row.add_widget(key)
        row.add_widget(
            Press(
                icon="close",
                act=lambda: self._desk.do(ScorePhoto.stop_typing),
                size_hint_x=None,
                width=theme.TOUCH,
                pos_hint={"top": 1},
            )
        )
        return row

    def _steps(self, tile: TableTile, view: View) -> GridLayout:
        words, state = view.words, view.state
        hand = state.hand
        steps: list[tuple[str, Press]] = []

        def step(
            name: str, text: str, do: Callable[[ScorePhoto], ScorePhoto], *, enabled: bool = True
        ) -> None:
            press = Press(text, act=lambda: self._desk.do(do), size=theme.TEXT_SMALL)
            press.disabled = not enabled
            steps.append((name, press))

        if hand.group_of(tile.id):
            step("ungroup", words("Open up the meld"), ScorePhoto.ungroup_selected)
        elif tile.code != BACK:
            winning = state.facts.winning
            step(
                "win",
                words("Winning tile"),
                ScorePhoto.win_with_selected,
                enabled=not winning or winning.id != tile.id,
            )
            for kind in state.facts.meld_kinds:
                possible = hand.candidates(tile.id, kind) is not None
                step(
                    kind.value,
                    words(MELD_NAMES[kind]),
                    _as_meld(kind),
                    enabled=possible,
                )
        step("remove", words("Remove"), ScorePhoto.remove_selected)
        grid = GridLayout(
            cols=self._steps_a_row, size_hint_y=None, spacing=theme.GAP / 2, row_default_height=theme.TOUCH
        )
        grid.bind(minimum_height=grid.setter("height"))
        for name, press in steps:
            self.actions[name] = press
            grid.add_widget(press)
        return grid

    def _keyboard(self, tile: TableTile | None, view: View) -> BoxLayout:
        kinds = RULE_SETS[view.state.facts.rules].tile_set.kinds
        suits = [[kind for kind in kinds if kind.suit is suit] for suit in Suit]
        longest = max(len(row) for row in suits)
        room = (self.width - 2 * theme.PAD - theme.GAP) / longest - theme.GAP / 2
        rows = [row for row in suits if row]
        above = theme.TOUCH if tile is None else self._close_up_height + self._steps_height + theme.GAP
        room_above = (self.room - 2 * theme.PAD - above - theme.GAP) / len(rows) - theme.GAP / 2
        width = min(max(min(room, room_above * theme.TILE_ASPECT), KEY_WIDTH_MIN), KEY_WIDTH_MAX)
        board = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        board.bind(minimum_height=board.setter("height"))
        for row in rows:
            line = BoxLayout(size_hint_y=None, height=width / theme.TILE_ASPECT, spacing=theme.GAP / 2)
            line.add_widget(Widget())
            for kind in row:
                line.add_widget(self._tile_key(kind.code, width))
            line.add_widget(Widget())
            board.add_widget(line)
        return board

    @property
    def _steps_a_row(self) -> int:
        return max(3, int((self.width - 2 * theme.PAD) // STEP_WIDTH_MIN))

    @property
    def _steps_height(self) -> float:
        """What the buttons take that a tile of the hand has."""
        rows = -(-len(self.actions) // self._steps_a_row)
        return float(rows * (theme.TOUCH + theme.GAP / 2))

    @property
    def _close_up_height(self) -> float:
        return float(CLOSE_UP_HEIGHT if self.room >= ROOMY_FROM else CLOSE_UP_HEIGHT_SMALL)

    def _tile_key(self, code: str, width: float) -> TileKey:
        key = TileKey(code, width=width, act=lambda: self._desk.do(lambda state: state.press(code)))
        self.keys.setdefault(code, key)
        return key


class CloseUp(Widget):
    """The chosen tile cut out of the picture and turned upright."""

    def __init__(self) -> None:
        super().__init__(size_hint_x=None)
        self._texture: tuple[Shown, Texture] | None = None
        self._coords: tuple[float, ...] = (0,) * 8
        self.bind(pos=self._draw, size=self._draw)

    def look_at(self, tile: TableTile, shown: Shown) -> None:
        if self._texture is None or self._texture[0] is not shown:
            self._texture = (shown, texture_of(shown.image))
        assert tile.quad is not None
        top_left, top_right, bottom_right, bottom_left = tile.quad
        corners = (bottom_left, bottom_right, top_right, top_left)
        self._coords = tuple(value for x, y in corners for value in (x / shown.width, y / shown.height))
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        if self._texture is None:
            return
        x, y, right, top = self.x, self.y, self.right, self.top
        with self.canvas:
            Color(*theme.IVORY)
            RoundedRectangle(
                pos=(x - 2, y - 2), size=(self.width + 4, self.height + 4), radius=[theme.RADIUS / 3]
            )
            Color(1, 1, 1, 1)
            Quad(
                points=(x, y, right, y, right, top, x, top), texture=self._texture[1], tex_coords=self._coords
            )


def _as_meld(kind: MeldKind) -> Callable[[ScorePhoto], ScorePhoto]:
    return lambda state: state.group_selected(kind)


def _question(tile: TableTile, view: View) -> str:
    words = view.words
    if tile.code == BACK:
        return words("Face down: what is it?")
    if tile.code == UNKNOWN:
        return words("Not read: what is it?")
    if view.state.facts.lacks(tile):
        return words("This game has no such tile: what is it?")
    if tile.needs_look:
        return words("Is this right?")
    return words("This tile")
