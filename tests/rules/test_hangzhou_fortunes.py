"""Hangzhou: what Fortunes do in a hand, and kongs and Gambits in a row."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import decode_request, score

Golden = Callable[..., dict[str, Any]]


def test_the_first_kong_of_a_chain_may_be_claimed(golden: Golden) -> None:
    assert score(decode_request(golden("HZ-R09", melds=["k1111p", "K4444p"]))).value == 4


def test_a_replacement_is_one_kong_at_least(golden: Golden) -> None:
    drawn = golden("HZ-R08", situation=["replacement"], consecutive_kongs=0)
    assert score(decode_request(drawn)).value == 2
    assert score(decode_request(golden("HZ-R09", situation=["replacement"]))).value == 4


def test_all_three_together_are_two_lines(golden: Golden) -> None:
    result = score(decode_request(golden("HZ-R10", gambits=1)))
    assert [(line.id, line.count, line.value) for line in result.lines] == [
        ("fortune_gambit", 1, 2),
        ("explosive_kong", 1, 4),
    ]
    assert result.value == 8


@pytest.mark.parametrize(
    ("hand", "tile", "value"),
    [
        ("123456m12p678s99s5z", "5z", 2),  # one Fortune in 123p, the other alone
        ("123456m12p678s99s3p", "3p", 2),  # it won with any tile, the one that frees a Fortune included
        ("123456m12p678s999s", "9s", 2),  # the lone Fortune paired with a Fortune
        ("11m33m55p77p88s999s2z", "2z", 4),  # five pairs, two Fortunes as the sixth, one alone
        ("112233445566m9s7z", "7z", 4),  # sets or pairs: the pairs are worth more
    ],
)
def test_more_fortunes_explode_too(hand: str, tile: str, value: int, golden: Golden) -> None:
    result = score(decode_request(golden("HZ-R05", hand=hand, winning_tile=tile)))
    assert (result.value, "explosive_pair" in {line.id for line in result.lines}) == (value, True)


def test_a_tie_is_described_as_sets_and_a_pair(golden: Golden) -> None:
    """Sets that explode, and pairs that do not: 2 each (C-14)."""
    result = score(decode_request(golden("HZ-R05", hand="112233m6678s11z99s", winning_tile="6s")))
    assert result.reading is not None
    assert (result.value, result.reading.shape) == (2, "standard")


def test_white_dragons_need_no_fortune_in_the_request(golden: Golden) -> None:
    white = {"options": {"fortune": "white_dragon"}, "hand": "123456m123p678s5z7z"}
    for fortune in (None, "5z"):
        assert score(decode_request(golden("HZ-R05", fortune=fortune, **white))).value == 2


def test_other_fortunes_are_no_house_rule_beside_a_result(golden: Golden) -> None:
    assert "fortune" not in {rule.option for rule in score(decode_request(golden("HZ-R05"))).house_rules}


@pytest.mark.parametrize("gambits", [0, 1])
def test_a_chow_of_the_fortunes_kind_is_the_white_dragons(gambits: int) -> None:
    hand = "88s7p123m456m5p6p" if gambits else "888s123m456m5p6p"
    request = {
        "rules": "hangzhou", "fortune": "8s", "hand": hand, "melds": ["c678s"], "winning_tile": "5p",
        "winner": 1, "source": "self_draw", "gambits": gambits, "options": {"white_stands_for_fortune": True},
    }  # fmt: skip
    assert score(decode_request(request)).legal
    with pytest.raises(RequestError):
        decode_request(request | {"options": {}})
