"""A device in Python and a script of what happens to it, which the device in C plays again."""

from __future__ import annotations

import subprocess
from pathlib import Path

from firmware_bridge.codec import Decoder, Packet, encode
from firmware_bridge.commands import Beep, CommandOutcome, Result, SnapshotRequest
from firmware_bridge.device_session import DeviceSession, to_t_ms
from firmware_bridge.events import ButtonEvent, Snapshot, SnapshotPhase
from firmware_bridge.framing import wrap
from firmware_bridge.handshake import Ack, Capability, Hello, Welcome
from firmware_bridge.limits import PAYLOAD_BYTES_MAX
from firmware_bridge.peer import Received
from tests.programs import LIMIT_S

STEP_MS = 9
"""No time of the protocol is a multiple of it: none is reached exactly, where a rounded sum could miss it."""
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
            self.session.post(ButtonEvent(to_t_ms(now), 0, 1, 0))
        self.session.tick(now)
        if out := self.session.take_output():
            self.written.append((self.ms, out))

    def _carry_out(self, asked: Received, now: float) -> None:
        if isinstance(asked.message, SnapshotRequest):
            for phase in SnapshotPhase:
                self.session.post(Snapshot(to_t_ms(now), phase, asked.message.token))
        else:
            outcome = CommandOutcome.DONE if isinstance(asked.message, Beep) else CommandOutcome.UNSUPPORTED
            self.session.post(Result(to_t_ms(now), asked.seq, asked.message.TYPE, outcome))


def frames(written: list[tuple[int, bytes]]) -> list[tuple[int, object]]:
    """What was written, and when."""
    return [(ms, packet) for ms, data in written for packet in Decoder().feed(data)]


def in_c(built: Path, scripts: list[list[str]]) -> list[list[tuple[int, object]]]:
    """What the device in C writes to each script, and when; it is switched on anew for each."""
    lines = "\n".join("0 restart\n" + "\n".join(script) for script in scripts)
    done = subprocess.run(
        [built / "session"], input=lines, capture_output=True, text=True, check=True, timeout=LIMIT_S
    )
    assert done.stderr == ""
    _, *parts = done.stdout.split("restart\n")
    written = [[line.split() for line in part.splitlines()] for part in parts]
    return [frames([(int(ms), bytes.fromhex(data)) for ms, data in each]) for each in written]


def play(data: bytes) -> Played:
    """The steps of an input of firmware/fuzz/session.c, with these differences: whatever is posted there is a
    press of a button here, the line takes everything at once, and the device never closes the session itself.
    """
    left = list(data[2:])  # how commands are answered, and when the clock begins: always the same here
    played = Played()

    def take() -> int:
        return left.pop(0) if left else 0

    def cut(size: int) -> bytes:
        piece = bytes(left[:size])
        del left[:size]
        return piece

    while left:
        device = played.session
        expected, oldest = device._incoming.expected, device._outgoing._oldest
        full = device.unacknowledged >= ROOM
        step = take() % 8
        what: bytes | str = "wait"
        if step == 0 and (piece := cut(take())[:250]) and not full:
            what = piece
        elif step == 1:
            how, kind, payload = take(), take(), cut(take())[:PAYLOAD_BYTES_MAX]
            session = how if how & 3 else device._session
            number = (0, expected, (expected - 1) % 256, how)[how >> 2 & 3]
            wire = bytearray(wrap(bytes((kind, session, number)) + payload))
            damage = take() if how & 16 else 0
            wire[damage % len(wire)] ^= damage
            if not full:
                what = bytes(wire)
        elif step == 2:
            shift = take() % 25
            played.ms += STEP_MS * min((take() << shift) // STEP_MS, 3_000)
        elif step == 3:
            take()
        elif step == 4:
            cut([take(), take(), take()][2])
            what = "wait" if full else "press"
        elif step == 5:
            nonce = take() << 8 | 1
            what = encode(Packet(Hello(1, 1, nonce), nonce % 256))
        elif step == 6:
            how = take()
            ack = Ack((oldest + how % 16 - 1) % 255 + 1, bool(how >> 4 & 1))
            what = encode(Packet(ack, device._session))
        played.step(what)
    return played
