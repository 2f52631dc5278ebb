"""What a carver's hand makes of characters: other strokes than a font's, as many, and the same each time."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.art.canvas import Canvas
from lab.art.characters import carve_by_hand
from lab.art.faces import draw_face, random_style
from lab.art.glyphs import Writing, make_glyph

HANDS = range(1, 41)


def count_strokes(mask: np.ndarray) -> int:
    return cv2.connectedComponents((mask > 128).astype(np.uint8))[0] - 1


@pytest.mark.parametrize(("character", "strokes"), [("一", 1), ("二", 2), ("三", 3)])
def test_numerals_of_strokes_keep_their_number(character: str, strokes: int) -> None:
    mask = make_glyph(character, Writing.HOUSE, 0)
    assert [count_strokes(carve_by_hand(mask, character, hand)) for hand in HANDS] == [strokes] * len(HANDS)


def test_a_hand_carves_a_character_the_same_each_time_and_no_other_hand_does() -> None:
    mask = make_glyph("七", Writing.HOUSE, 0)
    first, again, other = (carve_by_hand(mask, "七", hand) for hand in (3, 3, 4))
    assert np.array_equal(first, again)
    assert first.shape != other.shape or not np.array_equal(first, other)


@pytest.mark.parametrize("rise", [0.0, 0.3])
def test_strokes_rise_towards_the_right_as_far_as_is_said(rise: float) -> None:
    canvas = Canvas(200)
    canvas.stamp(np.full((8, 60), 255, np.uint8), (15.0, 46.0, 45.0, 6.0), (0, 0, 0), rise=rise)
    rows, columns = np.nonzero(canvas.finish()[:, :, 3] > 128)
    assert -np.polyfit(columns, rows, 1)[0] == pytest.approx(rise, abs=0.02)


def test_any_plants_stand_under_the_same_lettering() -> None:
    style = random_style(np.random.default_rng(2))
    usual, mixed = (
        replace(style, flowers=replace(style.flowers, characters=True, any_plants=each))
        for each in (False, True)
    )
    lettered_rows, other = 24, 0
    for rank in range(1, 9):
        one, another = (draw_face(f"{rank}f", each, 120) for each in (usual, mixed))
        assert np.array_equal(one[:lettered_rows], another[:lettered_rows])
        other += not np.array_equal(one, another)
    assert other >= 4


def test_random_styles_are_carved_by_hand_now_and_then() -> None:
    styles = [random_style(np.random.default_rng(seed)) for seed in range(60)]
    assert 10 < sum(style.lettering.hand > 0 for style in styles) < 40
    assert 10 < sum(style.lettering.rise > 0 for style in styles) < 40
    assert 8 < sum(style.flowers.any_plants for style in styles) < 40
    assert all(style.flowers.characters for style in styles if style.flowers.any_plants)
