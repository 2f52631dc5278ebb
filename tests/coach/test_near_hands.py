"""Near hands: of any shape alike, worth no less for more ways to win, and none by a hand the rules refuse."""

import numpy as np
import pytest

from companion.coach.value.chances import MOST_LACKING
from companion.coach.value.corrections import Corrections, Traits
from companion.coach.value.estimates import Corrector, enforce_dominance, value_near_hand
from companion.coach.value.ready import Leads
from companion.table.events import Discarded
from tests.coach.asking import advise_in_steps

DRAGONS = {
    "rules": "hong_kong", "seat": 0, "hand": "66677z233m45p8s", "melds": [["p555z"], [], [], []], "left": 60,
}  # fmt: skip
THREE_FAAN = {"rules": "hong_kong", "options": {"min_fan": 3}, "left": 60}


def list_discards(request: dict[str, object]) -> dict[str, tuple[float, float]]:
    """What each discard is worth, and how often it wins, the best first."""
    *_, advice = advise_in_steps(request)
    return {
        choice.do.tile: (choice.value or 0.0, choice.win_rate or 0.0)
        for choice in advice.choices
        if isinstance(choice.do, Discarded) and choice.do.tile
    }


@pytest.mark.parametrize(
    ("rules", "pairs", "sets", "out"),
    [
        ("hebei", "22m3333m44p66p556s9p", "222m345m444p678s9p6s", "6s"),
        ("hong_kong", "1133577m2299p55z6z", "111345m22m999p5z6z2m", None),
    ],
)
def test_ready_seven_pairs_win_as_often_as_ready_sets_that_wait_alike(
    rules: str, pairs: str, sets: str, out: str | None
) -> None:
    request = {"rules": rules, "seat": 2, "left": 50}
    found, others = (list_discards({**request, "hand": hand}) for hand in (pairs, sets))
    best = next(iter(found))
    assert out in (None, best)
    assert found[best][1] == pytest.approx(others[out or next(iter(others))][1], rel=0.05)


def test_a_dear_wait_of_seven_pairs_is_weighed_by_what_ready_hands_pay() -> None:
    """One tile that pays 24 beside three that pay 8."""
    found = list_discards({"rules": "hebei", "seat": 2, "hand": "22m333m44p66p5566s9p", "left": 50})
    assert next(iter(found)) == "9p"


def test_more_ways_to_win_are_worth_more_where_they_are_cheap() -> None:
    """Without the 8 of bamboo every good hand stays that is left without the 2 of characters."""
    found = list_discards(DRAGONS)
    assert next(iter(found)) == "8s"
    assert found["8s"][0] > found["2m"][0] + 1
    assert found["8s"][1] > found["2m"][1]


def test_cheap_wins_beside_dear_ones_never_lower_what_a_hand_gains() -> None:
    """Corrections that halve the odds of an added win, and trust half of what pays unusually much."""
    corrector = Corrector(Corrections({}, {"near": 0.5}, slopes=(0.5,) * 6), -1.0, np.ones(MOST_LACKING + 1))
    corrector.usual = 4.0
    dear, cheap = {5: (64.0, 64.0)}, {5: (64.0, 64.0), 9: (1.0, 1.0)}
    traits = Traits(
        chain=np.full(2, 0.3), near=None, lacking=np.ones(2, int), live=np.full(2, 0.1),
        open=np.zeros(2), pairs=np.zeros(2), melds=0, threat=0, ahead=3,
    )  # fmt: skip
    found = {
        at: value_near_hand(corrector, traits, at, (pays, wins, Leads(tiles, 1.0, np.zeros(2), 0.1)))
        for at, (pays, wins, tiles) in enumerate([(64.0, 0.1, dear), (10.0, 0.7, cheap)])
    }
    assert found[1].gain < found[0].gain, "what keep_more is for"
    kept = enforce_dominance(corrector, found)
    assert kept[0] == found[0]
    assert kept[1].gain > kept[0].gain
    assert kept[1].wins > kept[0].wins


def test_hands_that_the_rules_refuse_are_no_wins() -> None:
    """Ready by its shape, with 2 faan at most."""
    refused = {"seat": 2, "flowers": ["", "", "1f", ""], "hand": "234m567m345p67s88p1z"}
    found = list_discards({**THREE_FAAN, **refused})
    assert found["1z"][1] < 0.02
    assert found["1z"][0] <= 0


def test_a_wait_that_the_rules_refuse_counts_for_nothing() -> None:
    """East pays the dealer 3 faan, West does not, whatever the shape says."""
    found = list_discards({**THREE_FAAN, "seat": 0, "hand": "1123789m11z33z567s"})
    both = list_discards({"rules": "hong_kong", "left": 60, "seat": 0, "hand": "1123789m11z33z567s"})
    assert found["1m"][1] < 0.6 * both["1m"][1]
    assert found["1m"][0] < 0.5 * both["1m"][0]
