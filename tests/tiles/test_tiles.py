"""Kinds, notation, melds and sets: what is written reads back, and what is wrong is quoted."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.foreign_text import escape
from companion.tiles import (
    KINDS,
    SET_84,
    SET_136,
    SET_144,
    Meld,
    MeldKind,
    Suit,
    Tile,
    TileSet,
    counts,
    format_tiles,
    parse_meld,
    parse_tiles,
)

tiles = st.sampled_from(KINDS)


def test_there_are_42_kinds_in_the_documented_order() -> None:
    sizes = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
    codes = [f"{rank}{suit}" for suit, size in sizes.items() for rank in range(1, size + 1)]
    assert [tile.code for tile in KINDS] == codes
    assert [tile.index for tile in KINDS] == list(range(42))
    assert [tile.suit for tile in KINDS[25:36]] == [Suit.BAMBOO] * 2 + [Suit.HONORS] * 7 + [Suit.FLOWERS] * 2


def test_a_tile_is_one_immutable_object_a_kind() -> None:
    tile = Tile.parse("5m")
    assert tile is KINDS[4] is copy.deepcopy(tile) is pickle.loads(pickle.dumps(tile))
    assert sorted([KINDS[9], tile, KINDS[0]]) == [KINDS[0], tile, KINDS[9]]
    with pytest.raises(AttributeError):
        tile.rank = 6


@given(st.lists(tiles))
def test_notation_gives_the_same_tiles_back(hand: list[Tile]) -> None:
    assert parse_tiles(format_tiles(hand)) == tuple(hand)


def test_groups_may_be_apart_and_in_any_order() -> None:
    assert format_tiles(parse_tiles(" 55z 234m\n567p 1m")) == "55z234m567p1m"
    assert parse_tiles("") == ()


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("0m", "'0m'"),
        ("123m8z", "'8z'"),
        ("9f", "'9f'"),
        ("234", "'234'"),
        ("234 m", "'234'"),
        ("22x", "'22'"),
        ("22m x", "'x'"),
        ("m", "'m'"),
        ("\uff12m", "'\uff12m'"),
        ("22M", "'22'"),
        ("back", "'back'"),
        ("1m?", "'?'"),
        ("\ud800", "'\\ud800'"),
        ("1m\x00", "'\\x00'"),
    ],
)
def test_wrong_notation_is_refused_quoting_the_piece(text: str, piece: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_tiles(text)
    assert str(error.value).startswith(piece)
    assert str(error.value) == escape(str(error.value))


@pytest.mark.parametrize("text", ["c234m", "p555z", "k2222p", "a8888s", "K1111m"])
def test_melds_read_back(text: str) -> None:
    meld = parse_meld(text)
    assert str(meld) == text
    assert meld.kind.is_kong == (text[0] in "kaK")


def test_a_chow_may_be_written_in_any_order() -> None:
    assert parse_meld("c423m") == Meld(kind=MeldKind.CHOW, tiles=parse_tiles("234m"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "c",
        "234m",
        "x222m",
        "c223m",
        "c123z",
        "c89m1p",
        "c2345m",
        "p22m",
        "p223m",
        "p2222m",
        "k222m",
        "K5556p",
        "a1112z",
        "C234m",
        "p111f",
    ],
)
def test_invalid_meld_is_quoted_in_the_error(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_meld(text)
    assert f"'{text}'" in str(error.value)


def test_tile_sets_have_the_right_tiles() -> None:
    assert (SET_84.total, SET_136.total, SET_144.total) == (84, 136, 144)
    assert format_tiles(SET_84.kinds) == "2345678m2345678p2345678s"
    assert len(SET_136.kinds) == 34
    assert SET_144.copies[41] == 1


@pytest.mark.parametrize(
    ("tile_set", "hand", "piece"),
    [
        (SET_84, "234m1m", "'1m' is not among the 84 tiles of this game: correct it."),
        (SET_84, "9p", "'9p'"),
        (SET_84, "5z", "'5z'"),
        (SET_84, "22m22m2m", "'2m' appears 5 times"),
        (SET_136, "1f", "'1f'"),
        (SET_144, "11f", "'1f' appears 2 times"),
    ],
)
def test_a_set_refuses_what_it_does_not_have(tile_set: TileSet, hand: str, piece: str) -> None:
    with pytest.raises(NotationError) as error:
        tile_set.check(parse_tiles(hand))
    assert piece in str(error.value)


def test_counts_are_by_index() -> None:
    found = counts(parse_tiles("115z8f"))
    assert len(found) == 42
    assert (found[27], found[31], found[41]) == (2, 1, 1)
