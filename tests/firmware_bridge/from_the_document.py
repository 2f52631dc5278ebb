"""A dice cup written from PROTOCOL.md, whose sections are named here: nothing is imported from the product.

What such a device had to guess at first was added to the document.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator

HELLO, WELCOME, REFUSED, ATTENTION, BYE, ACK, HEARTBEAT = range(1, 8)
SNAPSHOT_REQUEST, SNAPSHOT, DICE, BEEP, RESULT = 0x10, 0x11, 0x20, 0x42, 0x4F
WINDOW = 4


def crc(data: bytes) -> int:
    """Section 2."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = ((value << 1) ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value ^ 0xFFFF


def frame(kind: int, session: int, number: int, payload: bytes) -> bytes:
    """Section 2: as it goes on the wire."""
    plain = bytes((kind, session, number, len(payload))) + payload
    plain += crc(plain).to_bytes(2, "big")
    return b"".join(bytes((len(run) + 1,)) + run for run in plain.split(b"\0")) + b"\0"


Frame = tuple[int, int, int, bytes]


def unwrap(stuffed: bytes) -> Frame | None:
    """Section 2: type, session, number and payload; None for damage."""
    runs, at = [], 0
    while at < len(stuffed):
        after = at + stuffed[at]
        if stuffed[at] == 0xFF or after > len(stuffed):
            return None
        runs.append(stuffed[at + 1 : after])
        at = after
    plain = b"\0".join(runs)
    if len(plain) < 6 or plain[3] != len(plain) - 6 or crc(plain[:-2]) != int.from_bytes(plain[-2:], "big"):
        return None
    return plain[0], plain[1], plain[2], plain[4:-2]


