"""Fields to be set with a finger: numbers, a list to pick from, a keyboard of tiles, a currency."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any

from kivy.core.window import Window
from kivy.graphics import Color, SmoothLine, SmoothRoundedRectangle
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.dropdown import DropDown
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Overlay, Press, Tag, TouchScroll
from companion.app.widgets.game_words import COINS, POINTS, SYMBOLS
from companion.app.widgets.name_field import NameField
from companion.app.widgets.tiles import TileKey
from companion.money import SYMBOL_LENGTH_MAX, Currency
from companion.sentences import write_number
from companion.tiles import Suit, Tile
from companion.words import Words

DIGITS_MAX = 7
KEYPAD_WIDTH = dp(320)
KEY_HEIGHT = dp(56)
DIGIT_KEYS = {ord(digit): digit for digit in "0123456789"} | {256 + digit: str(digit) for digit in range(10)}
"""The digits of a real keyboard and of its number block, by the codes that Kivy has for keys."""
ENTER_KEYS, BACKSPACE_KEY = (13, 271), 8


class Stepper(BoxLayout):
    """A number with a button to either side."""

    def __init__(self, step: Callable[[int], None], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2, **kwargs)
        self.less = Press(icon="minus", act=lambda: step(-1), size_hint_x=None, width=theme.TOUCH)
        self.more = Press(icon="plus", act=lambda: step(1), size_hint_x=None, width=theme.TOUCH)
        self.number = Tag(align="center", size=theme.TEXT_LARGE)
        for child in (self.less, self.number, self.more):
            self.add_widget(child)

    def show(self, number: object) -> None:
        self.number.text = str(number)


class NumberField(Press):
    """A number, or a word for there being none; touched, it opens a keypad."""

    def __init__(self, choose: Callable[[int | None], None], **kwargs: Any) -> None:
        super().__init__(" ", act=self._open, size=theme.TEXT, **kwargs)
        self._choose = choose
        self._title = self._no_key = ""
        self._language: Words | None = None
        self.keypad: Keypad | None = None

    def show(
        self, number: int | None, words: Words, *, title: str, none: str, no_key: str | None = None
    ) -> None:
        """`none` is the word for no number; where it is empty, there always is one. no_key: the word of the
        key that says so, by default the same; where it is empty, there is no such key."""
        self._language, self._title = words, title
        self._no_key = none if no_key is None else no_key
        self.text = none if number is None else write_number(number)

    def _open(self) -> None:
        if self._language:
            self.keypad = Keypad(self._title, self._no_key, self._language, self._choose)
            self.keypad.open()


class Keypad(Overlay):
    """Ten digits, over everything else; a touch next to it leaves the number as it is. A real keyboard's
    digits, Backspace and Enter do the same."""

    def __init__(self, title: str, none: str, words: Words, choose: Callable[[int | None], None]) -> None:
        super().__init__(size=(KEYPAD_WIDTH, dp(400)))
        self._choose = choose
        self._typed = ""
        self.shown = Tag("–", size=theme.TEXT_HUGE, colour=theme.GOLD, align="center")
        card = Card(colour=theme.PANEL_RAISED)
        heading = Tag(title, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, align="center")
        heading.size_hint_y, heading.height = None, dp(24)
        card.add_widget(heading)
        card.add_widget(self.shown)
        grid = layout.grid(
            3, height=4 * KEY_HEIGHT + 3 * theme.GAP, row_force_default=True, row_default_height=KEY_HEIGHT
        )
        self.keys: dict[str, Press] = {}
        for key in "123456789":
            self._add(grid, key, lambda key=key: self._type(key))  # type: ignore[misc]
        self._add(grid, none or words("Clear"), lambda: self._done(None) if none else self._show_typed(""))
        self._add(grid, "0", lambda: self._type("0"))
        self._add(grid, words("Done"), self._take, main=True)
        card.add_widget(grid)
        self.add_widget(card)

    def on_pre_open(self) -> None:
        Window.bind(on_keyboard=self._on_key)

    def on_pre_dismiss(self) -> None:
        Window.unbind(on_keyboard=self._on_key)

    def _on_key(self, _: object, key: int, *__: object) -> bool:
        if key in DIGIT_KEYS:
            self._type(DIGIT_KEYS[key])
        elif key == BACKSPACE_KEY:
            self._show_typed(self._typed[:-1])
        elif key in ENTER_KEYS:
            self._take()
        else:
            return False
        return True

    def _add(self, grid: GridLayout, key: str, act: Callable[[], None], *, main: bool = False) -> None:
        size = theme.TEXT_LARGE if len(key) == 1 else theme.TEXT_SMALL
        self.keys[key] = Press(key, act=act, main=main, size=size)
        self.keys[key].height = KEY_HEIGHT
        grid.add_widget(self.keys[key])

    def _type(self, digit: str) -> None:
        self._show_typed((self._typed + digit)[:DIGITS_MAX].lstrip("0") or "0")

    def _show_typed(self, typed: str) -> None:
        self._typed = typed
        self.shown.text = write_number(int(typed)) if typed else "–"

    def _take(self) -> None:
        if self._typed:
            self._done(int(self._typed))
        else:
            self.dismiss()

    def _done(self, number: int | None) -> None:
        self.dismiss()
        self._choose(number)


class TouchList(TouchScroll, DropDown):
    """A panel with a list that reacts to a touch immediately, and closes with it: an open one would receive
    the next touch."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_state_time=0, bar_width=0, **kwargs)
        self.container.spacing = self.container.padding = theme.GAP / 2
        with self.container.canvas.before:
            Color(*theme.BAR)
            self.plate = SmoothRoundedRectangle(radius=[theme.RADIUS])
        with self.container.canvas.after:
            Color(*theme.GOLD)
            self._edge = SmoothLine(width=theme.HAIRLINE)
        self.container.bind(pos=self._place, size=self._place)

    def _place(self, container: Any, _: object) -> None:
        self.plate.pos, self.plate.size = container.pos, container.size
        self._edge.rounded_rectangle = (*container.pos, *container.size, theme.RADIUS)


