"""The chance to win of a player who may change the aim."""

import numpy as np
import pytest

from companion.coach.value.corrections import add_other_aims
from companion.coach.value.payoff import keep_open
from companion.table.events import Discarded
from tests.coach.asking import advise_in_steps

ONE_SUIT = {"rules": "hong_kong", "seat": 1, "hand": "2345567m88m1p4z5z6z1s", "left": 70}


@pytest.mark.parametrize("options", [{}, {"min_fan": 3}])
def test_a_lone_end_tile_does_not_halve_the_chance_to_win(options: dict[str, int]) -> None:
    """One choice goes for one suit, the other for any hand; most hands of either are those of the other."""
    *_, advice = advise_in_steps({**ONE_SUIT, "options": options})
    wins = {
        choice.do.tile: choice.win_rate or 0.0
        for choice in advice.choices
        if isinstance(choice.do, Discarded)
    }
    for lone in ("1p", "1s"):
        assert wins[lone] > 0.8 * wins["4z"]


def test_another_aim_is_chosen_more_often_the_more_it_gains() -> None:
    wins, gains, others = np.array([0.1, 0.1, 0.1]), np.array([3.0, 3.0, 3.0]), np.array([0.2, 0.2, 0.05])
    lacking = np.array([4, 4, 4])
    found = add_other_aims(wins, gains, others, np.array([3.0, 1.5, 1.0]), lacking)
    assert found.tolist() == pytest.approx([0.2, 0.15, 0.1])
    assert add_other_aims(wins, gains, others, np.zeros(3), lacking).tolist() == [0.1, 0.1, 0.1]


def test_a_hand_one_tile_from_ready_may_step_back_later_too() -> None:
    found = add_other_aims(np.array([0.1, 0.2]), np.ones(2), np.zeros(2), np.zeros(2), np.array([2, 3]))
    assert found.tolist() == [0.2, 0.2]


def test_a_required_flush_discards_the_lone_end_tile() -> None:
    """With 3 faan at least hardly a hand of this one wins but in one suit, whatever else has more tiles."""
    *_, advice = advise_in_steps({**ONE_SUIT, "options": {"min_fan": 3}})
    best = advice.choices[0].do
    assert isinstance(best, Discarded)
    assert best.tile in ("1p", "1s")


def test_keeping_all_hands_of_another_choice_gains_at_least_as_much() -> None:
    near = np.array([[True, True, False], [True, False, False], [False, False, True]])
    gains = np.array([1.0, 2.0, 5.0])
    assert keep_open(gains, near, np.array([4, 4, 4])).tolist() == [2.0, 2.0, 5.0]
    assert keep_open(gains, near, np.array([5, 4, 4])).tolist() == [1.0, 2.0, 5.0], "a step farther away"
