"""Ready-made profiles change what their explanation names, and nothing else."""

from __future__ import annotations

import pytest

from companion import profiles
from companion.profiles import READY_MADE, ReadyMade
from companion.rules import RULE_SETS

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
