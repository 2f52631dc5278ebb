"""The dice cup in C: what is a roll, the Arduino sketch, and the cup on a link."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.codec import Decoder, Packet, encode
from firmware_bridge.commands import Beep, CommandOutcome, Result, SnapshotRequest, StartShuffle
from firmware_bridge.events import Dice, DicePhase, Die, Snapshot
from firmware_bridge.handshake import Ack, Attention, Hello, Welcome
from firmware_bridge.link import Link
from tests.firmware_bridge.boards import SOURCE, messages, running, until
from tests.programs import LIMIT_S


@pytest.mark.parametrize(
    ("played", "reported"),
    [
        # thrown together, at rest at 600: counted 300 ms later, once
        (["100 0m 0m", "600 3 5"], ["settled 1 3 5"]),
        # one die rocks on: the 300 ms begin when it is still
        (["100 0m 0m", "500 3 0m", "800 3 5", "900 3 5m", "950 3 6"], ["settled 1 3 6"]),
        # only one moved: no roll
        (["100 2m 1", "200 2 1"], ["nudged 0 2 1"]),
        # both moved, but one by one: no roll
        (["100 2m 1", "200 2 1", "700 2 4m", "750 2 4"], ["nudged 0 2 1", "nudged 0 2 4"]),
        # both moved without rest between, but the second came later than a throw: no roll
        (["100 2m 1", "650 2m 4m", "700 2 4"], ["nudged 0 2 4"]),
        # thrown, but one leans on something: no roll, and the next throw is the first
        (["100 0m 0m", "500 3 0", "2000 0m 0m", "2500 1 1"], ["nudged 0 3 0", "settled 1 1 1"]),
        # rolled, then nudged: the roll stays
        (["100 0m 0m", "600 3 5", "2000 3m 5", "2100 4 5"], ["settled 1 3 5", "nudged 1 4 5"]),
        # two rolls of the same faces are two
        (["100 0m 0m", "600 6 6", "2000 0m 0m", "2600 6 6"], ["settled 1 6 6", "settled 2 6 6"]),
        # a short touch while thrown dice come to rest belongs to the throw
        (["100 0m 0m", "400 2 2", "600 2m 2", "650 5 2"], ["settled 1 5 2"]),
        ([], []),
    ],
)
def test_only_a_settled_throw_of_all_dice_is_a_roll(
    built: Path, played: list[str], reported: list[str]
) -> None:
    done = subprocess.run(
        [built / "cup"], input="\n".join(played), capture_output=True, text=True, check=True, timeout=LIMIT_S
    )
    lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
    assert [what for _, what in lines if not what.startswith("moving")] == reported
    moving = [int(when) for when, what in lines if what.startswith("moving")]
    assert all(later - earlier >= 100 for earlier, later in pairwise(moving))


SKETCH = SOURCE / "arduino" / "dice_cup" / "dice_cup.ino"


def test_the_sketch_runs(built: Path) -> None:
    """Built of the files that its head names, on a board that is played: it says hello, and tells a throw."""
    if not shutil.which("g++"):
        pytest.skip("no g++ here: the sketch cannot be built (apt-get install g++)")
    board = Path(__file__).parent / "arduino"
    named = re.findall(r"mjb_\w+\.c|dice_cup\.c", SKETCH.read_text(encoding="utf-8").split("#include")[0])
    assert len(named) == 6
    flags = ("-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", f"-I{board}", f"-I{SOURCE}")
    objects = [built / f"sketch-{Path(name).stem}.o" for name in named]
    for name, compiled in zip(named, objects, strict=True):
        subprocess.run(["gcc", "-std=c99", *flags, "-c", SOURCE / name, "-o", compiled], check=True)
    program = built / "sketch"
    subprocess.run(
        ["g++", "-Wconversion", *flags, "-x", "c++", SKETCH, board / "core.cpp", "-x", "none", *objects,
         "-o", program], check=True,
    )  # fmt: skip
    host = encode(Packet(Hello(1, 1, 77), 77)) + encode(Packet(SnapshotRequest(9), 77, 1))
    ran = subprocess.run([program], input=host, capture_output=True, check=True, timeout=LIMIT_S)
    reported = [each for each in Decoder().feed(ran.stdout) if isinstance(each, Packet)]
    assert isinstance(reported[0].message, Attention)
    assert isinstance(reported[1].message, Welcome)
    assert reported[1].message.serial == "CUP-REFERENCE"
    assert reported[2].message == Ack(2)
    numbered = {
        each.seq: each.message for each in reported if each.seq
    }  # what nobody acknowledged came again
    assert [type(each) for each in numbered.values()] == [Snapshot, Snapshot, Dice]
    assert numbered[3] == Dice(numbered[3].t_ms, 1, DicePhase.SETTLED, (Die(6), Die(3)))
    assert 1_700 <= numbered[3].t_ms < 1_720
    moving = [each.message for each in reported if isinstance(each.message, Dice) and not each.seq]
    assert 3 <= len(moving) <= 5


def nudged(message: object) -> bool:
    return isinstance(message, Dice) and message.phase == DicePhase.NUDGED


def test_the_dice_cup_in_c(built: Path) -> None:
    with running(built / "dice_cup") as board, Link(board.path) as link:
        until(lambda: link.status().known.complete, link)
        device = link.status().device
        assert device is not None
        assert (device.serial, device.kind) == ("CUP-REFERENCE", 1)
        board.do("roll")
        until(lambda: link.status().known.roll is not None, link)
        board.do("nudge")
        got: list[Any] = []
        until(lambda: got.extend(messages(link)) or any(nudged(each) for each in got), link)  # type: ignore[func-returns-value]
        settled = [each for each in got if isinstance(each, Dice) and each.phase == DicePhase.SETTLED]
        assert [each.roll for each in settled] == [1]
        assert any(isinstance(each, Dice) and each.phase == DicePhase.MOVING for each in got)
        assert link.status().known.roll == settled[0]
        beep, shuffle = link.send(Beep(880, 100)), link.send(StartShuffle())
        answers: list[Any] = []
        until(lambda: answers.extend(messages(link)) or len(answers) == 2, link)  # type: ignore[func-returns-value]
        assert {each.command_seq: each.outcome for each in answers if isinstance(each, Result)} == {
            beep: CommandOutcome.DONE,
            shuffle: CommandOutcome.UNSUPPORTED,
        }
