"""The C library, built with sanitizers: the same vectors, the same answers, its two programs on a link."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.codec import Decoder, Malformed, Packet, encode
from firmware_bridge.commands import (
    Beep,
    Outcome,
    Result,
    SetTileCount,
    ShowScore,
    SnapshotRequest,
    StartShuffle,
)
from firmware_bridge.emulator.walls import broken_at, drawing_order, sides_for
from firmware_bridge.events import (
    ButtonEvent,
    Dice,
    DicePhase,
    Die,
    Snapshot,
    Table,
    TableError,
    TableState,
    Tile,
)
from firmware_bridge.framing import Damage, stuff, wrap
from firmware_bridge.handshake import Ack, Attention, Bye, Heartbeat, Hello, Refused, Welcome
from firmware_bridge.link import Link, LinkState
from firmware_bridge.peer import Received
from firmware_bridge.plain import to_plain
from firmware_bridge.ports import open_port, read_some

SOURCE = Path(__file__).resolve().parents[2] / "firmware_bridge" / "firmware"
FUZZ_BYTES = int(os.environ.get("BRIDGE_FUZZ_BYTES", "10000000"))
Vector = dict[str, Any]


LIBRARY = ("mjb_frame.c", "mjb_message.c", "mjb_session.c", "mjb_dice.c")


def test_the_library_is_c99_and_needs_no_heap(built: Path) -> None:
    """All that it asks of a board's C library are four functions that copy, fill and compare memory."""
    objects = [built / f"{Path(source).stem}.o" for source in LIBRARY]
    for source, compiled in zip(LIBRARY, objects, strict=True):
        strict = (
            "-std=c99",
            "-pedantic",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Werror",
            "-Os",
            "-ffreestanding",
        )
        subprocess.run(["gcc", *strict, "-c", SOURCE / source, "-o", compiled], check=True)
    symbols = [
        line.split()
        for line in subprocess.run(
            ["nm", *objects], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        if line.strip() and not line.endswith(":")
    ]
    defined = {each[-1] for each in symbols if each[-2] != "U"}
    needed = {each[-1] for each in symbols if each[-2] == "U"} - defined
    assert needed <= {"memcpy", "memset", "memmove", "memcmp", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"}


def in_c(built: Path, wire: bytes) -> list[str]:
    """What the C codec finds in `wire`, one line for each piece."""
    told = subprocess.run([built / "vectors"], input=wire.hex(" ").encode(), capture_output=True, check=True)
    assert told.stderr == b""
    return told.stdout.decode().splitlines()


def in_python(wire: bytes) -> list[str]:
    """The same from the Python codec, in the same words."""
    lines = []
    for found in Decoder().feed(wire):
        if isinstance(found, Damage):
            lines.append(f"damage {found.name}")
        elif isinstance(found.message, Malformed):
            lines.append(f"malformed {found.message.type}")
        else:
            plain = json.dumps(to_plain(found.message), ensure_ascii=False, separators=(",", ":"))
            lines.append(f"{plain}\t{encode(found).hex()}\t{found.session}\t{found.seq}")
    return lines


def test_both_sides_agree_on_every_vector(built: Path, message_vector: Vector) -> None:
    (line,) = in_c(built, bytes.fromhex(message_vector["wire"]))
    fields, wire, session, seq = line.split("\t")
    assert json.loads(fields) == message_vector["fields"]
    assert wire == message_vector["wire"]
    assert (int(session), int(seq)) == (message_vector["session"], message_vector["seq"])


def test_both_sides_pass_over_newer_fields(built: Path, longer_vector: Vector) -> None:
    (line,) = in_c(built, bytes.fromhex(longer_vector["wire"]))
    assert json.loads(line.split("\t")[0]) == longer_vector["fields"]


def test_both_sides_refuse_the_same_fields(built: Path, malformed_vector: Vector) -> None:
    assert in_c(built, bytes.fromhex(malformed_vector["wire"])) == [f"malformed {malformed_vector['type']}"]


def test_both_sides_find_the_same_damage(built: Path, damage_vector: Vector) -> None:
    assert in_c(built, bytes.fromhex(damage_vector["wire"])) == [f"damage {damage_vector['damage']}"]


def test_both_sides_find_the_same_cobs(built: Path, cobs_vector: Vector) -> None:
    wire = bytes.fromhex(cobs_vector["stuffed"]) + b"\0"
    assert in_c(built, wire) == in_python(wire)


TYPES = (1, 3, 4, 5, 6, 7, 0x10, 0x11, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x40, 0x41, 0x42, 0x43, 0x4F, 0x60)


def test_both_sides_agree_on_thousands_of_payloads_and_much_garbage(built: Path) -> None:
    """Payloads of small numbers reach the edges of the ranges; every tenth frame is damaged."""
    rng = random.Random(20)
    wire = bytearray(b"\0")
    for _ in range(6_000):
        size = rng.choice((1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 30, 31, 122))
        payload = bytes(rng.choice((0, 0, 1, 2, 3, 5, 6, 17, 18, 83, 84, 144, 145, 255)) for _ in range(size))
        frame = bytearray(wrap(bytes((rng.choice(TYPES), rng.randrange(256), rng.randrange(256))) + payload))
        if rng.randrange(10) == 0:
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        wire += frame
        if rng.randrange(50) == 0:
            wire += rng.randbytes(rng.randrange(300))
    here, there = in_python(bytes(wire)), in_c(built, bytes(wire))
    assert there == here
    assert sum(line.startswith("{") for line in here) > 1_000
    assert sum(line.startswith("malformed") for line in here) > 1_000
    assert sum(line.startswith("damage") for line in here) > 300


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=140))
def test_both_sides_agree_on_any_bytes(built: Path, data: bytes) -> None:
    wire = data + b"\0" + stuff(data[:128]) + b"\0"
    assert in_c(built, wire) == in_python(wire)


