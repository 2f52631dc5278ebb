"""Near the end of a Hefei wall an unseen discard makes it doubtful whether the Sea Floor has begun."""

from __future__ import annotations

import random

import pytest

from companion.coach.play.simulation import play
from companion.following.decoder import Decoder
from companion.following.notices import Stated
from companion.following.scene import WallLeft
from companion.live.doubts import SEA_BELIED, SEA_UNSURE, Doubts, find_sea_doubt
from companion.live.noticed import Doubted
from companion.seeing.sights import Box, SeenTile, Sight
from companion.sentences import Sentence
from companion.table.events import Claimed, Drawn, Event, GameStarted
from companion.table.state import State
from tests.bare_table import see_walls

UNSURE = Sentence(SEA_UNSURE, {})


def draw_until(rules: str, before_sea: int) -> State:
    """Some hand in which so many tiles are left before the sea; in games without one, before the end."""
    for played in play(GameStarted(rules=rules), 40, random.Random(3)):
        for step in played.steps:
            hand = step.state.hand
            if hand is not None and step.state.playing and hand.wall.before_sea == before_sea:
                return step.state
    pytest.fail("no hand went so far")


@pytest.mark.parametrize(
    ("left", "unseen", "doubt"),
    [(2, 0, None), (2, 1, None), (2, 2, UNSURE), (0, 1, UNSURE), (0, 0, None)],
)
def test_the_sea_is_doubtful_where_it_is_no_farther_than_discards_went_unseen(
    left: int, unseen: int, doubt: Sentence | None
) -> None:
    assert find_sea_doubt(draw_until("hefei", left), unseen) == doubt


def test_walls_confirm_the_sea_floor_though_a_discard_was_not_seen() -> None:
    begun, before = draw_until("hefei", 0), draw_until("hefei", 2)
    assert find_sea_doubt(begun, 1, WallLeft(4, 4)) is None
    assert find_sea_doubt(before, 2, WallLeft(6, 6)) is None
    assert find_sea_doubt(before, 2, WallLeft(4, 6)) == UNSURE


def test_walls_that_show_other_tiles_make_it_doubtful_near_the_end_alone() -> None:
    belied = find_sea_doubt(draw_until("hefei", 2), 0, WallLeft(3, 4))
    assert belied == Sentence(SEA_BELIED, {"left": 6, "shown": 4})
    assert find_sea_doubt(draw_until("hefei", 0), 0, WallLeft(5, 5)) is not None
    assert find_sea_doubt(draw_until("hefei", 12), 0, WallLeft(3, 4)) is None


def test_games_without_a_sea_have_no_such_doubt() -> None:
    assert find_sea_doubt(draw_until("hebei", 20), 30) is None


def test_the_doubt_is_said_once_a_hand_and_trusting_it_trusts_no_other_game() -> None:
    doubts, other = Doubts(), Sentence("The tiles look like those of another game.")
    doubts.update_sea(UNSURE)
    assert doubts.settle(1.0) == [Doubted(1.0, UNSURE)]
    assert doubts.settle(2.0) == []
    doubts.trust()
    assert doubts.settle(3.0) == [Doubted(3.0, None)]
    doubts.update_sea(None)
    doubts.update_sea(UNSURE)
    assert doubts.settle(4.0) == [Doubted(4.0, UNSURE)]
    doubts.update_tiles(other)
    assert doubts.settle(5.0) == [Doubted(5.0, other)]


def see(number: int, code: str, x: float, y: float, since: float) -> SeenTile:
    return SeenTile(number, x, y, 0.0, ((code, 0.998),), still_since_s=since)


def follow(decoder: Decoder, tiles: list[SeenTile], start: float, end: float, *covered: Box) -> list[Event]:
    said: list[Event] = []
    for half in range(round(2 * start), round(2 * end)):
        sight = Sight(half / 2, tuple(tiles), covered)
        said += [each.event for each in decoder.follow(sight) if isinstance(each, Stated)]
    return said


def test_only_discards_that_nobody_saw_or_claimed_make_the_number_of_tiles_doubtful() -> None:
    decoder = see_walls([GameStarted(rules="hefei")])
    first, third = see(1, "5s", 0, -105, 1.0), see(2, "3m", 0, 105, 6.0)
    follow(decoder, [first], 1.0, 5.0)
    assert decoder.count_unseen_turns() == 0
    follow(decoder, [first], 5.0, 6.0, Box(-40, 65, 40, 145), Box(-60, 340, 60, 400))
    said = follow(decoder, [first, third], 6.0, 14.0)
    assert Drawn(seat=2) in said
    assert decoder.count_unseen_turns() == 1
    pung = [see(10 + at, "7p", 100 + 26 * at, -342, 15.0) for at in range(3)]
    said = follow(decoder, [first, third, *pung], 15.0, 26.0)
    assert any(isinstance(each, Claimed) for each in said)
    assert decoder.count_unseen_turns() == 1
