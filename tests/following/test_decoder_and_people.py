"""Entries by people: a corrected event, one that the camera missed, one that is impossible."""

from __future__ import annotations

import random
from math import pi

import pytest

from companion.coach.play.simulation import play
from companion.errors import EventError
from companion.following.notices import Asked
from companion.seeing.sights import Box
from companion.table.apply import fold
from companion.table.events import Claimed, Corrected, Discarded, Drawn, GameStarted
from lab.bench.decoding import Tally, follow_hand
from lab.bench.laid_hands import CLEAR
from tests.bare_table import see_walls
from tests.following.test_decoder import START, lay_rivers, play_on, see, stated, watch


def test_a_person_puts_a_discard_right_and_the_game_goes_on_from_there() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "6m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    decoder.accept(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    tiles.append(see(2, "1s", 90, 0, 5.0, 1.57))
    events = stated(watch(decoder, tiles, 5.0, 9.0))
    assert events[-1] == Discarded(seat=1, tile="1s")
    assert not any(isinstance(event, Corrected) for event in events)
    state = fold(decoder.log)
    assert state is not None
    assert state.hand is not None
    assert [tile.code for tile in state.hand.players[0].discards if tile] == ["8m"]


def test_a_person_enters_what_the_camera_missed() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "6m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    decoder.accept(Claimed(seat=1, meld="p666m"))
    events = stated(watch(decoder, [see(2, "1s", 90, 0, 5.0, 1.57)], 5.0, 9.0))
    assert Discarded(seat=1, tile="1s") in events


