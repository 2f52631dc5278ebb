"""A device's session in Python and in C: whatever a host does and a line breaks, both write the same."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.codec import Decoder, Packet, Unknown, encode
from firmware_bridge.commands import Beep, Outcome, Result, SetTileCount, ShowScore, SnapshotRequest
from firmware_bridge.device_session import DeviceSession, DeviceState, t_ms
from firmware_bridge.events import ButtonEvent, Snapshot, SnapshotPhase
from firmware_bridge.framing import wrap
from firmware_bridge.handshake import Ack, Attention, Bye, Capability, Heartbeat, Hello, Welcome
from firmware_bridge.peer import Received
from firmware_bridge.sequence import after

STEP_MS = 9
"""No time of the protocol is a multiple of it: none is reached exactly, where a rounded sum could miss it."""
STEPS = 8_000
ROOM = 10
"""The device is given nothing to tell while so much waits: the queue in C is shorter."""


class Played:
    """The device in Python, and a script of all that happened to it."""

    def __init__(self) -> None:
        about = Welcome(0, 1, 1, Capability(0), 7, 4, 0, "SAME")
        self.session = DeviceSession(about)
        self.script: list[str] = []
        self.written: list[tuple[int, bytes]] = []
        self.ms = 0
        self.session.start(0.0)

    def step(self, what: bytes | str) -> None:
        self.ms += STEP_MS
        now = self.ms / 1000
        self.script.append(f"{self.ms} {what.hex() if isinstance(what, bytes) else what}")
        if isinstance(what, bytes):
            for event in self.session.receive(what, now):
                if isinstance(event, Received):
                    self._carry_out(event, now)
        elif what == "press":
            self.session.post(ButtonEvent(t_ms(now), 0, 1, 0))
        self.session.tick(now)
        if out := self.session.take_output():
            self.written.append((self.ms, out))

    def _carry_out(self, asked: Received, now: float) -> None:
        if isinstance(asked.message, SnapshotRequest):
            for phase in SnapshotPhase:
                self.session.post(Snapshot(t_ms(now), phase, asked.message.token))
        else:
            outcome = Outcome.DONE if isinstance(asked.message, Beep) else Outcome.UNSUPPORTED
            self.session.post(Result(t_ms(now), asked.seq, asked.message.TYPE, outcome))


def of_a_host(rng: random.Random, played: Played) -> bytes:
    """One frame, often one that fits: of this session, with the expected number, an Ack that helps."""
    device = played.session
    session = device._session if rng.random() < 0.95 else rng.randrange(256)
    expected, oldest = device._incoming.expected, device._outgoing._oldest
    asked = [Beep(880, 1), ShowScore((1, 2, 3, 4)), SnapshotRequest(rng.randrange(256)), Unknown(0x44, b"?"),
             Unknown(0x7A, b""), ButtonEvent(0, 0, 1, 0), Attention(1)]  # fmt: skip
    message = rng.choice(
        (asked if device.unacknowledged < ROOM else [])
        + 9 * [Ack((oldest + rng.randrange(5) - 1) % 255 + 1, rng.random() < 0.3)]
        + 3 * [Heartbeat(0, (oldest + rng.randrange(3) - 1) % 255 + 1)]
    )
    kind = rng.random()
    if kind < 0.04 or (device.state is DeviceState.WAITING and kind < 0.3):
        nonce = rng.randrange(1, 2**32) if rng.random() < 0.7 else device._nonce or 5
        most = rng.choice((1, 1, 1, 2, 9))
        message, session = Hello(rng.choice((1, 1, most)), most, nonce | (not nonce % 256)), nonce % 256
    elif kind < 0.05:
        message = Bye(0)
    elif kind < 0.08 and device.unacknowledged < ROOM:  # a field that is not allowed
        return wrap(bytes((SetTileCount.TYPE, session, expected, 83)))
    numbered = not isinstance(message, Ack | Heartbeat | Bye | Hello | Attention)
    seq = rng.choice((expected, expected, expected, rng.randrange(256))) if numbered else 0
    wire = bytearray(encode(Packet(message, session, seq)))
    if rng.random() < 0.05:
        wire[rng.randrange(len(wire))] ^= 1 << rng.randrange(8)
    return bytes(wire)


def acknowledgement(played: Played) -> bytes:
    """Of all that is on the way: then the device has nothing to do but to beat."""
    outgoing = played.session._outgoing
    return encode(Packet(Ack(after(outgoing._oldest, len(outgoing._way))), played.session._session))


def frames(written: list[tuple[int, bytes]]) -> list[tuple[int, object]]:
    """What was written, and when."""
    return [(ms, packet) for ms, data in written for packet in Decoder().feed(data)]


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 39])
def test_the_session_in_c_writes_what_that_in_python_writes(built: Path, seed: int) -> None:
    """Hellos old and new, acknowledgements right and wrong, commands, damage, hosts that fall silent."""
    rng = random.Random(seed)
    played = Played()
    quiet_until, beats = 0, 0.0
    for _ in range(STEPS):
        quiet = played.ms < quiet_until
        if rng.random() < 0.001:
            quiet_until, beats = played.ms + rng.randrange(12_000), rng.choice((0, 0.01))
        if rng.random() < 0.03 and not quiet and played.session.unacknowledged < ROOM:
            played.step("press")
        elif rng.random() < (beats if quiet else 0.3):
            played.step(acknowledgement(played) if quiet else of_a_host(rng, played))
        else:
            played.step("wait")
    done = subprocess.run(
        [built / "session"], input="\n".join(played.script), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    in_c = [(int(ms), bytes.fromhex(data)) for ms, data in map(str.split, done.stdout.splitlines())]
    here, there = frames(played.written), frames(in_c)
    for mine, its in zip(here, there, strict=False):
        assert its == mine
    assert len(there) == len(here) > 300
    told = {type(packet.message) for _, packet in here if isinstance(packet, Packet)}
    assert told >= {Welcome, Attention, Ack, Heartbeat, Result, Snapshot, ButtonEvent, Bye}
