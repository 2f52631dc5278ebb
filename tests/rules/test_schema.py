"""The JSON Schema of requests and answers allows what the program does, and refuses what it refuses."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.errors import RequestError
from companion.rules import RULE_SETS, answer_json, decode_question, score_line
from companion.rules.fields import ALL_FIELDS, FIELDS
from companion.rules.result import make_schema
from lab.bench.hands import random_request

REPOSITORY = Path(__file__).resolve().parents[2]
SCHEMA = make_schema()
GOOD = {
    "rules": "hefei", "hand": "234567m88m345p678s", "winning_tile": "8s", "winner": 1, "source": "discard",
    "from": 2,
}  # fmt: skip


def validator(part: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{part}"}]})


REQUEST, RESULT, ERROR = map(validator, ("request", "result", "error"))


def problems(part: Draft202012Validator, document: object) -> list[str]:
    return [error.message for error in part.iter_errors(json.loads(json.dumps(document)))]


def golden() -> Iterator[dict[str, Any]]:
    """The requests of all worked examples and cases, those that are refused too."""
    folder = REPOSITORY / "tests" / "golden"
    by_id = {}
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            by_id[case["id"]] = case["request"]
    yield from by_id.values()
    for file in sorted((folder / "cases").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield by_id[case["example"]] | case["changes"]


def test_the_schema_in_the_documents_is_the_one_that_is_printed() -> None:
    kept = (REPOSITORY / "docs" / "score.schema.json").read_text(encoding="utf-8")
    assert json.loads(kept) == SCHEMA, "companion score --schema > docs/score.schema.json"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["request"]["properties"].keys() == ALL_FIELDS.keys()
    assert all(field.kind.schema() for field in ALL_FIELDS.values())


def test_every_golden_request_and_its_answer_fit() -> None:
    answered = 0
    for request in golden():
        answer = score_line(json.dumps(request | {"id": "golden"}))
        if "error" in answer:
            assert problems(ERROR, answer) == []
            continue
        assert problems(REQUEST, request) == []
        assert problems(RESULT, answer) == []
        answered += 1
    assert answered > 500


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_requests_and_their_answers_fit(name: str) -> None:
    rng = random.Random(20261128)
    for _ in range(40):
        request = random_request(RULE_SETS[name], rng)
        answer = {"line": 1} | answer_json(decode_question(request, alternatives=False))
        assert (problems(REQUEST, request), problems(RESULT, answer)) == ([], [])


def test_every_key_of_an_answer_is_in_the_schema() -> None:
    """Programs may get more than the schema says, but the schema says all that there is now."""
    closed = json.loads(json.dumps(SCHEMA))

    def close(here: object) -> None:
        if isinstance(here, dict):
            if "properties" in here:
                here["additionalProperties"] = False
            for below in here.values():
                close(below)
        elif isinstance(here, list):
            for below in here:
                close(below)

    close(closed)
    strict = Draft202012Validator({**closed, "anyOf": [{"$ref": "#/$defs/result"}]})
    for request in golden():
        answer = score_line(json.dumps(request))
        assert "error" in answer or problems(strict, answer) == []


WAYS: list[dict[str, Any]] = [
    {"rules": "hong-kong"}, {"hand": ["2m", "3m"]}, {"hand": " 234567m 88m345p678s"}, {"flowers": None},
    {"flowers": []}, {"round_wind": "E"}, {"round_wind": "north"}, {"id": ""}, {"alternatives": False},
    {"options": {"win_row": 0, "kong_is_pung": True, "discard": "all_pay"}}, {"winning_tile": None},
    {"from": None}, {"discards": None}, {"cap": None}, {"cap": 0}, {"balances": [1, 2, 3, 4]},
    {"melds": ["p222m", "K5555p"]}, {"three_melds": [[1, 2]]}, {"situation": ["sea_floor"]},
    {"kongs_declared": [{"kind": "k", "seat": 0, "from": 1}, {"kind": "K", "seat": 0}]},
]  # fmt: skip
WRONG: list[dict[str, Any]] = [
    {"rules": "riichi"}, {"hand": 5}, {"hand": ["22m"]}, {"hand": ["back"]}, {"hand": "234x"},
    {"hand": None}, {"round_wind": "up"}, {"id": 7}, {"alternatives": 0}, {"options": []},
    {"options": {"win_row": None}}, {"winning_tile": "88s"}, {"winner": 4}, {"winner": "1"}, {"winner": None},
    {"from": 4}, {"discards": 145}, {"base": 0}, {"balances": [1, 2, 3]}, {"melds": "p222m"},
    {"melds": ["222m"]}, {"three_melds": [[1, 1]]}, {"situation": ["windy"]}, {"source": "draw"},
    {"kongs_declared": [{"kind": "x", "seat": 0}]}, {"kongs_declared": [{"seat": 0}]}, {"hnad": "2m"},
]  # fmt: skip


@pytest.mark.parametrize("changes", WAYS)
def test_every_way_to_write_a_field_is_allowed(changes: dict[str, Any]) -> None:
    assert problems(REQUEST, GOOD | changes) == []


@pytest.mark.parametrize("changes", WRONG)
def test_invalid_request_is_refused_by_schema_and_decoder(changes: dict[str, Any]) -> None:
    assert problems(REQUEST, GOOD | changes)
    with pytest.raises(RequestError):
        decode_question(GOOD | changes)


@pytest.mark.parametrize("name", ["rules", "hand", "source", "winner"])
def test_mandatory_fields_are_required(name: str) -> None:
    assert problems(REQUEST, {key: value for key, value in GOOD.items() if key != name})
    assert set(SCHEMA["$defs"]["request"]["required"]) <= FIELDS.keys()


def test_an_answer_without_part_of_a_row_does_not_fit() -> None:
    answer = answer_json(decode_question(GOOD, alternatives=False))
    cash = [{"line": answer["lines"][0], "payments": [0, 0, 0, 0]}]
    assert problems(RESULT, answer | {"cash": cash}) == []
    assert problems(RESULT, answer | {"cash": [{"payments": [0, 0, 0, 0]}]})
    unnamed = {key: value for key, value in answer["lines"][0].items() if key != "id"}
    assert problems(RESULT, answer | {"lines": [unnamed]})
