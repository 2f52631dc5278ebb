"""A device's session in C: fuzzed, on for weeks, with hosts that ask too much or speak another version."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

from firmware_bridge.codec import Decoder, Packet, encode
from firmware_bridge.commands import Beep, Result, SnapshotRequest, StartShuffle
from firmware_bridge.events import Snapshot
from firmware_bridge.handshake import Ack, Attention, Bye, Heartbeat, Hello, Refused, Welcome
from firmware_bridge.ports import open_port, read_some
from tests.firmware_bridge.boards import running
from tests.programs import LIMIT_S

FUZZ_BYTES = int(os.environ.get("BRIDGE_FUZZ_BYTES", "10000000"))


def test_the_session_in_c_stands_fuzzing(built: Path) -> None:
    done = subprocess.run([built / "fuzz", str(FUZZ_BYTES), "7"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert int(done.stdout.split()[0]) >= FUZZ_BYTES


def test_a_cup_that_was_switched_on_weeks_ago_still_asks_for_attention(built: Path) -> None:
    """Between 24.9 and 49.7 days a difference of times has its highest bit set."""
    stray = encode(Packet(Heartbeat(0, 1), 9)).hex()
    days = (0, 30, 70)  # 30 and 40 days without one
    played = [f"{1000 + 86_400_000 * day} {stray}" for day in days]
    done = subprocess.run(
        [built / "session"],
        input="\n".join(played),
        capture_output=True,
        text=True,
        check=True,
        timeout=LIMIT_S,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    received = [each.message for _, data in lines for each in Decoder().feed(bytes.fromhex(data))]
    assert received == [Attention(7)] * (1 + len(days))


def test_commands_for_whose_answers_there_is_no_room_are_not_taken(built: Path) -> None:
    """A host that acknowledges no answer: the queue of 16 fills up, and the 17th command is not taken."""
    with running(built / "dice_cup") as board:
        port = open_port(board.path)
        port.write(encode(Packet(Hello(1, 1, 77), 77)))
        for number in range(1, 21):
            port.write(encode(Packet(Beep(880, 1), 77, number)))
        decoder = Decoder()
        got: list[Any] = []
        end = time.monotonic() + 60
        while Ack(17) not in got and time.monotonic() < end:
            got += [each.message for each in decoder.feed(read_some(port)) if isinstance(each, Packet)]
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            got += [each.message for each in decoder.feed(read_some(port)) if isinstance(each, Packet)]
        assert max(each.next for each in got if isinstance(each, Ack)) == 17
        assert not any(isinstance(each, Bye) for each in got)
        port.close()


def test_a_snapshot_asked_for_in_an_old_session_is_not_sent_in_the_new_one(built: Path) -> None:
    """One read brings the request, and the hello and the first frame of a host that was restarted."""
    with running(built / "dice_cup") as board:
        port = open_port(board.path)
        decoder = Decoder()
        got: list[Packet] = []

        def listen_for(session: int, message: object) -> None:
            end = time.monotonic() + 60
            while not any(each.session == session and each.message == message for each in got):
                assert time.monotonic() < end, got
                got.extend(each for each in decoder.feed(read_some(port)) if isinstance(each, Packet))

        port.write(encode(Packet(Hello(1, 1, 77), 77)) + encode(Packet(SnapshotRequest(8), 77, 1)))
        listen_for(77, Ack(2))
        asked = encode(Packet(SnapshotRequest(9), 77, 2))
        restarted = encode(Packet(Hello(1, 1, 78), 78)) + encode(Packet(Heartbeat(0, 1), 78))
        port.write(asked + restarted)
        port.write(encode(Packet(Beep(880, 1), 78, 1)))
        listen_for(78, Ack(2))
        port.write(encode(Packet(StartShuffle(), 78, 2)))
        listen_for(78, Ack(3))  # many turns of the program later
        reported = [each.message for each in got if each.session == 78]
        assert any(isinstance(each, Welcome) for each in reported)
        assert any(isinstance(each, Result) for each in reported)
        assert not any(isinstance(each, Snapshot) for each in reported)
        port.close()


def test_a_host_of_the_future_is_refused_in_c(built: Path) -> None:
    with running(built / "dice_cup") as board:
        port = open_port(board.path)
        port.write(encode(Packet(Hello(2, 9, 77), 77)))
        decoder = Decoder()
        got: list[Any] = []
        end = time.monotonic() + 60
        while not any(isinstance(each.message, Refused) for each in got) and time.monotonic() < end:
            got += [each for each in decoder.feed(read_some(port)) if isinstance(each, Packet)]
        assert got[-1] == Packet(Refused(77, 1, 1, 1), 77)
        port.close()
