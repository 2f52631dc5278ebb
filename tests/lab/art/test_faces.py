"""Tile faces: every kind draws in every style, is seeded, and is no other kind."""

import subprocess
import sys

import numpy as np
import pytest

from companion.tiles import KINDS
from lab.art.bamboo import lay_out as stick_layout
from lab.art.dots import lay_out as pip_layout
from lab.art.faces import CODES, draw_face, random_style
from lab.art.house import HOUSE
from lab.art.style import Corner, WhiteDragon
from tests.programs import LIMIT_S

pytestmark = pytest.mark.slow

STYLES = 50


def test_codes_are_the_42_kinds_in_their_order():
    assert [tile.code for tile in KINDS] == list(CODES)


@pytest.mark.parametrize("seed", range(STYLES))
def test_every_kind_draws_in_a_random_style(seed):
    style = random_style(np.random.default_rng(seed))
    for code in CODES:
        face = draw_face(code, style, 64)
        assert face.shape == (64, 48, 4)
        assert face.dtype == np.uint8
        painted = (face[:, :, 3] > 40).mean()
        if code == "5z" and style.white is WhiteDragon.BLANK and style.index.corner is Corner.NONE:
            assert painted == 0
        else:
            assert 0.005 < painted < 0.9 or code == "5z", (seed, code)


@pytest.mark.parametrize("seed", range(0, STYLES, 5))
def test_no_two_kinds_of_a_set_look_the_same(seed):
    style = random_style(np.random.default_rng(seed))
    faces = [draw_face(code, style, 64).astype(np.int16) for code in CODES]
    for i, first in enumerate(faces):
        for j in range(i):
            assert np.abs(first - faces[j]).mean() > 0.5, (seed, CODES[i], CODES[j])


def test_plants_and_seasons_differ_in_their_lettering():
    for seed in range(300):
        flowers = random_style(np.random.default_rng(seed)).flowers
        assert flowers.characters or (
            flowers.plant_number and flowers.season_number and flowers.season_chinese_number
        )


@pytest.mark.parametrize("height_px", [12, 33, 128, 400])
def test_a_face_has_the_height_asked_for_and_three_quarters_of_it_as_width(height_px):
    assert draw_face("5p", HOUSE, height_px).shape == (height_px, round(0.75 * height_px), 4)


def test_the_same_seed_draws_the_same_set_and_another_seed_another():
    first, again, other = (random_style(np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert first == again != other
    for code in ("1m", "7p", "1s", "6z", "3f"):
        assert np.array_equal(draw_face(code, first, 96), draw_face(code, again, 96))


@pytest.mark.parametrize("code", ["0m", "10p", "8z", "9f", "back", "?", ""])
def test_what_is_no_kind_has_no_face(code):
    with pytest.raises(ValueError, match="no face for"):
        draw_face(code, HOUSE, 64)


@pytest.mark.parametrize("rank", range(2, 10))
def test_dots_and_sticks_are_as_many_as_the_rank(rank):
    assert len(pip_layout(rank, HOUSE.dots)) == rank
    for eight in range(4):
        assert len(stick_layout(rank, eight, 0)) == rank


@pytest.mark.parametrize("rank", range(2, 10))
def test_separate_pips_can_be_counted_on_the_painted_face(rank):
    import cv2

    alpha = draw_face(f"{rank}p", HOUSE, 400)[:, :, 3]
    outlines, _ = cv2.findContours((alpha > 128).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    assert len(outlines) == rank


def test_three_dots_run_down_to_the_right_so_nothing_is_mirrored():
    places = sorted(pip_layout(3, HOUSE.dots), key=lambda place: place[1])
    assert [x for x, _, _ in places] == sorted(x for x, _, _ in places)


def test_faces_can_be_drawn_without_any_system_font(tmp_path):
    program = (
        "import sys; from pathlib import Path; from lab.art import glyphs;"
        "glyphs.FONT_FOLDER = Path(sys.argv[1]);"
        "import numpy as np; from lab.art.faces import CODES, draw_face, random_style;"
        "style = random_style(np.random.default_rng(3)); [draw_face(code, style, 48) for code in CODES]"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True, timeout=LIMIT_S)
