"""How a payment comes about, in one line."""

from typing import Any

import pytest

from companion.rules import decode_request, score
from companion.rules.scoring import explain_share

WIN = {
    "rules": "taiwanese", "hand": "123m567m678s55z", "melds": ["p222p", "c345s"], "winning_tile": "8s",
    "winner": 1, "source": "self_draw", "flowers": "1f",
}  # fmt: skip
"""2 tai, 3 from the dealer in seat 0."""


@pytest.mark.parametrize(
    ("changes", "of_the_dealer", "of_another"),
    [
        ({}, "2 + 1 = 3", "2"),
        ({"stakes": {"unit": 20}}, "(2 + 1) × 20 = 60", "2 × 20 = 40"),
        ({"stakes": {"base": 100, "unit": 20}}, "100 + 20 × (2 + 1) = 160", "100 + 20 × 2 = 140"),
        ({"stakes": {"base": 1000, "unit": 1}}, "1,000 + 2 + 1 = 1,003", "1,000 + 2 = 1,002"),
        ({"stakes": {"base": 100, "unit": 0}}, "100 + 0 × (2 + 1) = 100", "100 + 0 × 2 = 100"),
        (
            {"stakes": {"base": 100, "unit": 20}, "base": 2},
            "200 + 40 × (2 + 1) = 320",
            "200 + 40 × 2 = 280",
        ),
    ],
)
def test_a_base_comes_before_the_value(changes: dict[str, Any], of_the_dealer: str, of_another: str) -> None:
    result = score(decode_request(WIN | changes))
    reported = [explain_share(result, share) for share in result.shares]
    assert [str(each) for each in reported] == [of_the_dealer, of_another, of_another]
    assert all(each.exact for each in reported)
