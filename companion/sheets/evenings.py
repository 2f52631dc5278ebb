"""The figures of kept games, of one and of all together. Reads files, and remembers what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from companion.checksums import make_checksum
from companion.errors import CompanionError
from companion.game import shelf
from companion.game.file import list_standing, read_entries
from companion.game.game import encode_pinned
from companion.game.shelf import recall
from companion.sheets.figures import Evening, ManyEvenings, add_up, reckon
from companion.sheets.hands import make_sheet
from companion.table.events import Event
from companion.table.log import decode_event


def read_evening(name: str) -> Evening:
    """The figures of the kept game of that name. InputError: there is none; GameFileError, EventError: it
    cannot be read."""
    path = shelf.find(name)
    evening = recall(path, "evening", Evening, lambda: _reckon(path))
    return replace(evening, name=name)


def read_evenings(
    names: Iterable[str] | None = None,
    tell: Callable[[int, int], None] | None = None,
    more: Sequence[Evening] = (),
) -> ManyEvenings:
    """The figures of these kept games together, of all of them where none are named, and of `more` that are
    known already. Games that cannot be read are left out, and so are practice games, and those in which
    nothing was played. tell: hears how many of how many are read."""
    wanted = list(shelf.names() if names is None else names)
    found = list(more)
    for done, name in enumerate(wanted):
        if tell is not None:
            tell(done, len(wanted))
        try:
            found.append(read_evening(name))
        except (CompanionError, OSError):
            continue
    return add_up([each for each in found if _has_been_played(each) and not each.practice])


def _has_been_played(evening: Evening) -> bool:
    return bool(evening.figures.hands) or any(person.points for person in evening.figures.people)


def _reckon(path: Path) -> Evening:
    entries = list_standing(read_entries(path))
    return make_evening("", entries[0].at, [decode_event(entry.event) for entry in entries])


def make_evening(name: str, begun: str, events: Sequence[Event]) -> Evening:
    """The figures of the game of these events. begun: when, as text that sorts by time."""
    sheet = make_sheet(events)
    is_practice = sheet.state.house.practice is not None
    checksum = make_checksum("\n".join(map(encode_pinned, events)).encode()).hex()
    return Evening(name, begun, sheet.rules, reckon(sheet), is_practice, checksum)
