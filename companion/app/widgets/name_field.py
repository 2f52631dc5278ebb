"""A field for one line of text, and the keys on the screen that it brings up where there is no keyboard.

The keys are what Kivy calls a virtual keyboard: Kivy shows them with a field that is touched, and passes on
what they write. A real keyboard and the system's input method for Chinese go on writing into the field too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock, ClockEvent
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.behaviors import FocusBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.keyboards import KeyboardUse, needs_keys
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Press

LETTERS_MAX = 60

_use = KeyboardUse.AUTOMATIC


def use_keyboard(use: KeyboardUse) -> None:
    """Have fields that are touched from now on bring up keys on the screen as a person has set it."""
    global _use
    _use = use


class NameField(TextInput):
    """One line; `typed` is called with every change that the user makes, up to `letters` of it."""

    def __init__(self, typed: Callable[[str], None], letters: int = LETTERS_MAX) -> None:
        super().__init__(
            multiline=False, write_tab=False, font_size=theme.TEXT, size_hint_y=None, height=theme.TOUCH,
            padding=(theme.GAP, (theme.TOUCH - theme.TEXT * 1.5) / 2), background_normal="",
            background_active="", background_color=theme.FIELD, foreground_color=theme.FIELD_INK,
            cursor_color=theme.FIELD_INK,
        )  # fmt: skip
        self._typed = typed
        self._letters = letters
        self._showing = False
        self.known: tuple[str, ...] = ()
        """What the keys on the screen offer to be touched whole, as names of before."""
        self.take_known: Callable[[str], None] = typed
        self.bind(text=self._tell)

    def show(self, name: str) -> None:
        self._showing = True
        self.text = name
        self._showing = False

    def on_focus(self, _: object, is_focused: bool) -> None:
        """Called by Kivy before the field asks for a keyboard."""
        if is_focused:
            needs = needs_keys(_use)
            if needs != Window.allow_vkeyboard:
                Window.release_all_keyboards()
            Window.set_vkeyboard_class(ScreenKeyboard)
            Window.allow_vkeyboard = Window.docked_vkeyboard = needs

    def _tell(self, _: object, text: str) -> None:
        if len(text) > self._letters:
            self.text = text[: self._letters]  # what is one letter too many is seen not to be taken
        elif not self._showing:
            self._typed(text)


DIGITS = "1234567890"
LETTER_ROWS = (DIGITS, "qwertyuiop", "asdfghjkl", "zxcvbnm")
SIGN_ROWS = (DIGITS, "@#$¥€£%&*+", "-_/\\:;()=", "!?'\"~<>")
A_ROW = 10
"""Keys side by side."""
HEIGHT_SHARE = 0.6
"""Of the window's height, at most, for all rows: in a low window the field needs the rest."""
WIDTH_MAX = dp(1100)
KNOWN_WIDTH = dp(150)
REPEAT_AFTER_S, REPEAT_S = 0.5, 0.08
"""Backspace, held down, erases again."""


class Key(Press):
    """Writes as soon as it is touched, so that quick fingers lose nothing."""

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        super().__init__(text, size_hint_y=1, size=theme.TEXT_LARGE, **kwargs)

    def on_press(self) -> None:
        self._act()

    def on_release(self) -> None:
        """It has written already."""


