"""The coach's expectations at a table with its own stakes: a base for each payment, and a unit."""

import random
from typing import Any

import pytest

from companion.coach.advice import Coach
from companion.coach.described import describe_position
from companion.coach.play.simulation import play
from companion.coach.results import Advice
from companion.coach.review import find_stake
from companion.coach.seen import SeatView, observe
from companion.coach.value.chances import estimate_chances, find_stage, load_rates
from companion.coach.value.danger import Dangers
from companion.coach.value.judge import Judge
from companion.coach.value.payoff import Payoff
from companion.errors import RequestError
from companion.rules import RULE_SETS, Source
from companion.rules.win import Stakes
from companion.table.events import Discarded, GameStarted
from companion.tiles import KINDS, Tile, counts, parse_tiles

READY = "123m567m678s55z234p67s"
"""A Taiwanese hand that waits for 5s and 8s."""
STAKES = {"base": 100, "unit": 20}


def positions(rules: str, stakes: Stakes | None) -> list[SeatView]:
    """What the discarder sees after each discard of one hand."""
    [played] = play(GameStarted(rules=rules, stakes=stakes), 1, random.Random(5))
    return [
        observe(step.state, step.event.seat) for step in played.steps if isinstance(step.event, Discarded)
    ]


def advise(**given: Any) -> Advice:
    seen = describe_position(given)
    *_, last = Coach(Judge(seen.state.house.rules, seen.state.house.scoring)).advise(seen)
    return last


def test_dealing_in_costs_a_base_and_what_the_hand_is_worth() -> None:
    at_stakes = positions("taiwanese", Stakes(base=100, unit=20))
    for plain, dear in zip(positions("taiwanese", None), at_stakes, strict=True):
        usual, table = Dangers(plain), Dangers(dear)
        for kind in KINDS[:34:5]:
            chance, cost = usual.risk(kind)
            assert table.risk(kind) == pytest.approx((chance, 100 + 20 * cost if chance else 0))
        assert find_stake(dear) == pytest.approx(100 + 20 * find_stake(plain))
        paid = load_rates("taiwanese").paid[find_stage(plain)]
        assert estimate_chances(dear).loss == pytest.approx(100 * paid + 20 * estimate_chances(plain).loss)


def test_a_win_is_paid_a_base_by_everybody_who_pays() -> None:
    usual, table = (
        Payoff(describe_position({"rules": "taiwanese", "seat": 1, "hand": READY + "1z", **more}))
        for more in ({}, {"stakes": STAKES})
    )
    won = bytes(counts(parse_tiles(READY + "8s")))
    for source, payers in ((Source.SELF_DRAW, 3), (Source.DISCARD, 1)):
        pays = usual.pay(won, (), Tile.parse("8s"), source)
        assert pays > 0
        assert table.pay(won, (), Tile.parse("8s"), source) == 100 * payers + 20 * pays


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_unit_multiplies_all_that_is_expected(rules: str) -> None:
    point = RULE_SETS[rules].point
    plain, dear = (positions(rules, stakes)[-1] for stakes in (None, Stakes(unit=3 * point)))
    chance, cost = Dangers(plain).risk(KINDS[4])
    assert Dangers(dear).risk(KINDS[4]) == pytest.approx((chance, 3 * cost))
    assert estimate_chances(dear).loss == pytest.approx(3 * estimate_chances(plain).loss)


def test_advice_is_worth_as_many_times_as_a_unit_costs() -> None:
    asked = {"rules": "hebei", "seat": 1, "hand": "123m456p567s34s99m1z", "left": 30}
    usual, dear = advise(**asked), advise(**asked, stakes={"unit": 7})
    assert [each.do for each in usual.choices] == [each.do for each in dear.choices]
    values = [each.value for each in usual.choices if each.value is not None]
    assert values
    assert [each.value for each in dear.choices] == pytest.approx([7 * value for value in values])


def test_wrong_stakes_of_a_position_are_refused() -> None:
    with pytest.raises(RequestError, match=r"stakes\.base must be 0 or left out: Hebei"):
        describe_position({"rules": "hebei", "hand": "123m456p567s34s99m1z", "stakes": STAKES})
