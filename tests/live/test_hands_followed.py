"""Where a hand begins and ends in what a camera sees, people enter and dice throw."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from followed import WAIT_S
from watched_game import CAMERA, CUP, FIRST, ROLL, TOUCH, Table, events, see

from companion.coach.play.simulation import play
from companion.live.follower import SEES_ITSELF_S, Follower
from companion.live.noticed import FollowingResumed
from companion.seeing.sights import Sight
from companion.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    IndicatorTurned,
)
from lab.bench.laid_hands import CLEAR, Customs, lay_hand, make_sights


@pytest.mark.slow
def test_the_next_hand_of_a_source_begins_by_itself(table: Table) -> None:
    rng = random.Random(4)
    start = GameStarted(rules="hefei")
    table.game.play(start).result(WAIT_S)
    t, tracks, hands = 0.0, 0, list(play(start, 2, rng))
    for hand in hands:
        laid = lay_hand(hand, Customs(untidy=1.0, quick=0.0), rng, t)
        for sight in make_sights(laid, CLEAR, rng, t, tracks):
            t = sight.t
            tracks = max([tracks, *(tile.track for tile in sight.tiles)])
            table.noticed += table.follower.follow(sight, round(t * 1e9))
    played = [each for each in table.played if not isinstance(each, Drawn)]
    begun = [each for each in played if isinstance(each, HandStarted)]
    assert [each.dealer for each in begun] == [
        hand.after.hand.deal.dealer for hand in hands if hand.after.hand
    ]
    stated = [each for each in played if isinstance(each, Discarded)]
    true = [step.event for hand in hands for step in hand.steps if isinstance(step.event, Discarded)]
    assert stated == true


@pytest.mark.parametrize("begins_here", [False, True])
def test_tiles_present_at_a_confirmed_start_are_no_events(table: Table, begins_here: bool) -> None:
    table.report(TOUCH, ROLL, Dealt(), FIRST)
    first = [see(9, "9m", 0, table.t)]
    table.watch(first, 3)
    tiles = [*first, see(1, "1m", 1, table.t + 0.3)]
    table.watch(tiles, 0.5)
    if begins_here:
        table.follower.begin_here()
    noticed = table.watch(tiles, 14)
    assert bool(events(noticed)) is not begins_here
    played = table.played
    if begins_here:
        table.watch([*tiles, replace(see(2, "4p", 1, table.t), y_mm=27.0)], 8)
        assert table.played[len(played) :] == [Drawn(seat=1), Discarded(seat=1, tile="4p")]


def test_a_game_that_was_lost_is_found_where_it_begins_anew(table: Table) -> None:
    table.watch([], 1)
    table.follower.follow(Sight(table.t, trouble="the camera is covered"), 0)
    table.follower.begin_here()
    assert [type(each) for each in table.watch([], 1)] == [FollowingResumed]


LAID_AROUND = [see(at, f"{1 + at // 4}{'mpsz'[at % 4]}", at % 4, 0.5 + 3 * at) for at in range(8)]
"""Two discards of each player."""


@pytest.mark.parametrize("rules", ["hebei", "hangzhou"])
@pytest.mark.parametrize("lies_on_s", [0, SEES_ITSELF_S + 2])
def test_a_hand_that_dice_began_before_the_table_was_seen_swept_is_played_on(
    table: Table, rules: str, lies_on_s: float
) -> None:
    """The camera was held over a winner's hand meanwhile, or nobody had swept the table yet."""
    table.game.play(GameStarted(rules=rules)).result(WAIT_S)
    begin: list[Event] = [HandStarted(dealer=0, dice=(3, 4)), Dealt()]
    if rules == "hangzhou":
        begin.append(IndicatorTurned(tile="9s", dice=(1, 2)))
    table.report(TOUCH, *begin)
    places = [replace(each, x_mm=each.x_mm + (28 if at > 3 else 0)) for at, each in enumerate(LAID_AROUND)]
    for at in range(8):
        table.watch(places[: at + 1], 3)
    assert sum(isinstance(each, Discarded) for each in table.played) == 8
    table.report(TOUCH, HandAbandoned(why="a tile fell"))
    table.report(CUP, *begin)
    begun = len(table.played)
    table.watch(places, lies_on_s)
    table.watch([], 14)
    assert table.played[begun:] == []
    table.watch([see(20, "9m", 0, table.t)], 8)
    assert table.played[begun] == Discarded(seat=0, tile="9m")


LEFT = [
    see(at, code, at % 4, 0.5) for at, code in enumerate(("2m", "3p", "4s", "5m", "6p", "7s", "8m", "2p"))
]
"""Two discards of each player, which lie there from the first sight on."""


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["hefei", "hebei", "taiwanese", "hong_kong", "hangzhou"])
@pytest.mark.parametrize("thrown", ["before the sweep", "after the sweep"])
def test_tiles_that_lay_there_when_the_camera_was_switched_on_and_are_swept_end_no_hand(
    table: Table, rules: str, thrown: str
) -> None:
    """They are of the hand before, which was entered by touch."""
    table.game.play(GameStarted(rules=rules)).result(WAIT_S)
    begin: list[Event] = [HandStarted(dealer=0, dice=(3, 4)), Dealt()]
    if rules == "hangzhou":
        begin.append(IndicatorTurned(tile="9s", dice=(1, 2)))
    table.report(TOUCH, *begin, HandAbandoned(why="walls fell"))
    before = table.played
    if thrown == "before the sweep":
        table.report(CUP, *begin)
    table.follower = Follower(table.game, CAMERA)
    table.watch([replace(each, x_mm=each.x_mm + 28 * (at > 3)) for at, each in enumerate(LEFT)], 12)
    table.watch([], 6)
    if thrown == "after the sweep":
        table.report(CUP, *begin)
    table.watch([], SEES_ITSELF_S + 2)
    table.watch([see(20, "5p", 0, table.t)], 6)
    assert table.played == [*before, *begin, Discarded(seat=0, tile="5p")]
