"""Putting an event right: touch what it was, or take it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller
from companion.app.game.followed import Entry
from companion.app.game.state import GameTable
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Text
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.tile_strip import Group, TileStrip
from companion.table.events import FlowerSetOut, Won
from companion.table.state import State
from companion.tiles import Suit, Tile, parse_tiles
from companion.words import Words

WON_TILE = theme.TILE_WIDTH_MAX


class FixSheet(Card):
    """The event, the hand of a win, a keyboard where it was about one tile, and what else it may have been:
    nothing at all."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__()
        self._controller = controller
        self.words = Text()
        self._room = Column()
        self.keyboard: Keyboard | None = None
        self._built: object = None
        self.take_out = Press(" ", act=self._take_out, size=theme.TEXT_SMALL)
        self.keep = Press(" ", act=self._keep, size=theme.TEXT_SMALL)
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.back = Press(
            " ", act=lambda: controller.do(lambda state: state.select(None)), size=theme.TEXT_SMALL
        )
        self.other = Press(" ", act=self._name_hand, size=theme.TEXT_SMALL)
        self._row = row
        for child in (self.words, self._room, row):
            self.add_widget(child)
        self._entry: Entry | None = None
        self._state: State | None = None
        self._room.bind(size=lambda *_: self._build())

    def show(self, entry: Entry, state: State, words: Words) -> None:
        self._entry, self._state = entry, state
        said = words.say(entry.said)
        question = words("What was it?") if entry.may_be_named else ""
        self.words.text = words("{act}. {said}", act=said, said=question)
        self.other.text = words("Other tiles")
        offered = [
            self.take_out,
            self.keep,
            *([self.other] if isinstance(entry.event, Won) else []),
            self.back,
        ]
        if self._row.children[::-1] != offered:
            self._row.clear_widgets()
            for button in offered:
                self._row.add_widget(button)
        self.take_out.text, self.keep.text = words("It did not happen"), words("It is right")
        self.back.text = words("Back")
        self._build()

    def _build(self) -> None:
        entry, state = self._entry, self._state
        if entry is None or state is None:
            return
        kinds = _list_kinds(entry, state)
        built = (tuple(kinds), tuple(self._room.size), entry.tile, entry.event)
        if built == self._built:
            return
        self._built = built
        self._room.inside.clear_widgets()
        self.keyboard = None
        if kinds:
            room = self._room.width, max(self._room.height, 1)
            self.keyboard = Keyboard(kinds, room, self._press)
            if entry.tile in self.keyboard.keys:
                self.keyboard.keys[entry.tile].mark(ring=theme.GOLD)
            self._room.inside.add_widget(self.keyboard)
        elif isinstance(entry.event, Won) and entry.event.hand:
            self._room.inside.add_widget(TileStrip(group_hand(entry.event), tile_width=WON_TILE))
        else:
            self._room.inside.add_widget(Widget())

    def _press(self, code: str) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.name_tile(number, code))

    def _keep(self) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.confirm(number))

    def _name_hand(self) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.name_hand(number))

    def _take_out(self) -> None:
        if self._entry:
            number = self._entry.number
            self._controller.do(lambda state: state.take_out(number))


def group_hand(won: Won) -> list[Group]:
    """The tiles of the winner's hand as they were read, and the concealed kongs."""
    groups = [won.hand or "", *(kong[1:] for kong in won.kongs)]
    return [[(tile.code, False) for tile in parse_tiles(group)] for group in groups]


def ring_differing(won: Won, hands: Sequence[Won]) -> list[Group]:
    """The tiles of the hand, ringed those that not all of these hands have."""
    counts = [Counter(code for group in group_hand(each) for code, _ in group) for each in hands]
    left = {code: min(count[code] for count in counts) for code in counts[0]}
    groups: list[Group] = []
    for group in group_hand(won):
        marked = []
        for code, _ in group:
            left[code] = left.get(code, 0) - 1
            marked.append((code, left[code] < 0))
        groups.append(marked)
    return groups


def _list_kinds(entry: Entry, state: State) -> list[Tile]:
    """The tiles that the event may have been about."""
    if not entry.may_be_named:
        return []
    flowers = isinstance(entry.event, FlowerSetOut)
    kinds = state.house.wall.tile_set.kinds
    return [kind for kind in kinds if (kind.suit is Suit.FLOWERS) == flowers]
