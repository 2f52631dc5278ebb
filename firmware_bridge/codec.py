"""Messages to bytes and back. Pure and incremental: feed bytes in pieces of any size, get packets and damage.

Nothing that arrives raises: a frame that fails its check is a Damage, a sound frame with a payload that
makes no sense is a packet with a Malformed message, one of a type that we do not know a packet with an
Unknown message.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge import commands, events, handshake
from firmware_bridge.errors import MessageError
from firmware_bridge.fields import U8, check_range
from firmware_bridge.framing import Damage, FrameReader, wrap
from firmware_bridge.limits import LENGTH_AT, PAYLOAD_BYTES_MAX


@dataclass(frozen=True, slots=True)
class Unknown:
    """A message of a type (u8) that this package does not know; `payload` 0…122 bytes."""

    type: int
    payload: bytes

    def __post_init__(self) -> None:
        check_range("type", self.type, 0, U8)
        check_range("the length of the payload", len(self.payload), 0, PAYLOAD_BYTES_MAX)
        if self.type in TYPES:
            raise MessageError(f"type {self.type:#04x} is {TYPES[self.type].__name__}, not unknown")


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message of a known type with fields that are not allowed; `reason` is for people."""

    type: int
    reason: str


Known = (
    handshake.Hello
    | handshake.Welcome
    | handshake.Refused
    | handshake.Attention
    | handshake.Bye
    | handshake.Ack
    | handshake.Heartbeat
    | commands.SnapshotRequest
    | events.Snapshot
    | events.Dice
    | events.Wall
    | events.Tile
    | events.Discard
    | events.ButtonEvent
    | events.Table
    | commands.StartShuffle
    | commands.ShowScore
    | commands.Beep
    | commands.SetTileCount
    | commands.Result
)
Message = Known | Unknown
TYPES: dict[int, type[Known]] = {kind.TYPE: kind for kind in Known.__args__}


@dataclass(frozen=True, slots=True)
class Packet:
    """One frame: its message, the session (u8) it belongs to, its number `seq` (1…255; 0 = not numbered)."""

    message: Message | Malformed
    session: int = 0
    seq: int = 0

    def __post_init__(self) -> None:
        check_range("session", self.session, 0, U8)
        check_range("seq", self.seq, 0, U8)


def encode(packet: Packet) -> bytes:
    """The bytes of `packet` on the wire, delimiter included, at most 130. Raises MessageError for a
    Malformed one.
    """
    message = packet.message
    if isinstance(message, Malformed):
        raise MessageError(f"a malformed message cannot be sent: {message.reason}")
    if isinstance(message, Unknown):
        return wrap(bytes((message.type, packet.session, packet.seq)) + message.payload)
    return wrap(bytes((message.TYPE, packet.session, packet.seq)) + message.pack())


def decode_body(body: bytes) -> Packet:
    """The packet in a body (3…125 bytes) whose check was right."""
    kind, session, seq = body[:LENGTH_AT]
    payload = body[LENGTH_AT:]
    message: Message | Malformed
    if kind not in TYPES:
        message = Unknown(kind, payload)
    else:
        try:
            message = TYPES[kind].unpack(payload)
        except MessageError as error:
            message = Malformed(kind, str(error))
    return Packet(message, session, seq)


class Decoder:
    """Bytes in, packets and damage out; keeps at most one frame (129 bytes) that has not ended."""

    __slots__ = ("_reader",)

    def __init__(self) -> None:
        self._reader = FrameReader()

    @property
    def kept_bytes(self) -> int:
        """Bytes kept of a frame that has not ended yet, 0…129."""
        return self._reader.kept_bytes

    def feed(self, data: bytes) -> list[Packet | Damage]:
        """What ends in `data`, in order."""
        return [
            found if isinstance(found, Damage) else decode_body(found) for found in self._reader.feed(data)
        ]
