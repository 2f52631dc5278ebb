"""A real window under a virtual display, driven frame by frame.

Kivy has one window a process: the tests share it.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from app_driver import SIZES, Driver, ScriptedReader
from film_player import Film, Player, film_hand, list_threads
from frames import draw_corners_only

from companion.app.look import Shade
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice


@pytest.fixture(scope="session")
def kivy_window(display: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    from companion.app.shell import boot

    with pytest.MonkeyPatch.context() as patch:  # read when Kivy is first imported
        patch.setenv("KCFG_GRAPHICS_MAXFPS", "0")  # as fast as it can be drawn
        boot.prepare(tmp_path_factory.mktemp("kivy"))
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    EventLoop.start()
    draw_corners_only()
    with pytest.MonkeyPatch.context() as patch:  # nothing moves, and it is dark, unless a test wants it
        patch.setattr("companion.app.settings.feature.wants_less_motion", lambda: True)
        patch.setattr("companion.app.look.find_desktop_shade", lambda: Shade.DARK)
        yield
    Window.close()


@pytest.fixture
def reader() -> ScriptedReader:
    """Opens pictures for real and reads what the test has written down."""
    return ScriptedReader()


@pytest.fixture
def companion(kivy_window: None, tmp_path: Path, reader: ScriptedReader) -> Iterator[Driver]:
    """The window on a bare table, at the size of a tablet."""
    driver = Driver(tmp_path, reader, SIZES["tablet"])
    yield driver
    driver.close()
    keep_what_lasts()


@cache
def keep_what_lasts() -> None:
    """Look through all that the first window has imported no more: it is no garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return film_hand(tmp_path_factory.mktemp("film"))


@pytest.fixture
def player(kivy_window: None, tmp_path: Path, film: Film) -> Iterator[Player]:
    before = list_threads()  # of a window that an earlier test has just closed
    player = Player(tmp_path, film, SIZES["small"])
    yield player
    player.driver.close()
    assert len(list_threads()) <= len(before)
    assert player.projector.users == 0


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[EmulatedDevice]:
    """An emulated dice cup on a pseudo-terminal."""
    with EmulatedDevice(DiceCup(random.Random(3)), tmp_path / "cup") as device:
        yield device


@pytest.fixture
def table(tmp_path: Path) -> Iterator[EmulatedDevice]:
    """An emulated automatic table."""
    with EmulatedDevice(AutomaticTable(random.Random(3)), tmp_path / "table") as device:
        yield device


@pytest.fixture
def window(companion: Driver) -> Driver:
    """The window with its devices in front."""
    companion.touch(companion.root.bar.buttons["devices"])
    assert companion.page == "devices"
    return companion
