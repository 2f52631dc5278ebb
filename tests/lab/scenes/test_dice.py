"""Dice on a drawn table: all that were thrown lie there, side by side."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lab.film.filming import REACH_MM
from lab.scenes.things import choose_look, lay_dice, scatter_dice


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3])
def test_all_dice_of_a_throw_come_to_lie_in_the_middle_however_large_they_are(count: int) -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        look = choose_look(rng)
        places = scatter_dice(rng, look, count, REACH_MM)
        dice = lay_dice(rng, look, (4,) * count, places)
        assert len(dice) == count
        assert all(np.hypot(x, y) <= REACH_MM for x, y, _ in places)
        apart = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(places, 2)]
        assert min(apart) > look.edge_mm


def test_more_dice_than_there_is_room_for_are_refused() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="no room for 9 dice"):
        scatter_dice(rng, choose_look(rng), 9, REACH_MM)
