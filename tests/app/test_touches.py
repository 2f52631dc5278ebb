"""A machine that draws slowly loses no touch: each is answered, in order, on what the one before has left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from app_driver import SIZES, Driver

from companion.app.score_photo import editing

FRAME_S = 0.25
"""Longer than Kivy waited before it handed on the end of a touch."""
CODES = [
    f"{rank}{suit}" for suit, ranks in (("m", "2345678"), ("p", "2345678"), ("s", "234567")) for rank in ranks
]


IDLE_S = [0.0]
"""The last moment at which nothing waited to be read, as the program's loop notes it."""


@pytest.fixture
def slow(companion: Driver) -> Iterator[Driver]:
    """A window that takes touches from the mouse as the program does, and whose frames take long."""
    from kivy.base import EventLoop
    from kivy.clock import Clock
    from kivy.input.providers.mouse import MouseMotionEventProvider

    from companion.app.shell.application import queue_touches

    mouse = MouseMotionEventProvider("mouse", "disable_multitouch")
    EventLoop.add_input_provider(mouse)
    mouse.start()
    assert companion.root
    queue = queue_touches(lambda: IDLE_S[0])
    pause = Clock.schedule_interval(lambda _: time.sleep(FRAME_S), 0)
    yield companion
    pause.cancel()
    EventLoop.postproc_modules.remove(queue)
    mouse.stop()
    EventLoop.remove_input_provider(mouse)


def click(companion: Driver, x: float, y: float) -> None:
    """The mouse pressed and let go, as the window system says it: y from the top."""
    for kind in ("on_mouse_down", "on_mouse_up"):
        companion.window.dispatch(kind, x, companion.window.height - y, "left", [])


@pytest.mark.slow
def test_twenty_quick_touches_are_answered_in_order(slow: Driver) -> None:
    slow.do(editing.start_adding)
    slow.frames(3)
    keys = slow.pages.table.sheet.keys
    for code in CODES:
        click(slow, *keys[code].to_window(*keys[code].center))
    slow.wait(lambda: len(slow.state.hand.tiles) == len(CODES), "all touches")
    assert [tile.code for tile in slow.state.hand.tiles] == CODES


def test_the_loop_goes_on_at_once_where_touches_still_wait(companion: Driver) -> None:
    from kivy.clock import Clock

    from companion.app.shell.application import BUDGET_S, TouchQueue

    touch = SimpleNamespace(is_touch=True, ud={})
    queue = TouchQueue(lambda *_: time.sleep(BUDGET_S), lambda: None)

    def list_asked() -> list[float]:
        events = ((event.get_callback(), event.timeout) for event in Clock.get_events())
        return [timeout for callback, timeout in events if "TouchQueue" in callback.__qualname__]

    queue.process([("end", touch), ("end", touch)])  # type: ignore[list-item]
    assert list_asked() == [0]
    queue.process([])
    assert list_asked() == [0]


@pytest.mark.slow
def test_a_double_touch_is_one_however_long_a_frame_takes(slow: Driver) -> None:
    """The second touch comes while the first is answered and drawn, and is read when that is done."""
    slow.do(editing.start_adding)
    slow.frames(3)
    key = slow.pages.table.sheet.keys["5s"]
    place = key.to_window(*key.center)
    IDLE_S[0] = time.monotonic()
    click(slow, *place)
    slow.frames(2)
    click(slow, *place)
    slow.wait(lambda: len(slow.state.hand.tiles) >= 3, "the pung")
    assert [tile.code for tile in slow.state.hand.tiles] == ["5s"] * 3


@pytest.mark.slow
def test_two_touches_with_time_between_are_two_tiles(slow: Driver) -> None:
    slow.do(editing.start_adding)
    slow.frames(3)
    key = slow.pages.table.sheet.keys["5s"]
    for _ in range(2):
        IDLE_S[0] = time.monotonic()
        click(slow, *key.to_window(*key.center))
        slow.frames(2)
    assert [tile.code for tile in slow.state.hand.tiles] == ["5s"] * 2


def test_the_loop_notes_when_nothing_waits(kivy_window: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.app.shell.application import Loop

    loop = Loop()
    before = loop.idle_s = 0.0
    monkeypatch.setattr(loop, "_has_events", lambda: True)
    loop._sleep()
    assert loop.idle_s == before, "something waited all the time"
    monkeypatch.setattr(loop, "_has_events", lambda: False)
    monkeypatch.setattr(loop, "_pause_s", lambda: 0.0)
    loop._sleep()
    assert loop.idle_s > before


@pytest.mark.slow
def test_a_touch_meets_what_the_one_before_has_brought(slow: Driver) -> None:
    """Two touches within one frame: the second on a key of the keyboard that the first has opened."""
    slow.resize(SIZES["tablet"])
    slow.do(editing.start_adding)
    slow.frames(3)
    key = slow.pages.table.sheet.keys["5s"]
    place = key.to_window(*key.center)
    slow.controller.step_back()
    slow.frames(3)
    add = slow.button("Add tiles by hand")
    click(slow, *add.to_window(*add.center))
    click(slow, *place)
    slow.wait(lambda: slow.state.hand.tiles, "the tile")
    assert [tile.code for tile in slow.state.hand.tiles] == ["5s"]
