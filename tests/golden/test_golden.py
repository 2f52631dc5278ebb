"""The worked examples of the rulings, and beside them near misses, house options, refusals: all as data.

Each rule set has two files: NAME.jsonl holds its worked examples; cases/NAME.jsonl holds changes to them. The
table that is common in Taiwan has files of its own, whose lines name the rule set: every example there says
how it was worked out `by_hand`, and lists all its `lines` with their values. Changes are of five kinds:

- `near_miss` a row that must not score, and `why`;
- `option` and `setting`: what the hand is worth `now` and `then`, with the setting: value and payments, or
  `{"legal": false}`, or `{"refused": words}`;
- `stakes` of a table, and the `payments` by them;
- `no_win` a ruling, and words of the reason;
- `refused` a field, and words of the refusal.
"""

import json
from collections.abc import Callable
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, describe, rule_set, score, score_json
from companion.rules.options import COMMON
from companion.rules.win import OptionValue

HERE = Path(__file__).parent
Case = dict[str, Any]


def read(folder: Path) -> list[Case]:
    return [
        {"rules": file.stem, **json.loads(line)}
        for file in sorted(folder.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


EXAMPLES = read(HERE)
REQUESTS = {example["id"]: example["request"] for example in EXAMPLES}
CASES = read(HERE / "cases")


def of(kind: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Parametrises a test by the cases of one kind."""
    chosen = [case for case in CASES if kind in case]
    names = [f"{case['rules']}-{case[kind]}-{case['example']}" for case in chosen]
    return pytest.mark.parametrize("case", chosen, ids=names)


def request(case: Case, **options: Any) -> dict[str, Any]:
    changed = REQUESTS[case["example"]] | case["changes"]
    return changed | {"options": changed.get("options", {}) | options}


def lines_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of the hand, of the payers, and of what is paid beside the win."""
    of_payers = [line for share in result["shares"] for line in share["lines"]]
    return result["lines"] + of_payers + [cash["line"] for cash in result["cash"]]


@cache
def described(name: str, setting: OptionValue | None) -> dict[str, Any]:
    """What that rule set says of its rows, by their ids, in the scoring table which that setting chooses."""
    rules = rule_set(name)
    options = rules.settings({rules.table_option: setting} if rules.table_option and setting else None)
    return {row["id"]: row for row in describe(rules, options)["rows"]}


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """The result, checked for what holds for every one."""
    result = score_json(score(decode_request(asked)))
    assert sum(result["payments"]) == 0
    table_option = rule_set(asked["rules"]).table_option
    rows = described(asked["rules"], asked.get("options", {}).get(table_option))
    for line in lines_of(result):
        row = rows[line["id"]]
        assert [line[key] for key in ("name", "name_zh", "ruling")] == [
            row[key] for key in ("name", "name_zh", "ruling")
        ]
    return result


def outcome(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        result = answer(asked)
    except RequestError as error:
        return {"refused": str(error)}
    if not result["legal"]:
        return {"legal": False}
    return {"value": result["value"], "payments": result["payments"]}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_worked_example(example: Case) -> None:
    result = answer(example["request"])
    assert (result["value"], result["payments"]) == (example["value"], example["payments"])
    assert example["row"] in [line["id"] for line in lines_of(result)]
    if "lines" in example:
        assert {line["id"]: line["value"] for line in result["lines"]} == example["lines"]


@of("near_miss")
def test_a_near_miss_does_not_score_the_row(case: Case) -> None:
    result = answer(request(case))
    assert result["legal"]
    assert case["near_miss"] not in [line["id"] for line in lines_of(result)]


@of("option")
def test_an_option_changes_what_it_names(case: Case) -> None:
    now, then = request(case), request(case, **{case["option"]: case["setting"]})
    before, after = outcome(now), outcome(then)
    assert before == case["now"]
    if "refused" in case["then"]:
        assert case["then"]["refused"] in after["refused"]
    else:
        assert after == case["then"]
    if case["option"] in now["options"] or "refused" in before:
        return
    reported = [
        rule
        for rule in answer(now)["house_rules"]
        if (rule["option"], rule["setting"]) == (case["option"], case["setting"])
    ]
    if before == after or "refused" in after:
        assert not reported
    else:
        assert [reported[0]["value"], reported[0]["legal"]] == [after.get("value", 0), "value" in after]
        assert "value" not in after or reported[0]["payments"] == after["payments"]


@of("stakes")
def test_stakes_say_what_a_win_costs(case: Case) -> None:
    asked = request(case)
    at_stakes, usual = answer(asked | {"stakes": case["stakes"]}), answer(asked)
    assert at_stakes["payments"] == case["payments"]
    assert (at_stakes["value"], at_stakes["lines"]) == (usual["value"], usual["lines"])
    for share in at_stakes["shares"]:
        how = share["reckoning"]
        join = sum if how["sign"] == "+" else prod
        joined = join([at_stakes["value"], *(line["value"] for line in share["lines"])])
        assert share["owed"] == how["plus"] + how["times"] * joined


@of("no_win")
def test_a_hand_that_is_no_win_says_why(case: Case) -> None:
    result = answer(request(case))
    assert (result["legal"], result["value"], result["payments"]) == (False, 0, [0, 0, 0, 0])
    assert (result["lines"], result["shares"], result["reading"]) == ([], [], None)
    assert result["ruling"] == case["no_win"]
    assert case["words"] in result["reason"]


@of("refused")
def test_a_request_that_cannot_be_is_refused(case: Case) -> None:
    with pytest.raises(RequestError) as error:
        decode_request(request(case))
    assert error.value.field == case["refused"]
    assert case["words"] in str(error.value)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_row_has_an_example_and_a_near_miss(name: str) -> None:
    rules = RULE_SETS[name]
    rows = {row.id for row in rules.rows}
    by_option = {
        line["id"]
        for case in CASES
        if case["rules"] == name and "option" in case and "value" in case["then"]
        for line in lines_of(answer(request(case, **{case["option"]: case["setting"]})))
    }
    missed = {case["near_miss"] for case in CASES if case["rules"] == name and "near_miss" in case}
    examples = {example["row"] for example in EXAMPLES if example["rules"] == name}
    assert rows - examples - by_option == set()
    assert rows - missed == set()


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_setting_of_every_option_has_a_case(name: str) -> None:
    tested = {
        (case["option"], setting)
        for case in CASES
        if case["rules"] == name and "option" in case and case["now"] != case["then"]
        for setting in [case["setting"], *case["changes"].get("options", {}).values()]
    }
    untested = [
        (option.key, setting)
        for option in RULE_SETS[name].options
        for setting in option.alternatives(option.default)
        if (option.key, setting) not in tested and option not in COMMON
    ]
    assert untested == []


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_false_win_costs_what_the_house_says(name: str) -> None:
    case = next(case for case in CASES if case["rules"] == name and "no_win" in case)
    asked = request(case, false_win_penalty=50) | {"base": 2}
    result = answer(asked)
    winner = asked["winner"]
    assert result["payments"] == [-300 if seat == winner else 100 for seat in range(4)]
