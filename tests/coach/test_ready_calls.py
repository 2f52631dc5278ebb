"""Calls of ready: where they are a choice, what they are worth beside staying silent, and who is bound."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.coach import messages
from companion.coach.advice import make_coach
from companion.coach.described import describe_position
from companion.coach.opponents.follower import Follower, follow_coach
from companion.coach.results import Advice, Advised
from companion.coach.seen import SeatView, observe
from companion.coach.value.choices import list_branches
from companion.coach.value.danger import Dangers
from companion.coach.value.endgame import Endgame
from companion.coach.value.judge import Judge, remove_tile
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import CALLS
from companion.coach.value.ready import OWN_DISCARD_SHARE, Calling, sum_waits
from companion.coach.words.wording import describe_choice, phrase
from companion.errors import InputError, RequestError
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Discarded, Drawn, ReadyDeclared, Won
from companion.tiles import Tile
from companion.words import Language, Words
from tests.coach.asking import advise_in_steps

Request = Mapping[str, object]
RIVERS = [["1z"], ["9m", "1s"], ["2z"], ["3z"]]
WIDE: Request = {
    "rules": "taiwanese", "seat": 1, "hand": "123m567m678s55z34p357s9s", "rivers": RIVERS, "left": 50,
}  # fmt: skip
"""Discarding the 3s it waits for eight tiles."""
AS_DEALT: Request = {"rules": "taiwanese", "seat": 0, "hand": "222345p123567m678s57z"}
DEALER: Request = {
    "rules": "taiwanese", "seat": 0, "hand": "5679m4678p233445789s", "left": 40,
    "rivers": [["1z", "2z"], ["1z", "2z"], ["1z", "2z"], ["1z", "3z"]],
}  # fmt: skip
"""Four tiles in a row twice: whichever single tile it waits for, nearly every draw widens the wait."""
CALLED: Request = {**WIDE, "ready": [1]}
MUST_WIN = {"ting_must_win": True}


def advise(request: Request) -> Advice:
    *_, best = advise_in_steps(request)
    return best


def find_call(advice: Advice) -> Advised:
    [call] = [each for each in advice.choices if isinstance(each.do, ReadyDeclared)]
    return call


def find_discard(advice: Advice, code: str) -> Advised:
    [found] = [each for each in advice.choices if getattr(each.do, "tile", None) == code]
    return found


def evaluate(request: Request) -> tuple[Calling, Outlook, SeatView]:
    seen = describe_position(request)
    house = seen.state.house
    outlook = Outlook.of(Judge(house.rules, house.scoring), seen)
    return Calling(outlook, seen, Dangers(seen)), outlook, seen


def list_codes(tiles: tuple[Tile, ...]) -> list[str]:
    return [tile.code for tile in tiles]


def test_the_call_is_one_choice_with_the_discards_that_leave_the_hand_ready() -> None:
    [call] = [each for each in list_branches(describe_position(WIDE)) if isinstance(each.do, ReadyDeclared)]
    assert call.do == ReadyDeclared(seat=1)
    assert list_codes(call.discards) == ["3s"]
    choice = find_call(advise(WIDE))
    assert choice.then is Tile.parse("3s")
    assert choice.shanten == 0
    assert [kind.tile.code for kind in choice.useful] == ["2p", "5p"]


@pytest.mark.parametrize(
    "request_",
    [
        {**WIDE, "hand": "123m567m678s5z34p157s9s6z"},
        {**WIDE, "ready": [1]},
        {"rules": "hong_kong", "seat": 1, "hand": "123m567m678s55z34p9s", "left": 50},
        {**WIDE, "hand": "123m567m678s55z34p579s", "offer": {"tile": "3z", "from": 3}},
    ],
    ids=["not ready", "called already", "no such call", "not on its turn"],
)
def test_no_call_is_offered_that_the_table_refuses(request_: Request) -> None:
    branches = list_branches(describe_position(request_))
    assert not any(isinstance(each.do, ReadyDeclared) for each in branches)


def test_a_call_is_offered_at_the_level_of_shapes_too() -> None:
    call = find_call(advise({**WIDE, "level": "shape"}))
    assert (call.then, call.value) == (Tile.parse("3s"), None)


def test_a_wide_wait_is_called_for_what_the_call_pays() -> None:
    advice = advise(WIDE)
    call, silent = find_call(advice), find_discard(advice, "3s")
    assert advice.choices[0] is call
    assert 0 < (call.value or 0) - (silent.value or 0) < 1
    assert call.why.template == messages.CALLED
    assert call.why.params["count"] == 1


def test_a_call_of_the_dealt_hand_pays_ten_more() -> None:
    advice = advise(AS_DEALT)
    call = find_call(advice)
    assert advice.choices[0] is call
    assert call.why.params["count"] == 10
    assert (call.value or 0) > (find_discard(advice, "5z").value or 0) + 3


def test_a_later_call_of_such_a_hand_pays_one_more() -> None:
    check_usual_call({**AS_DEALT, "rivers": [["1z"], ["9m"], ["2z"], ["3z"]]})


def test_tiles_that_were_drawn_say_that_a_call_is_late() -> None:
    check_usual_call({**AS_DEALT, "left": 50})


def check_usual_call(request: Request) -> None:
    calling, _, seen = evaluate(request)
    [call] = [each for each in list_branches(seen) if isinstance(each.do, ReadyDeclared)]
    out = Tile.parse("5z")
    situation = calling.find_situation(out)
    assert situation == "ready"
    assert calling.find_bonus(remove_tile(call.held, out), call.melds, situation) == 1


def test_a_narrow_wait_that_nearly_every_draw_widens_stays_silent() -> None:
    advice = advise(DEALER)
    best = advice.choices[0]
    assert isinstance(best.do, Discarded)
    assert (best.value or 0) > (find_call(advice).value or 0) + 1
    assert best.why.template == messages.SILENT_WIDENS
    assert int(str(best.why.params["count"])) > 20


def test_a_tile_that_wins_does_not_improve_the_wait() -> None:
    """Of a wait for the 7s only the 5s makes a wider one; drawn itself the 7s wins."""
    request = {"rules": "taiwanese", "seat": 1, "hand": "123m456m789p234s55z68s1z", "left": 60}
    best = advise(request).choices[0]
    assert best.why.template == messages.SILENT_WIDENS
    assert best.why.params["count"] == 4


def test_a_dead_wait_is_not_called() -> None:
    """Both copies of the 4p that it waits for lie open: the call can bring nothing, and binds."""
    request = {
        "rules": "taiwanese", "seat": 1, "hand": "123m567m678s55z35p999s1z", "left": 50,
        "rivers": [["4p", "4p"], ["9m", "1s"], ["4p", "2z"], ["4p"]],
    }  # fmt: skip
    advice = advise(request)
    call, silent = find_call(advice), find_discard(advice, "1z")
    assert call.then is Tile.parse("1z")
    assert (call.win_rate, not call.useful) == (0, True)
    assert (silent.value or 0) > (call.value or 0)


def test_late_and_beside_called_hands_a_call_costs_more_than_it_pays() -> None:
    request = {**WIDE, "hand": "123m567m678s55z34p789s3p", "left": 4, "ready": [0, 2]}
    advice = advise(request)
    silent, call = find_discard(advice, "3p"), find_call(advice)
    assert (silent.value or 0) > (call.value or 0)
    assert advice.choices[0] is silent
    reason = silent.why.params["why"]
    assert isinstance(reason, Sentence)
    assert reason.template == messages.SILENT_SAFER


def test_valuable_wait_is_not_declared_if_wins_cannot_be_passed() -> None:
    """Fully concealed and self-drawn it pays many times what a discard pays."""
    request = {
        "rules": "taiwanese", "seat": 1, "hand": "112233m445566p778s9s8s", "left": 60, "rivers": RIVERS,
    }  # fmt: skip
    free, bound = advise(request), advise({**request, "options": MUST_WIN})
    more = [(find_call(each).value or 0) - (find_discard(each, "9s").value or 0) for each in (free, bound)]
    assert more[0] > 0 > more[1]
    assert bound.choices[0].why.template == messages.SILENT_PASSES


def test_a_called_hand_is_worth_what_one_step_after_the_other_makes_it() -> None:
    calling, outlook, seen = evaluate(WIDE)
    [call] = [each for each in list_branches(seen) if isinstance(each.do, ReadyDeclared)]
    held = remove_tile(call.held, Tile.parse("3s"))
    waits = sum_waits(outlook, calling.find_payoff(CALLS), held, call.melds)
    dangers, chances = Dangers(seen), outlook.chances
    kinds = [Tile.parse(f"{rank}{suit}") for suit in "mps" for rank in range(1, 10)]
    kinds += [Tile.parse(f"{rank}z") for rank in range(1, 8)]
    left = {kind: outlook.left[kind.index] for kind in kinds}
    whole = sum(left.values())
    risks = {kind: dangers.risk(kind) for kind in kinds}
    mean = sum(left[kind] * risks[kind][0] for kind in kinds) / whole
    cost = sum(left[kind] * risks[kind][0] * risks[kind][1] for kind in kinds) / whole / mean
    value = 0.0
    for hazard in reversed(chances.hazards):
        more, others = max(0.0, OWN_DISCARD_SHARE * hazard - mean), (1 - OWN_DISCARD_SHARE) * hazard
        drawn = waits.pays_drawn
        for kind in kinds:
            if kind.index not in waits.tiles:
                danger = risks[kind][0] + more
                drawn += left[kind] / whole * ((1 - danger) * value - danger * cost)
        later = (1 - others) * drawn - others * chances.loss
        value = max(later, waits.claim * waits.on_discard + (1 - waits.claim) * later)
    silent = calling.evaluate_silence(held, call.melds)
    assert calling.evaluate_call(held, call.melds, CALLS).value == pytest.approx(0)
    assert calling._evaluate_bound(held, call.melds, CALLS)[-1, 0] == pytest.approx(value)
    assert silent.value < 0 < silent.wins


def test_the_last_draws_of_a_called_hand_are_bound() -> None:
    """With one draw left: a win, or the drawn tile is discarded whatever it risks."""
    calling, outlook, seen = evaluate({**WIDE, "left": 4, "ready": [0, 2]})
    [call] = [each for each in list_branches(seen) if isinstance(each.do, ReadyDeclared)]
    held, chances = remove_tile(call.held, Tile.parse("3s")), outlook.chances
    judge = outlook.judge
    made = (judge.rules, judge.options, call.melds, None, outlook.payoff, chances)
    bound, free = Endgame(*made, risks=calling.risks), Endgame(*made)
    (value, wins), (freely, as_often) = (
        bound.evaluate(held, outlook.left, 1),
        free.evaluate(held, outlook.left, 1),
    )
    assert chances.draws == 1
    whole, lost = sum(outlook.left), 0.0
    for at, (often, cost) in enumerate(calling.risks):
        if at not in (Tile.parse("2p").index, Tile.parse("5p").index):
            lost += outlook.left[at] / whole * often * cost
    laid = sum(outlook.left[Tile.parse(code).index] for code in ("2p", "5p")) / whole
    gone = 1 - (1 - chances.shown * laid) ** chances.others
    assert freely - value == pytest.approx((1 - gone) * (1 - chances.hazard) * lost)
    assert wins == pytest.approx(as_often)
    assert lost > 0.1


def test_after_the_call_only_discards_that_leave_the_hand_ready_are_choices() -> None:
    state = apply(describe_position(WIDE).state, ReadyDeclared(seat=1))
    assert [each.do for each in list_branches(observe(state, 1))] == [Discarded(seat=1, tile="3s")]


def test_a_bound_hand_discards_what_is_drawn_and_takes_no_claim() -> None:
    state = apply(describe_position(WIDE).state, ReadyDeclared(seat=1))
    for event in (Discarded(seat=1, tile="3s"), Drawn(seat=2), Discarded(seat=2, tile="5z")):
        state = apply(state, event)
    assert [each.do for each in list_branches(observe(state, 1))] == [None]  # 55z makes no pung
    for event in (Drawn(seat=3), Discarded(seat=3, tile="4z"), Drawn(seat=0), Discarded(seat=0, tile="4z")):
        state = apply(state, event)
    state = apply(state, Drawn(seat=1, tile="7z"))
    assert [each.do for each in list_branches(observe(state, 1))] == [Discarded(seat=1, tile="7z")]


def test_a_described_hand_that_has_called_keeps_its_wait() -> None:
    assert [each.do for each in list_branches(describe_position(CALLED))] == [Discarded(seat=1, tile="3s")]
    advice = advise(CALLED)
    assert [type(each.do) for each in advice.choices] == [Discarded]
    assert advice.choices[0].why.template == messages.PAYS


@pytest.mark.parametrize(
    "given",
    [
        {"hand": "123m567m678s15z34p1579s"},
        {"hand": "123m567m678s15z34p157s", "offer": {"tile": "3z", "from": 3}},
    ],
    ids=["on its turn", "with a tile on offer"],
)
def test_a_caller_must_have_a_ready_hand(given: Request) -> None:
    with pytest.raises(RequestError) as raised:
        describe_position({**CALLED, **given})
    assert str(raised.value) == "ready names seat 1, whose hand is not ready."


def offer_win(options: Mapping[str, object]) -> dict[str, object]:
    rivers = [["1z"], ["9m", "1s"], ["2z"], ["3z", "5p"]]
    offer = {"tile": "5p", "from": 3}
    hand = "123m567m678s55z34p789s"
    return {**CALLED, "hand": hand, "rivers": rivers, "offer": offer, "options": options}


def test_a_caller_may_pass_up_a_win_only_where_the_house_allows_it() -> None:
    assert {type(each.do) for each in advise(offer_win({})).choices} == {Won, type(None)}
    bound = advise(offer_win(MUST_WIN))
    assert [type(each.do) for each in bound.choices] == [Won]
    with pytest.raises(InputError):
        make_coach(describe_position(CALLED).state.house).decide(describe_position(offer_win(MUST_WIN)))


@pytest.mark.parametrize(("request_", "called"), [(WIDE, True), (DEALER, False)])
def test_a_follower_calls_where_that_is_advised(request_: Request, called: bool) -> None:
    seen = describe_position(request_)
    judge = Judge(seen.state.house.rules, seen.state.house.scoring)
    follower = Follower(judge, follow_coach(judge), 0.0)
    done = follower.act(seen.state, seen.seat)
    assert isinstance(done, ReadyDeclared if called else Discarded)
    if called and done is not None:
        assert follower.act(apply(seen.state, done), seen.seat) == Discarded(seat=1, tile="3s")


SAID = {
    Language.ENGLISH: (
        "Call ready, then discard: 3 bamboo",
        "The call adds 1 point from each payer; but you can no longer change the wait or keep a"
        " dangerous tile.",
    ),
    Language.SIMPLIFIED: (
        "报听，然后打三条",
        "报听后，付分的每家多付 1 分；但之后不能改听，危险牌也留不住。",
    ),
    Language.TRADITIONAL: (
        "報聽，然後打三條",
        "報聽後，付分的每家多付 1 分；但之後不能改聽，危險牌也留不住。",
    ),
}


@pytest.mark.parametrize("language", Language)
def test_the_call_has_a_sentence_in_every_language(language: Language) -> None:
    words, best = Words(language), advise(WIDE).choices[0]
    act, why = SAID[language]
    assert describe_choice(best, words) == act
    assert phrase(best.why, words).endswith(why)
