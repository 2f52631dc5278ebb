"""Lettering that plants grow beside, and the slanting row of 3 dots."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.art.canvas import FACE_H, FACE_W, Canvas
from lab.art.dots import draw_dots
from lab.art.faces import random_style, vary_style
from lab.art.flowers import MARGIN, draw_flower
from lab.art.style import FaceStyle, Pip

HEIGHT_PX = 200
BLACK = (0, 0, 0)


def draw(rank: int, style: FaceStyle) -> np.ndarray:
    canvas = Canvas(HEIGHT_PX)
    draw_flower(canvas, rank, 7, style.flowers, style.lettering, style.inks)
    return canvas.finish()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rank", [1, 8])
def test_a_plant_that_grows_up_beside_the_lettering_leaves_it_as_it_is(seed: int, rank: int) -> None:
    style = random_style(np.random.default_rng(seed))
    flowers = replace(
        style.flowers, characters=True, plant_number=True, season_number=True, season_words=False,
        plant_number_left=True, season_number_left=True, number_size=11.0, character_size=13.0,
    )  # fmt: skip
    low, high = (draw(rank, replace(style, flowers=replace(flowers, plant_top=top))) for top in (30.0, 6.0))
    px = HEIGHT_PX / FACE_H
    number = np.s_[: int((MARGIN + 11) * px), int(MARGIN * px) : int((MARGIN + 4) * px)]
    character = np.s_[: int((MARGIN + 8) * px), int((FACE_W - MARGIN - 6) * px) : int((FACE_W - MARGIN) * px)]
    for corner in (number, character):
        assert np.array_equal(low[corner], high[corner])
        assert (low[corner][:, :, 3] > 128).any()
    tops = [int(np.flatnonzero(face[:, 60:95, 3].max(axis=1))[0]) for face in (low, high)]
    assert tops[1] < tops[0], "the plant begins higher up"


def count_dots(slant: float, seed: int) -> tuple[int, float]:
    """Dots of a 3 that are apart, and how far the first and last are, in face units."""
    style = random_style(np.random.default_rng(seed))
    canvas = Canvas(HEIGHT_PX)
    dots = replace(style.dots, pip=Pip.DISC, rings=2, slant=slant)
    draw_dots(canvas, 3, dots, (BLACK, BLACK, BLACK))
    painted = (canvas.finish()[:, :, 3] > 128).astype(np.uint8)
    count, _, _, centres = cv2.connectedComponentsWithStats(painted)
    return count - 1, float(np.ptp(centres[1:], axis=0).max()) * FACE_H / HEIGHT_PX


def test_three_dots_may_stand_close_together_and_stay_three() -> None:
    close, wide = ([count_dots(slant, seed) for seed in range(20)] for slant in (0.0, 1.0))
    assert {count for count, _ in close + wide} == {3}
    shrunk = [near / far for (_, near), (_, far) in zip(close, wide, strict=True)]
    assert max(shrunk) <= 1
    assert np.median(shrunk) < 0.9


def test_some_varied_styles_have_tall_plants_numbers_alone_soaring_birds_and_close_dots() -> None:
    rng = np.random.default_rng(5)
    styles = [vary_style(rng, random_style(rng)) for _ in range(120)]
    assert 25 < sum(style.dots.slant < 1 for style in styles) < 75
    assert 45 < sum(style.flowers.plant_top < 30 for style in styles) < 100
    assert 2 < sum(style.bamboo.soaring for style in styles) < 20
    alone = [style.flowers for style in styles if not style.flowers.characters]
    assert 15 < len(alone) < 60
    for flowers in alone:
        assert (flowers.plant_number, flowers.season_number, flowers.season_chinese_number) == (True,) * 3
        assert not flowers.any_plants
