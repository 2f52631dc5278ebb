"""Hands that a camera could have seen, placed by the bench and followed by the decoder."""

from __future__ import annotations

import random
from dataclasses import replace
from math import pi

import pytest

from companion.coach.play.simulation import PlayedHand, play
from companion.following.decoder import MISFITS_MIN_TILES, NOT_OF_GAME, Decoder
from companion.following.notices import Asked, Found, Lost, Notice, Stated
from companion.following.statements import ASK_AFTER_S, ASKED_MAX
from companion.rules import RULE_SETS
from companion.seeing.sights import Box, Readings, SeenTile, Sight
from companion.table.apply import fold
from companion.table.events import (
    Claimed,
    ConcealedKong,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    IndicatorTurned,
    Won,
)
from lab.bench.decoding import Tally, follow_hand, report
from lab.bench.laid_hands import CLEAR, Noise
from tests.bare_table import see_walls

START = GameStarted(rules="hebei")


def first_hand(rules: str, seed: int) -> PlayedHand:
    return next(play(GameStarted(rules=rules), 1, random.Random(seed)))


def see(track: int, code: str, x: float, y: float, since: float, angle: float = 0.0) -> SeenTile:
    readings: Readings = (("?", 1.0),) if code == "?" else ((code, 0.998),)
    return SeenTile(track, x, y, angle, readings, still_since_s=since)


def watch(decoder: Decoder, tiles: list[SeenTile], start: float, end: float, *covered: Box) -> list[Notice]:
    """The same tiles, every half second."""
    notices: list[Notice] = []
    t = start
    while t < end:
        notices += decoder.follow(Sight(t, tuple(tiles), covered))
        t += 0.5
    return notices


def stated(notices: list[Notice]) -> list[Event]:
    return [each.event for each in notices if isinstance(each, Stated)]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_clearly_seen_hand_is_followed_to_its_end(rules: str) -> None:
    tally = Tally()
    follow_hand(first_hand(rules, 3), CLEAR, random.Random(3), tally)
    figures = report(rules, tally)
    assert figures["discards_right"] >= 0.95
    assert figures["melds_right"] in (None, 1.0)
    assert figures["wins_right"] in (None, 1.0)


@pytest.mark.slow
def test_the_log_is_legal_at_every_moment_however_bad_the_sights_are() -> None:
    noise = Noise(missed=0.1, doubtful=0.3, overconfident=0.02, unread=0.05, lost=0.25, broken=0.01)
    decoder = follow_hand(first_hand("hong_kong", 5), noise, random.Random(5), Tally())
    for length in range(1, len(decoder.log) + 1):
        fold(decoder.log[:length])


