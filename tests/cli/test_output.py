"""What a person reads of a score: every row, and for every payment how it comes about."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from companion.rules import RULE_SETS

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "golden"
TERM = re.compile(r"(= |× base |× | ×|\+ ?)?([\d,]+)")


def examples(name: str) -> dict[str, dict[str, Any]]:
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case["request"] for case in map(json.loads, lines)}


def shown(call: Any, request: dict[str, Any], columns: int = 80) -> str:
    run = call("score", "--request", "-", stdin=json.dumps(request).encode(), COLUMNS=str(columns))
    assert (run.status, run.err) == (0, "")
    return str(run.out)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("│").split("│")]


def read_number(text: str) -> int:
    """A number as it is written for people."""
    return int(text.replace("−", "-").replace(",", ""))


def reckon(told: str) -> int:
    """What "30 zui +4 Dealer 庄家 = 34 × 20 = 680; limited to 100" comes to, each = on the way checked."""
    reckoning, _, paid = told.partition("; limited to ")
    amount = 0
    for sign, digits in TERM.findall(reckoning):
        number = read_number(digits)
        match sign.strip(" ×").strip() if sign.startswith("×") else sign.strip():
            case "=":
                assert amount == number, told
            case "+":
                amount += number
            case _ if "×" in sign:
                amount *= number
            case _:
                amount = number
    return read_number(paid.split(" = ")[-1].split(";")[0]) if paid else amount


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize(
    "changes",
    [{}, {"base": 3, "cap": 40}, {"stakes": {"unit": 7}}, {"stakes": {"base": 5, "unit": 7}, "base": 3}],
    ids=["plain", "base and cap", "unit", "stakes and base"],
)
def test_every_payment_can_be_followed(call: Any, name: str, changes: dict[str, Any]) -> None:
    stakes = {key: n for key, n in changes.get("stakes", {}).items() if key in RULE_SETS[name].stakes}
    for id, request in examples(name).items():
        asked = request | changes | {"stakes": stakes}
        document = call("score", "--request", "-", "--json", stdin=json.dumps(asked).encode()).document
        reported = shown(call, asked, columns=300)
        assert "calculated as" in reported
        seats = [cells(line) for line in reported.splitlines() if re.match(r"│ [0-3] .*│.*│.*│$", line)]
        assert [read_number(gets) for _, gets, _ in seats[:4]] == document["payments"], id
        for seat, _, reckoned in seats[:4]:
            share = [share for share in document["shares"] if share["payer"] == int(seat[0])]
            if share:
                beside = sum(cash["payments"][int(seat[0])] for cash in document["cash"])
                parts = reckoned.split("; ")
                win = "; ".join(part for part in parts if not re.search(r": [+−][\d,]+$", part))
                assert reckon(win) == share[0]["pays"] == beside - document["payments"][int(seat[0])], id
                for line in share[0]["lines"]:
                    assert line["name"] in reckoned
                    assert line["name_zh"] in reckoned


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_score_is_shown_in_eighty_columns(call: Any, name: str) -> None:
    for id, request in examples(name).items():
        reported = shown(call, request)
        assert max(map(cell_len, reported.splitlines())) <= 80, id
        assert "…" not in reported, id


def test_no_payment_is_cut_at_its_edge(call: Any) -> None:
    given = ["--hand", "123m456m789m123p55z", "--meld", "p222s", "--winning-tile", "5z", "--winner", "0"]
    given += ["--self-draw", "--streak", "3", "--flowers", "1f5f"]
    for columns in range(60, 120):
        printed = call("score", "--rules", "taiwanese", *given, COLUMNS=str(columns)).out
        reckoned = [cells(line)[2] for line in printed.splitlines() if re.match(r"│ .*│.*│.*│$", line)]
        assert "".join("".join(reckoned).split()).count("+3ConsecutiveDealer连庄+3") == 3, columns


def test_rows_that_multiply_are_described_as_factors(call: Any) -> None:
    reported = shown(call, examples("hangzhou")["HZ-R15"])
    assert reported.startswith("×16\n")
    assert re.search(r"Luxury Pairs +│ 豪华对 │ +3 │ +×8 │", reported)
    assert "2 × 8 = 16" in reported
    assert "×16 ×2 Dealer's Loss 庄家输 = 32" in reported
    assert "base 3 × 2 = 6" in shown(call, examples("hebei")["HB-R05"] | {"base": 3})


def test_rows_that_add_up_are_described_as_a_sum(call: Any) -> None:
    reported = shown(call, examples("hefei")["HF-R13"] | {"base": 2})
    assert reported.startswith("30 zui\n")
    assert "15 + 15 = 30" in reported
    assert "30 zui +4 Dealer 庄家 = 34 × 20 × base 2 = 1,360" in reported


def test_a_base_beside_the_value_is_shown(call: Any) -> None:
    stakes = {"stakes": {"base": 100, "unit": 20}}
    reported = shown(call, examples("taiwanese")["TW-R10"] | stakes)
    assert "2 tai +1 Dealer 庄家 = 3 × 20 + 100 = 160" in reported
    assert "2 tai × 20 + 100 = 140" in reported
    nothing = {"situation": [], "options": {"own_flowers_only": True}}
    assert "0 tai × 20 + 100 = 100" in shown(call, examples("taiwanese")["TW-R04"] | nothing | stakes)
    base_alone = {"stakes": {"base": 100, "unit": 0}, "base": 2}
    assert "= 3 × 0 × base 2 + 200 = 200" in shown(call, examples("taiwanese")["TW-R10"] | base_alone)


def test_a_sum_that_could_be_a_product_is_described_as_a_sum(call: Any) -> None:
    reported = shown(call, examples("hefei")["HF-R18"] | {"dealer": 1, "streak": 6})
    assert "120 zui +24 Dealer 庄家 = 144 × 20 = 2,880" in reported, "120 × 24 is 2,880 too"


def test_wild_tiles_are_reported_with_what_they_stand_for(call: Any) -> None:
    reported = shown(call, examples("hangzhou")["HZ-R12"])
    assert "read as: 11m 33m 55p 77p 88s 22z 66z\n" in reported
    assert "wild: 9s stands for 6z\n" in reported
    assert "waited for: any tile\n" in shown(call, examples("hangzhou")["HZ-R05"])


def test_fan_that_are_turned_into_units_are_shown_as_fan(call: Any) -> None:
    won = ("score", "--profile", "hong-kong-common", "--hand", "123m456p789s55z678s", "--winning-tile", "8s")
    won += ("--self-draw", "--winner", "1", "--no-alternatives")
    printed = call(*won, "--flowers", "none").out
    assert re.search(r"┃ times ┃ fan ┃", printed)
    assert "1 + 1 + 1 + 1 = 4 fan\nPayout 番数折算 (HK-09): 4 fan = 16 units\n" in printed
    found = call(*won, "--flowers", "none", "--json").document
    assert (found["value_in_unit"], found["value"], found["unit"]) == (4, 16, "fan")
    assert "flowers" not in found["assumed"]
    unknown = call(*won, "--flowers", "null").out
    assert "No Flowers" not in unknown
    assert "none: there are none" in call(*won, "--flowers", "x").refused(2)


def test_single_tiles_stand_together(call: Any) -> None:
    reported = shown(call, examples("hong_kong")["HK-S08"])
    assert "read as: 9m19p19s1234567z 11m\n" in reported
    assert "waited for: 19m19p19s1234567z\n" in reported
    assert "64 fan ×2 Discarder Pays Double 出铳付双倍 = 128" in reported


def test_kongs_are_reported_beside_the_win(call: Any) -> None:
    kongs = [{"kind": "K", "seat": 0, "from": None}]
    request = examples("hebei")["HB-R05"] | {"kongs_declared": kongs}
    reported = shown(call, request)
    assert re.search(r"│ 0 \(dealer\) │ +\+4 │ ×2; Concealed Kong 暗杠: \+6 +│", reported)
    lost = shown(call, request | {"hand": "456p567s346s99m", "winning_tile": "6s"})
    assert lost.startswith("Not a win: ")
    assert re.search(r"│ 0 \(dealer\) │ +\+6 │ Concealed Kong 暗杠: \+6 +│", lost)


def test_kongs_that_nobody_pays_for_are_named(call: Any) -> None:
    request = {"rules": "hebei", "hand": "234m99m", "winning_tile": "9m", "winner": 1, "source": "self_draw"}
    request |= {"melds": ["K5555p", "K6666p", "k7777s"]}
    none = "that --kongs-declared does not name are not paid here"

    def named(*kongs: tuple[str, int, int | None]) -> str:
        declared = [{"kind": kind, "seat": seat, "from": origin} for kind, seat, origin in kongs]
        return " ".join(shown(call, request | {"kongs_declared": declared}).split())

    assert f"{none}: K5555p K6666p, k7777s." in named()
    assert f"{none}: K5555p K6666p (all but 1)." in named(("K", 1, None), ("k", 1, 2))
    assert f"{none}: k7777s." in named(("K", 1, None), ("K", 1, None), ("k", 0, 1))
    assert none not in named(("K", 1, None), ("K", 1, None), ("k", 1, 0))
    hefei = request | {"rules": "hefei", "hand": "234m88m", "winning_tile": "8m"}
    assert none not in " ".join(shown(call, hefei).split())


@pytest.mark.parametrize(("payout", "units"), [("table", 2), ("exponential", 2)])
def test_fan_payments_are_reported_in_units(call: Any, payout: str, units: int) -> None:
    request = {"rules": "hong_kong", "hand": "123m456m789p123s11p", "winning_tile": "3s", "flowers": "3f"}
    request |= {"winner": 1, "source": "discard", "from": 2}
    reported = shown(call, request | {"options": {"payout": payout}})
    assert reported.startswith(f"1 fan = {units} units\n")
    assert "times │ fan │" in reported.replace("┃", "│")
    assert f"): 1 fan = {units} units\n" in reported
    assert f"{units} units ×2 Discarder Pays Double 出铳付双倍 = {2 * units}" in reported
    assert f"{units} fan" not in reported
    reported = shown(call, request)
    assert reported.startswith("1 fan\n")
    assert "units" not in reported


@pytest.mark.parametrize(
    ("options", "first", "limit"),
    [
        ({}, "64 fan", "64 + 64, capped at the limit of 64"),
        (
            {"payout": "half_doubling", "fan_limit": 10},
            "10 fan = 128 units",
            "10 + 10 = 20 fan, capped at the limit of 10",
        ),
    ],
)
def test_two_special_hands_are_shown_to_be_capped(
    call: Any, options: dict[str, Any], first: str, limit: str
) -> None:
    request = {
        "rules": "hong_kong", "hand": "11133366677755z", "winning_tile": "5z", "winner": 1,
        "source": "self_draw", "flowers": "3f", "options": options,
    }  # fmt: skip
    reported = shown(call, request)
    assert reported.startswith(first + "\n")
    assert "Hidden Treasure" in reported
    assert "All Honours" in reported
    assert f"\n{limit}\n" in reported


def test_a_false_win_is_described_as_such(call: Any) -> None:
    request = examples("hefei")["HF-R01"] | {"hand": "234568m88m345p678s", "base": 2}
    reported = shown(call, request | {"options": {"false_win_penalty": 10}})
    assert re.search(r"│ 1 \(winner\) │ +−60 │ false win 诈胡: −60 │", reported)
    assert "Payments" not in shown(call, request)


def test_a_win_without_rows_says_so(call: Any) -> None:
    assert shown(call, examples("hangzhou")["HZ-R01"]).startswith("×1\nno row scores\n")


def test_other_settings_are_described_as_option_takes_them(call: Any) -> None:
    reported = shown(call, examples("hefei")["HF-R01"])
    assert re.search(r"│ win_row=0 +│ +0 │", reported)
    assert re.search(r"│ discard=all_pay +│ +15 │ −380 \+980 −300 −300 +│", reported)
    assert re.search(r"│ min_fan=3 +│ no win │", shown(call, examples("hong_kong")["HK-R05"]))
