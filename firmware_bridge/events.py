"""Messages that report what happened at the table, from device to host. Layouts: PROTOCOL.md, 6.

Every one begins with `t_ms` (u32): milliseconds of the device's clock when it happened, not when it was sent.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Self

from firmware_bridge.errors import MessageError
from firmware_bridge.fields import U8, U16, U32, check_code, check_range, check_size, decode_code
from firmware_bridge.limits import DICE_MAX, LAYERS_MAX, SIDES, STACKS_MAX, TILES_MAX, TILES_MIN

UNKNOWN_INDEX = 255
"""A discard of which the device knows the seat but not which one it is."""
CENTRE = 4
"""The seat of buttons that belong to no seat: those of the scoreboard or the middle of the table."""


class DicePhase(IntEnum):
    """Only SETTLED is a roll."""

    MOVING = 0
    SETTLED = 1
    NUDGED = 2


class WallPhase(IntEnum):
    """BUILT is below the surface, PRESENTED is raised: play may begin."""

    NONE = 0
    BUILDING = 1
    BUILT = 2
    PRESENTED = 3


class TileAction(IntEnum):
    """Out of the wall, or back into it."""

    DRAWN = 0
    RETURNED = 1


class DiscardAction(IntEnum):
    """Among the discards, or out of them."""

    LAID = 0
    LIFTED = 1


class Button(IntEnum):
    """64…127 are a device's own."""

    WIN = 1
    PASS = 2
    CHOW = 3
    PUNG = 4
    KONG = 5
    READY = 6
    CONFIRM = 7
    UNDO = 8
    NEXT_HAND = 9
    SCORE_UP = 10
    SCORE_DOWN = 11


class ButtonAction(IntEnum):
    """HELD: for a second."""

    PRESSED = 0
    HELD = 1
    RELEASED = 2


class TableState(IntEnum):
    """What the table is doing."""

    IDLE = 0
    SHUFFLING = 1
    BUILDING = 2
    READY = 3
    PLAYING = 4
    ERROR = 5


class TableError(IntEnum):
    """What is wrong with it; 128…255 are a device's own."""

    NONE = 0
    JAM = 1
    TILES_MISSING = 2
    TILES_TOO_MANY = 3
    LID_OPEN = 4
    MOTOR = 5
    SENSOR = 6
    POWER = 7


class SnapshotPhase(IntEnum):
    """What stands between the two is all that the device has."""

    BEGIN = 0
    END = 1


@dataclass(frozen=True, slots=True)
class Die:
    """One die: `value` 1…6, or 0 while it cannot be read (in the air, leaning, under the cup)."""

    value: int
    moving: bool = False

    def __post_init__(self) -> None:
        check_range("the value of a die", self.value, 0, 6)


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice (1…6 of them). Only SETTLED is a roll, and each `roll` (u16, 0 = none yet) counts once.

    MOVING and NUDGED carry the number of the last settled roll: what was rolled stays as it was.
    """

    TYPE: ClassVar[int] = 0x20
    LAYOUT: ClassVar = struct.Struct("<IHBB")
    t_ms: int
    roll: int
    phase: int
    dice: tuple[Die, ...]

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_range("roll", self.roll, 0, U16)
        check_code("phase", DicePhase, self.phase)
        check_range("the number of dice", len(self.dice), 1, DICE_MAX)
        if self.phase == DicePhase.SETTLED:
            check_range("the number of a settled roll", self.roll, 1, U16)
            if any(die.moving or not die.value for die in self.dice):
                raise MessageError("a settled roll with a die that moves or cannot be read")

    @property
    def total(self) -> int:
        """What the dice show together."""
        return sum(die.value for die in self.dice)

    def pack(self) -> bytes:
        dice = bytes(die.value | die.moving << 7 for die in self.dice)
        return self.LAYOUT.pack(self.t_ms, self.roll, self.phase, len(dice)) + dice

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, roll, phase, count = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        dice = check_size(payload, cls.LAYOUT.size + count)[cls.LAYOUT.size : cls.LAYOUT.size + count]
        return cls(
            t_ms,
            roll,
            decode_code(DicePhase, phase),
            tuple(Die(die & 0x0F, bool(die & 0x80)) for die in dice),
        )


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a wall: `stacks` (0…36) next to each other, each of `layers` (1…2; 0 if there is no
    stack).
    """

    stacks: int
    layers: int

    def __post_init__(self) -> None:
        check_range("stacks", self.stacks, 0, STACKS_MAX)
        check_range("layers", self.layers, 1 if self.stacks else 0, LAYERS_MAX if self.stacks else 0)


