"""The worked examples of the rulings: value, payments, and the row that each example is there for."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.rules import decode_request, score, score_json

CASES = [
    json.loads(line)
    for file in sorted(Path(__file__).parent.glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_worked_example(case: dict[str, Any]) -> None:
    result = score_json(score(decode_request(case["request"])))
    assert (result["value"], result["payments"]) == (case["value"], case["payments"])
    assert case["row"] in [line["id"] for line in result["lines"]]
