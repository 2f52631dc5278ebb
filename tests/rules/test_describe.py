"""What a rule set says of itself is complete, in both languages, and can be written as JSON."""

import json
import string
from itertools import groupby

import pytest

from companion.rules import RULE_SETS, TEMPLATES, RuleSet, describe, rule_set
from companion.tiles.tile import TEMPLATES as TILE_TEMPLATES


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_rows_and_options_are_explained_in_english_and_chinese(rules: RuleSet) -> None:
    document = json.loads(json.dumps(describe(rules)))
    assert document["name"] == rules.name
    for entry in document["rows"] + document["options"] + document["stakes"]:
        assert entry["meaning"]
        assert any("一" <= char <= "鿿" for char in entry["meaning_zh"])
        assert entry.get("ruling") or entry in document["stakes"]
    for row in document["rows"] + document["situations"] + document["shapes"]:
        assert row["name"]
        assert any("一" <= char <= "鿿" for char in row["name_zh"])


def test_stakes_are_described() -> None:
    stakes = {name: describe(rules)["stakes"] for name, rules in RULE_SETS.items()}
    assert [(each["key"], each["default"]) for each in stakes["taiwanese"]] == [("base", 0), ("unit", 1)]
    assert [(each["key"], each["default"]) for each in stakes["hefei"]] == [("unit", 20)]
    assert stakes["hefei"][0]["meaning"] == "What one zui costs each payer."


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_the_rows_of_a_table_stand_together(rules: RuleSet) -> None:
    tables = [table for table, _ in groupby(row["table"] for row in describe(rules)["rows"])]
    assert len(tables) == len(set(tables))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_names_are_given_once_and_refer_to_what_is_there(rules: RuleSet) -> None:
    rows = [row.id for row in rules.rows]
    keys = [option.key for option in rules.options]
    assert len(rows) == len(set(rows))
    assert len(keys) == len(set(keys))
    assert {id for row in rules.patterns for id in row.replaces} <= set(rows)
    assert {s.option for s in rules.shapes} | set(rules.meld_kinds.values()) <= {None, *keys}
    assert {id for s in rules.situations for id in s.excludes} <= {s.id for s in rules.situations}
    assert all(option.allows(option.default) for option in rules.options)


def test_hefei_is_described_as_its_table() -> None:
    document = describe(rule_set("hefei"))
    assert (document["tiles"], document["hand_size"], document["unit"]) == (84, 13, "zui")
    values = {row["id"]: row["value"] for row in document["rows"]}
    assert len(values) == 23
    assert (values["winning_a_hand"], values["kong_draw"], values["dealer"]) == (15, 2, 4)
    by_key = {option["key"]: option for option in document["options"]}
    assert by_key["win_row"]["values"] == [15, 0]
    assert by_key["discard"]["default"] == "discarder_pays"
    assert by_key["false_win_penalty"]["values"] == {"least": 0, "most": 1_000_000}


@pytest.mark.parametrize("template", [*TEMPLATES, *TILE_TEMPLATES])
def test_sentences_are_templates_with_named_parts(template: str) -> None:
    parts = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    assert all(name.isidentifier() for name in parts)
    assert template.endswith((".", "{problem}"))
