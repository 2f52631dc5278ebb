"""Keys on the screen, for people who have no others: touched letter by letter, on small screens too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from app_driver import WAIT_S, Driver, ScriptedReader, find_scroller
from sheet_driver import find_row, keep_declared, open_games

from companion.app.keyboards import KeyboardUse, is_touch_only, needs_keys

TOUCHSCREEN = """I: Bus=0018 Vendor=0000 Product=0000 Version=0000
N: Name="generic ft5x06 (79)"
H: Handlers=mouse0 event0
B: PROP=2
B: EV=b
B: KEY=400 0 0 0 0 0
B: ABS=2608000 3
"""
POWER_BUTTON = """N: Name="Power Button"
H: Handlers=kbd event1
B: PROP=0
B: EV=3
B: KEY=10000000000000 0
"""
KEYBOARD = """N: Name="AT Translated Set 2 keyboard"
H: Handlers=sysrq kbd event3 leds
B: PROP=0
B: EV=120013
B: KEY=402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe
"""
TOUCHPAD = """N: Name="SynPS/2 Synaptics TouchPad"
H: Handlers=mouse0 event4
B: PROP=5
B: EV=b
B: KEY=e520 10000 0 0 0 0
"""
OLD = ("Ann", "Anton", "Bao", "陈小姐")


def test_a_touchscreen_without_a_keyboard_needs_keys(tmp_path: Path) -> None:
    assert is_touch_only("\n".join((TOUCHSCREEN, POWER_BUTTON)))
    assert not is_touch_only("\n".join((TOUCHSCREEN, POWER_BUTTON, KEYBOARD)))
    assert not is_touch_only("\n".join((TOUCHPAD, POWER_BUTTON)))
    assert not is_touch_only("B: KEY=not hexadecimal\nB: PROP\n\nI:")
    listed = tmp_path / "devices"
    assert not needs_keys(KeyboardUse.AUTOMATIC, listed)
    listed.write_text(TOUCHSCREEN)
    assert needs_keys(KeyboardUse.AUTOMATIC, listed)
    assert not needs_keys(KeyboardUse.NEVER, listed)
    assert needs_keys(KeyboardUse.ALWAYS, tmp_path)


@pytest.fixture
def naming(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """The page of a new game, with people who played before, and keys on the screen."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    driver = Driver(tmp_path, ScriptedReader(), (800, 480), home=True)
    driver.wait(lambda: home_of(driver).is_ready_to_show, "the first page", most_s=WAIT_S)
    driver.controller.do("settings", lambda state: state.change(keyboard=KeyboardUse.ALWAYS))
    driver.controller.do("home", lambda state: replace(state, used=OLD).show("new_game"))
    driver.frames(4)
    yield driver
    driver.controller.do("settings", lambda state: state.change(keyboard=KeyboardUse.AUTOMATIC))
    driver.pages.new_game.field.focus = False
    driver.close()


def home_of(driver: Driver) -> Any:
    return driver.controller.view.states["home"]


def keys_of(driver: Driver) -> Any:
    """The keys on the screen; None where there are none."""
    found = (each for each in driver.window.children if type(each).__name__ == "ScreenKeyboard")
    return next(found, None)


def find_key(driver: Driver, text: str) -> Any:
    return next(key for key in keys_of(driver).walk(restrict=True) if getattr(key, "text", "") == text)


def write(driver: Driver, text: str) -> None:
    for letter in text:
        driver.touch(keys_of(driver).letters[letter])


