"""What a person is asked or told while a game is followed: questions, that it is lost, its corners."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller
from companion.app.game.fix_sheet import ring_differing
from companion.app.game.followed import NAMED, Question
from companion.app.game.state import CORNERS, GameTable
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Text
from companion.app.widgets.tile_strip import Group, TileStrip
from companion.app.widgets.tiles import TileKey
from companion.live.doubts import SEA_DOUBTS
from companion.live.followed_game import OTHER_TABLE
from companion.live.follower import MOVED, UNEXPLAINED, describe_lost
from companion.sentences import Sentence, msgid
from companion.table.events import Event, Won
from companion.words import Words

NEXT_CORNERS = (
    msgid("Touch the table's lower left corner in the picture: {n} of {count}."),
    msgid("Touch the next corner counterclockwise, the lower right one: {n} of {count}."),
    msgid("Touch the next corner counterclockwise, the upper right one: {n} of {count}."),
    msgid("Touch the next corner counterclockwise, the upper left one: {n} of {count}."),
)
KEY_WIDTH = dp(44)
BUTTON_WIDTH = dp(150)


class QuestionCard(Card):
    """Which tile it was, or which tiles a winning hand held: touch what is right. keys: of the choices, in
    their order; other: leads to what else can be said of it. is_of_hand: the card is of a hand, and high.
    """

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, colour=theme.NOTE, padding=(theme.PAD, theme.GAP))
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self.words = Text()
        self.is_of_hand = False
        self.keys: list[TileKey | HandKey] = []
        self.other = _button(lambda: controller.do(lambda state: state.select(self._number)))
        self._asked: Question | None = None

    def show(self, question: Question, said: Sentence, words: Words) -> None:
        self.is_of_hand = isinstance(question.choices[0], Won)
        asks = words("Which tiles were in the hand?") if self.is_of_hand else words("Which tile was it?")
        self.words.text = f"{words.say(said)}. {asks}"
        self.other.text = words("Other tiles")
        if question == self._asked:
            return
        self._asked = question
        self.keys = [self._make_key(question, right) for right in question.choices]
        self.clear_widgets()
        self.add_widget(self.words)
        if self.is_of_hand:
            for key in (*self.keys, self.other):
                self.add_widget(key)
        else:
            row = BoxLayout(size_hint_y=None, height=KEY_WIDTH / theme.TILE_ASPECT, spacing=theme.PAD)
            for key in (*self.keys, self.other):
                row.add_widget(key)
            self.add_widget(row)

    @property
    def _number(self) -> int | None:
        return self._asked.number if self._asked else None

    def _make_key(self, question: Question, right: Event) -> TileKey | HandKey:
        def answer() -> None:
            self._controller.do(lambda state: state.settle(question.number, right))

        if isinstance(right, Won):
            hands = [each for each in question.choices if isinstance(each, Won)]
            return HandKey(ring_differing(right, hands), act=answer)
        assert isinstance(right, NAMED)
        assert right.tile is not None
        return TileKey(right.tile, width=KEY_WIDTH, act=answer)


class HandKey(ButtonBehavior, Card):
    """A winning hand, drawn in one row."""

    def __init__(self, groups: list[Group], act: Callable[[], None]) -> None:
        super().__init__(colour=theme.PANEL_RAISED, padding=theme.GAP, size_hint_y=None, height=theme.TOUCH)
        self._act = act
        self.add_widget(TileStrip(groups, tile_width=theme.TILE_WIDTH_MAX, size_hint_y=1))

    def on_release(self) -> None:
        self._act()


class LostCard(Card):
    """Why the game cannot be followed, and what may be done about it."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, colour=theme.TROUBLE, padding=(theme.PAD, theme.GAP))
        self.bind(minimum_height=self.setter("height"))
        self.words = Text()
        self.begin_here = _button(lambda: controller.do(GameTable.begin_here))
        self.look_again = _button(lambda: controller.do(GameTable.look_again))
        self.corners = _button(lambda: controller.do(GameTable.touch_corners))
        self.end_hand = _button(lambda: controller.do(GameTable.end_hand))
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._row.pos_hint = self.words.pos_hint = {"center_y": 0.5}
        self._offered: object = None
        self.add_widget(self.words)

    def show(self, why: Sentence, words: Words, *, flat: bool, runs: bool = True) -> None:
        """flat: the buttons beside the words, in a window that is not high. runs: whether the table is still
        watched, so that something may begin there."""
        self.words.text = words.say(describe_lost(why))
        self.begin_here.text = words("Begin from here")
        self.look_again.text = words("Look for it again")
        self.corners.text = words("Touch its corners")
        self.end_hand.text = words("End that hand")
        offered: list[Press] = []
        begins = [self.begin_here] if runs else []
        if why.template == OTHER_TABLE:
            offered = [self.end_hand, *begins]
        elif why.template == UNEXPLAINED:
            offered = begins
        elif why.template in MOVED:
            offered = [self.look_again, self.corners]
        if (offered, flat) != self._offered:
            self._offered = offered, flat
            self.orientation = "horizontal" if flat else "vertical"
            self.words.font_size = theme.TEXT_SMALL if flat else theme.TEXT
            self._row.size_hint_x, self._row.width = (None, BUTTON_WIDTH * len(offered)) if flat else (1, 0)
            self._row.clear_widgets()
            self.remove_widget(self._row)
            for button in offered:
                self._row.add_widget(button)
            if offered:
                self.add_widget(self._row)


