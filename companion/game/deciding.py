"""Whether a proposal becomes an event of a running game: pure, `decide(progress, proposal, policy)`.

`Progress` is a running game at one moment, and a decision holds the next one. The event is applied here,
once: the owner of the game stores it, and takes the decision's progress, with the state after the event, only
when that is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from companion.errors import EventError
from companion.game.facts import (
    REPEATS,
    Fact,
    Relation,
    Report,
    add_sources,
    compare_events,
    find_contradicted,
    list_doubts,
    list_facts,
    make_contradiction,
    merge_events,
)
from companion.game.log import GameLog, find_next
from companion.game.proposals import Proposal, Source, SourceKind, TrustPolicy
from companion.sentences import msgid
from companion.table.apply import fold
from companion.table.events import CERTAIN_FROM, Corrected, Drawn, Event
from companion.table.state import State

SAME_FACT_S = 20.0
"""Reports of one fact by several sources differ by less than this in the time at which it happened. A report
that is older than another event by more is never entered without a person: an old roll starts no new hand."""
FACTS_MAX = 64
"""Events for which the observers are remembered: all reports of a fact come long before 64 more events."""
PENDING_MAX = 32
"""Proposals that may wait; one more replaces the oldest."""

NO_GAME = msgid("No game is being played: start one first.")


class Verdict(StrEnum):
    """What is decided about a proposal.

    accepted: it is an event now. repeated: the event that it reports stands already. held: it waits, for a
    person or for the event before it. refused: it cannot happen in the game as it stands, could not happen
    within the time that it may wait, or cannot be kept.
    """

    ACCEPTED = "accepted"
    REPEATED = "repeated"
    HELD = "held"
    REFUSED = "refused"


class Why(Enum):
    """Why a proposal waits."""

    ASKS = "a person has to confirm it"
    EARLY = "something has to happen before it"
    LATE = "it was reported long after other things have happened"
    TAKEN_BACK = "the same event has just been taken back"
    CONTRADICTS = "another source reported something else"
    NOT_STORED = "it could not be stored"


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal that waits.

    event: what would be entered, the proposal's own event or a correction. outcome: the state that it would
    lead to now; None where it cannot happen now, and `trouble` says why. fact: what it contradicts or
    completes.
    """

    number: int
    proposal: Proposal
    why: Why
    event: Event
    outcome: State | None
    trouble: EventError | None = None
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A running game at one moment: the events that stand and the state after them, the undone events (the
    next to redo last), who reported the latest of both, and the proposals that wait, oldest first.

    ps: how certain each event is, 0 to 1, by its number in the log; the undone events follow.
    """

    state: State
    events: tuple[Event, ...]
    ps: tuple[float, ...]
    undone: tuple[Event, ...] = ()
    reports: tuple[Report, ...] = ()
    pending: tuple[Pending, ...] = ()
    next_pending: int = 1

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is known of the latest events, the oldest first."""
        return list_facts(self.reports, self.events)

    @property
    def doubts(self) -> dict[int, float]:
        """How certain each event is that a person should check, by its number."""
        return list_doubts(self.events, self.ps)

    def find_pending(self, number: int) -> Pending | None:
        """The pending proposal with that number."""
        return next((each for each in self.pending if each.number == number), None)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about a proposal.

    progress: the game after it. event: what to store, where the proposal was accepted. pending: the proposal,
    where it is held. fact: the event that it became, repeats or contradicts. error: why it is refused or
    cannot happen yet. by_itself: whether no person had to confirm it.
    """

    verdict: Verdict
    proposal: Proposal
    progress: Progress
    event: Event | None = None
    pending: Pending | None = None
    fact: Fact | None = None
    error: EventError | None = None
    by_itself: bool = True

    @property
    def is_certain(self) -> bool:
        """Whether an event was accepted that no person needs to check."""
        accepted = self.verdict is Verdict.ACCEPTED
        return accepted and (not self.by_itself or self.proposal.p >= CERTAIN_FROM)


def begin_progress(events: Sequence[Event], undone: Sequence[Event] = ()) -> Progress:
    """The game in which these events stand. EventError where they cannot have happened."""
    state = fold(events)
    if state is None:
        raise EventError(NO_GAME)
    return Progress(state, tuple(events), (1.0,) * (len(events) + len(undone)), tuple(undone))


def decide(progress: Progress, proposal: Proposal, policy: TrustPolicy, number: int = 0) -> Decision:
    """What becomes of a proposal in this game, under the policy of the people at the table.

    number: of the proposal where it waited before; it keeps that number where it has to wait again.
    """
    outcome, error = _try(progress, proposal.event)
    contradicted = find_contradicted(progress.facts, proposal)
    if contradicted is not None and outcome is not None:
        trouble = make_contradiction(contradicted, proposal)
        pending = Pending(number, proposal, Why.CONTRADICTS, proposal.event, outcome, trouble, contradicted)
        return _hold(progress, proposal, pending)
    relation, fact = _find_fact(progress, proposal, outcome is not None)
    if fact is not None:
        return _decide_known(progress, proposal, policy, number, relation, fact)
    if outcome is None:
        return _wait_or_refuse(progress, proposal, policy, error)
    why = _find_doubt(progress, proposal, policy)
    if why is None:
        return _accept(progress, proposal, proposal.event, outcome)
    return _hold(progress, proposal, Pending(number, proposal, why, proposal.event, outcome))


def _decide_known(
    progress: Progress, proposal: Proposal, policy: TrustPolicy, number: int, relation: Relation, fact: Fact
) -> Decision:
    """What becomes of one more report of a fact: a repeat, a correction of the event that stands, or a
    contradiction, which a person resolves."""
    confirms = relation is Relation.SAME and _settles_doubt(progress, proposal, fact, policy)
    if relation in (Relation.SAME, Relation.LESS) and not confirms:
        return _note_repeat(progress, proposal, fact)
    right = proposal.event if relation is Relation.OTHER else merge_events(fact.event, proposal.event)
    correction = Corrected(number=fact.number, right=right)
    outcome, error = _try(progress, correction)
    if relation is Relation.OTHER:
        trouble = error or make_contradiction(fact, proposal)
        pending = Pending(number, proposal, Why.CONTRADICTS, correction, outcome, trouble, fact)
        return _hold(progress, proposal, pending)
    if outcome is None:
        return Decision(Verdict.REFUSED, proposal, progress, fact=fact, error=error)
    if policy.accepts(proposal):
        return _accept(progress, proposal, correction, outcome)
    return _hold(progress, proposal, Pending(number, proposal, Why.ASKS, correction, outcome, None, fact))


def confirm(progress: Progress, number: int, by: Source, choice: Event | None = None) -> Decision | None:
    """What becomes of a pending proposal that a person confirms, or of `choice` in its place; None where it
    no longer waits.

    It is applied to the game as it stands now: what can no longer happen is refused, and continues to wait.
    """
    pending = progress.find_pending(number)
    if pending is None:
        return None
    proposal, event = pending.proposal, pending.event
    if choice is not None:
        proposal = replace(proposal, event=choice, alternatives=(), key=None)
        event = Corrected(number=event.number, right=choice) if isinstance(event, Corrected) else choice
    outcome, error = _try(progress, event)
    if outcome is None:
        after = replace(progress, pending=_reconsider(progress))
        return Decision(Verdict.REFUSED, proposal, after, pending=pending, error=error, by_itself=False)
    without = reject(progress, number)
    decision = _accept(without, replace(proposal, p=1.0), event, outcome, by)
    return replace(decision, by_itself=False)


def reject(progress: Progress, number: int) -> Progress:
    """The game without that pending proposal."""
    return replace(progress, pending=tuple(each for each in progress.pending if each.number != number))


def hold_unstored(before: Progress, decision: Decision) -> Decision:
    """The decision instead where the accepted event could not be stored: it waits for a person.

    before: the game before the decision. A proposal that a person has just confirmed keeps its number.
    """
    event = decision.event
    assert event is not None
    unstored = Pending(0, decision.proposal, Why.NOT_STORED, event, decision.progress.state)
    kept = next((each for each in before.pending if each.event == event), None)
    if kept is None:
        return _hold(before, decision.proposal, unstored)
    unstored = replace(unstored, number=kept.number)
    pending = tuple(unstored if each is kept else each for each in before.pending)
    return Decision(Verdict.HELD, decision.proposal, replace(before, pending=pending), pending=unstored)


def follow_log(progress: Progress, log: GameLog) -> Progress:
    """The game after an undo or a redo, by the log that says what stands now."""
    state = log.state
    assert state is not None  # the event that begins a game is never undone
    after = replace(progress, state=state, events=tuple(log.standing), undone=tuple(log.undone))
    return replace(after, pending=_reconsider(after))


def _try(progress: Progress, event: Event) -> tuple[State | None, EventError | None]:
    """The state after the event, or why it cannot happen now."""
    try:
        return find_next(progress.state, progress.events, event), None
    except EventError as error:
        return None, error


def _find_fact(progress: Progress, proposal: Proposal, is_possible: bool) -> tuple[Relation, Fact | None]:
    """The fact that the proposal reports again, and how the two are related.

    A source reports each fact once. What can happen now is a new event unless the proposal is older than the
    event after the fact, or nothing followed it. A report with less or more detail could be of many facts: it
    is of the latest one of its type, or it is older than what followed.
    """
    found: list[tuple[bool, bool, int, Relation, Fact]] = []
    newest_of_type: Fact | None = None
    followed_ns: int | None = None
    for fact in reversed(progress.facts):
        is_past = followed_ns is None or proposal.t_ns < followed_ns
        if not isinstance(fact.event, Corrected):  # which says what happened before
            followed_ns = max(fact.t_ns, followed_ns or fact.t_ns)
        if newest_of_type is None and type(fact.event) is type(proposal.event):
            newest_of_type = fact
        apart_ns = abs(fact.t_ns - proposal.t_ns)
        if apart_ns > SAME_FACT_S * 1e9 or proposal.source in fact.seen_by or (is_possible and not is_past):
            continue
        relation = compare_events(fact.event, proposal.event)
        is_apart = not is_past and fact is not newest_of_type
        if relation is Relation.SAME or (relation in REPEATS and not is_apart):
            found.append((is_apart, False, apart_ns, relation, fact))
        elif relation is Relation.OTHER and fact is newest_of_type and not is_possible:
            found.append((is_apart, True, apart_ns, relation, fact))
    if not found:
        return Relation.UNRELATED, None
    *_, relation, fact = min(found, key=lambda each: each[:3])
    return relation, fact


def _find_doubt(progress: Progress, proposal: Proposal, policy: TrustPolicy) -> Why | None:
    """Why a person has to confirm a new event that can happen now; None where nobody has to."""
    if not policy.accepts(proposal):
        return Why.ASKS
    if any(fact.t_ns - proposal.t_ns > SAME_FACT_S * 1e9 for fact in progress.facts):
        return Why.LATE
    if proposal.source.kind is not SourceKind.TOUCH and _was_taken_back(progress, proposal):
        return Why.TAKEN_BACK
    return None


def _settles_doubt(progress: Progress, proposal: Proposal, fact: Fact, policy: TrustPolicy) -> bool:
    """Whether the proposal makes a doubtful fact certain: then the log records that."""
    return proposal.p >= CERTAIN_FROM and fact.number in progress.doubts and policy.accepts(proposal)


def _was_taken_back(progress: Progress, proposal: Proposal) -> bool:
    """Whether the same event of about that time was undone. A draw that nobody saw follows from the next
    event, so it is proposed again whenever that one is."""
    if isinstance(proposal.event, Drawn) and proposal.event.tile is None:
        return False
    times = {each.number: each.t_ns for each in progress.reports}
    for number, event in enumerate(reversed(progress.undone), start=len(progress.events) + 1):
        if event == proposal.event and number in times:
            return abs(times[number] - proposal.t_ns) <= SAME_FACT_S * 1e9
    return False


def _wait_or_refuse(
    progress: Progress, proposal: Proposal, policy: TrustPolicy, error: EventError | None
) -> Decision:
    """What cannot happen now waits for the event before it, as long as its source may wait."""
    if policy.trust(proposal.source.kind).waits_s > 0:
        return _hold(progress, proposal, Pending(0, proposal, Why.EARLY, proposal.event, None, error))
    return Decision(Verdict.REFUSED, proposal, progress, error=error)


def _hold(progress: Progress, proposal: Proposal, pending: Pending) -> Decision:
    """The game with one more proposal that waits. It replaces an older one of its source about the same
    event."""
    pending = replace(pending, number=pending.number or progress.next_pending)
    others = [each for each in progress.pending if not _replaces(pending, each)]
    waiting = (*others, pending)[-PENDING_MAX:]
    next_pending = max(progress.next_pending, pending.number + 1)
    after = replace(progress, pending=waiting, next_pending=next_pending)
    return Decision(Verdict.HELD, proposal, after, pending=pending, fact=pending.fact, error=pending.trouble)


def _replaces(new: Pending, old: Pending) -> bool:
    """Whether the same device or camera reports the same type of event for the same seat: it has read it
    again."""
    ours, theirs = new.proposal, old.proposal
    return (
        ours.source == theirs.source
        and ours.source.kind in (SourceKind.DEVICE, SourceKind.CAMERA)
        and Why.NOT_STORED not in (new.why, old.why)
        and type(ours.event) is type(theirs.event)
        and getattr(ours.event, "seat", None) == getattr(theirs.event, "seat", None)
        and getattr(ours.event, "number", None) == getattr(theirs.event, "number", None)
        and type(new.event) is type(old.event)
    )


def _accept(
    progress: Progress, proposal: Proposal, event: Event, outcome: State, by: Source | None = None
) -> Decision:
    """The game with the event, and with all that waits reconsidered."""
    observers = add_sources((proposal.source,), *((by,) if by else ()))
    report = Report(len(progress.events) + 1, proposal.t_ns, observers)
    standing = tuple(each for each in progress.reports if each.number < report.number)
    after = replace(
        progress,
        state=outcome,
        events=(*progress.events, event),
        ps=(*progress.ps[: len(progress.events)], proposal.p),
        undone=(),
        reports=(*standing, report)[-FACTS_MAX:],
    )
    fact = after.facts[-1]
    after = replace(after, pending=_reconsider(after, fact))
    return Decision(Verdict.ACCEPTED, proposal, after, event, fact=fact)


def _note_repeat(progress: Progress, proposal: Proposal, fact: Fact) -> Decision:
    """The game in which the proposal's source has reported the fact too."""
    reports = tuple(
        replace(each, seen_by=add_sources(each.seen_by, proposal.source))
        if each.number == fact.said_in
        else each
        for each in progress.reports
    )
    seen = replace(fact, seen_by=add_sources(fact.seen_by, proposal.source))
    return Decision(Verdict.REPEATED, proposal, replace(progress, reports=reports), fact=seen)


