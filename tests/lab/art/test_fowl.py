"""Birds of many kinds, and what is kept back for tests."""

from __future__ import annotations

import numpy as np
import pytest

from lab.art import birds
from lab.art.canvas import Canvas
from lab.art.faces import random_style
from lab.art.glyphs import CANDIDATES, Writing

INKS = ((30, 20, 160), (40, 120, 40), (120, 60, 20))


@pytest.mark.parametrize(
    "kind",
    [*(kind for kind, _ in birds.KINDS), birds.draw_soaring, birds.draw_swimming],
    ids=lambda kind: kind.__name__,
)
@pytest.mark.parametrize("seed", range(4))
def test_every_kind_of_bird_is_seeded_and_fills_a_good_part_of_the_face(kind, seed: int) -> None:
    pictures = []
    for number in (seed, seed, seed + 50):
        canvas = Canvas(96)
        canvas.zoom = birds.ROOM
        kind(canvas, np.random.default_rng(number), INKS, 1.8)
        canvas.zoom = 1.0
        canvas.fit((2.0, 4.0, 71.0, 92.0))
        pictures.append(canvas.finish())
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
    assert 0.02 < (pictures[0][:, :, 3] > 40).mean() < 0.8


def test_no_random_style_uses_what_is_kept_for_tests() -> None:
    kept = {name for name, _ in CANDIDATES[Writing.UNSEEN]}
    others = {
        name for writing, names in CANDIDATES.items() if writing is not Writing.UNSEEN for name, _ in names
    }
    assert not kept & others
    for seed in range(300):
        style = random_style(np.random.default_rng(seed))
        writings = (style.lettering.writing, style.lettering.green_writing, style.lettering.wind_writing)
        assert Writing.UNSEEN not in writings
        assert not style.bamboo.unseen_bird


def test_winds_are_written_in_a_hand_of_their_own_in_some_sets_only() -> None:
    styles = [random_style(np.random.default_rng(seed)).lettering for seed in range(200)]
    own = sum(style.wind_writing is not style.writing for style in styles)
    assert 20 < own < 120
