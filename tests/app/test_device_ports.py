"""Which ports the window looks at, which devices it keeps, and how many."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader
from device_driver import Plugs, listen, press

from companion.live import devices
from companion.live.devices import Chosen, ChosenDevices, PortWatch, Serial
from firmware_bridge.emulator import EmulatedDevice
from firmware_bridge.ports import PortInfo


def test_devices_are_looked_for_only_when_asked_to(
    kivy_window: None, tmp_path: Path, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each USB port is asked once as long as it is plugged in; one that was forgotten is left alone."""
    monkeypatch.setattr(devices, "EVERY_S", 0.05)
    plugs = Plugs()
    plugs.ports = (PortInfo("/dev/ttyS0", "n/a", ""), PortInfo(str(cup.path), "Board", "2341:0043"))
    window = Driver(tmp_path, ScriptedReader(), SIZES["small"], serial=plugs.serial)
    window.touch(window.root.bar.buttons["devices"])
    window.wait(lambda: window.says(f"{cup.path} · Board"), "the ports")
    time.sleep(0.3)
    window.frames(3)
    assert plugs.asked == []
    window.press("Look for devices automatically")
    window.wait(lambda: window.devices.view.is_connected, "the device")
    assert plugs.asked == [str(cup.path)]
    assert not window.says(f"{cup.path} · Board")
    press(window, "Forget")
    press(window, "Forget it")
    window.wait(lambda: window.pages.devices.cards == {}, "the device to go")
    time.sleep(0.3)
    window.frames(3)
    assert window.pages.devices.cards == {}
    assert plugs.asked == [str(cup.path)]
    plugs.ports = plugs.ports[:1]
    window.wait(lambda: not window.says("Board"), "the unplugged port")
    plugs.ports = (*plugs.ports, PortInfo(str(cup.path), "Board", "2341:0043"))
    window.wait(lambda: window.devices.view.is_connected, "the device, plugged in again")
    window.close()
    again = Driver(window.folder, ScriptedReader(), SIZES["small"], serial=plugs.serial)
    assert again.devices.choice == ChosenDevices((Chosen(str(cup.path)),), looking=True)
    again.close()


def test_a_port_is_chosen_with_a_touch(
    kivy_window: None, tmp_path: Path, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugs = Plugs()
    plugs.ports = (PortInfo(str(cup.path), "Board", "2341:0043"),)
    window = Driver(tmp_path, ScriptedReader(), SIZES["small"], serial=plugs.serial)
    window.touch(window.root.bar.buttons["devices"])
    window.wait(lambda: str(cup.path) in window.pages.devices.connect.ports, "the port")
    window.touch(window.pages.devices.connect.ports[str(cup.path)])
    window.wait(lambda: window.devices.view.is_connected, "the device")
    assert plugs.asked == []
    window.close()


def test_listing_ports_that_fails_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "EVERY_S", 0.01)
    tried = threading.Event()
    listed: list[object] = []

    def ports() -> tuple[PortInfo, ...]:
        if not tried.is_set():
            tried.set()
            raise OSError("a driver")
        return (PortInfo("/dev/ttyUSB0", "Board", ""),)

    watch = PortWatch(Serial(ports), lambda call: call(), listed.append, lambda *_: None)
    watch.start()
    end = time.monotonic() + 60
    while not listed:
        assert time.monotonic() < end
        time.sleep(0.01)
    watch.stop()


@pytest.mark.parametrize(
    "content",
    [
        '{"devices": [{"target": ""}]}',
        '{"devices": [{"target": "a"}, {"target": "a"}]}',
        '{"devices": [{"target": "a", "first_seat": 4}]}',
    ],
)
def test_devices_that_no_window_can_have_kept_are_set_aside(
    kivy_window: None, tmp_path: Path, content: str
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "session.json").write_text('{"format": 1, "facts": {}, "devices": ' + content + "}")
    window = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    assert window.says("was set aside")
    assert window.devices.view.devices == ()
    window.close()


def test_more_devices_than_a_table_has_are_not_opened(
    window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "DEVICES_MAX", 2)
    for name in "abc":
        listen(window, tmp_path / name)
    assert window.says("2 devices are enough: forget one first.")
    assert len(window.pages.devices.cards) == 2
