"""Devices in the window: emulated ones on real pseudo-terminals, shown as they come, go and fail. Nothing
waits for them, and nothing that they told is lost.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from app_driver import SIZES, Driver, ScriptedSight, draw_picture
from test_screens import cut, too_small

from companion.app import devices, port_watch
from companion.app.device_words import Mood, standing, told
from companion.app.devices import Choice, Chosen, Line
from companion.app.pages import Page
from companion.app.port_watch import PortWatch, Serial
from companion.app.state import ScorePhoto
from companion.app.text import Language, Words
from companion.table.places import Layer, Place
from firmware_bridge import events, troubles
from firmware_bridge.codec import Packet, encode
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice, Faults
from firmware_bridge.handshake import Attention
from firmware_bridge.link import FLOOD_PAUSE_S, Link, LinkState
from firmware_bridge.plain import from_plain
from firmware_bridge.ports import Found, PortInfo, ask_all
from firmware_bridge.troubles import Trouble

if TYPE_CHECKING:  # which brings Kivy: not before the window is prepared
    from companion.app.widgets.devices import DeviceCard

TOUCH_LEAST = 48
"""dp; what has to be hit at a table, perhaps with a tile in the hand."""
VECTORS = Path(__file__).resolve().parents[2] / "firmware_bridge" / "vectors.jsonl"


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[EmulatedDevice]:
    with EmulatedDevice(DiceCup(random.Random(3)), tmp_path / "cup") as device:
        yield device


@pytest.fixture
def table(tmp_path: Path) -> Iterator[EmulatedDevice]:
    with EmulatedDevice(AutomaticTable(random.Random(3)), tmp_path / "table") as device:
        yield device


@pytest.fixture
def window(companion: Driver) -> Driver:
    companion.touch(companion.root.bar.buttons["devices"])
    assert companion.state.page is Page.DEVICES
    return companion


def listen(window: Driver, path: Path) -> None:
    """Type the port and press Connect, as a person does."""
    scroll(window, 0)
    connect = window.root.devices.connect
    connect.field.text = str(path)
    window.touch(connect.take)
    window.wait(lambda: not connect.field.text, "the touch")  # a list takes a moment to tell it from a drag
    scroll(window, 1)


def scroll(window: Driver, part: float) -> None:
    """Show the upper (1) or the lower (0) end of the list."""
    column = window.root.devices.column
    if column.inside.height > column.height:
        column.scroll_y = part
    window.frames(3)


def card(window: Driver, path: Path) -> DeviceCard:
    found: DeviceCard = window.root.devices.cards[str(path)]
    return found


def connected(window: Driver, device: EmulatedDevice) -> DeviceCard:
    listen(window, device.path)
    window.wait(lambda: card(window, device.path).state.text == "Connected", "the device")
    # until its snapshot has been told
    window.wait(lambda: line(window, device).link.status().picture.complete, "its snapshot")
    window.desk.devices.look()
    return card(window, device.path)


def press(window: Driver, text: str) -> None:
    """Touch the button that says `text`, as soon as it is there."""
    window.wait(lambda: text in window.texts(), text)
    window.frames(3)
    window.press(text)


def line(window: Driver, device: EmulatedDevice):  # type: ignore[no-untyped-def]
    return window.desk.devices._linked[str(device.path)]


def do(device: EmulatedDevice, *words: str) -> None:
    device.play(lambda t_ms: device.model.act(words, t_ms))


def test_without_any_device_everything_is_there(window: Driver) -> None:
    assert window.says("Nothing here is needed to play")
    assert window.root.devices.cards == {}
    assert not window.root.bar.buttons["devices"].chosen
    window.press("Back")
    assert window.state.page is Page.TABLE


def test_a_roll_is_shown_with_the_break_that_it_means(window: Driver, cup: EmulatedDevice) -> None:
    window.desk.do(lambda state: state.with_rules("hebei").with_dealer(1))
    shown = connected(window, cup)
    assert window.root.bar.buttons["devices"].chosen
    assert shown.name.text == "Emulated dice cup"
    assert "CUP-EMULATED 1.0.0" in shown.about.text
    assert "tells: dice · can: beep" in shown.about.text
    assert "It has told nothing yet." in shown.told.text
    do(cup, "roll")
    window.wait(lambda: "Rolled" in shown.told.text, "the roll")
    assert isinstance(cup.model, DiceCup)
    assert cup.model.last is not None
    first, second = (die.value for die in cup.model.last.dice)
    assert f"Rolled {first} + {second} = {first + second} · " in shown.told.text
    throw = window.root.devices.throw
    assert throw.game.text == f"Hebei · dealer: Right · {first} + {second} = {first + second}"
    side = (1 + first + second - 1) % 4
    assert throw.wall.head == Place(side, first + second + 1, Layer.UPPER)
    assert f"stack {first + second + 1} from the right, upper tile" in throw.first.text


def test_another_game_breaks_its_own_wall_with_the_same_roll(window: Driver, cup: EmulatedDevice) -> None:
    connected(window, cup)
    do(cup, "roll")
    window.wait(lambda: window.desk.devices.view.begun, "the roll")
    throw = window.root.devices.throw
    assert throw.game.text.startswith("Hefei")
    before = throw.wall.head
    window.desk.do(lambda state: state.with_rules("hong_kong").with_dealer(2))
    window.wait(lambda: throw.game.text.startswith("Hong Kong"), "the other game")
    assert "dealer: Across" in throw.game.text
    assert throw.wall.head != before


def test_nudged_dice_are_told_and_break_nothing(window: Driver, cup: EmulatedDevice) -> None:
    shown = connected(window, cup)
    do(cup, "nudge")
    window.wait(lambda: "which is no roll" in shown.told.text, "the nudge")
    assert window.desk.devices.view.begun is None


def test_unplugged_and_plugged_in_again(window: Driver, cup: EmulatedDevice) -> None:
    shown = connected(window, cup)
    do(cup, "roll")
    window.wait(lambda: window.desk.devices.view.begun, "the roll")
    cup.unplug()
    window.wait(lambda: shown.state.text == "Unplugged", "the state")
    assert shown.why.text == "Plug it in again: it is found by itself."
    assert "Rolled" in shown.told.text
    assert not window.root.bar.buttons["devices"].chosen
    do(cup, "roll")  # while the cable is out
    cup.plug()
    window.wait(lambda: shown.state.text == "Connected", "the device")
    assert isinstance(cup.model, DiceCup)
    last = cup.model.last
    assert last is not None
    faces = " + ".join(str(die.value) for die in last.dice)
    window.wait(lambda: f"Rolled {faces}" in shown.told.text, "the roll of meanwhile")
    assert faces in window.root.devices.throw.game.text


def test_another_version_is_told(window: Driver, tmp_path: Path) -> None:
    with EmulatedDevice(DiceCup(random.Random(1)), tmp_path / "new", Faults(wrong_version=True)) as device:
        listen(window, device.path)
        window.wait(lambda: card(window, device.path).state.text == "Wrong version", "the state")
        assert "speaks version 9" in card(window, device.path).why.text


def test_a_device_that_says_nothing_is_silent_for_so_long(
    window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.device_words.LOOKING_S", 0.5)
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
    assert "no serial port" in card(window, tmp_path / "file").why.text


def test_a_usb_id_that_is_none_is_one_sentence(window: Driver) -> None:
    listen(window, Path("usb:nonsense"))
    window.wait(lambda: window.says("'usb:nonsense' is no USB id"), "the sentence")
    assert window.root.devices.cards == {}


def test_another_language_on_the_line_is_told(window: Driver, tmp_path: Path) -> None:
    with Hostile(tmp_path / "modem", b"AT+GMM\r\n\x00" * 20, pause_s=0.05):
        listen(window, tmp_path / "modem")
        window.wait(lambda: card(window, tmp_path / "modem").state.text == "Not understood", "the state")


def test_a_flood_is_stopped_told_and_over_when_it_ends(
    window: Driver, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of messages wake the window at most once a frame; afterwards the next roll counts."""
    monkeypatch.setattr("firmware_bridge.link.FLOOD_PAUSE_S", 2.0)
    shown = connected(window, cup)
    do(cup, "roll")
    window.wait(lambda: "Rolled" in shown.told.text, "the roll")
    flood = encode(Packet(Attention(1), 0)) * 8000
    cup.send_raw(flood)
    looks = frames = 0
    look = window.desk.devices.look

    def count() -> None:
        nonlocal looks
        looks += 1
        look()

    monkeypatch.setattr(window.desk.devices, "look", count)
    end = time.monotonic() + 20
    while shown.state.text != "Sends too much":
        assert time.monotonic() < end, shown.state.text
        window.frames(1)
        frames += 1
    assert looks <= frames
    assert "tried again in" in shown.why.text
    assert "Rolled" in shown.told.text
    window.wait(lambda: shown.state.text == "Connected", "the device")
    do(cup, "roll")
    assert isinstance(cup.model, DiceCup)
    assert cup.model.last is not None
    faces = " + ".join(str(die.value) for die in cup.model.last.dice)
    window.wait(lambda: faces in shown.told.text, "the second roll")


