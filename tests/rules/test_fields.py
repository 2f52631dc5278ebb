"""The table of a request's fields fits the value that requests become, and the games that look at them."""

from __future__ import annotations

from dataclasses import fields

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, ScoreRequest, decode_request
from companion.rules.fields import FIELDS, REQUIRED
from companion.rules.kinds import NumberKind

WIN = {"hand": "234567m88m345p678s", "winning_tile": "8s", "winner": 1, "source": "self_draw"}
DECODED = {rules: decode_request(WIN | {"rules": rules}) for rules in ("hefei", "hebei")}


def test_the_fields_of_the_table_are_those_of_a_request() -> None:
    attributes = {attribute.name for attribute in fields(ScoreRequest)}
    beside = {"also_won", "extra", "flowers_known"}
    assert attributes - beside == {field.attribute for field in FIELDS.values()}
    assert DECODED["hefei"].extra == {}


def test_games_look_at_fields_of_the_table() -> None:
    some = {name for name, field in FIELDS.items() if field.only_some}
    assert set().union(*(rules.uses for rules in RULE_SETS.values())) == some
    for rules in RULE_SETS.values():
        assert rules.meanings.keys() <= rules.uses, rules.name


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if field.only_some])
def test_a_field_that_says_nothing_is_accepted_in_every_game(name: str) -> None:
    rules = "hebei" if name in RULE_SETS["hefei"].uses else "hefei"
    assert not FIELDS[name].used_by(RULE_SETS[rules]), "neither game looks at it"
    for given in FIELDS[name].nothing or ():
        assert decode_request(WIN | {"rules": rules, name: given}) == DECODED[rules]


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if field.default is not REQUIRED])
def test_the_default_of_a_field_may_be_given_as_well(name: str) -> None:
    for rules in RULE_SETS.values():
        field = FIELDS[name]
        default = field.default_in(rules)
        field.kind.decode(name, default, rules)
        assert field.used_by(rules) or field.says_nothing(default)


@pytest.mark.parametrize("name", [name for name, field in FIELDS.items() if type(field.kind) is NumberKind])
def test_a_number_has_bounds(name: str) -> None:
    kind = FIELDS[name].kind
    assert isinstance(kind, NumberKind)
    rules = next(rules for rules in RULE_SETS.values() if FIELDS[name].used_by(rules))
    for right in (kind.least, kind.most):
        assert kind.decode(name, right, rules) == right
    for wrong in (kind.least - 1, kind.most + 1, True, 1.0, "1"):
        with pytest.raises(RequestError, match=f"^{name} must be a whole number from {kind.least} to"):
            kind.decode(name, wrong, rules)
