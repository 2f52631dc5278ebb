"""The building blocks of every pane: text and its line breaks, cards, buttons, choices, scrolling,
icons as strokes, and layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import islice
from math import cos, pi, sin
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.effects.scroll import ScrollEffect
from kivy.graphics import Color, SmoothLine, SmoothRoundedRectangle
from kivy.input.motionevent import MotionEvent
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.modalview import ModalView
from kivy.uix.scrollview import ScrollView
from kivy.uix.stencilview import StencilView
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.line_breaks import cut

Stroke = tuple[float, ...]
SIZE = theme.TOUCH * 0.42
STROKE_WIDTH = theme.HAIRLINE * 1.3


def _arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 24) -> Stroke:
    """Points of an arc, angles in parts of a full turn, counterclockwise from the right."""
    angles = [2 * pi * (start + (end - start) * i / steps) for i in range(steps + 1)]
    return tuple(value for angle in angles for value in (x + radius * cos(angle), y + radius * sin(angle)))


ICONS: dict[str, tuple[Stroke, ...]] = {
    "picture": (
        (0.05, 0.15, 0.95, 0.15, 0.95, 0.85, 0.05, 0.85, 0.05, 0.15),
        (0.05, 0.3, 0.33, 0.58, 0.55, 0.36, 0.7, 0.5, 0.95, 0.27),
        _arc(0.7, 0.68, 0.07, 0, 1),
    ),
    "sheet": (
        (0.18, 0.05, 0.82, 0.05, 0.82, 0.95, 0.18, 0.95, 0.18, 0.05), (0.34, 0.72, 0.66, 0.72),
        (0.34, 0.5, 0.66, 0.5), (0.34, 0.28, 0.66, 0.28),
    ),
    "film": (
        (0.05, 0.15, 0.95, 0.15, 0.95, 0.85, 0.05, 0.85, 0.05, 0.15),
        (0.4, 0.32, 0.4, 0.68, 0.68, 0.5, 0.4, 0.32),
    ),
    "camera": (
        (0.05, 0.15, 0.95, 0.15, 0.95, 0.72, 0.7, 0.72, 0.62, 0.87, 0.38, 0.87, 0.3, 0.72, 0.05, 0.72,
         0.05, 0.15),
        _arc(0.5, 0.43, 0.18, 0, 1),
    ),
    "tile": (
        (0.22, 0.05, 0.78, 0.05, 0.78, 0.95, 0.22, 0.95, 0.22, 0.05), _arc(0.5, 0.66, 0.13, 0, 1),
        _arc(0.5, 0.34, 0.13, 0, 1),
    ),
    "undo": (
        (0.3, 0.9, 0.08, 0.66, 0.3, 0.42), (0.08, 0.66, 0.6, 0.66), _arc(0.6, 0.4, 0.26, 0.25, -0.25),
        (0.6, 0.14, 0.3, 0.14),
    ),
    "close": ((0.18, 0.18, 0.82, 0.82), (0.18, 0.82, 0.82, 0.18)),
    "plus": ((0.5, 0.12, 0.5, 0.88), (0.12, 0.5, 0.88, 0.5)),
    "minus": ((0.12, 0.5, 0.88, 0.5),),
    "up": ((0.2, 0.55, 0.5, 0.85, 0.8, 0.55), (0.5, 0.85, 0.5, 0.12)),
    "fold": ((0.2, 0.35, 0.5, 0.62, 0.8, 0.35),),
    "down": ((0.2, 0.62, 0.5, 0.35, 0.8, 0.62),),
    "folder": ((0.05, 0.15, 0.95, 0.15, 0.95, 0.72, 0.48, 0.72, 0.38, 0.85, 0.05, 0.85, 0.05, 0.15),),
    "settings": (
        (0.05, 0.75, 0.5, 0.75), _arc(0.6, 0.75, 0.1, 0, 1), (0.7, 0.75, 0.95, 0.75),
        (0.05, 0.25, 0.25, 0.25), _arc(0.35, 0.25, 0.1, 0, 1), (0.45, 0.25, 0.95, 0.25),
    ),
    "again": (_arc(0.5, 0.5, 0.36, 0.1, 0.9), (0.98, 0.6, 0.79, 0.72, 0.68, 0.5)),
    "dice": (
        (0.12, 0.12, 0.88, 0.12, 0.88, 0.88, 0.12, 0.88, 0.12, 0.12), _arc(0.32, 0.68, 0.06, 0, 1),
        _arc(0.5, 0.5, 0.06, 0, 1), _arc(0.68, 0.32, 0.06, 0, 1),
    ),
    "follow": (
        (0.12, 0.12, 0.88, 0.12, 0.88, 0.88, 0.12, 0.88, 0.12, 0.12),
        (0.36, 0.28, 0.64, 0.28), (0.36, 0.72, 0.64, 0.72), (0.28, 0.36, 0.28, 0.64),
        (0.72, 0.36, 0.72, 0.64),
    ),
    "phone": (
        (0.26, 0.04, 0.74, 0.04, 0.74, 0.96, 0.26, 0.96, 0.26, 0.04), (0.44, 0.16, 0.56, 0.16),
        (0.42, 0.86, 0.58, 0.86),
    ),
    "menu": ((0.12, 0.22, 0.88, 0.22), (0.12, 0.5, 0.88, 0.5), (0.12, 0.78, 0.88, 0.78)),
    "help": (
        _arc(0.5, 0.66, 0.22, 0.45, -0.2), (0.55, 0.44, 0.5, 0.4, 0.5, 0.26), _arc(0.5, 0.1, 0.03, 0, 1, 8),
    ),
    "home": ((0.05, 0.5, 0.5, 0.92, 0.95, 0.5), (0.18, 0.45, 0.18, 0.1, 0.82, 0.1, 0.82, 0.45)),
    "coach": (
        (0.08, 0.35, 0.08, 0.9, 0.92, 0.9, 0.92, 0.35, 0.5, 0.35, 0.28, 0.1, 0.28, 0.35, 0.08, 0.35),
        (0.25, 0.72, 0.75, 0.72), (0.25, 0.53, 0.58, 0.53),
    ),
    "sound": (
        (0.06, 0.36, 0.26, 0.36, 0.5, 0.12, 0.5, 0.88, 0.26, 0.64, 0.06, 0.64, 0.06, 0.36),
        _arc(0.5, 0.5, 0.22, -0.14, 0.14), _arc(0.5, 0.5, 0.42, -0.14, 0.14),
    ),
    "mute": (
        (0.06, 0.36, 0.26, 0.36, 0.5, 0.12, 0.5, 0.88, 0.26, 0.64, 0.06, 0.64, 0.06, 0.36),
        (0.64, 0.34, 0.96, 0.66), (0.64, 0.66, 0.96, 0.34),
    ),
    "backspace": (
        (0.02, 0.5, 0.3, 0.85, 0.98, 0.85, 0.98, 0.15, 0.3, 0.15, 0.02, 0.5),
        (0.45, 0.35, 0.78, 0.65), (0.45, 0.65, 0.78, 0.35),
    ),
    "power": (_arc(0.5, 0.44, 0.36, 0.37, 1.13), (0.5, 0.94, 0.5, 0.5)),
    "check": ((0.12, 0.5, 0.4, 0.2, 0.9, 0.82),),
}  # fmt: skip


class Icon(Widget):
    """One of ICONS, in the middle of its place."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), size=(SIZE, SIZE), **kwargs)
        self._strokes = ICONS[name]
        with self.canvas:
            self._colour = Color(*theme.IVORY)
            self._lines = [SmoothLine(width=STROKE_WIDTH, cap="round", joint="round") for _ in self._strokes]
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def paint(self, colour: theme.Colour) -> None:
        self._colour.rgba = colour

    def _draw(self, *_: object) -> None:
        for line, stroke in zip(self._lines, self._strokes, strict=True):
            points: list[float] = []
            for x, y in zip(stroke[::2], stroke[1::2], strict=True):
                points += (self.x + x * self.width, self.y + y * self.height)
            line.points = points


