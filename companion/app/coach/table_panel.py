"""The coach beside the table: the hand with its dangers, the advised discard, one sentence, what helps."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.coach.looks import list_useful, note_hand, note_useful
from companion.app.coach.noted_tiles import Noted, NotedTiles
from companion.app.coach.state import CoachState
from companion.app.coach.wording import say_first, shorten
from companion.app.effects import Announce
from companion.app.feature import Controller, View
from companion.app.news import TileTouched
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag, Text, adopt
from companion.coach.results import Level
from companion.coach.words.wording import describe_best, name_seats, phrase
from companion.words import Words

ROOMY_FROM = dp(700)
"""In a window that is lower than this the panel is one line."""
LINE, STRIP = theme.TOUCH + theme.GAP, dp(176)
TALL_STRIP = dp(296)
"""In a window that is higher than wide: what helps stands below the hand."""
BUTTON = dp(132)
COUNTED_LEAST = dp(36)
LINE_TILE = dp(40)
USEFUL_LEAST = dp(34)
LINES_OF_LINE, LINES_MOST = 2, 3
"""Of words, in one line and in a strip: a longer sentence is said in part, and in full on the page."""
LINE_HEIGHT = 1.6
"""Of the letters, a little more than a line takes."""
HAND_PART = 0.62
"""Of the width, for the hand; the rest is for what helps it."""


class TablePanel(Card):
    """One line in a small window: the sentence and the advised tile."""

    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(
            orientation="horizontal", padding=theme.GAP / 2, spacing=theme.GAP, radius=0,
            colour=theme.PANEL_RAISED,
        )  # fmt: skip
        do = controller.do
        self.said = Text(size=theme.TEXT)
        self.said.bind(width=self._fit)
        self._sayings: tuple[str, ...] = ("",)
        self._lines_most = LINES_MOST
        self.hand = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, act=self._touch)
        self._do = do
        self.advised = NotedTiles(tile_width=LINE_TILE, notes=False, size_hint_x=None, width=LINE_TILE)
        self.useful = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, least=USEFUL_LEAST, cuts=True)
        self.useful_words = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self.useful_words.height = theme.TEXT_SMALL * 1.5
        self.more = Press(" ", act=lambda: do(CoachState.enter), size=theme.TEXT_SMALL)
        self.tell = Press(" ", act=lambda: do(CoachState.tell), size=theme.TEXT_SMALL, main=True)
        self.legend = Text(size=theme.TEXT_TINY, colour=theme.IVORY_DIM)
        self._main = BoxLayout(orientation="vertical", spacing=theme.GAP / 2)
        self._beside = BoxLayout(orientation="vertical", spacing=theme.GAP / 4, size_hint_x=1 - HAND_PART)
        self._tiles = BoxLayout(spacing=theme.GAP)
        self._buttons = BoxLayout(
            orientation="vertical", spacing=theme.GAP / 2, size_hint_x=None, width=BUTTON
        )
        self.hand.size_hint_x = HAND_PART
        self._beside.add_widget(self.useful_words)
        self._beside.add_widget(self.useful)

    def measure(self, size: tuple[float, float]) -> tuple[float, float]:
        if size[1] < ROOMY_FROM:
            return size[0], LINE
        return size[0], STRIP if size[0] > size[1] else TALL_STRIP

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        is_line = view.size[1] <= LINE
        self.more.text = words("More")
        self.legend.text = words("Below each tile: how often it deals in")
        position, answer = state.position, state.answer
        names = () if state.game is None else name_seats(state.game, words)
        self._sayings = _say_position(state, words, names)
        self._lines_most = LINES_OF_LINE if is_line else LINES_MOST
        self._fit()
        self.tell.text = _name_missing(state, words, names)
        hand = [] if answer is None else note_hand(answer, counts=state.level is Level.LEFT)
        self.hand.show(hand)
        self.advised.show([Noted(each.code) for each in hand if each.raised])
        useful = () if answer is None else list_useful(answer)
        self.useful.show(note_useful(useful))
        left = sum(each.unseen for each in useful)
        self.useful_words.text = words("What helps: {count} left", count=left) if useful else ""
        if position.question is None:
            self.hand.show([])
            self.advised.show([])
        self._arrange(state, is_line=is_line, is_tall=view.size[1] > STRIP)

    def _fit(self, *_: object) -> None:
        """Say as much as there is room for."""
        said, most = self.said, self._lines_most * theme.TEXT * LINE_HEIGHT
        said.text_size = (said.width, None)
        for saying in self._sayings:
            said.text = saying
            said.texture_update()
            if said.texture_size[1] <= most:
                return

    def _touch(self, at: int) -> None:
        """A tile of the hand was touched: a game that is played here takes it as the discard."""
        code = self.hand.tiles[at].code
        self._do(lambda state: state.also(Announce(TileTouched(code))))

    def _arrange(self, state: CoachState, *, is_line: bool, is_tall: bool) -> None:
        for each in (self, self._main, self._tiles, self._buttons):
            each.clear_widgets()
        asks = state.position.wants_hand or state.position.unnamed is not None
        buttons = [self.tell, self.more] if asks else [self.more]
        if is_line:
            self.said.size_hint_y = 1
            if self.advised.tiles:
                adopt(self, self.advised)
            adopt(self, self.said)
            for button in buttons:
                button.size_hint_x, button.width = None, BUTTON
                adopt(self, button)
            return
        self.said.size_hint_y = None
        counts = state.level is Level.LEFT
        self.hand.size_hint_x = 1 if counts or is_tall else HAND_PART
        self._beside.size_hint_x = 1 if is_tall else 1 - HAND_PART
        self._tiles.orientation = "vertical" if is_tall else "horizontal"
        self.hand.least = COUNTED_LEAST if counts else 0.0
        adopt(self._tiles, self.hand)
        if not counts:
            adopt(self._tiles, self._beside)
        adopt(self._main, self.said)
        adopt(self._main, self._tiles)
        for button in buttons:
            button.size_hint_x = 1
            adopt(self._buttons, button)
        if self.hand.tiles and not counts and not asks:
            self._buttons.add_widget(self.legend)
        self._buttons.add_widget(Widget())
        self.add_widget(self._main)
        self.add_widget(self._buttons)


def _say_position(state: CoachState, words: Words, names: tuple[str, ...]) -> tuple[str, ...]:
    """What is advised, in full and shorter and shorter; or what is missing."""
    position, answer = state.position, state.answer
    if position.trouble is not None:
        return (phrase(position.trouble, words, names),)
    if position.unnamed is not None and position.seat is not None:
        return (words("Which tile did {who} draw?", who=names[position.seat]),)
    if position.wants_hand:
        if position.seat is None:
            return (
                words("Whose hand is to be looked at? Tell the coach its tiles, by touch or by a photo."),
            )
        return (
            words("Tell the coach the tiles of {who}, by touch or by a photo.", who=names[position.seat]),
        )
    if answer is None:
        return (words("Thinking …"),)
    if position.seat is None:
        return (words("What can still come of each kind"),)
    sayings = [say_first(answer, words, names)]
    if answer.trouble is None and answer.advice is not None and answer.advice.choices:
        best = answer.advice.choices[0]
        sayings = [describe_best(best, phrase(each, words, names), words) for each in shorten(best.why)]
    if not sayings[0]:
        return (words("What can still come of each kind"),)
    who = names[position.seat]
    return tuple([words("{who}: {said}", who=who, said=said) for said in sayings])


def _name_missing(state: CoachState, words: Words, names: tuple[str, ...]) -> str:
    return words("Name the tile") if state.position.unnamed is not None else words("Tell the hand")