class DoubtCard(Card):
    """Why it may be another game than is followed, or stand otherwise: it is so, or it is not."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(size_hint_y=None, colour=theme.NOTE, padding=(theme.PAD, theme.GAP))
        self.bind(minimum_height=self.setter("height"))
        self.words = Text(pos_hint={"center_y": 0.5})
        self.agree = _button(lambda: controller.do(GameTable.trust_tiles))
        self.other = _button(lambda: controller.do(GameTable.stop))
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._row.pos_hint = {"center_y": 0.5}
        for child in (self.words, self._row):
            self.add_widget(child)

    def show(self, why: Sentence, words: Words, *, flat: bool) -> None:
        """flat: the buttons beside the words, in a window that is not high."""
        offered = [self.agree] if why.template in SEA_DOUBTS else [self.agree, self.other]
        if self._row.children[::-1] != offered:
            self._row.clear_widgets()
            for button in offered:
                self._row.add_widget(button)
        self.words.text = words.say(describe_lost(why))
        self.agree.text, self.other.text = words("All is right"), words("Another game")
        self.orientation = "horizontal" if flat else "vertical"
        self.words.font_size = theme.TEXT_SMALL if flat else theme.TEXT
        self._row.size_hint_x, self._row.width = (None, BUTTON_WIDTH * len(offered)) if flat else (1, 0)


class CornersCard(Card):
    """Which corner is touched next."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, colour=theme.NOTE, padding=(theme.PAD, theme.GAP)
        )
        self.bind(minimum_height=self.setter("height"))
        self.words = Text(pos_hint={"center_y": 0.5})
        self.take_back = _button(lambda: controller.do(GameTable.take_back_corner))
        self.leave = _button(lambda: controller.do(GameTable.leave_corners))
        for button in (self.take_back, self.leave):
            button.size_hint_x, button.width, button.pos_hint = None, dp(110), {"center_y": 0.5}
        for child in (self.words, self.take_back, self.leave):
            self.add_widget(child)

    def show(self, touched: int, words: Words) -> None:
        self.words.text = words(NEXT_CORNERS[touched], n=touched + 1, count=CORNERS)
        self.take_back.text = words("Take back")
        self.take_back.disabled = not touched
        self.leave.text = words("Leave it")


def _button(act: Callable[[], None]) -> Press:
    return Press(" ", act=act, size=theme.TEXT_SMALL)
