"""The beginning of a hand, before any tile is open: walls that shrink, and tiles dealt by fours."""

from __future__ import annotations

from math import pi

import pytest

from companion.following.decoder import Decoder
from companion.following.hypotheses import begin_hand
from companion.following.notices import Stated
from companion.rules import RULE_SETS
from companion.seeing.sights import SeenTile, Sight
from companion.table.apply import fold
from companion.table.events import (
    ConcealedKong,
    Dealt,
    Discarded,
    Event,
    FlowerSetOut,
    GameStarted,
    HandStarted,
)
from tests.bare_table import see_walls


def begin(rules: str) -> tuple[Decoder, int, int]:
    """Who follows the game, how many backs its whole walls show, and how many of them a deal leaves."""
    start = GameStarted(rules=rules)
    state = fold([start])
    assert state is not None
    tiles = sum(state.house.copies)
    after = fold([start, *begin_hand(state)])
    assert after is not None
    assert after.hand is not None
    left = after.hand.wall.live_left + after.hand.wall.dead_left
    return Decoder([start]), tiles // 2, round(left / 2)


def see_backs(decoder: Decoder, backs: int, start: float, end: float) -> list[Event]:
    notices = []
    for step in range(round((end - start) / 0.25)):
        notices += decoder.follow(Sight(start + step * 0.25, wall_backs=backs))
    return [each.event for each in notices if isinstance(each, Stated)]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_walls_that_a_deal_has_shortened_begin_the_hand(rules: str) -> None:
    decoder, whole, left = begin(rules)
    assert see_backs(decoder, whole, 0.0, 3.0) == []
    assert see_backs(decoder, left, 3.0, 5.0) == [HandStarted(dealer=0), Dealt()]


def test_walls_that_are_built_taken_away_or_still_change_begin_no_hand() -> None:
    decoder, whole, left = begin("hebei")
    assert see_backs(decoder, left, 0.0, 3.0) == []  # half of them are built
    assert see_backs(decoder, whole, 3.0, 5.0) == []
    for step, backs in enumerate(range(whole, left - 4, -2)):
        assert see_backs(decoder, backs, 5.0 + 0.5 * step, 5.5 + 0.5 * step) == []
    assert see_backs(decoder, 4, 16.0, 20.0) == []


def test_walls_as_short_as_after_a_deal_are_no_news_while_a_hand_is_played() -> None:
    decoder, whole, left = begin("hebei")
    see_backs(decoder, whole, 0.0, 2.0)
    see_backs(decoder, left, 2.0, 4.0)
    assert see_backs(decoder, left, 4.0, 8.0) == []


def lay_four(at: float) -> list[SeenTile]:
    return [
        SeenTile(10 + i, -60 + 27 * i, -330, 0.0, (("back", 0.99), ("5z", 0.01)), still_since_s=at)
        for i in range(4)
    ]


def watch(decoder: Decoder, tiles: list[SeenTile], start: float, end: float) -> list[Event]:
    notices = []
    for step in range(round((end - start) / 0.5)):
        notices += decoder.follow(Sight(start + step * 0.5, tuple(tiles)))
    return [each.event for each in notices if isinstance(each, Stated)]


def test_four_tiles_that_are_dealt_face_down_are_no_kong() -> None:
    decoder = see_walls([GameStarted(rules="taiwanese")])
    watch(decoder, [], 0.0, 2.0)
    assert watch(decoder, lay_four(2.0), 2.0, 8.0) == []


def test_four_tiles_laid_face_down_once_the_hand_is_played_are_a_kong() -> None:
    decoder = see_walls([GameStarted(rules="hebei")])
    discards = [
        SeenTile(1 + seat, x, y, seat * pi / 2, ((code, 0.998),), still_since_s=1.0 + 2 * seat)
        for seat, (x, y, code) in enumerate([(0, -90, "9m"), (90, 0, "1s"), (0, 90, "2p"), (-90, 0, "4z")])
    ]
    for count in range(1, 5):
        watch(decoder, discards[:count], 2.0 * count - 1, 2.0 * count + 1)
    events = watch(decoder, [*discards, *lay_four(9.0)], 9.0, 15.0)
    assert [event for event in events if isinstance(event, ConcealedKong)] == [ConcealedKong(seat=0)]


def test_a_flower_is_said_as_soon_as_a_discard_is() -> None:
    decoder = see_walls([GameStarted(rules="taiwanese")])
    flower = SeenTile(1, 300, 340, pi / 2, (("4f", 0.998),), still_since_s=1.0)
    events = watch(decoder, [flower], 1.0, 2.6)
    assert FlowerSetOut(seat=1, tile="4f") in events


def test_a_discard_that_is_hard_to_read_is_said_within_a_second_and_a_half() -> None:
    decoder = see_walls([GameStarted(rules="hebei")])
    doubtful = SeenTile(1, 0, -90, 0.0, (("2m", 0.4), ("3m", 0.35), ("8m", 0.25)), still_since_s=1.0)
    events = watch(decoder, [doubtful], 1.0, 3.1)
    assert [event for event in events if isinstance(event, Discarded)] == [Discarded(seat=0, tile="2m")]
