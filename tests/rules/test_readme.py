"""The rule sets that the documents and the examples write are whole ones."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.rules import RuleSet, decode_request, describe, score

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "adding-a-rule-set.md"


def test_the_example_of_a_rule_set_scores(only: Callable[[RuleSet], None]) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    written: dict[str, Any] = {}
    exec(code[1], written)
    only(written["PLAIN"])
    request = {
        "rules": "plain",
        "hand": "234567m55p678s",
        "melds": ["p777z"],
        "winning_tile": "8s",
        "winner": 1,
        "source": "discard",
        "from": 2,
    }
    assert score(decode_request(request)).payments == (0, 3, -3, 0)
    drawn = {**request, "source": "self_draw", "hand": "234567m55p678s", "base": 2}
    assert score(decode_request(drawn)).payments == (-6, 18, -6, -6)
    pairs = {**request, "hand": "1122334455m6677z", "melds": [], "winning_tile": "1m"}
    assert score(decode_request(pairs)).payments == (0, 1, -1, 0)
    assert [row["name_zh"] for row in describe(written["PLAIN"])["rows"]] == ["胡牌", "箭刻"]


def test_the_rule_set_of_the_examples_has_one_row_more_than_hefei(only: Callable[[RuleSet], None]) -> None:
    village = runpy.run_path(str(REPOSITORY / "examples" / "new_rule_set.py"))["VILLAGE"]
    request = {
        "hand": "234678m88m234p678s",
        "winning_tile": "8s",
        "winner": 1,
        "source": "discard",
        "from": 2,
    }
    hefei = score(decode_request({**request, "rules": "hefei"}))
    only(village)
    found = score(decode_request({**request, "rules": "village"}))
    assert (found.value, found.lines[-1].name) == (hefei.value + 5, "No Fives")
    with_a_five = {**request, "rules": "village", "hand": "234567m88m234p678s"}
    assert "No Fives" not in [line.name for line in score(decode_request(with_a_five)).lines]
