"""`companion devices`: real commands, real pseudo-terminals, emulated devices in processes of their own."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.commands.device_output import describe_event
from firmware_bridge.codec import Message
from firmware_bridge.commands import Beep, SetTileCount, ShowScore, StartShuffle
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice, Faults
from firmware_bridge.events import Tile
from firmware_bridge.link import Link
from firmware_bridge.peer import Received

pytestmark = pytest.mark.slow

LIMIT_S = 60


class Command:
    """`companion` with these arguments in a process of its own, which somebody types to."""

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def until(self, part: str) -> list[str]:
        """Its lines up to the first that has `part` in it."""
        lines = [self.line()]
        while part not in lines[-1]:
            assert lines[-1], (lines, self.process.poll())
            lines.append(self.line())
        return lines

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[str, str]:
        """Ctrl-C, or another signal; it must end well."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=LIMIT_S)
        assert self.process.returncode == 0, err
        return out, err


@contextmanager
def running(*arguments: object) -> Iterator[Command]:
    command = Command(*arguments)
    guard = threading.Timer(LIMIT_S, command.process.kill)
    guard.start()
    try:
        yield command
    finally:
        guard.cancel()
        command.process.kill()
        command.process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "port"


@pytest.fixture
def cup(path: Path) -> Iterator[EmulatedDevice]:
    with EmulatedDevice(DiceCup(random.Random(1)), path) as device:
        yield device


def roll(device: EmulatedDevice) -> None:
    device.play(lambda t_ms: device.model.act(["roll"], t_ms))


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


# list