@dataclass(frozen=True, slots=True)
class Wall:
    """The present wall: four sides, and for every place whether there is a tile.

    `tiles[i]` is place i: side by side, in each from the right as the player behind it sees it, the lower
    tile of a stack before the upper one. At most 144 places. `place` gives the number of one.
    """

    TYPE: ClassVar[int] = 0x21
    LAYOUT: ClassVar = struct.Struct("<IB8B")
    t_ms: int
    phase: int
    sides: tuple[Side, Side, Side, Side]
    tiles: tuple[bool, ...]

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_code("phase", WallPhase, self.phase)
        check_range("the number of sides", len(self.sides), SIDES, SIDES)
        check_range("the number of places", self.places, 0, TILES_MAX)
        if self.phase == WallPhase.NONE:
            check_range("the number of places where there is no wall", self.places, 0, 0)
        check_range("the number of tiles reported", len(self.tiles), self.places, self.places)

    @property
    def places(self) -> int:
        """How many tiles the wall has place for."""
        return sum(side.stacks * side.layers for side in self.sides)

    @property
    def remaining(self) -> int:
        """How many tiles are in it."""
        return sum(self.tiles)

    def place(self, side: int, stack: int, layer: int) -> int:
        """The number of a place. Raises MessageError if the wall has none."""
        check_range("side", side, 0, SIDES - 1)
        check_range("stack", stack, 0, self.sides[side].stacks - 1)
        check_range("layer", layer, 0, self.sides[side].layers - 1)
        before = sum(each.stacks * each.layers for each in self.sides[:side])
        return before + stack * self.sides[side].layers + layer

    def pack(self) -> bytes:
        sizes = [number for side in self.sides for number in (side.stacks, side.layers)]
        bits = sum(there << place for place, there in enumerate(self.tiles))
        return self.LAYOUT.pack(self.t_ms, self.phase, *sizes) + bits.to_bytes(
            (self.places + 7) // 8, "little"
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, phase, *sizes = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        sides = tuple(Side(*sizes[i : i + 2]) for i in range(0, 2 * SIDES, 2))
        places = sum(side.stacks * side.layers for side in sides)
        check_range("the number of places", places, 0, TILES_MAX)
        end = cls.LAYOUT.size + (places + 7) // 8
        bits = int.from_bytes(check_size(payload, end)[cls.LAYOUT.size : end], "little")
        tiles = tuple(bool(bits >> place & 1) for place in range(places))
        return cls(t_ms, decode_code(WallPhase, phase), sides, tiles)  # type: ignore[arg-type]  # four of them


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile left the wall or came back: `side` 0…3, `stack` 0…35, `layer` 0 below, 1 above; `remaining`
    after it.
    """

    TYPE: ClassVar[int] = 0x22
    LAYOUT: ClassVar = struct.Struct("<IBBBBB")
    t_ms: int
    action: int
    side: int
    stack: int
    layer: int
    remaining: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_code("action", TileAction, self.action)
        check_range("side", self.side, 0, SIDES - 1)
        check_range("stack", self.stack, 0, STACKS_MAX - 1)
        check_range("layer", self.layer, 0, LAYERS_MAX - 1)
        check_range("remaining", self.remaining, 0, TILES_MAX)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.action, self.side, self.stack, self.layer, self.remaining)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, action, *rest = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(t_ms, decode_code(TileAction, action), *rest)


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile was laid into or lifted out of the discards of `seat` (0…3), its `index`-th (0…254; 255 not
    known).
    """

    TYPE: ClassVar[int] = 0x23
    LAYOUT: ClassVar = struct.Struct("<IBBB")
    t_ms: int
    action: int
    seat: int
    index: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_code("action", DiscardAction, self.action)
        check_range("seat", self.seat, 0, SIDES - 1)
        check_range("index", self.index, 0, U8)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.action, self.seat, self.index)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, action, *rest = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(t_ms, decode_code(DiscardAction, action), *rest)


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """A button of `seat` (0…3, or 4: of the scoreboard) was used; codes that we do not know are kept as
    numbers.
    """

    TYPE: ClassVar[int] = 0x24
    LAYOUT: ClassVar = struct.Struct("<IBBB")
    t_ms: int
    seat: int
    button: int
    action: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_range("seat", self.seat, 0, CENTRE)
        check_range("button", self.button, 1, U8)
        check_code("action", ButtonAction, self.action)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.seat, self.button, self.action)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, seat, button, action = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(t_ms, seat, decode_code(Button, button), decode_code(ButtonAction, action))


@dataclass(frozen=True, slots=True)
class Table:
    """What the table is doing. `tile_count` 84…144, or 0 where it is not set; `hand` (u16) counts walls
    presented.
    """

    TYPE: ClassVar[int] = 0x25
    LAYOUT: ClassVar = struct.Struct("<IBBBH")
    t_ms: int
    state: int
    error: int
    tile_count: int
    hand: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_code("state", TableState, self.state)
        check_range("error", self.error, 0, U8)
        if (self.state == TableState.ERROR) != (self.error != TableError.NONE):
            raise MessageError(
                f"error is {self.error} in state {self.state}: an error has a number, and nothing else"
            )
        if self.tile_count:
            check_range("tile_count", self.tile_count, TILES_MIN, TILES_MAX)
        check_range("hand", self.hand, 0, U16)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.state, self.error, self.tile_count, self.hand)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, state, error, *rest = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(t_ms, decode_code(TableState, state), decode_code(TableError, error), *rest)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """BEGIN: forget what I reported; what follows is all there is. END: that was it. `token` (u8) is the
    request's.
    """

    TYPE: ClassVar[int] = 0x11
    LAYOUT: ClassVar = struct.Struct("<IBB")
    t_ms: int
    phase: int
    token: int

    def __post_init__(self) -> None:
        check_range("t_ms", self.t_ms, 0, U32)
        check_code("phase", SnapshotPhase, self.phase)
        check_range("token", self.token, 0, U8)

    def pack(self) -> bytes:
        return self.LAYOUT.pack(self.t_ms, self.phase, self.token)

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        t_ms, phase, token = cls.LAYOUT.unpack_from(check_size(payload, cls.LAYOUT.size))
        return cls(t_ms, decode_code(SnapshotPhase, phase), token)
