"""What a link must survive, tried on pseudo-terminals: tests do it in small, a benchmark in full."""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.codec import Decoder, Malformed, Message, encode
from firmware_bridge.commands import StartShuffle
from firmware_bridge.emulator.device import EmulatedDevice
from firmware_bridge.emulator.faults import Faults
from firmware_bridge.emulator.models import AutomaticTable
from firmware_bridge.events import (
    Button,
    ButtonEvent,
    Dice,
    DicePhase,
    Die,
    Discard,
    DiscardAction,
    Snapshot,
    Table,
    TableError,
    TableState,
)
from firmware_bridge.framing import Damage, wrap
from firmware_bridge.handshake import Welcome
from firmware_bridge.limits import BODY_BYTES_MAX, FIRMWARE_BYTES_MAX, MODEL_BYTES_MAX, SERIAL_BYTES_MAX
from firmware_bridge.link import Link
from firmware_bridge.peer import Received
from firmware_bridge.session import LinkEvent, SessionOpened

ONE_IN_A_HUNDRED = Faults(noise=0.0034, dropped=0.0033, doubled=0.0033)
QUEUED_MAX = 20
"""A device with more unsent messages than this waits."""
HELD_S = 60.0
"""A trial in which nothing goes on for this time has failed."""


class TrialError(AssertionError):
    """Nothing went on any more."""


def make_message(number: int) -> Message:
    """One of four kinds of message that no snapshot repeats and no wall contradicts, each time another."""
    match number % 4:
        case 0:
            return Dice(number, number % 65535 + 1, DicePhase.SETTLED, (Die(3), Die(number % 6 + 1)))
        case 1:
            return ButtonEvent(number, number % 5, Button.WIN, 0)
        case 2:
            return Discard(number, DiscardAction.LIFTED, number % 4, number % 255)
    return Table(number, TableState.PLAYING, TableError.NONE, 84 + number % 61, number % 65536)


@dataclass(frozen=True, slots=True)
class BadLineTrial:
    """`arrived`: all messages, each once, in order. `damaged` frames came, `sessions` there were."""

    messages: int
    arrived: bool
    damaged: int
    sessions: int
    seconds: float


def try_bad_line(messages: int, faults: Faults = ONE_IN_A_HUNDRED, seed: int = 5) -> BadLineTrial:
    """Send `messages` messages over a line that damages bytes in both directions."""
    sent = [make_message(number) for number in range(messages)]
    events: list[LinkEvent] = []
    with tempfile.TemporaryDirectory(prefix="bridge-") as folder:
        path = Path(folder) / "port"
        table = AutomaticTable(random.Random(seed))
        with EmulatedDevice(table, path, faults, seed) as device, Link(str(path)) as link:
            wait_for(lambda: link.status().known.complete)
            began = time.monotonic()
            for each in sent:
                if device.unacknowledged > QUEUED_MAX:
                    events += link.take()
                    wait_for(lambda: device.unacknowledged <= QUEUED_MAX)
                device.tell(each)
            wait_for(lambda: device.unacknowledged == 0)
            seconds = time.monotonic() - began
            events += link.take()
            damaged = link.status().damaged
    received = [each.message for each in events if isinstance(each, Received)]
    end_of_snapshot = max(at for at, each in enumerate(received) if isinstance(each, Snapshot))
    sessions = sum(isinstance(each, SessionOpened) for each in events)
    return BadLineTrial(messages, received[end_of_snapshot + 1 :] == sent, damaged, sessions, seconds)


@dataclass(frozen=True, slots=True)
class UnplugTrial:
    """`same`: what the link knows at the end is what the table has, of whose wall `drawn` tiles are gone."""

    times: int
    same: bool
    drawn: int
    sessions: int
    seconds: float


