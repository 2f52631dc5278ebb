"""Ready-made profiles change what their explanation names, and nothing else."""

from __future__ import annotations

import pytest

from companion import profiles
from companion.money import Currency, check_currency
from companion.profiles import READY_MADE, ReadyMade, find_ready_made
from companion.rules import RULE_SETS, decode_request, score
from companion.rules.profile import apply_profile
from companion.rules.stakes import Stakes

HONG_KONG = {"payout": "exponential", "min_fan": 3, "concealed_hand": 1}
TAIWAN = {"preset": "common", "winds_seat_round_only": True, "replacement_win": 1, "all_honors": 16}
DIFFERS = {
    "hong-kong-doubling": HONG_KONG,
    "hong-kong-steps": HONG_KONG | {"payout": "table"},
    "hong-kong-discarder-pays": HONG_KONG | {"discarder_pays_all": True},
    "taiwanese-common": TAIWAN | {"own_flowers_only": True},
    "taiwanese-no-flowers": TAIWAN | {"flowers": False},
    "hefei-all-pay": {"discard": "all_pay"},
    "hebei-three": {"players": 3},
    "hebei-discarder-pays": {"discard": "pays_for_all"},
    "hangzhou-explosive": {"fortune_must_explode": True},
    "hangzhou-white": {"fortune": "white_dragon"},
}


@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.name)
def test_a_ready_made_profile_differs_from_the_written_rules_as_it_says(ready: ReadyMade) -> None:
    profile = profiles.load(str(ready.path))
    usual = RULE_SETS[profile.rules].defaults
    assert {key: value for key, value in profile.options.items() if value != usual[key]} == DIFFERS[
        ready.name
    ]
    assert ready.meaning != ready.written


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
