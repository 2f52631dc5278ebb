"""Devices in each state at every size, the narrow ones too: nothing is cut off, everything can be touched."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader, list_looks
from device_driver import card, connected, do, listen, scroll
from page_checks import find_cut, find_small

from companion.app.score_photo import editing
from companion.app.score_photo.editing import Pane
from companion.app.score_photo.state import Page
from companion.words import Language
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice, Faults

pytestmark = pytest.mark.slow

TOUCH_MIN = 48
"""dp; what has to be hit at a table, perhaps with a tile in the hand."""
ALL = SIZES | {"narrow": (600, 900), "least": (480, 800)}
"""The window cannot be made narrower than the last."""
BAR_WIDTHS = (480, 600, 759, 760, 779, 780, 799, 800, 899, 900, 1019, 1020, 1099, 1100)
BAR_HEIGHT = 900


def some_devices(window: Driver, folder: Path) -> None:
    """A device in each state: connected with a roll and with a wrong wall, of another version, absent."""
    cup = EmulatedDevice(DiceCup(random.Random(3)), folder / "cup")
    table = EmulatedDevice(AutomaticTable(random.Random(2)), folder / "table")
    other = EmulatedDevice(DiceCup(random.Random(1)), folder / "other", Faults(wrong_version=True))
    window.opened = (cup, table, other)  # type: ignore[attr-defined]
    for device in (cup, table):
        connected(window, device)
    for path in (other.path, folder / "absent"):
        listen(window, path)
    do(cup, "roll")
    do(table, "shuffle")
    do(table, "press", "2", "1")
    window.wait(lambda: window.devices.view.newest_start, "the roll")
    window.wait(lambda: card(window, table.path).wrong.text, "the wall")
    window.wait(lambda: card(window, other.path).state.text == "Wrong version", "the version")
    window.wait(lambda: card(window, folder / "absent").state.text == "Not there", "the absent one")


def test_every_state_fits_at_every_size(kivy_window: None, tmp_path: Path) -> None:
    window = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    window.touch(window.root.bar.buttons["devices"])
    opened: tuple[EmulatedDevice, ...] = ()
    try:
        for step in (lambda *_: None, some_devices):
            step(window, tmp_path)
            opened = getattr(window, "opened", ())
            for size, language in list_looks(len(opened), ALL):
                window.resize(ALL[size])
                window.controller.set_language(language)
                window.frames(5)
                for part in (1, 0):
                    scroll(window, part)
                    where = f"devices-{len(opened)}-{part}-{size}-{language}"
                    window.shot(where)
                    assert find_cut(window) == [], where
                    assert find_small(window) == [], where
                    assert lower_than_a_finger(window) == [], where
            window.resize(SIZES["tablet"])
            window.controller.set_language(Language.ENGLISH)
            window.frames(3)
    finally:
        for device in opened:
            device.close()
        window.close()


def lower_than_a_finger(window: Driver) -> list[str]:
    from companion.app.widgets.basics import Press

    return [
        press.text
        for press in window.pages.devices.walk(restrict=True)
        if isinstance(press, Press) and min(press.size) < TOUCH_MIN
    ]


def test_the_bar_has_room_for_all_that_is_in_it(kivy_window: None, tmp_path: Path) -> None:
    """At each width at which it takes another form, over the table with its panes and over the devices."""
    window = Driver(tmp_path, ScriptedReader(), (BAR_WIDTHS[0], BAR_HEIGHT))
    try:
        for width, language in list_looks(0, BAR_WIDTHS):
            window.resize((width, BAR_HEIGHT))
            window.controller.set_language(language)
            for page in ("table", "devices"):
                if page == "devices":
                    window.touch(window.root.bar.buttons["devices"])
                else:
                    window.do(lambda state: editing.show(state, Page.TABLE))
                window.frames(4)
                in_the_bar = [
                    each.text for each in window.root.bar.walk(restrict=True) if hasattr(each, "text")
                ]
                where = f"{width} px, {language}, {page}"
                assert not {*find_cut(window)} & {*in_the_bar}, where
                assert find_small(window) == [], where
    finally:
        window.close()


def test_a_pane_is_chosen_in_a_narrow_window(kivy_window: None, tmp_path: Path) -> None:
    window = Driver(tmp_path, ScriptedReader(), ALL["narrow"])
    try:
        for pane in (Pane.SCORE, Pane.TILES, Pane.WIN):
            window.touch(window.root.bar.panes.button(pane.value))
            assert window.state.pane is pane
        window.window.size = SIZES["tablet"]
        window.frames(4)
        assert window.root.bar.panes.parent is None
        assert window.root.bar.height == window.root.bar.menu.parent.height
    finally:
        window.close()