class Backspace(Key):
    """Erases again while it is held down."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(icon="backspace", **kwargs)
        self._repeating: ClockEvent | None = None

    def on_press(self) -> None:
        super().on_press()
        self._repeating = Clock.schedule_once(self._repeat, REPEAT_AFTER_S)

    def on_release(self) -> None:
        if self._repeating is not None:
            self._repeating.cancel()

    def _repeat(self, _: float) -> None:
        self._act()
        self._repeating = Clock.schedule_once(self._repeat, REPEAT_S)


class ScreenKeyboard(BoxLayout):
    """Along the bottom of the window; the page moves up as far as the field needs it. Above the keys are the
    field's known names that begin with what is typed.

    Kivy makes one (`Window.set_vkeyboard_class`), sets `target`, the field, and `callback`, adds it to the
    window, calls `setup_mode`, and removes it when the field has no focus any more.
    """

    target: Any = ObjectProperty(None, allownone=True)
    callback: Any = ObjectProperty(None, allownone=True)
    docked = BooleanProperty(True)
    scale = 1.0
    __events__ = ("on_key_down", "on_key_up", "on_textinput")

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint=(1, None))
        with self.canvas.before:
            self._colour = Color()
            self._plate = Rectangle()
        self._keys: list[tuple[Key, str, str]] = []
        self._built: object = None
        self.known: list[Press] = []
        self._known_row = layout.row(spacing=theme.GAP / 2)
        self._is_capital = self._has_signs = False
        self._field: NameField | None = None
        self._around: list[Widget] = []
        self._make_room = Clock.create_trigger(self._move_page)  # in the next frame: laid out until then
        self._build_soon = Clock.create_trigger(self._build, -1)
        self.bind(pos=self._place, size=self._place, parent=self._leave)

    def setup_mode(self) -> None:
        """Called by Kivy when a field has asked for the keys."""
        self._let_go()
        field = self._field = self.target
        self._around = list(_list_parents(field))
        field.bind(pos=self._make_room, size=self._make_room, text=self._follow_text)
        for each in self._around:
            if isinstance(each, ScrollView):
                each.bind(scroll_y=self._make_room, size=self._make_room)
        Window.bind(size=self._build_soon)
        self._has_signs, self._is_capital = False, bool(field.known) and not field.text
        self._build()
        Clock.schedule_once(self._scroll_to_field, 0)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """A touch here, also one between two keys, neither ends the field's focus nor reaches the page."""
        if not self.collide_point(*touch.pos):
            return False
        FocusBehavior.ignored_touch.append(touch)
        super().on_touch_down(touch)
        return True

    def on_key_down(self, *_: object) -> None:
        """Kivy hears it."""

    def on_key_up(self, *_: object) -> None:
        """Kivy hears it."""

    def on_textinput(self, *_: object) -> None:
        """Kivy hears it."""

    @property
    def letters(self) -> dict[str, Key]:
        """The keys that write a letter, a digit or a sign, by what they write now."""
        return {key.text: key for key, *_ in self._keys}

    def _build(self, *_: object) -> None:
        """All keys, unless they are there in the colours and sizes of now."""
        if self._field is None:
            return
        built = Window.size, theme.BAR, theme.SCALE, bool(self._field.known)
        if built != self._built:
            self._built = built
            self._make_keys(has_known=bool(self._field.known))
        self._offer_known()
        self._label()
        self._make_room()

    def _make_keys(self, *, has_known: bool) -> None:
        self._colour.rgba = theme.BAR
        self.clear_widgets()
        self._known_row.clear_widgets()
        n_rows = len(LETTER_ROWS) + 1 + has_known
        gap = theme.GAP / 2
        high = min(Window.height * HEIGHT_SHARE / n_rows, theme.TOUCH + gap)
        self.spacing, self.padding = gap, (max(gap, (Window.width - WIDTH_MAX) / 2), gap)
        self.height = n_rows * high + gap
        self._keys = []
        if has_known:
            self.add_widget(self._known_row)
        rows = [self._make_row(*pair) for pair in zip(LETTER_ROWS, SIGN_ROWS, strict=True)]
        for row in rows[:-1]:
            self._add_row(row)
        self._shift_key, self._signs_key = Key(icon="up", act=self._shift), Key("#+=", act=self._turn)
        self._add_row([(self._shift_key, 1.5), *rows[-1], (Backspace(act=self._erase), 1.5)])
        self.done = Press(icon="check", act=self._finish, main=True, size_hint_y=1)
        comma, stop = (Key(each, act=partial(self._write, each)) for each in ",.")
        space = Key(" ", act=partial(self._write, " "))
        self._add_row([(self._signs_key, 1.5), (comma, 1.0), (space, 4.5), (stop, 1.0), (self.done, 2.0)])

    def _make_row(self, letters: str, signs: str) -> list[tuple[Widget, float]]:
        keys = [(Key(letter, act=partial(self._write_at, letter, sign)), letter, sign)
                for letter, sign in zip(letters, signs, strict=True)]  # fmt: skip
        self._keys += keys
        return [(key, 1.0) for key, *_ in keys]

    def _label(self) -> None:
        """What each key writes now."""
        for key, letter, sign in self._keys:
            key.text = self._choose(letter, sign)
        self._shift_key.chosen, self._shift_key.disabled = self._is_capital, self._has_signs
        self._signs_key.text = "ABC" if self._has_signs else "#+="

    def _choose(self, letter: str, sign: str) -> str:
        return sign if self._has_signs else letter.upper() if self._is_capital else letter

    def _add_row(self, keys: Sequence[tuple[Widget, float]]) -> None:
        """Keys side by side, each that many times as wide as a letter; a shorter row in the middle."""
        missing = (A_ROW - sum(width for _, width in keys)) / 2
        row = layout.row(spacing=theme.GAP / 2)
        for key, width in ((Widget(), missing), *keys, (Widget(), missing)):
            if width > 0:
                key.size_hint_x = width
                row.add_widget(key)
        self.add_widget(row)

    def _offer_known(self, *_: object) -> None:
        if self._field is None:
            return
        typed = self._field.text.casefold()
        names = self._field.known
        fitting = [name for name in names if name.casefold().startswith(typed)] if typed not in names else []
        offered = (fitting or names)[: max(1, int(Window.width // KNOWN_WIDTH))]
        if [press.text for press in self.known] != list(offered) or not self._known_row.children:
            self._known_row.clear_widgets()
            self.known = [Press(name, act=partial(self._take, name), size_hint_y=1) for name in offered]
            for press in self.known:
                self._known_row.add_widget(press)

    def _write_at(self, letter: str, sign: str) -> None:
        self._write(self._choose(letter, sign))

    def _write(self, text: str) -> None:
        self.dispatch("on_textinput", text)
        if self._is_capital:
            self._shift()

    def _erase(self) -> None:
        self._press_key("backspace")

    def _finish(self) -> None:
        self._press_key("enter")

    def _press_key(self, name: str) -> None:
        self.dispatch("on_key_down", name, None, [])
        self.dispatch("on_key_up", name, None, [])

    def _take(self, name: str) -> None:
        if self._field is not None:
            self._field.take_known(name)

    def _shift(self) -> None:
        self._is_capital = not self._is_capital
        self._label()

    def _turn(self) -> None:
        self._has_signs, self._is_capital = not self._has_signs, False
        self._label()

    def _follow_text(self, _: object, text: str) -> None:
        if self._field is not None and self._field.known and not text and not self._is_capital:
            self._shift()
        self._offer_known()

    def _scroll_to_field(self, _: float) -> None:
        """Have the lists around the field show it."""
        for each in self._around:
            if isinstance(each, ScrollView):
                each.scroll_to(self._field, padding=theme.GAP, animate=False)
        self._make_room()

    def _move_page(self, _: float) -> None:
        """The page as far up as the field needs it to be above the keys."""
        field = self._field
        if self.parent is None or field is None or field.get_parent_window() is None:
            return
        page = self._around[-1]
        below = field.to_window(*field.pos)[1] - page.y
        page.y = max(0.0, self.height + theme.GAP - below)

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size
        self._make_room()

    def _leave(self, _: object, parent: object) -> None:
        if parent is None:
            self._let_go()

    def _let_go(self) -> None:
        """Of the field and its page, which goes down again."""
        if self._field is not None:
            self._field.unbind(pos=self._make_room, size=self._make_room, text=self._follow_text)
            Window.unbind(size=self._build_soon)
        for each in self._around:
            if isinstance(each, ScrollView):
                each.unbind(scroll_y=self._make_room, size=self._make_room)
        if self._around:
            self._around[-1].y = 0
        self._field, self._around = None, []


def _list_parents(widget: Widget) -> Iterator[Widget]:
    """All that it is in, the one that stands in the window itself last."""
    while isinstance(widget.parent, Widget):
        widget = widget.parent
        yield widget
