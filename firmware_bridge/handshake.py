"""Messages that make and keep a link: who is there, in which version, what has arrived. Layouts:
PROTOCOL.md, 5.

The first four never change their layout, in no version: a side must be able to refuse what it does not speak.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, Self

from firmware_bridge.errors import MessageError
from firmware_bridge.fields import U8, U32, check_range, check_size, decode_code, pack_text, unpack_text
from firmware_bridge.limits import FIRMWARE_BYTES_MAX, MODEL_BYTES_MAX, SERIAL_BYTES_MAX, WINDOW_MAX

MAGIC = b"MJCP"


class DeviceKind(IntEnum):
    """What a device is, on the whole; its capabilities say what it can do."""

    DICE_CUP = 1
    AUTOMATIC_TABLE = 2
    SCOREBOARD = 3
    BUTTONS = 4


class Capability(IntFlag):
    """What a device can do or reports; bits that have no name here are kept."""

    DICE = 1 << 0
    WALL = 1 << 1
    TILE_POSITIONS = 1 << 2
    DISCARDS = 1 << 3
    BUTTONS = 1 << 4
    TABLE_STATE = 1 << 5
    SHUFFLE = 1 << 8
    SHOW_SCORE = 1 << 9
    BEEP = 1 << 10
    TILE_COUNT = 1 << 11


class RefusalReason(IntEnum):
    """Why a device takes no session; BUSY: it has one with another host, on another line."""

    VERSION = 1
    BUSY = 2


class ByeReason(IntEnum):
    """Why a session ends."""

    CLOSED = 0
    TIMEOUT = 1
    STUCK = 2
    RESTART = 3
    FLOOD = 4


@dataclass(frozen=True, slots=True)
class Hello:
    """Host to device: which versions (1…255) I speak, and the `nonce` (u32) by which this session goes; its
    low byte is the session, and not 0.
    """

    TYPE: ClassVar[int] = 0x01
    LAYOUT: ClassVar = struct.Struct("<4sBBI")
    version_min: int
    version_max: int
    nonce: int

    def __post_init__(self) -> None:
        check_range("version_max", self.version_max, 1, U8)
        check_range("version_min", self.version_min, 1, self.version_max)
        check_range("nonce", self.nonce, 0, U32)
        if not self.nonce % 256:
            raise MessageError(f"the low byte of nonce {self.nonce} is 0: that is no session")

    def pack(self) -> bytes:
        return self.LAYOUT.pack(MAGIC, self.version_min, self.version_max, self.nonce)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        magic, least, most, nonce = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        if magic != MAGIC:
            raise MessageError(f"a hello begins with {magic!r}, not with {MAGIC!r}")
        return cls(least, most, nonce)


@dataclass(frozen=True, slots=True)
class Welcome:
    """Device to host: I speak `version`, and this is what I am.

    `boot` (u32) differs after every restart; `window` (1…8) is how many numbered commands I can hold;
    `t_ms` is my clock; `serial` has 1…24 bytes, `model` 0…32, `firmware` 0…16, all of UTF-8.
    """

    TYPE: ClassVar[int] = 0x02
    LAYOUT: ClassVar = struct.Struct("<IBBIIBI")
    nonce: int
    version: int
    kind: int
    capabilities: Capability
    boot: int
    window: int
    t_ms: int
    serial: str
    model: str = ""
    firmware: str = ""

    def __post_init__(self) -> None:
        check_range("nonce", self.nonce, 0, U32)
        check_range("version", self.version, 1, U8)
        check_range("kind", self.kind, 1, U8)
        check_range("capabilities", int(self.capabilities), 0, U32)
        check_range("boot", self.boot, 0, U32)
        check_range("window", self.window, 1, WINDOW_MAX)
        check_range("t_ms", self.t_ms, 0, U32)
        if not self.serial:
            raise MessageError("the serial number is empty")

    def pack(self) -> bytes:
        fixed = self.LAYOUT.pack(
            self.nonce, self.version, self.kind, int(self.capabilities), self.boot, self.window, self.t_ms
        )
        return (
            fixed
            + pack_text("serial", self.serial, SERIAL_BYTES_MAX)
            + pack_text("model", self.model, MODEL_BYTES_MAX)
            + pack_text("firmware", self.firmware, FIRMWARE_BYTES_MAX)
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        fixed = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        nonce, version, kind, capabilities, boot, window, t_ms = fixed
        serial, at = unpack_text("serial", payload, cls.LAYOUT.size, SERIAL_BYTES_MAX)
        model, at = unpack_text("model", payload, at, MODEL_BYTES_MAX)
        firmware, _ = unpack_text("firmware", payload, at, FIRMWARE_BYTES_MAX)
        names = (serial, model, firmware)
        return cls(
            nonce,
            version,
            decode_code(DeviceKind, kind),
            Capability(capabilities),
            boot,
            window,
            t_ms,
            *names,
        )


@dataclass(frozen=True, slots=True)
class Refused:
    """Device to host: not with me; I speak versions `version_min` to `version_max`."""

    TYPE: ClassVar[int] = 0x03
    LAYOUT: ClassVar = struct.Struct("<IBBB")
    nonce: int
    reason: int
    version_min: int
    version_max: int

    def __post_init__(self) -> None:
        check_range("nonce", self.nonce, 0, U32)
        check_range("reason", self.reason, 0, U8)
        check_range("version_max", self.version_max, 1, U8)
        check_range("version_min", self.version_min, 1, self.version_max)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.nonce, self.reason, self.version_min, self.version_max)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        nonce, reason, least, most = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(nonce, decode_code(RefusalReason, reason), least, most)


@dataclass(frozen=True, slots=True)
class Attention:
    """Device to host: I am here and have no session; say hello. `boot` as in Welcome."""

    TYPE: ClassVar[int] = 0x04
    LAYOUT: ClassVar = struct.Struct("<I")
    boot: int

    def __post_init__(self) -> None:
        check_range("boot", self.boot, 0, U32)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.boot)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(*cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size)))


@dataclass(frozen=True, slots=True)
class Bye:
    """Either side: this session ends."""

    TYPE: ClassVar[int] = 0x05
    reason: int

    def __post_init__(self) -> None:
        check_range("reason", self.reason, 0, U8)

    def pack(self) -> bytes:
        return bytes((self.reason,))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(decode_code(ByeReason, check_size(payload, 1)[0]))


@dataclass(frozen=True, slots=True)
class Ack:
    """Either side: all before `next` (1…255) has arrived; with `resend`, please send from there again."""

    TYPE: ClassVar[int] = 0x06
    next: int
    resend: bool = False

    def __post_init__(self) -> None:
        check_range("next", self.next, 1, U8)

    def pack(self) -> bytes:
        return bytes((self.next, self.resend))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        check_size(payload, 2)
        return cls(payload[0], bool(payload[1] & 1))


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Either side: I am alive, my clock says `t_ms`, and all before `next` (1…255) has arrived."""

    TYPE: ClassVar[int] = 0x07
    LAYOUT: ClassVar = struct.Struct("<IB")
    t_ms: int
    next: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_range("next", self.next, 1, U8)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.next)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(*cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size)))
