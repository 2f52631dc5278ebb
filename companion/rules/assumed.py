"""The fields that a request left out although they change its result, with the values assumed for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

from companion.rules.fields import FIELDS
from companion.rules.kinds import Json
from companion.rules.registry import rule_set
from companion.rules.request import Question, check_circumstances, is_valid, with_value
from companion.rules.request_field import Field
from companion.rules.rule_set import RuleSet
from companion.rules.scoring import TracedScore, differs, value
from companion.rules.win import ScoreRequest


def find_assumed(question: Question, found: TracedScore) -> dict[str, Json]:
    """The fields that were left out, that the game reads, and that with another setting would change the
    value or the payments of this hand; each with the setting that was assumed, in JSON.

    Only fields that every win has are tried (`Field.others`), one at a time. Where none alone decides and the
    hand is refused, as for too few fan, they are tried together: listed are the fields of the smallest groups
    with which it wins. None of them changes the tiles of the hand, so its readings stay the same.
    """
    rules = rule_set(question.request.rules)
    fields = [field for field in _fields_with_others(rules) if field.name in question.left_out]
    read = [field for field in fields if field.attribute in found.read]
    deciding = [field for field in read if _changes_result(rules, question, found, [field])]
    if not deciding and not found.score.legal and found.readings:
        together = _list_smallest_groups(rules, question, found, fields)
        deciding = [field for field in fields if any(field in group for group in together)]
    return {field.name: field.default_in(rules) for field in deciding}


def _list_smallest_groups(
    rules: RuleSet, question: Question, found: TracedScore, fields: Sequence[Field]
) -> list[tuple[Field, ...]]:
    """The smallest groups of several fields that together change the result."""
    for size in range(2, len(fields) + 1):
        groups = [
            group for group in combinations(fields, size) if _changes_result(rules, question, found, group)
        ]
        if groups:
            return groups
    return []


def _changes_result(rules: RuleSet, question: Question, found: TracedScore, fields: Sequence[Field]) -> bool:
    """Whether some other values of these fields together change the value or the payments."""
    for changed in _list_changed(rules, question.request, fields):
        then = value(rules, found.win.under(changed), found.readings)
        if differs(then, found.score) and is_valid(rules, changed, check_circumstances):
            return True
    return False


def _list_changed(rules: RuleSet, request: ScoreRequest, fields: Sequence[Field]) -> Iterator[ScoreRequest]:
    """The request with each combination of other values of these fields."""
    for others in product(*(_decode_others(rules, field.name) for field in fields)):
        changed = request
        for field, other in zip(fields, others, strict=True):
            changed = with_value(changed, field, other)
        yield changed


@cache
def _fields_with_others(rules: RuleSet) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS.values() if field.others and field.used_by(rules))


@cache
def _decode_others(rules: RuleSet, name: str) -> tuple[Any, ...]:
    """The values other than the default, as a ScoreRequest holds them."""
    field = FIELDS[name]
    default = field.default_in(rules)
    return tuple(field.kind.decode(name, other, rules) for other in field.others if other != default)
