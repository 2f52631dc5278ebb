"""The device's side of a session, for emulated devices and as the model of the C library. PROTOCOL.md,
section 4.

Pure, as `peer.py` says. Times are seconds; the device's own clock in messages is `now` in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from firmware_bridge.codec import Malformed, Message, Packet, Unknown, encode
from firmware_bridge.commands import COMMAND_TYPES, Command, CommandOutcome, Result
from firmware_bridge.framing import Damage
from firmware_bridge.handshake import Attention, Bye, Heartbeat, Hello, RefusalReason, Refused, Welcome
from firmware_bridge.limits import ATTENTION_EVERY_S, VERSION
from firmware_bridge.peer import End, Peer, Received

OF_A_DEVICE = (Welcome.TYPE, Refused.TYPE, Attention.TYPE)
"""Whoever sends one of these, whatever its payload, is not a host that a device has to answer."""


class DeviceSessionState(Enum):
    """Where the device stands: no host, a host that was answered, a host that was heard in its session."""

    WAITING = "waiting"
    WELCOMED = "welcomed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class HostGone:
    """The host is gone; what was not acknowledged is forgotten, the next snapshot reports it."""

    reason: End


def to_t_ms(now: float) -> int:
    """The device's clock at `now` seconds: u32 milliseconds."""
    return round(now * 1000) % 2**32


class DeviceSession(Peer):
    """The device's side. `about` says what it is; nonce, version and clock in it are filled in for each
    welcome.
    """

    def __init__(self, about: Welcome, versions: tuple[int, int] = (VERSION, VERSION)) -> None:
        super().__init__()
        self.state = DeviceSessionState.WAITING
        self._about = about
        self._versions = versions
        self._nonce: int | None = None
        self._attention_at: float | None = None

    def start(self, now: float) -> None:
        """The device has power: announce it to whoever is there."""
        self._send_attention(now)

    def post(self, message: Message) -> int | None:
        """Queue `message` to be sent once and in order; None (and forgotten) when no host is there.

        Raises QueueFullError when 64 messages wait.
        """
        return self._outgoing.post(message) if self.state is DeviceSessionState.OPEN else None

    def tell(self, message: Message, now: float) -> None:
        """Send `message` once; it may be lost."""
        if self.state is DeviceSessionState.OPEN:
            self._send(message, now)

    def receive(self, data: bytes, now: float) -> list[Received | HostGone]:
        """What `data`, which came at `now`, asks of the device."""
        self.counters.bytes_in += len(data)
        events: list[Received | HostGone] = []
        for found in self._decoder.feed(data):
            if isinstance(found, Damage):
                self._note_damage(found, self.state is DeviceSessionState.OPEN, now)
                continue
            self.counters.frames += 1
            events += self._handle_packet(found, now)
        if self.state is DeviceSessionState.OPEN:
            self._flush(now)
        return events

    def tick(self, now: float) -> list[HostGone]:
        """Do what the time demands."""
        if self.state is DeviceSessionState.WAITING:
            return []
        end = self._keep_up(to_t_ms(now), now)
        if end is None:
            return []
        self._say_bye(end, now)
        return self._end(end)

    def close(self, now: float, reason: End = End.CLOSED) -> None:
        """Say goodbye."""
        if self.state is not DeviceSessionState.WAITING:
            self._say_bye(reason, now)
            self._end(reason)

    def _send_attention(self, now: float) -> None:
        if self._attention_at is None or now - self._attention_at >= ATTENTION_EVERY_S:
            self._attention_at = now
            self._out += b"\0"
            self._send(Attention(self._about.boot), now)

    def _handle_packet(self, packet: Packet, now: float) -> list[Received | HostGone]:
        message = packet.message
        if isinstance(message, Hello):
            return self._answer_hello(message, now)
        if self.state is DeviceSessionState.WAITING or packet.session != self._session:
            self.counters.strangers += 1
            kind = message.type if isinstance(message, Malformed | Unknown) else message.TYPE
            if self.state is DeviceSessionState.WAITING and kind not in OF_A_DEVICE:
                self._send_attention(now)
            return []
        self.state = DeviceSessionState.OPEN
        self.accepting = self._outgoing.has_room  # for an answer; else it will come again
        taken = self._take_packet(packet, now)
        if isinstance(taken, Bye):
            return [*self._end(End.BYE)]
        if taken is None or isinstance(taken, Heartbeat):
            return []
        if not isinstance(taken, Command):
            self.counters.strangers += 1  # only a device sends these
            return []
        return [Received(taken, now, now, packet.seq)]

    def _note_unknown(self, message: Malformed | Unknown, seq: int, now: float) -> None:
        if seq and message.type in COMMAND_TYPES:
            outcome = (
                CommandOutcome.BAD_VALUE if isinstance(message, Malformed) else CommandOutcome.UNSUPPORTED
            )
            self.post(Result(to_t_ms(now), seq, message.type, outcome))

    def _answer_hello(self, hello: Hello, now: float) -> list[Received | HostGone]:
        session = hello.nonce % 256
        ended: list[Received | HostGone] = []
        least = max(self._versions[0], hello.version_min)
        version = min(self._versions[1], hello.version_max)
        if version < least:
            refusal = Refused(hello.nonce, RefusalReason.VERSION, *self._versions)
            self._out += encode(Packet(refusal, session))
            self._sent_at = now
            return ended
        if self.state is DeviceSessionState.WAITING or hello.nonce != self._nonce:
            if self.state is DeviceSessionState.OPEN:
                ended += self._end(End.BYE)
            self._begin(session, self._about.window, now)
            self._nonce = hello.nonce
            self.state = DeviceSessionState.WELCOMED
        self._heard_at = now
        self._send(replace(self._about, nonce=hello.nonce, version=version, t_ms=to_t_ms(now)), now)
        return ended

    def _end(self, reason: End) -> list[HostGone]:
        self.state = DeviceSessionState.WAITING
        self._nonce = None
        self._session = 0
        return [HostGone(reason)]
