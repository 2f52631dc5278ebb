"""From a reading to the hand of a request: what counts as the hand, and what a person's corrections do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import InputError, NotationError
from companion.images import Quad
from companion.photo_hand.from_reading import hand_fields, hand_in, parse_fixes, parse_only, unsure
from companion.tiles import SET_84, SET_144, Tile, parse_tiles
from companion.vision import Reading, TileReading

WIN = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 8s"


def place(column: int) -> Quad:
    x = column * 3.0
    return ((x, 0.0), (x + 3.0, 0.0), (x + 3.0, 4.0), (x, 4.0))


def read_as(*codes: str) -> Reading:
    """A reading of one row; "?3m" is a tile not read with certainty that is most likely 3m."""
    tiles = []
    for column, code in enumerate(codes):
        if code.startswith("?"):
            tiles.append(TileReading("?", place(column), 0.5, ((code[1:], 0.5), ("9s", 0.3))))
        else:
            tiles.append(TileReading(code, place(column), 0.99, ((code, 0.99),)))
    return Reading(640, 480, tuple(tiles), (tuple(range(len(tiles))),), {"total": 1.0})


def test_face_up_tiles_are_the_hand() -> None:
    reading = read_as("2m", "?3m", "4m", "back", "5z")
    assert hand_fields(reading, {}, "", {}, SET_144) == {"hand": "234m5z"}


def test_an_unsure_tile_is_never_a_fifth_copy() -> None:
    four = ("?3m", "3m", "3m", "3m", "3m")
    assert hand_fields(read_as(*four), {}, "", {}, SET_144) == {"hand": "9s3333m"}
    assert hand_fields(read_as("?3m", "3m", "3m"), {}, "33m", {}, SET_144) == {"hand": "9s3333m"}
    fixed = parse_fixes(["2=3m", "3=3m"], 5)
    assert hand_fields(read_as("?3m", "1m", "1m", "3m", "3m"), fixed, "", {}, SET_144) == {"hand": "9s3333m"}
    assert hand_fields(read_as(*four), parse_fixes(["2="], 5), "", {}, SET_144) == {"hand": "3333m"}


def test_an_unsure_tile_is_named_where_no_alternative_is_left() -> None:
    four = ("?3m", "3m", "3m", "3m", "3m")
    assert hand_fields(read_as(*four), {}, "", {}, SET_84) == {"hand": "33333m"}


def test_the_last_copy_goes_to_the_surest_of_the_unsure() -> None:
    reading = read_as("?3m", "?3m", "3m", "3m", "3m")
    surer = replace(reading.tiles[1], p=0.55)
    reading = replace(reading, tiles=(reading.tiles[0], surer, *reading.tiles[2:]))
    assert hand_fields(reading, {}, "", {}, SET_144) == {"hand": "9s3333m"}


def test_fixes_change_remove_and_add() -> None:
    reading = read_as("2m", "?3m", "4m", "back", "5z")
    fixes = parse_fixes(["2=8m", "4=1p", "5="], 5)
    assert fixes == {2: Tile.parse("8m"), 4: Tile.parse("1p"), 5: None}
    assert hand_fields(reading, fixes, "77s", {}, SET_144) == {"hand": "284m1p77s"}


def test_melds_and_flowers_leave_the_hand() -> None:
    reading = read_as("2m", "2m", "2m", "2m", "5p", "5p", "back", "back", "1f", "6f")
    fields = hand_fields(reading, {}, "", {"melds": ["p222m", "K5555p"]}, SET_144)
    assert fields == {"hand": "2m", "flowers": "16f"}
    assert hand_fields(reading, {}, "", {"flowers": "3f"}, SET_144) == {"hand": "2222m55p"}


def test_a_concealed_kong_as_players_lay_it_is_a_meld_at_once() -> None:
    reading = read_as("2m", "3m", "back", "5p", "5p", "back", "4m")
    won = {"winning_tile": "4m"}
    assert hand_fields(reading, {}, "", won, SET_144) == {"hand": "234m", "melds": ["K5555p"]}
    reported = won | {"melds": ["K5555p"]}
    assert hand_fields(reading, {}, "", reported, SET_144) == {"hand": "234m"}
    assert hand_fields(reading, parse_fixes(["3="], 7), "", won, SET_144) == {"hand": "23m55p4m"}
    unread = read_as("back", "5p", "5p", "back", "?5p")
    surest_left = hand_fields(unread, {}, "", {}, SET_144)
    assert surest_left == {"hand": "9s", "melds": ["K5555p"]}


def test_a_meld_that_is_not_in_the_picture() -> None:
    with pytest.raises(InputError, match="'p222m' is not in the picture, 2m is missing"):
        hand_fields(read_as("2m", "2m", "3m"), {}, "", {"melds": ["p222m"]}, SET_144)
    with pytest.raises(NotationError, match="x222m"):
        hand_fields(read_as("2m"), {}, "", {"melds": ["x222m"]}, SET_144)


def test_unsure_tiles_are_numbered_as_a_person_counts() -> None:
    reported = unsure(read_as("2m", "?3m", "back"))
    assert [(each["tile"], each["code"], each["alternatives"][0][0]) for each in reported] == [(2, "?", "3m")]
    assert unsure(read_as("2m", "4m", "back")) == []


def test_a_tile_is_corrected_once() -> None:
    with pytest.raises(InputError, match="--fix corrects tile 2 twice"):
        parse_fixes(["2=3m", "1=4m", "2="], 3)


@pytest.mark.parametrize("text", ["3m", "0=3m", "4=3m", "=3m", "-1=3m", "99999999999999999999999=3m", ""])
def test_a_fix_that_names_no_tile(text: str) -> None:
    with pytest.raises(InputError, match="N from 1 to 3"):
        parse_fixes([text], 3)


def test_a_fix_that_is_no_tile() -> None:
    with pytest.raises(NotationError, match="'0m'"):
        parse_fixes(["1=0m"], 3)


def test_only_the_tiles_that_are_named_count() -> None:
    reading = read_as("9p", "back", *WIN.split(), "1f", "9s", "8f")
    only = parse_only("3-10, 11-17,2", reading)
    assert only == frozenset(range(1, 17))
    fields = hand_fields(reading, {}, "", {"rules": "hong_kong"}, SET_144, only)
    assert fields == {"hand": "23456788m345p678s", "flowers": "1f"}
    found = hand_in(reading, "hong_kong", None, only)
    assert found.flowers_p == 1, "nothing is left to ask"
    assert found.concealed == tuple(range(2, 16))
    assert (found.flowers, found.others) == ((16,), (0, 1, 17, 18))


def test_meld_like_tiles_may_be_concealed() -> None:
    row = [tile.code for tile in parse_tiles("23456788m345p777z")]
    reading = lay_apart(read_as(*row), 16, 17, 18)
    assert hand_fields(reading, {}, "", {"rules": "hong_kong"}, SET_144)["melds"] == ["p777z"]
    fields = hand_fields(reading, {}, "", {"rules": "hong_kong"}, SET_144, open_melds=True)
    assert fields == {"hand": "23456788m345p777z"}
    found = hand_in(reading, "hong_kong", open_melds=True)
    assert (found.concealed, found.melds, found.winning) == (tuple(range(14)), (), 13)
    assert found.concealed_p == found.others_p, "which of these are melds is settled"


def test_a_flower_that_parts_a_row_may_part_no_meld_from_it() -> None:
    reading = read_as(*(tile.code for tile in parse_tiles("23456788m345p1f777z")))
    assert hand_fields(reading, {}, "", {"rules": "hong_kong"}, SET_144)["melds"] == ["p777z"]
    fields = hand_fields(reading, {}, "", {"rules": "hong_kong"}, SET_144, open_melds=True)
    assert fields == {"hand": "23456788m345p777z", "flowers": "1f"}


@pytest.mark.parametrize("kong", ["back 5z 5z back", "5z back back 5z"])
def test_a_kong_with_tiles_face_down_is_one_in_any_case(kong: str) -> None:
    row = [tile.code for tile in parse_tiles("234678m345p88s")]
    reading = read_as(*row, *kong.split())
    hand, melds = {"hand": "234678m345p88s"}, {"melds": ["K5555z"]}
    for open_melds in (False, True):
        fields = hand_fields(reading, {}, "", {"rules": "hong_kong"}, SET_144, open_melds=open_melds)
        assert fields == hand | melds
        found = hand_in(reading, "hong_kong", open_melds=open_melds)
        assert (found.concealed, len(found.melds), found.winning) == (tuple(range(11)), 1, 10)


@pytest.mark.parametrize("text", ["", "0", "3-2", "1-6", "a", "1,,2", "1 2", "-3", "99999"])
def test_numbers_of_tiles_that_are_not_there(text: str) -> None:
    with pytest.raises(InputError, match=r"--only .* from 1 to 5, such as 1-14,16"):
        parse_only(text, read_as("2m", "3m", "4m", "back", "5z"))


def test_only_face_down_tiles_are_no_hand() -> None:
    with pytest.raises(InputError, match="--only '4' must name a tile that lies face up"):
        parse_only("4", read_as("2m", "3m", "4m", "back", "5z"))


def lay_apart(reading: Reading, *columns: int) -> Reading:
    """The same row, its last tiles in these columns."""
    first = len(reading.tiles) - len(columns)
    moved = [replace(tile, quad=place(at)) for tile, at in zip(reading.tiles[first:], columns, strict=True)]
    return replace(reading, tiles=(*reading.tiles[:first], *moved))


def test_the_tile_that_lies_apart_won_unless_another_is_named_or_the_hand_was_dealt() -> None:
    reading = read_as(*WIN.split())
    apart, game = lay_apart(reading, 16), {"rules": "hong_kong"}
    assert hand_fields(apart, {}, "", game, SET_144)["winning_tile"] == "8s"
    assert "winning_tile" not in hand_fields(apart, {}, "", game | {"winning_tile": "3p"}, SET_144)
    assert "winning_tile" not in hand_fields(apart, {}, "", game | {"situation": ["heavenly"]}, SET_144)
    assert "winning_tile" not in hand_fields(reading, {}, "", game, SET_144)
    flower = parse_fixes(["14=1f"], 14)
    assert "winning_tile" not in hand_fields(apart, flower, "", game, SET_144)


def test_an_unread_tile_of_a_meld_is_what_the_meld_makes_it() -> None:
    reading = lay_apart(read_as(*WIN.split()[:11], "5z", "5z", "?9s"), 13, 14, 15)
    unread = replace(reading.tiles[13], alternatives=(("9s", 0.5), ("5z", 0.4)))
    reading = replace(reading, tiles=(*reading.tiles[:13], unread))
    expected = {"hand": "23456788m345p", "melds": ["p555z"]}
    for melds in ([], ["p555z"]):
        request = {"rules": "hong_kong", "melds": melds}
        fields = request | hand_fields(reading, {}, "", request, SET_144)
        assert (fields["hand"], fields["melds"]) == (expected["hand"], expected["melds"])


def test_a_meld_that_is_named_leaves_the_winning_tile_where_it_lies() -> None:
    reading = lay_apart(read_as(*WIN.split()[:10], "5p", "5p", "5p", "5p"), 12, 16, 17, 18)
    fields = hand_fields(reading, {}, "", {"rules": "hong_kong", "melds": ["p555p"]}, SET_144)
    assert (fields["hand"], fields["winning_tile"]) == ("23456788m345p", "5p")
