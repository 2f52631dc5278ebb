"""Telling the coach a hand: by touching tiles, or by a photo; and naming the tile that was drawn."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.coach.noted_tiles import Noted, NotedTiles
from companion.app.coach.state import CoachState
from companion.app.feature import Controller, View
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Text
from companion.app.widgets.keyboard import Keyboard
from companion.coach.words.wording import name_seats
from companion.table.knowledge import count_unseen
from companion.tiles import BACK, KINDS, Suit

HAND_HEIGHT = theme.TILE_WIDTH_MAX / theme.TILE_ASPECT * 1.15


class EntryPart(BoxLayout):
    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        do = controller.do
        self.words = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.hand = NotedTiles(
            tile_width=theme.TILE_WIDTH_MAX, notes=False, size_hint_y=None, height=HAND_HEIGHT,
            act=lambda at: do(lambda state: state.drop_tile(at)),
        )  # fmt: skip
        self.photo = Press(" ", icon="picture", act=lambda: do(lambda s: s.take_picture(from_camera=False)))
        self.camera = Press(" ", icon="camera", act=lambda: do(lambda s: s.take_picture(from_camera=True)))
        self.done = Press(" ", main=True, act=lambda: do(CoachState.finish_entering))
        self.keyboard: Keyboard | None = None
        self._keys = AnchorLayout(anchor_y="top")
        self._buttons = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for button in (self.photo, self.camera, self.done):
            self._buttons.add_widget(button)
        self._placed: object = None
        self._view: View[CoachState] | None = None
        self._keys.bind(size=Clock.create_trigger(self._show_again, -1))

    def _show_again(self, _: float) -> None:
        """The keys are as large as there is room for, which is known only once the page is laid out."""
        if self._view is not None:
            self.show(self._view)

    def show(self, view: View[CoachState]) -> None:
        self._view = view
        state, words = view.state, view.words
        game, seat = state.game, state.position.seat
        if game is None:
            return
        entering = state.entering
        parts = (
            [self.words, self._keys]
            if entering is None
            else [self.words, self.hand, self._keys, self._buttons]
        )
        if parts != self._placed:
            self._placed = parts
            self.clear_widgets()
            for part in parts:
                self.add_widget(part)
        who = "" if seat is None else name_seats(game, words)[seat]
        self.photo.text, self.camera.text, self.done.text = words("Photo"), words("Camera"), words("Done")
        left = {kind.code: n for kind, n in zip(KINDS, count_unseen(game, None), strict=True)}
        if entering is None:
            self.words.text = words("Which tile did {who} draw?", who=who)
        else:
            wanted = state.held_count
            self.words.text = (
                words("Whose hand is it?")
                if seat is None
                else words(
                    "Touch the concealed tiles of {who}: {count} of {wanted}. Melds are known.",
                    who=who, count=len(entering), wanted=wanted,
                )
            )  # fmt: skip
            blank = [Noted(BACK, faded=True)] * (wanted - len(entering))
            self.hand.show([*(Noted(code) for code in entering), *blank])
            self.done.disabled = seat is None or len(entering) != wanted
            for code in entering:
                left[code] -= 1
        self._show_keys(view, left)

    def _show_keys(self, view: View[CoachState], left: dict[str, int]) -> None:
        game = view.state.game
        assert game is not None
        kinds = [kind for kind in KINDS if game.house.copies[kind.index] and kind.suit is not Suit.FLOWERS]
        room = self.width or view.size[0], max(self._keys.height, theme.TOUCH * 4)
        self._keys.clear_widgets()
        self.keyboard = Keyboard(kinds, room, self._touch)
        for code, key in self.keyboard.keys.items():
            key.disabled = left[code] <= 0
            key.mark(faded=key.disabled)
        self._keys.add_widget(self.keyboard)

    def _touch(self, code: str) -> None:
        self._controller.do(lambda state: state.touch_tile(code))
