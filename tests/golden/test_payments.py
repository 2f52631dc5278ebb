"""Hong Kong's payment tables: what every number of fan pays, by payout, fan limit, minimum and who pays.

payments/hong_kong.jsonl holds them, computed by hand: `units` by fan; the `shares` of the seats 0 to 3 as
multiples of these, where seat 1 wins from seat 2; hands, with their fan by their flowers; and special hands.
`money`: what the ready-made tables cost, the single share in HK$ by fan, for hands with their fan there.
"""

import json
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion import profiles
from companion.money import amount
from companion.rules import decode_request, score, score_json

LINES = [
    json.loads(line)
    for line in (Path(__file__).parent / "payments" / "hong_kong.jsonl").read_text("utf-8").splitlines()
]
TABLES = [line for line in LINES if "units" in line]
SHARES = [line for line in LINES if "shares" in line]
HANDS = {
    fan: line["hand"] | {"flowers": flowers}
    for line in LINES
    if "hand" in line
    for flowers, fan in line["by_flowers"].items()
}
"""By the fan that the hand has on a discard; a self-draw or a robbed kong brings one more."""
MONEY = [line for line in LINES if "money" in line]
READY_HANDS = [
    (line["ready_made"] | {"flowers": flowers}, fan)
    for line in LINES
    if "ready_made" in line
    for flowers, fan in line["by_flowers"].items()
]
SPECIALS = [line for line in LINES if "rows" in line]
SOURCES = ("discard", "robbed_kong", "self_draw")


def name(line: dict[str, Any]) -> str:
    return "-".join(str(value) for value in line.values() if isinstance(value, str | int))


def settle(hand: dict[str, Any], source: str, **options: Any) -> dict[str, Any]:
    if source == "robbed_kong":
        hand = hand | {"situation": []}
    asked = {"rules": "hong_kong", "winner": 1, "source": source, "flowers": "3f", **hand}
    asked |= {"options": {"min_fan": 0, **options}} | ({} if source == "self_draw" else {"from": 2})
    return score_json(score(decode_request(asked), house_rules=False))


def test_there_is_a_hand_of_every_number_of_fan() -> None:
    assert sorted(HANDS) == list(range(15))
    assert {(line["payout"], line["fan_limit"]) for line in TABLES} == set(
        product(("linear", "exponential", "table", "half_doubling"), (0, 8, 10, 13))
    )


@pytest.mark.parametrize("table", TABLES, ids=name)
def test_every_number_of_fan_pays_what_the_table_says(table: dict[str, Any]) -> None:
    payout = {"payout": table["payout"], "fan_limit": table["fan_limit"]}
    for fan, hand in HANDS.items():
        for source in SOURCES:
            more = 0 if source == "discard" else 1
            if source == "robbed_kong" and "situation" in hand:
                more = 0  # a robbed kong is not the last tile
            value = table["units"][fan + more]
            for each in SHARES:
                result = settle(hand, source, **payout, **each["shares"])
                assert (fan, source, result["value"]) == (fan, source, value)
                assert result["payments"] == [value * share for share in each[source]], (fan, each)


@pytest.mark.parametrize("table", TABLES, ids=name)
def test_the_lines_make_the_value_or_the_limit_did(table: dict[str, Any]) -> None:
    limit = table["fan_limit"]
    for fan, hand in HANDS.items():
        result = settle(hand, "discard", payout=table["payout"], fan_limit=limit)
        lines = sum(line["value"] for line in result["lines"])
        assert result["reckoning"]["exact"] == (lines == result["value"]) == (not limit or fan <= limit)
        assert lines >= result["value"]


@pytest.mark.parametrize("special", SPECIALS, ids=lambda line: "-".join(line["rows"]))
@pytest.mark.parametrize("table", TABLES, ids=name)
def test_special_hands_are_all_listed_and_pay_the_limit_once(
    table: dict[str, Any], special: dict[str, Any]
) -> None:
    each_is = table["fan_limit"] or 64
    for source, stack in product(SOURCES, (False, True)):
        found = settle(
            special["special"], source,
            payout=table["payout"], fan_limit=table["fan_limit"], specials_stack=stack,
        )  # fmt: skip
        lines = {line["id"]: line["value"] for line in found["lines"] if line["id"] != "payout"}
        assert lines == dict.fromkeys(special["rows"], each_is)
        adds = stack and not table["fan_limit"]
        assert found["value"] == table["special"] * (len(lines) if adds else 1)
        assert found["reckoning"]["exact"] == (len(lines) == 1 or adds)


@pytest.mark.parametrize("least", range(6))
def test_a_hand_wins_from_the_least_fan_on(least: int) -> None:
    for fan, hand in HANDS.items():
        for payout, limit in (("linear", 0), ("half_doubling", 10)):
            result = settle(hand, "discard", min_fan=least, payout=payout, fan_limit=limit)
            assert result["legal"] == (fan >= least)
            if not result["legal"]:
                assert result["reason"] == (f"The hand is worth {fan} fan, and a win takes {least} at least.")


@pytest.mark.parametrize("line", MONEY, ids=lambda line: line["money"])
def test_a_ready_made_table_costs_what_it_does_at_tables(line: dict[str, Any]) -> None:
    ready = profiles.find_ready_made(line["money"])
    assert ready is not None
    assert ready.currency is not None
    options = dict(profiles.load(ready.name).options)
    for hand, fan in READY_HANDS:
        for source in ("discard", "self_draw"):
            paid = settle(hand, source, **options)["payments"]
            single = Decimal(line["single"][str(fan + (source == "self_draw"))])
            assert [-amount(points, ready.currency) for points in paid] == [
                single * share for share in line[source]
            ], (fan, source)
