"""What a camera can see of a game's events, and which of the events that were found are right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from msgspec.structs import replace as changed

from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Event,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.tiles import format_tiles, parse_tiles

UNSEEN = (Called, WinPassed, ReadyDeclared)
"""What is said aloud: a camera does not see it."""
MELDS = (Claimed, ConcealedKong, AddedKong)


def reduce_event(event: Event) -> Event:
    """The event without what lies nowhere on the table, tiles sorted."""
    if isinstance(event, HandStarted):
        return changed(event, dice=None)
    if isinstance(event, Dealt):
        return Dealt()
    if isinstance(event, IndicatorTurned):
        return changed(event, dice=None)
    if isinstance(event, Won) and event.hand is not None:
        return changed(event, hand=format_tiles(sorted(parse_tiles(event.hand))))
    return event


def find_right(truth: Sequence[Event], found: Sequence[Event]) -> set[int]:
    """Which of the events found say nothing wrong: a discard without its tile where its player is right."""
    left_open = {i for i, event in enumerate(found) if is_open(event)}
    return find_common(truth, found) | find_common(map(_open, truth), map(_open, found)) & left_open


def is_open(event: Event) -> bool:
    """Whether it is a discard without its tile."""
    return isinstance(event, Discarded) and event.tile is None


def _open(event: Event) -> Event:
    """A discard without its tile."""
    return changed(event, tile=None) if isinstance(event, Discarded) else event


def find_common(truth: Iterable[Event], found: Iterable[Event]) -> set[int]:
    """Which of the events found are right, in an order that is right."""
    a, b = [repr(event) for event in truth], [repr(event) for event in found]
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    return {block.b + i for block in blocks for i in range(block.size)}
