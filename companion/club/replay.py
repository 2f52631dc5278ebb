"""A table's game, played again from its entries: what the rules refuse is left out. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.club import messages
from companion.errors import EventError
from companion.game.log import GameLog, UndoList
from companion.publish.topics import EntryMessage
from companion.table.events import Corrected, Event, decode_event


class ReplayedGame:
    """A game up to one of its entries.

    log: the events that the rules accept. has_changed: whether anything was paid, ended, corrected or undone
    since the score sheet was last written; whoever writes it sets it to False.
    """

    def __init__(self) -> None:
        self.log = GameLog()
        self.has_changed = False
        self._accepted: UndoList[bool] = UndoList()
        """Of each entry with an event that stands at the table, whether it is in the log."""

    @classmethod
    def resume(cls, entries: Iterable[tuple[EntryMessage, bool]]) -> ReplayedGame:
        """The game after these entries, each with whether it was accepted when it came. Raises EventError if
        they cannot have happened: then the rules are others by now."""
        game = cls()
        events: UndoList[Event] = UndoList()
        for entry, is_accepted in entries:
            if not entry.event:
                if is_accepted:
                    events.move(game._move_order(entry.steps))
                continue
            game._accepted.add(is_accepted)
            if is_accepted:
                events.add(decode_event(bytes(entry.event)))
            else:
                events.undone.clear()
        game.log.resume(events.standing, events.undone)
        game.has_changed = True
        return game

    def take(self, entry: EntryMessage) -> None:
        """Play on by that entry. InputError, as EventError with its ruling, if it cannot have happened: then
        it is left out."""
        if entry.event:
            self._enter(bytes(entry.event))
        else:
            self._move(entry.steps)

    def _enter(self, line: bytes) -> None:
        before = self.log.state
        try:
            event = decode_event(line)
            if isinstance(event, Corrected) and not all(self._accepted.standing):
                raise EventError(messages.AFTER_REFUSED)
            self.log.enter(event)
        except EventError:
            self._accepted.add(False)
            self.log.undone.clear()
            raise
        self._accepted.add(True)
        after = self.log.state
        assert after is not None
        if (
            isinstance(event, Corrected)
            or before is None
            or len(after.ledger) != len(before.ledger)
            or (before.playing and not after.playing)
        ):
            self.has_changed = True

    def _move(self, steps: int) -> None:
        if steps < 0:
            self._accepted.check_undo(-steps)
        else:
            self._accepted.check_redo(steps)
        self.log.move(self._move_order(steps))
        self.has_changed = True

    def _move_order(self, steps: int) -> int:
        """Move that many entries; how many events of the log go with them."""
        moved = sum(self._accepted.move(steps))
        return -moved if steps < 0 else moved
