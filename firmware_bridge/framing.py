"""Frames: CRC-16 and COBS on the way out, a bounded reader that finds frames in any stream on the way in.

COBS: S. Cheshire, M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7(2),
1999. CRC: CRC-16/GENIBUS of the RevEng catalogue, which is `binascii.crc_hqx(…, 0xFFFF)` with all bits
turned.
"""

from __future__ import annotations

from binascii import crc_hqx
from enum import Enum

from firmware_bridge.errors import MessageError
from firmware_bridge.limits import BODY_BYTES_MAX, CRC_BYTES, LENGTH_AT, STUFFED_BYTES_MAX

DELIMITER = b"\0"


class Damage(Enum):
    """Why a piece of the stream is not a frame."""

    TOO_LONG = "too long"
    STUFFING = "stuffing"
    TOO_SHORT = "too short"
    LENGTH = "length"
    CHECKSUM = "checksum"


def crc16(data: bytes) -> int:
    """CRC-16/GENIBUS of `data`, 0…65535: polynomial 0x1021, init 0xFFFF, not reflected, final XOR 0xFFFF."""
    return crc_hqx(data, 0xFFFF) ^ 0xFFFF


def stuff(data: bytes) -> bytes:
    """COBS of at most 253 bytes: one byte longer, without a zero. The delimiter is not added."""
    if len(data) > 253:
        raise MessageError(f"{len(data)} bytes cannot be stuffed as one block: at most 253 are allowed")
    return b"".join(bytes((len(run) + 1,)) + run for run in data.split(DELIMITER))


def unstuff(stuffed: bytes) -> bytes | None:
    """The bytes of which `stuffed` (no zero in it) is the COBS form, or None if it is not valid."""
    plain = bytearray()
    at, end = 0, len(stuffed)
    while at < end:
        after = at + stuffed[at]
        if after > end or stuffed[at] == 0xFF:
            return None
        plain += stuffed[at + 1 : after]
        if after < end:
            plain.append(0)
        at = after
    return bytes(plain)


def wrap(body: bytes) -> bytes:
    """`body` (type, session, number, payload: 3…125 bytes) as it goes on the wire: at most 130 bytes.

    Behind the number stands the length of the payload, behind all the CRC, high byte first; COBS and
    delimiter follow.
    """
    if not LENGTH_AT <= len(body) <= BODY_BYTES_MAX:
        raise MessageError(f"a body of {len(body)} bytes: {LENGTH_AT} to {BODY_BYTES_MAX} are allowed")
    plain = b"%b%c%b" % (body[:LENGTH_AT], len(body) - LENGTH_AT, body[LENGTH_AT:])
    return stuff(plain + crc16(plain).to_bytes(CRC_BYTES, "big")) + DELIMITER


def unwrap(stuffed: bytes) -> bytes | Damage:
    """The body in a frame whose delimiter has been taken off, or what is wrong with it."""
    if len(stuffed) > STUFFED_BYTES_MAX:
        return Damage.TOO_LONG
    plain = unstuff(stuffed)
    if plain is None:
        return Damage.STUFFING
    if len(plain) < LENGTH_AT + 1 + CRC_BYTES:
        return Damage.TOO_SHORT
    if plain[LENGTH_AT] != len(plain) - LENGTH_AT - 1 - CRC_BYTES:
        return Damage.LENGTH
    if crc16(plain[:-CRC_BYTES]) != int.from_bytes(plain[-CRC_BYTES:], "big"):
        return Damage.CHECKSUM
    return plain[:LENGTH_AT] + plain[LENGTH_AT + 1 : -CRC_BYTES]


class FrameReader:
    """Finds frames in a stream fed in pieces of any size. Keeps at most one frame (129 bytes) of it."""

    __slots__ = ("_kept", "_skipping")

    def __init__(self) -> None:
        self._kept = b""
        self._skipping = False

    @property
    def kept_bytes(self) -> int:
        """Bytes kept of a frame that has not ended yet, 0…129."""
        return len(self._kept)

    def feed(self, data: bytes) -> list[bytes | Damage]:
        """The bodies that end in `data`, and one Damage in the place of each piece that is not a frame."""
        pieces = (self._kept + data).split(DELIMITER)
        self._kept = pieces.pop()
        found: list[bytes | Damage] = []
        for piece in pieces:
            if self._skipping:  # the rest of one that was reported already
                self._skipping = False
            elif piece:  # delimiters in a row are allowed
                found.append(unwrap(piece))
        if len(self._kept) > STUFFED_BYTES_MAX:
            if not self._skipping:
                found.append(Damage.TOO_LONG)
            self._skipping = True
            self._kept = b""
        return found
