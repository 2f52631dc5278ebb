"""Facts: the latest events of a game with who reported them, whether two reports are of one fact, which
events are doubtful. Pure.

Two reports can be of one fact with different detail: a roll that a dice cup reports and a person enters, a
tile that was drawn before anybody saw which one it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from msgspec.structs import replace as changed

from companion.errors import EventError
from companion.game.proposals import Proposal, Reporter, SourceKind, name_source
from companion.sentences import msgid
from companion.table.events import (
    CERTAIN_FROM,
    Called,
    Corrected,
    CurrencyAgreed,
    DealSet,
    Drawn,
    EntryCancelled,
    Event,
    GameEnded,
    GameStarted,
    PointsMoved,
    SeatsChanged,
)


@dataclass(frozen=True, slots=True)
class Report:
    """Who reported event `number` of the log (the first is 1), and when it happened. Undoing or correcting
    the event changes nothing here.
    """

    number: int
    t_ns: int
    seen_by: tuple[Reporter, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """An event that stands, by its number in the log: what it was, when it happened, who reported it.

    said_in: the number of the event that states it: its own, or that of the latest correction.
    """

    number: int
    event: Event
    t_ns: int
    seen_by: tuple[Reporter, ...]
    said_in: int


def list_facts(reports: Sequence[Report], events: Sequence[Event]) -> tuple[Fact, ...]:
    """The reported events, as the corrections among `events` have them.

    Without events that were undone, and those that a correction removed.
    """
    standing = [each for each in reports if each.number <= len(events)]
    if not standing:
        return ()
    seen_by = {each.number: each.seen_by for each in standing}
    rights: dict[int, tuple[Event | None, int]] = {}
    for number in range(len(events), standing[0].number, -1):  # a correction may itself be corrected
        event = rights[number][0] if number in rights else events[number - 1]
        if isinstance(event, Corrected):
            rights.setdefault(event.number, (event.right, number))
            for other in _list_others(event, events):
                rights.setdefault(other, (None, number))
            known, by = seen_by.get(event.number, ()), seen_by.get(number, ())
            seen_by[event.number] = add_sources(known, *by)
    facts = []
    for each in standing:
        right, said_in = rights.get(each.number, (events[each.number - 1], each.number))
        if right is not None:
            facts.append(Fact(each.number, right, each.t_ns, seen_by[each.number], said_in))
    return tuple(facts)


def list_doubts(events: Sequence[Event], ps: Sequence[float]) -> dict[int, float]:
    """How certain each event is that stands and that a person should check, as `list_certainties`. A draw
    that nobody saw follows from the next event: only the last one needs a check."""
    found = list_certainties(events, ps)
    last = max(found, default=0)
    return {
        number: p
        for number, p in found.items()
        if p < CERTAIN_FROM and (number == last or not _is_unseen_draw(events[number - 1]))
    }


def _is_unseen_draw(event: Event) -> bool:
    return isinstance(event, Drawn) and event.tile is None


def list_certainties(events: Sequence[Event], ps: Sequence[float]) -> dict[int, float]:
    """How certain each event is that stands, by its number in the log.

    ps: how certain each event of the log is, 0 to 1. A correction is as certain as whoever made it.
    """
    found: dict[int, float] = {}
    rights: dict[int, tuple[Event | None, float]] = {}
    for number in range(len(events), 0, -1):  # a correction may itself be corrected
        event, p = rights.get(number, (events[number - 1], ps[number - 1]))
        if isinstance(event, Corrected):
            rights.setdefault(event.number, (event.right, p))
            for other in _list_others(event, events):
                rights.setdefault(other, (None, p))
        elif event is not None:
            found[number] = p
    return dict(sorted(found.items()))


def add_sources(seen_by: tuple[Reporter, ...], *more: Reporter) -> tuple[Reporter, ...]:
    """The sources, each once, in their order."""
    return tuple(dict.fromkeys((*seen_by, *more)))


def find_time(facts: Sequence[Fact], number: int, t_ns: int) -> int:
    """When the event of that number was reported; `t_ns` where it does not stand."""
    return next((fact.t_ns for fact in facts if fact.number == number), t_ns)


def find_source(reports: Sequence[Report], number: int) -> Reporter:
    """Who reported the event of that number first; a script if nobody is known to have."""
    for report in reversed(reports):
        if report.number == number:
            return report.seen_by[0]
    return Reporter(SourceKind.SCRIPT)


def _list_others(correction: Corrected, events: Sequence[Event]) -> list[int]:
    """The numbers of the other events that the correction stands for."""
    return [other for other in correction.others if not isinstance(events[other - 1], Corrected)]


ALIKE_OR_OTHERS = (
    Called, Corrected, CurrencyAgreed, DealSet, EntryCancelled, GameEnded, GameStarted, PointsMoved,
    SeatsChanged,
)  # fmt: skip
"""Two events of these types are the same fact where they are equal; otherwise they are unrelated."""
UNORDERED = "dice"
"""A field whose parts may come in any order."""
REASON = "why"
"""A field in which people may write the same in different words."""


class Relation(Enum):
    """How a report is related to an event that stands.

    same: it says the same. less, more: it has less or more detail. other: it contradicts the event.
    unrelated: it is about something else.
    """

    SAME = "same"
    LESS = "less"
    MORE = "more"
    OTHER = "other"
    UNRELATED = "unrelated"


REPEATS = (Relation.SAME, Relation.LESS, Relation.MORE)
"""Reports of a fact that do not contradict it."""


def compare_events(known: Event, reported: Event) -> Relation:
    """How a report is related to an event that is known."""
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
    """The event with the detail of both reports, which do not contradict each other."""
    merged = {}
    for name in known.__struct_fields__:
        ours, theirs = getattr(known, name), getattr(reported, name)
        if isinstance(ours, tuple) and isinstance(theirs, tuple) and len(ours) == len(theirs):
            merged[name] = tuple(b if a is None else a for a, b in zip(ours, theirs, strict=True))
        else:
            merged[name] = theirs if ours is None or ours == () else ours
    return changed(known, **merged)


def _known_parts(event: Event, name: str) -> tuple[object, ...]:
    """A field as a tuple, empty if nothing is known."""
    value = getattr(event, name)
    if value is None:
        return ()
    if name == UNORDERED:
        return tuple(sorted(value))
    return value if isinstance(value, tuple) else (value,)


def _part(parts: tuple[object, ...], at: int) -> object:
    return parts[at] if at < len(parts) else None


OTHERWISE = msgid("Event {number} is reported differently by {one} and {other}: which one is right?")
CORRECTS_ITSELF_ONLY = (SourceKind.CAMERA, SourceKind.DEVICE)
"""Sources whose correction of another source's report needs a person's confirmation."""


def find_contradicted(facts: tuple[Fact, ...], proposal: Proposal) -> Fact | None:
    """The fact that a correction contradicts and that another source has reported as well."""
    event = proposal.event
    if not isinstance(event, Corrected) or proposal.source.kind not in CORRECTS_ITSELF_ONLY:
        return None
    fact = next((each for each in facts if each.number == event.number), None)
    if fact is None or fact.seen_by == (proposal.source,):
        return None
    agrees = event.right is not None and compare_events(fact.event, event.right) in REPEATS
    return None if agrees else fact


def make_contradiction(fact: Fact, proposal: Proposal) -> EventError:
    """The error that two sources report one fact differently."""
    others = [source for source in fact.seen_by if source != proposal.source]
    one, other = name_source((others or fact.seen_by)[0]), name_source(proposal.source)
    return EventError(OTHERWISE, number=fact.number, one=one, other=other)
