"""Devices in the window: emulated ones on real pseudo-terminals, shown as they come, go and fail. Nothing
waits for them, and nothing that they told is lost.
"""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader
from device_driver import Hostile, card, connected, do, listen, press

from companion.app.score_photo import editing, photo
from companion.app.shell.window_state import WindowView
from companion.live.devices import ChosenDevices, DeviceLinks
from companion.table.wall import Layer, WallPlace
from companion.words import Language
from firmware_bridge.codec import Packet, encode
from firmware_bridge.emulator import DiceCup, EmulatedDevice, Faults
from firmware_bridge.handshake import Attention

pytestmark = pytest.mark.slow


def test_without_any_device_everything_is_there(window: Driver) -> None:
    assert window.says("You can play without devices")
    assert window.pages.devices.cards == {}
    assert not window.root.bar.buttons["devices"].chosen
    window.press("Back")
    assert window.page == "table"


def test_a_roll_is_shown_with_the_break_that_it_means(window: Driver, cup: EmulatedDevice) -> None:
    window.do(lambda state: editing.record(photo.set_rules(state, "hebei"), dealer=1))
    shown = connected(window, cup)
    assert window.root.bar.buttons["devices"].chosen
    assert shown.name.text == "Emulated dice cup"
    assert "CUP-EMULATED 1.0.0" in shown.about.text
    assert "reports: dice · can: beep" in shown.about.text
    assert "No reports yet." in shown.reported.text
    do(cup, "roll")
    window.wait(lambda: "Rolled" in shown.reported.text, "the roll")
    assert isinstance(cup.model, DiceCup)
    assert cup.model.last is not None
    first, second = (die.value for die in cup.model.last.dice)
    assert f"Rolled {first} + {second} = {first + second} · " in shown.reported.text
    throw = window.pages.devices.throw
    assert throw.game.text == f"Hebei · dealer: Right · {first} + {second} = {first + second}"
    side = (1 + first + second - 1) % 4
    assert throw.wall.head == WallPlace(side, first + second + 1, Layer.UPPER)
    assert f"stack {first + second + 1} from the right, upper tile" in throw.first.text


def test_another_game_breaks_its_own_wall_with_the_same_roll(window: Driver, cup: EmulatedDevice) -> None:
    connected(window, cup)
    do(cup, "roll")
    window.wait(lambda: window.devices.view.newest_start, "the roll")
    throw = window.pages.devices.throw
    assert throw.game.text.startswith("Hefei")
    before = throw.wall.head
    window.do(lambda state: editing.record(photo.set_rules(state, "hong_kong"), dealer=2))
    window.wait(lambda: throw.game.text.startswith("Hong Kong · dealer: Across"), "the other game")
    assert throw.wall.head != before


def test_nudged_dice_are_reported_and_break_nothing(window: Driver, cup: EmulatedDevice) -> None:
    shown = connected(window, cup)
    do(cup, "nudge")
    window.wait(lambda: "not counted as a roll" in shown.reported.text, "the nudge")
    assert window.devices.view.newest_start is None


def test_unplugged_and_plugged_in_again(window: Driver, cup: EmulatedDevice) -> None:
    shown = connected(window, cup)
    do(cup, "roll")
    window.wait(lambda: window.devices.view.newest_start, "the roll")
    cup.unplug()
    window.wait(lambda: shown.state.text == "Unplugged", "the state")
    assert shown.why.text == "Plug it in again: it is found automatically."
    assert "Rolled" in shown.reported.text
    assert not window.root.bar.buttons["devices"].chosen
    do(cup, "roll")  # while the cable is out
    cup.plug()
    window.wait(lambda: shown.state.text == "Connected", "the device")
    assert isinstance(cup.model, DiceCup)
    last = cup.model.last
    assert last is not None
    faces = " + ".join(str(die.value) for die in last.dice)
    window.wait(lambda: f"Rolled {faces}" in shown.reported.text, "the roll of meanwhile")
    assert faces in window.pages.devices.throw.game.text


def test_another_version_is_refused_with_its_number(window: Driver, tmp_path: Path) -> None:
    with EmulatedDevice(DiceCup(random.Random(1)), tmp_path / "new", Faults(wrong_version=True)) as device:
        listen(window, device.path)
        window.wait(lambda: card(window, device.path).state.text == "Wrong version", "the state")
        assert "speaks version 9" in card(window, device.path).why.text


