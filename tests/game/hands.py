"""Hands that built-in players played, as reports of somebody who saw them."""

from __future__ import annotations

import random
from functools import cache

from companion.coach.play.simulation import play
from companion.game.deciding import Progress, decide, find_ready, follow_log, reject
from companion.game.log import GameLog
from companion.game.proposals import Proposal, Reporter, SourceKind, Trust, TrustPolicy
from companion.table.events import Event, GameStarted

SECOND = 1_000_000_000
TOUCH = Reporter(SourceKind.TOUCH, seat=0)
CUP = Reporter(SourceKind.DEVICE, "cup")
CAMERA = Reporter(SourceKind.CAMERA, "above")
PATIENT = TrustPolicy(device=Trust(waits_s=3600), camera=Trust(waits_s=3600))


@cache
def played(rules: str, seed: int) -> tuple[Event, ...]:
    """A game that was begun and one hand of it."""
    start = GameStarted(rules=rules)
    (hand,) = play(start, 1, random.Random(seed))
    return (start, *(step.event for step in hand.steps))


def seen(events: tuple[Event, ...], source: Reporter, late_ns: int = 0, p: float = 1.0) -> list[Proposal]:
    """The events after the first, one a second, as that source reports them."""
    return [Proposal(event, at * SECOND + late_ns, source, p) for at, event in enumerate(events[1:], start=1)]


def move(progress: Progress, steps: int) -> Progress:
    """After a redo of that many events, or an undo (below 0)."""
    log = GameLog()
    log.resume(progress.events, progress.undone)
    log.move(steps)
    return follow_log(progress, log)


def enter(progress: Progress, proposal: Proposal, policy: TrustPolicy) -> Progress:
    """Decide, and then about what was waiting for it, as the owner of a game does."""
    return settle(decide(progress, proposal, policy).progress, policy)


def settle(progress: Progress, policy: TrustPolicy) -> Progress:
    """Decide about what can happen by now."""
    while ready := find_ready(progress):
        progress = decide(reject(progress, ready.number), ready.proposal, policy, ready.number).progress
    return progress
