"""The tiles on the table as values: corrections, melds, second readings. No window."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.photo_hand.hand import PhotoHand, PhotoMeld
from companion.rules import RULE_SETS
from companion.tiles import SET_84, SET_136, MeldKind
from companion.vision import TileReading

CONCEALED = ["2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p"]


def reading(code: str, at: int = 0, p: float = 0.99) -> TileReading:
    x = at * 50.0
    return TileReading(
        code, ((x, 0.0), (x + 40, 0.0), (x + 40, 60.0), (x, 60.0)), p, ((code, p), ("9m", 1 - p))
    )


def hand(codes: str) -> PhotoHand:
    return PhotoHand().read_again([reading(code, i) for i, code in enumerate(codes.split())])


def codes(hand: PhotoHand) -> str:
    return " ".join(tile.code for tile in hand.tiles)


def test_a_tile_is_unsure_until_a_person_settles_it() -> None:
    first = PhotoHand().read_again([reading("5m", 0, 0.6), reading("6m", 1)])
    assert [tile.code for tile in first.unsure] == ["5m"]
    assert first.correct(0, "5m").unsure == ()


def test_a_flower_that_may_be_another_players_needs_a_look() -> None:
    row = [reading(code, at) for at, code in enumerate([*CONCEALED, "6s", "7s", "8s"])]
    near = PhotoHand().read_again([*row, reading("1f", 15)])
    assert (len(near.flowers), near.unsure) == (1, ())
    far = PhotoHand().read_again([*row, reading("1f", 17)])
    assert far.unsure == far.flowers != ()
    (flower,) = far.flowers
    assert far.correct(flower.id, "1f").unsure == ()


def test_a_tile_that_lies_face_down_needs_no_look() -> None:
    seen = PhotoHand().read_again([reading("back", 0, 0.5), reading("?", 1, 0.95)])
    assert [tile.code for tile in seen.unsure] == ["?"]


def test_the_last_tile_won_until_another_is_pointed_at() -> None:
    tiles = hand("2m 3m 4m")
    assert tiles.winning == tiles.tiles[2]
    assert tiles.win_with(0).winning == tiles.tiles[0]
    assert tiles.win_with(0).remove(0).winning == tiles.tiles[2]


def test_a_winning_tile_that_goes_into_a_meld_wins_no_more() -> None:
    tiles = hand("2m 2m 2m 3m").win_with(1).make_meld(0, MeldKind.PUNG)
    assert tiles.winning is not None
    assert tiles.winning.code == "3m"


def test_a_pung_takes_the_nearest_fellows() -> None:
    tiles = hand("5p 2m 5p 5p 5p")
    assert tiles.find_meld_members(3, MeldKind.PUNG) == (2, 3, 4)
    assert tiles.find_meld_members(1, MeldKind.PUNG) is None
    assert tiles.make_meld(3, MeldKind.KONG_DISCARD).melds[0].notation == "k5555p"


def test_face_down_tiles_belong_to_a_concealed_kong_and_else_to_no_hand() -> None:
    tiles = hand("back 5m 3m 5m back back")
    assert [tile.code for tile in tiles.left_out] == ["back"] * 3
    kong = tiles.make_meld(1, MeldKind.KONG_CONCEALED)
    assert kong.melds[0].notation == "K5555m"
    assert len(kong.left_out) == 1


def test_a_concealed_kong_as_players_lay_it_is_a_meld_at_once() -> None:
    tiles = hand("2m 3m back 5m 5m back 7m")
    assert tiles.melds == (PhotoMeld(MeldKind.KONG_CONCEALED, (2, 3, 4, 5), ("5m",) * 4),)


def test_a_chow_is_found_around_any_of_its_tiles() -> None:
    tiles = hand("4s 2s 3s 8s")
    for tile_id in (0, 1, 2):
        group = tiles.make_meld(tile_id, MeldKind.CHOW).melds[0]
        assert group.codes == ("2s", "3s", "4s")
    assert tiles.find_meld_members(3, MeldKind.CHOW) is None


def test_correcting_one_tile_of_a_pung_corrects_the_pung() -> None:
    tiles = hand("5p 5p 5p 2m").make_meld(0, MeldKind.PUNG).correct(1, "6p")
    assert tiles.melds[0].codes == ("6p",) * 3
    assert codes(tiles) == "6p 6p 6p 2m"


def test_correcting_a_tile_that_a_meld_took_for_another_one_opens_the_meld_up() -> None:
    laid = hand("7s 7s ? 2m").make_meld(0, MeldKind.PUNG)
    assert laid.melds == (), "three that are not alike are laid by what was found in the picture"
    laid = replace(hand("7s 7s ? 2m"), melds=(PhotoMeld(MeldKind.PUNG, (0, 1, 2), ("7s",) * 3),))

    other = laid.correct(2, "1s")
    assert other.melds == ()
    assert codes(other) == "7s 7s 1s 2m"

    same = laid.correct(2, "7s")
    assert same.melds == laid.melds
    assert codes(same) == "7s 7s 7s 2m"
    assert codes(laid.correct(0, "7s")) == "7s 7s ? 2m", "nobody has said what the third is"


def test_a_tile_that_a_meld_takes_for_another_one_needs_a_look() -> None:
    row = [reading(code, i) for i, code in enumerate(CONCEALED)]
    meld = [reading("7s", 13), reading("7s", 14), reading("1s", 15, 0.8)]
    meld[2] = replace(meld[2], alternatives=(("1s", 0.8), ("7s", 0.2)))
    found = PhotoHand().read_again([*row, *meld])
    assert found.melds[0].codes == ("7s",) * 3
    assert [tile.id for tile in found.unsure] == [13]


def test_removing_a_tile_of_a_meld_opens_it_up() -> None:
    tiles = hand("5p 5p 5p 2m").make_meld(0, MeldKind.PUNG).remove(0)
    assert tiles.melds == ()
    assert codes(tiles) == "5p 5p 2m"


def test_a_second_reading_keeps_what_a_person_did() -> None:
    first = hand("2m 3m 5p 5p 5p ?").correct(0, "4m").remove(1).make_meld(2, MeldKind.PUNG).add("8s")
    again = [
        reading("2m", 0),
        reading("3m", 1),
        reading("6p", 2),
        reading("5p", 3),
        reading("5p", 4),
        reading("7s", 5),
    ]
    second = first.read_again(again)
    assert codes(second) == "4m 5p 5p 5p 7s 8s"
    assert second.melds == first.melds
    assert second.tile(5) is not None
    assert second.tile(5).code == "7s"


def test_a_settled_tile_that_a_second_reading_misses_stays() -> None:
    second = hand("2m 3m").correct(1, "4m").read_again([reading("2m", 0)])
    assert codes(second) == "2m 4m"


def test_kinds_outside_the_game_are_reported_or_asked_about() -> None:
    read = PhotoHand().read_again([reading("1m", 0), reading("1m", 1, 0.6), reading("?", 2, 0.5)])
    tiles = read.limit_to_tile_set(SET_84).tiles
    assert [(tile.code, tile.needs_check) for tile in tiles] == [("1m", True), ("?", True), ("?", True)]


def test_least_certain_of_five_copies_is_asked_about() -> None:
    read = PhotoHand().read_again([reading("5m", i, p) for i, p in enumerate((0.99, 0.98, 0.97, 0.95, 0.96))])
    assert codes(read.limit_to_tile_set(SET_136)) == "5m 5m 5m ? 5m"
    settled = read.correct(3, "5m").limit_to_tile_set(SET_136)
    assert codes(settled) == "5m 5m 5m 5m ?"


KINDS = st.sampled_from(["2m", "3m", "4m", "5p", "back", "?", "1f"])
STEP = st.tuples(
    st.sampled_from(["correct", "remove", "win", "group", "ungroup", "add"]), st.integers(0, 9), KINDS
)


@settings(deadline=None)
@given(st.lists(KINDS, max_size=10), st.lists(STEP, max_size=12), st.sampled_from(list(MeldKind)))
@example(["2m", "back", "back", "back", "back"], [], MeldKind.CHOW)
def test_no_tile_is_lost_or_counted_twice(
    read: list[str], steps: list[tuple[str, int, str]], kind: MeldKind
) -> None:
    tiles = PhotoHand().read_again([reading(code, i) for i, code in enumerate(read)])
    expected = len(read)
    for name, number, code in steps:
        present = tiles.tile(number) is not None
        if name == "correct" and present:
            tiles = tiles.correct(number, code)
        elif name == "remove":
            tiles, expected = tiles.remove(number), expected - present
        elif name == "win" and present:
            tiles = tiles.win_with(number)
        elif name == "group":
            tiles = tiles.make_meld(number, kind)
        elif name == "ungroup" and (group := tiles.meld_of(number)):
            tiles = tiles.split_meld(group)
        elif name == "add":
            tiles, expected = tiles.add(code), expected + 1
    grouped = sum(len(group.members) for group in tiles.melds) + sum(map(len, tiles.unnamed))
    assert len(tiles.tiles) == expected == len({tile.id for tile in tiles.tiles})
    assert len(tiles.concealed) + len(tiles.flowers) + len(tiles.left_out) + grouped == expected
    assert tiles.winning is None or tiles.winning in tiles.concealed


def with_kong_of_backs() -> PhotoHand:
    """Eleven tiles, and four backs apart from them, with the ids 11 to 14."""
    tiles = [reading(code, at) for at, code in enumerate(CONCEALED)]
    return PhotoHand().read_again([*tiles, *(reading("back", at) for at in range(13, 17))])


def test_a_concealed_kong_of_four_backs_is_named_by_any_of_its_tiles() -> None:
    tiles = with_kong_of_backs()
    assert tiles.unnamed == ((11, 12, 13, 14),)
    assert [tile.id for tile in tiles.unsure] == [11]
    assert tiles.left_out == ()
    assert tiles.fields()["melds"] == []
    named = tiles.correct(13, "6s")
    assert named.fields()["melds"] == ["K6666s"]
    assert named.unsure == named.unnamed == ()
    assert named.correct(12, "7s").fields()["melds"] == ["K7777s"]
    assert named.is_valid


def test_a_kong_that_nobody_named_is_left_out_or_loses_a_tile() -> None:
    tiles = with_kong_of_backs()
    for changed in (tiles.exclude(12), tiles.remove(12)):
        assert changed.unnamed == ()
        assert changed.is_valid
    assert len(tiles.exclude(12).left_out) == 4


def test_a_second_reading_keeps_an_unnamed_kong_while_it_lies_face_down() -> None:
    tiles = with_kong_of_backs().win_with(0)
    again = [reading(code, at) for at, code in enumerate(CONCEALED)]
    assert tiles.read_again([*again, *(reading("back", at) for at in range(13, 17))]).unnamed
    shown = tiles.read_again([*again, *(reading("6s", at) for at in range(13, 17))])
    assert shown.unnamed == ()
    assert shown.is_valid


def test_a_tile_of_a_meld_that_is_left_out_comes_back_as_its_meld() -> None:
    codes = [*CONCEALED, "7z", "7z", "7z"]
    places = [*range(11), 13, 14, 15]
    tiles = PhotoHand().read_again([reading(*each) for each in zip(codes, places, strict=True)])
    assert [meld.notation for meld in tiles.melds] == ["p777z"]
    out = tiles.exclude(12)
    assert out.melds == ()
    back = out.include(12, RULE_SETS["hong_kong"], tuple(MeldKind))
    assert (back.melds, back.others) == (tiles.melds, ())
