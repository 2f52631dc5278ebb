"""A meld whose tiles come in sight only after the discard that followed it: the arm that discards hid them.
What was taken for a draw meanwhile, or for another claim, was this one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from companion.following.hypotheses import Hypothesis, Role, Step, Way
from companion.table.events import Claimed, Discarded, Drawn, Event

STEPS_BACK = 8
"""So far back it may be: two turns of everybody."""
LATE_COST = 0.5
"""Nats of a meld that is noticed late."""


def list_late_claims(
    hypothesis: Hypothesis, claim: Claimed, numbers: tuple[int, ...], kinds: tuple[str, ...],
    roles: tuple[tuple[int, Role], ...], cost: float,
) -> Iterator[Way]:  # fmt: skip
    """The ways in which that meld was claimed some turns ago. numbers: its tiles; kinds: the codes it
    consists of; cost: nats of the meld itself."""
    hand = hypothesis.hand
    if hand is None:
        return
    after: list[Step] = []
    for step in islice(hypothesis.step.back(), STEPS_BACK):
        offered = step.before
        if offered is not None and after and _may_be(step.event, claim, bool(step.tracks)):
            given = offered.event
            index = roles[0][1].meld - isinstance(step.event, Claimed)
            known = 0 if offered.state.hand is None else len(offered.state.hand.players[claim.seat].melds)
            if isinstance(given, Discarded) and given.tile in kinds and index == known:
                yield _make_way(hypothesis, step, offered, (claim, numbers), roles, after, cost)
        after.append(step)


def _may_be(event: Event | None, claim: Claimed, is_seen: bool) -> bool:
    """Whether it stands for that claim: a draw of that player, or a claim of theirs that nobody saw."""
    return isinstance(event, Drawn | Claimed) and event.seat == claim.seat and not is_seen


def _make_way(
    hypothesis: Hypothesis, step: Step, offered: Step, claim: tuple[Claimed, tuple[int, ...]],
    roles: tuple[tuple[int, Role], ...], after: list[Step], cost: float,
) -> Way:  # fmt: skip
    """after: the steps since then."""
    assert isinstance(offered.event, Discarded)
    seat, index = offered.event.seat, roles[0][1].meld - isinstance(step.event, Claimed)
    held = tuple(number for number in offered.tracks if number in hypothesis.roles)
    later = sum(
        isinstance(each.event, Discarded) and each.event.seat == seat and bool(each.tracks) for each in after
    )
    placed = tuple((number, Role(role.part, role.seat, role.code, index)) for number, role in roles)
    return Way(cost + LATE_COST, (claim,), placed, released=held, late=step, later=later, claims=bool(held))
