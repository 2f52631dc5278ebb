"""Taiwanese against the slow scorer. `pytest --hands 20000` compares on as many hands."""

import random
from collections import Counter

import pytest

from companion.rules import decode_request, score
from tests.rules.random_taiwanese import a_request, keep_discards_possible
from tests.rules.slow_taiwanese import slowly


def compared(number: int, seed: int) -> Counter[str]:
    """Scores random requests both ways; how many won, and how often each row was found."""
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    for turn in range(number):
        asked = a_request(dice)
        keep_discards_possible(asked)
        result = score(decode_request(asked), house_rules=False)
        quick = result.legal, result.value, list(result.payments)
        assert quick == slowly(asked), f"seed {seed}, request {turn}: {asked}"
        seen.update(["won"] if result.legal else ["no win"])
        seen.update(line.id for line in result.lines)
    return seen


@pytest.mark.slow
def test_scores_are_those_of_a_slow_scorer(hands: int) -> None:
    seen = compared(hands, seed=1)
    assert seen["won"] > 0.8 * hands
    assert seen["no win"] > 0.02 * hands
