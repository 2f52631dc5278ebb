"""Whether what was stated was true: of each kind of event, how often it was stated as certain, how often that
was wrong or taken back, and how often each `p` was right.

A statement counts as it was made. One that was corrected later was wrong, unless the same event was stated
again at that moment and was right: then only events before it were missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import msgspec

from companion.table.events import Corrected, Discarded, Event, GameStarted, number_corrected
from lab.bench.followed_films import find_right, is_open, reduce_event

P_BINS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 1.0)
"""Upper ends of the bins of `p`; the last two are of what is nearly certain, and certain."""
ALL = "all"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of second t: the event with its number in the log, and how sure it was."""

    event: Event
    number: int
    p: float
    certain: bool
    t: float


@dataclass(slots=True)
class Certainty:
    """What was counted.

    counts: by kind of event, `said`, `certain`, `wrong` (and certain) and `back` (certain, and gone).
    bins: by kind of event and bin of p, how many were stated, and how many of them were right.
    """

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    bins: dict[tuple[str, float], list[int]] = field(default_factory=dict)

    def add(self, other: Certainty) -> None:
        """Include the figures of another table."""
        for kind, counts in other.counts.items():
            self.counts.setdefault(kind, Counter()).update(counts)
        for place, (count, right) in other.bins.items():
            known = self.bins.setdefault(place, [0, 0])
            known[0] += count
            known[1] += right

    def report(self) -> list[Json]:
        """A row for each kind of event, and for all together."""
        return [
            {
                "event": kind,
                "stated": counts["said"],
                "certain": counts["certain"],
                "wrong_and_certain": counts["wrong"],
                "certain_and_taken_back": counts["back"],
                "right_by_p": {
                    f"to {top}": [right, count]
                    for (of, top), (count, right) in sorted(self.bins.items())
                    if of == kind
                },
            }
            for kind, counts in sorted(self.counts.items())
        ]

    def count(self, said: Said, *, right: bool, stands: bool) -> None:
        """Count a statement."""
        top = next(top for top in P_BINS if said.p < top or top == P_BINS[-1])
        for kind in (_name(said.event), ALL):
            counts = self.counts.setdefault(kind, Counter())
            counts["said"] += 1
            counts["certain"] += said.certain
            counts["wrong"] += said.certain and not right
            counts["back"] += said.certain and not stands
            known = self.bins.setdefault((kind, top), [0, 0])
            known[0] += 1
            known[1] += right


def judge_statements(truth: Sequence[Event], log: Sequence[Event], said: Iterable[Said]) -> Certainty:
    """What was stated against what happened. truth: reduced events (`reduce_event`); log: the whole one, from
    the beginning of the game, with all corrections."""
    numbered = [(number, reduce_event(event)) for number, event in number_corrected(log)[1:]]
    right = find_right(truth, [event for _, event in numbered])
    stated = list(said)
    found, again = Certainty(), Counter[tuple[str, float]]()
    for each, number in reversed(list(_list_stated(stated))):
        event = reduce_event(each.event)
        at = _find_place(numbered, number, event)
        if at is None:  # it may have been stated again when it was taken back, and be right there
            place = repr(event), _find_end(stated, each, number)
            is_right = again[place] > 0
            again[place] -= is_right
        else:
            is_right = at in right
        again[repr(event), each.t] += is_right
        found.count(each, right=is_right, stands=at is not None)
    return found


def _find_end(stated: Sequence[Said], one: Said, number: int) -> float:
    """When a statement was taken back that stands for the event with that number; infinity if it was not."""
    return next(
        (
            each.t
            for each in stated
            if isinstance(each.event, Corrected) and each.number > one.number
            and number in (each.event.number, *each.event.others)
        ),
        inf,
    )  # fmt: skip


def judge_lines(truth: Sequence[Event], start: GameStarted, lines: Iterable[Json]) -> Certainty:
    """The same of the lines of `companion track --json`."""
    said = [
        Said(msgspec.convert(line["event"], Event), line["number"], line["p"], line["certain"], line["t"])
        for line in lines
        if "event" in line
    ]
    return judge_statements(truth, [start, *(each.event for each in said)], said)


def _find_place(numbered: Sequence[tuple[int, Event]], number: int, stated: Event) -> int | None:
    """Where the stated event stands in the end; a discard without its tile may have been named later."""
    for at, (other, event) in enumerate(numbered):
        if other == number and (event == stated or (is_open(stated) and _is_same_discard(event, stated))):
            return at
    return None


def _list_stated(said: Iterable[Said]) -> Iterator[tuple[Said, int]]:
    """Every event that was stated, those in corrections included, with the number that it stands for."""
    for each in said:
        if isinstance(each.event, Corrected):
            for right in each.event.rights:
                yield replace(each, event=right), each.event.number
        else:
            yield each, each.number


def _is_same_discard(event: Event, other: Event) -> bool:
    return isinstance(event, Discarded) and isinstance(other, Discarded) and event.seat == other.seat


def _name(event: Event) -> str:
    return str(event.__struct_config__.tag)
