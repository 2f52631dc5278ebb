"""Hong Kong, beyond the cases in golden/: against a slow scorer written from the rulings, and best readings.

`pytest --hands 20000` compares on as many hands.
"""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.rules import decode_request, rule_set, score, score_json
from companion.rules.profile import apply_profile, decode_profile, make_profile
from companion.rules.scoring import describe_worth
from tests.rules.slow_hong_kong import (
    Request,
    differing,
    random_request,
)

Golden = Callable[..., dict[str, Any]]


def test_a_slow_scorer_agrees(hands: int) -> None:
    seed = 20_240_501
    assert differing(hands, seed) == [], f"seed {seed}"


@pytest.mark.slow
def test_the_random_hands_have_every_row_and_both_reasons() -> None:
    dice = random.Random(5)
    reported = [score(decode_request(random_request(dice)), house_rules=False) for _ in range(4_000)]
    rows = {line.id for each in reported for line in each.lines}
    rows |= {line.id for each in reported for share in each.shares for line in share.lines}
    rules = rule_set("hong_kong")
    assert {row.id for row in rules.rows} - rows == set()
    assert {each.reason.ruling for each in reported if each.reason} == {"HK-07", "HK-10"}


def lines(result: dict[str, Any]) -> dict[str, int]:
    return {line["id"]: line["value"] for line in result["lines"]}


@pytest.mark.parametrize(
    ("example", "changes", "expected", "sets"),
    [
        # three equal ranks as chows make four of them; as pungs they would be worth nothing
        ("HK-R07", {"hand": "111222333m456p99s", "melds": [], "winning_tile": "9s"},
         {"full_chow": 1, "no_flowers": 1}, ["123m", "123m", "123m", "456p"]),
        # beside a pung they make four pungs, of which the discard completes none
        ("HK-R10", {"hand": "222333444m555p66s", "melds": [], "winning_tile": "6s"},
         {"hidden_treasure": 64}, ["222m", "333m", "444m", "555p"]),
        # completed by the discard, the pungs are not all concealed, and still better than the chows
        ("HK-R10", {"hand": "222333444m555p66s", "melds": [], "winning_tile": "4m"},
         {"full_pung": 3}, ["222m", "333m", "444m", "555p"]),
        # twin chows could be seven pairs, which are worth more than a Full Chow
        ("HK-R12", {"hand": "223344m556677p88s", "winning_tile": "8s"},
         {"seven_pairs": 4}, ["22m", "33m", "44m", "55p", "66p", "77p", "88s"]),
        # dealt they are worth 64 either way: the standard reading is taken (C-14)
        ("HK-S13", {"hand": "223344m556677p88s"},
         {"heavenly_hand": 64}, ["234m", "234m", "567p", "567p"]),
    ],
)  # fmt: skip
def test_the_best_reading_is_taken(
    example: str, changes: Request, expected: dict[str, int], sets: list[str], golden: Golden
) -> None:
    result = score_json(score(decode_request(golden(example, **changes))))
    assert (lines(result), result["reading"]["sets"]) == (expected, sets)


def test_a_wind_of_seat_and_round_scores_twice(golden: Golden) -> None:
    result = score_json(score(decode_request(golden("HK-R03", round_wind="south"))))
    assert lines(result) == {"seat_wind": 1, "round_wind": 1}


@pytest.mark.parametrize(("kong", "value"), [("K", 64), ("k", 3), ("a", 3), ("p", 3)])
def test_a_concealed_kong_stays_hidden(kong: str, value: int, golden: Golden) -> None:
    meld = kong + "4" * (3 if kong == "p" else 4) + "s"
    drawn = golden("HK-S04", hand="111m222p333s99m", melds=[meld], winning_tile="9m")
    result = score_json(score(decode_request(drawn)))
    assert result["value"] == value + (0 if value == 64 else 1)


@pytest.mark.parametrize(("kong", "value"), [("K", 2), ("k", 1), ("a", 1)])
def test_a_concealed_kong_leaves_the_hand_concealed(kong: str, value: int, golden: Golden) -> None:
    asked = golden("HK-R07", hand="456p678s123m99m", melds=[f"{kong}2222p"], options={"concealed_hand": 1})
    assert score(decode_request(asked)).value == value


@pytest.mark.parametrize(("stack", "value"), [(False, 64), (True, 192)])
def test_several_special_hands_are_all_listed(stack: bool, value: int, golden: Golden) -> None:
    asked = golden("HK-S02", hand="55z", melds=["k1111z", "k2222z", "k3333z", "K4444z"], winning_tile="5z")
    result = score_json(score(decode_request(asked | {"options": {"specials_stack": stack}})))
    assert lines(result) == {"four_winds": 64, "all_honors": 64, "all_kongs": 64}
    assert (result["value"], result["reckoning"]["exact"]) == (value, stack)


