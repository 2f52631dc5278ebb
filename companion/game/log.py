"""The log of a game: which events stand, which a redo brings back, and the state that they lead to. No file.

This is the one place where events are undone and redone: `GameFile` moves entries, `GameLog` events, and a
rescue the events that became of lost ones, all by `UndoList`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, Self, TypeVar

from companion.errors import EventError, InputError
from companion.game import messages
from companion.table.apply import apply, fold
from companion.table.events import Corrected, Event
from companion.table.state import State, check_length

T = TypeVar("T")


class UndoList(Generic[T]):
    """standing: what counts, in order; the first item can never be undone. undone: what a redo brings back,
    the next one last; empty after a new item."""

    def __init__(self, standing: Iterable[T] = (), undone: Iterable[T] = ()) -> None:
        self.standing: list[T] = list(standing)
        self.undone: list[T] = list(undone)

    def add(self, item: T) -> None:
        self.standing.append(item)
        self.undone.clear()

    def move(self, steps: int) -> list[T]:
        """Undo the last -`steps` items, or redo the last `steps` undone ones, and return them; there must be
        as many."""
        source, target = (self.standing, self.undone) if steps < 0 else (self.undone, self.standing)
        moved = [source.pop() for _ in range(abs(steps))]
        target += moved
        return moved

    def check_undo(self, steps: int) -> None:
        """InputError if `steps` items cannot be undone."""
        most = max(len(self.standing) - 1, 0)
        if not 1 <= steps <= most:
            raise InputError(messages.CANNOT_UNDO, steps=steps, most=most)

    def check_redo(self, steps: int) -> None:
        """InputError if `steps` items cannot be redone."""
        if not 1 <= steps <= len(self.undone):
            raise InputError(messages.CANNOT_REDO, steps=steps, most=len(self.undone))


class GameLog(UndoList[Event]):
    """The events of a game and where they lead.

    The states after each of them are kept, so that undoing costs nothing; those before a correction, which
    never were, and forgotten ones are calculated when they are asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self._states: list[State | None] = [None]

    @property
    def state(self) -> State | None:
        """Where the game stands; None before its first event."""
        if self._states[-1] is None:
            self._states[-1] = fold(self.standing)
        return self._states[-1]

    def state_after(self, event: Event) -> State:
        """The state that this event leads to. EventError if it cannot happen."""
        return find_next(self.state, self.standing, event)

    def enter(self, event: Event) -> None:
        """Add an event. EventError if it cannot happen: then nothing has changed."""
        self.record(event, self.state_after(event))

    def record(self, event: Event, state: State) -> None:
        """Add an event that leads to `state`."""
        self.add(event)
        self._states.append(state)

    def move(self, steps: int) -> list[Event]:
        moved = super().move(steps)
        if steps < 0:
            del self._states[steps:]
            return moved
        for event in moved:
            state = self._states[-1]
            is_known = state is not None and not isinstance(event, Corrected)
            self._states.append(apply(state, event) if is_known else None)
        return moved

    def record_all(self, steps: Sequence[tuple[Event, State]], instead_of: int = 0) -> None:
        """Add events, each with the state that it leads to, in the place of the last `instead_of` ones."""
        self.move(-instead_of)
        for event, state in steps:
            self.record(event, state)

    def forget_states(self) -> None:
        """Keep only the newest state in memory: an undo calculates those before it again."""
        self._states[:-1] = [None] * (len(self._states) - 1)

    def copy(self) -> Self:
        """A log of its own that says the same."""
        other = type(self)()
        other.standing, other.undone = self.standing.copy(), self.undone.copy()
        other._states = self._states.copy()
        return other

    def resume(self, standing: Sequence[Event], undone: Iterable[Event]) -> None:
        """Go on from these. EventError says what cannot have happened; then `standing` ends before that."""
        corrections = [at for at, event in enumerate(standing, start=1) if isinstance(event, Corrected)]
        last = max(corrections, default=0)
        self.standing = list(standing[:last])
        self._states = [None] * (last + 1)
        for event in standing[last:]:
            self.enter(event)
        self.undone = list(undone)


def find_next(state: State | None, events: Sequence[Event], event: Event) -> State:
    """The state after one more event of the game in which `events` stand and lead to `state`. EventError if
    it cannot happen."""
    if not isinstance(event, Corrected):
        return check_length(apply(state, event))
    corrected = fold([*events, event])
    if corrected is None:
        raise EventError(messages.NOTHING_LEFT)
    return corrected