def test_a_device_that_says_nothing_is_silent_for_so_long(
    window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.live.device_words.LOOKING_S", 0.5)
    with EmulatedDevice(DiceCup(random.Random(1)), tmp_path / "stuck", Faults(stuck=True)) as device:
        listen(window, device.path)
        shown = card(window, device.path)
        window.wait(lambda: shown.state.text.startswith("Silent for"), "the state")
        seconds = int(shown.state.text.split()[2])
        window.wait(lambda: int(shown.state.text.split()[2]) > seconds, "a second more")
        device.faults = Faults()
        window.wait(lambda: shown.state.text == "Connected", "the device")


def test_a_device_that_hangs_is_silent_from_when_it_was_heard(
    window: Driver, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = connected(window, cup)
    cup.faults = Faults(stuck=True)
    window.wait(lambda: shown.state.text.startswith("Silent for"), "the state")
    assert 3 <= int(shown.state.text.split()[2]) <= 6
    cup.faults = Faults()
    window.wait(lambda: shown.state.text == "Connected", "the device")


def test_a_port_that_is_not_there_and_a_file_that_is_none(window: Driver, tmp_path: Path) -> None:
    listen(window, tmp_path / "absent")
    window.wait(lambda: card(window, tmp_path / "absent").state.text == "Not there", "the state")
    assert "plug the device in" in card(window, tmp_path / "absent").why.text
    (tmp_path / "file").write_text("no port")
    listen(window, tmp_path / "file")
    window.wait(lambda: card(window, tmp_path / "file").state.text == "Cannot be opened", "the state")
    assert "not a serial port" in card(window, tmp_path / "file").why.text


def test_a_usb_id_that_is_none_is_one_sentence(window: Driver) -> None:
    listen(window, Path("usb:nonsense"))
    window.wait(lambda: window.says("'usb:nonsense' is not a USB id"), "the sentence")
    assert window.pages.devices.cards == {}


def test_another_language_on_the_line_is_not_understood(window: Driver, tmp_path: Path) -> None:
    with Hostile(tmp_path / "modem", b"AT+GMM\r\n\x00" * 20, pause_s=0.05):
        listen(window, tmp_path / "modem")
        window.wait(lambda: card(window, tmp_path / "modem").state.text == "Not understood", "the state")


def test_a_flood_is_stopped_reported_and_over_when_it_ends(
    window: Driver, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of messages wake the window at most once a frame; afterwards the next roll counts."""
    monkeypatch.setattr("firmware_bridge.link.FLOOD_PAUSE_S", 2.0)
    shown = connected(window, cup)
    do(cup, "roll")
    window.wait(lambda: "Rolled" in shown.reported.text, "the roll")
    flood = encode(Packet(Attention(1), 0)) * 8000
    cup.send_raw(flood)
    shows = frames = 0
    show = window.controller.on_view

    def count(view: WindowView) -> None:
        nonlocal shows
        shows += 1
        show(view)

    monkeypatch.setattr(window.controller, "on_view", count)
    end = time.monotonic() + 20
    while shown.state.text != "Sends too much":
        assert time.monotonic() < end, shown.state.text
        window.frames(1)
        frames += 1
    assert shows <= frames
    assert "tried again in" in shown.why.text
    assert "Rolled" in shown.reported.text
    window.wait(lambda: shown.state.text == "Connected", "the device")
    do(cup, "roll")
    assert isinstance(cup.model, DiceCup)
    assert cup.model.last is not None
    faces = " + ".join(str(die.value) for die in cup.model.last.dice)
    window.wait(lambda: faces in shown.reported.text, "the second roll")


def test_a_forgotten_device_is_let_go_and_a_remembered_one_comes_back(
    window: Driver, cup: EmulatedDevice
) -> None:
    connected(window, cup)
    press(window, "Forget")
    press(window, "Keep it")
    window.wait(lambda: "Keep it" not in window.texts(), "the question's end")
    assert str(cup.path) in window.pages.devices.cards
    assert [one.target for one in window.kept("devices").devices] == [str(cup.path)]
    press(window, "Forget")
    press(window, "Forget it")
    window.wait(lambda: window.pages.devices.cards == {}, "the device to go")
    window.wait(lambda: not cup.is_open, "the goodbye")
    assert window.kept("devices").devices == ()
    window.devices.listen(str(cup.path))
    window.wait(lambda: window.devices.choice.devices, "the device")
    window.controller.close()
    again = Driver(window.folder, ScriptedReader(), SIZES["tablet"])
    again.wait(lambda: again.devices.view.devices, "the device")
    assert [one.chosen.target for one in again.devices.view.devices] == [str(cup.path)]
    again.close()


def test_a_window_that_closes_says_goodbye(window: Driver, cup: EmulatedDevice) -> None:
    connected(window, cup)
    window.controller.close()
    window.wait(lambda: not cup.is_open, "the goodbye")


def test_devices_stay_remembered_while_they_are_being_opened(
    window: Driver, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window that is killed then has not forgotten them."""
    connected(window, cup)
    window.controller.close()
    gate, begin = threading.Event(), DeviceLinks.begin

    def begin_late(links: DeviceLinks, choice: ChosenDevices) -> None:
        assert gate.wait(20)
        begin(links, choice)

    monkeypatch.setattr(DeviceLinks, "begin", begin_late)
    again = Driver(window.folder, ScriptedReader(), SIZES["tablet"])
    again.controller.set_language(Language.SIMPLIFIED)  # which saves
    again.frames(5)
    assert [one.target for one in again.kept("devices").devices] == [str(cup.path)]
    gate.set()
    again.wait(lambda: again.devices.view.is_connected, "the device")
    assert [one.target for one in again.kept("devices").devices] == [str(cup.path)]
    again.close()
