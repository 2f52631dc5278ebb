"""Hands that built-in players played, as reports of somebody who saw them."""

from __future__ import annotations

import random
from functools import cache

from companion.coach.simulation import play
from companion.running.proposals import Proposal, Source, SourceKind
from companion.table.events import Event, GameStarted

SECOND = 1_000_000_000
TOUCH = Source(SourceKind.TOUCH, seat=0)
CUP = Source(SourceKind.DEVICE, "cup")
CAMERA = Source(SourceKind.CAMERA, "above")


@cache
def played(rules: str, seed: int) -> tuple[Event, ...]:
    """A game that was begun and one hand of it."""
    start = GameStarted(rules=rules)
    (hand,) = play(start, 1, random.Random(seed))
    return (start, *(step.event for step in hand.steps))


def seen(events: tuple[Event, ...], source: Source, late_ns: int = 0, p: float = 1.0) -> list[Proposal]:
    """The events after the first, one a second, as that source reports them."""
    return [Proposal(event, at * SECOND + late_ns, source, p) for at, event in enumerate(events[1:], start=1)]
