"""Sentences that several features show: people on the seats, entered events, refused touches."""

from __future__ import annotations

from companion.errors import EventError
from companion.sentences import Sentence, msgid
from companion.table.events import Corrected, Event
from companion.table.state import State
from companion.words import Language
from companion.words.filling import SEAT_NAMES

LANGUAGES = (
    (Language.ENGLISH.value, "English"),
    (Language.SIMPLIFIED.value, "简体中文"),
    (Language.TRADITIONAL.value, "繁體中文"),
)
"""Each language by its own name."""
SYSTEM_REASONS = (
    msgid("Permission denied"), msgid("No space left on device"), msgid("No such file or directory"),
    msgid("Read-only file system"), msgid("Is a directory"), msgid("Not a directory"),
    msgid("Input/output error"), msgid("File name too long"), msgid("Disk quota exceeded"),
    msgid("Device or resource busy"), msgid("Operation not permitted"),
    msgid("Transport endpoint is not connected"),
)  # fmt: skip
"""Reasons that the operating system reports for files, marked here for translation."""


def list_people(state: State | None) -> tuple[str, ...]:
    """Who sits in each seat, by name, "" if nobody is named; empty if no game is played."""
    return () if state is None else tuple(state.names[person] for person in state.seated)


def list_names(state: State) -> tuple[str, ...]:
    """Who sits in each seat, by name; if nobody is named, the message that is the seat's place."""
    return tuple(name or place for name, place in zip(list_people(state), SEAT_NAMES, strict=True))


def name_seats(state: State | None) -> tuple[Sentence, ...]:
    """Who sits in each seat, by name; if nobody is named, or no game is played, the seat's place."""
    people = list_people(state) or ("",) * len(SEAT_NAMES)
    return tuple(
        Sentence("{name}", {"name": name or place}) for name, place in zip(people, SEAT_NAMES, strict=True)
    )


UNCHANGED = msgid("{problem} Nothing was changed.")
FIRST_LATER = msgid("{problem} Nothing was changed: first take out what came after it.")


def describe_refusal(event: Event, error: EventError) -> Sentence:
    """Why a touch was refused; of a correction that nothing was changed by it, and what to do where an event
    was to be taken out."""
    if not isinstance(event, Corrected):
        return error.sentence
    return Sentence(FIRST_LATER if event.right is None else UNCHANGED, {"problem": error.sentence})
