"""Blank faces that continue a row of tiles, of which both networks know too little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.blanks import IN_ROW_P, continue_rows, settle_blanks
from companion.vision.candidates import Candidates
from tests.vision.made_up import classified

LABELS = ("1m", "5z", "back", "none")
FACE, BLANK, BACK = (0.98, 0.0, 0.01, 0.01), (0.05, 0.6, 0.05, 0.3), (0.01, 0.01, 0.97, 0.01)
DOUBTED = (0.0, 0.1, 0.0, 0.9)
"""As the weigher leaves a blank face."""
Place = tuple[float, float]


def rectangle(x: float, y: float = 100.0, wide: float = 40.0, high: float = 54.0) -> np.ndarray:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32)


def lay(
    *blanks: np.ndarray, faces: int = 4, row: tuple[float, ...] = FACE, scores: float = 0.5,
    read: tuple[float, ...] = BLANK, light: int = 220,
) -> list[bool]:  # fmt: skip
    """Which of the blanks are taken for tiles beside so many tiles in a row from x = 100 on. light: grey
    level of the blanks; the others have 220."""
    quads = np.stack([*(rectangle(100 + 42.0 * at) for at in range(faces)), *blanks])
    known = np.array([row] * faces + [read] * len(blanks), np.float32)
    crops = np.full((len(quads), 64, 64, 3), 220, np.uint8)
    crops[faces:] = light
    finder = np.array([0.9] * faces + [scores] * len(blanks), np.float32)
    candidates: Candidates = classified(LABELS, known, quads=quads, scores=finder, crops=crops)
    weighed = classified(LABELS, np.array([row] * faces + [DOUBTED] * len(blanks), np.float32), quads=quads)
    after = continue_rows(candidates, weighed).probabilities
    assert np.allclose(after.sum(axis=1), 1, atol=1e-4)
    assert np.array_equal(after[:faces], weighed.probabilities[:faces])
    return [bool(each[3] < 0.5) for each in after[faces:]]


def test_a_blank_face_at_the_end_of_a_row_is_a_tile() -> None:
    assert lay(rectangle(268)) == [True]
    assert lay(rectangle(58)) == [True]


def test_two_of_them_continue_it_one_after_the_other() -> None:
    assert lay(rectangle(310), rectangle(268)) == [True, True]
    assert lay(rectangle(310)) == [False]


@pytest.mark.parametrize(
    "blank",
    [
        rectangle(268, 130),
        rectangle(268, wide=60, high=80),
        rectangle(268, wide=20),
        rectangle(240),
        rectangle(290),
        np.array([[268, 120], [288, 85], [335, 112], [315, 147]], np.float32),
    ],
)
def test_what_lies_or_looks_otherwise_than_the_next_tile_would_does_not(blank: np.ndarray) -> None:
    assert lay(blank) == [False]


def test_two_tiles_are_no_row_and_backs_are_none_of_faces() -> None:
    assert lay(rectangle(184), faces=2) == [False]
    assert lay(rectangle(268), row=BACK) == [False]


def test_what_the_networks_hardly_see_there_is_left_out() -> None:
    assert lay(rectangle(268), scores=0.2) == [False]
    assert lay(rectangle(268), read=(0.3, 0.25, 0.05, 0.4)) == [False]


def test_the_side_of_the_last_tile_lies_in_its_shade() -> None:
    assert lay(rectangle(268), light=235) == [True]
    assert lay(rectangle(268), light=150) == [False]


def test_how_likely_its_kinds_are_stays_as_the_reader_has_it() -> None:
    quads = np.stack([rectangle(100 + 42.0 * at) for at in range(4)])
    read = classified(LABELS, np.array([FACE] * 3 + [BLANK], np.float32), quads=quads)
    weighed = classified(LABELS, np.array([FACE] * 3 + [DOUBTED], np.float32), quads=quads)
    last = continue_rows(read, weighed).probabilities[3]
    assert last == pytest.approx((IN_ROW_P / 13, IN_ROW_P * 12 / 13, 0.0, 1 - IN_ROW_P), abs=1e-3)


def settle(
    *blanks: np.ndarray, faces: int = 4, read: tuple[float, ...] = (0.0, 0.9, 0.08, 0.02), tint: int = 0,
    taught: bool = False,
) -> np.ndarray:  # fmt: skip
    """Probabilities of "5z" and back of the blanks beside n painted tiles in a row from x = 100. tint: grey
    levels by which the blanks' ground is yellower."""
    quads = np.stack([*(rectangle(100 + 42.0 * at) for at in range(faces)), *blanks])
    known = np.array([FACE] * faces + [read] * len(blanks), np.float32)
    crops = np.full((len(quads), 64, 64, 3), 220, np.uint8)
    crops[:faces, 20:44, 20:44] = 40
    crops[faces:, :, :, 0] -= tint
    tiles = classified(LABELS, known, quads=quads, crops=crops)
    settled = settle_blanks(tiles, taught=taught).probabilities
    assert np.allclose(settled.sum(axis=1), known.sum(axis=1), atol=1e-5)
    assert np.array_equal(settled[:faces], known[:faces])
    return settled[faces:, 1:3]


