"""The few building blocks that every pane is made of: text, cards, buttons, choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, SmoothLine, SmoothRoundedRectangle
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.icons import Icon
from companion.app.widgets.line_breaks import cut
from companion.app.widgets.scrolling import TouchScroll

LEAST_SHARE = 0.9
TWO_LINES, LINE_SHARE = 2.6, 0.85
"""The height of two lines, in sizes of their letters; how full they may be to break well."""
"""Of its usual size, before words are cut."""
GROWS, GROWS_MOST = 0.5, 1.5
"""By how much the words of a button grow with its height, and how many times their usual size they become."""
LABEL_SLACK = theme.HAIRLINE * 2
"""Kept free beside words that shrink to fit: measured sizes are rounded."""


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
        """Of the letters where there is room for them."""
        return self._full_size

    @usual_size.setter
    def usual_size(self, size: float) -> None:
        if size != self._full_size:
            self._full_size, self._least_size = size, size / theme.SCALE * LEAST_SHARE
            self._fit()

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
        longest = max(label.get_extents(part.strip())[0] for part in cut(self.text)) * self._least_size
        needs_two = full * room < self._least_size
        has_two = self.height >= TWO_LINES * self._least_size and longest < full * self.width
        halves = width * self._least_size < LINE_SHARE * 2 * full * self.width
        self.max_lines = 2 if needs_two and has_two and halves else 1
        self.shorten = self.max_lines == 1


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


class Press(ButtonBehavior, BoxLayout):
    """A button: words, an icon, or both.

    `chosen` marks it as the one that is in force, `main` as the likeliest next.
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

    def grow(self, height: float) -> None:
        """Be that high, px, with larger words where that is more than usual."""
        self.height = height
        share = min(1 + (height / theme.TOUCH - 1) * GROWS, GROWS_MOST)
        self._words.usual_size = self._usual * max(share, 1.0)

    def show_icon(self, name: str) -> None:
        """Have that icon from now on, in place of another with as many strokes."""
        if self._icon:
            self._icon.show(name)

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
        if self.disabled:
            plate, ink = theme.PANEL, (*theme.IVORY_DIM[:3], 0.45)
        self._colour.rgba = plate
        self._words.color = self._words.disabled_color = ink
        if self._icon:
            self._icon.paint(ink)


class Choices(GridLayout):
    """Buttons of which one is in force, at most `a_row` of them side by side, none narrower than `least`, in
    rows of like length."""

    def __init__(
        self,
        choose: Callable[[str], None],
        *,
        size: float | None = None,
        a_row: int = 9,
        least: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(cols=1, spacing=theme.GAP / 2, size_hint_y=None, height=theme.TOUCH, **kwargs)
        self.bind(minimum_height=self.setter("height"))
        self._a_row = a_row
        self._least = least
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
        for key, words in options:
            self._buttons[key].text = words
            self._buttons[key].chosen = key == chosen

    def grow(self, height: float) -> None:
        """With buttons of that height, px."""
        for button in self._buttons.values():
            button.grow(height)

    def limit_row(self, a_row: int) -> None:
        """At most that many side by side."""
        self._a_row = a_row
        self._spread()

    def _spread(self, *_: object) -> None:
        fitting = int((self.width + theme.GAP / 2) // (self._least + theme.GAP / 2)) if self._least else 9
        rows = -(-len(self._buttons) // max(1, min(self._a_row, fitting))) or 1
        self.cols = max(1, -(-len(self._buttons) // rows))

    @property
    def buttons(self) -> list[Press]:
        return list(self._buttons.values())

    def button(self, key: str) -> Press:
        return self._buttons[key]

    def _button(self, key: str) -> Press:
        return Press(act=lambda: self._choose(key), size=self._size)


class Column(TouchScroll):
    """A column that scrolls when it is too long, with its bar beside what it holds. Fill `inside`."""

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
        self.inside.bind(minimum_height=self.inside.setter("height"), height=self._fit)
        self.bind(size=self._fit)
        self.add_widget(self.inside)

    def _fit(self, *_: object) -> None:
        """Leave room for the bar where there is one."""
        too_long = self.inside.height > self.height
        self.inside.width = self.width - (2 * self.bar_width if too_long else 0)


def adopt(parent: Widget, child: Widget) -> None:
    """Put `child` into `parent`, wherever it was before."""
    if child.parent:
        child.parent.remove_widget(child)
    parent.add_widget(child)
