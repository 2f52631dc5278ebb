"""The codec against the test vectors, against made-up messages, and against garbage."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import commands, events, handshake
from firmware_bridge.codec import (
    TYPES,
    Decoder,
    Known,
    Malformed,
    Packet,
    Unknown,
    decode_body,
    encode,
)
from firmware_bridge.emulator import trials
from firmware_bridge.errors import MessageError
from firmware_bridge.framing import Damage, FrameReader, crc16, stuff, unstuff, wrap
from firmware_bridge.limits import BODY_BYTES_MAX, STUFFED_BYTES_MAX, WIRE_BYTES_MAX
from firmware_bridge.plain import from_plain, to_plain

Vector = dict[str, Any]

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
number = st.integers(1, 255)


def text(least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(max_size=most).filter(
        lambda value: value.isprintable() and least <= len(value.encode("utf-8", "ignore")) <= most
    )


@st.composite
def walls(draw: st.DrawFn) -> events.Wall:
    sides = []
    left = 144
    for _ in range(4):
        layers = draw(st.integers(1, 2))
        stacks = draw(st.integers(0, min(36, left // layers)))
        left -= stacks * layers
        sides.append(events.Side(stacks, layers if stacks else 0))
    there = draw(st.integers(0, 2 ** (144 - left) - 1))
    tiles = tuple(bool(there >> place & 1) for place in range(144 - left))
    phase = draw(st.integers(1 if tiles else 0, 3))
    return events.Wall(draw(u32), phase, tuple(sides), tiles)  # type: ignore[arg-type]


@st.composite
def dice(draw: st.DrawFn) -> events.Dice:
    phase = draw(st.sampled_from(events.DicePhase))
    settled = phase == events.DicePhase.SETTLED
    die = st.builds(events.Die, st.integers(1, 6) if settled else st.integers(0, 6),
                    st.just(False) if settled else st.booleans())  # fmt: skip
    thrown = tuple(draw(st.lists(die, min_size=1, max_size=6)))
    return events.Dice(draw(u32), draw(st.integers(int(settled), 65535)), phase, thrown)


def tables() -> st.SearchStrategy[events.Table]:
    state = st.one_of(st.tuples(st.integers(0, 4), st.just(0)), st.tuples(st.just(5), st.integers(1, 255)))
    count = st.one_of(st.just(0), st.integers(84, 144))
    return st.builds(lambda t, s, n, h: events.Table(t, s[0], s[1], n, h), u32, state, count, u16)


versions = st.tuples(number, number).map(sorted)
points = st.integers(-(2**31), 2**31 - 1)
MESSAGES: dict[type[Known], st.SearchStrategy[Known]] = {
    handshake.Hello: st.builds(lambda v, n: handshake.Hello(*v, n), versions, u32.filter(lambda n: n % 256)),
    handshake.Welcome: st.builds(
        handshake.Welcome, u32, number, number, u32.map(handshake.Capability), u32, st.integers(1, 8), u32,
        text(1, 24), text(0, 32), text(0, 16),
    ),
    handshake.Refused: st.builds(lambda n, r, v: handshake.Refused(n, r, *v), u32, u8, versions),
    handshake.Attention: st.builds(handshake.Attention, u32),
    handshake.Bye: st.builds(handshake.Bye, u8),
    handshake.Ack: st.builds(handshake.Ack, number, st.booleans()),
    handshake.Heartbeat: st.builds(handshake.Heartbeat, u32, number),
    commands.SnapshotRequest: st.builds(commands.SnapshotRequest, u8),
    events.Snapshot: st.builds(events.Snapshot, u32, st.integers(0, 1), u8),
    events.Dice: dice(),
    events.Wall: walls(),
    events.Tile: st.builds(
        events.Tile, u32, st.integers(0, 1), st.integers(0, 3), st.integers(0, 35), st.integers(0, 1),
        st.integers(0, 144),
    ),
    events.Discard: st.builds(events.Discard, u32, st.integers(0, 1), st.integers(0, 3), u8),
    events.ButtonEvent: st.builds(events.ButtonEvent, u32, st.integers(0, 4), number, st.integers(0, 2)),
    events.Table: tables(),
    commands.StartShuffle: st.builds(commands.StartShuffle, st.sampled_from((0, 1, 2, 3, 255))),
    commands.ShowScore: st.builds(commands.ShowScore, st.tuples(points, points, points, points)),
    commands.Beep: st.builds(commands.Beep, st.integers(50, 10_000), st.integers(1, 5_000)),
    commands.SetTileCount: st.builds(commands.SetTileCount, st.integers(84, 144)),
    commands.Result: st.builds(commands.Result, u32, number, u8, u8),
}  # fmt: skip
packets = st.builds(Packet, st.one_of(*MESSAGES.values()), u8, u8)


def test_crc(crc_vector: Vector) -> None:
    assert crc16(bytes.fromhex(crc_vector["data"])) == crc_vector["crc"]


def test_crc_has_the_check_value_of_the_catalogue() -> None:
    assert crc16(b"123456789") == 0xD64E  # CRC-16/GENIBUS


def test_cobs(cobs_vector: Vector) -> None:
    plain, stuffed = bytes.fromhex(cobs_vector["plain"]), bytes.fromhex(cobs_vector["stuffed"])
    assert stuff(plain) == stuffed
    assert unstuff(stuffed) == plain


def test_a_message_is_its_bytes(message_vector: Vector) -> None:
    packet = Packet(from_plain(message_vector["fields"]), message_vector["session"], message_vector["seq"])
    wire = bytes.fromhex(message_vector["wire"])
    assert encode(packet) == wire
    assert Decoder().feed(wire) == [packet]
    assert to_plain(packet.message) == message_vector["fields"]


def test_fields_of_newer_versions_are_passed_over(longer_vector: Vector) -> None:
    (packet,) = Decoder().feed(bytes.fromhex(longer_vector["wire"]))
    assert packet == Packet(
        from_plain(longer_vector["fields"]), longer_vector["session"], longer_vector["seq"]
    )


def test_fields_that_are_not_allowed(malformed_vector: Vector) -> None:
    (packet,) = Decoder().feed(bytes.fromhex(malformed_vector["wire"]))
    assert isinstance(packet, Packet)
    assert isinstance(packet.message, Malformed)
    assert packet.message.type == malformed_vector["type"]


def test_damaged_frames(damage_vector: Vector) -> None:
    assert Decoder().feed(bytes.fromhex(damage_vector["wire"])) == [Damage[damage_vector["damage"]]]


def test_every_type_has_vectors_and_a_strategy() -> None:
    from_file = {decode_body(wrapped).message.__class__ for wrapped in _bodies()}
    assert from_file >= set(TYPES.values())
    assert set(MESSAGES) == set(TYPES.values())


def _bodies() -> list[bytes]:
    file = Path(__file__).resolve().parents[2] / "firmware_bridge" / "vectors.jsonl"
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    wire = b"".join(bytes.fromhex(each["wire"]) for each in lines if each["kind"] == "message")
    return [each for each in FrameReader().feed(wire) if isinstance(each, bytes)]


@settings(deadline=None)
@given(packets)
def test_messages_decode_unchanged(packet: Packet) -> None:
    wire = encode(packet)
    assert wire.count(0) == 1
    assert len(wire) <= WIRE_BYTES_MAX
    assert Decoder().feed(wire) == [packet]
    assert not isinstance(packet.message, Malformed)
    assert from_plain(to_plain(packet.message)) == packet.message


@settings(deadline=None)
@given(st.lists(packets, max_size=5), st.data())
def test_pieces_of_any_size_give_the_same(sent: list[Packet], data: st.DataObject) -> None:
    wire = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    decoder = Decoder()
    got = [
        each
        for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True)
        for each in decoder.feed(wire[start:end])
    ]
    assert got == sent
    assert decoder.kept_bytes == 0


@settings(deadline=None)
@given(st.binary(max_size=400), packets)
def test_after_any_garbage_the_second_frame_is_whole(garbage: bytes, packet: Packet) -> None:
    """At most one frame is lost: the one whose start the garbage runs into."""
    decoder = Decoder()
    decoder.feed(garbage)
    assert decoder.feed(encode(packet) + encode(packet))[-1] == packet
    assert decoder.feed(b"\0" + encode(packet)) == [packet]


@settings(deadline=None)
@given(st.binary(max_size=BODY_BYTES_MAX - 3), u8)
def test_any_body_gives_a_packet(payload: bytes, kind: int) -> None:
    (packet,) = Decoder().feed(wrap(bytes((kind, 1, 2)) + payload))
    assert isinstance(packet, Packet)
    if not isinstance(packet.message, Malformed):
        assert Decoder().feed(encode(packet)) == [packet]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_garbage_leaves_memory_bounded(seed: int) -> None:
    rng = random.Random(seed)
    decoder = Decoder()
    for size in (1, 129, 130, 5_000, 64):
        zeros = rng.choice((0, 1, 50))
        piece = bytes(rng.choice((0, 255)) if rng.randrange(100) < zeros else rng.randrange(1, 256)
                      for _ in range(size))  # fmt: skip
        received = decoder.feed(piece)
        assert decoder.kept_bytes <= STUFFED_BYTES_MAX
        assert len(received) <= piece.count(0) + 1


@pytest.mark.slow
def test_much_garbage_near_to_frames() -> None:
    """In small; `companion bench link` feeds ten million bytes and more."""
    tried = trials.fuzz(500_000)
    assert tried.size_bytes >= 500_000
    assert tried.kept_bytes <= STUFFED_BYTES_MAX
    assert tried.blocks < 500
    assert min(tried.packets, tried.malformed, tried.damaged) > 300


def test_one_endless_frame_is_reported_once() -> None:
    decoder = Decoder()
    received = [each for _ in range(1_000) for each in decoder.feed(b"\xaa" * 1_000)]
    assert received == [Damage.TOO_LONG]
    assert decoder.kept_bytes <= STUFFED_BYTES_MAX
    beep = Packet(commands.Beep(880, 1))
    assert decoder.feed(b"\0" + encode(beep)) == [beep]


def test_every_turned_bit_is_noticed() -> None:
    wire = encode(Packet(events.Dice(6250, 4, 1, (events.Die(3), events.Die(5))), 42, 9))
    for bit in range(8 * (len(wire) - 1)):
        broken = bytearray(wire)
        broken[bit // 8] ^= 1 << bit % 8
        assert not any(isinstance(each, Packet) for each in Decoder().feed(bytes(broken))), bit


@pytest.mark.parametrize(
    "make",
    [
        lambda: events.Die(7),
        lambda: events.Dice(0, 1, 1, (events.Die(1), events.Die(0))),
        lambda: commands.Beep(49, 1),
        lambda: commands.SetTileCount(145),
        lambda: commands.ShowScore((0, 0, 0)),  # type: ignore[arg-type]
        lambda: handshake.Ack(0),
        lambda: Packet(handshake.Bye(0), 256),
        lambda: Unknown(0x20, b""),
        lambda: Unknown(0x70, bytes(123)),
        lambda: encode(Packet(Malformed(1, "no"))),
        lambda: encode(Packet(handshake.Welcome(0, 1, 1, handshake.Capability(0), 0, 1, 0, "S" * 25))),
        lambda: from_plain({"message": "Beep", "frequency_hz": 1}),
        lambda: from_plain({"message": "Bell"}),
        lambda: wrap(b"12"),
        lambda: stuff(bytes(254)),
    ],
)
def test_invalid_message_cannot_be_made(make: Any) -> None:
    with pytest.raises(MessageError):
        make()


def test_a_place_in_the_wall() -> None:
    sides = (events.Side(11, 2), events.Side(10, 2), events.Side(11, 2), events.Side(10, 2))
    wall = events.Wall(0, 3, sides, (True,) * 84)
    assert wall.place(0, 0, 0) == 0
    assert wall.place(1, 0, 1) == 23
    assert wall.place(3, 9, 1) == 83
    with pytest.raises(MessageError, match="stack is 10: 0 to 9"):
        wall.place(3, 10, 0)
