"""Rule sets by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.errors import RequestError, quote
from companion.rules import messages
from companion.rules.rule_set import RuleSet
from companion.rules.variants import ALL

RULE_SETS: Mapping[str, RuleSet] = MappingProxyType({rules.name: rules for rules in ALL})


def find_rule_set(name: str) -> RuleSet | None:
    """The rule set called `name` as people write it, with - or _; None if it does not exist."""
    return RULE_SETS.get(name.replace("-", "_"))


def rule_set(name: str) -> RuleSet:
    """The rule set called `name`; RequestError (field "rules") names those there are."""
    found = RULE_SETS.get(name)
    if found is None:
        raise RequestError(
            messages.WRONG_TYPE, field="rules", allowed=" or ".join(RULE_SETS), value=quote(name)
        )
    return found
