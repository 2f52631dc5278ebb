"""An example hand for each house option: what each setting of it makes of that hand.

The hands are in examples.json, a request for each option of each game; all but the option that is looked at
stands as the request says. A new option without a hand is a failed test, not an empty card.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.errors import RequestError
from companion.rules import RULE_SETS, decode_request, score
from companion.rules.options import Option
from companion.rules.win import OptionValue, ScoreRequest

FILE = Path(__file__).with_name("examples.json")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hand is worth under one setting, and what each seat gets. possible: whether there can be such a
    hand: where chows are not claimed, none lies on the table."""

    setting: OptionValue
    legal: bool
    value: int
    payments: tuple[int, ...]
    possible: bool = True


@dataclass(frozen=True, slots=True)
class Example:
    """The win that is looked at, and what comes of it under each setting, in the order of `list_settings`."""

    request: ScoreRequest
    outcomes: tuple[Outcome, ...]


def list_settings(option: Option) -> tuple[OptionValue, ...]:
    """The settings in the order in which they are offered: no before yes, numbers ascending, words as they
    are declared. None where any number will do."""
    if isinstance(option.values, range):
        return ()
    is_ordered = all(isinstance(value, int) for value in option.values)
    return tuple(sorted(option.values)) if is_ordered else option.values


@cache
def find_example(rules: str, key: str) -> Example | None:
    """The example hand of that option, scored under each of its settings."""
    option = next(option for option in RULE_SETS[rules].options if option.key == key)
    given = _load().get(rules, {}).get(key)
    if given is None:
        return None
    settings = list_settings(option) or (option.default, given["options"][key])
    request: ScoreRequest | None = None
    outcomes = []
    for setting in settings:
        try:
            won = _with_setting(given, key, setting)
        except RequestError:
            outcomes.append(Outcome(setting, False, 0, (0, 0, 0, 0), possible=False))
            continue
        request = request or won
        result = score(won, house_rules=False)
        outcomes.append(Outcome(setting, result.legal, result.value, tuple(result.payments)))
    return Example(request, tuple(outcomes)) if request else None


def _with_setting(given: dict[str, Any], key: str, setting: OptionValue) -> ScoreRequest:
    return decode_request(json.dumps({**given, "options": {**given["options"], key: setting}}))


@cache
def _load() -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
