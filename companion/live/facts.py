"""Who reported a game's latest events, which events are doubtful, and what corrections say of both. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.following.notices import CERTAIN_FROM
from companion.live.proposals import Source, SourceKind
from companion.table.events import Corrected, Event


@dataclass(frozen=True, slots=True)
class Report:
    """Who reported event `number` of the log (the first is 1), and when it happened. Undoing the event, or a
    correction of it, changes nothing here.
    """

    number: int
    t_ns: int
    seen_by: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """An event that stands, by its number in the log: what it was, when it happened, who reported it.

    said_in: the number of the event that says so, its own or that of the latest correction.
    """

    number: int
    event: Event
    t_ns: int
    seen_by: tuple[Source, ...]
    said_in: int


def list_facts(reports: Sequence[Report], events: Sequence[Event]) -> tuple[Fact, ...]:
    """What is known of the reported events, as the corrections among `events` have it.

    Reports of events that were undone are passed over, and events that did not happen after all.
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
    """How certain each event is that stands and that a person ought to look at, as `list_certainties`."""
    return {number: p for number, p in list_certainties(events, ps).items() if p < CERTAIN_FROM}


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


def add_sources(seen_by: tuple[Source, ...], *more: Source) -> tuple[Source, ...]:
    """The sources, each once, in their order."""
    return tuple(dict.fromkeys((*seen_by, *more)))


def find_time(facts: Sequence[Fact], number: int, t_ns: int) -> int:
    """When the event of that number was reported; `t_ns` where it does not stand."""
    return next((fact.t_ns for fact in facts if fact.number == number), t_ns)


def find_source(reports: Sequence[Report], number: int) -> Source:
    """Who reported the event of that number first; a script where nobody is known to have."""
    for report in reversed(reports):
        if report.number == number:
            return report.seen_by[0]
    return Source(SourceKind.SCRIPT)


def _list_others(correction: Corrected, events: Sequence[Event]) -> list[int]:
    """The numbers of the other events that the correction stands for."""
    return [other for other in correction.others if not isinstance(events[other - 1], Corrected)]
