"""What both sides of a session do alike: number, acknowledge, resend, drop duplicates, beat, notice silence.

Pure: bytes and times (seconds, of any steady clock) come in, events and bytes go out. `session.py` has the
host's side, `device_session.py` the device's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from math import inf

from firmware_bridge.codec import Decoder, Malformed, Message, Packet, Unknown, encode
from firmware_bridge.events import Dice, DicePhase
from firmware_bridge.framing import Damage
from firmware_bridge.handshake import Ack, Bye, ByeReason, Heartbeat
from firmware_bridge.limits import (
    HEARTBEAT_EVERY_S,
    RESEND_ASKED_PAUSE_S,
    SILENCE_MAX_S,
    UNACKNOWLEDGED_MAX_S,
)
from firmware_bridge.sequence import Arrival, Incoming, Outgoing


@dataclass(frozen=True, slots=True)
class Received:
    """A message for the program: number `seq` (0: not numbered) that came at `at`, and happened at
    `happened`.
    """

    message: Message
    at: float
    happened: float
    seq: int = 0


@dataclass(slots=True)
class Counters:
    """What came and what was wrong with it, since the session object was made."""

    bytes_in: int = 0
    frames: int = 0
    damaged: dict[Damage, int] = field(default_factory=lambda: dict.fromkeys(Damage, 0))
    malformed: int = 0
    unknown: int = 0
    duplicates: int = 0
    gaps: int = 0
    strangers: int = 0
    """Sound frames of another session, or such as have no place now."""
    not_taken: int = 0
    """Messages that came while the program took none."""


class End(Enum):
    """Why a session ended."""

    SILENCE = "no answer"
    STUCK = "it sends data, but acknowledges nothing"
    BYE = "the other side ended it"
    RESTARTED = "the device restarted"
    FLOOD = "it sends more than any device may"
    CLOSED = "it was closed here"


BYES = {
    End.SILENCE: ByeReason.TIMEOUT,
    End.STUCK: ByeReason.STUCK,
    End.FLOOD: ByeReason.FLOOD,
    End.CLOSED: ByeReason.CLOSED,
}
"""The reason sent to the other side, unless that side ended the session."""


def _may_be_lost(message: Message | Malformed) -> bool:
    """Whether `message` may come without a number. What is not understood is passed over anyway."""
    moving = isinstance(message, Dice) and message.phase == DicePhase.MOVING
    return moving or isinstance(message, Ack | Bye | Heartbeat | Malformed | Unknown)


class Peer(ABC):
    """One side. Not safe for threads: whoever owns it calls it from one."""

    def __init__(self) -> None:
        self.counters = Counters()
        self.accepting = True
        """While false, nothing numbered is taken: the other side keeps it and sends it again."""
        self._decoder = Decoder()
        self._out = bytearray()
        self._session = 0
        self._incoming = Incoming()
        self._outgoing = Outgoing()
        self._heard_at = 0.0
        self._sent_at = 0.0
        self._wished_at = -inf

    @property
    def resent(self) -> int:
        """How many messages this session sent more than once."""
        return self._outgoing.resent

    @property
    def unacknowledged(self) -> int:
        """How many messages wait to be sent or to be acknowledged."""
        return len(self._outgoing)

    def take_output(self) -> bytes:
        """The bytes to send now; a second call gives none."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def _begin(self, session: int, window: int, now: float) -> None:
        self._session = session
        self._incoming = Incoming()
        self._outgoing = Outgoing(window)
        self._heard_at = now
        self._wished_at = -inf

    def _send(self, message: Message, now: float, seq: int = 0) -> None:
        self._out += encode(Packet(message, self._session, seq))
        self._sent_at = now

    def _acknowledge(self, resend: bool, now: float) -> None:
        self._send(Ack(self._incoming.expected, resend), now)

    def _note_damage(self, damage: Damage, in_session: bool, now: float) -> None:
        """A frame was damaged: ask for what may have been in it, once for all that come together."""
        self.counters.damaged[damage] += 1
        if in_session and now - self._wished_at >= RESEND_ASKED_PAUSE_S:
            self._wished_at = now
            self._acknowledge(True, now)

    def _take_packet(self, packet: Packet, now: float) -> Message | None:
        """Keep the numbers of a packet of this session; its message, if it is for the program."""
        self._heard_at = now
        message = packet.message
        if packet.seq:
            arrival = self._incoming.classify(packet.seq)
            if arrival is Arrival.GAP:
                self.counters.gaps += 1
                if now - self._wished_at >= RESEND_ASKED_PAUSE_S:
                    self._wished_at = now
                    self._acknowledge(True, now)
                return None
            if arrival is Arrival.NEXT and not self.accepting:
                self.counters.not_taken += 1
                return None
            if arrival is Arrival.NEXT:
                self._incoming.take()
            self._acknowledge(False, now)
            if arrival is Arrival.DUPLICATE:
                self.counters.duplicates += 1
                return None
        elif not self.accepting and not isinstance(message, Ack | Heartbeat | Bye):
            self.counters.not_taken += 1
            return None
        if not packet.seq and not _may_be_lost(message):
            self.counters.malformed += 1
            return None
        if isinstance(message, Malformed | Unknown):
            self.counters.malformed += isinstance(message, Malformed)
            self.counters.unknown += isinstance(message, Unknown)
            self._note_unknown(message, packet.seq, now)
            return None
        if isinstance(message, Ack):
            self._outgoing.acknowledge(message.next, message.resend, now)
            return None
        if isinstance(message, Heartbeat):
            self._outgoing.acknowledge(message.next, False, now)
        return message

    def _keep_up(self, t_ms: int, now: float) -> End | None:
        """Resend what is due and beat; the reason if this session cannot go on."""
        if now - self._heard_at >= SILENCE_MAX_S:
            return End.SILENCE
        if self._outgoing.stuck_s(now) >= UNACKNOWLEDGED_MAX_S:
            return End.STUCK
        self._flush(now)
        if now - self._sent_at >= HEARTBEAT_EVERY_S:
            self._send(Heartbeat(t_ms, self._incoming.expected), now)
        return None

    def _flush(self, now: float) -> None:
        for seq, message in self._outgoing.to_send(now):
            self._send(message, now, seq)

    def _say_bye(self, end: End, now: float) -> None:
        if end in BYES:
            self._send(Bye(BYES[end]), now)

    @abstractmethod
    def _note_unknown(self, message: Malformed | Unknown, seq: int, now: float) -> None:
        """A sound frame that means nothing here; it was acknowledged and counted."""
