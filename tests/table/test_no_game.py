"""The table names no game: it asks the policies of the house, and reads no house option itself."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import table
from companion.rules import RULE_SETS
from companion.rules.profile import list_house_options

MODULES = sorted(Path(table.__file__).parent.glob("*.py"))
TEXTS = [*MODULES, *sorted(Path(table.__file__).parent.glob("*.md"))]
EXAMPLE = re.compile(r"```json.*?```", re.DOTALL)
"""A log that is printed in a document: it is of some game."""
PREFIXES = {"hefei": "HF", "hebei": "HB", "taiwanese": "TW", "hong_kong": "HK", "hangzhou": "HZ"}
GAMES_WITH = Counter(option.key for rules in RULE_SETS.values() for option in list_house_options(rules))
OF_ONE_GAME = {key for key, games in GAMES_WITH.items() if games == 1}


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_no_ruling_and_no_name_of_a_game_appears(file: Path) -> None:
    assert PREFIXES.keys() == RULE_SETS.keys()
    text = EXAMPLE.sub("", file.read_text(encoding="utf-8"))
    assert re.findall(rf"\b(?:{'|'.join(PREFIXES.values())})-\d+", text) == []
    names = {name for rules in RULE_SETS.values() for name in (rules.name, rules.title, rules.title_zh)}
    assert [name for name in names if re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_option_of_a_single_game_appears(module: Path) -> None:
    """Those that are words of their own, as "dealer" and "hands" are, only where something is looked up."""
    text = module.read_text(encoding="utf-8")
    unmistakable = {key for key in OF_ONE_GAME if "_" in key or "." in key}
    assert [key for key in unmistakable if re.search(rf"\b{re.escape(key)}\b", text)] == []
    assert OF_ONE_GAME & set(looked_up(ast.parse(text))) == set()


def looked_up(tree: ast.AST) -> Iterator[str]:
    """The constant strings that stand in `x["here"]`, `x.get("here")` or `x.on("here")`."""
    for node in ast.walk(tree):
        keys: list[ast.expr] = []
        if isinstance(node, ast.Subscript):
            keys = [node.slice]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            keys = node.args if node.func.attr in ("get", "on") else []
        yield from (key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


def test_search_finds_options_of_one_game() -> None:
    found = set(looked_up(ast.parse('options["dealer"] + house.on("rob") + options.get("hands", 4)')))
    assert found == {"dealer", "rob", "hands"}
    assert found < OF_ONE_GAME
    assert {"max_chows", "sea_must_win", "kong_refund_on_draw", "ting_must_win"} < OF_ONE_GAME