class Pick(Press):
    """Shows the choice; touched, it offers all values, with the choice marked."""

    def __init__(self, choose: Callable[[str], None], **kwargs: Any) -> None:
        super().__init__(" ", icon="down", act=self._open, size=theme.TEXT_SMALL, **kwargs)
        self._choose = choose
        self._options: list[tuple[str, str]] = []
        self._chosen_key: str | None = None
        self.list = TouchList()

    def offer(self, options: Sequence[tuple[str, str]], chosen: str | None) -> None:
        self._options, self._chosen_key = list(options), chosen
        self.text = dict(options).get(chosen or "", "–")
        self.disabled = not options

    def _open(self) -> None:
        self.list.clear_widgets()
        for key, words in self._options:
            press = Press(words, act=partial(self._pick, key), size=theme.TEXT_SMALL)
            press.chosen = key == self._chosen_key
            self.list.add_widget(press)
        self.list.open(self)

    def _pick(self, key: str) -> None:
        self.list.dismiss()
        self._choose(key)


MADE_S = "made_s"
"""Of a touch, in `ud`: the earliest and the latest moment at which it can have been made. Kivy knows when it
read one, which on a slow machine is two frames later."""
NEVER = -inf, -inf
LEFT_S = "left_s"
"""Of a touch that has ended, in `ud`: the earliest moment at which that can have been."""
DOUBLE_S = 0.25
"""Two touches of a double touch are made within this time."""
HOLD_S = 0.4
"""A touch that lasts so long is a hold."""


def _is_hold(touch: MotionEvent) -> bool:
    """Whether the touch cannot have been shorter than a hold."""
    _, made_s = touch.ud.get(MADE_S, (inf, inf))
    return bool(touch.ud.get(LEFT_S, NEVER[0]) - made_s >= HOLD_S)


def _follows(touch: MotionEvent, last_s: float) -> bool:
    """Whether the touch can have been made that soon after another one of that moment."""
    earliest_s, _ = touch.ud.get(MADE_S, (inf, inf))
    return bool(earliest_s - last_s <= DOUBLE_S)


KEY_WIDTH_MAX = dp(64)
KEY_WIDTH_MIN = theme.TILE_WIDTH_MIN
COUNT_LINE, COUNT_COLUMN = 1.5, 0.8
"""Height of a line and width of a column for a number, in sizes of its letters."""
COUNTED_WIDTH_MIN = dp(33)
"""Of a tile with its number to its right: all rows have room on a screen of 480 px, where what is free below
the tile belongs to its key."""


