"""An example hand for every row of every game: a win, taken from the worked cases, in which the row counts.

The hands are in row_examples.json, a request for each row. Another scoring table of a game shares them,
except for rows that the hand does not score there: these are under the name of the game and the table. The
tests score every one of them and find the row in it: a new row without a hand is a failed test, not an empty
page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.rules.registry import RULE_SETS
from companion.rules.request import decode_request
from companion.rules.rule_set import ScoreLine, Sign
from companion.rules.scoring import Score, score
from companion.rules.win import OptionValue, ScoreRequest

FILE = Path(__file__).with_name("row_examples.json")


@dataclass(frozen=True, slots=True)
class RowExample:
    """A win and its score, in which `line` is that of the row; of_payer: it changes what one player pays.
    sign: how it is joined with the others, None for a payment in addition to the win."""

    request: ScoreRequest
    score: Score
    line: ScoreLine
    of_payer: bool
    sign: Sign | None


@cache
def find_row_example(rules: str, row_id: str, table: OptionValue | None = None) -> RowExample | None:
    """The example hand of that row in the scoring table that this setting chooses (`RuleSet.chosen_table`);
    None if there is no such row."""
    examples = _load()
    given = examples.get(f"{rules} {table}", {}).get(row_id) or examples.get(rules, {}).get(row_id)
    if given is None:
        return None
    if table is not None:
        choice = {RULE_SETS[rules].table_option: table}
        given = given | {"options": given.get("options", {}) | choice}
    request = decode_request(json.dumps({"rules": rules, **given}))
    result = score(request, house_rules=False)
    shares = [each for share in result.shares for each in (share, *share.of)]
    places = (
        (result.lines, False, result.sign),
        (tuple(line for share in shares for line in share.lines), True, result.payer_sign),
        (tuple(cash.line for cash in result.cash), True, None),
    )
    for lines, of_payer, sign in places:
        line = next((line for line in lines if line.id == row_id), None)
        if line is not None:
            return RowExample(request, result, line, of_payer, sign)
    return None


@cache
def _load() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
