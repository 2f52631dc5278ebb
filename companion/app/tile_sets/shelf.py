"""The tile sets that were taught, and the one that pictures are read with. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.vision.learned import LearnedSet


@dataclass(frozen=True, slots=True)
class ShelfSet:
    """A set by its name: how many kinds it knows, or why it cannot be used."""

    name: str
    kinds: int = 0
    problem: Sentence | None = None


class Shelf:
    """model: gives the sha256 of the model that pictures are read with, or raises ModelError."""

    def __init__(self, model: Callable[[], str]) -> None:
        self._model = model
        self.used: LearnedSet | None = None
        self.sets: tuple[ShelfSet, ...] = ()

    def use(self, name: str | None) -> None:
        """Read with that set from now on, or with none. Raises CompanionError, and changes nothing then."""
        from companion.vision import set_files

        self.used = None if name is None else set_files.load(name, self._model())

    def delete(self, name: str) -> None:
        """Raises InputError."""
        from companion.vision import set_files

        set_files.delete(name)
        if self.used and self.used.name == name:
            self.used = None
        self.refresh()

    def refresh(self) -> None:
        """Look at what is on disk."""
        from companion.vision import set_files

        try:
            names = set_files.names()
        except CompanionError:  # there is no folder yet that could be looked at
            names = []
        self.sets = tuple(map(self._look_at, names))

    def free_name(self, word: str) -> str:
        """`word` with the least number that no set has yet."""
        taken = {each.name for each in self.sets}
        return next(name for n in range(1, len(taken) + 2) if (name := f"{word}-{n}") not in taken)

    def _look_at(self, name: str) -> ShelfSet:
        from companion.vision import set_files

        try:
            return ShelfSet(name, len(set_files.load(name, self._model()).kinds))
        except CompanionError as error:
            return ShelfSet(name, problem=error.sentence)
