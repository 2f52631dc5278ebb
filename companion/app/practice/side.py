"""Beside a practice table: what is asked, what can be done by one touch, what happened, the pace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.practice import wording
from companion.app.practice.state import Practice
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Text, adopt
from companion.app.widgets.last_hand import LastHand
from companion.app.widgets.tile_keys import MeldKey
from companion.live.practice_hand import PersonMoves, Stage
from companion.table.events import Event
from companion.words import Words

MELD_HEIGHT, MELD_HEIGHT_LOW = 2.0, 1.6
"""Of a key with the tiles of a meld, in heights of what is touched."""
LARGE_HEIGHT, PASS_HEIGHT = 1.5, 1.2
LEAST_LINES = 1.8
"""Where there is less room than for so many lines, nothing is told."""


class StatusCard(Card):
    """What the table waits for; gold where that is the person."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, padding=(theme.PAD, theme.GAP))
        self.words = Text(size=theme.TEXT_LARGE)
        self.add_widget(self.words)
        self.bind(minimum_height=self.setter("height"))

    def measure(self, width: float) -> float:
        """The height that its words need in that width, px."""
        self.words.width = width - 2 * theme.PAD
        self.words.texture_update()
        return float(self.words.texture_size[1] + 2 * theme.GAP)

    def show(self, said: str, *, calls: bool) -> None:
        """calls: whether the person is asked."""
        self.words.text = said
        self.paint(theme.GOLD if calls else theme.PANEL)
        self.words.color = theme.INK if calls else theme.IVORY


