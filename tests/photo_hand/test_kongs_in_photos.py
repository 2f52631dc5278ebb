"""Kongs in photos: four equal tiles in the hand's row, a tile added to a pung, what only looks like one."""

from __future__ import annotations

import pytest

from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.which_hand import FoundHand, find_hand
from companion.rules import RULE_SETS
from companion.tiles import BACK, MeldKind
from companion.vision import TileReading
from tests.photo_hand.test_which_hand import HEIGHT, WIDTH, lay, name

HONG_KONG = RULE_SETS["hong_kong"]
CONCEALED = "4s 5s 6s 5p 5p 4z 4z 5z 5z 5z"
DISCARDS = "9p 1m 9s 2p 7p 9s"


def lay_added_kong(concealed: str = CONCEALED, turned: int = 0) -> list[TileReading]:
    """A hand, and beside it a pung of 9m on whose sideways tile, the one with the number `turned`, another
    lies."""
    pung = ["9m"] * 3
    pung[turned] += "^"
    tiles = lay(f"{concealed} | {' '.join(pung)}", gap=0.4)
    sideways = tiles[len(concealed.split()) + turned]
    a, b, c, d = ((x, y - WIDTH) for x, y in sideways.quad)
    return [*tiles, TileReading("9m", (a, b, c, d), 0.99, (("9m", 0.99),))]


def name_melds(found: FoundHand) -> list[tuple[MeldKind, tuple[str, ...]]]:
    return [(meld.kind, meld.codes) for meld in found.melds]


@pytest.mark.parametrize(
    "row",
    [
        "7z | 7z 7z 7z 5z 5z 5z 8p 8p 8p 9p 9p 6m 6m 6m",
        "2m | 3m 4m 8p 8p 8p 8p 5s 5s 5s 5s 6z 6z 1z 1z 1z",
    ],
)
def test_a_kong_in_the_hands_row_stays_whole(row: str) -> None:
    tiles = lay("6f " + row, gap=0.12) + lay(DISCARDS, 60, -200)
    found = find_hand(tiles, HONG_KONG)
    assert (name(tiles, found.concealed), found.melds) == (row.replace("| ", ""), ())
    assert name(tiles, found.flowers) == "6f"
    assert found.concealed_p > 0.7


def test_a_winning_tile_is_no_part_of_a_kong() -> None:
    tiles = lay("1m 2m 3m 4s 5s 6s 7z 7z 7z 2z 2z 5p 5p 5p | 5p")
    found = find_hand(tiles[:-4] + tiles[-3:], HONG_KONG)
    assert (len(found.concealed), found.winning) == (14, 13)
    assert found.concealed_p > 0.9


@pytest.mark.parametrize("turned", [0, 1, 2])
def test_a_tile_laid_against_a_pungs_sideways_tile_makes_an_added_kong(turned: int) -> None:
    tiles = lay_added_kong(turned=turned) + lay("5p", 60, -2 * HEIGHT)
    found = find_hand(tiles, HONG_KONG)
    assert name_melds(found) == [(MeldKind.KONG_ADDED, ("9m",) * 4)]
    assert name(tiles, found.concealed) == f"{CONCEALED} 5p"
    assert set(found.melds[0].tiles) == {10, 11, 12, 13}


def test_another_tile_laid_against_a_pung_is_not_added_to_it() -> None:
    tiles = lay_added_kong() + lay("5p", 60, -2 * HEIGHT)
    stranger = TileReading("8m", tiles[13].quad, 0.99, (("8m", 0.99),))
    found = find_hand([*tiles[:13], stranger, *tiles[14:]], HONG_KONG)
    assert MeldKind.KONG_ADDED not in {meld.kind for meld in found.melds}


@pytest.mark.parametrize("wall", [f"{BACK} {BACK} 8m 8m {BACK} {BACK}", f"{BACK} 8m 8m {BACK} {BACK} {BACK}"])
def test_two_tiles_of_a_wall_that_were_turned_up_are_no_concealed_kong(wall: str) -> None:
    a_tile_of_the_pung_was_not_found = lay(f"{CONCEALED} | 9m 9m", gap=0.1) + lay("5p", 60, -2 * HEIGHT)
    found = find_hand(lay(wall, 250, -3 * HEIGHT) + a_tile_of_the_pung_was_not_found, HONG_KONG)
    assert name_melds(found) == []


def test_a_concealed_kong_that_the_hand_needs_may_touch_a_wall() -> None:
    tiles = lay(f"4s 5s 6s 5z 5z 5z 3z 3z 1m 1m 1m | {BACK} 8m 8m {BACK} {BACK} {BACK} {BACK}")
    found = find_hand(tiles, HONG_KONG)
    assert name_melds(found) == [(MeldKind.KONG_CONCEALED, ("8m",) * 4)]


def test_two_concealed_kongs_side_by_side_are_both_found() -> None:
    tiles = lay(f"{BACK} 8m 8m {BACK} {BACK} 2p 2p {BACK}", 250) + lay("4s 5s 6s 5z 5z 5z 3z", 0)
    found = find_hand(tiles, HONG_KONG)
    assert [meld.kind for meld in found.melds] == [MeldKind.KONG_CONCEALED] * 2


def test_flowers_that_lie_side_by_side_are_one_players() -> None:
    flowers = "1f 2f 3f 4f 5f 6f 7f 8f"
    tiles = lay(f"{flowers} 1m 2m 3m 4p 5p 6p 7s 8s 9s 5z 5z 5z 2z 2z")
    assert name(tiles, find_hand(tiles, HONG_KONG).flowers) == flowers


def test_backs_that_lie_far_off_are_no_part_of_a_concealed_kong() -> None:
    row = "5p 5p 5p 1m 2m 3m 4s 5s 6s 7s 8s 9s 2z 2z"
    near, far = (lay(row) + lay(f"{BACK} {BACK}", x, y) for x, y in ((-2 * WIDTH, 0.0), (60.0, -9 * HEIGHT)))
    for tiles, possible in ((near, True), (far, False)):
        hand = PhotoHand().read_again(tiles, HONG_KONG)
        tile = next(tile for tile in hand.tiles if tile.code == "5p")
        assert (hand.find_meld_members(tile.id, MeldKind.KONG_CONCEALED) is not None) == possible