def try_unplugging(times: int, seed: int = 3) -> UnplugTrial:
    """Pull the cable out `times` times in a hand, at any moment, while tiles are drawn."""
    rng = random.Random(seed)
    table = AutomaticTable(rng)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bridge-") as folder:
        path = Path(folder) / "port"
        with EmulatedDevice(table, path) as device, Link(str(path)) as link:
            wait_for(lambda: link.status().known.complete)
            link.send(StartShuffle())
            wait_for(lambda: table.table.state == TableState.READY)
            for _ in range(times):
                before = link.status().sessions
                device.unplug()
                for _ in range(rng.randrange(3)):
                    device.play(table.draw)
                time.sleep(rng.random() * 0.03)
                device.plug()
                if rng.randrange(4):  # else it is pulled out before the link has noticed it
                    wait_for(lambda before=before: link.status().sessions > before)  # type: ignore[misc]
                for _ in range(rng.randrange(3)):
                    device.play(table.draw)
                    time.sleep(rng.random() * 0.01)
                link.take()
            wait_for(lambda: link.status().known.complete and device.unacknowledged == 0)
            status = link.status()
    wall = table.wall
    assert wall is not None
    same = (status.known.wall, status.known.table) == (wall, table.table)
    return UnplugTrial(times, same, wall.places - wall.remaining, status.sessions, time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class FuzzTrial:
    """`packets`, `malformed` and `damaged` were found in `size_bytes` bytes; `kept_bytes` at most were kept
    of a frame without end. `blocks`: allocated by the interpreter at the end more than after a tenth of it.
    """

    size_bytes: int
    packets: int
    malformed: int
    damaged: int
    kept_bytes: int
    blocks: int
    seconds: float


def fuzz(size_bytes: int, seed: int = 7) -> FuzzTrial:
    """Feed a decoder with garbage that often comes near to frames. What it takes for a message must encode to
    bytes that mean the same; else TrialError.
    """
    rng = random.Random(seed)
    decoder = Decoder()
    packets = malformed = damaged = kept = fed = blocks = 0
    began = time.monotonic()
    while fed < size_bytes:
        data = _make_garbage(rng)
        for found in decoder.feed(data):
            if isinstance(found, Damage):
                damaged += 1
            elif isinstance(found.message, Malformed):
                malformed += 1
            else:
                packets += 1
                if Decoder().feed(encode(found)) != [found]:
                    raise TrialError(f"{found} is another message once it has been encoded")
        kept = max(kept, decoder.kept_bytes)
        if fed < size_bytes // 10 <= fed + len(data):
            blocks = _count_blocks()
        fed += len(data)
    grown = _count_blocks() - blocks
    return FuzzTrial(fed, packets, malformed, damaged, kept, grown, time.monotonic() - began)


SMALL = bytes((0, 0, 1, 2, 3, 5, 6, 17, 18, 36, 83, 84, 144, 145, 255))
"""Numbers at the edges of what fields may be."""
TYPES = (*range(0x01, 0x08), 0x10, 0x11, *range(0x20, 0x26), *range(0x40, 0x44), 0x4F, 0x60, 0xFF)


def _make_garbage(rng: random.Random) -> bytes:
    """Some frames with payloads of small numbers, some of them damaged, and noise; often cut anywhere."""
    pieces = []
    for _ in range(rng.randrange(1, 6)):
        kind = rng.choice(TYPES)
        size = rng.choice((0, 1, 2, 4, 5, 7, 8, 10, 13, 16, 31, BODY_BYTES_MAX - 3))
        small = bytes(rng.choices(SMALL, k=size))
        payload = make_near_welcome(rng) if kind == Welcome.TYPE and rng.randrange(4) else small
        frame = bytearray(wrap(bytes((kind, rng.randrange(256), rng.randrange(256))) + payload))
        if rng.randrange(4) == 0:
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        pieces.append(bytes(frame))
    if rng.randrange(4) == 0:
        pieces.append(rng.randbytes(rng.randrange(400)))
    whole = b"".join(pieces)
    return whole if rng.randrange(4) else whole[: rng.randrange(len(whole))]


def make_near_welcome(rng: random.Random) -> bytes:
    """The payload of a welcome whose numbers are allowed, and whose texts often are not."""
    numbers = Welcome.LAYOUT.pack(1, 1, 1, 0, 0, 1, 0)
    lengths = (SERIAL_BYTES_MAX, MODEL_BYTES_MAX, FIRMWARE_BYTES_MAX)
    return numbers + b"".join(_make_near_text(rng, most) for most in lengths)


def _make_near_text(rng: random.Random, most: int) -> bytes:
    """A text, at most one byte too long, after its length. Most of its characters are whole; the others begin
    with any byte, and up to 15 bytes that only go on follow.
    """
    size = rng.randrange(most + 2)
    text = b""
    while len(text) < size:
        if rng.randrange(8):
            text += rng.choice("aé麻🀄").encode()
        else:
            text += rng.randbytes(1) + bytes(rng.choices(range(0x80, 0xC0), k=rng.randrange(16)))
    return bytes((size,)) + text[:size]


def _count_blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def wait_for(done: Callable[[], bool]) -> None:
    """Until `done`. Raises TrialError after a minute."""
    end = time.monotonic() + HELD_S
    while not done():
        if time.monotonic() > end:
            raise TrialError(f"nothing went on for {HELD_S:.0f} s")
        time.sleep(0.0005)