class TouchScroll(ScrollView):
    """A ScrollView whose touches are answered in the order in which fingers are lifted.

    It ends where its content ends. Kivy keeps how far a swipe went beyond the end as a part of the content's
    length: in a list that was being filled, that grew with it, and the content stayed out of sight.
    """

    effect_cls = ScrollEffect

    def on_scroll_stop(self, touch: MotionEvent, check_children: bool = True) -> Any:
        own = touch.ud.get(self._get_uid()) if self._touch is touch else None
        handled = super().on_scroll_stop(touch, check_children)
        if own and own["mode"] == "unknown" and not touch.ud.get(self._get_uid("answered")):
            touch.ud[self._get_uid("answered")] = True
            self._end_touch(touch)
        return handled

    def _do_touch_up(self, touch: MotionEvent, *_: object) -> None:
        """What Kivy would do 0.2 s later has been done."""

    def _end_touch(self, touch: MotionEvent) -> None:
        """The touch, in the parent's coordinates, ends on the widgets there and on those that grabbed it."""
        holder = touch.grab_current
        grabbed = [held for reference in touch.grab_list if (held := reference()) and held is not self]
        for held in (None, *grabbed):
            touch.grab_current = held
            touch.push()
            touch.apply_transform_2d(self.to_local)
            StencilView.on_touch_up(self, touch)
            touch.pop()
            if held is not None:
                touch.ungrab(held)
        touch.grab_current = holder


