"""The answer to a request: what it repeats and leaves out, and what was assumed for what was left out."""

from __future__ import annotations

import json
import random
from itertools import product
from typing import Any

import pytest

from companion.errors import RequestError
from companion.rules import (
    RULE_SETS,
    answer_json,
    decode_question,
    decode_request,
    score,
    score_json,
    score_line,
)
from companion.rules.fields import FIELDS, Field
from companion.rules.profile import make_profile
from lab.bench.hands import random_request

HONG_KONG: dict[str, Any] = {
    "rules": "hong_kong", "hand": "456p678s99m", "melds": ["p222p", "c123m"], "winning_tile": "8s",
    "winner": 1, "source": "discard", "from": 2,
}  # fmt: skip
TAIWAN: dict[str, Any] = {
    "rules": "taiwanese", "hand": "123m567m678s55z", "melds": ["p222p", "c345s"], "winning_tile": "8s",
    "winner": 1, "source": "discard", "from": 2,
}  # fmt: skip
HEFEI: dict[str, Any] = {
    "rules": "hefei", "hand": "234567m88m345p678s", "winning_tile": "8s", "winner": 1, "source": "discard",
    "from": 2,
}  # fmt: skip


def answer(request: dict[str, Any], **how: Any) -> dict[str, Any]:
    return answer_json(decode_question(request, **how))


def test_an_answer_is_the_result_and_what_was_assumed() -> None:
    assert answer(HEFEI) == score_json(score(decode_request(HEFEI))) | {"assumed": {"dealer": 0}}


def test_a_line_of_a_batch_is_answered_as_its_request() -> None:
    assert score_line(json.dumps(HEFEI)) == answer(HEFEI)
    profile = make_profile(RULE_SETS["hong_kong"], {"min_fan": 3})
    line = json.dumps(HONG_KONG | {"rules": "hong-kong"})
    assert score_line(line)["legal"]
    assert not score_line(line, profile=profile)["legal"]
    assert score_line(json.dumps(HEFEI), profile=profile)["field"] == "rules"


@pytest.mark.parametrize("id", ["", "7", "手牌 12"])
def test_an_id_is_repeated(id: str) -> None:
    assert answer(HEFEI | {"id": id}) == {"id": id, **answer(HEFEI)}
    wrong = score_line(json.dumps(HEFEI | {"id": id, "hand": "2m"}))
    assert (wrong["id"], wrong["field"]) == (id, "hand")
    assert score_line(json.dumps(HEFEI | {"id": id, "rules": 5}))["id"] == id
    assert score_line(json.dumps({"id": id}))["id"] == id
    assert "id" not in score_line('{"id": "7"')


@pytest.mark.parametrize("id", [7, None, ["7"], True])
def test_an_id_that_is_no_string_is_refused(id: object) -> None:
    wrong = score_line(json.dumps(HEFEI | {"id": id}))
    assert wrong == {"error": f"id must be a string, not {json.dumps(id)}.", "field": "id"}


def test_house_rules_are_left_out_where_they_are_not_wanted() -> None:
    full = answer(HEFEI)
    assert full["house_rules"]
    without = {key: value for key, value in full.items() if key != "house_rules"}
    assert answer(HEFEI | {"alternatives": False}) == without
    assert answer(HEFEI, alternatives=False) == without
    assert answer(HEFEI | {"alternatives": True}, alternatives=False) == full
    with pytest.raises(RequestError, match=r"^alternatives must be true or false, not 0\.$"):
        decode_question(HEFEI | {"alternatives": 0})


def test_json_that_is_wrong_names_the_line_of_the_batch() -> None:
    assert "line 7 column 11" in score_line('{"rules": x}', 7)["error"]
    assert "line 1 column 11" in score_line('{"rules": x}')["error"]