@pytest.mark.parametrize(
    ("example", "options", "said"),
    [
        ("HK-S01", {"payout": "half_doubling", "fan_limit": 10}, "10 fan = 128 units"),
        ("HK-R13", {"payout": "half_doubling", "fan_limit": 10}, "6 fan = 32 units"),
        ("HK-R13", {"payout": "half_doubling", "fan_limit": 8, "seven_pairs": 16}, "6 fan = 32 units"),
        ("HK-R12", {"payout": "half_doubling", "fan_limit": 8, "seven_pairs": 16}, "8 fan = 64 units"),
        ("HK-R12", {"fan_limit": 8, "seven_pairs": 16}, "8 fan"),
        ("HK-S02", {"payout": "exponential", "fan_limit": 8}, "8 fan = 256 units"),
    ],
)
def test_a_hand_at_the_limit_is_worth_the_limits_fan(
    example: str, options: dict[str, Any], said: str, golden: Golden
) -> None:
    assert str(describe_worth(score(decode_request(golden(example, options=options))))) == said


@pytest.mark.parametrize(("payout", "added"), [("exponential", 64 - 7), ("table", 32 - 7)])
def test_the_payouts_line_is_what_it_adds_to_the_fan(payout: str, added: int, golden: Golden) -> None:
    asked = golden("HK-R13", flowers="2f", options={"payout": payout})
    assert lines(score_json(score(decode_request(asked)))) == {
        "one_suit": 6,
        "own_flower": 1,
        "payout": added,
    }


def told_shares(asked: Request) -> dict[int, tuple[dict[str, int], int]]:
    shares = score_json(score(decode_request(asked)))["shares"]
    return {share["payer"]: (lines(share), share["pays"]) for share in shares}


def test_each_share_says_why_it_is_what_it_is(golden: Golden) -> None:
    assert told_shares(golden("HK-R13")) == {0: ({}, 6), 2: ({"discarder_double": 2}, 12), 3: ({}, 6)}
    assert set(map(str, told_shares(golden("HK-R14")).values())) == {"({'self_draw_double': 2}, 2)"}
    east = told_shares(golden("HK-R13", **{"from": 0}, options={"east_double": True}))
    assert east[0] == ({"discarder_double": 2, "east_payment": 2}, 24)
    alone = golden("HK-R13", options={"discarder_pays_all": True, "east_double": True})
    assert told_shares(alone) == {2: ({"pays_for_all": 5}, 30)}
    (share,) = score(decode_request(alone)).shares
    assert [(each.payer, each.owed) for each in share.of] == [(0, 12), (2, 12), (3, 6)]


def test_bearer_pays_at_most_the_capped_shares_and_the_balance(golden: Golden) -> None:
    alone = golden("HK-R13", options={"discarder_pays_all": True})
    assert score(decode_request(alone | {"cap": 8})).payments == (0, 6 + 8 + 6, -20, 0)
    assert score(decode_request(alone | {"balances": [0, 0, 7, 0]})).payments == (0, 7, -7, 0)


def test_a_table_without_minimum_lets_an_empty_hand_win(golden: Golden) -> None:
    asked = golden("HK-R16", situation=[], options={"min_fan": 0})
    result = score(decode_request(asked))
    assert (result.legal, result.lines, result.payments) == (True, (), (0, 0, 0, 0))


def test_a_profile_from_before_the_payment_tables_is_scored_as_it_was(golden: Golden) -> None:
    """Eight fan pay 64 and no more, and Small Dragons count 4: the options that came later change nothing."""
    own = make_profile(rule_set("hong_kong"), {"payout": "exponential", "concealed_hand": 1}).options
    came_later = {option.key for option in rule_set("hong_kong").options if option.since > 1}
    assert came_later == {
        "fan_limit", "eight_flowers", "small_dragons", "three_scholars", "one_suit", "discard_payment",
        "small_winds", "hidden_treasure",
    }  # fmt: skip
    old = {key: value for key, value in own.items() if key not in came_later}
    kept = decode_profile(json.dumps({"profile": 1, "rules": "hong_kong", "version": 1, "options": old}))
    for example, flowers, units in (("HK-R13", "2f6f", 64), ("HK-R08", "3f", 16), ("HK-S03", "3f", 64)):
        asked = golden(example, flowers=flowers)
        assert score(decode_request(apply_profile(kept, asked))).payments == (
            -units,
            4 * units,
            -2 * units,
            -units,
        )
