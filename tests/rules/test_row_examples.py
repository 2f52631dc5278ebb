"""Every row of every game has an example hand, which really scores it, and is explained without codes."""

from __future__ import annotations

import json
import re

import pytest

from companion.rules import RULE_SETS, decode_request, score
from companion.rules.row_examples import FILE, find_row_example

ROWS = [(name, row.id) for name, rules in RULE_SETS.items() for row in rules.rows]
CODE = re.compile(r"[a-z]_[a-z0-9]|\b[A-Z]{2}-\d")


@pytest.mark.parametrize(("rules", "row"), ROWS, ids=lambda each: str(each))
def test_the_example_of_a_row_scores_that_row(rules: str, row: str) -> None:
    example = find_row_example(rules, row)
    assert example is not None
    assert example.line.id == row
    assert example.line.value != 0
    again = score(decode_request(json.dumps({"rules": rules, **json.loads(FILE.read_text())[rules][row]})))
    assert again.legal
    assert again.payments == example.score.payments
    assert sum(again.payments) == 0


def test_there_is_an_example_for_each_row_and_for_nothing_else() -> None:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    assert [(rules, row) for rules in found for row in found[rules]] == ROWS


def test_an_example_differs_from_the_usual_rules_only_where_its_row_does() -> None:
    """A hand by house rules is no help to whoever plays by the usual ones."""
    odd = {}
    for rules, row in ROWS:
        given = json.loads(FILE.read_text(encoding="utf-8"))[rules][row]
        if given.get("options"):
            odd[rules, row] = len(given["options"])
    assert len(odd) <= 16, odd
    assert set(odd.values()) == {1}


@pytest.mark.parametrize(("rules", "row"), ROWS, ids=lambda each: str(each))
def test_a_row_is_explained_without_codes(rules: str, row: str) -> None:
    found = next(each for each in RULE_SETS[rules].rows if each.id == row)
    for text in (found.meaning, found.meaning_zh):
        assert not CODE.search(text), text
