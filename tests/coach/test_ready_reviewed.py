"""Calls of ready in a review: made, missed, and where nobody can know whether one was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from companion.coach import messages as words
from companion.coach.advice import make_coach
from companion.coach.described import describe_position
from companion.coach.results import Grade, Mistake, RatedDecision
from companion.coach.review import Reviewer
from companion.coach.words.wording import describe_choice, describe_decision, phrase
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Discarded, Drawn, Event, ReadyDeclared, Won
from companion.tiles import Tile
from companion.words import Language, Words

Request = Mapping[str, object]
RIVERS = [["1z"], ["9m", "1s"], ["2z"], ["3z"]]
AS_DEALT: Request = {"rules": "taiwanese", "seat": 0, "hand": "222345p123567m678s57z"}
"""The call adds ten from each payer."""
SELF_DRAWN: Request = {
    "rules": "taiwanese", "seat": 1, "hand": "112233m445566p778s9s8s", "left": 60, "rivers": RIVERS,
    "options": {"ting_must_win": True},
}  # fmt: skip
"""Self-drawn it pays many times what a discard pays, which may not be passed up after a call."""
WIDE: Request = {
    "rules": "taiwanese", "seat": 1, "hand": "123m567m678s55z34p357s9s", "rivers": RIVERS, "left": 50,
}  # fmt: skip
"""Ready after the 3s alone."""
TWO_WAYS: Request = {
    "rules": "taiwanese", "seat": 1, "hand": "123m567m678s55z34p789s3p", "rivers": RIVERS, "left": 50,
}  # fmt: skip
"""Ready after the 3p or the 4p."""
CALL, OTHERS_CALL = ReadyDeclared(seat=0), (Drawn(seat=1), ReadyDeclared(seat=1), Discarded(seat=1))


def review(request: Request, events: Sequence[Event], seat: int) -> list[RatedDecision]:
    before = state = describe_position(request).state
    steps = []
    for number, event in enumerate(events):
        state = apply(state, event)
        steps.append((number, event, state))
    return list(Reviewer(make_coach(before.house)).review_hand(before, steps, [seat]))


def test_a_call_of_ready_is_a_decision() -> None:
    made, _ = review(AS_DEALT, [CALL, Discarded(seat=0, tile="5z")], 0)
    assert (made.did, made.tile) == (CALL, Tile.parse("5z"))
    assert (made.grade, made.cost, made.mistake) == (Grade.BEST, 0, None)
    assert describe_decision(made, Words(Language.ENGLISH)) == "Called ready, then discarded White"
    assert describe_decision(made, Words(Language.SIMPLIFIED)) == "报听，打了白板"


def test_a_missed_call_costs_what_it_pays() -> None:
    [missed, *_] = review(AS_DEALT, [Discarded(seat=0, tile="5z"), *OTHERS_CALL], 0)
    assert missed.did == Discarded(seat=0, tile="5z")
    assert missed.cost > 3
    assert missed.mistake is Mistake.CALL
    assert missed.best is not None
    assert describe_choice(missed.best, Words(Language.ENGLISH)) == "Call ready, then discard: White"
    assert missed.why is not None
    said = phrase(missed.why, Words(Language.ENGLISH))
    assert said.startswith("Calling ready, and then discarding White, was worth")
    assert phrase(missed.why, Words(Language.TRADITIONAL)).startswith("報聽並打白板可多得")


def test_no_call_is_missed_in_a_game_without_calls() -> None:
    """A camera hears no call, and many tables make none."""
    [silent] = review(AS_DEALT, [Discarded(seat=0, tile="5z")], 0)
    assert (silent.grade, silent.mistake) == (Grade.BEST, None)
    assert not isinstance(silent.best and silent.best.do, ReadyDeclared)


def test_a_call_that_may_not_pass_up_a_cheap_win_is_a_mistake() -> None:
    call = ReadyDeclared(seat=1)
    [made, *_] = review(SELF_DRAWN, [call, Discarded(seat=1, tile="9s")], 1)
    assert made.did == call
    assert made.mistake is Mistake.CALL
    assert made.cost > 5
    assert made.why is not None
    first = made.why.params["why"]
    assert isinstance(first, Sentence)
    assert (first.template, first.params["best"]) == (words.BAD_CALL, "9s")


def test_the_discard_after_a_call_is_a_decision_where_two_leave_the_hand_ready() -> None:
    events = [ReadyDeclared(seat=1), Discarded(seat=1, tile="4p")]
    call, discard = review(TWO_WAYS, events, 1)
    assert (call.did, discard.did) == tuple(events)
    assert discard.best is not None
    assert discard.best.do == Discarded(seat=1, tile="3p")
    assert discard.mistake is not None
    assert call.mistake is None


@pytest.mark.parametrize(
    ("request_", "out", "dealt_in"), [(WIDE, "3s", [True]), (TWO_WAYS, "4p", [False, True])]
)
def test_the_deal_in_of_a_called_hand_counts_once(request_: Request, out: str, dealt_in: list[bool]) -> None:
    events = [
        ReadyDeclared(seat=1),
        Discarded(seat=1, tile=out),
        Won(seat=2, hand="777z999p888p111p444m" + 2 * out),
    ]
    assert [each.dealt_in for each in review(request_, events, 1)] == dealt_in