def test_a_forgotten_device_is_let_go_and_a_remembered_one_comes_back(
    window: Driver, cup: EmulatedDevice
) -> None:
    connected(window, cup)
    press(window, "Forget")
    press(window, "Keep it")
    window.wait(lambda: "Keep it" not in window.texts(), "the question's end")
    assert str(cup.path) in window.root.devices.cards
    again = Driver(window.folder, ScriptedSight(), SIZES["tablet"])
    assert [one.chosen.target for one in again.desk.devices.view.lines] == [str(cup.path)]
    again.close()
    press(window, "Forget")
    press(window, "Forget it")
    window.wait(lambda: window.root.devices.cards == {}, "the device to go")
    window.wait(lambda: not cup.is_open, "the goodbye")
    third = Driver(window.folder, ScriptedSight(), SIZES["tablet"])
    assert third.desk.devices.view.lines == ()
    third.close()


def test_the_window_closes_at_once_and_says_goodbye(window: Driver, cup: EmulatedDevice) -> None:
    connected(window, cup)
    start = time.monotonic()
    window.desk.close()
    assert time.monotonic() - start < 1.0
    window.wait(lambda: not cup.is_open, "the goodbye")


def test_a_wall_of_another_game_is_told_and_the_seats_are_set(window: Driver, table: EmulatedDevice) -> None:
    shown = connected(window, table)
    do(table, "shuffle")
    window.wait(lambda: shown.wrong.text, "the wall")
    assert shown.wrong.text == "The table has built 136 tiles, and Hefei is played with 84: set it to 84."
    window.desk.do(lambda state: state.with_rules("hebei"))
    window.frames(3)
    assert shown.wrong.text == ""
    assert window.root.devices.throw.first.text == "The wall stands; nobody told the dice that break it."
    do(table, "press", "1", "1")
    window.wait(lambda: window.state.banner, "the button")
    assert window.says("Right: the win button was pressed.")
    window.touch(shown.seats.button("2"))
    window.wait(lambda: shown.seats.button("2").chosen, "the seat")
    do(table, "press", "1", "1")
    window.wait(lambda: window.says("Left: the win button was pressed."), "the button")
    again = Driver(window.folder, ScriptedSight(), SIZES["tablet"])
    assert again.desk.devices.choice == Choice((Chosen(str(table.path), 2),))
    again.close()


