"""Hangzhou: the dealer's Lao, who pays for all, caps and balances."""

from collections.abc import Callable
from typing import Any

from companion.rules import decode_request, score, score_json

Golden = Callable[..., dict[str, Any]]


def test_a_dealer_at_any_later_lao_counts_as_the_third(golden: Golden) -> None:
    assert score(decode_request(golden("HZ-R04", streak=1000))).payments == (24, -8, -8, -8)


def test_shares_tell_their_factors(golden: Golden) -> None:
    shares = score_json(score(decode_request(golden("HZ-24", base=3))))["shares"]
    assert [(share["payer"], share["owed"], share["pays"]) for share in shares] == [(2, 24, 24)]
    assert [(line["id"], line["value"]) for line in shares[0]["lines"]] == [
        ("shares_of_all", 4),
        ("three_meld_liability", 2),
    ]


def test_the_cap_holds_for_each_share_before_liability_doubles_it(golden: Golden) -> None:
    drawn = golden("HZ-22b", base=10, cap=15)
    result = score(decode_request(drawn))
    assert result.payments == (0, 70, -70, 0)  # 15 of the dealer's 20, and 10 twice: 35, doubled
    assert (result.shares[0].owed, result.shares[0].pays) == (80, 70)
    robbed = golden("HZ-13", base=10, cap=15)
    assert score(decode_request(robbed)).payments == (0, 35, -35, 0)


def test_a_balance_limits_who_pays_for_all(golden: Golden) -> None:
    poor = golden("HZ-22c", balances=[100, 100, 3, 0])
    assert score(decode_request(poor)).payments == (0, 3, -3, 0)


def test_two_who_melded_from_each_other_pay_once(golden: Golden) -> None:
    mutual = golden("HZ-22a", three_melds=[[1, 2], [2, 1]])
    assert score(decode_request(mutual)).payments == (0, 8, -8, 0)
