"""Mirrored pictures, as front cameras of phones make them, are flipped to be read; others never."""

from __future__ import annotations

import numpy as np
import pytest

from companion.config import models_dir
from companion.vision import Recogniser, row_notation
from companion.vision.mirrored import flip
from companion.vision.reading import MIRRORED
from lab.scenes.hand import render_hand


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


@pytest.fixture(scope="module")
def hand() -> np.ndarray:
    return render_hand([["6m", "7m", "9m", "3p", "7p", "2s", "3z", "6z"]], seed=4).image


def test_frames_of_a_mirrored_camera_are_flipped_from_then_on(
    recogniser: Recogniser, hand: np.ndarray
) -> None:
    reading, seen = recogniser.read_next(None, flip(hand))
    for _ in range(2):
        assert reading.warnings == (MIRRORED,)
        assert row_notation(reading) == ("679m37p2s36z",)
        reading, seen = recogniser.read_next(seen, flip(hand))


def test_a_camera_that_is_no_longer_mirrored_is_read_as_it_is(
    recogniser: Recogniser, hand: np.ndarray
) -> None:
    _, seen = recogniser.read_next(None, flip(hand))
    other = np.full_like(hand, 90)
    _, seen = recogniser.read_next(seen, other)
    reading, _ = recogniser.read_next(seen, hand)
    assert reading.warnings == ()
    assert row_notation(reading) == ("679m37p2s36z",)


@pytest.mark.parametrize(
    "codes", [["1m", "2m", "3m", "4m", "5m", "6m"], ["6p", "3s", "1s", "5z", "7z", "1z"]]
)
def test_tiles_that_look_the_same_in_a_mirror_say_nothing(recogniser: Recogniser, codes: list[str]) -> None:
    image = render_hand([codes], seed=5).image
    assert recogniser.read(image).warnings == ()
    assert recogniser.read(flip(image)).warnings == ()
