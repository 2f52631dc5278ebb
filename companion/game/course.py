"""What stands of a game and where it leads: events entered, undone, redone, corrected. Knows no file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.errors import EventError
from companion.game import messages
from companion.table.apply import apply, fold
from companion.table.events import Corrected, Event
from companion.table.state import State, check_length


class Course:
    """standing: the events that stand. undone: those that a redo brings back, the next one last.

    The states after each of them are kept, so that undoing costs nothing; those before a correction, which
    never were, are found when they are asked for.
    """

    def __init__(self) -> None:
        self.standing: list[Event] = []
        self.undone: list[Event] = []
        self._states: list[State | None] = [None]

    @property
    def state(self) -> State | None:
        """Where the game stands; None before its first event."""
        if self._states[-1] is None:
            self._states[-1] = fold(self.standing)
        return self._states[-1]

    def state_after(self, event: Event) -> State:
        """The state that this event leads to. EventError where it cannot happen."""
        if not isinstance(event, Corrected):
            return check_length(apply(self.state, event))
        state = fold([*self.standing, event])
        if state is None:
            raise EventError(messages.NOTHING_LEFT)
        return state

    def list_states(self, events: Sequence[Event], instead_of: int = 0) -> list[State]:
        """The states that these events, none of them a correction, lead to one after the other, in the place
        of the last `instead_of` ones. EventError where one cannot happen."""
        standing = len(self.standing) - instead_of
        state = self._states[standing] or fold(self.standing[:standing])
        return [state := apply(state, event) for event in events]

    def enter(self, event: Event) -> None:
        """Add an event. EventError where it cannot happen: then nothing has changed."""
        self.take(event, self.state_after(event))

    def take(self, event: Event, state: State) -> None:
        """Add an event of which it is known where it leads."""
        self.standing.append(event)
        self.undone.clear()
        self._states.append(state)

    def undo(self, steps: int) -> None:
        """Take back the last `steps` events that stand; there must be as many."""
        for _ in range(steps):
            self.undone.append(self.standing.pop())
            self._states.pop()

    def redo(self, steps: int) -> None:
        """Bring back the last `steps` undone events; there must be as many."""
        for _ in range(steps):
            event = self.undone.pop()
            self._states.append(self.state_after(event))
            self.standing.append(event)

    def resume(self, standing: Sequence[Event], undone: Iterable[Event]) -> None:
        """Go on from these. EventError says what cannot have happened; then `standing` ends before that."""
        corrections = [at for at, event in enumerate(standing, start=1) if isinstance(event, Corrected)]
        last = max(corrections, default=0)
        self.standing = list(standing[:last])
        self._states = [None] * (last + 1)
        for event in standing[last:]:
            self.enter(event)
        self.undone = list(undone)