class ActionsPane(BoxLayout):
    """What the person may do but discard: a key or button each."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP)
        do = self._do = controller.do
        self.mahjong = _large(lambda: do(Practice.call_win))
        self.pass_up = Press(" ", act=lambda: do(Practice.pass_up), size=theme.TEXT_LARGE)
        self.next = _large(lambda: do(Practice.begin_hand))
        self.another = _large(lambda: do(Practice.choose))
        self.ready = Press(" ", act=lambda: self._play(self._asked.ready if self._asked else None))
        self.leave = Press(" ", act=lambda: self._play(self._asked.leave if self._asked else None))
        self.keys: dict[Event, MeldKey] = {}
        self._heights = {self.mahjong: LARGE_HEIGHT, self.next: LARGE_HEIGHT, self.another: LARGE_HEIGHT}
        self._heights[self.pass_up] = PASS_HEIGHT
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH * PASS_HEIGHT, spacing=theme.GAP)
        self._meld_row = BoxLayout(size_hint_y=None, spacing=theme.GAP)
        self._buttons: list[Press] = []
        self._asked: PersonMoves | None = None
        self._shown: object = None
        self._placed: bool | None = None

    def show(self, state: Practice, words: Words) -> None:
        table = state.table
        stage = None if table is None or state.waits else table.stage
        is_first = table is not None and not table.progress.state.hands
        shown = state.asked, stage, is_first, words
        if shown == self._shown:
            return
        self._shown = shown
        self._asked = asked = state.asked
        self._name_buttons(stage, asked, words, is_first=is_first)
        self._buttons = []
        if stage in (Stage.BETWEEN, Stage.HALTED):
            self._buttons.append(self.next)
        if stage is Stage.OVER:
            self._buttons.append(self.another)
        if asked is not None:
            offers = ((self.mahjong, asked.wins), (self.ready, asked.ready), (self.leave, asked.leave))
            self._buttons += [button for button, is_offered in offers if is_offered]
            self._buttons += [self.pass_up] if asked.passes else []
        self._make_keys(asked, words)
        self._placed = None

    def arrange(self, *, low: bool) -> float:
        """Lay the buttons out, in a low window side by side; the height that they take, px."""
        if low != self._placed:
            self._placed = low
            self.clear_widgets()
            self._row.clear_widgets()
            keys = [self._meld_row] if self.keys else []
            self._meld_row.height = theme.TOUCH * (MELD_HEIGHT_LOW if low else MELD_HEIGHT)
            if low and self._buttons:
                for button in self._buttons:
                    adopt(self._row, button)
                    button.height = self._row.height
                parts = [self._row, *keys]
            else:
                for button in self._buttons:
                    button.height = theme.TOUCH * self._heights.get(button, 1.0)
                last = [self.pass_up] if self.pass_up in self._buttons else []
                first = [button for button in self._buttons if button is not self.pass_up]
                parts = [*first, *keys, *last]
            for part in parts:
                adopt(self, part)
            self.height = sum(part.height for part in parts) + theme.GAP * max(0, len(parts) - 1)
        return float(self.height)

    def _name_buttons(
        self, stage: Stage | None, asked: PersonMoves | None, words: Words, *, is_first: bool
    ) -> None:
        self.mahjong.text = words("Mahjong!")
        self.ready.text, self.leave.text = words("Call ready"), words("Leave the last tile")
        self.another.text = words("Another practice game")
        begins = words("Throw the dice") if is_first else words("Next hand")
        self.next.text = words("Go on") if stage is Stage.HALTED else begins
        takes_last = asked is not None and asked.leave is not None and not asked.claims and not asked.wins
        self.pass_up.text = words("Draw it") if takes_last else words("No, go on")

    def _make_keys(self, asked: PersonMoves | None, words: Words) -> None:
        """Of the melds that can be laid."""
        self.keys = {}
        self._meld_row.clear_widgets()
        offers: list[tuple[Event, tuple[str, list[str]]]] = []
        if asked is not None:
            offers += [(event, wording.name_claim(event, words)) for event in asked.claims]
            offers += [(event, wording.name_kong(event, words)) for event in asked.kongs]
        for event, (said, codes) in offers:
            self.keys[event] = MeldKey(said, codes, partial(self._play, event))
            self._meld_row.add_widget(self.keys[event])

    def _play(self, event: Event | None) -> None:
        if event is not None:
            self._do(lambda state: state.play(event))


class ToldPane(Column):
    """What happened, the latest last; after a hand how it ended and what it paid."""

    def __init__(self) -> None:
        super().__init__(spacing=theme.GAP / 2)
        self.last = LastHand()
        self._shown: object = None
        self.bind(height=self._hide_where_low)

    def show(self, state: Practice, words: Words) -> None:
        table = state.table
        shown = state.told, table and table.stage, table and table.progress.state.hands, words, self.height
        if shown == self._shown:
            return
        self._shown = shown
        inside = self.inside
        inside.clear_widgets()
        game = state.game
        if game is not None and not game.playing and game.hand is not None:
            self.last.show(game, words, has_room=True, explains=True)
            inside.add_widget(self.last)
            return
        for at, said in enumerate(reversed(state.told)):
            latest = at == 0
            inside.add_widget(
                Text(
                    words.say(said),
                    size=theme.TEXT_LARGE if latest else theme.TEXT,
                    colour=theme.IVORY if latest else theme.IVORY_DIM,
                )
            )

    def _hide_where_low(self, *_: object) -> None:
        self.opacity = 1 if self.height >= theme.TEXT * LEAST_LINES else 0


class PaceRow(BoxLayout):
    """Undo, how fast the others play, the score sheet."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        do = controller.do
        self.undo = _small(lambda: do(Practice.take_back))
        self.pause = _small(lambda: do(Practice.toggle_pause))
        self.quick = _small(lambda: do(Practice.toggle_quick))
        self.skip = _small(lambda: do(Practice.skip))
        self.sheet = _small(lambda: do(Practice.show_sheet))
        for button in (self.undo, self.pause, self.quick, self.skip, self.sheet):
            self.add_widget(button)

    def show(self, view: View[Practice]) -> None:
        state, words = view.state, view.words
        table = state.table
        self.undo.text, self.sheet.text = words("Undo"), words("Score sheet")
        self.pause.text = words("Go on") if state.paused else words("Pause")
        self.quick.text, self.skip.text = words("Faster"), words("To my turn")
        self.pause.chosen, self.quick.chosen = state.paused, state.quick
        self.undo.disabled = table is None or len(table.progress.events) < 2
        self.skip.disabled = table is None or table.stage is not Stage.PLAYING


def _large(act: Callable[[], None]) -> Press:
    return Press(" ", act=act, main=True, size=theme.TEXT_HUGE)


def _small(act: Callable[[], None]) -> Press:
    press = Press(" ", act=act, size=theme.TEXT_SMALL)
    press.padding = (theme.GAP / 4, 0)
    return press