class Reader:
    """Section 2, reading."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.skipping = False

    def feed(self, data: bytes) -> Iterator[Frame | None]:
        for byte in data:
            if byte and not self.skipping:
                self.kept.append(byte)
                self.skipping = len(self.kept) > 129
            elif not byte:
                if self.skipping or self.kept:
                    yield None if self.skipping else unwrap(bytes(self.kept))
                self.kept.clear()
                self.skipping = False


class Cup:
    """Two dice. `out` is to be written to the line; call `feed` with what comes, and `tick` often."""

    def __init__(self, boot: int) -> None:
        self.out = bytearray(b"\0")
        self.boot, self.roll, self.last = boot, 0, b""
        self.state, self.nonce, self.attention_at = "waiting", 0, 0.0
        self.reader = Reader()
        self.begin(0)
        self.attention()

    def begin(self, nonce: int) -> None:
        now = time.monotonic()
        self.nonce, self.expected, self.next = nonce, 1, 1
        self.queue: list[tuple[int, bytes]] = []
        self.way: list[tuple[int, int, bytes]] = []
        self.heard = self.sent = self.progress = now
        self.wished = self.followed = now - 1
        self.pause, self.resend_at = 0.1, now

    def put(self, kind: int, payload: bytes, number: int = 0) -> None:
        self.sent = time.monotonic()
        self.out += frame(kind, 0 if kind == ATTENTION else self.nonce & 0xFF, number, payload)

    def attention(self) -> None:
        if time.monotonic() - self.attention_at >= 1:
            self.attention_at = time.monotonic()
            self.put(ATTENTION, struct.pack("<I", self.boot))

    def clock(self) -> int:
        return int(time.monotonic() * 1000) % 2**32

    def throw(self, first: int, second: int) -> None:
        """The dice lie still and show this."""
        self.roll = self.roll % 65535 + 1
        self.last = struct.pack("<IHBBBB", self.clock(), self.roll, 1, 2, first, second)
        self.post(DICE, self.last)

    def post(self, kind: int, payload: bytes) -> None:
        if self.state == "open":
            self.queue.append((kind, payload))
            self.flush()

    def flush(self) -> None:
        """Section 3, as sender."""
        while self.queue and len(self.way) < WINDOW:
            now = time.monotonic()
            if not self.way:
                self.progress, self.pause, self.resend_at = now, 0.1, now + 0.1
            self.way.append((self.next, *self.queue.pop(0)))
            self.next = self.next % 255 + 1
            self.send(self.way[-1])

    def send(self, message: tuple[int, int, bytes]) -> None:
        number, kind, payload = message
        self.put(kind, payload, number)

    def acknowledged(self, upto: int, resend: bool) -> None:
        now = time.monotonic()
        arrived = (upto - self.way[0][0]) % 255 if self.way else 0
        if arrived > len(self.way):
            return
        if arrived:
            del self.way[:arrived]
            self.progress, self.pause, self.resend_at = now, 0.1, now + 0.1
        if resend and now - self.followed >= 0.02:
            self.followed = now
            for message in self.way:
                self.send(message)
        self.flush()

    def ack(self, resend: bool) -> None:
        now = time.monotonic()
        if resend and now - self.wished < 0.02:
            return
        self.wished = now if resend else self.wished
        self.put(ACK, bytes((self.expected, resend)))

    def feed(self, data: bytes) -> None:
        for found in self.reader.feed(data):
            if found is None:
                if self.state == "open":
                    self.ack(True)
            elif found[0] == HELLO and found[3][:4] == b"MJCP" and len(found[3]) >= 10 and found[3][6]:
                self.greeted(found[3])
            elif self.state == "waiting":
                if found[0] not in (WELCOME, REFUSED, ATTENTION):
                    self.attention()
            elif found[1] == self.nonce & 0xFF:
                self.take(*found)

    def greeted(self, hello: bytes) -> None:
        """Section 4, the device."""
        least, most, nonce = struct.unpack_from("<BBI", hello, 4)
        if not 1 <= least <= most:
            return
        if least > 1:
            self.out += frame(REFUSED, nonce & 0xFF, 0, struct.pack("<IBBB", nonce, 1, 1, 1))
            return
        if self.state == "waiting" or nonce != self.nonce:
            self.begin(nonce)
            self.state = "welcomed"
        self.heard = time.monotonic()
        about = struct.pack("<IBBIIBI", nonce, 1, 1, 1 | 1 << 10, self.boot, WINDOW, self.clock())
        self.put(WELCOME, about + b"\7FRESH-1\11Fresh cup\0")

    def take(self, kind: int, _: int, number: int, payload: bytes) -> None:
        self.heard = time.monotonic()
        if kind == BYE:
            self.state = "waiting"
            return
        self.state = "open"
        if number:  # section 3, as receiver
            ahead = (number - self.expected) % 255
            if ahead:
                self.ack(ahead < 255 - 8)
                return
            self.expected = self.expected % 255 + 1
            self.ack(False)
        if kind == ACK and len(payload) >= 2 and payload[0]:
            self.acknowledged(payload[0], bool(payload[1] & 1))
        elif kind == HEARTBEAT and len(payload) >= 5 and payload[4]:
            self.acknowledged(payload[4], False)
        elif kind == SNAPSHOT_REQUEST and number and payload:
            self.post(SNAPSHOT, struct.pack("<IBB", self.clock(), 0, payload[0]))
            if self.last:
                self.post(DICE, self.last)
            self.post(SNAPSHOT, struct.pack("<IBB", self.clock(), 1, payload[0]))
        elif 0x40 <= kind < RESULT and number:
            self.post(RESULT, struct.pack("<IBBB", self.clock(), number, kind, self.outcome(kind, payload)))

    def outcome(self, kind: int, payload: bytes) -> int:
        """Section 7."""
        if kind != BEEP:
            return 2
        hertz, ms = struct.unpack_from("<HH", payload) if len(payload) >= 4 else (0, 0)
        return 0 if 50 <= hertz <= 10_000 and 1 <= ms <= 5_000 else 4

    def tick(self) -> None:
        now = time.monotonic()
        if self.state == "waiting":
            return
        silent, stuck = now - self.heard >= 3.5, bool(self.way) and now - self.progress >= 5
        if silent or stuck:
            self.put(BYE, bytes((1 if silent else 2,)))
            self.state = "waiting"
            return
        if self.way and now >= self.resend_at:
            self.pause = min(2 * self.pause, 1)
            self.resend_at = now + self.pause
            for message in self.way:
                self.send(message)
        if now - self.sent >= 1:
            self.put(HEARTBEAT, struct.pack("<IB", self.clock(), self.expected))
