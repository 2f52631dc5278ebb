"""What a device has reported, put together: its table, its wall, its last roll. Messages in, a value out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.codec import Message
from firmware_bridge.errors import MessageError
from firmware_bridge.events import Dice, DicePhase, Snapshot, SnapshotPhase, Table, Tile, TileAction, Wall


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """All that a device has reported; None for what it does not have. `complete` from the end of a snapshot
    on.
    """

    table: Table | None = None
    wall: Wall | None = None
    roll: Dice | None = None
    complete: bool = False


class Mirror:
    """Folds messages into a DeviceState, and notices when something does not fit."""

    __slots__ = ("_counted", "doubts", "state")

    def __init__(self) -> None:
        self.state = DeviceReport()
        self.doubts = 0
        """How often something did not fit; each time a snapshot should be asked for."""
        self._counted: tuple[int, int] | None = None

    def forget(self) -> None:
        """The session ended: nothing is known for certain. The last roll stays counted."""
        self.state = DeviceReport()

    def apply(self, message: Message) -> bool:
        """Take `message` in; False if it does not fit what was reported before: then a snapshot should be
        asked for.
        """
        fits = True
        if isinstance(message, Snapshot):
            ends = message.phase == SnapshotPhase.END
            self.state = replace(self.state, complete=True) if ends else DeviceReport()
        elif isinstance(message, Table):
            self.state = replace(self.state, table=message)
        elif isinstance(message, Wall):
            self.state = replace(self.state, wall=message)
        elif isinstance(message, Dice) and message.phase == DicePhase.SETTLED:
            self.state = replace(self.state, roll=message)
        elif isinstance(message, Tile):
            fits = self._move(message)
        self.doubts += not fits
        return fits

    def _move(self, tile: Tile) -> bool:
        wall = self.state.wall
        if wall is None:
            return False
        try:
            place = wall.place(tile.side, tile.stack, tile.layer)
        except MessageError:
            return False
        returned = tile.action == TileAction.RETURNED
        if wall.tiles[place] == returned:
            return False
        moved = replace(wall, tiles=(*wall.tiles[:place], returned, *wall.tiles[place + 1 :]))
        self.state = replace(self.state, wall=moved)
        return moved.remaining == tile.remaining

    def counts(self, dice: Dice, boot: int) -> bool:
        """Whether `dice` is a roll that has not counted yet; `boot` is that of the device's welcome."""
        roll = (boot, dice.roll)
        if dice.phase != DicePhase.SETTLED or roll == self._counted:
            return False
        self._counted = roll
        return True
