"""Messages by which the host asks for something, and the device's answer. Layouts: PROTOCOL.md, 7."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Self

from firmware_bridge.fields import I32, U8, U32, check_range, check_size, decode_code
from firmware_bridge.limits import BEEP_HZ, BEEP_MS_MAX, SIDES, TILES_MAX, TILES_MIN

NOT_TOLD = 255
"""The dealer of a shuffle where the host does not say who deals."""


class CommandOutcome(IntEnum):
    """What became of a command; STARTED: Table messages report the rest."""

    DONE = 0
    STARTED = 1
    UNSUPPORTED = 2
    REFUSED = 3
    BAD_VALUE = 4


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """Tell me all there is; `token` (u8) comes back in the answer."""

    TYPE: ClassVar[int] = 0x10
    token: int

    def __post_init__(self) -> None:
        check_range("token", self.token, 0, U8)

    def pack(self) -> bytes:
        return bytes((self.token,))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(check_size(payload, 1)[0])


@dataclass(frozen=True, slots=True)
class StartShuffle:
    """Shuffle the tiles and build the wall; refused while a hand is being played. `dealer`: the side (0…3)
    of whoever deals the hand to come, by which the lengths of the walls may go; else NOT_TOLD.
    """

    TYPE: ClassVar[int] = 0x40
    dealer: int = NOT_TOLD

    def __post_init__(self) -> None:
        if self.dealer != NOT_TOLD:
            check_range("dealer", self.dealer, 0, SIDES - 1)

    def pack(self) -> bytes:
        return bytes((self.dealer,))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(check_size(payload, 1)[0])


@dataclass(frozen=True, slots=True)
class ShowScore:
    """Show these points (i32 each) of seats 0 to 3."""

    TYPE: ClassVar[int] = 0x41
    LAYOUT: ClassVar = struct.Struct("<4i")
    points: tuple[int, int, int, int]

    def __post_init__(self) -> None:
        check_range("the number of scores", len(self.points), SIDES, SIDES)
        for points in self.points:
            check_range("points", points, -I32 - 1, I32)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(*self.points)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size)))


@dataclass(frozen=True, slots=True)
class Beep:
    """Sound `frequency_hz` (50…10000) for `duration_ms` (1…5000)."""

    TYPE: ClassVar[int] = 0x42
    LAYOUT: ClassVar = struct.Struct("<HH")
    frequency_hz: int
    duration_ms: int

    def __post_init__(self) -> None:
        check_range("frequency_hz", self.frequency_hz, *BEEP_HZ)
        check_range("duration_ms", self.duration_ms, 1, BEEP_MS_MAX)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.frequency_hz, self.duration_ms)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(*cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size)))


@dataclass(frozen=True, slots=True)
class SetTileCount:
    """Build walls of `tiles` (84…144) from the next shuffle on."""

    TYPE: ClassVar[int] = 0x43
    tiles: int

    def __post_init__(self) -> None:
        check_range("tiles", self.tiles, TILES_MIN, TILES_MAX)

    def pack(self) -> bytes:
        return bytes((self.tiles,))

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        return cls(check_size(payload, 1)[0])


@dataclass(frozen=True, slots=True)
class Result:
    """Device to host: what became of the command numbered `command_seq` (1…255) of type `command_type`
    (u8).
    """

    TYPE: ClassVar[int] = 0x4F
    LAYOUT: ClassVar = struct.Struct("<IBBB")
    t_ms: int
    command_seq: int
    command_type: int
    outcome: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_range("command_seq", self.command_seq, 1, U8)
        check_range("command_type", self.command_type, 0, U8)
        check_range("outcome", self.outcome, 0, U8)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.command_seq, self.command_type, self.outcome)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, seq, command, outcome = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(t_ms, seq, command, decode_code(CommandOutcome, outcome))


Command = SnapshotRequest | StartShuffle | ShowScore | Beep | SetTileCount
COMMAND_TYPES = range(StartShuffle.TYPE, Result.TYPE)
"""The types that are commands, those to come among them."""
