"""Taiwanese: the lines of tai, those of flowers and of the dealer among them."""

from collections.abc import Callable
from typing import Any

from companion.rules import decode_request, score, score_json

Golden = Callable[..., dict[str, Any]]


def test_a_win_by_flowers_is_one_line_whatever_the_hand_holds(golden: Golden) -> None:
    for hand in ("", "111222333444z55z", "222p345s123m567m678s55z"):
        for changes in (
            {"discards": 0},
            {"flowers": "1f2f3f4f5f6f7f8f"},
            {"situation": ["all_flowers", "ready"]},
        ):
            result = score(decode_request(golden("TW-R37", hand=hand, **changes)))
            assert [(line.id, line.value) for line in result.lines] == [("all_flowers", 30)]
            assert result.payments == (-31, 91, -30, -30)


def test_the_dealers_tai_stand_in_the_shares_that_the_dealer_is_part_of(golden: Golden) -> None:
    result = score_json(score(decode_request(golden("TW-R10", streak=2))))
    reported = [[(line["id"], line["value"]) for line in share["lines"]] for share in result["shares"]]
    assert reported == [[("dealer", 1), ("consecutive_dealer", 2), ("dealer_continuation", 2)], [], []]
    assert [share["pays"] for share in result["shares"]] == [7, 2, 2]
    won = score_json(score(decode_request(golden("TW-R10", streak=2, winner=0))))
    assert won["payments"] == [21, -7, -7, -7]


def test_the_usual_tables_lines_make_up_the_value(golden: Golden) -> None:
    asked = golden("TW-R25", flowers="1f2f", options={"preset": "common"})
    result = score(decode_request(asked))
    assert {line.id: (line.count, line.value) for line in result.lines} == {
        "flower_tile": (2, 2), "pung_of_winds": (2, 2),
    }  # fmt: skip
    assert result.value == 4