def test_the_first_discard_begins_the_hand() -> None:
    decoder = see_walls([START])
    events = stated(watch(decoder, [see(1, "9m", 0, -90, 1.0)], 1.0, 5.0))
    assert events == [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9m")]


def test_a_discard_that_was_missed_is_left_open_and_named_once_it_is_seen() -> None:
    decoder = see_walls([START])
    hidden = Box(50, -60, 140, 60)
    first, third = see(1, "9m", -60, -90, 1.0), see(3, "1s", -40, 130, 5.0, 3.14)
    watch(decoder, [first], 1.0, 5.0)
    events = stated(watch(decoder, [first, third], 5.0, 14.0, hidden))
    assert Discarded(seat=1) in events
    assert Discarded(seat=2, tile="1s") in events
    second = see(2, "5z", 90, -60, 15.0, 1.57)
    events = stated(watch(decoder, [first, second, third], 15.0, 20.0))
    rights = [event.right for event in events if isinstance(event, Corrected)]
    assert rights == [Discarded(seat=1, tile="5z")]


def test_a_doubtful_discard_is_said_soon_and_asked_about_only_if_it_stays_doubtful() -> None:
    doubtful = SeenTile(1, 0, -90, 0.0, (("9m", 0.8), ("8m", 0.2)), still_since_s=1.0)
    clear = see(1, "9m", 0, -90, 1.0)
    for later, asked in ((clear, 0), (doubtful, 1)):
        decoder = see_walls([START])
        soon = watch(decoder, [doubtful], 1.0, 3.0)
        assert Discarded(seat=0, tile="9m") in stated(soon)
        notices = soon + watch(decoder, [later], 3.0, 4.0 + ASK_AFTER_S)
        assert sum(isinstance(each, Asked) for each in notices) == asked
        assert Discarded(seat=0, tile="9m") in decoder.log


def test_only_tiles_that_the_game_has_are_asked_about() -> None:
    doubtful = SeenTile(1, 0, -90, 0.0, (("8m", 0.7), ("5z", 0.2), ("7m", 0.1)), still_since_s=1.0)
    decoder = see_walls([GameStarted(rules="hefei")])
    asked = [each for each in watch(decoder, [doubtful], 1.0, 4.0 + ASK_AFTER_S) if isinstance(each, Asked)]
    assert [each.choices for each in asked] == [("8m", "7m")]


def test_of_a_set_that_is_hard_to_read_no_more_is_asked_than_people_answer() -> None:
    doubtful = [
        SeenTile(1 + at, x, y, at * pi / 2, ((f"{1 + at}m", 0.6), ("8m", 0.4)), still_since_s=1.0 + 8 * at)
        for at, (x, y) in enumerate([(0, -90), (90, 0), (0, 90), (-90, 0), (30, -90), (90, 30)])
    ]
    decoder = see_walls([START])
    asked: list[Asked] = []
    for count in range(1, 6):
        notices = watch(decoder, doubtful[:count], 8.0 * count - 7, 8.0 * count + 1)
        asked += [each for each in notices if isinstance(each, Asked)]
    assert len(asked) == ASKED_MAX
    decoder.accept(Corrected(number=asked[-1].number, right=Discarded(seat=2, tile="3m")))
    notices = watch(decoder, doubtful, 41.0, 49.0)
    assert sum(isinstance(each, Asked) for each in notices) == 1


def test_a_claim_takes_the_discard_and_moves_the_turn() -> None:
    decoder = see_walls([START])
    watch(decoder, [see(1, "9m", 0, -90, 1.0)], 1.0, 4.0)
    pung = [see(10 + i, "9m", -340 + 26 * i, 340, 5.0, 3.14) for i in range(3)]
    events = stated(watch(decoder, pung, 5.0, 10.0))
    assert Claimed(seat=2, meld="p999m") in events
    events = stated(watch(decoder, [*pung, see(20, "1s", 0, 90, 10.0, 3.14)], 10.0, 14.0))
    assert events == [Discarded(seat=2, tile="1s")]


def test_a_meld_of_which_a_tile_is_not_found_is_less_sure() -> None:
    sure = []
    for found in (2, 3):
        decoder = see_walls([START])
        watch(decoder, [see(1, "9m", 0, -90, 1.0)], 1.0, 4.0)
        pung = [see(10 + i, "9m", -340 + 26 * i, 340, 5.0, 3.14) for i in range(found)]
        notices = watch(decoder, pung, 5.0, 12.0)
        sure += [each.p for each in notices if isinstance(each, Stated) and isinstance(each.event, Claimed)]
    half, whole = sure
    assert half < 0.85 < whole


@pytest.mark.parametrize(("apart_mm", "is_pung"), [(54, True), (70, False)])
def test_a_pung_of_which_the_middle_tile_is_not_found_is_one(apart_mm: float, is_pung: bool) -> None:
    decoder = see_walls([START])
    watch(decoder, [see(1, "9m", 0, -90, 1.0)], 1.0, 4.0)
    outer = [see(10 + i, "9m", -340 + apart_mm * i, 340, 5.0, 3.14) for i in range(2)]
    events = stated(watch(decoder, outer, 5.0, 12.0))
    assert (Claimed(seat=2, meld="p999m") in events) is is_pung


def test_hands_that_look_like_backs_from_above_are_not_the_wall() -> None:
    decoder = see_walls([START])
    hands = [see(100 + i, "back", -210 + 28 * i, y, 0.5) for i in range(16) for y in (-352, 352)]
    watch(decoder, [*hands, see(1, "9m", 0, -90, 1.0)], 1.0, 4.0)
    pung = [see(20 + i, "9m", 305, 225 + 26 * i, 5.0, 1.57) for i in range(3)]
    events = stated(watch(decoder, [*hands, *pung], 5.0, 10.0))
    assert Claimed(seat=1, meld="p999m") in events


def test_a_discard_in_the_middle_is_not_the_indicator() -> None:
    decoder = see_walls([GameStarted(rules="hangzhou")])
    tiles = [see(1, "2z", -65, -99, 1.0)]
    events = stated(watch(decoder, tiles, 1.0, 2.5))
    tiles.append(see(2, "3z", 99, -65, 3.0, 1.57))
    events += stated(watch(decoder, tiles, 3.0, 8.0))
    assert [event.tile for event in events if isinstance(event, Discarded)] == ["2z", "3z"]
    tiles.append(see(3, "7p", -245, -60, 1.0))
    events = stated(watch(decoder, tiles, 8.0, 14.0))
    assert [event.right for event in events if isinstance(event, Corrected)] == [IndicatorTurned(tile="7p")]


@pytest.mark.parametrize("last", ["back", "5z"])
@pytest.mark.parametrize("apart_s", [0.0, 5.0])
def test_backs_are_a_concealed_kong_only_if_they_were_laid_together(apart_s: float, last: str) -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    tiles += [see(10 + i, "back", 340, 200 + 26 * i, 5.0, 1.57) for i in range(3)]
    events = watch(decoder, tiles, 5.0, 5.0 + apart_s)
    tiles.append(see(13, last, 340, 278, 5.0 + apart_s, 1.57))
    events += watch(decoder, tiles, 5.0 + apart_s, 14.0)
    assert any(isinstance(event, ConcealedKong) for event in stated(events)) == (not apart_s)


@pytest.mark.parametrize("angle", [0.0, 1.57])
def test_a_concealed_kong_is_one_whichever_way_its_backs_seem_turned(angle: float) -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    tiles += [see(10 + i, "back", 340, 200 + 26 * i, 5.0, angle) for i in range(4)]
    assert any(isinstance(event, ConcealedKong) for event in stated(watch(decoder, tiles, 5.0, 14.0)))


def test_backs_that_nobody_saw_come_are_no_concealed_kong() -> None:
    decoder = see_walls([START])
    backs = [see(10 + i, "back", -60 + 26 * i, -350, 0.5) for i in range(4)]
    events = watch(decoder, [*backs, see(1, "9m", 0, -90, 0.5)], 1.0, 8.0)
    assert stated(events) == [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9m")]


def test_blank_tiles_that_may_be_backs_are_a_pung() -> None:
    decoder = see_walls([START])
    watch(decoder, [see(1, "5z", 0, -90, 1.0)], 1.0, 4.0)
    looks: Readings = (("back", 0.65), ("5z", 0.35))
    pung = [SeenTile(10 + i, -340 + 26 * i, 340, 3.14, looks, still_since_s=5.0) for i in range(2)]
    events = stated(watch(decoder, [*pung, see(12, "5z", -288, 340, 5.0, 3.14)], 5.0, 10.0))
    assert Claimed(seat=2, meld="p555z") in events


def test_a_tile_that_reads_otherwise_after_a_while_is_the_same_tile() -> None:
    decoder = see_walls([START])
    first = see(1, "9m", -60, -90, 1.0)
    watch(decoder, [first, see(2, "2m", 120, 60, 3.0, 1.57)], 1.0, 6.0)
    events = stated(watch(decoder, [first, see(3, "3m", 113, 61, 3.0, 1.57)], 6.0, 9.0))
    assert [event.right for event in events if isinstance(event, Corrected)] == [Discarded(seat=1, tile="3m")]
    assert not any(isinstance(event, Discarded) for event in events)


def test_a_claimed_kong_is_stated_with_the_tile_that_replaces_it() -> None:
    decoder = see_walls([START])
    watch(decoder, [see(1, "9m", 0, -90, 1.0)], 1.0, 4.0)
    kong = [see(10 + i, "9m", -340 + 26 * i, 340, 5.0, 3.14) for i in range(4)]
    events = stated(watch(decoder, kong, 5.0, 7.5))
    assert events == [Claimed(seat=2, meld="k9999m"), Drawn(seat=2)]


def test_a_tile_that_another_pushes_aside_is_the_same_tile() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", -60, -90, 1.0), see(2, "9p", 120, 60, 3.0, 1.57)]
    watch(decoder, tiles, 1.0, 6.0)
    tiles[1:] = [see(3, "9p", 134, 66, 6.0, 2.0), see(4, "2p", 104, 60, 6.0, 1.57)]
    events = stated(watch(decoder, tiles, 6.0, 7.5))
    assert [event.tile for event in events if isinstance(event, Discarded)] == ["2p"]


def test_standing_tiles_are_no_meld() -> None:
    decoder = see_walls([START])
    river = see(1, "9m", 0, -90, 1.0)
    hand = [
        SeenTile(10 + i, -340 + 26 * i, 340, 3.14, (("9m", 0.99),), standing=True, still_since_s=2.0)
        for i in range(3)
    ]
    events = stated(watch(decoder, [river, *hand], 1.0, 8.0))
    assert not any(isinstance(event, Claimed) for event in events)


def test_a_covered_camera_is_lost_and_found() -> None:
    decoder = see_walls([START])
    assert decoder.follow(Sight(1.0, trouble="the camera is covered")) == [Lost(1.0, "the camera is covered")]
    assert decoder.follow(Sight(1.5, trouble="the camera is covered")) == []
    assert decoder.follow(Sight(2.0)) == [Found(2.0)]


def test_a_hand_of_which_one_tile_is_found_twice_wins() -> None:
    decoder = see_walls([START])
    *tiles, last = lay_rivers("1z 9m 1s 9s 5s")
    t, _ = play_on(decoder, [*tiles, last])
    codes = ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "3s", "4s", "5s", "5s"]
    ways = [26.0 * at + (14.0 if at > 5 else 0.0) - 180 for at in range(14)]
    row = [see(50 + at, code, 345, ways[at], t, pi / 2) for at, code in enumerate(codes)]
    twin = see(70, "6m", 345, ways[5] + 18.0, t, pi / 2)
    won = [e for e in stated(watch(decoder, [*tiles, *row, twin], t, t + 5)) if isinstance(e, Won)]
    assert [(e.seat, e.hand) for e in won] == [(1, "123456m789p23455s")]


@pytest.mark.slow
@pytest.mark.parametrize(("before", "wins"), [(0, True), (6, False)])
def test_tiles_that_lay_there_long_before_are_no_part_of_a_hand_that_is_shown(
    before: int, wins: bool
) -> None:
    decoder = see_walls([START])
    rivers = lay_rivers("1z 9m 1s 9s 5s")
    t, _ = play_on(decoder, rivers)
    codes = ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "3s", "4s", "5s", "5s"]
    laid = [(code, 26.0 * at + (14.0 if at > 5 else 0.0) - 180) for at, code in enumerate(codes)]
    early = [see(50 + at, code, 345, y, t, pi / 2) for at, (code, y) in enumerate(laid[:before])]
    watch(decoder, [*rivers, *early], t, t + 14)
    late = [see(70 + at, code, 345, y, t + 14, pi / 2) for at, (code, y) in enumerate(laid[before:])]
    events = stated(watch(decoder, [*rivers, *early, *late], t + 14, t + 24))
    assert any(isinstance(event, Won) for event in events) is wins