def test_a_win_button_is_only_a_question(window: Driver, table: EmulatedDevice, tmp_path: Path) -> None:
    window.open(draw_picture(tmp_path / "hand.png"))
    facts = window.state.facts
    window.touch(window.root.bar.buttons["devices"])
    connected(window, table)
    do(table, "press", "2", "1")
    window.wait(lambda: window.says("Across: the win button was pressed."), "the button")
    assert window.state.facts == facts
    window.touch(window.root.banner.dismiss)
    assert window.state.banner is None
    assert window.state.facts == facts
    do(table, "press", "2", "1")
    window.wait(lambda: window.says("Across wins"), "the button")
    press(window, "Across wins")
    window.wait(lambda: window.state.banner is None, "the touch")
    assert window.state.facts == replace(facts, winner=2)
    assert window.state.banner is None
    window.desk.do(ScorePhoto.undo)
    assert window.state.facts == facts


def test_a_table_that_has_stopped_says_why(window: Driver, table: EmulatedDevice) -> None:
    shown = connected(window, table)
    do(table, "fail", "4")
    window.wait(lambda: "The table has stopped: the lid is open" in shown.told.text, "the error")


def test_three_dice_are_no_throw_of_the_game(window: Driver, tmp_path: Path) -> None:
    with EmulatedDevice(DiceCup(random.Random(1), 4), tmp_path / "four") as device:
        shown = connected(window, device)
        do(device, "roll")
        window.wait(lambda: "is no throw of 2 dice" in shown.wrong.text, "the sentence")


