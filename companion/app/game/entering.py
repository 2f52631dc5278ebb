"""What a touch enters into the running game, and how much of it one touch takes back. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence

from companion.running.deciding import Verdict
from companion.running.desk import Desk
from companion.running.proposals import Proposal, Source, SourceKind
from companion.table.events import (
    AddedKong,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    ReadyDeclared,
    Won,
)
from companion.table.possible import find_way

TOUCH = Source(SourceKind.TOUCH)
MOVES = (Discarded, ConcealedKong, AddedKong, ReadyDeclared, FlowerSetOut, Won)
"""What is touched after a draw that nobody names."""


def enter_events(desk: Desk, events: Sequence[Event], t_ns: int) -> bool:
    """Enter these events in order, each after the draws that it implies; whether all of them are in the game.
    The first one that is refused ends it."""
    for event in events:
        way = find_way(desk.get_progress().state, event) or (event,)
        for each in way:
            verdict = desk.decide(Proposal(each, t_ns, TOUCH)).verdict
            if verdict not in (Verdict.ACCEPTED, Verdict.REPEATED):
                return False
    return True


def count_last(events: Sequence[Event]) -> int:
    """How many events at the end of a log one touch entered: with a discard or a win, the draw that nobody
    saw; with the deal, the beginning of the hand."""
    if len(events) < 2:
        return 0
    last = events[-1]
    if isinstance(last, Dealt):
        return 2
    steps = 1
    while _is_draw_for(events[-steps - 1], last):
        steps += 1
    return steps


def count_undone(undone: Sequence[Event]) -> int:
    """How many of the events that were taken back, the next to redo last, one touch brings back."""
    if not undone:
        return 0
    steps = 1
    while steps < len(undone):
        first, after = undone[-steps], undone[-steps - 1]
        if not isinstance(after, Dealt) and not _is_draw_for(first, after):
            break
        steps += 1
    return steps


def _is_draw_for(event: Event, move: Event) -> bool:
    """Whether it is a draw that nobody saw, and came with that move. A win's is the winner's own: draws of
    others before it, in the sea, were touched one by one."""
    if not isinstance(event, Drawn) or event.tile is not None or not isinstance(move, MOVES):
        return False
    return not isinstance(move, Won) or event.seat == move.seat
