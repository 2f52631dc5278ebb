"""The fields that a request left out although they change its result, with the values assumed for them."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.rules.fields import FIELDS
from companion.rules.kinds import Json
from companion.rules.registry import rule_set
from companion.rules.request import Question, check_circumstances, is_valid, with_value
from companion.rules.request_field import Field
from companion.rules.rule_set import RuleSet
from companion.rules.scoring import TracedScore, differs, value


def find_assumed(question: Question, found: TracedScore) -> dict[str, Json]:
    """The fields that were left out, that the game reads, and that with another setting would change the
    value or the payments of this hand; each with the setting that was assumed, in JSON.

    Only fields that every win has are tried (`Field.others`), one at a time. None of them changes the tiles
    of the hand, so its readings stay the same.
    """
    rules, request = rule_set(question.request.rules), question.request

    def matters(field: Field) -> bool:
        if field.attribute not in found.read:
            return False
        for other in _decode_others(rules, field.name):
            changed = with_value(request, field, other)
            then = value(rules, found.win.under(changed), found.readings)
            if differs(then, found.score) and is_valid(rules, changed, check_circumstances):
                return True
        return False

    return {
        field.name: field.default_in(rules)
        for field in _fields_with_others(rules)
        if field.name in question.left_out and matters(field)
    }


@cache
def _fields_with_others(rules: RuleSet) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS.values() if field.others and field.used_by(rules))


@cache
def _decode_others(rules: RuleSet, name: str) -> tuple[Any, ...]:
    """The values other than the default, as a ScoreRequest holds them."""
    field = FIELDS[name]
    default = field.default_in(rules)
    return tuple(field.kind.decode(name, other, rules) for other in field.others if other != default)
