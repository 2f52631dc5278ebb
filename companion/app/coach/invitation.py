"""What the coach shows while there is nothing to advise: what it says once there is, with an example, and
the way there."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.coach.position import NO_HAND
from companion.app.coach.state import CoachState
from companion.app.feature import Controller, View
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Text
from companion.app.widgets.tile_strip import TileStrip
from companion.sentences import msgid

EXAMPLE = ("2m", "3m", "4m", "6m", "7m", "3p", "3p", "5p", "6p", "7p", "2s", "4s", "5s", "6s")
"""Of kinds that every game has."""
DISCARD = "2s"
WIDTH_MOST = dp(1240)
PROMISES = (
    msgid("On your turn it says what to discard, how many tiles help then, and what the hand may be worth."),
    msgid("Below each tile stands how often it deals in; the ringed one is what it advises."),
    msgid("It knows only what all see at the table, and the hand that you tell it."),
)
TO_TABLE = msgid("To the table")
WHOSE = msgid("Whose hand is to be looked at? Tell the coach its tiles, by touch or by a photo.")
NOTHING_YET = msgid("No hand is in play. Once one is, the coach helps.")


class Invitation(AnchorLayout):
    """Stands in the middle of the page."""

    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__()
        do = controller.do
        self._card = Card(size_hint=(None, None), padding=theme.PAD * 2, spacing=theme.PAD * 1.5)
        self._card.bind(minimum_height=self._card.setter("height"))
        self.asked = Text(size=theme.TEXT_HUGE * 0.8, colour=theme.GOLD)
        self._strip = TileStrip(
            [[(code, code == DISCARD) for code in EXAMPLE]], tile_width=theme.TILE_WIDTH_MAX
        )
        self._promises = [Text(size=theme.TEXT_LARGE) for _ in PROMISES]
        self.table = Press(" ", main=True, size=theme.TEXT_LARGE, act=lambda: do(CoachState.show_table))
        self.tell = Press(
            " ", main=True, size=theme.TEXT_LARGE, act=lambda: do(lambda state: state.begin_entering())
        )
        self._buttons = BoxLayout(size_hint_y=None, height=theme.TOUCH)
        for child in (self.asked, self._strip, *self._promises, self._buttons):
            self._card.add_widget(child)
        self.add_widget(self._card)

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        width = min(view.size[0] - 4 * theme.PAD, WIDTH_MOST * theme.SCALE)
        self._card.width = width
        self._strip.resize((width - 4 * theme.PAD) / len(EXAMPLE))
        for label, promise in zip(self._promises, PROMISES, strict=True):
            label.text = words(promise)
        waits = state.position.trouble == NO_HAND or state.game is None
        self.asked.text = words(NOTHING_YET) if waits else words(WHOSE)
        self.table.text, self.tell.text = words(TO_TABLE), words("Tell the hand")
        self._buttons.clear_widgets()
        self._buttons.add_widget(self.table if waits else self.tell)
