"""Discards of which an observer did not see the tile: whoever saw it says which, and nothing is lost."""

from __future__ import annotations

import random
from functools import cache

from hands import CAMERA, CUP, PATIENT, SECOND, TOUCH, enter, played, settle
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.game.deciding import Progress, Verdict, Why, begin_progress, confirm, decide
from companion.game.facts import list_doubts
from companion.game.proposals import Proposal, Reporter, SourceKind, TrustPolicy
from companion.table.apply import apply, fold
from companion.table.events import (
    Call,
    Called,
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
    Won,
    apply_corrections,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import OfferKind, State

BESIDE = Reporter(SourceKind.CAMERA, "beside")
BEHIND_MAX = 12
"""Events, about one a second: within SAME_FACT_S."""
BEGUN = (HandStarted(dealer=0), Dealt())
UNSEEN, SEEN = Discarded(seat=0), Discarded(seat=0, tile="7m")


def game(*events: Event, source: Reporter = CAMERA) -> Progress:
    """Hebei, dealt, and what was reported since, one event a second."""
    progress = begin_progress([GameStarted(rules="hebei"), *BEGUN])
    for at, event in enumerate(events, start=3):
        progress = enter(progress, Proposal(event, at * SECOND, source), PATIENT)
        assert progress.events[-1] == event
    return progress


def at(seconds: float, event: Event, source: Reporter = BESIDE, p: float = 1.0) -> Proposal:
    return Proposal(event, round(seconds * SECOND), source, p)


def test_observer_of_the_tile_names_it() -> None:
    decision = decide(game(UNSEEN), at(3.4, SEEN), TrustPolicy())
    assert decision.verdict is Verdict.ACCEPTED
    assert decision.event == Corrected(number=4, right=SEEN)
    assert decision.progress.state == game(SEEN).state
    (fact,) = (each for each in decision.progress.facts if each.number == 4)
    assert (fact.event, fact.seen_by) == (SEEN, (CAMERA, BESIDE))
    again = decide(decision.progress, at(3.5, SEEN, CUP), TrustPolicy())
    assert again.verdict is Verdict.REPEATED


def test_report_without_the_tile_adds_nothing() -> None:
    decision = decide(game(SEEN), at(3.4, UNSEEN), TrustPolicy())
    assert decision.verdict is Verdict.REPEATED
    assert decision.fact is not None
    assert (decision.fact.event, decision.fact.seen_by) == (SEEN, (CAMERA, BESIDE))


def test_the_tile_is_named_after_further_events() -> None:
    since: tuple[Event, ...] = (Drawn(seat=1), Discarded(seat=1, tile="2m"), Drawn(seat=2))
    decision = decide(game(UNSEEN, *since), at(3.4, SEEN), TrustPolicy())
    assert decision.event == Corrected(number=4, right=SEEN)
    assert decision.progress.state == game(SEEN, *since).state


def test_two_tiles_of_one_discard_contradict_each_other() -> None:
    named = decide(game(UNSEEN), at(3.2, SEEN), TrustPolicy()).progress
    other = decide(named, at(3.4, Discarded(seat=0, tile="6m"), CUP), TrustPolicy())
    assert other.pending is not None
    assert other.pending.why is Why.CONTRADICTS
    assert other.pending.fact is not None
    assert (other.pending.fact.seen_by, other.pending.proposal.source) == ((CAMERA, BESIDE), CUP)


def test_a_tile_that_was_claimed_as_another_is_refused() -> None:
    progress = game(UNSEEN, Claimed(seat=2, meld="p555m"))
    decision = decide(progress, at(3.4, SEEN), TrustPolicy())
    assert decision.verdict is Verdict.REFUSED
    assert str(decision.error) == "Event 5: p555m does not hold the tile on offer, 7m."
    right = decide(progress, at(3.4, Discarded(seat=0, tile="5m")), TrustPolicy())
    assert right.verdict is Verdict.ACCEPTED


def test_a_tile_that_a_person_is_asked_about_completes_the_discard_that_was_entered_since() -> None:
    asked = decide(game(), at(3, SEEN, p=0.6), TrustPolicy()).progress
    entered = decide(asked, at(3.1, UNSEEN, CAMERA), TrustPolicy()).progress
    (pending,) = entered.pending
    assert (pending.why, pending.event) == (Why.ASKS, Corrected(number=4, right=SEEN))
    chosen = confirm(entered, pending.number, TOUCH, Discarded(seat=0, tile="8m"))
    assert chosen is not None
    assert chosen.event == Corrected(number=4, right=Discarded(seat=0, tile="8m"))
    assert chosen.progress.pending == ()


def test_early_report_completes_the_preceding_event() -> None:
    """Two cameras report a discard before anybody reports the draw that it takes."""
    progress = game(Discarded(seat=0, tile="1m"))
    for early in (at(4.9, Discarded(seat=1), CAMERA), at(5, Discarded(seat=1, tile="7m"))):
        decision = decide(progress, early, PATIENT)
        assert decision.verdict is Verdict.HELD
        progress = decision.progress
    progress = enter(progress, at(4, Drawn(seat=1), CUP), PATIENT)
    assert progress.pending == ()
    assert apply_corrections(progress.events)[-1] == Discarded(seat=1, tile="7m")


def test_the_next_discard_of_a_seat_does_not_name_the_last_one() -> None:
    """It comes early: nobody has reported yet what the others did between."""
    progress = game(UNSEEN, Drawn(seat=1), Discarded(seat=1, tile="2m"))
    decision = decide(progress, at(15, SEEN), PATIENT)
    assert decision.pending is not None
    assert decision.pending.why is Why.EARLY
    known = game(SEEN, Drawn(seat=1), Discarded(seat=1, tile="2m"))
    decision = decide(known, at(15, UNSEEN), PATIENT)
    assert decision.pending is not None
    assert decision.pending.why is Why.EARLY


def test_a_tile_like_the_last_one_of_a_seat_names_the_discard_that_nobody_saw() -> None:
    between = [each for seat in (1, 2, 3) for each in (Drawn(seat=seat), Discarded(seat=seat, tile="2m"))]
    progress = game(SEEN, *between, Drawn(seat=0), UNSEEN)
    decision = decide(progress, at(11.3, SEEN), TrustPolicy())
    assert decision.event == Corrected(number=len(progress.events), right=SEEN)


def test_a_call_that_two_report_is_one_though_the_discard_was_named_between() -> None:
    progress = game(UNSEEN, Called(seat=2, call=Call.PUNG))
    named = decide(progress, at(3.2, SEEN), TrustPolicy()).progress
    assert decide(named, at(4.2, Called(seat=2, call=Call.PUNG)), TrustPolicy()).verdict is Verdict.REPEATED


@cache
def seen_from_above(rules: str, seed: int) -> tuple[Event, ...]:
    """A hand as somebody sees it who knows no hidden tile. A win says which tile it is on."""
    state: State | None = None
    found = []
    for event in played(rules, seed):
        seen = event_as_seen(state, event, None)
        offer = state.hand.offer if state is not None and state.hand is not None else None
        if isinstance(seen, Won) and offer is not None and offer.kind is OfferKind.DISCARD:
            seen = replace(seen, tile=None if offer.tile is None else offer.tile.code)
        found.append(seen)
        state = apply(state, event)
    return tuple(found)


hands = st.builds(seen_from_above, st.sampled_from(("hebei", "hong_kong", "hangzhou")), st.integers(1, 4))


@settings(deadline=None, max_examples=15)
@given(hands, st.integers(0, 2**32))
def test_tile_seen_by_one_observer_is_known(events: tuple[Event, ...], seed: int) -> None:
    """Whichever reports first."""
    chance = random.Random(seed)
    reports: dict[Reporter, list[Event]] = {
        source: [
            Discarded(seat=event.seat) if isinstance(event, Discarded) and chance.random() < 0.4 else event
            for event in events
        ]
        for source in (CAMERA, BESIDE)
    }
    progress, done = begin_progress(events[:1]), {CAMERA: 1, BESIDE: 1}
    while min(done.values()) < len(events):
        is_even = max(done.values()) - min(done.values()) < BEHIND_MAX
        source = chance.choice((CAMERA, BESIDE)) if is_even else min(done, key=done.__getitem__)
        if done[source] < len(events):
            number = done[source]
            report = at(number + chance.random() * 0.9, reports[source][number], source)
            progress = enter(progress, report, PATIENT)
            done[source] += 1
    expected = [
        one if getattr(one, "tile", None) else other
        for one, other in zip(reports[CAMERA], reports[BESIDE], strict=True)
    ]
    assert apply_corrections(progress.events) == expected
    assert settle(progress, PATIENT).pending == ()
    assert progress.state == fold(expected)


def test_of_doubtful_draws_only_the_last_needs_a_check() -> None:
    events = [GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5p")]
    drawn = [*events, Drawn(seat=1)]
    assert list_doubts(drawn, (1.0, 1.0, 1.0, 1.0, 0.9)) == {5: 0.9}
    assert list_doubts([*drawn, Discarded(seat=1, tile="9s")], (1.0, 1.0, 1.0, 1.0, 0.9, 1.0)) == {}
