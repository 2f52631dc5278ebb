"""`companion devices`: real commands, real pseudo-terminals, emulated devices in processes of their own."""

from __future__ import annotations

import json
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from companion.commands.devices import describe_event
from firmware_bridge.codec import Message
from firmware_bridge.commands import SetTileCount
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice, Faults
from firmware_bridge.events import Tile
from firmware_bridge.peer import Received
from tests.cli.typed_command import roll, running

pytestmark = pytest.mark.slow


# list


def test_ports_are_asked_and_their_answers_listed(call: Any, cup: EmulatedDevice, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    model = DiceCup(random.Random(2))
    with EmulatedDevice(model, newer, Faults(wrong_version=True)):
        document = call(
            "devices", "list", cup.path, newer, tmp_path / "absent", "--seconds", "1", "--json"
        ).document
    ours, other, absent = document["ports"]
    assert ours["device"] == {
        "serial": "CUP-EMULATED", "model": "Emulated dice cup", "firmware": "1.0.0", "kind": "dice cup",
        "capabilities": ["dice", "beep"], "version": 1,
    }  # fmt: skip
    assert (ours["refused"], ours["trouble"]) == (None, None)
    assert other["device"] is None
    assert "version 9" in other["refused"]
    assert "no such port" in absent["trouble"]


def test_ports_for_people(call: Any, cup: EmulatedDevice) -> None:
    run = call("devices", "list", cup.path, "--seconds", "1")
    assert run.status == 0
    assert "CUP-EMULATED" in run.out


def test_a_port_that_answers_nothing_is_an_answer(call: Any, path: Path) -> None:
    with EmulatedDevice(DiceCup(random.Random(1)), path, Faults(stuck=True)):
        (entry,) = call("devices", "list", path, "--seconds", "0.2", "--json").document["ports"]
    assert (entry["device"], entry["refused"], entry["trouble"]) == (None, None, None)


def test_any_where_nothing_is_plugged_in(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.link.list_serial_ports", tuple)
    assert "No device is plugged in with a USB id" in call("devices", "watch").refused(3)


def test_a_computer_without_ports(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    assert call("devices", "list", "--json").document == {"ports": []}
    assert "no serial port" in call("devices", "list").out


@pytest.mark.parametrize("target", ["/dev/absent", "usb:0001:0001"])
def test_ports_that_are_not_there(call: Any, target: str) -> None:
    run = call("devices", "list", target, "--json")
    assert run.status == 3
    assert target.removeprefix("usb:") in run.complaint
    assert json.loads(run.out)["ports"][0]["trouble"] in run.err


# watch and record


def test_rolls_are_watched_as_they_come(cup: EmulatedDevice) -> None:
    with running("devices", "watch", cup.path) as watching:
        connected = watching.until("Connected")[-1]
        assert "CUP-EMULATED" in connected
        assert float(connected.split()[0]) >= 0
        watching.until("Its current state is complete")
        roll(cup)
        assert "The dice are rolling" in watching.line()
        assert "Rolled 5 + 1 = 6 (roll 1)" in watching.line()
        cup.unplug()
        watching.until("Unplugged")
        cup.plug()
        watching.until("Connected")
        cup.restart()
        watching.until("The session ended")
        assert watching.end()[1] == ""


def test_lines_for_programs(cup: EmulatedDevice) -> None:
    with running("devices", "watch", cup.path, "--json") as watching:
        watching.until('"phase": 1')
        roll(cup)
        lines = [json.loads(line) for line in watching.until('"roll": 1, "phase": 1')]
    assert lines[-1]["event"] == "received"
    assert lines[-1]["dice"] == [{"value": 5, "moving": False}, {"value": 1, "moving": False}]


def test_a_session_is_recorded_and_played_back(cup: EmulatedDevice, tmp_path: Path, call: Any) -> None:
    file = tmp_path / "session.jsonl"
    with running("devices", "record", file, cup.path, "--json") as recording:
        lines = recording.until('"phase": 1')
        roll(cup)
        lines += recording.until('"roll": 1, "phase": 1')
        _, err = recording.end(signal.SIGTERM)
    assert str(file) in err
    events = [line for line in map(json.loads, lines) if line["event"] != "state"]
    run = call("devices", "replay", file, "--speed", "0", "--json")
    assert run.status == 0
    replayed = [json.loads(line) for line in run.out.splitlines()]
    assert [without_time(each) for each in replayed] == [without_time(each) for each in events]
    began = time.monotonic()
    shown = call("devices", "replay", file, "--speed", "20")
    assert time.monotonic() - began >= replayed[-1]["t"] / 20
    assert "Rolled 5 + 1 = 6 (roll 1)" in shown.out
    broken = call("devices", "replay", file, "--speed", "0", "--rules", "hebei").out
    assert "Hebei · dealer: Seat 0 · 5 + 1 = 6 · The first tile: Seat 1, stack 7 from the right" in broken
    assert "there already" in call("devices", "record", file, cup.path).refused(2)


def without_time(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != "t"}


PRESSED = [(0, 4), (1, 3), (2, 1), (3, 6)]
"""Sides and their buttons: pung, chow, win, ready."""


@pytest.mark.parametrize("options", [[], ["--rules", "hefei"]])
def test_every_button_of_a_burst_has_its_line(path: Path, options: list[str]) -> None:
    """Whether or not a game is played."""
    with (
        EmulatedDevice(AutomaticTable(random.Random(3)), path) as table,
        running("devices", "watch", path, "--json", *options) as watching,
    ):
        watching.until('"phase": 1')

        def press(t_ms: int) -> list[Message]:
            words = [("press", str(side), str(button)) for side, button in PRESSED]
            return [message for each in words for message in table.model.act(each, t_ms)]

        table.play(press)
        lines = [json.loads(line) for line in watching.until('"button": 6, "action": 2')]
    buttons = [each for each in lines if "button" in each]
    assert [(each["seat"], each["button"]) for each in buttons if each["action"] == 0] == PRESSED
    assert len(buttons) == 2 * len(PRESSED)


def test_a_replay_whose_game_does_not_close_ends(
    cup: EmulatedDevice, tmp_path: Path, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "session.jsonl"
    with running("devices", "record", file, cup.path) as recording:
        recording.until("Its current state is complete")
        recording.end()
    monkeypatch.setattr("companion.live.running.RunningGame.close", lambda *_: None)
    monkeypatch.setattr("companion.commands.devices.CLOSED_WITHIN_S", 0.3)
    run = call("devices", "replay", file, "--speed", "0")
    assert run.status == 3
    assert "not played back to its end" in run.err


def test_seconds_end_it(call: Any, cup: EmulatedDevice) -> None:
    run = call("devices", "watch", cup.path, "--seconds", "0.5")
    assert (run.status, run.err) == (0, "")
    assert "Connected" in run.out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["watch", "/dev/absent"], 3, "no such port"),
        (["watch", "usb:0001:0001"], 3, "No device is plugged in"),
        (["watch", "usb:1"], 2, "not a USB id"),
        (["watch", "x", "--rules", "chess"], 2, "--rules must be hefei or"),
        (["watch", "x", "--rules", "hefei", "--dealer", "4"], 2, "--dealer"),
        (["watch", "nonsense://x"], 3, "nonsense"),
        (["watch", __file__], 3, "not a serial port"),
        (["watch", "x", "--seconds", "soon"], 2, "must be a number"),
        (["record", "/absent/file", "/dev/absent"], 2, "cannot be written"),
        (["replay", "/absent"], 2, "cannot be read"),
        (["replay", __file__], 2, "line 1"),
        (["emulate", "chair"], 2, "chair"),
        (["emulate", "cup", "--noise", "2"], 2, "--noise"),
        (["emulate", "cup", "--noise", "0.6", "--dropped", "0.6"], 2, "must not exceed 1"),
        (["emulate", "cup", "--serial", "S" * 25], 2, "--serial"),
        (["emulate", "cup", "--serial", ""], 2, "--serial"),
        (["emulate", "cup", "--at", __file__], 2, "there already"),
        (["emulate", "cup", "--at", "/absent/port"], 2, "cannot be made"),
        (["emulate", "cup", "--dice", "7"], 2, "--dice"),
    ],
)
def test_error_is_one_line(call: Any, arguments: list[str], status: int, said: str) -> None:
    before = Path(__file__).read_bytes()
    assert said in call("devices", *arguments).refused(status)
    assert Path(__file__).read_bytes() == before


def test_a_port_that_comes_later_is_waited_for(path: Path) -> None:
    with running("devices", "watch", path, "--wait") as watching:
        watching.until("Not there")
        with EmulatedDevice(DiceCup(random.Random(1)), path):
            watching.until("Connected")


def test_another_version_is_refused_with_its_number(path: Path) -> None:
    with (
        EmulatedDevice(DiceCup(random.Random(1)), path, Faults(wrong_version=True)),
        running("devices", "watch", path) as watching,
    ):
        assert "version 9" in watching.until("Wrong version")[-1]


def test_a_port_that_does_not_come_in_time(call: Any) -> None:
    run = call("devices", "watch", "/dev/absent", "--wait", "--seconds", "0.3")
    assert run.status == 3
    assert "no such port" in run.complaint


def test_a_silent_port_within_seconds(call: Any, path: Path) -> None:
    with EmulatedDevice(DiceCup(random.Random(1)), path, Faults(stuck=True)):
        run = call("devices", "watch", path, "--seconds", "0.4")
    assert run.status == 3
    assert "answered" in run.complaint


@pytest.mark.parametrize("rules", ["hebei", "Hong-Kong"])
def test_a_roll_breaks_the_wall(cup: EmulatedDevice, rules: str) -> None:
    with running("devices", "watch", cup.path, "--rules", rules, "--dealer", "2", "--json") as watching:
        watching.until('"phase": 1')
        for _ in range(2):
            roll(cup)
            document = json.loads(watching.until('"break"')[-1])
            faces = [die.value for die in cup.model.last.dice]  # type: ignore[attr-defined]
            assert document["dice"] == faces
            assert document["first"]["side"] == (2 + sum(faces) - 1) % 4


def test_a_throw_of_another_game_is_reported(path: Path) -> None:
    with (
        EmulatedDevice(DiceCup(random.Random(1), 3), path) as device,
        running("devices", "watch", path, "--rules", "hebei") as watching,
    ):
        watching.until("Its current state is complete")
        roll(device)
        watching.until("roll 1")
        assert "is not a throw of 2 dice" in watching.line()


def test_walls_of_hefei_go_by_who_deals(path: Path) -> None:
    """The dealer's wall has twelve stacks: a table that is told who deals builds it there."""
    table = AutomaticTable(random.Random(1))
    table.command(SetTileCount(84), 0)
    with (
        EmulatedDevice(table, path) as device,
        running("devices", "watch", path, "--rules", "hefei", "--dealer", "2") as watching,
    ):
        watching.until("Its current state is complete")
        device.play(lambda t_ms: table.act(["shuffle", "2"], t_ms))
        assert "84 tiles (stacks 10 10 12 10)" in watching.until("Wall built")[-1]
        assert "The table is ready" in watching.line()
        device.play(table.end_hand)
        device.play(lambda t_ms: table.act(["shuffle", "0"], t_ms))
        assert "84 tiles (stacks 12 10 10 10)" in watching.until("Wall built")[-1]
        assert "those of Hefei have 10 10 12 10" in watching.line()


@pytest.mark.parametrize(
    ("late_s", "said"), [(0.9, ""), (3.2, "   (3 s ago)"), (150, "   (2 min ago)"), (49_598, "   (14 h ago)")]
)
def test_old_event_is_printed_with_its_age(late_s: float, said: str) -> None:
    tile = Tile(0, 0, 3, 4, 1, 135)
    words = "Seat 3, stack 5, upper tile: drawn; 135 left in the wall"
    assert describe_event(Received(tile, 50_000.0, 50_000.0 - late_s)) == words + said
