"""A table's game, played again from its entries: what the rules refuse is left out. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.club import messages
from companion.errors import EventError
from companion.game.log import GameLog, UndoList
from companion.publish.topics import EntryMessage
from companion.table.events import Corrected, EntryCancelled, Event, decode_event


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
            if is_accepted:
                event = decode_event(bytes(entry.event))
                events.add(game._renumber(event) or event)
            else:
                events.undone.clear()
            game._accepted.add(is_accepted)
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
            event = self._renumber(decode_event(line))
            if event is None:
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

    def _renumber(self, event: Event) -> Event | None:
        """The event with the numbers that those it names have here, where refused ones are left out; None
        where it cannot be known which it means."""
        accepted = self._accepted.standing
        if not isinstance(event, Corrected | EntryCancelled) or all(accepted):
            return event
        if isinstance(event, EntryCancelled) or any(
            isinstance(each, Corrected | EntryCancelled) for each in event.rights
        ):
            return None  # what a refused entry would have booked is unknown
        last = event.upto or event.number
        if not all(accepted[event.number - 1 : last]):
            return None
        number = sum(accepted[: event.number])
        upto = None if event.upto is None else number + last - event.number
        return replace(event, number=number, upto=upto)

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
