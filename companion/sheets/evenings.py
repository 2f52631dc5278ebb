"""The figures of kept games, of one and of all together. Reads files, and remembers what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from companion.errors import CompanionError
from companion.history import shelf
from companion.history.file import read_entries
from companion.history.index import recall
from companion.history.standing import list_standing
from companion.sheets.figures import Evening, ManyEvenings, add_up, reckon
from companion.sheets.hands import make_sheet
from companion.table.log import decode_event


def read_evening(name: str) -> Evening:
    """The figures of the kept game of that name. InputError: there is none; GameFileError, EventError: it
    cannot be read."""
    path = shelf.find(name)
    evening = recall(path, "evening", Evening, lambda: _reckon(path))
    return Evening(name, evening.begun, evening.rules, evening.figures)


def read_evenings(
    names: Iterable[str] | None = None, tell: Callable[[int, int], None] | None = None
) -> ManyEvenings:
    """The figures of these kept games together, of all of them where none are named. Games that cannot be
    read are left out, and so are those in which nothing was played. tell: hears how many of how many are
    read."""
    wanted = list(shelf.names() if names is None else names)
    found = []
    for done, name in enumerate(wanted):
        if tell is not None:
            tell(done, len(wanted))
        try:
            evening = read_evening(name)
        except (CompanionError, OSError):
            continue
        if evening.figures.hands or any(person.points for person in evening.figures.people):
            found.append(evening)
    return add_up(found)


def _reckon(path: Path) -> Evening:
    entries = list_standing(read_entries(path))
    sheet = make_sheet([decode_event(entry.event) for entry in entries])
    return Evening("", entries[0].at, sheet.rules, reckon(sheet))
