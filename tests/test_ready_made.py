"""Ready-made profiles change what their explanation names, and nothing else."""

from __future__ import annotations

import pytest

from companion import profiles
from companion.money import Currency, check_currency
from companion.profiles import READY_MADE, ReadyMade, find_ready_made, find_scored_by
from companion.rules import RULE_SETS, decode_request, score
from companion.rules.profile import apply_profile
from companion.rules.win import Stakes

HONG_KONG = {
    "min_fan": 3, "concealed_hand": 1, "small_dragons": 5, "one_suit": 7, "three_scholars": 8,
    "small_winds": 6, "hidden_treasure": 8, "treasure_self_draw": True, "dealer": "rotate",
}  # fmt: skip
TAIWAN = {"preset": "common", "winds_seat_round_only": True, "replacement_win": 1, "all_honors": 16}
DIFFERS = {
    "hong-kong-common": HONG_KONG | {"payout": "half_doubling", "fan_limit": 10, "discarder_pays_all": True},
    "hong-kong-doubling": HONG_KONG | {"payout": "exponential", "fan_limit": 8},
    "hong-kong-steps": HONG_KONG | {"payout": "table", "fan_limit": 10},
    "hong-kong-discarder-pays": HONG_KONG
    | {"payout": "exponential", "fan_limit": 8, "discarder_pays_all": True},
    "hong-kong-two-five": HONG_KONG | {"payout": "half_doubling", "fan_limit": 8},
    "hong-kong-one-two": HONG_KONG | {"payout": "half_doubling", "fan_limit": 10, "discarder_pays_all": True},
    "taiwanese-common": TAIWAN | {"own_flowers_only": True},
    "taiwanese-no-flowers": TAIWAN | {"flowers": False},
    "hefei-all-pay": {"discard": "all_pay"},
    "hebei-three": {"players": 3},
    "hebei-discarder-pays": {"discard": "pays_for_all"},
    "hangzhou-explosive": {"fortune_must_explode": True},
    "hangzhou-white": {"fortune": "white_dragon", "dealer_loss": "lao"},
}


@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.name)
def test_a_ready_made_profile_differs_from_the_written_rules_as_it_says(ready: ReadyMade) -> None:
    profile = profiles.load(str(ready.path))
    assert dict(profile.changed) == DIFFERS[ready.name]
    assert ready.meaning != ready.written


@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.name)
def test_a_table_names_its_sources_and_plays_for_stakes_that_can_be(ready: ReadyMade) -> None:
    if ready.currency is not None:
        check_currency(ready.currency)
    if not ready.name.startswith("taiwanese"):
        assert ready.checked.startswith("Checked against ")
        assert ready.stakes is not None
        assert ready.stakes.base == 0
        assert ready.stakes.unit == RULE_SETS[profiles.load(ready.name).rules].point


@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.name)
def test_a_hand_by_itself_is_known_by_the_table_that_scores_it(ready: ReadyMade) -> None:
    """By what it plays for too, where two score alike; with another option it is no ready-made table."""
    profile = profiles.load(str(ready.path))
    scoring = {key: profile.settings[key] for key in RULE_SETS[profile.rules].defaults}
    assert find_scored_by(profile.rules, scoring, ready.currency) is ready
    key, value = next((key, value) for key, value in scoring.items() if isinstance(value, bool))
    assert find_scored_by(profile.rules, {**scoring, key: not value}, ready.currency) is None


def test_at_most_one_table_of_a_game_is_the_common_one() -> None:
    common = [ready.name for ready in READY_MADE if ready.common]
    assert common == ["hong-kong-common", "taiwanese-common", "hangzhou-white"]


@pytest.mark.parametrize(("streak", "loses"), [(1, 2), (2, 4), (3, 8), (4, 8)])
def test_at_hangzhous_white_dragons_the_dealer_wins_and_loses_by_lao(streak: int, loses: int) -> None:
    profile = profiles.load("hangzhou-white")
    asked = {"hand": "123456m123p11z678s", "winning_tile": "8s", "streak": streak, "source": "self_draw"}
    paid = [
        score(decode_request(apply_profile(profile, asked | {"winner": winner}))).payments
        for winner in (1, 0)
    ]
    assert paid == [(-loses, loses + 2, -1, -1), (3 * loses, -loses, -loses, -loses)]
    if streak >= 3:
        thrown = asked | {"winner": 1, "source": "discard", "from": 0}
        assert score(decode_request(apply_profile(profile, thrown))).payments == (-loses, loses, 0, 0)


@pytest.mark.parametrize("name", ["taiwanese-common", "taiwanese-no-flowers"])
def test_the_tables_of_taiwan_name_their_sources_and_suggest_stakes(name: str) -> None:
    ready = find_ready_made(name)
    assert ready is not None
    assert ready.checked.startswith("Checked ")
    assert (ready.stakes, ready.currency) == (Stakes(100, 20), check_currency(Currency("NT$", "1", "10")))
    profile = profiles.load(str(ready.path))
    asked = {
        "rules": "taiwanese", "hand": "123m567m678s55z", "melds": ["p222p", "c345s"], "winning_tile": "8s",
        "winner": 1, "source": "discard", "from": 2, "stakes": {"base": 100, "unit": 20},
    }  # fmt: skip
    found = score(decode_request(apply_profile(profile, asked)))
    assert (found.value, found.payments) == (0, (0, 100, -100, 0)), "the base is paid at no tai too"


def test_all_tables_of_a_game_are_played_for_the_same_currency() -> None:
    symbols = {rules: profiles.suggest_symbol(rules) for rules in RULE_SETS}
    assert (symbols["taiwanese"], symbols["hong_kong"], symbols["hefei"]) == ("NT$", "HK$", "¥")
    for ready in READY_MADE:
        if ready.currency is not None:
            assert ready.currency.symbol == symbols[profiles.load(str(ready.path)).rules]