LEAST_SHARE = 0.9
TWO_LINES, LINE_SHARE = 2.6, 0.85
"""The height of two lines, in sizes of their letters; how full they may be to break well."""
"""Of its usual size, before words are cut."""
FADED_EDGE = 0.4
"""How much of the edge of a button is seen that cannot be touched."""
GROWS, GROWS_MAX = 0.5, 1.5
"""Share of a button's extra height by which its text grows, and the maximum factor."""
LABEL_SLACK = theme.HAIRLINE * 2
"""Kept free next to words that shrink to fit: measured sizes are rounded."""


class Text(Label):
    """Words that wrap within their width and are as high as they need to be."""

    def __init__(
        self,
        text: str = "",
        *,
        size: float | None = None,
        colour: theme.Colour | None = None,
        align: str = "left",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            text=text,
            font_size=size or theme.TEXT,
            color=colour or theme.IVORY,
            halign=align,
            valign="middle",
            size_hint_y=None,
            height=0,
            **kwargs,
        )
        self.bind(width=self._wrap, texture_size=self._grow)
        self._wrap()

    def keep_to_one_line(self, keep: bool) -> None:
        """Whether words that are too long are cut with an ellipsis instead."""
        self.shorten, self.shorten_from, self.max_lines = keep, "right", int(keep)

    def _wrap(self, *_: object) -> None:
        self.text_size = (self.width, None)

    def _grow(self, *_: object) -> None:
        self.height = self.texture_size[1]