@pytest.mark.parametrize(("said", "asked"), [("1s", []), ("5m", [("1s", "5m")])])
def test_a_discard_that_a_person_says_before_it_is_seen_is_the_one_that_is_seen_then(
    said: str, asked: list[tuple[str, ...]]
) -> None:
    """Where another tile lies there, the wrong one was touched, and nothing else is made of it."""
    decoder = see_walls([START])
    tiles = [see(1, "6m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    decoder.accept(Drawn(seat=1))
    decoder.accept(Discarded(seat=1, tile=said))
    tiles.append(see(2, "1s", 90, 0, 5.0, pi / 2))
    notices = watch(decoder, tiles, 5.0, 9.0)
    assert stated(notices) == []
    assert [each.choices for each in notices if isinstance(each, Asked)] == asked
    tiles.append(see(3, "9p", 0, 90, 10.0, pi))
    notices = watch(decoder, tiles, 10.0, 14.0)
    assert stated(notices) == [Drawn(seat=2), Discarded(seat=2, tile="9p")]
    assert not any(isinstance(each, Asked) for each in notices)


def test_the_wrong_tile_that_somebody_said_is_put_right_by_an_answer() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "6m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    decoder.accept(Drawn(seat=1))
    decoder.accept(Discarded(seat=1, tile="5m"))
    tiles.append(see(2, "1s", 90, 0, 5.0, pi / 2))
    (question,) = [each for each in watch(decoder, tiles, 5.0, 9.0) if isinstance(each, Asked)]
    decoder.accept(Corrected(number=question.number, right=Discarded(seat=1, tile="1s")))
    meld = [see(5 + at, "1s", 26.0 * at, 340, 10.0) for at in range(3)]
    assert stated(watch(decoder, [tiles[0], *meld], 10.0, 14.0)) == [Claimed(seat=2, meld="p111s")]


def test_what_cannot_have_happened_is_refused() -> None:
    decoder = see_walls([START])
    with pytest.raises(EventError):
        decoder.accept(Discarded(seat=0, tile="6m"))


def test_a_discard_is_put_right_after_the_hand_was_won_and_no_other_hand_begins() -> None:
    decoder = see_walls([START])
    tiles = lay_rivers("1z 9m 1s 9s 5s")
    t, _ = play_on(decoder, tiles)
    codes = ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "3s", "4s", "5s", "5s"]
    tiles += [
        see(50 + at, code, 345, 26.0 * at + (14.0 if at > 5 else 0.0) - 180, t, pi / 2)
        for at, code in enumerate(codes)
    ]
    watch(decoder, tiles, t, t + 5)
    assert not decoder.state.playing
    number = next(at for at, event in enumerate(decoder.log, 1) if event == Discarded(seat=0, tile="1z"))
    decoder.accept(Corrected(number=number, right=Discarded(seat=0, tile="7z")))
    assert watch(decoder, tiles, t + 5, t + 15) == []
    assert not decoder.state.playing


def test_the_tile_that_an_event_put_down_is_known_after_corrections_too() -> None:
    decoder = see_walls([START])
    first, second = see(7, "6m", 0, -90, 1.0), see(8, "1s", 90, 0, 5.0, 1.57)
    watch(decoder, [first], 1.0, 4.0)
    watch(decoder, [first, second], 5.0, 9.0)
    assert [decoder.find_tile(number) for number in (3, 4, 5, 6, 99)] == [None, 7, None, 8, None]
    decoder.accept(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    assert [decoder.find_tile(number) for number in (4, 6)] == [7, 8]


def test_a_discard_that_was_put_right_is_claimed() -> None:
    decoder = see_walls([START])
    watch(decoder, [see(1, "6m", 0, -90, 1.0)], 1.0, 4.0)
    decoder.accept(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    meld = [see(2 + at, "8m", 340, 26.0 * at, 5.0, pi / 2) for at in range(3)]
    events = stated(watch(decoder, meld, 5.0, 9.0))
    assert events == [Claimed(seat=1, meld="p888m")]


@pytest.mark.parametrize("read", ["8m", "6m"])
def test_a_claim_that_is_not_stated_yet_outlasts_an_answer_about_its_discard(read: str) -> None:
    decoder = see_walls([START])
    watch(decoder, [see(1, read, 0, -90, 1.0)], 1.0, 4.0)
    meld = [see(2 + at, "8m", 340, 26.0 * at, 5.0, pi / 2) for at in range(3)]
    assert stated(watch(decoder, meld, 5.0, 5.2)) == []
    decoder.accept(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    assert stated(watch(decoder, meld, 5.5, 9.0)) == [Claimed(seat=1, meld="p888m")]


def test_a_claim_that_is_not_stated_yet_outlasts_an_answer_about_another_tile() -> None:
    decoder = see_walls([START])
    first, second = see(1, "6m", 0, -90, 1.0), see(2, "1s", 90, 0, 5.0, 1.57)
    watch(decoder, [first], 1.0, 4.0)
    watch(decoder, [first, second], 5.0, 8.0)
    tiles = [first, *(see(3 + at, "1s", -340, 26.0 * at, 9.0, -pi / 2) for at in range(3))]
    assert stated(watch(decoder, tiles, 9.0, 9.2)) == []
    decoder.accept(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    assert stated(watch(decoder, tiles, 9.5, 14.0)) == [Claimed(seat=3, meld="p111s")]


@pytest.mark.slow
def test_confirming_discards_loses_nothing_that_was_not_stated_yet() -> None:
    tally = Tally()
    played = next(play(GameStarted(rules="hefei"), 1, random.Random(5)))
    follow_hand(played, CLEAR, random.Random(5), tally, answers=True)
    assert tally.counts["discards right"] == tally.counts["discards"] > 20
    assert tally.counts["melds right"] == tally.counts["melds"]
    assert tally.counts["wins right"] == tally.counts["wins"]


def test_a_discard_that_nobody_saw_is_named_late_although_one_after_it_was_confirmed() -> None:
    decoder = see_walls([START])
    first, third = see(1, "9m", -60, -90, 1.0), see(3, "1s", -40, 130, 5.0, pi)
    watch(decoder, [first], 1.0, 5.0)
    watch(decoder, [first, third], 5.0, 14.0, Box(50, -60, 140, 60))
    confirmed = Discarded(seat=2, tile="1s")
    number = next(at for at, event in enumerate(decoder.log, 1) if event == confirmed)
    decoder.accept(Corrected(number=number, right=confirmed))
    second = see(2, "5z", 90, -60, 15.0, pi / 2)
    events = stated(watch(decoder, [first, second, third], 15.0, 20.0))
    assert [event.right for event in events if isinstance(event, Corrected)] == [Discarded(seat=1, tile="5z")]


def test_what_somebody_said_is_not_said_otherwise_however_it_reads() -> None:
    decoder = see_walls([START])
    first, second = see(1, "6m", 0, -90, 1.0), see(2, "1s", 90, 0, 5.0, pi / 2)
    watch(decoder, [first], 1.0, 4.0)
    decoder.accept(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    events = stated(watch(decoder, [first, second], 5.0, 40.0))
    assert events == [Drawn(seat=1), Discarded(seat=1, tile="1s")]
