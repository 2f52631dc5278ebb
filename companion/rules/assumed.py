"""What a request left out although it decides the result: each such field, and the value assumed for it."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.rules.fields import FIELDS
from companion.rules.kinds import Json
from companion.rules.registry import rule_set
from companion.rules.request import Question, can_be, check_circumstances, with_value
from companion.rules.request_field import Field
from companion.rules.rule_set import RuleSet
from companion.rules.scoring import CloseScore, is_other, value


def find_assumed(question: Question, found: CloseScore) -> dict[str, Json]:
    """The fields that were left out, that the game looks at, and of which another value would give this hand
    another value or other payments; with the value that was assumed, in JSON.

    Asked of are fields that every win has a value of (`Field.others`), each by itself. None of them says
    which tiles the hand has, so that it is read as before.
    """
    rules, request = rule_set(question.request.rules), question.request

    def matters(field: Field) -> bool:
        if field.attribute not in found.read:
            return False
        for other in _decode_others(rules, field.name):
            changed = with_value(request, field, other)
            then = value(rules, found.win.under(changed), found.readings)
            if is_other(then, found.score) and can_be(rules, changed, check_circumstances):
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
