"""Several proposals that belong together: all of them are accepted, or none. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import messages
from companion.game.file import check_steps
from companion.live.deciding import Decision, Progress, Verdict, decide, take_back
from companion.live.proposals import Proposal, TrustPolicy
from companion.table.apply import fold


def take_back_last(progress: Progress, steps: int) -> Progress:
    """The game without its last events. InputError where there are not as many."""
    if not steps:
        return progress
    check_steps(messages.CANNOT_UNDO, steps, len(progress.events) - 1)
    state = fold(progress.events[:-steps])
    assert state is not None
    return take_back(progress, steps, state)


def decide_all(before: Progress, proposals: Sequence[Proposal], policy: TrustPolicy) -> list[Decision]:
    """What becomes of each after those before it; the last one only is not accepted, where one is not."""
    decisions: list[Decision] = []
    for proposal in proposals:
        decisions.append(decide(before, proposal, policy))
        if decisions[-1].verdict is not Verdict.ACCEPTED:
            break
        before = decisions[-1].progress
    return decisions