def test_at_the_end_of_a_recording_backs_that_came_last_are_no_kong() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    tiles += [see(10 + i, "back", 340, 200 + 26 * i, 5.0, 1.57) for i in range(4)]
    events = watch(decoder, tiles, 5.0, 5.5)
    assert not [e for e in stated(events + decoder.finish()) if isinstance(e, ConcealedKong)]


def test_at_the_end_of_a_recording_the_last_discard_is_stated() -> None:
    decoder = see_walls([START])
    first, last = see(1, "9m", 0, -90, 1.0), see(2, "1s", 90, 0, 5.0, 1.57)
    watch(decoder, [first], 1.0, 5.0)
    events = watch(decoder, [first, last], 5.0, 5.5)
    assert Discarded(seat=1, tile="1s") in stated(events + decoder.finish())


def draw_from_wall(decoder: Decoder, tiles: list[SeenTile], t: float, *taken_s: float) -> list[Event]:
    return stated(decoder.follow(Sight(t, tuple(tiles), taken_s=taken_s)))


def test_a_tile_that_goes_from_the_wall_after_a_discard_is_drawn() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", 0, -90, 1.0)]
    assert draw_from_wall(decoder, tiles, 1.0, 0.2) == []
    watch(decoder, tiles, 1.5, 4.0)
    assert draw_from_wall(decoder, tiles, 4.0) == []
    assert draw_from_wall(decoder, tiles, 4.5, 4.2) == [Drawn(seat=1)]
    assert draw_from_wall(decoder, tiles, 5.0) == []


