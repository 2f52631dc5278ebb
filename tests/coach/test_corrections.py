"""Corrections of estimates: they follow their table, fitting finds what is in the samples, and a table
learned from a few hands can be read.
"""

import random

import numpy as np
import pytest

from companion.coach.play.simulation import play
from companion.coach.seen import observe
from companion.coach.value.chances import SORTS
from companion.coach.value.corrections import FARTHEST, Corrections, Traits, list_traits, load_corrections
from companion.coach.value.danger import LET_PASS, predict_chance, read_signs
from companion.rules import RULE_SETS
from companion.table.events import GameStarted
from companion.table.state import Phase
from companion.tiles import KINDS
from lab.bench import corrections, rates


def make_traits(chain: list[float], pairs: list[int], lacking: int = 3, threat: int = 0) -> Traits:
    n = len(chain)
    return Traits(
        chain=np.array(chain), near=None, lacking=np.full(n, lacking), live=np.full(n, 0.2),
        open=np.full(n, 0.1), pairs=np.array(pairs, float), melds=0, threat=threat, ahead=3,
    )  # fmt: skip


def test_without_corrections_estimates_stay() -> None:
    traits, nothing = make_traits([0.2, 0.4], [1, 4]), Corrections({}, {})
    assert nothing.find_wins(traits) == pytest.approx([0.2, 0.4])
    assert nothing.find_pays(np.array([5.0, 9.0]), 7.0, traits) == pytest.approx([5, 9])


def test_weights_and_slopes_change_estimates() -> None:
    learned = Corrections(
        {"chain": 1.0, "pairs": 0.1, "threat 3": -1.0}, {}, (0.9,) * 4, 0.8, (0.5,) * FARTHEST
    )
    calm, threatened = (make_traits([0.3, 0.3, 0.0], [1, 3, 3], threat=threat) for threat in (0, 3))
    one, three, never = learned.find_wins(calm)
    assert 0.3 < one < three < 0.4
    assert never == 0
    assert (learned.find_wins(threatened)[:2] < 0.2).all()
    two = make_traits([0.3, 0.3], [1, 3])
    assert learned.find_pays(np.array([4.0, 8.0]), 6.0, two) == pytest.approx([0.9 * 5, 0.9 * 7])
    left = two._replace(ahead=0)
    assert learned.find_pays(np.array([4.0, 8.0]), 6.0, left) == pytest.approx([0.72 * 5, 0.72 * 7])


def test_near_hands_have_weights_of_their_own() -> None:
    learned = Corrections({"chain": 1.0}, {"chain": 0.0, "near": 1.0})
    traits = make_traits([0.1, 0.6], [1, 1], lacking=1)
    assert learned.find_wins(traits.pick(1, 0.25)) == pytest.approx([0.25])


def make_samples(number: int) -> list[corrections.Sample]:
    """Hands predicted to win 30 in 100: those with two pairs do, those without half as often."""
    rng, found = random.Random(5), []
    for at in range(number):
        pairs = 2 * (at % 2)
        won = rng.random() < (0.3 if pairs else 0.15)
        said = 6.0 + 4 * (at % 4 // 2)
        gained = (0.5 * said + 4) * won
        found.append(corrections.Sample(make_traits([0.3], [pairs]), said, -2.0, gained or -3.0, gained))
    return found


def test_fitted_weights_predict_the_samples() -> None:
    samples = make_samples(4000)
    learned = Corrections(corrections.fit_wins(samples), {})
    assert learned.find_wins(make_traits([0.3, 0.3], [0, 2])) == pytest.approx([0.15, 0.3], abs=0.03)
    pays = corrections.fit_pays(samples)
    assert pays["pay"][0] == pytest.approx(1.0, abs=0.03)
    assert pays["left"] == 1
    assert pays["slopes"][2] == pytest.approx(0.5, abs=0.05)
    lost = [(each.traits.threat, each.predicted, each.paid) for each in samples if not each.gained]
    assert corrections.average_losses(lost) == pytest.approx([1.5] * 4)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("rules", ["taiwanese", "hangzhou"])
def test_a_table_is_made_of_simulated_hands(rules: str) -> None:
    table = corrections.learn(rules, 8)
    assert table["samples"] >= 8
    traits = make_traits([0.3, 0.3], [0, 2])
    assert table["wins"].keys() == list_traits(traits).keys()
    assert ((Corrections(table["wins"], {}).find_wins(traits) > 0) & (traits.chain < 1)).all()
    assert len(table["slopes"]) == FARTHEST


@pytest.mark.parametrize("rules", RULE_SETS)
def test_in_every_game_folding_loses_less_than_continuing(rules: str) -> None:
    learned = load_corrections(rules)
    assert sum(learned.fold) < 0.95 * sum(learned.push)
    weak, strong = learned.find_wins(make_traits([0.1, 0.4], [1, 1]))
    assert weak < strong
    assert all(0 < slope < 1.3 for slope in learned.slopes)


def test_honours_are_discarded_sooner_than_tiles_in_the_middle() -> None:
    kinds = rates.count_kinds("hong_kong", 8)
    honours, middle = kinds[0], kinds[SORTS - 1]
    assert honours > 1.3
    assert middle < 0.7


def test_a_tile_that_a_ready_opponent_let_pass_is_safe() -> None:
    """In Taiwanese a ready hand is declared and stays as it is."""
    safe, fresh = [], []
    for played in play(GameStarted(rules="taiwanese"), 12, random.Random("ready")):
        for step in played.steps:
            hand = step.state.hand
            if hand is None or not step.state.playing or hand.phase is not Phase.TURN:
                continue
            seen = observe(step.state, hand.turn)
            for other, player in enumerate(seen.hand.players):
                if other != seen.seat and player.rivers is not None:
                    assert player.ready
                    each = {tile: read_signs(seen, tile, other) for tile in KINDS[:34]}
                    river = seen.hand.players[seen.seat].discards[player.rivers[seen.seat] :]
                    passed = {tile for tile in river if tile is not None}
                    assert all(each[tile].passed == LET_PASS for tile in passed)
                    safe += [predict_chance("taiwanese", each[tile]) for tile in passed]
                    fresh += [
                        predict_chance("taiwanese", signs) for signs in each.values() if not signs.passed
                    ]
    assert safe
    assert max(safe) < 0.02 < sum(fresh) / len(fresh)