class Keyboard(BoxLayout):
    """`press` is called with the code of a touched key. `room`: width and height that there are. `counted`:
    whether it will be said how many of each kind are left: below the tiles, or beside them in a low room.
    `drag`: called with the codes of the keys on which a drag along a row began and ended. `fill`: called with
    the code of a key that is held, or touched twice quickly, and how many presses that is without it."""

    def __init__(
        self,
        kinds: Iterable[Tile],
        room: tuple[float, float],
        press: Callable[[str], None],
        *,
        counted: bool = False,
        drag: Callable[[str, str], None] | None = None,
        fill: Callable[[str, int], None] | None = None,
    ) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"))
        self._drag, self._fill = drag, fill
        self._last: tuple[str, float] | None = None
        self.keys: dict[str, TileKey] = {}
        kinds = tuple(kinds)
        rows = [row for suit in Suit if (row := [kind for kind in kinds if kind.suit is suit])]
        wide = room[0] / max(len(row) for row in rows) - theme.GAP / 2
        high = room[1] / len(rows) - theme.GAP / 2
        count_high = theme.TEXT_TINY * COUNT_LINE
        below = count_high if counted and (high - count_high) * theme.TILE_ASPECT >= KEY_WIDTH_MIN else 0.0
        beside = theme.TEXT_TINY * COUNT_COLUMN if counted and not below else 0.0
        least = COUNTED_WIDTH_MIN if beside else KEY_WIDTH_MIN
        fitting = min(wide - beside, (high - below) * theme.TILE_ASPECT)
        width = min(max(fitting, least), KEY_WIDTH_MAX)
        if beside:
            below, self.spacing = theme.GAP / 2, 0
        height = width / theme.TILE_ASPECT + below
        for row in rows:
            line = layout.row(Widget(), height=height, spacing=theme.GAP / 2)
            for kind in row:
                self.keys[kind.code] = TileKey(
                    kind.code, width=width, act=partial(press, kind.code), below=below, beside=beside
                )
                line.add_widget(self.keys[kind.code])
            line.add_widget(Widget())
            self.add_widget(line)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        begun = self._find_key(touch.opos) if self._drag else None
        if begun is None:
            return bool(super().on_touch_down(touch))
        touch.ud[self] = begun.code
        touch.grab(self)
        moved = begun is not self._find_key(touch.pos)  # a list that may scroll passes a touch on late
        return moved or bool(super().on_touch_down(touch))

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        begun, ended = touch.ud[self], self._find_key(touch.pos)
        if ended is None or self._drag is None or self._fill is None:
            return True
        last, self._last = self._last, None
        if ended.code != begun:
            self._drag(begun, ended.code)
        elif _is_hold(touch):
            self._fill(begun, 1)
        elif last is not None and last[0] == begun and _follows(touch, last[1]):
            self._fill(begun, 2)
        else:
            self._last = ended.code, touch.ud.get(MADE_S, NEVER)[1]
        return True

    def _find_key(self, place: tuple[float, float]) -> TileKey | None:
        return next((key for key in self.keys.values() if key.collide_point(*place)), None)

    def show_left(
        self, left: Mapping[str, int], unseen: Mapping[str, int], likely: Container[str] = ()
    ) -> None:
        """Show how many of each kind nobody has seen, where some of the four are gone. left: how many can be
        chosen, for what was recorded may be wrong; a key without any is disabled. likely: the kinds to ring.
        """
        for code, key in self.keys.items():
            count = unseen.get(code, 0)
            key.disabled = left.get(code, 0) <= 0
            some = count < 4 and not key.disabled and Tile.parse(code).suit is not Suit.FLOWERS
            ring = theme.SURE if code in likely else None
            key.mark(ring=ring, note=str(count) if some else "", faded=count <= 0)


VALUE_LENGTH_MAX = 12
FIELD_WIDTH = dp(110)

Choose = Callable[[str], None]


class CurrencyRows:
    """A row for each part of a currency; a page puts them where it wants them."""

    def __init__(self, symbol: Choose, point: Choose, coin: Choose) -> None:
        self.symbol = ValueRow(SYMBOLS, symbol, SYMBOL_LENGTH_MAX)
        self.point = ValueRow(POINTS, point, VALUE_LENGTH_MAX)
        self.coin = ValueRow(COINS, coin, VALUE_LENGTH_MAX)

    def show(self, currency: Currency | None, words: Words, none: str = "") -> None:
        """currency None: no symbol is chosen. none: the words of a choice for that, whose key is ""; without
        them it is not offered."""
        self.symbol.show(currency.symbol if currency else "", words, none)
        if currency is not None:
            self.point.show(currency.point, words)
            self.coin.show(currency.coin, words)


class ValueRow(BoxLayout):
    """The common values as buttons, and a field for any other. What is typed counts once it is more than
    zeros, with which 0.5 begins."""

    def __init__(self, values: Sequence[str], choose: Choose, letters: int) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self._values = values
        self._choose = choose
        self.choices = Choices(self._pick)
        self.choices.bind(height=self.setter("height"))
        self.field = NameField(lambda text: choose(text) if text.strip("0. ") else None, letters)
        self.field.size_hint_x, self.field.width = None, FIELD_WIDTH
        self.field.pos_hint = {"top": 1}
        self.add_widget(self.choices)
        self.add_widget(self.field)

    def _pick(self, value: str) -> None:
        """A button: what was typed no longer counts."""
        self.field.focus = False
        self.field.show("")
        self._choose(value)

    def show(self, value: str, words: Words, none: str = "") -> None:
        """none: the words of a first choice, "", if there is one."""
        options = [*([("", none)] if none else []), *((words(each), words(each)) for each in self._values)]
        self.choices.offer(options, value)
        self.field.hint_text = words("other")
        typed = "" if any(value == key for key, _ in options) else value
        if self.field.text != typed and not self.field.focus:
            self.field.show(typed)
