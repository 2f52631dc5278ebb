"""The host's side of a session: greet, check the version, ask for a snapshot, keep the link. PROTOCOL.md,
section 4.

Pure, as `peer.py` says. One object lives as long as the port is open; it greets again by itself when a
session ends.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from firmware_bridge import troubles
from firmware_bridge.clock import DeviceClock
from firmware_bridge.codec import Malformed, Message, Packet, Unknown
from firmware_bridge.commands import Command, SnapshotRequest
from firmware_bridge.errors import LinkError, QueueFullError
from firmware_bridge.events import Snapshot, SnapshotPhase
from firmware_bridge.framing import Damage
from firmware_bridge.handshake import Attention, Bye, Heartbeat, Hello, RefusalReason, Refused, Welcome
from firmware_bridge.limits import (
    BYTES_PER_SECOND_MAX,
    FRAMES_PER_SECOND_MAX,
    HELLO_EVERY_S,
    REFUSED_PAUSE_S,
    SNAPSHOT_MAX_S,
    VERSION,
)
from firmware_bridge.peer import End, Peer, Received
from firmware_bridge.troubles import LinkTrouble


class HostState(Enum):
    """Where the host stands with a device."""

    CLOSED = "closed"
    GREETING = "greeting"
    OPEN = "open"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """A session began with this device; a snapshot follows."""

    device: Welcome
    at: float


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """A session ended, and is greeted for again unless the reason is FLOOD or CLOSED."""

    reason: End
    at: float


@dataclass(frozen=True, slots=True)
class SessionRefused:
    """The device speaks only versions `least` to `most` (or is busy); asked again after 30 s."""

    reason: int
    least: int
    most: int
    at: float

    @property
    def trouble(self) -> LinkTrouble:
        """What it is, and what to do about it: a sentence for people."""
        if self.reason == RefusalReason.BUSY:
            return LinkTrouble(troubles.BUSY)
        if self.reason != RefusalReason.VERSION:
            return LinkTrouble(troubles.REFUSED, reason=int(self.reason))
        if self.least < self.most:
            return LinkTrouble(troubles.OTHER_VERSIONS, least=self.least, most=self.most)
        return LinkTrouble(troubles.OTHER_VERSION, version=self.least)


LinkEvent = Received | SessionOpened | SessionEnded | SessionRefused


class HostSession(Peer):
    """The host's side. `nonce` (u32): any number that differs from start to start; it goes up with every
    greeting.
    """

    def __init__(self, nonce: int, versions: tuple[int, int] = (VERSION, VERSION)) -> None:
        super().__init__()
        self.state = HostState.CLOSED
        self.device: Welcome | None = None
        self._nonce = nonce % 2**32
        self._versions = versions
        self._clock = DeviceClock()
        self._hello_at = 0.0
        self._token = 0
        self._snapshot_by: float | None = None  # when the one that was asked for should have ended
        self._second = (0.0, 0, 0)  # when this second of counting began; frames and bytes that came in it

    def start(self, now: float) -> None:
        """The port is open: say hello."""
        self._greet(now)

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        """What `data`, which came at `now`, means."""
        self.counters.bytes_in += len(data)
        events: list[LinkEvent] = []
        flood = self._is_flood(0, len(data), now)
        for found in () if flood else self._decoder.feed(data):
            if isinstance(found, Damage):
                self._note_damage(found, self.state is HostState.OPEN, now)
            else:
                self.counters.frames += 1
                events += self._handle_packet(found, now)
            if flood := self._is_flood(1, 0, now):
                break
        if flood:
            events += self._end(End.FLOOD, now)
        if self.state is HostState.OPEN:
            self._flush(now)
        return events

    def tick(self, now: float) -> list[LinkEvent]:
        """Do what the time demands; call it when `due` says so, or more often."""
        if self.state is HostState.OPEN:
            end = self._keep_up(int(now * 1000) % 2**32, now)
            if end is not None:
                return self._end(end, now)
            if self._snapshot_by is not None and now >= self._snapshot_by:
                self._snapshot_by = None
                with suppress(QueueFullError):
                    self.ask_snapshot(now)
                self._flush(now)
        elif self.state is HostState.GREETING and now >= self._hello_at + HELLO_EVERY_S:
            self._send_hello(now)
        elif self.state is HostState.REFUSED and now >= self._hello_at + REFUSED_PAUSE_S:
            self._greet(now)
        return []

    def post(self, command: Command, now: float) -> int:
        """Send `command`; the number (1…255) that its Result will name.

        Raises LinkError when no session is open, QueueFullError when 64 commands wait.
        """
        if self.state is not HostState.OPEN:
            raise LinkError(troubles.NOT_CONNECTED, state=self.state.value)
        seq = self._outgoing.post(command)
        self._flush(now)
        return seq

    def ask_snapshot(self, now: float) -> int:
        """Ask for everything the device knows; the token (0…255) that the answer carries.

        One that is asked for and has not ended will do: what made us ask stands before its end.
        """
        if self._snapshot_by is None:
            self._token = (self._token + 1) % 256
            self.post(SnapshotRequest(self._token), now)
            self._snapshot_by = now + SNAPSHOT_MAX_S
        return self._token

    def close(self, now: float) -> list[LinkEvent]:
        """End the session; the output then holds the goodbye."""
        ended = self._end(End.CLOSED, now) if self.state is HostState.OPEN else []
        self.state = HostState.CLOSED
        return ended

    def _greet(self, now: float) -> None:
        self._nonce = (self._nonce + 1) % 2**32
        if not self._nonce % 256:
            self._nonce += 1  # session 0 is for those who have none
        self.state = HostState.GREETING
        self.device = None
        self._begin(self._nonce % 256, 1, now)
        self._send_hello(now)

    def _send_hello(self, now: float) -> None:
        self._hello_at = now
        self._out += b"\0"  # ends whatever noise there was when the port was opened
        self._send(Hello(*self._versions, self._nonce), now)

    def _handle_packet(self, packet: Packet, now: float) -> list[LinkEvent]:
        message = packet.message
        if self.state is HostState.OPEN and isinstance(message, Attention):
            assert self.device is not None
            return self._end(End.RESTARTED if message.boot != self.device.boot else End.BYE, now)
        if self.state is HostState.GREETING and isinstance(message, Attention):
            if now - self._hello_at >= HELLO_EVERY_S / 5:
                self._send_hello(now)
            return []
        if isinstance(message, Welcome | Refused):
            return self._answer(message, now)
        if self.state is not HostState.OPEN or packet.session != self._session:
            self.counters.strangers += 1
            return []
        return self._handle_message(packet, now)

    def _answer(self, answer: Welcome | Refused, now: float) -> list[LinkEvent]:
        if self.state is not HostState.GREETING or answer.nonce != self._nonce:
            self.counters.strangers += self.state is not HostState.OPEN or answer.nonce != self._nonce
            return []
        if isinstance(answer, Refused):
            return self._refuse(answer.reason, answer.version_min, answer.version_max, now)
        if not self._versions[0] <= answer.version <= self._versions[1]:
            return self._refuse(1, answer.version, answer.version, now)
        self._begin(self._session, answer.window, now)
        self.state = HostState.OPEN
        self.device = answer
        self._clock = DeviceClock()
        self._clock.observe(answer.t_ms, now)
        self._snapshot_by = None
        self.ask_snapshot(now)
        return [SessionOpened(answer, now)]

    def _refuse(self, reason: int, least: int, most: int, now: float) -> list[LinkEvent]:
        self.state = HostState.REFUSED
        self._hello_at = now
        return [SessionRefused(reason, least, most, now)]

    def _handle_message(self, packet: Packet, now: float) -> list[LinkEvent]:
        message: Message | Malformed | None = self._take_packet(packet, now)
        t_ms = getattr(message, "t_ms", None)
        if t_ms is not None:
            self._clock.observe(t_ms, now)
        if message is None or isinstance(message, Malformed | Heartbeat):
            return []
        if isinstance(message, Bye):
            return self._end(End.BYE, now)
        if isinstance(message, Command | Hello):
            self.counters.strangers += 1  # only a host sends these
            return []
        if (
            isinstance(message, Snapshot)
            and message.phase == SnapshotPhase.END
            and message.token == self._token
        ):
            self._snapshot_by = None
        happened = now if t_ms is None else self._clock.to_host_time(t_ms, now)
        return [Received(message, now, happened, packet.seq)]

    def _note_unknown(self, message: Malformed | Unknown, seq: int, now: float) -> None:
        """Counted already; a device gets no answer."""

    def _is_flood(self, frames: int, size: int, now: float) -> bool:
        """Count what came, damaged frames too, and say whether it is more than a device may send."""
        began, frames_before, bytes_before = self._second
        if now - began >= 1:
            began, frames_before, bytes_before = now, 0, 0
        self._second = (began, frames_before + frames, bytes_before + size)
        return self._second[1] > FRAMES_PER_SECOND_MAX or self._second[2] > BYTES_PER_SECOND_MAX

    def _end(self, reason: End, now: float) -> list[LinkEvent]:
        if self.state is HostState.OPEN:
            self._say_bye(reason, now)
        if reason is End.FLOOD:
            self.state = HostState.REFUSED
            self.device = None
            self._hello_at = now
            self._second = (now, 0, 0)
        elif reason is End.CLOSED:
            self.state = HostState.CLOSED
        else:
            self._greet(now)
        return [SessionEnded(reason, now)]
