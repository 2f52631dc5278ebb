"""The rule set that the manual writes as an example is a whole one."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.rules import RuleSet, decode_request, describe, score

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-rule-set.md"


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
