"""How a hand is compared under other house options: only those that it read are tried, and none is missed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from companion.errors import RequestError
from companion.rules import RULE_SETS, HouseRule, RuleSet, ScoreRequest, decode_request, rule_set, score
from companion.rules.options import COMMON, switch
from companion.rules.request import check
from companion.rules.scoring import TracedOptions
from companion.rules.win import HandReading, Win
from lab.bench.hands import random_request

HANDS = 150


def compare_in_full(request: ScoreRequest) -> list[HouseRule]:
    """The same by scoring the whole hand anew under every setting of every option."""
    rules, now, found = rule_set(request.rules), score(request, house_rules=False), []
    for option in rules.options:
        for setting in option.alternatives(request.options[option.key]):
            other = request.changed(options={**request.options, option.key: setting})
            try:
                check(rules, other)
            except RequestError:
                continue
            then = score(other, house_rules=False)
            if (then.legal, then.value, then.payments) != (now.legal, now.value, now.payments):
                found.append(HouseRule(option.key, setting, then.legal, then.value, then.payments))
    return found


def random_table(rules: RuleSet, rng: random.Random, given: dict[str, Any]) -> ScoreRequest:
    """The request at a table that agreed on any number of settings, where it still stands there."""
    agreed = {
        option.key: rng.choice((option.default, *option.alternatives(option.default)))
        for option in rng.sample(rules.options, rng.randrange(len(rules.options)))
    }
    for options in (agreed, {}):
        try:
            return decode_request(given | {"options": options})
        except RequestError:
            continue
    raise AssertionError(given)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULE_SETS)
def test_no_setting_that_changes_a_hand_is_missed(name: str) -> None:
    rules, rng = RULE_SETS[name], random.Random(20261128)
    changing: set[str] = set()
    for _ in range(HANDS):
        given = random_request(rules, rng)
        request = random_table(rules, rng, given)
        found = list(score(request).house_rules)
        assert found == compare_in_full(request), given
        changing.update(rule.option for rule in found)
    assert len(changing) > len(rules.options) / 3


@pytest.mark.long
@pytest.mark.parametrize("name", RULE_SETS)
def test_no_setting_is_missed_in_many_hands(name: str) -> None:
    rules, rng = RULE_SETS[name], random.Random(7)
    for _ in range(20 * HANDS):
        request = random_table(rules, rng, random_request(rules, rng))
        assert list(score(request).house_rules) == compare_in_full(request), request


def test_the_score_is_the_same_with_and_without_the_comparison() -> None:
    rng = random.Random(3)
    for rules in RULE_SETS.values():
        request = decode_request(random_request(rules, rng))
        alone = score(request, house_rules=False)
        assert changed(score(request), house_rules=()) == alone


def test_an_option_that_a_hand_does_not_read_is_not_tried(only: Callable[[RuleSet], None]) -> None:
    counted: list[Win] = []

    def count(win: Win, reading: HandReading) -> int:
        counted.append(win)
        return int(len(win.melds) == 1 and win.on("open"))

    hebei = RULE_SETS["hebei"]
    only(
        replace(
            hebei,
            options=(
                switch("open", "T-1", "Open.", "开。"),
                switch("never", "T-2", "Never.", "无。"),
                *COMMON,
            ),
            patterns=(replace(hebei.patterns[0], count=count, when=lambda outline: True),),
            seats=lambda options: (0, 1, 2, 3),
            sign=lambda options: hebei.sign({"combine": "product"}),
            combine=lambda win, lines: lines,
            worth=lambda win, joined: joined,
            restrict=lambda win, reading, lines: None,
            payers=lambda win: (2,),
            payer_patterns=(),
            bearers=lambda win: None,
        )
    )
    closed = {
        "rules": "hebei", "hand": "123m456p789s11122z", "winning_tile": "3m", "winner": 1,
        "source": "discard", "from": 2,
    }  # fmt: skip
    score(decode_request(closed))
    assert len(counted) == 1
    counted.clear()
    claimed = closed | {"hand": "123m456p789s22z", "melds": ["p111z"]}
    assert [rule.option for rule in score(decode_request(claimed)).house_rules] == ["open"]
    assert len(counted) == 2


@pytest.mark.parametrize(
    "read",
    [
        lambda traced: traced["a"],
        lambda traced: traced.get("a"),
        lambda traced: "a" in traced,
        lambda traced: {**traced},
        lambda traced: dict(traced),
        lambda traced: list(traced.items()),
        lambda traced: traced == {"a": 1},
    ],
)
def test_options_are_traced_however_they_are_read(read: Callable[[TracedOptions], object]) -> None:
    traced = TracedOptions({"a": 1})
    assert len(traced) == 1
    assert traced.read == set()
    read(traced)
    assert traced.read == {"a"}
