"""What a camera adds to a game, one thing at a time: other tiles, walls, broken and doubled tracks, things
that are no tiles, and a hand that is filmed."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from companion.coach.play.simulation import play
from companion.following.decoder import Decoder
from companion.following.notices import Stated
from companion.seeing.sights import Box, Readings, SeenTile, Sight
from companion.table.events import AddedKong, Claimed, Discarded, Event, GameStarted
from lab.bench.decoding import Tally, follow_laid, report
from lab.bench.laid_hands import CLEAR, film_hand, lay_filmed_hand
from lab.film.customs import Pose
from tests.bare_table import see_walls

START = GameStarted(rules="hebei")
Lying = tuple[int, str, float, float, float, float, float]
"""Track, code, x and y in mm, angle, and from when to when it is seen."""


def follow(tiles: Sequence[Lying], end: float, tile_mm: float = 26.0, covered: Sequence[Box] = ()) -> Decoder:
    """A decoder that saw these tiles every half second."""
    decoder, t = see_walls([START]), 0.5
    while t < end:
        seen = [
            SeenTile(track, x, y, angle, _read(code), still_since_s=since)
            for track, code, x, y, angle, since, until in tiles
            if since <= t < until
        ]
        decoder.follow(Sight(t, tuple(seen), tuple(covered), tile_mm=tile_mm))
        t += 0.5
    return decoder


def _read(code: str) -> Readings:
    return ((code, 1.0),) if code in ("?", "back") else ((code, 0.998),)


def list_events(decoder: Decoder, *kinds: type[Event]) -> list[Event]:
    return [event for event in decoder.log if isinstance(event, kinds)]


def lay_pung(seat_edge_mm: float, pitch_mm: float, since: float, until: float = 99.0) -> list[Lying]:
    """9m three times before seat 2, at its right."""
    return [(10 + i, "9m", -seat_edge_mm + pitch_mm * i, seat_edge_mm, 3.14, since, until) for i in range(3)]


@pytest.mark.parametrize("tile_mm", [22.0, 26.0, 32.0])
def test_tiles_of_any_size_are_followed(tile_mm: float) -> None:
    scale = tile_mm / 26.0
    discard: Lying = (1, "9m", 0.0, -90 * scale, 0.0, 1.0, 5.0)
    decoder = follow([discard, *lay_pung(335.0, tile_mm, 6.0)], 12.0, tile_mm)
    assert list_events(decoder, Discarded, Claimed) == [
        Discarded(seat=0, tile="9m"),
        Claimed(seat=2, meld="p999m"),
    ]


def test_backs_of_the_walls_hide_nothing() -> None:
    walls: list[Lying] = []
    for side in range(4):
        for i in range(17):
            along, away = -208.0 + 26 * i, 245.0
            x, y = [(along, -away), (away, along), (along, away), (-away, along)][side]
            walls.append((100 + 20 * side + i, "back", x, y, 0.0, 0.5, 3.0 if i < 3 else 99.0))
    decoder = follow([*walls, (1, "9m", 0.0, -90.0, 0.0, 4.0, 99.0)], 9.0)
    assert list_events(decoder, Discarded) == [Discarded(seat=0, tile="9m")]


def test_a_tile_that_gets_a_new_number_is_no_second_discard() -> None:
    broken: list[Lying] = [(1, "9m", 0.0, -90.0, 0.0, 1.0, 5.0), (2, "9m", 2.0, -89.0, 0.0, 5.0, 99.0)]
    assert list_events(follow(broken, 14.0), Discarded) == [Discarded(seat=0, tile="9m")]


def test_a_tile_that_is_found_twice_is_one() -> None:
    twice: list[Lying] = [(1, "9m", 0.0, -90.0, 0.0, 1.0, 99.0), (2, "9m", 8.0, -90.0, 0.0, 3.0, 7.0)]
    assert list_events(follow(twice, 14.0), Discarded) == [Discarded(seat=0, tile="9m")]


def test_what_lies_at_the_edge_and_is_no_tile_stays_unexplained() -> None:
    label: Lying = (7, "?", 380.0, -60.0, 0.4, 0.5, 99.0)
    spine: Lying = (8, "3s", -385.0, 250.0, 2.0, 0.5, 99.0)
    tiles: list[Lying] = [
        (1, "9m", 0.0, -90.0, 0.0, 3.0, 99.0),
        (2, "1s", 90.0, 0.0, 1.57, 7.0, 99.0),
        (3, "5z", 0.0, 90.0, 3.14, 11.0, 99.0),
    ]
    assert list_events(follow([label, spine, *tiles], 18.0), Discarded, Claimed) == [
        Discarded(seat=0, tile="9m"),
        Discarded(seat=1, tile="1s"),
        Discarded(seat=2, tile="5z"),
    ]


def test_a_fourth_tile_upon_a_pung_is_an_added_kong() -> None:
    pung = [
        (number, code, x, y, angle, since, 20.0 if number == 11 else 99.0)
        for number, code, x, y, angle, since, _ in lay_pung(335.0, 26.0, 4.0)
    ]
    tiles: list[Lying] = [
        (1, "9m", 0.0, -90.0, 0.0, 1.0, 3.5),
        *pung,
        (2, "1s", 0.0, 90.0, 3.14, 7.0, 99.0),
        (3, "2s", -90.0, 0.0, -1.57, 10.0, 99.0),
        (4, "3s", 0.0, -90.0, 0.0, 13.0, 99.0),
        (5, "4s", 90.0, 0.0, 1.57, 16.0, 99.0),
        (20, "9m", -309.0, 346.0, 3.14, 20.0, 99.0),
    ]
    assert list_events(follow(tiles, 40.0), AddedKong) == [AddedKong(seat=2, tile="9m")]


def test_tiles_seen_in_turn_are_discarded_in_turn_however_they_lie() -> None:
    """Both lie where two players' quarters meet, the later one rather before the earlier player."""
    tiles: list[Lying] = [
        (1, "9m", -60.0, -100.0, 0.0, 1.0, 99.0),
        (2, "1s", 80.0, 90.0, 2.5, 5.0, 99.0),
        (3, "5z", 110.0, 60.0, 2.2, 9.0, 99.0),
    ]
    assert list_events(follow(tiles, 16.0), Discarded) == [
        Discarded(seat=0, tile="9m"),
        Discarded(seat=1, tile="1s"),
        Discarded(seat=2, tile="5z"),
    ]


@pytest.mark.slow
def test_a_filmed_hand_is_followed_to_its_end() -> None:
    rules = "hefei"
    played = next(play(GameStarted(rules=rules), 1, random.Random(5)))
    laid = lay_filmed_hand(film_hand(played, Pose.ABOVE, 5), random.Random(5))
    tally = Tally()
    follow_laid(played, laid, CLEAR, random.Random(5), tally)
    figures = report(rules, tally)
    assert figures["discards_right"] >= 0.95
    assert figures["melds_right"] in (None, 1.0)
    assert figures["wins_right"] in (None, 1.0)


def test_nothing_is_said_of_a_table_without_tiles() -> None:
    decoder = see_walls([START])
    notices = [notice for t in range(1, 20) for notice in decoder.follow(Sight(t / 2))]
    assert not any(isinstance(notice, Stated) for notice in notices)
