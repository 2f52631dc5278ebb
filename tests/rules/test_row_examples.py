"""Every row of every game has an example hand, which really scores it, and is explained without codes."""

from __future__ import annotations

import json
import re

import pytest

from companion.rules import RULE_SETS, score
from companion.rules.row_examples import FILE, find_row_example
from companion.rules.win import OptionValue

OWN = [
    (name, rules.defaults[rules.table_option] if rules.table_option else None, row.id)
    for name, rules in RULE_SETS.items()
    for row in rules.rows_of(None)
]
OTHER = [
    (name, table, row.id)
    for name, rules in RULE_SETS.items()
    for table in rules.other_tables
    for row in rules.rows_of(table)
]
"""The rows of other scoring tables than a game's own, by the setting that chooses the table."""
CODE = re.compile(r"[a-z]_[a-z0-9]|\b[A-Z]{2}-\d")


@pytest.mark.parametrize(("rules", "table", "row"), OWN + OTHER, ids=lambda each: str(each))
def test_the_example_of_a_row_scores_that_row(rules: str, table: OptionValue | None, row: str) -> None:
    example = find_row_example(rules, row, table)
    assert example is not None
    assert example.line.id == row
    assert example.line.value != 0
    assert example.score.table == table
    again = score(example.request)
    assert again.legal
    assert again.payments == example.score.payments
    assert sum(again.payments) == 0


def test_a_row_that_another_table_lacks_has_no_example_there() -> None:
    assert find_row_example("taiwanese", "closed_wait", "common") is None
    assert find_row_example("taiwanese", "seat_wind") is None


def test_there_is_an_example_for_each_row_and_for_nothing_else() -> None:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    assert [(game, row) for game in found if game in RULE_SETS for row in found[game]] == [
        (game, row) for game, _, row in OWN
    ]
    beside = {(game, row) for game in found if game not in RULE_SETS for row in found[game]}
    assert beside <= {(f"{rules} {table}", row) for rules, table, row in OTHER}


def test_an_example_differs_from_the_usual_rules_only_where_its_row_does() -> None:
    """A hand by house rules is no help to whoever plays by the usual ones."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    odd = {
        (game, row): len(given["options"])
        for game in found
        for row, given in found[game].items()
        if given.get("options")
    }
    assert len(odd) <= 24, odd
    assert set(odd.values()) == {1}


@pytest.mark.parametrize(("rules", "table", "row"), OWN + OTHER, ids=lambda each: str(each))
def test_a_row_is_explained_without_codes(rules: str, table: OptionValue | None, row: str) -> None:
    found = next(each for each in RULE_SETS[rules].rows_of(table) if each.id == row)
    for text in (found.meaning, found.meaning_zh):
        assert not CODE.search(text), text
