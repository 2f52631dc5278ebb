"""Drawn tables with a shown hand: the same by seed, and a truth that adds up."""

from __future__ import annotations

import numpy as np
import pytest

from lab.scenes.showdown import Role, draw_showdown


def test_a_seed_draws_the_same_table() -> None:
    once, again = (draw_showdown(np.random.default_rng(5), (480, 360)) for _ in range(2))
    assert np.array_equal(once.scene.image, again.scene.image)
    assert once.roles == again.roles


@pytest.mark.parametrize("seed", range(4))
def test_the_truth_is_a_finished_hand(seed: int) -> None:
    table = draw_showdown(np.random.default_rng(seed), (480, 360))
    assert len(table.roles) == len(table.scene.tiles)
    concealed = [place for place, role in enumerate(table.roles) if role is Role.CONCEALED]
    melded = {place for meld in table.melds for place in meld}
    assert melded == {place for place, role in enumerate(table.roles) if role is Role.MELD}
    assert len(concealed) + 3 * len(table.melds) == table.hand_size + 1
    assert table.winning is None or table.winning in concealed