class Tag(Label):
    """Words on one line, on two where one has no room and two have, else cut with an ellipsis; takes the size
    it is given. least: to which size of letters they shrink before that."""

    def __init__(
        self,
        text: str = "",
        *,
        size: float | None = None,
        colour: theme.Colour | None = None,
        align: str = "left",
        least: float | None = None,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("shorten_from", "right")
        super().__init__(
            text=text,
            font_size=size or theme.TEXT,
            color=colour or theme.IVORY,
            halign=align,
            valign="middle",
            shorten=True,
            max_lines=1,
            **kwargs,
        )
        self._full_size = size or theme.TEXT
        self._least_size = least or self._full_size / theme.SCALE * LEAST_SHARE
        self.bind(size=self._fit, text=self._fit)

    @property
    def usual_size(self) -> float:
        """Of the letters if there is room for them."""
        return self._full_size

    @usual_size.setter
    def usual_size(self, size: float) -> None:
        if size != self._full_size:
            self._full_size, self._least_size = size, size / theme.SCALE * LEAST_SHARE
            self._fit()

    def measure_two_lines(self) -> float:
        """The width in which its words stand on two lines in their smallest letters, or on one, px."""
        full = int(self._full_size)
        label = CoreLabel(text=self.text, font_size=full, font_name=self.font_name, bold=self.bold)
        parts = cut(self.text)
        splits = ("".join(parts[:at]).rstrip() for at in range(1, len(parts)))
        halves = ((first, self.text[len(first) :].lstrip()) for first in splits)
        widths = [max(label.get_extents(half)[0] for half in pair) for pair in halves]
        whole = label.get_extents(self.text)[0]
        two = max(min(widths, default=whole), whole / 2 / LINE_SHARE)
        return float(min(two, whole) * self._least_size / full + LABEL_SLACK + 1)

    def _fit(self, *_: object) -> None:
        """Words shrink a little before they are cut, and those larger than usual to their usual size."""
        self.text_size = self.size
        if not self.text or self.width <= 0:
            return
        full = int(self._full_size)  # letters are drawn at whole sizes only, and a font is kept for each
        label = CoreLabel(text=self.text, font_size=full, font_name=self.font_name, bold=self.bold)
        width, height = label.get_extents(self.text)
        room = min((self.width - LABEL_SLACK) / max(width, 1), self.height / max(height, 1), 1)
        self.font_size = int(max(full * room, self._least_size))
        needs_two = full * room < self._least_size and self.height >= TWO_LINES * self._least_size
        halves = width * self._least_size < LINE_SHARE * 2 * full * self.width
        self.max_lines = 2 if needs_two and halves and self._parts_fit(label, full) else 1
        self.shorten = self.max_lines == 1

    def _parts_fit(self, label: CoreLabel, full: int) -> bool:
        """Whether each part that stays whole has room on a line at the smallest size. label: at full size."""
        longest = max(label.get_extents(part.strip())[0] for part in cut(self.text))
        return bool(longest * self._least_size < full * self.width)


class Card(BoxLayout):
    """A raised panel."""

    def __init__(
        self, *, colour: theme.Colour | None = None, radius: float = theme.RADIUS, **kwargs: Any
    ) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("padding", theme.PAD)
        kwargs.setdefault("spacing", theme.GAP)
        super().__init__(**kwargs)
        with self.canvas.before:
            self._colour = Color(*(colour or theme.PANEL))
            self._plate = SmoothRoundedRectangle(radius=[radius])
        self.bind(pos=self._place, size=self._place)

    def paint(self, colour: theme.Colour) -> None:
        self._colour.rgba = colour

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size


class TouchCard(ButtonBehavior, Card):
    """A panel to be touched, with the edge of a button."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.canvas.before:
            Color(*theme.LINE)
            self._edge = SmoothLine(width=theme.HAIRLINE)

    def _place(self, *_: object) -> None:
        super()._place()
        self._edge.rounded_rectangle = (*self.pos, *self.size, theme.RADIUS)


class Overlay(ModalView):
    """Something over the page, which a touch beside it closes. It closes at once: fading, it would swallow
    touches that are meant for the page."""

    def __init__(self, *, size: tuple[float, float]) -> None:
        super().__init__(
            size_hint=(None, None), size=size, background="", background_color=theme.CLEAR,
            overlay_color=(0, 0, 0, 0.6),
        )  # fmt: skip

    def dismiss(self, *_: object, **__: object) -> None:
        super().dismiss(animation=False)


class Press(ButtonBehavior, BoxLayout):
    """A button: words, an icon, or both.

    `chosen` marks it as the one that is in force, `main` as the likeliest next. Disabled, a chosen one stays
    readable, with a golden edge.
    """

    def __init__(
        self,
        text: str = "",
        *,
        icon: str | None = None,
        act: Callable[[], None],
        main: bool = False,
        size: float | None = None,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("size_hint_y", None)
        kwargs.setdefault("height", theme.TOUCH)
        super().__init__(padding=(theme.GAP, 0), spacing=theme.GAP / 2, **kwargs)
        self._main = main
        self._chosen = False
        self._act = act
        with self.canvas.before:
            self._colour = Color()
            self._plate = SmoothRoundedRectangle(radius=[theme.RADIUS])
            self._edge_colour = Color(*theme.LINE)
            self._edge = SmoothLine(width=theme.HAIRLINE)
        self._icon = Icon(icon) if icon else None
        self._words = Tag(text, size=size, align="left" if icon else "center")
        self._usual = self._words.usual_size
        if self._icon:
            holder = AnchorLayout(size_hint_x=None if text else 1, width=theme.TOUCH * 0.5)
            holder.add_widget(self._icon)
            self.add_widget(holder)
        if text or not icon:
            self.add_widget(self._words)
        self.bind(pos=self._place, size=self._place, state=self._paint, disabled=self._paint)
        self._place()
        self._paint()

    @property
    def text(self) -> str:
        return str(self._words.text)

    @text.setter
    def text(self, text: str) -> None:
        self._words.text = text

    @property
    def chosen(self) -> bool:
        return self._chosen

    @chosen.setter
    def chosen(self, chosen: bool) -> None:
        self._chosen = chosen
        self._paint()

    def measure(self) -> float:
        """The width that it needs for all its words, on two lines, px."""
        return self._words.measure_two_lines() + float(2 * theme.GAP)

    def grow(self, height: float) -> None:
        """Be that high, px, with larger words where that is more than usual."""
        self.height = height
        share = min(1 + (height / theme.TOUCH - 1) * GROWS, GROWS_MAX)
        self._words.usual_size = self._usual * max(share, 1.0)

    def on_release(self) -> None:
        self._act()

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size
        self._edge.rounded_rectangle = (*self.pos, *self.size, theme.RADIUS)

    def _paint(self, *_: object) -> None:
        bright = self._main or self._chosen
        if self.state == "down":
            plate = theme.GOLD_PRESSED if bright else theme.PANEL_PRESSED
        else:
            plate = theme.GOLD if bright else theme.PANEL_RAISED
        ink = theme.INK if bright else theme.IVORY
        edge = theme.LINE
        if self.disabled and self._chosen:
            plate, ink, edge = theme.PANEL, theme.IVORY, theme.GOLD
        elif self.disabled:
            plate, ink, edge = theme.PANEL, (*theme.IVORY_DIM[:3], 0.45), (*theme.LINE[:3], FADED_EDGE)
        self._colour.rgba, self._edge_colour.rgba = plate, edge
        self._words.color = self._words.disabled_color = ink
        if self._icon:
            self._icon.paint(ink)


class Choices(GridLayout):
    """Buttons of which one is selected, at most `a_row` of them side by side, none narrower than `least`, in
    rows of equal length. whole: none narrower than its words need on two lines either."""

    def __init__(
        self,
        choose: Callable[[str], None],
        *,
        size: float | None = None,
        a_row: int = 9,
        least: float = 0.0,
        whole: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(cols=1, spacing=theme.GAP / 2, size_hint_y=None, height=theme.TOUCH, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self._a_row = a_row
        self._least = least
        self._whole = whole
        self._choose = choose
        self._size = size
        self._buttons: dict[str, Press] = {}
        self.bind(width=self._spread)

    def offer(self, options: Sequence[tuple[str, str]], chosen: str | None) -> None:
        """Show these (key, words), `chosen` in force."""
        if list(self._buttons) != [key for key, _ in options]:
            self.clear_widgets()
            self._buttons = {key: self._button(key) for key, _ in options}
            for button in self._buttons.values():
                self.add_widget(button)
            self._spread()
        changed = any(self._buttons[key].text != words for key, words in options)
        for key, words in options:
            self._buttons[key].text = words
            self._buttons[key].chosen = key == chosen
        if changed and self._whole:
            self._spread()

    def grow(self, height: float) -> None:
        """With buttons of that height, px."""
        for button in self._buttons.values():
            button.grow(height)

    def limit_row(self, a_row: int) -> None:
        """At most `a_row` side by side."""
        self._a_row = a_row
        self._spread()

    def _spread(self, *_: object) -> None:
        least = max([self._least, *(each.measure() for each in self._buttons.values() if self._whole)])
        fitting = int((self.width + theme.GAP / 2) // (least + theme.GAP / 2)) if least else 9
        rows = -(-len(self._buttons) // max(1, min(self._a_row, fitting))) or 1
        self.cols = max(1, -(-len(self._buttons) // rows))

    @property
    def buttons(self) -> list[Press]:
        return list(self._buttons.values())

    def button(self, key: str) -> Press:
        return self._buttons[key]

    def _button(self, key: str) -> Press:
        return Press(act=lambda: self._choose(key), size=self._size)


ROWS_A_FRAME = 2
"""A card with its texts takes 20 ms to build: a frame builds this many."""


class Column(TouchScroll):
    """A column that scrolls when it is too long, with its bar next to what it holds. Put that into `inside`;
    what takes long to build comes by `fill`."""

    def __init__(
        self, *, spacing: float | None = None, padding: float | tuple[float, ...] = 0, **kwargs: Any
    ) -> None:
        super().__init__(
            do_scroll_x=False,
            bar_width=theme.GAP / 2,
            bar_color=theme.SURE,
            scroll_type=["bars", "content"],
            **kwargs,
        )
        self.inside = BoxLayout(
            orientation="vertical",
            size_hint=(None, None),
            spacing=theme.GAP if spacing is None else spacing,
            padding=padding,
        )
        self._is_too_long = False
        self._coming: Iterator[Widget] = iter(())
        self._filling = Clock.create_trigger(self._fill_on, interval=True)
        self.inside.bind(minimum_height=self.inside.setter("height"), height=self._fit)
        self.bind(size=self._fit)
        self.add_widget(self.inside)

    def fill(self, rows: Iterator[Widget]) -> None:
        """Hold these instead: `ROWS_A_FRAME` at once, and as many with each frame that follows."""
        self.inside.clear_widgets()
        self._coming = rows
        self._fill_on()
        self._filling()

    def _fill_on(self, *_: object) -> bool:
        """Whether more rows follow in the next frame."""
        rows = list(islice(self._coming, ROWS_A_FRAME))
        for row in rows:
            self.inside.add_widget(row)
        return bool(rows)

    def show_start(self) -> None:
        """Show the content from its start; a swipe that goes on ends."""
        self.effect_y.velocity = 0
        self.scroll_y = 1.0

    def _fit(self, *_: object) -> None:
        """Leave room for the bar if there is one; what has become too long is shown from its start."""
        too_long = self.inside.height > self.height
        if too_long and not self._is_too_long:
            self.show_start()
        self._is_too_long = too_long
        self.inside.width = self.width - (2 * self.bar_width if too_long else 0)


def adopt(parent: Widget, child: Widget) -> None:
    """Put `child` into `parent`, wherever it was before."""
    if child.parent:
        child.parent.remove_widget(child)
    parent.add_widget(child)


class Arrangement(StrEnum):
    """How the panes stand."""

    WIDE = "wide"
    TALL = "tall"
    SMALL = "small"


def choose_arrangement(size: tuple[float, float]) -> Arrangement:
    """The arrangement for a window of that size, in px."""
    width, height = size
    if width >= theme.WIDE_FROM[0] and height >= theme.WIDE_FROM[1]:
        return Arrangement.WIDE
    if width >= theme.TALL_FROM[0] and height >= theme.TALL_FROM[1]:
        return Arrangement.TALL
    return Arrangement.SMALL


def line_up(cards: Sequence[Card], a_row: int) -> list[BoxLayout]:
    """Rows of `a_row` cards, to be placed below each other."""
    return [_make_row(cards[first : first + a_row], a_row) for first in range(0, len(cards), a_row)]


def _make_row(cards: Sequence[Card], a_row: int) -> BoxLayout:
    row = BoxLayout(size_hint_y=None, spacing=theme.GAP)
    for card in cards:
        card.size_hint_y = 1
        adopt(row, card)
        card.bind(minimum_height=partial(_fit, row, cards))
    for _ in range(a_row - len(cards)):
        row.add_widget(BoxLayout())
    _fit(row, cards)
    return row


def _fit(row: BoxLayout, cards: Sequence[Card], *_: object) -> None:
    row.height = max(card.minimum_height for card in cards)
