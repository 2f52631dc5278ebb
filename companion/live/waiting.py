"""Proposals that came too early: which can happen by now, and which have waited long enough. Pure."""

from __future__ import annotations

from companion.live.deciding import Pending, Progress, Why
from companion.live.proposals import TrustPolicy


def find_ready(progress: Progress) -> Pending | None:
    """Of the proposals that came too early, the first in time that can happen now: it is to be decided about
    again.
    """
    ready = [each for each in progress.pending if each.why is Why.EARLY and each.outcome is not None]
    return min(ready, key=lambda each: each.proposal.t_ns, default=None)


def find_overdue(progress: Progress, policy: TrustPolicy, now_ns: int) -> tuple[Pending, ...]:
    """The proposals that came too early, still cannot happen, and have waited as long as their source may."""
    return tuple(
        each
        for each in progress.pending
        if each.why is Why.EARLY
        and each.outcome is None
        and now_ns - each.proposal.t_ns >= policy.trust(each.proposal.source.kind).waits_s * 1e9
    )
