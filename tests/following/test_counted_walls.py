"""The count of tiles in the walls tells a draw from a claim, once it has agreed with the events."""

from __future__ import annotations

import random

import pytest

from companion.coach.play.simulation import play
from companion.following.notices import Stated
from companion.following.scene import (
    AGREED_MIN_COUNTS,
    BELIED_S,
    REACH_MEANS_DRAW_S,
    CountedWalls,
    WallLeft,
    count_standing,
)
from companion.seeing.sights import Box, SeenTile, Sight
from companion.table.events import Drawn, Event, GameStarted
from companion.table.state import HandState
from tests.bare_table import see_walls

ARMS = (Box(-60, -400, 60, -340), Box(340, -60, 400, 60), Box(-60, 340, 60, 400), Box(-400, -60, -340, 60))
PLACES = ((0, -105), (105, 0), (0, 105), (-105, 0))
CODES = ("8s", "3m", "7p", "2s", "5m", "2p")


def list_hands() -> list[HandState]:
    """Those of one game at different moments, each a tile fewer in the wall."""
    hands: dict[int, HandState] = {}
    for step in next(play(GameStarted(rules="hefei"), 1, random.Random(3))).steps:
        hand = step.state.hand
        if hand is not None and step.state.playing:
            hands[count_standing(hand)] = hand
    return [hands[left] for left in sorted(hands, reverse=True)]


def test_it_is_believed_once_it_agreed_often_enough_and_no_more_after_it_did_not() -> None:
    walls = CountedWalls()
    hands = list_hands()
    for at, hand in enumerate(hands[:AGREED_MIN_COUNTS]):
        assert not walls.is_trusted
        assert walls.trusted is None
        walls.note((count_standing(hand),) * 2, hand, float(at))
    assert walls.trusted == WallLeft(*[count_standing(hands[AGREED_MIN_COUNTS - 1])] * 2)
    for at, hand in enumerate(hands[5:10]):
        walls.note((count_standing(hand) - 4,) * 2, hand, 10.0 + at)
    assert not walls.is_trusted


def test_it_contradicts_the_events_only_after_a_while() -> None:
    walls, hands = CountedWalls(), list_hands()
    for hand in hands[:4]:
        walls.note((count_standing(hand),) * 2, hand, 1.0)
    left = count_standing(hands[3])
    assert walls.find_shown(1.0) == WallLeft(left, left)
    walls.note((left - 2,) * 2, hands[3], 2.0)
    assert walls.find_shown(2.0) is None
    walls.note(None, hands[3], 2.0 + BELIED_S)
    assert walls.find_shown(2.0 + BELIED_S) == WallLeft(left - 2, left - 2)


def test_a_count_says_whether_a_tile_went() -> None:
    hand = list_hands()[0]
    left = count_standing(hand)
    assert WallLeft(left - 1, left - 1).has_drawn(hand)
    assert WallLeft(left, left).has_drawn(hand) is False
    assert WallLeft(left - 1, left).has_drawn(hand) is None
    assert WallLeft(left + 1, left + 2).find_off(hand) == 1
    assert WallLeft(left - 3, left - 2).find_off(hand) == -2


class Evening:
    """Discards of one player after another, each half a second after the other has drawn."""

    def __init__(self) -> None:
        self.decoder = see_walls([GameStarted(rules="hefei")])
        self.tiles: list[SeenTile] = []
        self.t = 1.0
        self.see(1.0, None)

    def see(
        self,
        seconds: float,
        left: int | None,
        arm: int | None = None,
        *,
        reaches_s: float = 0.25,
        claims: bool = False,
    ) -> list[Event]:
        """left: what is counted in the walls; arm: who reaches out at first, and for how long; claims: they
        take the last discard, which the arm hides."""
        said: list[Event] = []
        hidden: tuple[Box, ...] = ()
        if claims:
            taken = self.tiles.pop()
            hidden = (Box(taken.x_mm - 40, taken.y_mm - 40, taken.x_mm + 40, taken.y_mm + 40),)
        for step in range(round(seconds * 4)):
            covered = () if arm is None or step * 0.25 >= reaches_s else (ARMS[arm], *hidden)
            counted = None if left is None else (left, left)
            notices = self.decoder.follow(Sight(self.t, tuple(self.tiles), covered, wall_left=counted))
            said += [each.event for each in notices if isinstance(each, Stated)]
            self.t += 0.25
        return said

    def discard(self, turn: int, left: int | None) -> list[Event]:
        x, y = PLACES[turn % 4]
        self.tiles.append(SeenTile(turn + 1, x, y, 0.0, ((CODES[turn], 0.998),), still_since_s=self.t))
        return self.see(3.0, left)

    def play(self, turns: int, *, counted: bool = True) -> int:
        """How many tiles are left once so many players have discarded; counted: whether the walls are."""
        hand = None
        for turn in range(turns):
            left = 0 if hand is None else count_standing(hand) - 1
            self.discard(turn, left if counted else None)
            hand = self.decoder.state.hand
            assert hand is not None
            self.see(1.0, count_standing(hand) if counted else None)
        assert hand is not None
        return count_standing(hand)


def test_a_reach_is_a_draw_only_if_the_wall_says_so() -> None:
    evening = Evening()
    left = evening.play(4)
    assert evening.see(REACH_MEANS_DRAW_S + 3.0, left, arm=0) == []
    assert Drawn(seat=0) in evening.see(1.5, left - 1)


def test_where_the_wall_is_hidden_a_reach_is_a_draw_once_it_is_over_and_the_discard_lies_there() -> None:
    evening = Evening()
    evening.play(4)
    assert evening.see(1.0, None, arm=0, reaches_s=1.0) == []
    assert Drawn(seat=0) in evening.see(0.75, None)


def test_where_walls_were_never_counted_a_reach_is_a_draw_at_once_if_the_discard_lies_there() -> None:
    evening = Evening()
    evening.play(4, counted=False)
    assert Drawn(seat=0) in evening.see(1.0, None, arm=0, reaches_s=1.0)


@pytest.mark.parametrize("counted", [True, False])
def test_whoever_takes_the_discard_has_not_drawn(counted: bool) -> None:
    evening = Evening()
    evening.play(4, counted=counted)
    assert evening.see(3.0, None, arm=0, reaches_s=0.5, claims=True) == []


@pytest.mark.parametrize("counted", [True, False])
def test_whoever_reaches_out_for_long_has_drawn(counted: bool) -> None:
    evening = Evening()
    evening.play(4, counted=counted)
    assert Drawn(seat=0) in evening.see(REACH_MEANS_DRAW_S + 0.75, None, arm=0, reaches_s=9.0)
