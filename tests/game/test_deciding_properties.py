"""What becomes of proposals, as properties of simulated hands."""

from __future__ import annotations

import random

from hands import CAMERA, CUP, PATIENT, SECOND, TOUCH, enter, move, played, seen, settle
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.deciding import (
    PENDING_MAX,
    Decision,
    Verdict,
    Why,
    begin_progress,
    confirm,
    decide,
)
from companion.game.proposals import ASK_ALWAYS, ASKS, Proposal, Trust, TrustPolicy
from companion.table.apply import fold
from companion.table.events import Corrected, Event, HandStarted, number_corrected

RULES = ("hefei", "hong_kong", "hangzhou")
BEHIND_MAX = 15
"""Events, one a second: within SAME_FACT_S."""

hands = st.builds(played, st.sampled_from(RULES), st.integers(1, 4))


@settings(deadline=None, max_examples=15)
@given(hands, st.integers(0, 2**32), st.integers(0, 900), st.integers(0, 900))
def test_two_observers_make_the_game_that_one_makes(
    events: tuple[Event, ...], seed: int, late_ms: int, later_ms: int
) -> None:
    """Whichever reports first, while neither falls further behind than facts are remembered."""
    reports = seen(events, CUP, late_ms * 1_000_000), seen(events, CAMERA, later_ms * 1_000_000)
    chance, progress, done = random.Random(seed), begin_progress(events[:1]), [0, 0]
    while min(done) < len(events) - 1:
        who = chance.randrange(2) if max(done) - min(done) < BEHIND_MAX else done.index(min(done))
        if done[who] < len(events) - 1:
            progress = enter(progress, reports[who][done[who]], PATIENT)
            done[who] += 1
    assert progress.events == events
    assert progress.pending == ()
    assert progress.state == fold(events)


@settings(deadline=None, max_examples=20)
@given(hands, st.randoms(use_true_random=False))
def test_only_an_accepted_proposal_changes_the_game(events: tuple[Event, ...], chance: random.Random) -> None:
    """Reports of any order, time, source and certainty, confirmed, rejected and undone now and then."""
    progress = begin_progress(events[:1])
    policies = (TrustPolicy(), PATIENT, ASK_ALWAYS, TrustPolicy(device=ASKS))
    for _ in range(60):
        at_event = min(len(events) - 1, max(1, len(progress.events) + chance.randint(-2, 2)))
        source = chance.choice((TOUCH, CUP, CAMERA))
        proposal = Proposal(
            events[at_event], chance.randrange(100) * SECOND, source, chance.choice((0.5, 0.95, 1.0))
        )
        decision: Decision | None = decide(progress, proposal, chance.choice(policies))
        if progress.pending and chance.random() < 0.3:
            decision = confirm(progress, chance.choice(progress.pending).number, TOUCH)
        assert decision is not None
        if decision.verdict is Verdict.ACCEPTED:
            assert decision.progress.events == (*progress.events, decision.event)
            assert decision.progress.state == fold(decision.progress.events)
        else:
            assert decision.event is None
            assert (decision.progress.events, decision.progress.state) == (progress.events, progress.state)
            assert (decision.error is not None) or decision.verdict is not Verdict.REFUSED
        progress = decision.progress
        for pending in progress.pending:
            assert (pending.outcome is None) <= (pending.trouble is not None)
        assert len({each.number for each in progress.pending}) == len(progress.pending) <= PENDING_MAX
        assert all(progress.events[fact.number - 1] is not None for fact in progress.facts)


@settings(deadline=None, max_examples=10)
@given(hands, st.data())
def test_undo_and_redo_restore_the_state(events: tuple[Event, ...], data: st.DataObject) -> None:
    progress = begin_progress(events[:1])
    for proposal in seen(events, CUP):
        progress = decide(progress, proposal, TrustPolicy(device=Trust())).progress
    assert progress.events == events
    steps = data.draw(st.integers(1, len(events) - 1))
    undone = move(progress, -steps)
    assert undone.events == events[:-steps]
    assert all(fact.number <= len(undone.events) for fact in undone.facts)
    assert undone.facts == progress.facts[: len(undone.facts)]
    redone = move(undone, steps)
    assert redone == progress


@settings(deadline=None, max_examples=30)
@given(hands, st.randoms(use_true_random=False))
def test_whatever_is_corrected_undone_and_redone_what_is_known_is_what_stands(
    events: tuple[Event, ...], chance: random.Random
) -> None:
    """Reports that come early and doubtful ones, corrections by a person, undo and redo, at random."""
    policy = TrustPolicy(device=Trust(waits_s=3600), camera=Trust(accept_from=0.9, waits_s=3600))
    progress = begin_progress(events[:1])
    for _ in range(60):
        step, length = chance.random(), len(progress.events)
        if step < 0.15 and length > 1:
            steps = chance.randint(1, min(3, length - 1))
            progress = move(progress, -steps)
        elif step < 0.25 and progress.undone:
            progress = move(progress, 1)
        elif step < 0.4 and length > 1:
            number = chance.randint(max(2, length - 5), length)
            right = chance.choice((None, progress.events[number - 1], HandStarted(dealer=0, dice=(1, 2))))
            correction = Proposal(Corrected(number=number, right=right), length * SECOND, TOUCH)
            progress = decide(progress, correction, policy).progress
        else:
            at_event = min(len(events) - 1, max(1, length + chance.randint(0, 2)))
            source, p = chance.choice(((CUP, 1.0), (CAMERA, 0.5), (CAMERA, 1.0)))
            proposal = Proposal(events[at_event], at_event * SECOND, source, p)
            progress = decide(progress, proposal, policy).progress
        before = progress.events
        progress = settle(progress, policy)
        assert progress.events[: len(before)] == before
        right_now = dict(number_corrected(progress.events))
        for fact in progress.facts:
            if not isinstance(fact.event, Corrected):
                assert right_now[fact.number] == fact.event
        assert progress.state == fold(progress.events)
        for pending in progress.pending:
            assert pending.why is not Why.EARLY or pending.outcome is None


@settings(deadline=None, max_examples=10)
@given(hands)
def test_a_person_who_confirms_everything_makes_the_same_game(events: tuple[Event, ...]) -> None:
    progress = begin_progress(events[:1])
    for proposal in seen(events, CAMERA, p=0.5):
        held = decide(progress, proposal, TrustPolicy())
        assert held.pending is not None, held
        confirmed = confirm(held.progress, held.pending.number, TOUCH)
        assert confirmed is not None
        progress = confirmed.progress
    assert progress.events == events
