"""Kongs: what they are paid at once counts, and the tile that replaces them is drawn at once."""

import numpy as np
import pytest

from companion.coach.advice import make_coach
from companion.coach.described import describe_position
from companion.coach.opponents.follower import Follower, follow_coach
from companion.coach.play.player import BuiltIn
from companion.coach.seen import count_left
from companion.coach.value.chances import WAYS, Chain, ChainHands, Chances, WinPath, load_rates
from companion.coach.value.choices import list_branches
from companion.coach.value.danger import risk
from companion.coach.value.endgame import Endgame
from companion.coach.value.judge import Judge
from companion.coach.value.payoff import Payoff
from companion.coach.value.valuation import expect_kong_pay
from companion.coach.words.wording import phrase
from companion.table.events import AddedKong, Claimed, ConcealedKong, Discarded, Event
from companion.tiles import Tile
from companion.words import Language, Words
from tests.coach.asking import advise_in_steps

CONCEALED = {"seat": 1, "hand": "2222m345p678s44p3z5z", "left": 60}
OFFERED = {
    "seat": 1, "hand": "555z345p678s44p26m", "left": 60, "offer": {"tile": "5z", "from": 3},
    "rivers": [[], [], [], ["5z"]],
}  # fmt: skip
ADDED = {"seat": 1, "hand": "2m345p678s44p35z", "melds": [[], ["p222m"], [], []], "left": 60}


def list_kong_pays(request: dict[str, object]) -> dict[type[Event] | None, float]:
    """What every sort of event pays at once that the position allows."""
    seen = describe_position(request)
    return {
        type(branch.do): expect_kong_pay(seen, branch.do)
        for branch in list_branches(seen)
        if not isinstance(branch.do, Claimed) or branch.do.meld.startswith("k")
    }


def test_a_kong_pays_what_the_table_books_for_it() -> None:
    """HB-19: a concealed one two from each, one claimed two from the discarder."""
    hebei = {"rules": "hebei"}
    assert list_kong_pays({**hebei, **CONCEALED}) == {Discarded: 0, ConcealedKong: 6}
    assert list_kong_pays({**hebei, **OFFERED}) == {type(None): 0, Claimed: 2}
    added = list_kong_pays({**hebei, **ADDED})[AddedKong]
    robbed = risk(describe_position({**hebei, **ADDED}), Tile.parse("2m"))[0]
    assert added == pytest.approx(3 * (1 - robbed))
    assert 0 < robbed < 0.05


def test_kongs_pay_nothing_at_once_where_the_rules_do_not_say_so() -> None:
    for rules in ({"rules": "hong_kong"}, {"rules": "hangzhou", "fortune": "9s"}):
        assert set(list_kong_pays({**rules, **CONCEALED}).values()) == {0.0}


@pytest.mark.parametrize(("request_", "kong"), [(CONCEALED, ConcealedKong), (OFFERED, Claimed)])
def test_a_kong_that_is_paid_more_than_most_wins_is_laid(
    request_: dict[str, object], kong: type[Event]
) -> None:
    *_, advice = advise_in_steps({"rules": "hebei", **request_})
    best = advice.choices[0]
    assert isinstance(best.do, kong)
    assert best.then is None
    others = max(choice.value or 0.0 for choice in advice.choices[1:])
    assert (best.value or 0.0) > others + 1


def test_the_sentence_of_a_kong_says_what_it_is_paid_at_once() -> None:
    for request, paid in ((CONCEALED, 6), (OFFERED, 2), (ADDED, 3)):
        assert say_why({"rules": "hebei", **request}).endswith(f"The kong is paid {paid} points at once.")
    assert say_why({"rules": "hebei", **CONCEALED}, Language.SIMPLIFIED).endswith("杠牌当场得 6 分。")


def test_a_kong_that_is_paid_nothing_at_once_does_not_speak_of_pay() -> None:
    why = say_why({"rules": "hangzhou", **CONCEALED, "hand": "5555z345p678s44p2m6m", "fortune": "9s"})
    assert why.startswith("1 from ready")
    assert "The kong" not in why


def say_why(request: dict[str, object], language: Language = Language.ENGLISH) -> str:
    *_, advice = advise_in_steps(request)
    assert not isinstance(advice.choices[0].do, Discarded)
    return phrase(advice.choices[0].why, Words(language))


def test_kong_pay_that_a_draw_reverses_counts_less() -> None:
    worths = []
    for refund in (False, True):
        request = {"rules": "hebei", "options": {"kong_refund_on_draw": refund}, **CONCEALED}
        worths.append([list(advise_in_steps({**request, "left": left}))[-1].choices for left in (60, 5)])
    (early, late), (early_back, late_back) = ([each[0].value or 0.0 for each in row] for row in worths)
    assert early > early_back > late_back
    assert late > 5
    assert late_back < 3


def test_a_kong_draws_at_once() -> None:
    """The kong keeps the tiles that help, and draws one: it wins oftener than its fourth tile discarded."""
    request = {"rules": "hangzhou", "seat": 1, "fortune": "9s", "hand": "5555z345p678s44p2m6m", "left": 60}
    *_, advice = advise_in_steps(request)
    kong, discard = advice.choices[:2]
    assert isinstance(kong.do, ConcealedKong)
    assert isinstance(discard.do, Discarded)
    assert kong.useful == discard.useful
    assert (kong.win_rate or 0.0) > (discard.win_rate or 0.0) + 0.02


def test_the_chain_with_a_tile_drawn_at_once_is_one_draw_before_the_chain() -> None:
    chances = Chances(4, 3, hazards=(0.1,) * 4)
    chain = Chain(chances, load_rates("hebei"))
    chain.trust[:] = 1.0
    way = WAYS.index(WinPath(True, True))
    items = ChainHands(*[np.array([each]) for each in (1, 0.3, 0.2, way, 0)])
    [before], [after] = chain.find_outcomes(items), chain.find_outcomes(items, at_once=True)
    assert after == pytest.approx(0.3 * np.array([1, 0, 0]) + 0.7 * before)


def test_with_few_tiles_left_the_replacement_is_calculated_exactly() -> None:
    seen = describe_position({"rules": "hebei", **CONCEALED, "left": 9})
    [branch] = [each for each in list_branches(seen) if isinstance(each.do, ConcealedKong)]
    house, chances, left = seen.state.house, Chances(2, 3, hazard=0.1, loss=1.0), count_left(seen)
    look = Endgame(house.rules, house.scoring, branch.melds, None, Payoff(seen), chances)
    later, wins = look.evaluate(branch.held, left, 2)
    value, won = look.evaluate_after_draw(branch.held, left, 2)
    assert won > wins
    assert value > later


def test_coach_player_declares_the_advised_kong() -> None:
    """It leads back a ready hand, and so is none for a built-in player."""
    seen = describe_position({"rules": "hebei", "seat": 1, "hand": "22223m345p678s44p5z", "left": 60})
    judge = Judge(seen.state.house.rules, seen.state.house.scoring)
    assert isinstance(BuiltIn(judge).act(seen.state, 1), Discarded)
    assert isinstance(Follower(judge, follow_coach(judge), 0.0).act(seen.state, 1), ConcealedKong)


def test_an_added_kong_may_be_robbed() -> None:
    seen = describe_position({"rules": "hong_kong", **ADDED})
    *_, advice = make_coach(seen.state.house).advise(seen)
    [kong] = [each for each in advice.choices if isinstance(each.do, AddedKong)]
    assert kong.deal_in == risk(seen, Tile.parse("2m"))[0]
