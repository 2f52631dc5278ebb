"""Taiwanese: how tiles are read as sets or seven pairs, and which sets are concealed."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.rules import decode_request, rule_set, score, score_json, shanten, useful_tiles
from companion.tiles import parse_meld, parse_tiles

Golden = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("hand", "winning_tile", "value", "sets"),
    [
        # the discard 3m read into 123m leaves 333m concealed: 5 and not 2
        ("123m333m222p444s678s55z", "3m", 1 + 1 + 5, ["123m", "333m", "222p", "444s", "678s"]),
        # three equal sequences or three triplets: 5 for the triplets and not 3 for five sequences
        ("222333444m567p678s55z", "8s", 1 + 1 + 5, ["222m", "333m", "444m", "567p", "678s"]),
        # 68s and 7s: the middle of 678s, not a pair; 77s would wait for more
        ("123m456p234p222z68s7s55z", "7s", 1 + 1 + 1 + 2, ["123m", "234p", "456p", "678s", "222z"]),
    ],
)
def test_the_best_reading_is_taken(
    hand: str, winning_tile: str, value: int, sets: list[str], golden: Golden
) -> None:
    asked = golden("TW-R03", hand=hand, winning_tile=winning_tile)
    result = score_json(score(decode_request(asked)))
    assert (result["value"], result["reading"]["sets"]) == (value, sets)


def test_seven_pairs_and_five_sets_in_one_hand_take_the_better(golden: Golden) -> None:
    asked = golden("TW-R03", hand="112233m445566p77s888s", winning_tile="8s")
    sevens = score_json(score(decode_request(asked)))
    assert (sevens["reading"]["shape"], sevens["value"]) == ("seven_pairs_and_a_pung", 1 + 1 + 1 + 30)
    common = score_json(score(decode_request(asked | {"options": {"preset": "common"}})))
    assert common["value"] == 1 + 1


def test_readings_of_one_value_are_described_as_five_sets(golden: Golden) -> None:
    asked = golden("TW-R03", hand="112233m445566p77s888s", winning_tile="1m", options={"preset": "common"})
    assert score_json(score(decode_request(asked)))["reading"]["shape"] == "standard"


def test_a_concealed_kong_neither_opens_the_hand_nor_leaves_its_triplet_uncounted(golden: Golden) -> None:
    asked = golden("TW-R45", hand="222p999m444s777p55z", melds=["K3333s"])
    lines = {line.id: line.value for line in score(decode_request(asked)).lines}
    assert lines == {
        "concealed_hand": 1, "single_wait": 2, "flower_tile": 1, "five_concealed_pungs": 40,
        "all_triplets": 10, "concealed_kong": 2,
    }  # fmt: skip


def test_a_robbed_tile_completes_a_triplet_that_is_not_concealed(golden: Golden) -> None:
    asked = golden("TW-R45", winning_tile="3s", source="robbed_kong")
    lines = {line.id: line.value for line in score(decode_request(asked)).lines}
    assert lines["four_concealed_pungs"] == 10
    assert lines["concealed_hand"] == 1


@pytest.mark.parametrize("melds", [[], ["p222p", "c345s"]])
def test_open_groups_are_found_from_the_melds(melds: list[str], golden: Golden) -> None:
    hand = "123m567m678s55z" if melds else "222p345s123m567m678s55z"
    asked = golden("TW-R20", hand=hand, melds=melds)
    lines = {line.id for line in score(decode_request(asked)).lines}
    assert ("self_draw" in lines, "fully_concealed_hand" in lines) == (bool(melds), not melds)


@pytest.mark.parametrize(
    ("hand", "lacking", "useful"),
    [
        ("11m33m55p77p99s22z4z", 0, "4z"),
        ("11m33m55p77p99s8s2z4z", 1, "8s24z"),
        # the pung's fourth tile finds no partner, so that a whole pair is lacking
        ("11m33m55p77p99s22z6s", 1, None),
    ],
)
def test_seven_pairs_beside_a_pung_are_neared_where_the_house_has_them(
    hand: str, lacking: int, useful: str | None
) -> None:
    rules, tiles, melds = rule_set("taiwanese"), parse_tiles(hand), [parse_meld("p666s")]
    settings = {"seven_pung_open": True}
    assert shanten(rules, tiles, melds, settings) == lacking < shanten(rules, tiles, melds)
    if useful is not None:
        assert useful_tiles(rules, tiles, melds, settings) == parse_tiles(useful)
