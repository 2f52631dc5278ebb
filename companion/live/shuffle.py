"""Asks an automatic table to shuffle for the game that is played: how many tiles, then who deals.

Each command waits for the answer to the one before it: a table that cannot build the wall of the game is not
started.
"""

from __future__ import annotations

from companion.sentences import Sentence
from firmware_bridge.commands import Command, CommandOutcome, Result, SetTileCount, StartShuffle
from firmware_bridge.errors import LinkError, QueueFullError
from firmware_bridge.events import Table, TableError, TableState
from firmware_bridge.handshake import Capability, Welcome
from firmware_bridge.link import Link

BUSY = (TableState.SHUFFLING, TableState.BUILDING, TableState.PLAYING)
"""In these states a table refuses to shuffle (StartShuffle of the protocol)."""


def can_shuffle(device: Welcome) -> bool:
    return Capability.SHUFFLE in device.capabilities


def may_shuffle(table: Table | None) -> bool:
    """Whether a table in that state would begin; None where it reports none."""
    return table is None or (table.state not in BUSY and table.error != TableError.LID_OPEN)


class Shuffle:
    """A shuffle that is asked for over `link`."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._asked: dict[int, Command] = {}
        self._dealer = 0

    @property
    def waits(self) -> bool:
        """Whether something was asked that has not been answered."""
        return bool(self._asked)

    def ask(self, device: Welcome, table: Table | None, tiles: int, dealer: int) -> Sentence | None:
        """Ask for a wall of that many tiles, before the side `dealer` deals; gives what is in the way."""
        self._dealer = dealer
        other = table is None or table.tile_count != tiles
        if other and Capability.TILE_COUNT in device.capabilities:
            return self._send(SetTileCount(tiles))
        return self._send(StartShuffle(dealer))

    def note_answer(self, result: Result) -> Sentence | None:
        """Go on after an answer; gives what is in the way."""
        command = self._asked.pop(result.command_seq, None)
        if command is None:
            return None
        if isinstance(command, SetTileCount):
            if result.outcome == CommandOutcome.DONE:
                return self._send(StartShuffle(self._dealer))
            return Sentence("The table cannot build a wall of {count} tiles.", {"count": command.tiles})
        if result.outcome in (CommandOutcome.DONE, CommandOutcome.STARTED):
            return None
        if result.outcome == CommandOutcome.REFUSED:
            return Sentence("The table does not shuffle now: a hand may be in play, or its lid open.")
        return Sentence("The table cannot shuffle in this way.")

    def forget(self) -> None:
        """The session is over: no answer will come."""
        self._asked.clear()

    def _send(self, command: Command) -> Sentence | None:
        try:
            self._asked[self._link.send(command)] = command
        except (LinkError, QueueFullError):
            return Sentence("The table is not connected, or does not answer.")
        return None
