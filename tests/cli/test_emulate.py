"""`companion devices emulate`: devices in processes of their own, which somebody types to."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands import Beep, SetTileCount, ShowScore, StartShuffle
from firmware_bridge.emulator import AutomaticTable
from firmware_bridge.link import Link
from tests.cli.typed_command import running, wait_for
from tests.programs import LIMIT_S

pytestmark = pytest.mark.slow


def test_an_emulated_cup_is_watched(path: Path) -> None:
    with running("devices", "emulate", "cup", "--at", path, "--seed", "1") as cup:
        assert cup.line() == str(path)
        with running("devices", "watch", path) as watching:
            watching.until("Its current state is complete")
            cup.until("a host is connected")
            cup.type("roll", "nudge", "dance", "roll 5", "")
            rolled = cup.until("roll 1")[-1].split(maxsplit=1)[1]
            assert rolled in watching.until("roll 1")[-1]
            assert "not counted as a roll" in watching.line()
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
        assert "cannot be plugged in" in cup.process.communicate()[1]
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
        assert table.process.wait() == 0


def test_commands_of_a_host_are_printed(path: Path) -> None:
    with running("devices", "emulate", "table", "--at", path) as table, Link(str(path)) as link:
        wait_for(lambda: link.status().known.complete)
        for command, reported in (
            (SetTileCount(84), "asked for walls of 84 tiles: done"),
            (ShowScore((300, -100, -200, 0)), "asked for the score 300 −100 −200 0: done"),
            (Beep(880, 200), "asked for a beep of 880 Hz for 200 ms: done"),
            (StartShuffle(2), "asked for a shuffle before seat 2 deals: started"),
            (StartShuffle(), "asked for a shuffle: refused"),
        ):
            link.send(command)
            assert reported in table.until("asked for")[-1]


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
        watching.until("Its current state is complete")
        cup.type("unplug")
        watching.until("Unplugged")
        assert not os.path.lexists(path)
        cup.type("roll", "plug")
        watching.until("roll 1")
        cup.type("restart")
        watching.until("The session ended")
        watching.until("Its current state is complete")
        cup.type("stuck")
        watching.until("no answer")
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
