"""Which tiles are the hand: rows, melds by their shape, the winning tile apart, doubt, odd pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.images import Quad
from companion.photo_hand.from_reading import hand_json
from companion.photo_hand.which_hand import FoundHand, find_hand
from companion.rules import RULE_SETS
from companion.tiles import BACK, MeldKind
from companion.vision import TileReading

WIDTH, HEIGHT = 30.0, 40.0
WIN = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 8s"
HONG_KONG, HEFEI, TAIWANESE = (RULE_SETS[name] for name in ("hong_kong", "hefei", "taiwanese"))


def lay(codes: str, x: float = 0.0, y: float = 0.0, gap: float = 1.0) -> list[TileReading]:
    """Tiles side by side: | is a gap of `gap` widths, ^ behind a code lays the tile sideways."""
    tiles = []
    for code in codes.split():
        if code == "|":
            x += gap * WIDTH
            continue
        corners: list[tuple[float, float]]
        if code.endswith("^"):
            top = y + HEIGHT - WIDTH
            corners = [(x + HEIGHT, top), (x + HEIGHT, top + WIDTH), (x, top + WIDTH), (x, top)]
            x += HEIGHT
        else:
            corners = [(x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT)]
            x += WIDTH
        a, b, c, d = corners
        name = code.rstrip("^")
        tiles.append(TileReading(name, (a, b, c, d), 0.99, ((name, 0.99),)))
    return tiles


def turn(tiles: list[TileReading], angle: float) -> list[TileReading]:
    """The same picture turned by `angle` radians."""
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])

    def turned(quad: Quad) -> Quad:
        a, b, c, d = ((float(x), float(y)) for x, y in np.array(quad) @ matrix)
        return a, b, c, d

    return [TileReading(tile.code, turned(tile.quad), tile.p, tile.alternatives) for tile in tiles]


def name(tiles: list[TileReading], places: tuple[int, ...]) -> str:
    return " ".join(tiles[place].code for place in places)


def test_discards_and_walls_do_not_count() -> None:
    tiles = lay("9p 1m 9s 2p 7p 9s", 60, -200) + lay(WIN) + lay(" ".join([BACK] * 12), 0, -300)
    found = find_hand(tiles, HONG_KONG)
    assert name(tiles, found.concealed) == WIN
    assert len(found.others) == 18
    assert found.concealed_p > 0.9


@pytest.mark.parametrize("angle", [0.0, 0.5, np.pi / 2, 2.5, np.pi, -np.pi / 2])
def test_the_winning_tile_lies_apart_however_the_picture_is_held(angle: float) -> None:
    tiles = turn(lay("2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 6s 7s 8s | 5p"), angle)
    found = find_hand(tiles, HONG_KONG)
    assert len(found.concealed) == 14
    assert found.winning == 13
    assert found.winning_p > 0.7


@pytest.mark.parametrize(
    ("melds", "kind"),
    [
        ("6s 7s^ 8s", MeldKind.CHOW),
        ("7z 7z 7z^", MeldKind.PUNG),
        ("5s^ 5s 5s 5s", MeldKind.KONG_DISCARD),
        ("back 5s 5s back", MeldKind.KONG_CONCEALED),
        ("5s back back 5s", MeldKind.KONG_CONCEALED),
        ("back back back back", MeldKind.KONG_CONCEALED),
    ],
)
def test_a_meld_beside_the_hand_is_known_by_its_shape(melds: str, kind: MeldKind) -> None:
    tiles = lay(f"2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p | | {melds}")
    found = find_hand(tiles, HONG_KONG)
    assert len(found.concealed) == 11
    (meld,) = found.melds
    assert meld.kind is kind
    assert meld.tiles == tuple(range(11, len(tiles)))
    assert meld.sideways == next((11 + at for at, code in enumerate(melds.split()) if "^" in code), None)


def read_turned(tiles: list[TileReading], code: str) -> list[TileReading]:
    """The same tiles, those of one kind read as if their glyphs lay a quarter turn round."""

    def turned(quad: Quad) -> Quad:
        a, b, c, d = quad
        return b, c, d, a

    return [replace(tile, quad=turned(tile.quad)) if tile.code == code else tile for tile in tiles]


@pytest.mark.parametrize("code", ["1p", "1s", "5z"])
def test_a_tile_that_shows_no_way_up_lies_sideways_only_if_it_is_wider_than_its_neighbours(code: str) -> None:
    hand = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p"
    closed = read_turned(lay(f"{hand} {code} {code} {code}"), code)
    found = find_hand(closed, HONG_KONG)
    assert len(found.concealed) == 14
    assert found.melds == ()

    melded = read_turned(lay(f"{hand} | | {code} {code}^ {code}"), code)
    (meld,) = find_hand(melded, HONG_KONG).melds
    assert meld.sideways == 12


def test_a_tile_that_was_read_for_sure_is_no_other_one_in_a_meld() -> None:
    tiles = lay("3s 3s 3s 6m 6m 6m 6z 6z 6z 1s 1s | 7s^ 7s 1s")
    found = find_hand(tiles, HONG_KONG)
    assert all(
        tiles[place].code == code
        for meld in found.melds
        for place, code in zip(meld.tiles, meld.codes, strict=True)
    )


@pytest.mark.parametrize(
    "doubtful",
    [
        TileReading("?", ((0, 0),) * 4, 0.5, (("1s", 0.5), ("2s", 0.4))),
        TileReading("1s", ((0, 0),) * 4, 0.8, (("1s", 0.8), ("7s", 0.2))),
    ],
)
def test_a_doubtful_tile_is_what_makes_a_meld(doubtful: TileReading) -> None:
    tiles = lay("2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p | | 7s^ 7s 7s")
    tiles[-1] = replace(doubtful, quad=tiles[-1].quad)
    (meld,) = find_hand(tiles, HONG_KONG).melds
    assert meld.codes == ("7s", "7s", "7s")


def test_a_kind_of_meld_that_the_game_lacks_is_part_of_the_hand() -> None:
    tiles = lay("2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p | 6s 7s 8s")
    assert len(find_hand(tiles, HEFEI, HEFEI.allowed_melds(HEFEI.defaults)).concealed) == 14
    assert len(find_hand(tiles, HONG_KONG).concealed) == 11


@pytest.mark.parametrize("gap", [0.25, 0.5, 1.0])
@pytest.mark.parametrize(
    "codes",
    [
        "2m 3m 4m | 5m 6m 7m | 3p 4p 5p | 6s 7s 8s | 8m 8m",
        "2m 2m 2m | 8m 8m | 5m 5m 5m | 3p 3p 3p | 7z 7z 7z",
        "2m 3m 4m 5m 6m 7m 8m 8m | 3p 4p 5p | 6s 7s 8s",
        "1m 1m | 3m 3m | 4p 4p | 6p 6p | 7s 7s | 2z 2z | 7z 7z",
    ],
)
def test_a_hand_laid_out_set_by_set_is_concealed(codes: str, gap: float) -> None:
    found = find_hand(lay(codes, gap=gap), HONG_KONG)
    assert len(found.concealed) == 14
    assert found.melds == ()


@pytest.mark.parametrize("gap", [0.25, 0.5, 0.8])
@pytest.mark.parametrize(
    ("codes", "concealed"),
    [
        ("2m 3m 4m | 5m 6m 7m | 8m 8m | 3p 4p 5p | 6s^ 7s 8s", 11),
        ("6s 6s 6s^ | 2m 3m 4m | 5m 6m 7m | 3p 4p 5p | 8m 8m", 11),
        ("2m 3m 4m | 5m 6m 7m | 8m 8m | 3p 4p^ 5p | 6s^ 7s 8s", 8),
        ("2m 3m 4m | 5m 6m 7m | 8m 8m | 3p 4p 5p | 6s 6s 6s 6s", 11),
        ("2m 3m 4m | 5m 6m 7m | 8m 8m | 3p 4p 5p | back 6s 6s back", 11),
        ("2m 3m 4m | 5m 6m 7m | 8m 8m | 3p 4p 5p | back back back back", 11),
        ("2m 3m 4m | 8m 8m | 6s^ 7s 8s | 3p 3p 3p 3p | back 7z 7z back", 5),
    ],
)
def test_beside_a_hand_laid_out_set_by_set_melds_show_by_their_shape(
    codes: str, concealed: int, gap: float
) -> None:
    found = find_hand(lay(codes, gap=gap), HONG_KONG)
    assert found.concealed == tuple(sorted(found.concealed))
    assert len(found.concealed) == concealed
    assert concealed + 3 * len(found.melds) == 14


def test_group_far_from_a_spread_hand_is_a_meld() -> None:
    hand, meld = "2m 3m 4m | 5m 6m 7m | 8m 8m | 3p 4p 5p", "6s 7s 8s"
    for tiles in (
        lay(f"{hand} | | | | | | {meld}", gap=0.4),
        lay(hand, gap=0.4) + lay(meld, 150, -120),
    ):
        found = find_hand(tiles, HONG_KONG)
        assert len(found.concealed) == 11
        assert [len(meld.tiles) for meld in found.melds] == [3]


def test_sixteen_tiles_where_the_game_has_them() -> None:
    tiles = lay("2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 8s 2s 3s 4s")
    assert len(find_hand(tiles, TAIWANESE).concealed) == len(find_hand(tiles).concealed) == 17


def test_flowers_near_the_hand_are_set_out_with_it() -> None:
    tiles = lay(WIN) + lay("1f 5f", 90, -90) + lay("2f", 1500, -1500)
    found = find_hand(tiles, HONG_KONG)
    assert name(tiles, found.flowers) == "1f 5f"
    assert name(tiles, found.others) == "2f"


def test_flowers_near_the_melds_are_set_out_with_the_hand() -> None:
    tiles = lay("1f 5f | | 7z^ 7z 7z | | 5p 5p^ 5p | | 2m 3m 4m 5m 6m 7m 8m 8m")
    found = find_hand(tiles, HONG_KONG)
    assert len(found.melds) == 2
    assert name(tiles, found.flowers) == "1f 5f"


def test_a_flower_apart_from_those_of_the_hand_is_another_players() -> None:
    row = "1f 5f | " + WIN
    near, far = lay("2f", 300, -4.5 * WIDTH), lay("2f", 300, -6 * WIDTH)
    tiles = lay(row) + near
    assert name(tiles, find_hand(tiles, HONG_KONG).flowers) == "1f 5f"
    alone = lay(WIN) + near
    assert name(alone, find_hand(alone, HONG_KONG).flowers) == "2f"
    surer = find_hand(lay(row) + far, HONG_KONG)
    assert surer.flowers_p > find_hand(tiles, HONG_KONG).flowers_p


def test_two_equal_hands_leave_the_doubt_in_p() -> None:
    found = find_hand(turn(lay(WIN), 0.0) + lay(WIN, 0, 400), HONG_KONG)
    assert len(found.concealed) == 14
    assert 0.3 < found.concealed_p < 0.7


def test_too_few_tiles_for_a_hand_count_all() -> None:
    found = find_hand(lay("1m 2m 3m | 7z 9s") + lay("2p 3p", 0, 300), HONG_KONG)
    assert found.concealed == tuple(range(7))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [None, HONG_KONG, TAIWANESE])
def test_odd_pictures_have_an_answer(rules: object) -> None:
    flat = TileReading("1m", ((0.0, 0.0),) * 4, 0.9, (("1m", 0.9),))
    grid = [tile for line in range(9) for tile in lay("1m 2p 3s 4z 5z back 1p ? " * 2, 0, 41.0 * line)]
    pictures = [[], lay("5m"), lay("back"), lay("1f"), lay("?"), [flat, flat], grid, lay(WIN) * 12]
    for tiles in pictures:
        found = find_hand(tiles, rules)  # type: ignore[arg-type]
        check(found, len(tiles))


def check(found: FoundHand, tiles: int) -> None:
    """Every tile in one part, probabilities that are some."""
    melded = [tile for meld in found.melds for tile in meld.tiles]
    assert sorted((*found.concealed, *melded, *found.flowers, *found.others)) == list(range(tiles))
    stated = [found.concealed_p, found.winning_p, found.flowers_p, found.others_p]
    assert all(0 <= p <= 1 + 1e-9 for p in (*stated, *(meld.p for meld in found.melds)))


def test_the_answer_in_json_numbers_tiles_from_one() -> None:
    reported = hand_json(find_hand(lay("2m 3m 4m 5m 6m 7m 8m 8m 3p 4p | 5p | | 7z 7z^ 7z"), HONG_KONG))
    assert reported["concealed"]["tiles"] == list(range(1, 12))
    assert reported["winning_tile"]["tile"] == 11
    (meld,) = reported["melds"]
    assert (meld["kind"], meld["tiles"], meld["codes"], meld["sideways"]) == (
        "p", [12, 13, 14], ["7z"] * 3, 13,
    )  # fmt: skip
    assert reported["others"]["tiles"] == []
