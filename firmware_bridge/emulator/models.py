"""What an emulated device is and does: a dice cup, an automatic table and the walls that it builds. Pure:
times (ms of its clock) come in.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

from firmware_bridge.clock import WRAP_MS
from firmware_bridge.codec import Message
from firmware_bridge.commands import (
    NOT_TOLD,
    Beep,
    Command,
    CommandOutcome,
    SetTileCount,
    ShowScore,
    StartShuffle,
)
from firmware_bridge.errors import MessageError
from firmware_bridge.events import (
    ButtonAction,
    ButtonEvent,
    Dice,
    DicePhase,
    Die,
    Discard,
    DiscardAction,
    Side,
    Table,
    TableError,
    TableState,
    Tile,
    TileAction,
    Wall,
    WallPhase,
)
from firmware_bridge.handshake import Capability, DeviceKind, Welcome
from firmware_bridge.limits import SIDES

HEFEI_TILES = 84
Sides = tuple[Side, Side, Side, Side]


def make_sides(tiles: int, dealer: int = 0) -> Sides:
    """Four sides of two layers for `tiles` (84…144, even). Stacks left over go to the dealer's side and the
    one across first; of Hefei's 84 tiles the dealer has all of them: 12, 10, 10, 10.
    """
    stacks, extra = divmod(tiles // 2, 4)
    more = (2, 0, 0, 0) if tiles == HEFEI_TILES else tuple(int(extra > order) for order in (0, 2, 1, 3))
    first, second, third, fourth = (Side(stacks + more[(side - dealer) % 4], 2) for side in range(4))
    return first, second, third, fourth


def drawing_order(sides: Sequence[Side], side: int, stack: int) -> Iterator[tuple[int, int, int]]:
    """Every place (side, stack, layer) in the order in which people draw from that stack on: the upper tile
    of a stack before the lower, each side from its right end to its left one, the sides clockwise.
    """
    for ahead in range(SIDES + 1):  # the side of the break comes twice: its left part and its right one
        at = (side - ahead) % SIDES
        first = stack if ahead == 0 else 0
        end = stack if ahead == SIDES else sides[at].stacks
        for each in range(first, end):
            for layer in reversed(range(sides[at].layers)):
                yield at, each, layer


def find_break_stack(sides: Sequence[Side], dealer: int, total: int) -> tuple[int, int]:
    """Side and stack of the first tile to draw where the dealer's dice show `total`, in the usual way: it
    counts the sides counterclockwise from the dealer's, and on that side as many stacks from the right stay.
    """
    side = (dealer + total - 1) % SIDES
    around = dict.fromkeys((at, stack) for at, stack, _ in drawing_order(sides, side, 0))
    return tuple(around)[total % len(around)]


SHUFFLING_MS = 400
"""A real table needs a minute and a half for this and for building: nobody waits for an emulated one."""
BUILDING_MS = 400
DEAD_TILES = 14


class Model(Protocol):
    """What the emulator asks of a device."""

    about: Welcome
    ACTIONS: ClassVar[tuple[str, ...]]
    """What may happen to it, as `act` takes it; words in capitals are numbers."""

    def snapshot(self) -> list[Message]:
        """All that it has, in the order of PROTOCOL.md, section 8, without begin and end."""
        ...

    def command(self, command: Command, t_ms: int) -> tuple[CommandOutcome, list[Message]]:
        """What becomes of `command`, and what changes by it."""
        ...

    def tick(self, t_ms: int) -> list[Message]:
        """What has changed by `t_ms`."""
        ...

    def act(self, words: Sequence[str], t_ms: int) -> list[Message]:
        """Let one of ACTIONS happen. Raises MessageError or ValueError for what cannot."""
        ...

    def go_on(self, t_ms: int) -> list[Message]:
        """What happens next when nobody says what."""
        ...


class DiceCup:
    """`count` dice (1…6) in a cup; what they show comes from `rng`."""

    ACTIONS: ClassVar[tuple[str, ...]] = ("roll", "nudge")

    def __init__(self, rng: random.Random, count: int = 2, serial: str = "CUP-EMULATED") -> None:
        can = Capability.DICE | Capability.BEEP
        boot = rng.getrandbits(32)
        self.about = Welcome(0, 1, DeviceKind.DICE_CUP, can, boot, 8, 0, serial, "Emulated dice cup", "1.0.0")
        self._rng = rng
        self._count = count
        self._last: Dice | None = None

    @property
    def last(self) -> Dice | None:
        """The last settled roll."""
        return self._last

    def throw(self, t_ms: int) -> tuple[Dice, Dice]:
        """Dice in the air (may be lost) and what they come to: a new roll."""
        number = self._last.roll if self._last else 0
        moving = Dice(t_ms, number, DicePhase.MOVING, (Die(0, True),) * self._count)
        faces = tuple(Die(self._rng.randint(1, 6)) for _ in range(self._count))
        self._last = Dice(t_ms, number % 0xFFFF + 1, DicePhase.SETTLED, faces)
        return moving, self._last

    def nudge(self, t_ms: int) -> Dice:
        """Somebody knocks against one die: it shows another face, which is not a roll."""
        shown = self._last.dice if self._last else (Die(1),) * self._count
        nudged = (Die(shown[0].value % 6 + 1), *shown[1:])
        return Dice(t_ms, self._last.roll if self._last else 0, DicePhase.NUDGED, nudged)

    def snapshot(self) -> list[Message]:
        return [self._last] if self._last else []

    def command(self, command: Command, t_ms: int) -> tuple[CommandOutcome, list[Message]]:
        return (CommandOutcome.DONE if isinstance(command, Beep) else CommandOutcome.UNSUPPORTED), []

    def tick(self, t_ms: int) -> list[Message]:
        return []

    def act(self, words: Sequence[str], t_ms: int) -> list[Message]:
        match words:
            case ["roll"]:
                return [*self.throw(t_ms)]
            case ["nudge"]:
                return [self.nudge(t_ms)]
        raise MessageError(f"a dice cup can {' or '.join(self.ACTIONS)}")

    def go_on(self, t_ms: int) -> list[Message]:
        return [*self.throw(t_ms)]


class AutomaticTable:
    """A table that shuffles, builds and presents a wall, and reports each tile that leaves it; with
    `dice` (0…6) in its middle. The people at it draw from where the dice break the wall.
    """

    ACTIONS: ClassVar[tuple[str, ...]] = (
        "shuffle",
        "shuffle DEALER",
        "roll",
        "nudge",
        "break SIDE STACK",
        "draw",
        "return SIDE STACK LAYER",
        "lay SEAT NUMBER",
        "lift SEAT NUMBER",
        "press SEAT BUTTON",
        "end",
        "fail NUMBER",
        "mend",
    )

    def __init__(self, rng: random.Random, serial: str = "TABLE-EMULATED", dice: int = 2) -> None:
        can = (
            (Capability.DICE if dice else Capability(0))
            | Capability.WALL
            | Capability.TILE_POSITIONS
            | Capability.DISCARDS
            | Capability.BUTTONS
            | Capability.TABLE_STATE
            | Capability.SHUFFLE
            | Capability.SHOW_SCORE
            | Capability.BEEP
            | Capability.TILE_COUNT
        )
        kind = DeviceKind.AUTOMATIC_TABLE
        boot = rng.getrandbits(32)
        self.about = Welcome(0, 1, kind, can, boot, 8, 0, serial, "Emulated automatic table", "1.0.0")
        self.table = Table(0, TableState.IDLE, TableError.NONE, 136, 0)
        self.wall: Wall | None = None
        self.points = (0, 0, 0, 0)
        self._cup = DiceCup(rng, dice) if dice else None
        self._dealer = 0
        self._head: tuple[int, int] | None = None  # side and stack of the break, once there is one
        self._sides = make_sides(self.table.tile_count)
        self._before_error = TableState.IDLE
        self._since_ms = 0

    def snapshot(self) -> list[Message]:
        return [self.table, *([self.wall] if self.wall else []), *(self._cup.snapshot() if self._cup else [])]

    def command(self, command: Command, t_ms: int) -> tuple[CommandOutcome, list[Message]]:
        if isinstance(command, StartShuffle):
            if self.table.state in (TableState.SHUFFLING, TableState.BUILDING, TableState.PLAYING):
                return CommandOutcome.REFUSED, []
            if self.table.error == TableError.LID_OPEN:  # no motor starts above a hand
                return CommandOutcome.REFUSED, []
            if command.dealer != NOT_TOLD:
                self._dealer = command.dealer
            self._sides = make_sides(self.table.tile_count, self._dealer)
            self._head = None
            self.wall = Wall(t_ms, WallPhase.NONE, (Side(0, 0),) * 4, ())
            return CommandOutcome.STARTED, [self._make_table(TableState.SHUFFLING, t_ms), self.wall]
        if isinstance(command, SetTileCount):
            if command.tiles % 2:
                return CommandOutcome.BAD_VALUE, []
            self.table = replace(self.table, t_ms=t_ms, tile_count=command.tiles)
            return CommandOutcome.DONE, [self.table]
        if isinstance(command, ShowScore):
            self.points = command.points
        return CommandOutcome.DONE, []

    def tick(self, t_ms: int) -> list[Message]:
        # Less than 0 where a command was stamped after this turn had begun.
        waited = (t_ms - self._since_ms + WRAP_MS // 2) % WRAP_MS - WRAP_MS // 2
        if self.table.state == TableState.SHUFFLING and waited >= SHUFFLING_MS:
            return [self._make_table(TableState.BUILDING, t_ms)]
        if self.table.state == TableState.BUILDING and waited >= BUILDING_MS:
            tiles = (True,) * sum(side.stacks * side.layers for side in self._sides)
            self.wall = Wall(t_ms, WallPhase.PRESENTED, self._sides, tiles)
            self.table = replace(self.table, hand=self.table.hand % 0xFFFF + 1)
            return [self.wall, self._make_table(TableState.READY, t_ms)]
        return []

    def throw(self, t_ms: int) -> list[Message]:
        """The dice in its middle are thrown: the first throw at a whole wall breaks it. MessageError where
        it has none.
        """
        moving, settled = self._require_dice.throw(t_ms)
        if self._is_whole and self._head is None:
            self._head = find_break_stack(self._sides, self._dealer, settled.total)
        return [moving, settled]

    def break_at(self, side: int, stack: int) -> None:
        """Somebody breaks the wall there, by dice of another device or by another rule: that stack is drawn
        from first. MessageError where there is none.
        """
        self._require_wall.place(side, stack, 0)
        self._head = side, stack

    def draw(self, t_ms: int) -> list[Message]:
        """The next tile from the break on leaves the wall; none when it is empty. Where nobody broke it, it
        is drawn from the dealer's right end.
        """
        if self.wall is None:
            return []
        for side, stack, layer in drawing_order(self.wall.sides, *(self._head or (self._dealer, 0))):
            place = self.wall.place(side, stack, layer)
            if self.wall.tiles[place]:
                tiles = (*self.wall.tiles[:place], False, *self.wall.tiles[place + 1 :])
                self.wall = replace(self.wall, tiles=tiles)
                drawn = Tile(t_ms, TileAction.DRAWN, side, stack, layer, self.wall.remaining)
                begins = self.table.state == TableState.READY
                return [self._make_table(TableState.PLAYING, t_ms), drawn] if begins else [drawn]
        return []

    def put_back(self, side: int, stack: int, layer: int, t_ms: int) -> list[Message]:
        """A tile comes back to its place; nothing if there is one already. MessageError where the wall has
        no place.
        """
        wall = self._require_wall
        if wall.tiles[place := wall.place(side, stack, layer)]:
            return []
        self.wall = replace(wall, tiles=(*wall.tiles[:place], True, *wall.tiles[place + 1 :]))
        return [Tile(t_ms, TileAction.RETURNED, side, stack, layer, self.wall.remaining)]

    def end_hand(self, t_ms: int) -> list[Message]:
        """The hand, or the shuffle, is over; nothing where the table rests, or has failed."""
        rests = self.table.state in (TableState.IDLE, TableState.ERROR)
        return [] if rests else [self._make_table(TableState.IDLE, t_ms)]

    def fail(self, error: int, t_ms: int) -> list[Message]:
        """Something broke; `mend` goes on where it was, StartShuffle begins anew."""
        if self.table.state != TableState.ERROR:
            self._before_error = TableState(self.table.state)
        return [self._make_table(TableState.ERROR, t_ms, error)]

    def mend(self, t_ms: int) -> list[Message]:
        """It is whole again; nothing if it was."""
        return [self._make_table(self._before_error, t_ms)] if self.table.state == TableState.ERROR else []

    def act(self, words: Sequence[str], t_ms: int) -> list[Message]:
        match words:
            case ["shuffle", *dealer] if len(dealer) <= 1:
                outcome, messages = self.command(StartShuffle(*map(int, dealer)), t_ms)
                if outcome is CommandOutcome.REFUSED:
                    raise MessageError("it shuffles, builds, is being played on or open: end the hand first")
                return messages
            case ["roll"]:
                return self.throw(t_ms)
            case ["nudge"]:
                return [self._require_dice.nudge(t_ms)]
            case ["break", side, stack]:
                self.break_at(int(side), int(stack))
                return []
            case ["draw"]:
                return self.draw(t_ms)
            case ["return", side, stack, layer]:
                return self.put_back(int(side), int(stack), int(layer), t_ms)
            case ["lay" | "lift" as what, seat, number]:
                action = DiscardAction.LAID if what == "lay" else DiscardAction.LIFTED
                return [Discard(t_ms, action, int(seat), int(number))]
            case ["press", seat, button]:
                used = (ButtonAction.PRESSED, ButtonAction.RELEASED)
                return [ButtonEvent(t_ms, int(seat), int(button), each) for each in used]
            case ["end"]:
                return self.end_hand(t_ms)
            case ["fail", number]:
                return self.fail(int(number), t_ms)
            case ["mend"]:
                return self.mend(t_ms)
        raise MessageError(f"a table can {', '.join(self.ACTIONS)}")

    def go_on(self, t_ms: int) -> list[Message]:
        """The throw that breaks the wall, then tile after tile; when only the dead wall is left, the next
        hand.
        """
        if self.table.state in (TableState.SHUFFLING, TableState.BUILDING, TableState.ERROR):
            return []
        if self._cup and self._head is None and self._is_whole:
            return self.throw(t_ms)
        if self.wall is not None and self.wall.remaining > DEAD_TILES:
            return self.draw(t_ms)
        return [*self.end_hand(t_ms), *self.command(StartShuffle(), t_ms)[1]]

    @property
    def _require_dice(self) -> DiceCup:
        if self._cup is None:
            raise MessageError("this table has no dice")
        return self._cup

    @property
    def _require_wall(self) -> Wall:
        if self.wall is None or not self.wall.places:
            raise MessageError("no wall stands")
        return self.wall

    @property
    def _is_whole(self) -> bool:
        return self.wall is not None and 0 < self.wall.places == self.wall.remaining

    def _make_table(self, state: TableState, t_ms: int, error: int = TableError.NONE) -> Table:
        self.table = replace(self.table, t_ms=t_ms, state=state, error=error)
        self._since_ms = t_ms
        return self.table
