"""Whether two reports are of one fact: a roll that a dice cup reported and somebody entered, a tile that was
seen to be drawn before anybody saw which. Pure.
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace as changed

from companion.table.events import (
    Called,
    Corrected,
    CurrencyAgreed,
    DealSet,
    EntryCancelled,
    Event,
    GameEnded,
    GameStarted,
    PointsMoved,
    SeatsChanged,
)

ALIKE_OR_OTHERS = (
    Called, Corrected, CurrencyAgreed, DealSet, EntryCancelled, GameEnded, GameStarted, PointsMoved,
    SeatsChanged,
)  # fmt: skip
"""Two of these are the same where they are equal, and otherwise have nothing to do with each other."""
UNORDERED = "dice"
"""A field whose parts are told in any order."""
REASON = "why"
"""A field in which people say the same in other words."""


class Relation(Enum):
    """How a report goes together with an event that stands.

    same: it says the same. less, more: it leaves out something, or adds something. other: it says something
    else of the same moment. unrelated: it is about something else.
    """

    SAME = "same"
    LESS = "less"
    MORE = "more"
    OTHER = "other"
    UNRELATED = "unrelated"


REPEATS = (Relation.SAME, Relation.LESS, Relation.MORE)
"""Reports of a fact that do not contradict it."""


def compare_events(known: Event, reported: Event) -> Relation:
    """How what is reported goes together with what is known."""
    if known == reported:
        return Relation.SAME
    if type(known) is not type(reported) or isinstance(known, ALIKE_OR_OTHERS):
        return Relation.UNRELATED
    if getattr(known, "seat", None) != getattr(reported, "seat", None):
        return Relation.UNRELATED
    less = more = False
    for name in known.__struct_fields__:
        ours, theirs = _known_parts(known, name), _known_parts(reported, name)
        if name == REASON or ours == theirs:
            continue
        if len(ours) != len(theirs) and ours and theirs:
            return Relation.OTHER
        for at in range(max(len(ours), len(theirs))):
            a, b = _part(ours, at), _part(theirs, at)
            if a is not None and b is not None and a != b:
                return Relation.OTHER
            less, more = less or (b is None and a is not None), more or (a is None and b is not None)
    return Relation.MORE if more else Relation.LESS if less else Relation.SAME


def merge_events(known: Event, reported: Event) -> Event:
    """The event with all that the two say together, of which neither contradicts the other."""
    merged = {}
    for name in known.__struct_fields__:
        ours, theirs = getattr(known, name), getattr(reported, name)
        if isinstance(ours, tuple) and isinstance(theirs, tuple) and len(ours) == len(theirs):
            merged[name] = tuple(b if a is None else a for a, b in zip(ours, theirs, strict=True))
        else:
            merged[name] = theirs if ours is None or ours == () else ours
    return changed(known, **merged)


def _known_parts(event: Event, name: str) -> tuple[object, ...]:
    """A field as a tuple, empty where nothing is known."""
    value = getattr(event, name)
    if value is None:
        return ()
    if name == UNORDERED:
        return tuple(sorted(value))
    return value if isinstance(value, tuple) else (value,)


def _part(parts: tuple[object, ...], at: int) -> object:
    return parts[at] if at < len(parts) else None
