"""The building blocks of every page, in a window with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from frames import make_finger

from companion.words import Language, Words

ENTER, BACKSPACE, NUMPAD_3, NUMPAD_ENTER = 13, 8, 259, 271
"""As SDL numbers them."""


@pytest.fixture
def window(kivy_window: None) -> Iterator[Any]:
    from kivy.core.window import Window

    from companion.app.look import Look
    from companion.app.widgets import theme

    Window.size = (800, 480)
    theme.apply_look(Look())
    yield Window
    for child in list(Window.children):
        Window.remove_widget(child)


def draw(count: int) -> None:
    from kivy.base import EventLoop

    for _ in range(count):
        EventLoop.idle()


def press_key(window: Any, key: int) -> None:
    """As the window does when a key of a real keyboard goes down."""
    letter = chr(key) if chr(key).isdigit() else None
    if not window.dispatch("on_key_down", key, 0, letter, []):
        window.dispatch("on_keyboard", key, 0, letter, [])


def test_the_number_pad_takes_a_real_keyboard(window: Any) -> None:
    from companion.app.widgets.fields import Keypad

    chosen: list[int | None] = []
    pad = Keypad("Points", "", Words(Language.ENGLISH), chosen.append)
    pad.open()
    for key in (ord("3"), NUMPAD_3, ord("0"), ord("7"), BACKSPACE):
        press_key(window, key)
    assert pad.shown.text == "330"
    press_key(window, NUMPAD_ENTER)
    assert chosen == [330]
    press_key(window, ord("5"))
    assert pad.shown.text == "330", "a pad that goes takes no more keys"


def test_enter_without_a_digit_leaves_the_number_as_it_is(window: Any) -> None:
    from companion.app.widgets.fields import Keypad

    chosen: list[int | None] = []
    pad = Keypad("Points", "none", Words(Language.ENGLISH), chosen.append)
    pad.open()
    for key in (ord("8"), BACKSPACE, BACKSPACE):
        press_key(window, key)
    assert pad.shown.text == "–"
    press_key(window, ENTER)
    assert chosen == []


def test_a_column_that_grows_while_it_is_swiped_stays_in_sight(window: Any) -> None:
    """Swiped beyond its end while its content is hardly longer than itself, as a list that is still being
    filled: that distance must not grow with the content."""
    from kivy.uix.widget import Widget

    from companion.app.widgets.basics import Column

    column = Column(size_hint=(None, None), size=(400, 300))
    window.add_widget(column)
    draw(2)
    column.inside.add_widget(Widget(size_hint_y=None, height=304))
    draw(2)
    finger = make_finger(200, 280)
    finger.down()
    for y in (240, 180, 120, 60):
        finger.to(200, y)
        draw(1)
    column.inside.add_widget(Widget(size_hint_y=None, height=9000))
    draw(2)
    finger.up()
    draw(20)
    assert 0 <= column.scroll_y <= 1
    assert column.inside.top >= column.top, "no empty cloth above its content"
    assert column.inside.y <= column.y, "nor below it"


def test_what_is_in_force_stays_readable_where_it_cannot_be_changed(window: Any) -> None:
    from companion.app.widgets import theme
    from companion.app.widgets.basics import Press

    press = Press("Self-Draw +1", act=lambda: None, disabled=True)
    assert tuple(press._words.color) != theme.IVORY
    press.chosen = True
    assert tuple(press._words.color) == theme.IVORY
    assert tuple(press._edge_colour.rgba) == theme.GOLD