def test_a_blank_tile_without_faces_is_as_likely_a_back() -> None:
    assert settle(rectangle(100), rectangle(142), faces=0) == pytest.approx(np.full((2, 2), 0.49))


def test_a_blank_tile_in_a_row_of_faces_is_a_white_dragon_whatever_else_was_read() -> None:
    doubted = (0.3, 0.35, 0.3, 0.05)
    assert settle(rectangle(268), read=doubted)[0] == pytest.approx((0.95, 0.0))
    assert settle(rectangle(268), rectangle(310), read=doubted)[1] == pytest.approx((0.95, 0.0))


def test_a_row_seen_from_a_low_place_is_wider_than_high() -> None:
    quads = np.stack([rectangle(100 + 42.0 * at, high=30) for at in range(6)])
    apart = [rectangle(100.0 + 90 * at, 300) for at in range(4)]
    doubted = (0.3, 0.35, 0.3, 0.05)
    known = np.array([FACE] * 4 + [doubted] * 2 + [(0.0, 0.9, 0.08, 0.02)] * 4, np.float32)
    crops = np.full((10, 64, 64, 3), 220, np.uint8)
    crops[:4, 20:44, 20:44] = 40
    tiles = classified(LABELS, known, quads=np.stack([*quads, *apart]), crops=crops)
    settled = settle_blanks(tiles, taught=False).probabilities
    assert settled[4:6, 1:3] == pytest.approx(np.array([(0.95, 0.0)] * 2))


def test_an_unread_face_does_not_show_which_side_is_its_upper_one() -> None:
    unread = (0.4, 0.1, 0.1, 0.4)
    quads = np.stack([rectangle(100 + 42.0 * at) for at in range(4)])
    known = np.array([unread] * 3 + [BLANK], np.float32)
    weighed = np.array([(0.8, 0.1, 0.05, 0.05)] * 3 + [DOUBTED], np.float32)
    crops = np.full((4, 64, 64, 3), 220, np.uint8)
    read = replace(classified(LABELS, known, quads=quads, crops=crops), turns=np.array([1, 1, 1, 0], np.intp))
    left = continue_rows(read, replace(read, probabilities=weighed)).probabilities
    assert left[3, 3] == pytest.approx(1 - IN_ROW_P)


def test_a_pale_back_beside_faces_has_another_ground() -> None:
    assert settle(rectangle(268), tint=40)[0] == pytest.approx((0.49, 0.49))


def test_more_blank_tiles_than_white_dragons_are_backs_unless_the_set_was_taught() -> None:
    apart = [rectangle(100.0 + 90 * at, 300) for at in range(5)]
    assert settle(*apart[:4])[0] == pytest.approx((0.9, 0.08))
    assert settle(*apart)[0] == pytest.approx((0.49, 0.49))
    assert settle(*apart, taught=True)[0] == pytest.approx((0.9, 0.08))


def test_a_blank_tile_in_a_row_of_backs_of_its_ground_is_a_back() -> None:
    wall = [rectangle(100.0 + 42 * at, 300) for at in range(6)]
    quads = np.stack([*(rectangle(100 + 42.0 * at) for at in range(4)), *wall])
    known = np.array(
        [FACE] * 4 + [BACK, BACK, (0.0, 0.9, 0.08, 0.02), (0.0, 0.8, 0.1, 0.1), BACK, BACK], np.float32
    )
    crops = np.full((len(quads), 64, 64, 3), 220, np.uint8)
    crops[:4, 20:44, 20:44] = 40
    settled = settle_blanks(classified(LABELS, known, quads=quads, crops=crops), taught=False).probabilities
    assert settled[6] == pytest.approx((0, 0, 0.98, 0.02))
    assert settled[7] == pytest.approx((0, 0, 0.9, 0.1))


def test_a_set_with_a_framed_white_dragon_has_no_blank_one() -> None:
    quads = np.stack([rectangle(100 + 42.0 * at) for at in range(6)])
    known = np.array([FACE] * 4 + [(0.0, 0.98, 0.01, 0.01), (0.0, 0.9, 0.08, 0.02)], np.float32)
    crops = np.full((6, 64, 64, 3), 220, np.uint8)
    crops[:5, 20:44, 20:44] = 40
    settled = settle_blanks(classified(LABELS, known, quads=quads, crops=crops), taught=False).probabilities
    assert settled[4] == pytest.approx(known[4])
    assert settled[5, 1:3] == pytest.approx((0.49, 0.49))


def test_a_doubted_back_in_a_row_of_backs_is_one() -> None:
    doubted = (0.0, 0.35, 0.64, 0.01)
    quads = np.stack([rectangle(100 + 42.0 * at) for at in range(5)])
    crops = np.full((5, 64, 64, 3), 220, np.uint8)
    for others, settled in ((BACK, 0.99), (FACE, 0.64)):
        known = np.array([others, others, doubted, others, others], np.float32)
        crops[[0, 1, 3, 4], 20:44, 20:44] = 40 if others is FACE else 220
        tiles = classified(LABELS, known, quads=quads, crops=crops)
        assert settle_blanks(tiles, taught=False).probabilities[2, 2] == pytest.approx(settled)
