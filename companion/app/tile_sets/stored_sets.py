"""The learned sets on disk, as the window lists them. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.errors import CompanionError
from companion.files import fold_name
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A set by its name: how many kinds it knows, or why it cannot be used."""

    name: str
    kinds: int = 0
    problem: Sentence | None = None


def list_sets(model: Callable[[], str]) -> tuple[StoredSet, ...]:
    """What is on disk now; `model` gives the sha256 of the model that pictures are read with, or raises
    ModelError.
    """
    from companion.vision import set_files

    try:
        names = set_files.names()
    except CompanionError:  # there is no folder yet that could be looked at
        return ()
    return tuple(_look_at(name, model) for name in names)


def find_free_name(sets: Sequence[StoredSet], word: str) -> str:
    """`word` with the least number that no set has yet."""
    taken = {fold_name(each.name) for each in sets}
    return next(name for n in range(1, len(taken) + 2) if fold_name(name := f"{word}-{n}") not in taken)


def _look_at(name: str, model: Callable[[], str]) -> StoredSet:
    from companion.vision import set_files

    try:
        return StoredSet(name, len(set_files.load(name, model()).kinds))
    except CompanionError as error:
        return StoredSet(name, problem=error.sentence)