def test_a_tile_that_went_from_the_wall_before_the_discard_was_drawn_before_it() -> None:
    decoder = see_walls([START])
    tiles = [see(1, "9m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    tiles.append(see(2, "1s", 90, 0, 5.0, 1.57))
    events = [event for t in (5.0, 5.5, 6.0, 6.5) for event in draw_from_wall(decoder, tiles, t, 4.6)]
    assert events == [Drawn(seat=1), Discarded(seat=1, tile="1s")]


def lay_rivers(codes: str) -> list[SeenTile]:
    """Discards in turn, one every three seconds from the first on."""
    tiles = []
    for at, code in enumerate(codes.split()):
        x, y = -75.0 + 30 * (at // 4), -90.0
        for _ in range(at % 4):
            x, y = -y, x
        tiles.append(see(at + 1, code, x, y, 1.0 + 3 * at, at % 4 * pi / 2))
    return tiles


def play_on(decoder: Decoder, tiles: list[SeenTile], misfits: int = 0) -> tuple[float, list[Notice]]:
    notices: list[Notice] = []
    t = 0.5
    while t < tiles[-1].still_since_s + 4:
        lying = tuple(tile for tile in tiles if tile.still_since_s <= t)
        notices += decoder.follow(Sight(t, lying, misfits=misfits))
        t += 0.5
    return t, notices


def test_tiles_that_are_swept_together_in_the_middle_of_a_hand_end_it_and_the_next_begins() -> None:
    decoder = see_walls([START])
    tiles = lay_rivers("1m 9m 1s 9s 1p 9p 1z 2z 3z 5z 6z 7z")
    t, _ = play_on(decoder, tiles)
    swept: list[Notice] = []
    for gone in range(0, 13, 2):
        swept += watch(decoder, tiles[gone:], t, t + 0.5, Box(-200, -200, 200, 200))
        t += 0.5
    swept += watch(decoder, [], t, t + 4)
    assert stated(swept) == [HandAbandoned()]
    again = watch(decoder, [see(50, "2m", -75, -90, t + 4)], t + 4, t + 8)
    assert stated(again)[:3] == [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="2m")]


def test_what_lay_there_before_anybody_looked_was_laid_as_rows_are_and_is_not_certain() -> None:
    decoder = Decoder([START])
    lying = [replace(tile, still_since_s=0.0) for tile in lay_rivers("1m 9m 1s 9s 1p 9p 1z 2z 3z 5z 6z 7z")]
    random.Random(5).shuffle(lying)
    tiles = [replace(tile, track=at) for at, tile in enumerate(lying, 1)]
    later = see(50, "2m", 15.0, -90.0, 6.0)
    notices = watch(decoder, tiles, 1.0, 6.0) + watch(decoder, [*tiles, later], 6.0, 9.0)
    discards = [each for each in notices if isinstance(each, Stated) and isinstance(each.event, Discarded)]
    rivers = [[each.event.tile for each in discards if each.event.seat == seat] for seat in range(4)]
    assert rivers == [["1m", "1p", "3z", "2m"], ["9m", "9p", "5z"], ["1s", "1z", "6z"], ["9s", "2z", "7z"]]
    assert [each.event.tile for each in discards if each.certain] == ["2m"]
    before = [each for each in notices if isinstance(each, Stated) and each.number < discards[-2].number]
    assert not any(each.certain for each in before)


def test_tiles_that_are_not_of_this_game_are_said_and_the_game_goes_on() -> None:
    decoder = see_walls([START])
    _, notices = play_on(decoder, lay_rivers("1m 9m 1s 9s 1p 9p"), misfits=MISFITS_MIN_TILES)
    assert [each.why for each in notices if isinstance(each, Lost)] == [NOT_OF_GAME]
    assert [each.tile for each in stated(notices) if isinstance(each, Discarded)] == [
        "1m", "9m", "1s", "9s", "1p", "9p",
    ]  # fmt: skip
    t = 30.0
    assert decoder.follow(Sight(t, tuple(lay_rivers("1m 9m 1s 9s 1p 9p"))))[-1] == Found(t)


def test_a_fifth_tile_of_a_kind_is_left_open() -> None:
    decoder = see_walls([START])
    play_on(decoder, lay_rivers("1m 9m 1m 9s 1m 9p 1m 1z 1m 2z 3z 4z"))
    discards = [each.tile for each in decoder.log if isinstance(each, Discarded)]
    assert discards.count("1m") <= 4
    fold(decoder.log)
