"""What lies open on a photographed table beside a hand: every face but the hand's own."""

from __future__ import annotations

from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.open_tiles import (
    Held,
    encode_open_tiles,
    find_other_tiles,
    limit_to_copies,
    list_open_tiles,
    read_table,
)
from companion.rules import RULE_SETS
from companion.vision import TileReading

HEBEI = RULE_SETS["hebei"]
HAND = ["2m", "3m", "4m", "5m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s", "1z", "5z"]
RIVERS = ["9p", "1s", "9s", "2z", "2z", "7z", "1m", "9m"]


def lie(codes: list[str], y: float, p: float = 0.99) -> list[TileReading]:
    """A row of tiles at that height of the picture, "?" one that is most likely 9s."""
    return [
        TileReading(
            code, ((at * 42.0, y), (at * 42 + 40.0, y), (at * 42 + 40.0, y + 60), (at * 42.0, y + 60)), p,
            (("9s" if code == "?" else code, p),),
        )
        for at, code in enumerate(codes)
    ]  # fmt: skip


def read_hand(readings: list[TileReading]) -> PhotoHand:
    return PhotoHand().read_again(readings, HEBEI, HEBEI.allowed_melds(HEBEI.defaults))


def read(readings: list[TileReading], hand: list[str], before: PhotoHand | None = None) -> PhotoHand:
    kinds = HEBEI.allowed_melds(HEBEI.defaults)
    return read_table(before or PhotoHand(), readings, Held(tuple(hand)), HEBEI, kinds)


def name(table: PhotoHand) -> str:
    return encode_open_tiles(table, HEBEI.tile_set)


def test_every_face_of_the_table_counts_and_backs_do_not() -> None:
    table = read(lie([*RIVERS, "back", "?"], 0), HAND)
    assert name(table) == "19m9p19s227z?"
    assert [tile.code for tile in table.unsure] == ["?"]


def test_row_of_the_hand_is_found_in_one_picture_of_everything() -> None:
    hand = read_hand([*lie(RIVERS, 0), *lie(HAND, 400)])
    assert [tile.code for tile in hand.concealed] == HAND
    assert name(find_other_tiles(hand)) == "19m9p19s227z"


def test_the_hand_in_a_second_picture_counts_once() -> None:
    both = [*lie(RIVERS, 0), *lie(HAND, 400)]
    assert name(read(both, HAND)) == "19m9p19s227z"
    misread = [*HAND[:3], "?", *HAND[4:13], "6z"]
    assert name(read([*lie(RIVERS, 0), *lie(misread, 400)], HAND)) == "19m9p19s227z"


def test_another_hand_that_lies_open_counts() -> None:
    other = ["1p", "1p", "2p", "6p", "7p", "9p", "2s", "3s", "4s", "6z", "6z", "7z", "7z"]
    assert len(list_open_tiles(read([*lie(RIVERS, 0), *lie(other, 400)], HAND))) == len(RIVERS) + len(other)


def test_no_kind_has_more_copies_than_the_game() -> None:
    """Two 8m are in the hand: of three on the table one was misread, the least sure."""
    table = read([*lie(["8m", "8m"], 0), *lie(["8m"], 200, p=0.93)], HAND)
    assert name(table) == "88m?"
    assert [tile.id for tile in table.unsure] == [2]
    lying = limit_to_copies(find_other_tiles(read_hand(lie(["1f", "2m"], 0))), Held(()), HEBEI.tile_set)
    assert "f" not in name(lying)


def test_corrections_survive_a_second_reading() -> None:
    readings = lie([*RIVERS, "?"], 0)
    table = read(readings, HAND).correct(8, "6p").exclude(0).remove(1).add("3z")
    again = read(readings, HAND, table)
    assert name(again) == name(table) == "19m6p9s2237z"
