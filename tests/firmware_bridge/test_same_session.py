"""A device's session in Python and in C: whatever a host does and a line breaks, both write the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_bridge.codec import Known, Packet, Unknown, encode
from firmware_bridge.commands import Beep, Result, SetTileCount, ShowScore, SnapshotRequest
from firmware_bridge.device_session import DeviceSessionState
from firmware_bridge.events import ButtonEvent, Snapshot
from firmware_bridge.framing import wrap
from firmware_bridge.handshake import Ack, Attention, Bye, Heartbeat, Hello, Refused, Welcome
from firmware_bridge.sequence import advance
from tests.firmware_bridge.played import ROOM, Played, frames, in_c

STEPS = 8_000


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
    if kind < 0.04 or (device.state is DeviceSessionState.WAITING and kind < 0.3):
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
    return encode(Packet(Ack(advance(outgoing._oldest, len(outgoing._way))), played.session._session))


@pytest.mark.parametrize("kind", [Welcome, Refused, Attention, Hello, Heartbeat])
def test_a_payload_cut_short_is_answered_the_same_without_a_session(built: Path, kind: type[Known]) -> None:
    """What only a device sends is not answered, whatever its payload; anything else is."""
    played = Played()
    played.ms = 2_000
    played.step(wrap(bytes((kind.TYPE, 0, 0, 1))))
    received = frames(played.written)
    assert [received] == in_c(built, [played.script])
    of_a_device = kind in (Welcome, Refused, Attention)
    assert len(received) == (1 if of_a_device else 2)  # the first is that of a device that got power


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
    here, (there,) = frames(played.written), in_c(built, [played.script])
    for mine, its in zip(here, there, strict=False):
        assert its == mine
    assert len(there) == len(here) > 300
    received = {type(packet.message) for _, packet in here if isinstance(packet, Packet)}
    assert received >= {Welcome, Attention, Ack, Heartbeat, Result, Snapshot, ButtonEvent, Bye}