def test_the_session_in_c_stands_fuzzing(built: Path) -> None:
    done = subprocess.run([built / "fuzz", str(FUZZ_BYTES), "7"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert int(done.stdout.split()[0]) >= FUZZ_BYTES


@pytest.mark.parametrize(
    ("played", "told"),
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
def test_only_a_settled_throw_of_all_dice_is_a_roll(built: Path, played: list[str], told: list[str]) -> None:
    done = subprocess.run(
        [built / "cup"], input="\n".join(played), capture_output=True, text=True, check=True
    )
    lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
    assert [what for _, what in lines if not what.startswith("moving")] == told
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
    ran = subprocess.run([program], input=host, capture_output=True, check=True)
    told = [each for each in Decoder().feed(ran.stdout) if isinstance(each, Packet)]
    assert isinstance(told[0].message, Attention)
    assert isinstance(told[1].message, Welcome)
    assert told[1].message.serial == "CUP-REFERENCE"
    assert told[2].message == Ack(2)
    numbered = {each.seq: each.message for each in told if each.seq}  # what nobody acknowledged came again
    assert [type(each) for each in numbered.values()] == [Snapshot, Snapshot, Dice]
    assert numbered[3] == Dice(numbered[3].t_ms, 1, DicePhase.SETTLED, (Die(6), Die(3)))
    assert 1_700 <= numbered[3].t_ms < 1_720
    moving = [each.message for each in told if isinstance(each.message, Dice) and not each.seq]
    assert 3 <= len(moving) <= 5


def test_a_cup_that_was_switched_on_weeks_ago_still_asks_for_attention(built: Path) -> None:
    """Between 24.9 and 49.7 days a difference of times has its highest bit set."""
    stray = encode(Packet(Heartbeat(0, 1), 9)).hex()
    days = (0, 30, 70)  # 30 and 40 days without one
    played = [f"{1000 + 86_400_000 * day} {stray}" for day in days]
    done = subprocess.run(
        [built / "session"], input="\n".join(played), capture_output=True, text=True, check=True
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    told = [each.message for _, data in lines for each in Decoder().feed(bytes.fromhex(data))]
    assert told == [Attention(7)] * (1 + len(days))


class Board:
    """A program of the firmware that runs as a device on a pseudo-terminal."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self.process.stdout is not None
        self.path = self.process.stdout.readline().strip()

    def do(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


@contextmanager
def running(program: Path) -> Iterator[Board]:
    board = Board(program)
    try:
        yield board
    finally:
        out, errors = board.process.communicate("quit\n", timeout=10)
        assert (board.process.returncode, errors) == (0, ""), out  # what sanitizers find stands there


def until(done: Callable[[], bool], link: Link, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, link.status()
        time.sleep(0.005)


def messages(link: Link) -> list[Any]:
    return [each.message for each in link.take() if isinstance(each, Received)]


def test_the_dice_cup_in_c(built: Path) -> None:
    with running(built / "dice_cup") as board, Link(board.path) as link:
        until(lambda: link.status().picture.complete, link)
        device = link.status().device
        assert device is not None
        assert (device.serial, device.kind) == ("CUP-REFERENCE", 1)
        board.do("roll")
        until(lambda: link.status().picture.roll is not None, link)
        board.do("nudge")
        got: list[Any] = []
        until(lambda: got.extend(messages(link)) or any(_nudged(each) for each in got), link)  # type: ignore[func-returns-value]
        settled = [each for each in got if isinstance(each, Dice) and each.phase == DicePhase.SETTLED]
        assert [each.roll for each in settled] == [1]
        assert any(isinstance(each, Dice) and each.phase == DicePhase.MOVING for each in got)
        assert link.status().picture.roll == settled[0]
        beep, shuffle = link.send(Beep(880, 100)), link.send(StartShuffle())
        answers: list[Any] = []
        until(lambda: answers.extend(messages(link)) or len(answers) == 2, link)  # type: ignore[func-returns-value]
        assert {each.command_seq: each.outcome for each in answers if isinstance(each, Result)} == {
            beep: Outcome.DONE,
            shuffle: Outcome.UNSUPPORTED,
        }


def _nudged(message: object) -> bool:
    return isinstance(message, Dice) and message.phase == DicePhase.NUDGED


def test_the_table_in_c(built: Path) -> None:
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().picture.complete, link)
        link.send(SetTileCount(108))
        link.send(StartShuffle())
        until(lambda: _state(link) == TableState.READY, link)
        wall = link.status().picture.wall
        assert wall is not None
        assert [side.stacks for side in wall.sides] == [14, 13, 14, 13]
        assert wall.remaining == 108
        board.do("draw", "draw", "draw", "return 0 0 1", "press 2 1")
        got: list[Any] = []
        until(
            lambda: got.extend(messages(link)) or sum(isinstance(each, ButtonEvent) for each in got) == 2,  # type: ignore[func-returns-value]
            link,
        )
        until(
            lambda: link.status().picture.wall is not None and link.status().picture.wall.remaining == 106,
            link,
        )
        pressed, released = (each for each in got if isinstance(each, ButtonEvent))
        assert (pressed.seat, pressed.button, pressed.action, released.action) == (2, 1, 0, 2)
        refused, score = link.send(StartShuffle()), link.send(ShowScore((300, -100, -200, 0)))
        answers: list[Any] = []
        until(lambda: answers.extend(messages(link)) or len(answers) == 2, link)  # type: ignore[func-returns-value]
        assert {each.command_seq: each.outcome for each in answers} == {
            refused: Outcome.REFUSED,
            score: Outcome.DONE,
        }
        board.do("fail 1")
        until(lambda: _state(link) == TableState.ERROR, link)
        picture = link.status().picture
        assert picture.table is not None
        assert picture.table.error == TableError.JAM
        link.close()
        with Link(board.path) as again:  # another program: the snapshot tells it the same
            until(lambda: again.status().picture.complete, again)
            assert again.status().picture == picture


def test_the_table_in_c_builds_what_was_set_at_the_shuffle(built: Path) -> None:
    """Hefei's 84 tiles are twelve stacks before the dealer; a count set while it builds is for the next."""
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().picture.complete, link)
        link.send(SetTileCount(84))
        link.send(StartShuffle(2))
        link.send(SetTileCount(144))
        until(lambda: _state(link) == TableState.READY, link)
        wall = link.status().picture.wall
        assert wall is not None
        assert [side.stacks for side in wall.sides] == [10, 10, 12, 10]
        assert wall.remaining == 84
        link.send(StartShuffle())
        until(lambda: _state(link) == TableState.BUILDING, link)
        until(lambda: _state(link) == TableState.READY, link)
        wall = link.status().picture.wall
        assert wall is not None
        assert wall.remaining == 144


def drawn_after(board: Board, link: Link, typed: str) -> list[tuple[int, int, int]]:
    """Places of the first three tiles of a hand that the side 2 deals, once this was typed."""
    link.send(StartShuffle(2))
    until(lambda: _state(link) == TableState.SHUFFLING, link)
    until(lambda: _state(link) == TableState.READY, link)
    link.take()
    board.do(typed)
    got: list[Any] = []
    for count in (1, 2, 3):
        board.do("draw")
        until(
            lambda count=count: (
                got.extend(messages(link)) or sum(isinstance(each, Tile) for each in got) == count
            ),  # type: ignore[misc]
            link,
        )
    board.do("end")
    until(lambda: _state(link) == TableState.IDLE, link)
    return [(each.side, each.stack, each.layer) for each in got if isinstance(each, Tile)]


def test_the_table_in_c_is_drawn_from_where_it_is_broken(built: Path) -> None:
    """By its dice, or by a person who says where; its last roll is in the next snapshot."""
    sides = sides_for(84, 2)
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().picture.complete, link)
        link.send(SetTileCount(84))
        drawn = drawn_after(board, link, "roll")
        until(lambda: link.status().picture.roll is not None, link)
        roll = link.status().picture.roll
        assert roll is not None
        assert drawn == [*islice(drawing_order(sides, *broken_at(sides, 2, roll.total)), 3)]
        assert drawn_after(board, link, "break 1 9") == [(1, 9, 1), (1, 9, 0), (0, 0, 1)]
        link.close()
        with Link(board.path) as again:
            until(lambda: again.status().picture.complete, again)
            assert again.status().picture.roll == roll


def test_the_table_in_c_fails_and_is_mended(built: Path) -> None:
    """Each change is told once; mended it goes on where it was; above an open lid no motor starts."""
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().picture.complete, link)
        link.take()
        link.send(StartShuffle())
        until(lambda: _state(link) == TableState.SHUFFLING, link)
        board.do("fail 1")
        until(lambda: _state(link) == TableState.ERROR, link)
        board.do("mend")
        until(lambda: _state(link) == TableState.READY, link)
        board.do("draw")
        until(lambda: _state(link) == TableState.PLAYING, link)
        board.do("fail 4")
        until(lambda: _state(link) == TableState.ERROR, link)
        link.send(StartShuffle())
        got: list[Any] = []
        until(lambda: got.extend(messages(link)) or sum(isinstance(each, Result) for each in got) == 2, link)  # type: ignore[func-returns-value]
        board.do("mend")
        until(lambda: _state(link) == TableState.PLAYING, link)
        got += messages(link)
        results = [each.outcome for each in got if isinstance(each, Result)]
        assert results == [Outcome.STARTED, Outcome.REFUSED]
        told = [(each.state, each.error) for each in got if isinstance(each, Table)]
        assert len(told) <= 9
        assert [each for each in told if each[1]] == [(5, TableError.JAM), (5, TableError.LID_OPEN)]


def test_commands_for_whose_answers_there_is_no_room_are_not_taken(built: Path) -> None:
    """A host that acknowledges no answer: the queue of 16 fills up, and the 17th command is not taken."""
    with running(built / "dice_cup") as board:
        port = open_port(board.path)
        port.write(encode(Packet(Hello(1, 1, 77), 77)))
        for number in range(1, 21):
            port.write(encode(Packet(Beep(880, 1), 77, number)))
        decoder = Decoder()
        got: list[Any] = []
        end = time.monotonic() + 10
        while Ack(17) not in got and time.monotonic() < end:
            got += [each.message for each in decoder.feed(read_some(port)) if isinstance(each, Packet)]
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            got += [each.message for each in decoder.feed(read_some(port)) if isinstance(each, Packet)]
        assert max(each.next for each in got if isinstance(each, Ack)) == 17
        assert not any(isinstance(each, Bye) for each in got)
        port.close()


def _state(link: Link) -> int | None:
    table = link.status().picture.table
    return table.state if table else None


def test_a_host_of_the_future_is_refused_in_c(built: Path) -> None:
    with running(built / "dice_cup") as board:
        port = open_port(board.path)
        port.write(encode(Packet(Hello(2, 9, 77), 77)))
        decoder = Decoder()
        got: list[Any] = []
        end = time.monotonic() + 5
        while not any(isinstance(each.message, Refused) for each in got) and time.monotonic() < end:
            got += [each for each in decoder.feed(read_some(port)) if isinstance(each, Packet)]
        assert got[-1] == Packet(Refused(77, 1, 1, 1), 77)
        port.close()


def test_the_table_in_c_on_a_bad_line(built: Path) -> None:
    """One byte in a hundred damaged, both ways: the wall is the same in the end."""
    with running(built / "automatic_table") as board, bad_line(board.path) as path, Link(path) as link:
        until(lambda: link.status().picture.complete, link, 20)
        link.send(StartShuffle())
        until(lambda: _state(link) == TableState.READY, link, 20)
        for _ in range(60):
            board.do("draw")
            time.sleep(0.002)
        until(
            lambda: link.status().picture.wall is not None and link.status().picture.wall.remaining == 76,
            link,
            20,
        )
        status = link.status()
        assert status.state is LinkState.OPEN
        assert status.damaged > 0


@contextmanager
def bad_line(path: str) -> Iterator[str]:
    """Another pseudo-terminal, tied to the one at `path`; one byte in a hundred is damaged."""
    import threading
    import tty

    from firmware_bridge.emulator import Faults

    faults = Faults(noise=0.004, dropped=0.003, doubled=0.003)
    rng = random.Random(9)
    device = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    stop = threading.Event()

    def carry() -> None:
        while not stop.is_set():
            for source, target in ((device, master), (master, device)):
                try:
                    os.write(target, faults.damage(os.read(source, 4096), rng))
                except BlockingIOError:
                    continue
            time.sleep(0.001)

    thread = threading.Thread(target=carry, daemon=True)
    thread.start()
    try:
        yield os.ttyname(slave)
    finally:
        stop.set()
        thread.join()
        for each in (device, master, slave):
            os.close(each)
