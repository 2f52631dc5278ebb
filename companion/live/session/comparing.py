"""Where two runs over one game differ, event by event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from companion.live.noticed import EventNoticed, Noticed
from companion.live.session.lines import Line
from companion.live.session.recorder import make_line
from companion.table.events import encode_event


@dataclass(frozen=True, slots=True)
class Difference:
    """Two events in the same place of two runs, or one that the other run has not."""

    one: Line | None
    other: Line | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """same: how many events both runs have."""

    same: int
    differences: tuple[Difference, ...]


def list_events(lines: Iterable[Line]) -> list[Line]:
    """The lines of events, corrections too."""
    return [line for line in lines if line.event is not None]


def lines_of(noticed: Iterable[Noticed]) -> list[Line]:
    """The lines of the events noticed."""
    made = [make_line(each) for each in noticed if isinstance(each, EventNoticed)]
    return [line for line in made if line is not None]


def compare_runs(one: Sequence[Line], other: Sequence[Line]) -> Comparison:
    """What both have, and where they differ, in order. When, and how surely, an event was noticed does not
    matter."""
    matcher = SequenceMatcher(None, [_say(line) for line in one], [_say(line) for line in other], False)
    same, differences = 0, []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            same += b - a
        else:
            differences += [Difference(*pair) for pair in zip_longest(one[a:b], other[c:d])]
    return Comparison(same, tuple(differences))


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as a JSON document."""
    return {
        "same": comparison.same,
        "differences": [
            {"one": _line_json(each.one), "other": _line_json(each.other)} for each in comparison.differences
        ],
    }


def _line_json(line: Line | None) -> dict[str, Any] | None:
    if line is None:
        return None
    import msgspec

    keys = ("t", "event", "p", "certain", "source", "number")
    return {key: msgspec.to_builtins(getattr(line, key)) for key in keys}


def _say(line: Line) -> bytes:
    assert line.event is not None
    return encode_event(line.event)
