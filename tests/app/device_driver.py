"""What tests of devices share: emulated ones connected in the real window, ports of a computer, bad lines."""

from __future__ import annotations

import os
import threading
import tty
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app_driver import Driver

from companion.live.devices import Serial
from firmware_bridge.emulator import EmulatedDevice
from firmware_bridge.link import Link
from firmware_bridge.ports import PortInfo, ProbeResult, probe_all

if TYPE_CHECKING:  # which brings Kivy: not before the window is prepared
    from companion.app.devices.page import DeviceCard


def listen(window: Driver, path: Path) -> None:
    """Type the port and press Connect, as a person does."""
    scroll(window, 0)
    connect = window.pages.devices.connect
    connect.field.text = str(path)
    window.touch(connect.take)
    window.wait(lambda: not connect.field.text, "the touch")  # a list takes a moment to tell it from a drag
    look(window)
    scroll(window, 1)


def scroll(window: Driver, part: float) -> None:
    """Show the upper (1) or the lower (0) end of the list."""
    column = window.pages.devices.column
    if column.inside.height > column.height:
        column.scroll_y = part
    window.frames(3)


def card(window: Driver, path: Path) -> DeviceCard:
    found: DeviceCard = window.pages.devices.cards[str(path)]
    return found


def connected(window: Driver, device: EmulatedDevice) -> DeviceCard:
    listen(window, device.path)
    window.wait(lambda: card(window, device.path).state.text == "Connected", "the device")
    window.wait(lambda: link_to(window, device).status().known.complete, "its snapshot")
    look(window)
    return card(window, device.path)


def press(window: Driver, text: str) -> None:
    """Touch the button that says `text`, as soon as it is there."""
    window.wait(lambda: text in window.texts(), text)
    window.frames(3)
    window.press(text)


def link_to(window: Driver, device: EmulatedDevice) -> Link:
    return window.game._links._linked[str(device.path)].link


def look(window: Driver) -> None:
    """Have all that devices reported taken and shown."""
    window.game._ask(window.game._links.poll).result(10)
    window.frames(3)


def do(device: EmulatedDevice, *words: str) -> None:
    device.play(lambda t_ms: device.model.act(words, t_ms))


class Plugs:
    """Ports of a computer that the test plugs devices into; asking them is real."""

    def __init__(self) -> None:
        self.ports: tuple[PortInfo, ...] = ()
        self.asked: list[str] = []

    def ask(self, paths: object) -> tuple[ProbeResult, ...]:
        wanted = [str(path) for path in paths]  # type: ignore[attr-defined]
        self.asked += wanted
        return probe_all(wanted, 1.0)

    @property
    def serial(self) -> Serial:
        return Serial(lambda: self.ports, self.ask, Link)


class Hostile:
    """A pseudo-terminal at `path` on which `data` comes again and again."""

    def __init__(self, path: Path, data: bytes, pause_s: float) -> None:
        self._path, self._data, self._pause_s = path, data, pause_s
        self._stop = threading.Event()

    def __enter__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._path.symlink_to(os.ttyname(self._slave))
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        for descriptor in (self._master, self._slave):
            os.close(descriptor)

    def _write(self) -> None:
        while not self._stop.wait(self._pause_s):
            with suppress(BlockingIOError):
                os.write(self._master, self._data)
            with suppress(BlockingIOError):
                os.read(self._master, 4096)
