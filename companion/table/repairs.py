"""What goes with an event that did not happen: the draw that led to it, or the one that replaced its tile.

A claim needs no change: it takes the tile from whoever discarded it last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.errors import EventError
from companion.table.apply import fold
from companion.table.events import Corrected, Drawn, Event
from companion.table.log import number_corrected


def take_out(events: Sequence[Event], number: int, why: str = "") -> Corrected:
    """The smallest correction by which that event of the log did not happen and all that followed it still
    can have: without the event alone, or without a draw of the same player right before or after it as well,
    or without the draws that nobody saw where nothing else followed. Where none fits, the first.
    """
    alone = Corrected(number=number, right=None, why=why)
    for each in (alone, *_take_out_with_draws(events, number, why)):
        try:
            fold([*events, each])
        except EventError:
            continue
        return each
    return alone


def _take_out_with_draws(events: Sequence[Event], number: int, why: str) -> Iterator[Corrected]:
    try:
        standing = number_corrected(events)
    except EventError:
        return
    places = [at for at, (each, _) in enumerate(standing) if each == number]
    if len(places) != 1:
        return
    at = places[0]
    seat = getattr(standing[at][1], "seat", None)
    for beside in (at - 1, at + 1):
        if not 0 <= beside < len(standing):
            continue
        other, draw = standing[beside]
        if isinstance(draw, Drawn) and draw.seat == seat:
            yield Corrected(number=min(number, other), right=None, why=why, upto=max(number, other))
    after = [event for _, event in standing[at + 1 :]]
    if after and all(isinstance(event, Drawn) and event.tile is None for event in after):
        yield Corrected(number=number, right=None, why=why, upto=standing[-1][0])