TERMINALS = {"hand": "11999m111p", "melds": ["p111s", "p999s"], "winning_tile": "1p"}
OPTIONS = {"taiwanese": {"winds_seat_round_only": True}}
"""Options under which each field matters now and then."""
ASSUMED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("No Flowers lets it win", HONG_KONG, {"flowers": ""}),
    ("flowers are given", HONG_KONG | {"flowers": ""}, {}),
    ("flowers are not known", HONG_KONG | {"flowers": None, "melds": ["p777z", "c123m"]}, {}),
    ("own flowers depend on the dealer", HONG_KONG | {"flowers": "2f"}, {"dealer": 0}),
    ("a pung of East", HONG_KONG | {"flowers": "", "melds": ["p111z", "c123m"]},
     {"dealer": 0, "round_wind": "east"}),
    ("a pung of South", HONG_KONG | {"flowers": "", "melds": ["p222z", "c123m"], "dealer": 0},
     {"round_wind": "east"}),
    ("no flowers are in play", HONG_KONG | {"options": {"flowers": False, "min_fan": 0}}, {}),
    ("the limit, whatever the flowers", HONG_KONG | TERMINALS, {}),
    ("all that Taiwan asks", TAIWAN, {"flowers": "", "dealer": 0, "discards": None}),
    ("discards are not known", TAIWAN | {"flowers": "1f", "dealer": 0, "discards": None}, {}),
    ("the dealer wins", TAIWAN | {"flowers": "1f", "dealer": 1, "discards": None}, {"streak": 0}),
    ("only the discarder pays", HEFEI | {"dealer": 3}, {}),
    ("the dealer discards", HEFEI | {"dealer": 2}, {"streak": 1}),
    ("a pung of winds, whichever", TAIWAN | {"flowers": "", "dealer": 3, "discards": 40, "streak": 0,
     "melds": ["p222z", "c345s"]}, {}),
    ("seat and round wind together make three fan", HONG_KONG | {"flowers": "1f",
     "melds": ["p777z", "p333z"], "options": {"min_fan": 3}},
     {"dealer": 0, "round_wind": "east"}),
    ("dealer and flowers, or flowers and round wind", HONG_KONG | {
     "melds": ["p333z", "c123m"], "options": {"min_fan": 5}},
     {"flowers": "", "dealer": 0, "round_wind": "east"}),
    ("nothing lets it win", HONG_KONG | {"flowers": "1f", "options": {"min_fan": 5}}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("why", "asked", "assumed"), ASSUMED)
def test_deciding_omitted_fields_are_listed(why: str, asked: dict[str, Any], assumed: dict[str, Any]) -> None:
    assert answer(asked)["assumed"] == assumed


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_field_is_assumed_exactly_where_another_value_of_it_changes_the_result(name: str) -> None:
    rules, rng = RULE_SETS[name], random.Random(20261128)
    open_fields = [field for field in FIELDS.values() if field.others and field.used_by(rules)]
    seen: set[str] = set()
    for _ in range(60):
        request = random_request(rules, rng) | {"options": OPTIONS.get(name, {})}
        for field in open_fields:
            request.pop(field.name, None)
        try:
            question = decode_question(request, alternatives=False)
        except RequestError:
            continue
        now = answer_json(question)
        expected = {}
        for field in open_fields:
            for other in field.others:
                then = score_line(json.dumps(request | {field.name: other}))
                changed = [then.get(key) != now[key] for key in ("legal", "value", "payments")]
                if "error" not in then and any(changed):
                    expected[field.name] = field.default_in(rules)
        if not expected and not now["legal"] and now["assumed"]:
            assert set(now["assumed"]) == find_deciding_together(request, open_fields), request
            continue
        assert now["assumed"] == expected, request
        seen.update(expected)
    assert seen == {field.name for field in open_fields}


def find_deciding_together(request: dict[str, Any], fields: list[Field]) -> set[str]:
    """The names of the smallest groups of fields that together let the hand win."""
    wins = []
    for values in product(*([None, *field.others] for field in fields)):
        given = {field.name: value for field, value in zip(fields, values, strict=True) if value is not None}
        if score_line(json.dumps(request | given)).get("legal"):
            wins.append(set(given))
    least = min(map(len, wins))
    return set().union(*(names for names in wins if len(names) == least))


def test_discards_are_assumed_where_only_the_first_can_have_been_made() -> None:
    earthly = {
        "rules": "taiwanese", "hand": "555p456s999p123s555m22s", "winning_tile": "9p", "winner": 0,
        "dealer": 1, "source": "discard", "from": 1, "situation": ["earthly"],
        "options": {"pure_additive": True},
    }  # fmt: skip
    assert answer(earthly)["assumed"]["discards"] is None