class Plugs:
    """Ports of a computer that the test plugs devices into; asking them is real."""

    def __init__(self) -> None:
        self.ports: tuple[PortInfo, ...] = ()
        self.asked: list[str] = []

    def ask(self, paths: object) -> tuple[Found, ...]:
        wanted = [str(path) for path in paths]  # type: ignore[attr-defined]
        self.asked += wanted
        return ask_all(wanted, 1.0)

    @property
    def serial(self) -> Serial:
        return Serial(lambda: self.ports, self.ask, Link)


def test_devices_are_looked_for_only_when_asked_to(
    kivy_window: None, tmp_path: Path, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each USB port is asked once as long as it is plugged in; one that was forgotten is left alone."""
    monkeypatch.setattr(port_watch, "EVERY_S", 0.05)
    plugs = Plugs()
    plugs.ports = (PortInfo("/dev/ttyS0", "n/a", ""), PortInfo(str(cup.path), "Board", "2341:0043"))
    window = Driver(tmp_path, ScriptedSight(), SIZES["small"], serial=plugs.serial)
    window.touch(window.root.bar.buttons["devices"])
    window.wait(lambda: window.says(f"{cup.path} · Board"), "the ports")
    time.sleep(0.3)
    window.frames(3)
    assert plugs.asked == []
    window.press("Look for devices by itself")
    window.wait(lambda: window.desk.devices.view.connected, "the device")
    assert plugs.asked == [str(cup.path)]
    assert not window.says(f"{cup.path} · Board")
    press(window, "Forget")
    press(window, "Forget it")
    window.wait(lambda: window.root.devices.cards == {}, "the device to go")
    time.sleep(0.3)
    window.frames(3)
    assert window.root.devices.cards == {}
    assert plugs.asked == [str(cup.path)]
    plugs.ports = plugs.ports[:1]
    window.wait(lambda: not window.says("Board"), "the unplugged port")
    plugs.ports = (*plugs.ports, PortInfo(str(cup.path), "Board", "2341:0043"))
    window.wait(lambda: window.desk.devices.view.connected, "the device, plugged in again")
    again = Driver(window.folder, ScriptedSight(), SIZES["small"], serial=plugs.serial)
    assert again.desk.devices.choice == Choice((Chosen(str(cup.path)),), looking=True)
    again.close()
    window.close()


def test_a_port_is_chosen_with_a_touch(
    kivy_window: None, tmp_path: Path, cup: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugs = Plugs()
    plugs.ports = (PortInfo(str(cup.path), "Board", "2341:0043"),)
    window = Driver(tmp_path, ScriptedSight(), SIZES["small"], serial=plugs.serial)
    window.touch(window.root.bar.buttons["devices"])
    window.wait(lambda: str(cup.path) in window.root.devices.connect.ports, "the port")
    window.touch(window.root.devices.connect.ports[str(cup.path)])
    window.wait(lambda: window.desk.devices.view.connected, "the device")
    assert plugs.asked == []
    window.close()


def test_listing_ports_that_fails_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_watch, "EVERY_S", 0.01)
    tried = threading.Event()
    listed: list[object] = []

    def ports() -> tuple[PortInfo, ...]:
        if not tried.is_set():
            tried.set()
            raise OSError("a driver")
        return (PortInfo("/dev/ttyUSB0", "Board", ""),)

    watch = PortWatch(Serial(ports), lambda call: call(), listed.append, lambda *_: None)
    watch.start()
    end = time.monotonic() + 5
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
    (folder / "session.json").write_text('{"facts": {}, "devices": ' + content + "}")
    window = Driver(tmp_path, ScriptedSight(), SIZES["tablet"])
    assert window.says("was set aside")
    assert window.desk.devices.view.lines == ()
    window.close()


def test_more_devices_than_a_table_has_are_not_opened(
    window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "DEVICES_MAX", 2)
    for name in "abc":
        listen(window, tmp_path / name)
    assert window.says("2 devices are enough: forget one first.")
    assert len(window.root.devices.cards) == 2


@pytest.mark.parametrize("language", Language)
def test_every_message_and_every_state_has_words(language: Language) -> None:
    """Each message of the test vectors, each sentence of the bridge: none is left in another language."""
    words = Words(language)
    latin = set("abcdefghijklmnopqrstuvwxyz")
    vectors = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    said = [
        words.say(told(from_plain(each["fields"]), 1))
        for each in vectors
        if each["kind"] == "message" and each["fields"]["message"] in vars(events)
    ]
    start = Line(Chosen("port"), since=0.0)
    params = dict.fromkeys(("port", "target", "why", "version", "least", "most", "reason", "state"), "1")
    for state in LinkState:
        said.append(words.say(standing(replace(start, state=state), 1.0).short))
        for template in troubles.SENTENCES:
            how = standing(replace(start, state=state, trouble=Trouble(template, **params)), 1.0)
            said += [words.say(how.short), *([words.say(how.why)] if how.why else [])]
    assert all(said)
    if language is not Language.ENGLISH:
        kept = ("USB", "usb:VVVV:PPPP", "usb:2341:0043", "serial", "dialout", "VVVV", "PPPP")
        for sentence in said:
            for word in kept:
                sentence = sentence.replace(word, "")
            assert not latin & set(sentence.lower()), sentence


def test_how_a_link_stands_over_time() -> None:
    silent = Line(Chosen("port"), LinkState.GREETING, since=100.0)
    assert standing(silent, 102.9).mood is Mood.WAITING
    assert standing(silent, 159.0).short.params == {"n": 59}
    assert standing(silent, 220.0).short.params == {"n": 2}
    flood = replace(silent, state=LinkState.FLOOD)
    why = standing(flood, 110.0).why
    assert why is not None
    assert why.params == {"seconds": FLOOD_PAUSE_S - 10}


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
    window.wait(lambda: window.desk.devices.view.begun, "the roll")
    window.wait(lambda: card(window, table.path).wrong.text, "the wall")
    window.wait(lambda: card(window, other.path).state.text == "Wrong version", "the version")
    window.wait(lambda: card(window, folder / "absent").state.text == "Not there", "the absent one")


@pytest.mark.parametrize("size", SIZES)
def test_every_state_fits_at_every_size(kivy_window: None, tmp_path: Path, size: str) -> None:
    window = Driver(tmp_path, ScriptedSight(), SIZES[size])
    window.touch(window.root.bar.buttons["devices"])
    opened: tuple[EmulatedDevice, ...] = ()
    try:
        for step in (lambda *_: None, some_devices):
            step(window, tmp_path)
            opened = getattr(window, "opened", ())
            for language in Language:
                window.desk.set_language(language)
                window.frames(5)
                for part in (1, 0):
                    scroll(window, part)
                    window.shot(f"devices-{len(opened)}-{part}-{size}-{language}")
                    assert cut(window) == []
                    assert too_small(window) == []
                    assert lower_than_a_finger(window) == []
            window.desk.set_language(Language.ENGLISH)
            window.frames(3)
    finally:
        for device in opened:
            device.close()
        window.close()


def lower_than_a_finger(window: Driver) -> list[str]:
    from companion.app.widgets.basics import Press

    return [
        press.text
        for press in window.root.devices.walk(restrict=True)
        if isinstance(press, Press) and min(press.size) < TOUCH_LEAST
    ]


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
