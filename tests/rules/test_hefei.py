"""Hefei: every row has a near miss that must not score, and every house option a case on each side."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import decode_request, describe, rule_set, score, score_json

Golden = Callable[..., dict[str, Any]]
HEFEI = rule_set("hefei")
DRAWN = {"source": "self_draw", "from": None}

NEAR_MISSES: dict[str, tuple[str, dict[str, Any]]] = {
    "suit_bonus": ("HF-R01", {}),  # exactly eight tiles of a suit
    "single_wait": ("HF-R01", {}),  # two kinds
    "same_number": ("HF-R01", {"hand": "234567m88m678p678s"}),  # exactly four of rank 8
    "concealed_pung": ("HF-R05", {"winning_tile": "2m"}),  # completed by the discard
    "double_sequences_visible": ("HF-R01", {"hand": "234567m88m345p345s", "winning_tile": "5s"}),  # two suits
    "double_sequences_concealed": ("HF-R06", {}),  # completed by the discard
    "two_suits_only": ("HF-R01", {}),  # three suits
    "concealed_kong": ("HF-R09", {"melds": ["k5555p"]}),  # claimed kong
    "four_of_a_kind": ("HF-R09", {}),  # all four, but as a kong
    "seven_pairs": ("HF-R14", {}),  # replaced by the luxury tier
    "luxury_seven_pairs": ("HF-R15", {}),  # replaced by the double tier
    "double_luxury_seven_pairs": ("HF-R14", {}),  # one quad only
    "sea_floor": ("HF-R01", DRAWN),  # drawn before the last four tiles
    "pure_suit": ("HF-R08", {}),  # two suits
    "three_consecutive_pungs": ("HF-R17", {"winning_tile": "5m"}),  # one of them completed by the discard
    "four_concealed_pungs": ("HF-R18", {"source": "discard", "from": 2, "winning_tile": "7s"}),
    "ten_identical": ("HF-R19", {"hand": "555p55s234m678m"}),  # nine of a rank
    "double_concealed_double_sequences": ("HF-R20", {"winning_tile": "2m"}),  # one completed by the discard
    "heavenly_win": ("HF-R01", {**DRAWN, "winner": 0}),
    "earthly_win": ("HF-R01", {"situation": ["earthly"]}),  # on a discard
    "kong_draw": ("HF-R09", {**DRAWN, "situation": ["replacement"]}),  # not without the house option
}


def test_every_row_has_a_near_miss() -> None:
    assert {row.id for row in HEFEI.patterns} == {"winning_a_hand", *NEAR_MISSES}


@pytest.mark.parametrize("row", NEAR_MISSES)
def test_a_near_miss_does_not_score_the_row(row: str, golden: Golden) -> None:
    example, changes = NEAR_MISSES[row]
    result = score(decode_request(golden(example, **changes)))
    assert result.legal
    assert row not in [line.id for line in result.lines]


@pytest.mark.parametrize(
    ("changes", "ruling", "words"),
    [
        ({"hand": "234567m345p88p678s"}, "HF-08", "the most here is 6"),
        ({"hand": "235678m88m345p678s"}, "HF-07", "neither four sets and a pair nor seven pairs"),
        ({"hand": "22334466m55p77p78s"}, "HF-07", "neither"),
        ({"hand": "22334466m77p8s", "melds": ["p555p"]}, "HF-07", "neither"),
        ({"hand": "22334466m55p77p88s", "options": {"seven_pairs": False}}, "HF-07", "option seven_pairs"),
        (
            {"hand": "345p678s88p", "melds": ["k5555m", "K4444m"], "options": {"kong_counts_3": True}},
            "HF-08",
            "is 6",
        ),
    ],
)
def test_a_hand_that_is_no_win_says_why(
    changes: dict[str, Any], ruling: str, words: str, golden: Golden
) -> None:
    result = score_json(score(decode_request(golden("HF-R01", **changes))))
    assert (result["legal"], result["value"], result["payments"]) == (False, 0, [0, 0, 0, 0])
    assert (result["lines"], result["reading"], result["ruling"]) == ([], None, ruling)
    assert words in result["reason"]


ALL_PAY = [-380, 980, -300, -300]
OPTIONS: list[tuple[str, Any, str, dict[str, Any], int, int, list[int]]] = [
    # option, setting, example, changes, value by default, value and payments with the setting
    ("win_row", 0, "HF-R02", {}, 16, 1, [0, 20, -20, 0]),
    ("same_threshold", 3, "HF-R04", {}, 20, 21, [0, 420, -420, 0]),
    (
        "same_best_rank_only", True, "HF-R01",
        {"hand": "88m456p456s", "melds": ["p444m", "p555m"], "winning_tile": "6s"}, 17, 16, [0, 320, -320, 0],
    ),
    ("same_threshold", 3, "HF-R01", {"hand": "234567m88m678p678s"}, 15, 16, [0, 320, -320, 0]),
    ("ten_strict", 11, "HF-R19", {}, 129, 29, [0, 580, -580, 0]),
    ("single_excludes_pair", True, "HF-R20", {}, 122, 121, [0, 2420, -2420, 0]),
    ("single_excludes_pair", True, "HF-R12", {}, 26, 25, [0, 500, -500, 0]),
    ("single_excludes_pair", True, "HF-R03a", {}, 16, 16, [0, 320, -320, 0]),
    ("kong_is_pung", True, "HF-R09", {}, 19, 20, [0, 400, -400, 0]),
    ("visible_if_completed_by_win", True, "HF-R06", DRAWN, 19, 17, [-420, 1100, -340, -340]),
    ("visible_if_completed_by_win", True, "HF-R07", {}, 19, 19, [0, 380, -380, 0]),
    ("consecutive_any_suit", True, "HF-R01", {"hand": "333m678m88m444p555s", "winning_tile": "8m"}, 18, 118,
     [0, 2360, -2360, 0]),
    ("consecutive_any_suit", True, "HF-R01", {"hand": "333m678m88m444p666s", "winning_tile": "8m"}, 18, 18,
     [0, 360, -360, 0]),
    ("consecutive_any_suit", True, "HF-R01", {"hand": "333m678m88m555p666s", "winning_tile": "8m"}, 18, 18,
     [0, 360, -360, 0]),
    ("four_concealed_only", True, "HF-R01", {"hand": "234m88m345p678s", "melds": ["p222m"]}, 19, 15,
     [0, 300, -300, 0]),
    ("four_concealed_only", True, "HF-R10", {}, 20, 20, [0, 400, -400, 0]),
    ("four_not_in_luxury", True, "HF-R14", {}, 70, 66, [0, 1320, -1320, 0]),
    ("four_not_in_luxury", True, "HF-R10", {}, 20, 20, [0, 400, -400, 0]),
    ("specials_exclusive", True, "HF-R16", {}, 121, 115, [0, 2300, -2300, 0]),
    ("specials_exclusive", True, "HF-R09", {**DRAWN, "situation": ["sea_floor"]}, 34, 30,
     [-680, 1880, -600, -600]),
    (  # two kongs, two suits and fourteen characters are 16, more than the sea floor's 15
        "specials_exclusive", True, "HF-R13",
        {"hand": "567m678m55p", "melds": ["K3333m", "K4444m"], "winning_tile": "8m"}, 46, 31,
        [-700, 1940, -620, -620],
    ),
    ("earth_includes_discard", True, "HF-R01", {"situation": ["earthly"]}, 15, 165, [0, 3300, -3300, 0]),
    ("dealer_n", "wins_only", "HF-R01", {"from": 0, "streak": 2}, 15, 15, [-380, 380, 0, 0]),
    ("dealer_n", "wins_only", "HF-R11", {}, 18, 18, [520, -520, 0, 0]),
    ("discard", "all_pay", "HF-R01", {}, 15, 15, ALL_PAY),
    ("discard", "all_pay", "HF-R01", {"source": "robbed_kong"}, 15, 15, ALL_PAY),
    ("kong_draw_x2", True, "HF-R09", {**DRAWN, "situation": ["replacement"]}, 19, 38,
     [-840, 2360, -760, -760]),
    ("kong_draw_x2", True, "HF-R09", DRAWN, 19, 19, [-460, 1220, -380, -380]),
    ("kong_counts_3", True, "HF-R19", {}, 129, 128, [0, 2560, -2560, 0]),
    ("wait_ignores_visible", True, "HF-R19", {}, 129, 128, [0, 2560, -2560, 0]),
]  # fmt: skip


@pytest.mark.parametrize(("option", "setting", "example", "changes", "default", "value", "payments"), OPTIONS)
def test_an_option_changes_what_it_names(
    option: str, setting: Any, example: str, changes: dict[str, Any], default: int, value: int,
    payments: list[int], golden: Golden,
) -> None:  # fmt: skip
    before = score_json(score(decode_request(golden(example, **changes))))
    after = score_json(score(decode_request(golden(example, **changes, options={option: setting}))))
    assert (before["value"], after["value"], after["payments"]) == (default, value, payments)
    told = {"option": option, "setting": setting, "value": value, "legal": True, "payments": payments}
    differs = (before["value"], before["payments"]) != (value, payments)
    assert (told in before["house_rules"]) == differs


LEGALITY: list[tuple[str, Any, str, dict[str, Any]]] = [
    ("seven_pairs", False, "HF-R12", {}),
    ("kong_counts_3", True, "HF-R01", {"hand": "345p678s88p", "melds": ["k5555m", "K4444m"]}),
]


@pytest.mark.parametrize(("option", "setting", "example", "changes"), LEGALITY)
def test_an_option_can_take_the_win(
    option: str, setting: Any, example: str, changes: dict[str, Any], golden: Golden
) -> None:
    before = score_json(score(decode_request(golden(example, **changes, winning_tile="8s"))))
    after = score(decode_request(golden(example, **changes, winning_tile="8s", options={option: setting})))
    assert before["legal"]
    assert not after.legal
    lost = {"option": option, "setting": setting, "value": 0, "legal": False, "payments": [0, 0, 0, 0]}
    assert lost in before["house_rules"]


def test_chows_are_claimed_only_where_the_house_allows_it(golden: Golden) -> None:
    changes = {"hand": "345m88m234p678s", "melds": ["c345m"]}
    with pytest.raises(RequestError, match="only where the option allow_chow is true"):
        decode_request(golden("HF-R01", **changes))
    result = score_json(score(decode_request(golden("HF-R01", **changes, options={"allow_chow": True}))))
    assert (result["value"], result["reading"]["sets"][-1]) == (17, "c345m")
    lost = {"option": "allow_chow", "setting": False, "value": 0, "legal": False, "payments": [0, 0, 0, 0]}
    assert lost in result["house_rules"]


def test_a_false_win_costs_what_the_house_says(golden: Golden) -> None:
    false_win = {"hand": "235678m88m345p678s", "base": 2}
    result = score(decode_request(golden("HF-R01", **false_win, options={"false_win_penalty": 50})))
    assert result.payments == (100, -300, 100, 100)
    won = score(decode_request(golden("HF-R01", options={"false_win_penalty": 50})))
    assert won.payments == (0, 300, -300, 0)


@pytest.mark.parametrize(("option", "setting", "example", "changes"), [case[:4] for case in OPTIONS])
def test_every_line_is_of_a_declared_row(
    option: str, setting: Any, example: str, changes: dict[str, Any], golden: Golden
) -> None:
    told = {row["id"]: (row["name"], row["name_zh"], row["ruling"]) for row in describe(HEFEI)["rows"]}
    result = score_json(score(decode_request(golden(example, **changes, options={option: setting}))))
    lines = [*result["lines"], *(line for share in result["shares"] for line in share["lines"])]
    assert all(told.get(x["id"]) == (x["name"], x["name_zh"], x["ruling"]) for x in lines)


def test_the_kong_draws_line_is_what_doubling_adds(golden: Golden) -> None:
    drawn = golden("HF-R09", **DRAWN, situation=["replacement"], options={"kong_draw_x2": True})
    result = score_json(score(decode_request(drawn)))
    last = result["lines"][-1]
    assert (last["id"], last["count"], last["value"]) == ("kong_draw", 1, 19)
    assert sum(line["value"] for line in result["lines"]) == result["value"] == 38


def test_every_option_has_a_case() -> None:
    tested = (
        {case[0] for case in OPTIONS} | {case[0] for case in LEGALITY} | {"allow_chow", "false_win_penalty"}
    )
    assert {option.key for option in HEFEI.options} == tested


def test_a_replacement_tile_needs_a_kong(golden: Golden) -> None:
    with pytest.raises(RequestError, match="melds must hold that kong"):
        decode_request(golden("HF-R13", situation=["replacement"]))


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
