"""The keyboard of drawn tiles: corrects the chosen tile, makes a meld of it, marks it as the winning
one, adds tiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, adopt
from companion.app.widgets.fields import Keyboard
from companion.app.widgets.stage import CloseUp
from companion.app.widgets.tiles import TileKey
from companion.photo_hand.hand import PhotoTile
from companion.rules import RULE_SETS
from companion.sentences import msgid
from companion.tiles import BACK, UNKNOWN, MeldKind

MELD_NAMES = {
    MeldKind.CHOW: msgid("Chow"),
    MeldKind.PUNG: msgid("Pung"),
    MeldKind.KONG_DISCARD: msgid("Kong"),
    MeldKind.KONG_ADDED: msgid("Added kong"),
    MeldKind.KONG_CONCEALED: msgid("Concealed kong"),
}
STEP_WIDTH_MIN = dp(90)
CLOSE_UP_HEIGHT = dp(84)
CLOSE_UP_HEIGHT_SMALL = dp(62)
ROOMY_FROM = dp(430)
"""With less room in height, the close-up gives way to the keyboard."""


class TileSheet(Card):
    """Everything that can be done with one tile, or the keyboard for adding some.

    `room` is the height that there is at most, `wanted_height` what is needed of it.
    """

    room = NumericProperty(dp(440))
    wanted_height = NumericProperty(dp(300))

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._controller = controller
        self._view: View[ScorePhoto] | None = None
        self._key: object = None
        self._board: tuple[object, Keyboard] | None = None
        """The keyboard, and what it was made for: making one takes a tenth of a second."""
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

    def show(self, view: View[ScorePhoto]) -> None:
        self._view = view
        state = view.state
        key = (
            state.hand,
            state.selected,
            state.adding,
            state.naming_fortune,
            state.draft,
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

    def _adding(self, view: View[ScorePhoto]) -> BoxLayout:
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
            act=lambda: self._controller.do(ScorePhoto.stop_typing),
            size_hint_x=None,
            width=dp(110),
        )
        row.add_widget(self.actions["done"])
        return row

    def _heading(self, tile: PhotoTile, view: View[ScorePhoto]) -> BoxLayout:
        words = view.words
        height = self._close_up_height
        row = BoxLayout(size_hint_y=None, height=height, spacing=theme.GAP)
        if tile.quad and view.state.shown:
            self._close_up.look_at(tile.quad, view.state.shown)
            adopt(row, self._close_up)
        meld = view.state.hand.meld_of(tile.id)
        code = meld.codes[0] if meld else tile.code
        suggested = [code] + [code for code, _ in tile.alternatives if code not in (tile.code, UNKNOWN, BACK)]
        texts = BoxLayout(orientation="vertical")
        texts.add_widget(Tag(_question(tile, view), size=theme.TEXT))
        if tile.settled or tile.is_kind:
            percent = round(tile.p * 100)
            sure = words("set by you") if tile.settled else words("sure: {percent} %", percent=percent)
            texts.add_widget(Tag(sure, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        row.add_widget(texts)
        kinds = {kind.code for kind in RULE_SETS[view.state.draft.rules].tile_set.kinds}
        width = height * theme.TILE_ASPECT
        self._close_up.width = width
        for suggestion in [code for code in suggested if code in kinds][:3]:
            key = self._tile_key(suggestion, width)
            key.mark(ring=theme.SURE if suggestion == code else None)
            row.add_widget(key)
        row.add_widget(
            Press(
                icon="close",
                act=lambda: self._controller.do(ScorePhoto.stop_typing),
                size_hint_x=None,
                width=theme.TOUCH,
                pos_hint={"top": 1},
            )
        )
        return row

    def _steps(self, tile: PhotoTile, view: View[ScorePhoto]) -> GridLayout:
        words, state = view.words, view.state
        hand = state.hand
        steps: list[tuple[str, Press]] = []

        def step(
            name: str, text: str, do: Callable[[ScorePhoto], ScorePhoto], *, enabled: bool = True
        ) -> None:
            press = Press(text, act=lambda: self._controller.do(do), size=theme.TEXT_SMALL)
            press.disabled = not enabled
            steps.append((name, press))

        if hand.meld_of(tile.id):
            step("ungroup", words("Open up the meld"), ScorePhoto.open_up_selected)
        elif tile.code != BACK and not state.waiting:
            winning = state.draft.winning
            step(
                "win",
                words("Winning tile"),
                ScorePhoto.win_with_selected,
                enabled=not winning or winning.id != tile.id,
            )
            for kind in state.meld_kinds:
                possible = hand.candidates(tile.id, kind) is not None
                step(
                    kind.value,
                    words(MELD_NAMES[kind]),
                    _as_meld(kind),
                    enabled=possible,
                )
        if tile.quad and state.hand.counts(tile.id):
            left_out = words("Does not count") if state.waiting else words("Not in the hand")
            step("leave_out", left_out, ScorePhoto.leave_out_selected)
        else:
            step("remove", words("Remove"), ScorePhoto.remove_selected)
        grid = GridLayout(
            cols=-(-len(steps) // -(-len(steps) // self._steps_a_row)),
            size_hint_y=None,
            spacing=theme.GAP / 2,
            row_default_height=theme.TOUCH,
        )
        grid.bind(minimum_height=grid.setter("height"))
        for name, press in steps:
            self.actions[name] = press
            grid.add_widget(press)
        return grid

    def _keyboard(self, tile: PhotoTile | None, view: View[ScorePhoto]) -> Keyboard:
        kinds = RULE_SETS[view.state.draft.rules].tile_set.kinds
        above = theme.TOUCH if tile is None else self._close_up_height + self._steps_height + theme.GAP
        room = (self.width - 2 * theme.PAD - theme.GAP, self.room - 2 * theme.PAD - above - theme.GAP)
        made = (view.state.draft.rules, room)
        if self._board is None or self._board[0] != made:
            self._board = made, Keyboard(kinds, room, self._press, counted=True)
        keyboard = self._board[1]
        keyboard.show_left(view.state.count_left(tile))
        self.keys = keyboard.keys | self.keys
        return keyboard

    def _press(self, code: str) -> None:
        self._controller.do(lambda state: state.press(code))

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
        key = TileKey(code, width=width, act=lambda: self._controller.do(lambda state: state.press(code)))
        self.keys[code] = key
        return key


def _as_meld(kind: MeldKind) -> Callable[[ScorePhoto], ScorePhoto]:
    return lambda state: state.lay_selected(kind)


def _question(tile: PhotoTile, view: View[ScorePhoto]) -> str:
    words = view.words
    hand = view.state.hand
    if tile.code == BACK and (hand.unnamed_of(tile.id) or hand.meld_of(tile.id)):
        return words("A concealed kong: of which kind?")
    if tile.code == BACK:
        return words("Face down: what is it?")
    if tile.code == UNKNOWN:
        return words("Not read: what is it?")
    if view.state.draft.lacks(tile):
        return words("This game has no such tile: what is it?")
    if tile.needs_look:
        return words("Is this right?")
    return words("This tile")
