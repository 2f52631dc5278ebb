"""A back is a tile only where something ends at its outline."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.edges import STEP_MIN, SURE, drop_edgeless, measure_steps
from tests.vision.made_up import classified

LABELS = ("1m", "back", "none")
GREEN, RED = (40, 120, 40), (30, 30, 190)
QUADS = np.stack(
    [
        np.array([[x, 100], [x + 40, 100], [x + 40, 154], [x, 154]], np.float32)
        for x in np.arange(60.0, 300.0, 40.0)
    ]
)


def draw_strip(gaps: bool) -> np.ndarray:
    """A red strip on green, as high as the quads; gaps: with a dark line between them."""
    picture = np.full((250, 400, 3), GREEN, np.uint8)
    picture[100:154, 20:380] = RED
    if gaps:
        for x in range(20, 381, 40):
            picture[100:154, x - 1 : x + 1] = (10, 10, 60)
    return picture


def count_left(picture: np.ndarray, known: tuple[float, float, float]) -> int:
    tiles = classified(LABELS, np.tile(known, (len(QUADS), 1)), quads=QUADS)
    return len(drop_edgeless(picture, tiles))


@pytest.mark.parametrize(
    ("gaps", "known", "left"),
    [
        (False, (0.05, 0.85, 0.1), 0),
        (True, (0.05, 0.85, 0.1), 6),
        (False, (0.01, SURE + 0.01, 0.02), 6),
        (False, (0.85, 0.05, 0.1), 6),
    ],
)
def test_a_cushion_is_no_row_of_backs(gaps: bool, known: tuple[float, float, float], left: int) -> None:
    assert count_left(draw_strip(gaps), known) == left


def test_a_wall_in_clipped_light_shows_no_gaps_and_stays() -> None:
    crops = np.full((len(QUADS), 64, 64, 3), 250, np.uint8)
    known = np.tile((0.05, 0.85, 0.1), (len(QUADS), 1))
    tiles = classified(LABELS, known, quads=QUADS, crops=crops)
    assert drop_edgeless(draw_strip(False), tiles) is tiles


def test_steps_are_those_of_the_four_sides_however_the_quad_is_turned() -> None:
    steps = measure_steps(draw_strip(False), QUADS[:1])[0]
    assert (steps[[0, 2]] > 30).all()
    assert (steps[[1, 3]] < STEP_MIN).all()
    turned = np.roll(QUADS[:1], 1, axis=1)
    assert measure_steps(draw_strip(False), turned)[0] == pytest.approx(np.roll(steps, 1), abs=0.5)
    angle = np.radians(20)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    slanted = ((QUADS[:1] - QUADS[0].mean(axis=0)) @ turn + QUADS[0].mean(axis=0)).astype(np.float32)
    assert measure_steps(draw_strip(False), slanted).shape == (1, 4)


def test_a_picture_without_doubted_backs_stays_as_it_is() -> None:
    tiles = classified(LABELS, np.tile((0.9, 0.05, 0.05), (len(QUADS), 1)), quads=QUADS)
    assert drop_edgeless(draw_strip(False), tiles) is tiles
