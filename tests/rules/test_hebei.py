"""Hebei, beyond the cases in golden/: against a slow scorer of its table, best readings, kong cash."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.rules import decode_request, describe, rule_set, score, score_json
from tests.rules.slow_hebei import DRAWN, ORPHANS, Request, Rows, compare

Golden = Callable[..., dict[str, Any]]


def test_a_slow_scorer_written_from_the_table_agrees(hands: int) -> None:
    found = compare(hands)
    rows = {row["id"] for row in describe(rule_set("hebei"))["rows"] if row["table"] not in ("payer", "cash")}
    assert rows | {"no_win"} == set(found)


def lines(result: Any) -> Rows:
    return {line.id: line.value for line in result.lines}


@pytest.mark.parametrize(
    ("changes", "value", "shape", "sets"),
    [
        # 111222333m as pungs, not as three runs
        (
            {"hand": "111222333m99p555s", "winning_tile": "5s", **DRAWN},
            3 * 2,
            "standard",
            ["111m", "222m", "333m", "555s"],
        ),
        # as runs the dragon and the suit are worth more than a pair of each
        ({"hand": "11223344556677m", "winning_tile": "7m"}, 6, "standard", ["123m", "123m", "456m", "456m"]),
        # with two quads among them, seven pairs are worth more than sets
        ({"hand": "22223333445566m", "winning_tile": "6m"}, 48, "seven_pairs", None),
        # a tie of sets (closed) and pairs: sets come first (C-14)
        (
            {"hand": "223344m556677p99s", "winning_tile": "2m"},
            2,
            "standard",
            ["234m", "234m", "567p", "567p"],
        ),
        # where the house stacks the closed hand on pairs, these are worth more
        (
            {"hand": "223344m556677p99s", "winning_tile": "2m", "options": {"stack_inherent": True}},
            4,
            "seven_pairs",
            None,
        ),
    ],
)
def test_the_best_reading_is_taken(
    changes: Request, value: int, shape: str, sets: list[str] | None, golden: Golden
) -> None:
    result = score_json(score(decode_request(golden("HB-R03", **changes))))
    assert (result["value"], result["reading"]["shape"]) == (value, shape)
    assert sets is None or result["reading"]["sets"] == sets


def test_a_reading_with_a_bonus_wins_where_another_of_the_hand_would_not(golden: Golden) -> None:
    """1233m and 3m: with the tile in the pair it is a pair wait, with the tile in 123m a Ping Hu."""
    request = golden("HB-R06", hand="12333m456p678s", winning_tile="3m", melds=["c789p"])
    both = score(decode_request(request | {"options": {"single": "pair_wait"}}))
    assert (both.legal, lines(both)) == (True, {"single_hanging_tile": 2})
    assert both.reading is not None
    assert [str(group) for group in both.reading.groups if group.won] == ["33m"]


def test_concealed_kongs_are_pungs_and_keep_the_hand_closed(golden: Golden) -> None:
    request = golden("HB-R02", hand="333s55z222z", melds=["K1111m", "K9999p"])
    assert lines(score(decode_request(request))) == {"all_pungs": 3, "closed_hand": 2}
    claimed = score(decode_request(request | {"melds": ["K1111m", "k9999p"]}))
    assert lines(claimed) == {"all_pungs": 3}


def test_thirteen_kinds_wait_for_any_of_them(golden: Golden) -> None:
    result = score(decode_request(golden("HB-R11")))
    assert [tile.index for tile in result.waits] == ORPHANS
    alone = score(decode_request(golden("HB-R11", winning_tile="9p")))
    assert ([tile.code for tile in alone.waits], alone.value) == (["9p"], 10)


def test_lines_tell_what_the_house_says_a_row_is_worth(golden: Golden) -> None:
    two = score(decode_request(golden("HB-R02", options={"all_pungs": 2})))
    assert lines(two) == {"all_pungs": 2}
    twice = score(decode_request(golden("HB-R06", options={"single": "both_rows"})))
    assert [(line.count, line.value) for line in twice.lines] == [(2, 4)]


KONGS = [
    {"kind": "K", "seat": 0, "from": None},
    {"kind": "a", "seat": 1},
    {"kind": "k", "seat": 2, "from": 3},
]


def test_kongs_are_paid_in_the_order_in_which_they_were_declared(golden: Golden) -> None:
    result = score_json(score(decode_request(golden("HB-R03", kongs_declared=KONGS, base=2))))
    assert [(cash["line"]["id"], cash["line"]["value"], cash["payments"]) for cash in result["cash"]] == [
        ("concealed_kong", 2, [12, -4, -4, -4]),
        ("added_kong", 1, [-2, 6, -2, -2]),
        ("exposed_kong", 2, [0, 0, 4, -4]),
    ]
    assert (result["value"], result["payments"]) == (4, [10, 6, -6, -10])


def test_kongs_are_paid_even_if_the_win_is_none(golden: Golden) -> None:
    request = golden("HB-R03", hand="123m456p567s345s8m9m", winning_tile="8m", kongs_declared=KONGS)
    assert score(decode_request(request)).payments == (5, 1, -1, -5)
    fined = request | {"options": {"false_win_penalty": 10}}
    assert score(decode_request(fined)).payments == (15, -29, 9, 5)
    three = request | {"kongs_declared": KONGS[:2], "options": {"false_win_penalty": 10, "players": 3}}
    assert score(decode_request(three)).payments == (4 - 1 + 10, -2 + 2 - 20, -2 - 1 + 10, 0)


def test_the_most_that_a_player_pays_for_the_win_leaves_kongs_alone(golden: Golden) -> None:
    result = score(decode_request(golden("HB-19K", cap=4)))
    assert result.payments == (-6, 18 + 4, -6 - 4, -6)


def test_nobody_pays_more_than_the_balance(golden: Golden) -> None:
    """Of 7 seat 2 pays 4 and 2 for kongs and 1 for the win; of 3 seat 3 pays 3 for the first kong."""
    request = golden("HB-R16", kongs_declared=KONGS, base=2, balances=[100, 100, 7, 3])
    result = score_json(score(decode_request(request)))
    assert [cash["payments"] for cash in result["cash"]] == [[11, -4, -4, -3], [-2, 4, -2, 0], [0, 0, 0, 0]]
    assert [(share["owed"], share["pays"]) for share in result["shares"]] == [(64, 1)]
    assert result["payments"] == [9, 1, -7, -3]


def test_bearer_has_one_share(golden: Golden) -> None:
    options = {"discard": "pays_for_all", "dealer_loss_x2": True}
    result = score_json(score(decode_request(golden("HB-R03", options=options))))
    assert [(share["payer"], share["owed"], share["pays"]) for share in result["shares"]] == [(2, 8, 8)]
    (share,) = result["shares"]
    assert [(line["id"], line["value"]) for line in share["lines"]] == [("pays_for_all", 4)]
    assert [(each["payer"], each["owed"]) for each in share["of"]] == [(0, 4), (2, 2), (3, 2)]


def test_hebei_is_described_as_its_table() -> None:
    document = describe(rule_set("hebei"))
    assert (document["tiles"], document["hand_size"], document["unit"]) == (136, 13, "multiplier")
    assert [(row["id"], row["value"]) for row in document["rows"] if row["table"] == "cash"] == [
        ("concealed_kong", 2),
        ("exposed_kong", 2),
        ("added_kong", 1),
    ]
    assert document["fields"] == ["kongs_declared"]
    assert {row["ruling"][:3] for row in document["rows"]} == {"HB-"}
