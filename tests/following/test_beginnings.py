"""A hand begins with evidence on the table, and a dealer whom nobody named is asked about."""

from __future__ import annotations

from companion.following.decoder import Decoder
from companion.following.notices import Asked, Notice, Stated
from companion.seeing.sights import SeenTile, Sight
from companion.table.apply import fold
from companion.table.events import (
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
    apply_corrections,
)
from companion.table.unrecorded import deal_anew
from tests.bare_table import see_walls

START = GameStarted(rules="hebei")
PLACES = ((0, -90), (90, 0), (0, 90), (-90, 0))
CODES = ("9m", "1s", "9p", "4z", "2m", "8s")


def lay(at: int, seat: int, since_s: float) -> SeenTile:
    """The discard of that seat, beside its discard before."""
    x, y = PLACES[seat]
    x, y = (x + 27 * (at // 4), y) if seat % 2 == 0 else (x, y + 27 * (at // 4))
    return SeenTile(at + 1, x, y, seat * 1.571, ((CODES[at], 0.998),), still_since_s=since_s)


def watch(decoder: Decoder, tiles: list[SeenTile], start: float, end: float) -> list[Notice]:
    notices: list[Notice] = []
    for half in range(round(2 * start), round(2 * end)):
        notices += decoder.follow(Sight(half / 2, tuple(tiles)))
    return notices


def list_events(notices: list[Notice]) -> list[Event]:
    return [each.event for each in notices if isinstance(each, Stated)]


def play_on(decoder: Decoder, seats: list[int]) -> list[list[Notice]]:
    """What is noticed after each discard, four seconds each."""
    tiles: list[SeenTile] = []
    noticed = []
    for at, seat in enumerate(seats):
        tiles.append(lay(at, seat, 1.0 + 4 * at))
        noticed.append(watch(decoder, tiles, 1.0 + 4 * at, 5.0 + 4 * at))
    return noticed


def test_one_thing_that_looks_like_a_tile_is_no_hand() -> None:
    decoder = Decoder([START])
    watch(decoder, [], -2.0, 1.0)
    assert list_events(watch(decoder, [lay(0, 0, 1.0)], 1.0, 12.0) + decoder.finish()) == []


def test_a_few_tiles_that_lay_there_are_no_hand_even_among_walls() -> None:
    decoder = Decoder([START])
    lying = [lay(at, at, 0.0) for at in range(3)]
    notices = []
    for half in range(24):
        notices += decoder.follow(Sight(half / 2, tuple(lying), wall_mm=245.0))
    assert list_events(notices) == []


def test_a_second_tile_that_comes_is_a_hand_without_walls() -> None:
    decoder = Decoder([START])
    watch(decoder, [], -2.0, 1.0)
    first, second = play_on(decoder, [0, 1])
    assert list_events(first) == []
    assert list_events(second)[:3] == [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9m")]


def test_three_turns_that_begin_with_another_seat_are_a_question_and_no_wrong_discards() -> None:
    decoder = see_walls([START])
    one, two, three, *later = play_on(decoder, [2, 3, 0, 1, 2])
    assert list_events(one + two) == []
    events = list_events(three)
    assert events[:3] == [DealSet(dealer=2), HandStarted(dealer=2), Dealt()]
    assert not any(each.certain for each in three if isinstance(each, Stated) and each.number <= 4)
    (asked,) = [each for each in three if isinstance(each, Asked)]
    assert (asked.number, asked.about, asked.choices) == (2, "deal_set", ("2", "0"))
    discards = [
        each for notices in (three, *later) for each in list_events(notices) if isinstance(each, Discarded)
    ]
    assert [(each.seat, each.tile) for each in discards] == [
        (2, "9m"), (3, "1s"), (0, "9p"), (1, "4z"), (2, "2m"),
    ]  # fmt: skip


def test_a_dealer_who_was_assumed_for_flowers_is_asked_about_once_discards_show_another() -> None:
    decoder = see_walls([GameStarted(rules="taiwanese")])
    flower = SeenTile(90, 300, 340, 1.571, (("4f", 0.998),), still_since_s=1.0)
    begun = watch(decoder, [flower], 1.0, 4.0)
    assert HandStarted(dealer=0) in list_events(begun)
    assert not any(each.certain for each in begun if isinstance(each, Stated) and each.number <= 3)
    tiles, noticed = [flower], []
    for at, seat in enumerate([2, 3, 0]):
        tiles.append(lay(at, seat, 4.0 + 4 * at))
        noticed.append(watch(decoder, tiles, 4.0 + 4 * at, 8.0 + 4 * at))
    assert not any(isinstance(each, Discarded) for each in list_events(noticed[0] + noticed[1]))
    (asked,) = [each for each in noticed[2] if isinstance(each, Asked)]
    assert (asked.about, asked.choices) == ("deal_set", ("2", "0"))
    played = apply_corrections(decoder.log)
    assert played[1:4] == [DealSet(dealer=2), HandStarted(dealer=2), Dealt()]
    assert [each.seat for each in played if isinstance(each, Discarded)] == [2, 3, 0]
    fold([*decoder.log, deal_anew(decoder.log, asked.number, DealSet(dealer=0))])


def test_a_person_says_who_deals_and_all_that_was_seen_is_dealt_anew() -> None:
    decoder = see_walls([START])
    play_on(decoder, [2, 3, 0, 1])
    (number,) = [at for at, event in enumerate(decoder.log, 1) if isinstance(event, DealSet)]
    decoder.accept(deal_anew(decoder.log, number, DealSet(dealer=1)))
    played = apply_corrections(decoder.log)
    assert played[1:6] == [
        DealSet(dealer=1), HandStarted(dealer=1), Dealt(), Discarded(seat=1), Drawn(seat=2),
    ]  # fmt: skip
    assert [each.tile for each in played if isinstance(each, Discarded)] == [None, "9m", "1s", "9p", "4z"]
    decoder.accept(deal_anew(decoder.log, number, DealSet(dealer=0)))
    assert apply_corrections(decoder.log)[1:3] == [HandStarted(dealer=0), Dealt()]


def test_the_dealer_who_discards_first_is_not_asked_about() -> None:
    decoder = see_walls([START])
    noticed = [each for notices in play_on(decoder, [0, 1, 2, 3]) for each in notices]
    assert not any(isinstance(each, Asked) for each in noticed)
    assert list_events(noticed)[:2] == [HandStarted(dealer=0), Dealt()]
