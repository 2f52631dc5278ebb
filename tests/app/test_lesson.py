"""A lesson as a value: what counts as what, and which tiles a person is asked about."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.app.tile_sets.lesson import LessonDraft
from companion.tiles import BACK, KINDS, UNKNOWN, Suit
from companion.vision import TileReading

ALL = [kind.code for kind in KINDS]
PLAIN = [kind.code for kind in KINDS if kind.suit is not Suit.FLOWERS]


def read(codes: Sequence[str], unsure: Sequence[int] = ()) -> list[TileReading]:
    """Tiles in a row."""
    readings = []
    for at, code in enumerate(codes):
        x, p = 50.0 * at, 0.5 if at in unsure or code == UNKNOWN else 0.99
        quad = ((x, 0.0), (x + 40, 0.0), (x + 40, 60.0), (x, 60.0))
        readings.append(TileReading(code, quad, p, ((code, p),)))
    return readings


def lesson(codes: Sequence[str], unsure: Sequence[int] = ()) -> LessonDraft:
    return LessonDraft("home").with_photo("a.jpg", read(codes, unsure), [len(codes)])


def kinds(lesson: LessonDraft) -> list[str | None]:
    return [named.kind for photo in lesson.named for named in photo]


@pytest.mark.parametrize("order", [PLAIN, ALL], ids=["34", "42"])
def test_tiles_laid_out_as_asked_are_named_by_their_places(order: list[str]) -> None:
    misread = [*order]
    misread[3], misread[20] = UNKNOWN, "9p"
    taught = lesson(misread, unsure=[7])
    assert taught.by_place
    assert kinds(taught) == order
    assert taught.missing == ()
    assert taught.to_check == (20,), "only what was surely read as something else is asked about"
    assert taught.select_next_unsure().press_key(order[20]).to_check == ()


def test_a_photo_that_is_upside_down_is_named_by_its_places() -> None:
    taught = lesson(ALL[::-1], unsure=[7])
    assert taught.by_place
    assert kinds(taught) == ALL[::-1]
    assert taught.to_check == ()


def test_tiles_in_another_order_are_named_as_they_were_read() -> None:
    shuffled = PLAIN[17:] + PLAIN[:17]
    taught = lesson(shuffled, unsure=[4])
    assert not taught.by_place
    assert kinds(taught) == shuffled
    assert taught.to_check == (4,)


def test_a_person_says_whether_the_places_count() -> None:
    taught = lesson(PLAIN[17:] + PLAIN[:17])
    assert kinds(taught.set_in_order(True)) == PLAIN
    assert kinds(lesson(PLAIN).set_in_order(False)) == PLAIN


def test_a_false_find_that_is_left_out_brings_the_order_back() -> None:
    taught = lesson([*PLAIN[:5], "9p", *PLAIN[5:]])
    assert not taught.by_place
    taught = taught.select(5).press_key(BACK)
    assert taught.by_place
    assert kinds(taught) == [*PLAIN[:5], None, *PLAIN[5:]]
    assert kinds(taught.select(5).press_key("9p"))[5] == "9p", "what was left out can be had back"


def test_two_tiles_read_as_one_kind_are_both_asked_about() -> None:
    taught = lesson(["1m", "2m", "2m", "4m"])
    assert taught.to_check == (1, 2)
    assert taught.select_next_unsure().selected == 1
    corrected = taught.select(2).press_key("3m")
    assert corrected.to_check == ()
    assert kinds(corrected) == ["1m", "2m", "3m", "4m"]
    assert taught.select(1).press_key("2m").to_check == (2,)


def test_an_unread_tile_has_to_be_named_or_left_out() -> None:
    taught = lesson(["1m", UNKNOWN, "3m"])
    assert taught.to_check == (1,)
    assert taught.kinds == {"1m", "3m"}
    assert taught.select_next_unsure().press_key("2m").kinds == {"1m", "2m", "3m"}
    assert taught.select_next_unsure().press_key(BACK).to_check == ()


def test_flowers_are_missed_only_where_there_are_some() -> None:
    assert lesson(PLAIN[1:]).missing == ("1m",)
    assert lesson([*PLAIN, "1f"]).missing == tuple(ALL[35:])


def test_two_photos_show_the_whole_set_each_or_together() -> None:
    each = lesson(PLAIN).with_photo("b.jpg", read(ALL), [42])
    assert kinds(each) == PLAIN + ALL
    together = lesson(PLAIN[:20]).with_photo("b.jpg", read(PLAIN[20:]), [14])
    assert together.by_place
    assert kinds(together) == PLAIN
    assert together.is_full
    assert kinds(together.without_photo()) == PLAIN[:20]


def test_read_again_a_photo_keeps_what_was_said_of_its_tiles() -> None:
    said = lesson(["1m", "2m", "2m"]).select(2).press_key("3m")
    again = said.with_photo("a.jpg", read(["1m", "2m", "2m"]), [3])
    assert len(again.photos) == 1
    assert kinds(again) == ["1m", "2m", "3m"]


def test_tiles_that_were_refused_are_asked_about() -> None:
    both = lesson(PLAIN).with_photo("b.jpg", read(PLAIN), [34])
    doubted = both.doubt((3, 40))
    assert (doubted.selected, doubted.front) == (2, 0)
    second = doubted.press_key("3m")
    assert second.selected is not None
    assert second.front == 1, "the second one is in the other photo"
    assert second.press_key("6m").to_check == ()


def test_a_name_has_no_spaces() -> None:
    assert LessonDraft().called("my old set").name == "my-old-set"
