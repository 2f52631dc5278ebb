"""Hefei, beyond the cases in golden/: a slow scorer, best readings, what lines tell, caps and balances.

`pytest --hands 20000` compares on as many hands.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, score, score_json, scoring
from companion.rules.scoring import select_rows
from lab.bench.hands import random_request
from tests.rules.slow_hefei import slow_score

Golden = Callable[..., dict[str, Any]]
DRAWN = {"source": "self_draw", "from": None}


@pytest.mark.slow
def test_a_slow_scorer_agrees(hands: int) -> None:
    rng, rules = random.Random(5), RULE_SETS["hefei"]
    found: Counter[str] = Counter()
    for turn in range(hands):
        asked = random_request(rules, rng) | {
            "options": {"discard": rng.choice(["discarder_pays", "all_pay"])}
        }
        result = score(decode_request(asked), house_rules=False)
        slow = slow_score({"situation": [], "streak": 1, "stakes": None, "base": 1, **asked})
        assert (result.legal, result.value, list(result.payments)) == slow, f"seed 5, {turn}: {asked}"
        found.update([line.id for line in result.lines] or ["no win"])
    assert found["winning_a_hand"] > hands / 3
    assert found["no win"] > hands / 20


def test_the_kong_draws_line_is_what_doubling_adds(golden: Golden) -> None:
    drawn = golden("HF-R09", **DRAWN, situation=["replacement"], options={"kong_draw_x2": True})
    result = score_json(score(decode_request(drawn)))
    last = result["lines"][-1]
    assert (last["id"], last["count"], last["value"]) == ("kong_draw", 1, 19)
    assert sum(line["value"] for line in result["lines"]) == result["value"] == 38


@pytest.mark.parametrize(
    ("changes", "value", "sets"),
    [
        # of 3 equal sequences one pair counts; completed by the discard, the other two are still concealed
        ({"hand": "234234234m88m345p", "winning_tile": "2m"}, 15 + 3 + 4 + 2, ["234m"] * 3 + ["345p"]),
        # 222333444m as pungs beats three equal sequences: 3 pungs, three consecutive
        ({"hand": "234234234m88m345p", **DRAWN}, 15 + 3 + 3 + 100 + 2, ["222m", "333m", "444m", "345p"]),
        # the discard 5m is read into 567m, so that both 345m are drawn
        (
            {"hand": "345345567m88m345p", "winning_tile": "5m"},
            15 + 3 + 4 + 2,
            ["345m", "345m", "567m", "345p"],
        ),
    ],
)
def test_the_best_reading_is_taken(
    changes: dict[str, Any], value: int, sets: list[str], golden: Golden
) -> None:
    changes.setdefault("winning_tile", "3p")
    result = score_json(score(decode_request(golden("HF-R01", **changes))))
    assert result["reading"]["sets"] == sets
    assert (
        result["value"] - sum(line["value"] for line in result["lines"] if line["id"] == "same_number")
        == value
    )


@pytest.mark.parametrize("rank", range(2, 9))
def test_the_same_number_bonus_looks_at_every_rank(rank: int, golden: Golden) -> None:
    hand = f"234567m{rank}{rank}s"
    changes = {
        "hand": hand,
        "melds": [f"p{rank}{rank}{rank}m", f"p{rank}{rank}{rank}p"],
        "winning_tile": "7m",
    }
    result = score(decode_request(golden("HF-R01", **changes)))
    expected = 3 + 3 + 2 + hand[:6].count(str(rank)) - 4
    assert {line.id: line.value for line in result.lines}["same_number"] == expected


def test_a_dealt_win_has_no_wait_and_only_concealed_sets(golden: Golden) -> None:
    result = score_json(score(decode_request(golden("HF-R21", hand="222m333m88m345p678s"))))
    assert result["reading"]["waits"] == []
    assert {line["id"]: line["count"] for line in result["lines"]}["concealed_pung"] == 2


def test_cap_and_balances_limit_what_is_paid(golden: Golden) -> None:
    capped = score(decode_request(golden("HF-R22", cap=3320)))
    assert capped.payments == (-3320, 9920, -3300, -3300)
    poor = score(decode_request(golden("HF-R22", balances=[100, 0, 3300, 0])))
    assert poor.payments == (-100, 3400, -3300, 0)
    assert [(share.owed, share.pays) for share in poor.shares] == [(3380, 100), (3300, 3300), (3300, 0)]


def test_the_dealer_row_stands_in_the_dealers_share(golden: Golden) -> None:
    result = score_json(score(decode_request(golden("HF-R13", streak=3))))
    dealer, other = result["shares"][0], result["shares"][1]
    assert [(line["id"], line["count"], line["value"]) for line in dealer["lines"]] == [("dealer", 3, 12)]
    assert (dealer["pays"], other["lines"], other["pays"]) == (840, [], 600)


@pytest.mark.slow
def test_no_row_asks_where_a_drawn_tile_went_unless_the_house_does() -> None:
    rules = RULE_SETS["hefei"]
    thorough = replace(rules, place_matters=lambda win: True)
    rng = random.Random(5)
    seen = 0
    while seen < 200:
        options = {
            option.key: rng.choice([*option.alternatives(option.default), option.default])
            for option in rules.options
        }
        request = random_request(rules, rng) | {"options": options}
        try:
            win = scoring.make_win(rules, decode_request(request))
        except RequestError:
            continue
        if rules.place_matters(win):
            continue
        found: dict[tuple[str, ...], list[object]] = {}
        for reading in scoring.list_readings(thorough, win):
            tally = sum(group.tally for group in reading.groups)
            rows = select_rows(rules, rules.sign(options), win.outline, reading.shape, tally)
            lines = [(lines[1].id, count(win, reading)) for count, lines in rows]
            found.setdefault(tuple(map(str, reading.groups)), []).append(lines)
        for places in found.values():
            assert all(each == places[0] for each in places), f"seed 5: {request}"
            seen += len(places) > 1