def test_ports_are_asked_and_their_answers_listed(call: Any, cup: EmulatedDevice, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    model = DiceCup(random.Random(2))
    with EmulatedDevice(model, newer, Faults(wrong_version=True)):
        told = call(
            "devices", "list", cup.path, newer, tmp_path / "absent", "--seconds", "1", "--json"
        ).document
    ours, other, absent = told["ports"]
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
        watching.until("It has reported all that it has")
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
        recording.until("It has reported all that it has")
        recording.end()
    monkeypatch.setattr("companion.running.game.RunningGame.close", lambda *_: None)
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
def test_what_is_wrong_is_one_line(call: Any, arguments: list[str], status: int, said: str) -> None:
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
            told = json.loads(watching.until('"break"')[-1])
            faces = [die.value for die in cup.model.last.dice]  # type: ignore[attr-defined]
            assert told["dice"] == faces
            assert told["first"]["side"] == (2 + sum(faces) - 1) % 4


def test_a_throw_of_another_game_is_reported(path: Path) -> None:
    with (
        EmulatedDevice(DiceCup(random.Random(1), 3), path) as device,
        running("devices", "watch", path, "--rules", "hebei") as watching,
    ):
        watching.until("It has reported all that it has")
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
        watching.until("It has reported all that it has")
        device.play(lambda t_ms: table.act(["shuffle", "2"], t_ms))
        assert "84 tiles (stacks 10 10 12 10)" in watching.until("The wall stands")[-1]
        assert "The table is ready" in watching.line()
        device.play(table.end_hand)
        device.play(lambda t_ms: table.act(["shuffle", "0"], t_ms))
        assert "84 tiles (stacks 12 10 10 10)" in watching.until("The wall stands")[-1]
        assert "those of Hefei have 10 10 12 10" in watching.line()


@pytest.mark.parametrize(
    ("late_s", "said"), [(0.9, ""), (3.2, "   (3 s ago)"), (150, "   (2 min ago)"), (49_598, "   (14 h ago)")]
)
def test_what_happened_long_ago_is_printed_with_its_age(late_s: float, said: str) -> None:
    tile = Tile(0, 0, 3, 4, 1, 135)
    words = "Seat 3, stack 5, upper tile: drawn; 135 left in the wall"
    assert describe_event(Received(tile, 50_000.0, 50_000.0 - late_s)) == words + said


# emulate


def test_an_emulated_cup_is_watched(path: Path) -> None:
    with running("devices", "emulate", "cup", "--at", path, "--seed", "1") as cup:
        assert cup.line() == str(path)
        with running("devices", "watch", path) as watching:
            watching.until("It has reported all that it has")
            cup.until("a host is connected")
            cup.type("roll", "nudge", "dance", "roll 5", "")
            rolled = cup.until("roll 1")[-1].split(maxsplit=1)[1]
            assert rolled in watching.until("roll 1")[-1]
            assert "which is no roll" in watching.line()
            watching.end()
        cup.until("a host is gone")
        _, err = cup.end()
    assert "'dance' cannot be done: a dice cup can roll or nudge." in err
    assert not os.path.lexists(path)


def test_a_second_device_is_refused_the_path_of_the_first(path: Path, call: Any) -> None:
    with running("devices", "emulate", "cup", "--at", path) as cup:
        assert cup.line() == str(path)
        port = os.readlink(path)
        run = call("devices", "emulate", "cup", "--at", path, "--seconds", "0.1")
        assert f"'{path}' is the port of another device that is emulated: choose" in run.refused(2)
        assert os.readlink(path) == port
        cup.type("unplug")
        cup.until("now: unplug")
        path.write_text("something else")
        cup.type("plug", "quit")
        assert "cannot be plugged in" in cup.process.communicate(timeout=LIMIT_S)[1]
        assert path.read_text() == "something else"


def test_an_emulated_table_plays_by_itself_and_obeys(path: Path) -> None:
    with running("devices", "emulate", "table", "--at", path, "--every", "0.02", "--json") as table:
        first = json.loads(table.line())
        assert first["device"]["kind"] == "automatic table"
        rolled = [json.loads(line)["told"] for line in table.until('"roll": 1,')][-1]
        drawn = json.loads(table.until('"Tile"')[-1])["told"]
        assert (drawn["action"], drawn["remaining"]) == (0, 135)
        total = sum(die["value"] for die in rolled["dice"])
        assert (drawn["side"], drawn["stack"], drawn["layer"]) == ((total - 1) % 4, total, 1)
        table.type("press 2 1")
        assert json.loads(table.until('"ButtonEvent"')[-1])["told"]["seat"] == 2
        table.type("quit")
        assert table.process.wait(LIMIT_S) == 0


def test_what_a_host_asks_of_an_emulated_table_is_printed(path: Path) -> None:
    with running("devices", "emulate", "table", "--at", path) as table, Link(str(path)) as link:
        wait_for(lambda: link.status().known.complete)
        for command, told in (
            (SetTileCount(84), "asked for walls of 84 tiles: done"),
            (ShowScore((300, -100, -200, 0)), "asked for the score 300 -100 -200 0: done"),
            (Beep(880, 200), "asked for a beep of 880 Hz for 200 ms: done"),
            (StartShuffle(2), "asked for a shuffle before seat 2 deals: started"),
            (StartShuffle(), "asked for a shuffle: refused"),
        ):
            link.send(command)
            assert told in table.until("asked for")[-1]


def test_a_table_can_do_what_its_actions_say() -> None:
    table = AutomaticTable(random.Random(1))
    for line in (
        "shuffle",
        "end",
        "shuffle 2",
        "roll",
        "nudge",
        "draw",
        "lay 0 3",
        "lift 0 3",
        "press 2 1",
        "end",
        "fail 1",
        "mend",
    ):
        word = line.split()[0]
        assert any(action.split()[0] == word for action in table.ACTIONS)
        table.act(line.split(), 0)
    for line in (
        "shuffle now",
        "press 5 1",
        "press 0",
        "press a b",
        "lift 4 0",
        "fail 0",
        "fly",
        "return 9 9 9",
        "break 9 9",
    ):
        with pytest.raises(ValueError):  # noqa: PT011  # a MessageError, or what int() says
            table.act(line.split(), 0)


def test_faults_of_the_line_can_be_typed(path: Path) -> None:
    with (
        running("devices", "emulate", "cup", "--at", path, "--slow", "9600", "--noise", "0.01") as cup,
        running("devices", "watch", path, "--wait") as watching,
    ):
        watching.until("It has reported all that it has")
        cup.type("unplug")
        watching.until("Unplugged")
        assert not os.path.lexists(path)
        cup.type("roll", "plug")
        watching.until("roll 1")
        cup.type("restart")
        watching.until("The session ended")
        watching.until("It has reported all that it has")
        cup.type("stuck")
        watching.until("nothing was heard")
        cup.type("go")
        watching.until("roll 1")


def test_a_cable_that_is_pulled_out_again_and_again(path: Path) -> None:
    with (
        running("devices", "emulate", "cup", "--at", path, "--every", "0.1", "--unplug-every", "0.6") as cup,
        running("devices", "watch", path, "--wait") as watching,
    ):
        for _ in range(2):
            watching.until("Connected")
            watching.until("Unplugged")
        assert "now: unplug" in cup.until("now: unplug")[-1]


def test_nobody_types(path: Path) -> None:
    """With its input at an end, as in the background of a script, a device stays."""
    command = ("companion", "devices", "emulate", "cup", "--seconds", "0.5", "--every", "0.05")
    done = subprocess.run(
        [sys.executable, "-m", *command],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert "roll 3" in done.stdout
