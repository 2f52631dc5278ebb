"""Pictures without tiles: seeded, different, and without any truth."""

from __future__ import annotations

import numpy as np
import pytest

from lab.scenes import rooms
from lab.scenes.furniture import (
    draw_centre_device,
    draw_display,
    draw_label,
    draw_socket,
    draw_stick_tray,
    write_digits,
)
from lab.scenes.surfaces import draw_felt

MAKERS = [
    draw_display,
    draw_centre_device,
    draw_stick_tray,
    draw_socket,
    draw_label,
]
PICTURES = [
    rooms.draw_bookshelf,
    rooms.draw_panel_wall,
    rooms.draw_empty_table,
    rooms.draw_keyboards,
    draw_felt,
]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_panels_are_seeded_pictures_that_differ(make) -> None:
    first, same, other = (make(np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first.dtype == np.uint8
    assert first.shape[2] == 4
    assert np.array_equal(first, same)
    assert first.shape != other.shape or not np.array_equal(first, other)


@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_rooms_are_seeded_pictures_of_the_size_asked_for(draw) -> None:
    first, same, other = (draw(np.random.default_rng(seed), 300, 400) for seed in (3, 3, 4))
    assert first.shape == (300, 400, 3)
    assert np.array_equal(first, same)
    assert np.abs(first.astype(int) - other.astype(int)).mean() > 2
    assert first.std() > 1


def test_a_picture_without_tiles_has_no_truth() -> None:
    for seed in range(12):
        scene = rooms.draw_tileless(np.random.default_rng(seed), width=400, height=300)
        assert scene.image.shape == (300, 400, 3)
        assert scene.tiles == ()


def test_lit_digits_show_their_number() -> None:
    sheet = np.zeros((60, 90, 4), np.uint8)
    write_digits(sheet, "8 1", 5, 5, 40, (0, 0, 255))
    lit = sheet[:, :, 2] > 128
    eight, blank, one = lit[:, 3:32].sum(), lit[:, 38:58].sum(), lit[:, 66:90].sum()
    assert eight > 2.5 * one > 0
    assert blank == 0
