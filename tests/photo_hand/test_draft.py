"""A draft of a win follows the table of a request's fields: what it sends, keeps, forgets and accepts."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from companion.photo_hand.draft import KEPT, WinDraft
from companion.rules import RULE_SETS, Source
from companion.rules.fields import FIELDS
from companion.rules.kinds import Number, OneTile
from companion.rules.win import DeclaredKong, Stakes
from companion.tiles import MeldKind

FULL: dict[str, Any] = {
    "rules": "hangzhou",
    "options": (("rob", "never"),),
    "source": Source.DISCARD,
    "winner": 3,
    "discarder": 2,
    "dealer": 1,
    "streak": 4,
    "round_wind": 2,
    "situation": ("replacement",),
    "discards": 30,
    "fortune": "9s",
    "gambits": 2,
    "consecutive_kongs": 1,
    "three_melds": ((0, 1),),
    "kongs_declared": (DeclaredKong(MeldKind.KONG_DISCARD, 0, 1),),
    "stakes": Stakes(unit=5),
    "base": 5,
    "cap": 64,
    "balances": (None, 1, 2, 3),
}


def test_a_draft_keeps_every_field_but_those_of_the_tiles() -> None:
    assert FULL.keys() == {field.attribute for field in KEPT}
    attributes = {attribute.name for attribute in fields(WinDraft)}
    for field in KEPT:
        assert field.attribute in attributes or isinstance(field.kind, Number | OneTile), field.name
    assert WinDraft().record(**FULL).is_valid


def test_only_what_a_draft_has_can_be_recorded() -> None:
    with pytest.raises(KeyError):
        WinDraft().record(winnner=2)


def test_the_next_hand_keeps_what_lasts() -> None:
    draft, new = WinDraft().record(**FULL), WinDraft()
    after = draft.next_hand()
    for field in KEPT:
        assert after.value(field) == (draft if field.lasts else new).value(field), field.name


def test_a_request_has_the_fields_that_the_game_looks_at() -> None:
    for name, rules in RULE_SETS.items():
        used = {field.name for field in FIELDS.values() if field.used_by(rules)}
        assert WinDraft(rules=name).request().keys() == used


def test_a_streak_that_another_game_had_is_at_least_the_least_of_this_one() -> None:
    streak = FIELDS["streak"]
    assert WinDraft(rules="taiwanese", streak=0).number(streak) == 0
    assert WinDraft(rules="hefei", streak=0).number(streak) == 1
    assert WinDraft(rules="hefei", streak=0).is_valid
    assert [WinDraft(rules=rules).number(streak) for rules in ("taiwanese", "hefei")] == [0, 1]


def test_stakes_that_a_game_does_not_have_are_not_sent() -> None:
    agreed = Stakes(base=100, unit=20)
    assert WinDraft(rules="taiwanese", stakes=agreed).request()["stakes"] == {"base": 100, "unit": 20}
    other = WinDraft(rules="hefei", stakes=agreed)
    assert other.request()["stakes"] is None
    assert other.is_valid
    assert WinDraft(rules="hefei", stakes=Stakes(unit=5)).request()["stakes"] == {"base": 0, "unit": 5}
    assert WinDraft(rules="hefei").request()["stakes"] is None


WRONG: list[tuple[str, Any]] = [
    ("rules", "chess"),
    ("options", (("no_such_option", True),)),
    ("options", (("rob", "often"),)),
    ("winner", 4),
    ("dealer", -1),
    ("discarder", 4),
    ("streak", 10**6),
    ("round_wind", 4),
    ("round_wind", -1),
    ("situation", ("windy",)),
    ("discards", -1),
    ("fortune", "?"),
    ("fortune", "back"),
    ("gambits", -1),
    ("consecutive_kongs", 99),
    ("three_melds", ((1, 1),)),
    ("three_melds", ((0, 4),)),
    ("kongs_declared", (DeclaredKong(MeldKind.PUNG, 0, None),)),
    ("kongs_declared", (DeclaredKong(MeldKind.KONG_DISCARD, 0, None),)),
    ("stakes", Stakes(base=-1)),
    ("stakes", Stakes(unit=0)),
    ("base", 0),
    ("cap", -1),
    ("balances", (1, 2)),
    ("balances", (None, 1, 2, -3)),
]


@pytest.mark.parametrize("source", Source)
@pytest.mark.parametrize(("attribute", "value"), WRONG)
def test_a_draft_with_what_cannot_be_is_not_sound(attribute: str, value: Any, source: Source) -> None:
    assert not WinDraft().record(**FULL | {"source": source, attribute: value}).is_valid
    assert {field.attribute for field in KEPT} - {"source"} == {name for name, _ in WRONG}