def _reconsider(progress: Progress, entered: Fact | None = None) -> tuple[Pending, ...]:
    """The proposals that wait, each applied to the game as it is now, without those that `entered` has
    settled.

    A proposal that could have happened in its place, and has more detail, now completes `entered`.
    """
    pending = []
    for each in progress.pending:
        relation = compare_events(entered.event, each.event) if entered else Relation.UNRELATED
        if relation in (Relation.SAME, Relation.LESS):
            continue
        if entered and relation is Relation.MORE and each.outcome is not None:
            right = merge_events(entered.event, each.event)
            each = replace(each, event=Corrected(number=entered.number, right=right), fact=entered)
        outcome, error = _try(progress, each.event)
        trouble = error or (each.trouble if each.why is Why.CONTRADICTS else None)
        pending.append(replace(each, outcome=outcome, trouble=trouble))
    return tuple(pending)


def decide_all(before: Progress, proposals: Sequence[Proposal], policy: TrustPolicy) -> list[Decision]:
    """What becomes of each, after those before it. It ends with the first one that is not accepted."""
    decisions: list[Decision] = []
    for proposal in proposals:
        decisions.append(decide(before, proposal, policy))
        if decisions[-1].verdict is not Verdict.ACCEPTED:
            break
        before = decisions[-1].progress
    return decisions


def find_ready(progress: Progress) -> Pending | None:
    """The first in time of the proposals that came too early and can happen now: it is decided again."""
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
