"""A game that is kept and played on: its file, and the state that its standing events fold to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar

from companion.errors import CompanionError, InputError
from companion.history.file import GameFile

State = TypeVar("State")

CANNOT_GO_ON = "Entry {number} of the game '{name}' cannot be followed ({problem}). It was left as it is."


class Game(Generic[State]):
    """An open game and where it stands. Close it, or use it in a `with` statement; one thread at a time.

    start: the state before the first event. apply: the state after an event, one line of JSON; what it raises
    (CompanionError) refuses the event, and then nothing is kept.
    """

    def __init__(self, file: GameFile, start: State, apply: Callable[[State, str], State]) -> None:
        """Fold what stands in the file. InputError names the entry that cannot be followed."""
        self.file = file
        self._apply = apply
        self._states = [start]
        for entry in file.standing:
            try:
                self._states.append(apply(self.state, entry.event))
            except CompanionError as problem:
                raise InputError(
                    CANNOT_GO_ON, number=entry.number, name=file.path.stem, problem=problem
                ) from problem

    @property
    def state(self) -> State:
        """After the last event that stands."""
        return self._states[-1]

    def append(self, event: str, key: str | None = None) -> bool:
        """Apply and keep an event; False where it came before under its key. As `GameFile.append`."""
        if self.file.entry_of(key):
            return self.file.append(event, key)
        state = self._apply(self.state, event)
        self.file.append(event, key)
        self._states.append(state)
        return True

    def undo(self, steps: int = 1) -> None:
        """Take back the last events. As `GameFile.undo`."""
        self.file.undo(steps)
        del self._states[-steps:]

    def redo(self, steps: int = 1) -> None:
        """Bring back events that were undone. As `GameFile.redo`."""
        self.file.redo(steps)
        for entry in self.file.standing[-steps:]:
            self._states.append(self._apply(self.state, entry.event))

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