@pytest.mark.slow
@pytest.mark.parametrize("size", [(800, 480), (800, 1280)])
def test_a_name_is_written_by_touches_above_the_keys(naming: Driver, size: tuple[int, int]) -> None:
    driver = naming
    driver.resize(size)
    page = driver.pages.new_game
    driver.touch(page.seats.seats[1])
    driver.frames(4)
    keys = keys_of(driver)
    driver.shot(f"keys-{size[0]}x{size[1]}")
    assert keys.height <= 0.7 * size[1]
    bottom, top = (page.field.to_window(0, y)[1] for y in (page.field.y, page.field.top))
    assert keys.top <= bottom < top <= size[1], "the field is whole, above the keys"
    assert driver.says("Who sits there?  ·  Right"), "the seat itself may be hidden"
    write(driver, "C")
    write(driver, "ai9")
    assert home_of(driver).plan.names[1] == "Cai9"
    driver.touch(find_key(driver, "#+="))
    write(driver, "?")
    driver.touch(find_key(driver, "ABC"))
    driver.touch(find_key(driver, ","))
    assert page.field.text == "Cai9?,"
    for _ in range(2):
        driver.touch(next(key for key in keys.walk(restrict=True) if type(key).__name__ == "Backspace"))
    driver.touch(next(key for key in keys.walk(restrict=True) if type(key).__name__ == "Backspace"))
    assert page.field.text == "Cai"
    assert page.field.focus, "touches on the keys leave the field its focus"
    driver.touch(keys.done)
    driver.frames(4)
    assert home_of(driver).plan.names[1] == "Cai"
    assert home_of(driver).plan.seat == 0, "the next seat without a name"
    assert [press.text for press in keys_of(driver).known] == list(OLD)
    write(driver, "A")
    assert [press.text for press in keys.known] == ["Ann", "Anton"]
    driver.shot(f"keys-known-{size[0]}x{size[1]}")
    driver.touch(keys.known[1])
    assert home_of(driver).plan.names[0] == "Anton"
    driver.controller.do("home", lambda state: state.select_seat(state.plan.seat))
    driver.frames(4)
    assert keys_of(driver) is None
    assert driver.root.y == 0


@pytest.mark.slow
def test_a_field_far_down_in_a_list_is_shown_above_the_keys(naming: Driver) -> None:
    driver = naming
    keep_declared("friday")
    open_games(driver)
    driver.touch(find_row(driver, "friday").change)
    field = driver.pages.kept_games.copy_name
    find_scroller(field).scroll_y = 0
    driver.frames(4)
    driver.touch(field)
    for _ in range(3):
        driver.frames(4)
        bottom, top = (field.to_window(0, y)[1] for y in (field.y, field.top))
        assert keys_of(driver).top <= bottom < top <= 480
        write(driver, "9")
    assert field.text == "friday-2999"
    field.focus = False
    driver.frames(4)
    assert driver.root.y == 0


@pytest.mark.slow
def test_a_name_that_nobody_confirmed_is_kept(naming: Driver) -> None:
    driver = naming
    driver.touch(driver.pages.new_game.seats.seats[2])
    driver.frames(4)
    write(driver, "D")
    write(driver, "ai")
    driver.controller.step_back()
    driver.frames(4)
    assert keys_of(driver) is None
    driver.controller.step_back()
    assert driver.page == "home"
    assert driver.kept("home").names == ("", "", "Dai", "")


@pytest.mark.slow
def test_a_name_is_kept_when_back_is_touched(naming: Driver) -> None:
    driver = naming
    driver.controller.do("settings", lambda state: state.change(keyboard=KeyboardUse.NEVER))
    page = driver.pages.new_game
    driver.touch(page.seats.seats[2])
    driver.window.dispatch("on_textinput", "Dai")
    driver.touch(page.back)
    assert page.seats.seats[2].text == "Dai"
    driver.touch(page.back)
    assert driver.page == "home"
    assert driver.kept("home").names == ("", "", "Dai", "")


@pytest.mark.slow
def test_keys_come_only_where_they_are_wanted(naming: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = naming
    field = driver.pages.new_game.field
    for use, comes in (
        (KeyboardUse.NEVER, False), (KeyboardUse.ALWAYS, True), (KeyboardUse.AUTOMATIC, False),
    ):  # fmt: skip
        driver.controller.do("settings", lambda state, use=use: state.change(keyboard=use))
        driver.controller.do("home", lambda state: state.select_seat(3))
        driver.frames(4)
        assert field.focus
        assert (keys_of(driver) is not None) is comes
        driver.window.dispatch("on_textinput", "é")
        assert field.text == "é", "a real keyboard writes in any case"
        field.text = ""
        driver.controller.do("home", lambda state: state.select_seat(3))
        driver.frames(4)
