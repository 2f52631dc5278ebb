"""Reading order: rows top to bottom, each left to right, straight or slanting."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.reading import Reading, TileReading, find_rows, row_notation


def table(
    rows: list[int], slant: float, gap: float = 10.0, beside: float = 2.0
) -> tuple[np.ndarray, list[list[int]]]:
    """Quads of rows with these numbers of tiles, with gaps of `gap` px between rows and `beside` px in them,
    turned by `slant` radians, shuffled; and the wanted order of indices."""
    quads, wanted = [], []
    for line, count in enumerate(rows):
        wanted.append([])
        for column in range(count):
            x, y = column * (30.0 + beside), line * (40.0 + gap)
            wanted[-1].append(len(quads))
            quads.append([[x, y], [x + 30, y], [x + 30, y + 40], [x, y + 40]])
    turn = np.array([[np.cos(slant), np.sin(slant)], [-np.sin(slant), np.cos(slant)]])
    shuffled = np.random.default_rng(4).permutation(len(quads))
    place = {int(old): new for new, old in enumerate(shuffled)}
    return (np.array(quads) @ turn)[shuffled].astype(np.float32), [[place[i] for i in row] for row in wanted]


@pytest.mark.parametrize("slant", [-0.6, -0.2, 0.0, 0.05, 0.3, 0.7])
@pytest.mark.parametrize("rows", [[14], [5, 5, 4], [9, 9, 9, 9], [1], [1, 13]])
def test_rows_are_read_as_a_person_reads_them(rows: list[int], slant: float) -> None:
    quads, wanted = table(rows, slant)
    assert [list(row) for row in find_rows(quads)] == wanted


@pytest.mark.parametrize("turn", [-np.pi / 2, np.pi / 2, -1.2, 1.0, 2.0])
@pytest.mark.parametrize("rows", [[14], [2], [9, 5], [4, 4, 4]])
def test_a_row_that_runs_up_the_picture_is_one_row(rows: list[int], turn: float) -> None:
    quads, wanted = table(rows, turn)
    assert [list(row) for row in find_rows(quads)] == wanted


@pytest.mark.parametrize("turn", [-np.pi / 2, np.pi / 2])
def test_tiles_turned_or_read_a_quarter_wrong_do_not_break_a_row(turn: float) -> None:
    quads, wanted = table([14], turn)
    for odd in (wanted[0][3], wanted[0][8], wanted[0][9]):
        quads[odd] = np.roll(quads[odd], 1, axis=0)
    assert [list(row) for row in find_rows(quads)] == wanted


def test_a_column_of_upright_tiles_is_one_row_from_top_to_bottom() -> None:
    quads, wanted = table([1] * 14, 0.0, gap=1.0)
    assert [list(row) for row in find_rows(quads)] == [[index for row in wanted for index in row]]


def test_upright_tiles_are_read_across_though_more_of_them_touch_above_each_other() -> None:
    quads, wanted = table([3] * 9, 0.0, gap=1.0)
    assert [list(row) for row in find_rows(quads)] == wanted


def test_tiles_that_lie_any_way_up_are_read_as_the_picture_is_held() -> None:
    quads, wanted = table([5, 5, 5], 0.0)
    for place in range(len(quads)):
        quads[place] = np.roll(quads[place], place % 4, axis=0)
    assert [list(row) for row in find_rows(quads)] == wanted


def strewn(places: list[tuple[int, int, int]]) -> np.ndarray:
    """Quads of tiles of 90 × 130 px with their middles at x and y px, each turned by degrees clockwise."""
    face = np.array([[-45, -65], [45, -65], [45, 65], [-45, 65]])
    quads = []
    for x, y, degrees in places:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        quads.append(face @ np.array([[c, s], [-s, c]]) + (x, y))
    return np.array(quads, np.float32)


STREWN = {
    "a bent row above another": [
        (126, 265, -17), (244, 157, -24), (396, 177, 22), (513, 286, -18),
        (186, 450, -22), (322, 394, -135), (478, 533, 34),
    ],
    "two rows, some tiles read a quarter wrong": [
        (149, 226, 26), (252, 139, 0), (360, 216, 0), (489, 254, 60),
        (142, 414, 38), (269, 492, -2), (388, 458, -30), (511, 466, -18),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", STREWN)
@pytest.mark.parametrize("turn", [0.0, -np.pi / 2, np.pi / 2])
def test_strewn_tiles_are_read_as_their_glyphs_stand(name: str, turn: float) -> None:
    quads = strewn(STREWN[name])
    around = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.float32)
    assert find_rows(quads @ around) == ((0, 1, 2, 3), tuple(range(4, len(quads))))


def test_one_pair_that_touches_does_not_turn_a_loose_grid() -> None:
    quads, wanted = table([3, 3, 3], 0.0, gap=24.0, beside=30.0)
    first, below = wanted[0][0], wanted[1][0]
    quads[[first, below]] += np.array([[[0, 8]], [[0, -8]]], np.float32)
    assert [list(row) for row in find_rows(quads)] == wanted


def test_a_grid_of_upright_tiles_is_read_across_though_they_touch_only_above_each_other() -> None:
    quads, wanted = table([3, 3, 3], 0.0, gap=4.0, beside=40.0)
    assert [list(row) for row in find_rows(quads)] == wanted


def test_a_column_of_upright_tiles_with_a_gap_is_one_row() -> None:
    quads, wanted = table([1] * 14, 0.0, gap=1.0)
    quads[[row[0] for row in wanted[13:]]] += np.array([0, 60], np.float32)
    assert [list(row) for row in find_rows(quads)] == [[index for row in wanted for index in row]]


@pytest.mark.parametrize("slant", [-0.3, 0.3])
def test_a_hand_that_slants_otherwise_than_the_pile_behind_it_is_one_row(slant: float) -> None:
    pile, _ = table([6] * 6, slant, gap=14.0, beside=8.0)
    hand, [wanted] = table([14], 0.0)
    hand += np.array([-120.0, pile[..., 1].max() + 120.0], np.float32)
    quads = np.concatenate([pile, hand])
    assert list(find_rows(quads)[-1]) == [len(pile) + index for index in wanted]


def test_no_tiles_are_no_rows() -> None:
    assert find_rows(np.zeros((0, 4, 2), np.float32)) == ()


def test_rows_are_written_with_backs_and_doubtful_tiles_apart() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    codes = ["1m", "2m", "?", "back", "5z", "5z"]
    tiles = tuple(TileReading(code, square, 1.0, ()) for code in codes)
    assert row_notation(Reading(9, 9, tiles, ((0, 1, 2), (3, 4, 5)), {})) == ("12m ?", "back 55z")
