"""What becomes of proposals: the pure decision, case by case."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hands import CAMERA, CUP, PATIENT, SECOND, TOUCH, enter, move

from companion.errors import EventError
from companion.game.deciding import (
    PENDING_MAX,
    SAME_FACT_S,
    Progress,
    Verdict,
    Why,
    begin_progress,
    confirm,
    decide,
    find_overdue,
    find_ready,
    hold_unstored,
    reject,
)
from companion.game.proposals import ASK_ALWAYS, ASKS, Proposal, Reporter, SourceKind, Trust, TrustPolicy
from companion.table.apply import fold
from companion.table.events import (
    Call,
    Called,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
    PointsMoved,
    Won,
)

START = GameStarted(rules="hebei")
ROLL = HandStarted(dealer=0, dice=(3, 5))


def game(*events: Event, source: Reporter = TOUCH) -> Progress:
    """Hebei, and what was entered since, one event a second."""
    progress = begin_progress([START])
    for at, event in enumerate(events, start=1):
        decision = decide(progress, Proposal(event, at * SECOND, source), TrustPolicy())
        assert decision.verdict is Verdict.ACCEPTED, decision.error
        progress = decision.progress
    return progress


def at(seconds: float, event: Event, source: Reporter = CUP, p: float = 1.0) -> Proposal:
    return Proposal(event, round(seconds * SECOND), source, p)


def test_a_roll_starts_the_hand() -> None:
    decision = decide(game(), at(1, ROLL), TrustPolicy())
    assert (decision.verdict, decision.event) == (Verdict.ACCEPTED, ROLL)
    assert decision.progress.events == (START, ROLL)
    assert decision.progress.state.playing
    assert decision.fact is not None
    assert (decision.fact.number, decision.fact.seen_by) == (2, (CUP,))
    assert decision.is_certain


@pytest.mark.parametrize("apart_s", [-5, 0, 5])
def test_a_roll_that_a_cup_reports_and_somebody_enters_starts_one_hand(apart_s: float) -> None:
    before = game(ROLL)
    decision = decide(before, at(1 + apart_s, ROLL), TrustPolicy())
    assert decision.verdict is Verdict.REPEATED
    assert decision.progress.events == before.events
    assert decision.fact is not None
    assert decision.fact.seen_by == (TOUCH, CUP)


def test_the_same_source_does_not_repeat_itself() -> None:
    """Who enters a roll twice is answered by the rules, not passed over in silence."""
    decision = decide(game(ROLL), at(2, ROLL, TOUCH), TrustPolicy())
    assert decision.verdict is Verdict.REFUSED
    assert decision.error is not None


def test_much_older_report_is_another_fact() -> None:
    decision = decide(game(ROLL), at(2 + SAME_FACT_S, ROLL), TrustPolicy())
    assert decision.verdict is Verdict.REFUSED


def test_older_report_needs_confirmation() -> None:
    """A roll of the last hand, reported when its cup is plugged in again, starts no other one."""
    progress = game(PointsMoved(points=(-8, 8, 0, 0), why="a wrong call"))
    late = decide(progress, at(-SAME_FACT_S, ROLL), TrustPolicy())
    assert late.pending is not None
    assert late.pending.why is Why.LATE
    confirmed = confirm(late.progress, late.pending.number, TOUCH)
    assert confirmed is not None
    assert confirmed.verdict is Verdict.ACCEPTED


def test_undone_event_returns_only_by_a_person() -> None:
    """The camera reports a moment later what a person has entered and taken back."""
    progress = game(ROLL)
    undone = move(progress, -1)
    camera = decide(undone, at(1.2, ROLL, CAMERA), TrustPolicy())
    assert camera.pending is not None
    assert camera.pending.why is Why.TAKEN_BACK
    assert decide(undone, at(3, ROLL, TOUCH), TrustPolicy()).verdict is Verdict.ACCEPTED
    other = HandStarted(dealer=0, dice=(1, 1))
    assert decide(undone, at(3, other, CUP), TrustPolicy()).verdict is Verdict.ACCEPTED


def test_two_penalties_alike_are_two() -> None:
    penalty = PointsMoved(points=(-8, 8, 0, 0), why="a wrong call")
    progress = game(penalty, penalty)
    assert progress.state.points[1] - game().state.points[1] == 16


def test_dice_that_are_reported_later_complete_the_hand() -> None:
    decision = decide(game(HandStarted(dealer=0)), at(3, ROLL), TrustPolicy())
    assert decision.verdict is Verdict.ACCEPTED
    assert decision.event == Corrected(number=2, right=ROLL)
    assert decision.progress.state == game(ROLL).state
    less = decide(game(ROLL), at(3, HandStarted(dealer=0)), TrustPolicy())
    assert less.verdict is Verdict.REPEATED


def test_a_tile_that_is_seen_after_it_was_drawn_completes_the_draw() -> None:
    progress = game(ROLL, Dealt(), Discarded(seat=0, tile="1m"), Drawn(seat=1))
    decision = decide(progress, at(4.2, Drawn(seat=1, tile="5p"), CAMERA), TrustPolicy())
    assert decision.event == Corrected(number=5, right=Drawn(seat=1, tile="5p"))
    again = decide(decision.progress, at(4.3, Drawn(seat=1, tile="5p"), CUP), TrustPolicy())
    assert again.verdict is Verdict.REPEATED


def test_a_contradiction_names_both_sources_and_waits_for_a_person() -> None:
    progress = game(ROLL, Dealt(), Discarded(seat=0, tile="1m"), source=CUP)
    decision = decide(progress, at(3.5, Discarded(seat=0, tile="7m"), CAMERA), TrustPolicy())
    pending = decision.pending
    assert pending is not None
    assert pending.why is Why.CONTRADICTS
    assert decision.progress.events == progress.events
    assert pending.fact is not None
    assert (pending.fact.number, pending.fact.seen_by, pending.proposal.source) == (4, (CUP,), CAMERA)
    settled = confirm(decision.progress, pending.number, TOUCH)
    assert settled is not None
    assert settled.event == Corrected(number=4, right=Discarded(seat=0, tile="7m"))
    hand = settled.progress.state.hand
    assert hand is not None
    assert [tile.code for tile in hand.players[0].discards] == ["7m"]


def test_another_seats_discard_contradicts_nothing() -> None:
    progress = game(ROLL, Dealt(), Discarded(seat=0, tile="1m"))
    decision = decide(progress, at(3.5, Discarded(seat=1, tile="7m"), CUP), TrustPolicy())
    assert decision.verdict is Verdict.REFUSED
    assert decision.fact is None


def test_nothing_is_entered_before_a_person_confirms_it() -> None:
    """The break of the wall is known nevertheless; a second roll takes the place of the first."""
    first = decide(game(), at(1, ROLL), ASK_ALWAYS)
    assert first.pending is not None
    assert first.pending.why is Why.ASKS
    assert first.pending.outcome == game(ROLL).state
    second = decide(first.progress, at(3, HandStarted(dealer=0, dice=(1, 1))), ASK_ALWAYS)
    assert [each.proposal.t_ns for each in second.progress.pending] == [3 * SECOND]
    assert second.progress.events == (START,)
    confirmed = confirm(second.progress, 2, TOUCH)
    assert confirmed is not None
    assert confirmed.progress.events == (START, HandStarted(dealer=0, dice=(1, 1)))
    assert confirmed.progress.pending == ()
    assert confirmed.is_certain
    assert confirmed.fact is not None
    assert confirmed.fact.seen_by == (CUP, TOUCH)


def test_a_win_button_only_asks_and_a_doubtful_reading_too() -> None:
    progress = game(ROLL, Dealt(), Discarded(seat=0, tile="1m"))
    doubtful = replace(
        at(4, Drawn(seat=1, tile="2m"), CAMERA, p=0.6), alternatives=((Drawn(seat=1, tile="3m"), 0.3),)
    )
    asked = decide(progress, doubtful, TrustPolicy())
    assert asked.pending is not None
    chosen = confirm(asked.progress, asked.pending.number, TOUCH, Drawn(seat=1, tile="3m"))
    assert chosen is not None
    assert chosen.event == Drawn(seat=1, tile="3m")
    likely = decide(progress, replace(doubtful, p=0.95), TrustPolicy())
    assert likely.verdict is Verdict.ACCEPTED
    assert not likely.is_certain
    assert TrustPolicy().device.accepts(Drawn)
    assert not TrustPolicy().device.accepts(Won)


def test_confirming_an_impossible_event_is_refused() -> None:
    held = decide(game(), at(1, ROLL), TrustPolicy(device=ASKS))
    number = held.progress.pending[0].number
    moved = decide(held.progress, at(50, HandStarted(dealer=0, dice=(1, 2)), TOUCH), TrustPolicy()).progress
    (stale,) = moved.pending
    assert stale.outcome is None
    assert stale.trouble is not None
    refused = confirm(moved, number, TOUCH)
    assert refused is not None
    assert (refused.verdict, refused.progress.events) == (Verdict.REFUSED, moved.events)
    assert refused.error is not None
    assert confirm(reject(moved, number), number, TOUCH) is None


def test_entry_resolves_waiting_proposals() -> None:
    held = decide(game(), at(1, ROLL), TrustPolicy(device=ASKS)).progress
    assert decide(held, at(2, ROLL, TOUCH), TrustPolicy()).progress.pending == ()


def test_early_proposal_waits_for_the_preceding_event() -> None:
    progress = game(ROLL, Dealt())
    drawn, discarded = at(4, Drawn(seat=1), CUP), at(3, Discarded(seat=0, tile="1m"), CAMERA)
    early = decide(progress, drawn, PATIENT)
    assert early.pending is not None
    assert early.pending.why is Why.EARLY
    assert enter(early.progress, discarded, PATIENT).events[-2:] == (discarded.event, drawn.event)
    impatient = TrustPolicy(device=Trust(waits_s=2))
    waits = decide(progress, drawn, impatient).progress
    assert find_overdue(waits, impatient, 5 * SECOND) == ()
    assert len(find_overdue(waits, impatient, 6 * SECOND)) == 1


def test_the_oldest_that_waits_gives_way() -> None:
    progress = game()
    for number in range(PENDING_MAX + 3):
        source = Reporter(SourceKind.SCRIPT, str(number))
        progress = decide(progress, Proposal(ROLL, number, source), ASK_ALWAYS).progress
    assert [each.number for each in progress.pending] == list(range(4, PENDING_MAX + 4))


def test_unstored_proposal_waits_under_its_number() -> None:
    before = game()
    accepted = decide(before, at(1, ROLL), TrustPolicy())
    held = hold_unstored(before, accepted)
    assert held.pending is not None
    assert (held.verdict, held.pending.why, held.progress.events) == (
        Verdict.HELD, Why.NOT_STORED, (START,),
    )  # fmt: skip
    again = confirm(held.progress, held.pending.number, TOUCH)
    assert again is not None
    unstored = hold_unstored(held.progress, again)
    assert unstored.pending is not None
    assert unstored.pending.number == held.pending.number
    assert len(unstored.progress.pending) == 1


def test_all_that_could_not_be_stored_waits() -> None:
    progress = game()
    for number in (1, 2):
        penalty = PointsMoved(points=(-number, number, 0, 0), why="a wrong call")
        progress = hold_unstored(progress, decide(progress, at(1, penalty), TrustPolicy())).progress
    assert [each.event.points[1] for each in progress.pending] == [1, 2]  # type: ignore[union-attr]


def test_a_probability_is_one() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Proposal(ROLL, 0, CUP, 1.1)


def test_a_game_begins_with_an_event() -> None:
    with pytest.raises(EventError):
        begin_progress([])


def test_a_call_that_is_changed_is_no_contradiction() -> None:
    progress = game(ROLL, Dealt(), Discarded(seat=0, tile="1m"), Called(seat=2, call=Call.PUNG), source=CUP)
    decision = decide(progress, at(4.5, Called(seat=2, call=Call.NOTHING), TOUCH), TrustPolicy())
    assert decision.verdict is Verdict.ACCEPTED


def test_an_undone_correction_leaves_what_was_reported_before() -> None:
    other = HandStarted(dealer=0, dice=(3, 6))
    reported = decide(game(), at(1, ROLL), TrustPolicy()).progress
    corrected = decide(reported, at(2, Corrected(number=2, right=other), TOUCH), TrustPolicy()).progress
    camera = decide(corrected, at(3, other, CAMERA), TrustPolicy())
    assert camera.verdict is Verdict.REPEATED
    undone = move(camera.progress, -1)
    assert undone.facts == reported.facts
    assert decide(undone, at(3, ROLL, CAMERA), TrustPolicy()).verdict is Verdict.REPEATED
    wrong = decide(undone, at(3, other, CAMERA), TrustPolicy())
    assert wrong.pending is not None
    assert wrong.pending.why is Why.CONTRADICTS
    redone = move(undone, 1)
    assert redone.facts == camera.progress.facts
    assert redone.facts[0].event == other


def test_an_event_that_was_struck_out_stands_again_when_that_is_undone() -> None:
    progress = decide(game(), at(1, ROLL), TrustPolicy()).progress
    struck = decide(progress, at(2, Corrected(number=2, right=None), TOUCH), TrustPolicy()).progress
    assert [each.number for each in struck.facts] == [3]
    undone = move(struck, -1)
    assert undone.facts == progress.facts
    assert decide(undone, at(3, ROLL, CAMERA), TrustPolicy()).verdict is Verdict.REPEATED


def test_a_correction_that_is_struck_out_corrects_nothing() -> None:
    progress = decide(game(), at(1, ROLL), TrustPolicy()).progress
    other = Corrected(number=2, right=HandStarted(dealer=0, dice=(3, 6)))
    for seconds, each in ((2, other), (3, Corrected(number=3, right=None))):
        progress = decide(progress, at(seconds, each, TOUCH), TrustPolicy()).progress
    assert progress.facts[0].event == ROLL
    assert progress.state == fold([START, ROLL])


def test_early_doubtful_proposal_is_asked_once_possible() -> None:
    early = decide(game(), at(2, Dealt(), CAMERA, p=0.5), TrustPolicy())
    assert early.pending is not None
    assert early.pending.why is Why.EARLY
    assert find_ready(early.progress) is None
    after = enter(early.progress, at(1, ROLL, TOUCH), TrustPolicy())
    assert [(each.number, each.why) for each in after.pending] == [(early.pending.number, Why.ASKS)]
    assert find_overdue(after, TrustPolicy(), 60 * SECOND) == ()


def test_how_certain_each_event_is_stays_with_it() -> None:
    """Through undo and redo too; what comes after an undo has its own."""
    progress = game()
    for seconds, event, p in ((1, ROLL, 0.95), (2, Dealt(), 1.0), (3, Discarded(seat=0, tile="1z"), 0.91)):
        progress = decide(progress, at(seconds, event, CAMERA, p), TrustPolicy()).progress
    assert progress.doubts == {2: 0.95, 4: 0.91}
    undone = move(progress, -2)
    assert undone.doubts == {2: 0.95}
    assert move(undone, 2).doubts == {2: 0.95, 4: 0.91}
    moved = PointsMoved(points=(-8, 8, 0, 0), why="a wrong call")
    assert decide(undone, at(4, moved, CAMERA, 0.97), TrustPolicy()).progress.doubts == {2: 0.95, 3: 0.97}


@pytest.mark.parametrize(
    "said",
    [Discarded(seat=0, tile="1z"), Corrected(number=4, right=Discarded(seat=0, tile="1z"))],
    ids=["said again", "confirmed"],
)
def test_a_person_makes_certain_what_the_camera_was_not_sure_of(said: Event) -> None:
    progress = decide(
        game(ROLL, Dealt()), at(3, Discarded(seat=0, tile="1z"), CAMERA, 0.91), TrustPolicy()
    ).progress
    decision = decide(progress, at(4, said, TOUCH), TrustPolicy())
    assert decision.verdict is Verdict.ACCEPTED
    assert decision.event == Corrected(number=4, right=Discarded(seat=0, tile="1z"))
    assert decision.progress.doubts == {}
    assert decision.progress.state == progress.state
    assert move(decision.progress, -1).doubts == {4: 0.91}


def test_corrections_by_a_person_are_certain_and_those_by_the_camera_keep_their_p() -> None:
    progress = decide(
        game(ROLL, Dealt()), at(3, Discarded(seat=0, tile="1z"), CAMERA, 0.91), TrustPolicy()
    ).progress
    right = Corrected(number=4, right=Discarded(seat=0, tile="2z"))
    assert decide(progress, at(4, right, TOUCH), TrustPolicy()).progress.doubts == {}
    assert decide(progress, at(4, right, CAMERA, 0.95), TrustPolicy()).progress.doubts == {4: 0.95}
    gone = Corrected(number=4, right=None)
    assert decide(progress, at(4, gone, CAMERA, 0.95), TrustPolicy()).progress.doubts == {}


def test_another_that_is_not_sure_either_settles_nothing() -> None:
    first = Discarded(seat=0, tile="1z")
    progress = decide(game(ROLL, Dealt()), at(3, first, CAMERA, 0.91), TrustPolicy()).progress
    again = decide(progress, at(4, first, Reporter(SourceKind.CAMERA, "side"), 0.95), TrustPolicy())
    assert again.verdict is Verdict.REPEATED
    assert again.progress.doubts == {4: 0.91}
