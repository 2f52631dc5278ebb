"""Peacocks and Japanese sets: every posture, seeded, thin, and on the face."""

from __future__ import annotations

import numpy as np
import pytest

from lab.art import birds
from lab.art.canvas import Canvas
from lab.art.faces import draw_face, japanese_style
from lab.art.style import Corner, WhiteDragon

INKS = ((30, 30, 30), (40, 40, 160), (40, 40, 200))
POSTURES = [birds.draw_crowned, birds.draw_sweeping, birds.draw_wheel, birds.draw_perched]


@pytest.mark.parametrize("posture", POSTURES, ids=lambda posture: posture.__name__)
@pytest.mark.parametrize("seed", range(4))
def test_every_posture_is_seeded_and_fills_a_good_part_of_the_face(posture, seed: int) -> None:
    pictures = []
    for number in (seed, seed, seed + 50):
        canvas = Canvas(96)
        canvas.zoom = birds.ROOM
        posture(canvas, np.random.default_rng(number), INKS, 1.2)
        canvas.zoom = 1.0
        canvas.fit((2.0, 4.0, 71.0, 92.0))
        pictures.append(canvas.finish())
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
    assert 0.04 < (pictures[0][:, :, 3] > 40).mean() < 0.7


def test_japanese_sets_have_peacocks_thin_strokes_and_blank_white_dragons() -> None:
    styles = [japanese_style(np.random.default_rng(seed)) for seed in range(60)]
    assert all(style.bamboo.peacock and not style.bamboo.one_stick for style in styles)
    assert all(style.index.corner is Corner.NONE for style in styles)
    blank = sum(style.white is WhiteDragon.BLANK for style in styles)
    assert 40 < blank < 60
    weights = [style.lettering.weight for style in styles]
    assert max(weights) < 3
    assert np.mean(weights) < 0
    assert draw_face("5z", next(s for s in styles if s.white is WhiteDragon.BLANK), 96)[:, :, 3].max() < 60


def test_one_style_draws_one_peacock_and_other_styles_others() -> None:
    pictures = [draw_face("1s", japanese_style(np.random.default_rng(seed)), 96) for seed in (1, 1, 2)]
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
