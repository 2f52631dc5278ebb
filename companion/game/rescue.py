"""A new game of what is left of a damaged one.

The intact entries are entered again, one after the other, and each that can still happen is kept. Where
entries are missing, the hand in play often cannot go on: then it is abandoned when the next one starts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion import __version__
from companion.errors import EventError
from companion.game import messages
from companion.game.course import Course
from companion.game.file import GameEntry, GameFile
from companion.game.game import encode_pinned
from companion.game.remains import Remains, find_remains
from companion.game.troubles import make_error
from companion.sentences import Sentence, msgid
from companion.table.apply import apply
from companion.table.events import (
    Corrected,
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    EntryCancelled,
    Event,
    GameEnded,
    GameStarted,
    HandAbandoned,
    HandStarted,
    SeatsChanged,
    decode_event,
)
from companion.table.state import State

PLAYERS = 4
REPORT_SUFFIX = ".left-out.jsonl"
"""Suffix of the file beside a rescued game that lists the entries left out of it."""
WHY = msgid("entries of this game were lost")
"""What stands in the game itself of an event that was put in."""


class LeftOutEntry(NamedTuple):
    """An entry of the damaged game that is not in the new one. text: what can be read of it, or ""."""

    number: int
    why: str
    text: str


class InsertedEvent(NamedTuple):
    """An event without which the entry `before` of the damaged game could not have been kept."""

    before: int
    event: str


class RescuedGame(NamedTuple):
    """What became of a damaged game. entries: those of the new one."""

    entries: list[GameEntry]
    left_out: list[LeftOutEntry]
    put_in: list[InsertedEvent]

    @property
    def kept(self) -> int:
        """How many entries of the damaged game are in the new one."""
        return len(self.entries) - len(self.put_in)

    def report(self) -> bytes:
        """What was left out and put in, a line of JSON each."""
        lines = [*(each._asdict() for each in self.left_out), *(each._asdict() for each in self.put_in)]
        return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def rescue(damaged: Path, path: Path, start: GameStarted | None = None) -> RescuedGame:
    """Make a new game in the file `path` of what is left of a damaged one, which stays as it is.

    start: how the game began, used where that entry is lost. GameFileError where nothing is left, or the
    first entry is lost and `start` is not given; InputError where there is a game in `path` already.
    """
    remains = find_remains(damaged)
    if 1 not in remains.entries:
        if start is None:
            raise make_error(damaged, messages.DAMAGED, Sentence(messages.FIRST_LOST))
        remains.entries[1] = GameEntry(
            1, None, encode_pinned(start), 0, remains.entries[min(remains.entries)].at
        )
    rescued = reenter(remains)
    if not rescued.entries:
        raise make_error(damaged, messages.DAMAGED, Sentence(messages.FIRST_LOST))
    header = remains.header
    program, begun = (header.program, header.begun) if header else (__version__, rescued.entries[0].at)
    GameFile.create(path, rescued.entries, program=program, begun=begun).close()
    return rescued


def reenter(remains: Remains) -> RescuedGame:
    """The entries that can still happen, in order, and what became of the others."""
    again = _Reentry()
    for number in range(1, remains.last + 1):
        entry = remains.entries.get(number)
        if entry is None:
            again.miss(number, remains.damaged.get(number, ""))
        elif entry.event:
            again.enter(entry)
        else:
            again.move(entry)
    return again.rescued


class _Reentry:
    """The new game as it grows.

    standing, undone: an element for each event that would stand, or be undone, if nothing had been lost: how
    many events of the new game it became, 0 where it is left out, more than 1 with those put in before it.
    """

    def __init__(self) -> None:
        self.rescued = RescuedGame([], [], [])
        self._course = Course()
        self._standing: list[int] = []
        self._undone: list[int] = []
        self._lost = 0
        """How many entries of the hand in play are lost, as far as no event was put in for them."""
        self._payments_known: int | None = None
        """How many payments of the ledger have the number that they had; None while all have."""

    def miss(self, number: int, text: str) -> None:
        """Go on without an entry that is lost. It is taken for an event: most entries are."""
        self._leave_out(number, messages.NOT_AS_WRITTEN if text else messages.LOST, text)
        self._lost += 1

    def enter(self, entry: GameEntry) -> None:
        """Enter an event, with what must have happened before it; leave it out where it cannot happen."""
        try:
            event = self._renumber(decode_event(entry.event))
        except EventError as problem:
            self._leave_out(entry.number, str(problem), entry.event)
            return
        refusal: EventError | None = None
        for others in _guess_lost_events(self._state, event, self._lost):
            try:
                states = self._states_after((*others, event))
            except EventError as problem:
                refusal = refusal or problem
                continue
            for each, state in zip((*others, event), states, strict=True):
                self._course.take(each, state)
            for each in others:
                self.rescued.put_in.append(InsertedEvent(entry.number, encode_pinned(each)))
                self._keep(GameEntry(0, None, encode_pinned(each), 0, entry.at))
            text = encode_pinned(event) if isinstance(event, Corrected) else entry.event
            self._keep(entry._replace(event=text))
            self._standing.append(len(others) + 1)
            self._undone.clear()
            self._lost = 0 if isinstance(event, HandStarted) else self._lost - len(others)
            return
        self._leave_out(entry.number, str(refusal), entry.event)

    def move(self, entry: GameEntry) -> None:
        """Undo or redo as many events of the new game as became of those that were undone or redone."""
        back = entry.steps < 0
        source, target = (self._standing, self._undone) if back else (self._undone, self._standing)
        if abs(entry.steps) > len(source) - back:
            self.rescued.left_out.append(LeftOutEntry(entry.number, messages.STEPS_LOST, str(entry.steps)))
            return
        moved = [source.pop() for _ in range(abs(entry.steps))]
        target += moved
        steps = sum(moved)
        if not steps:
            self.rescued.left_out.append(LeftOutEntry(entry.number, messages.STEPS_OF_LOST, str(entry.steps)))
            return
        (self._course.undo if back else self._course.redo)(steps)
        self._keep(entry._replace(steps=-steps if back else steps))

    def _leave_out(self, number: int, why: str, text: str) -> None:
        self.rescued.left_out.append(LeftOutEntry(number, why, text))
        self._standing.append(0)
        self._undone.clear()
        if self._payments_known is None:
            self._payments_known = len(self._state.ledger) if self._state else 0

    @property
    def _state(self) -> State | None:
        return self._course.state if self._course.standing else None

    def _states_after(self, events: tuple[Event, ...]) -> list[State]:
        states: list[State] = []
        for event in events:
            before = states[-1] if states else self._state
            states.append(
                self._course.state_after(event) if isinstance(event, Corrected) else apply(before, event)
            )
        return states

    def _renumber(self, event: Event) -> Event:
        """The event as it names others in the new game. EventError where what it names is left out."""
        if isinstance(event, EntryCancelled):
            if self._payments_known is not None and event.entry >= self._payments_known:
                raise EventError(messages.PAYMENT_LOST)
        elif isinstance(event, Corrected) and event.number <= len(self._standing):
            if not self._standing[event.number - 1]:
                raise EventError(messages.CORRECTS_LOST, number=event.number)
            upto = None if event.upto is None else sum(self._standing[: event.upto])
            return msgspec.structs.replace(event, number=sum(self._standing[: event.number]), upto=upto)
        return event

    def _keep(self, entry: GameEntry) -> None:
        self.rescued.entries.append(entry._replace(number=len(self.rescued.entries) + 1))


def _guess_lost_events(state: State | None, event: Event, lost: int) -> Iterator[tuple[Event, ...]]:
    """What may be put in before an event, the least first: nothing; the end of a hand that could not go on,
    and whose deal it is then; what must have happened in any case, but for the dice and tiles."""
    yield ()
    if state is None:
        return
    if isinstance(event, HandStarted | SeatsChanged | DealSet | GameEnded):
        end = (HandAbandoned(why=WHY),) if state.playing else ()
        if end:
            yield end
        if isinstance(event, HandStarted):
            yield (*end, DealSet(dealer=event.dealer, why=WHY))
    elif lost:
        yield (HandStarted(dealer=state.deal.dealer),)
        yield (Dealt(),)
        for seat in range(PLAYERS):
            yield (Drawn(seat=seat),)
            yield (Discarded(seat=seat),)
