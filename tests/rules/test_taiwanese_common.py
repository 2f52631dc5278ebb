"""The common table of Taiwan against a slow scorer of its own; which hands get to which situation.

`pytest --hands 20000` compares on as many hands.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.rules import Source, decode_request, rule_set, score
from companion.rules.play import Moment
from tests.rules.random_taiwanese import a_request, keep_discards_possible
from tests.rules.slow_taiwanese_common import find_tai

TAIWANESE = rule_set("taiwanese")
NEARLY_ALL = {row.id for row in TAIWANESE.rows_of("common")} - {"consecutive_dealer", "dealer_continuation"}


def compare(number: int, seed: int) -> Counter[str]:
    """Scores random requests both ways; how many won, and how often each row was found."""
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    for turn in range(number):
        asked = a_request(dice, common=True)
        keep_discards_possible(asked)
        if "first_round" in asked["situation"]:
            asked["discards"] = None
        result = score(decode_request(asked), house_rules=False)
        quick = result.legal, result.value, list(result.payments)
        assert quick == find_tai(asked), f"seed {seed}, request {turn}: {asked}"
        seen.update(["won"] if result.legal else ["no win"])
        seen.update(line.id for line in result.lines)
        seen.update(line.id for share in result.shares for line in share.lines)
    return seen


@pytest.mark.slow
def test_scores_are_those_of_a_slow_scorer(hands: int) -> None:
    number = hands // 3
    seen = compare(number, seed=1)
    assert seen["won"] > 0.7 * number
    assert seen["no win"] > 0.02 * number


@pytest.mark.long
def test_every_row_is_compared_with_the_slow_scorer() -> None:
    seen = compare(6000, seed=2)
    assert seen.keys() >= NEARLY_ALL


SOUTH_DRAWS = Moment(
    by_dealer=False, source=Source.SELF_DRAW, replacement=False, discards=1, claims=0, kongs=0, draws=1,
    live_left=60, sea=False, ready=None,
)  # fmt: skip


@pytest.mark.parametrize(
    ("moment", "situation"),
    [
        (SOUTH_DRAWS, "first_round"),
        (SOUTH_DRAWS._replace(claims=1), None),
        (SOUTH_DRAWS._replace(kongs=1), None),
        (SOUTH_DRAWS._replace(draws=2, discards=5), None),
        (SOUTH_DRAWS._replace(by_dealer=True), None),
        (SOUTH_DRAWS._replace(source=Source.DISCARD, draws=0, discards=1), "earthly"),
        (SOUTH_DRAWS._replace(source=Source.DISCARD, draws=0, discards=3), "first_round"),
        (SOUTH_DRAWS._replace(source=Source.DISCARD, draws=1, discards=4), None),
        (SOUTH_DRAWS._replace(source=Source.ROBBED_KONG, draws=0), None),
    ],
)
def test_an_early_win_is_known_at_the_table(moment: Moment, situation: str | None) -> None:
    """地胡 and 人胡: with the first tile drawn, or on a discard before it."""
    found = TAIWANESE.play.situations_at(moment) & {"earthly", "first_round"}
    assert found == ({situation} if situation else set())


def test_the_written_table_has_no_row_for_the_first_round() -> None:
    asked = {
        "rules": "taiwanese", "hand": "222p345s123m567m678s55z", "winning_tile": "8s", "winner": 1,
        "source": "self_draw", "flowers": "1f", "situation": ["first_round"],
    }  # fmt: skip
    assert score(decode_request(asked)).value == 4


def test_tables_that_differ_in_a_value_are_chosen_once() -> None:
    """A table is made once for each choice, as what is remembered of its rows goes by the table."""
    usual = {**TAIWANESE.defaults, "preset": "common"}
    assert TAIWANESE.table(usual) is TAIWANESE.table(dict(usual))
    assert TAIWANESE.table(usual) is not TAIWANESE.table({**usual, "dealt_ready": 8})
    assert TAIWANESE.table(TAIWANESE.defaults) is TAIWANESE.own_table
