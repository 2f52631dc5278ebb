"""Tiles of another game than the one that was named are noticed, and those of the right one never."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle

import pytest

from companion.coach.play.simulation import play
from companion.following.decoder import MISFITS_MIN_TILES
from companion.game.proposals import Reporter, SourceKind
from companion.live.doubts import find_wrong_rules
from companion.live.follower import FOLLOWING, Follower
from companion.live.noticed import Doubted, EventNoticed, FollowingLost, FollowingResumed, Noticed
from companion.live.running import RunningGame
from companion.rules import RULE_SETS
from companion.seeing.sights import IS_COVERED, Sight
from companion.table.apply import apply, fold
from companion.table.events import Dealt, Discarded, Drawn, GameStarted, HandStarted
from lab.bench.laid_hands import CLEAR, Customs, lay_hand, make_sights

HEFEI = [f"{rank}{suit}" for rank in range(2, 9) for suit in "mps"]


def doubts(rules: str, kinds: list[str], discards: int) -> str:
    """Why these kinds, discarded in turn as often as that, are doubted; nothing where they are not."""
    state = fold([GameStarted(rules=rules), HandStarted(dealer=0), Dealt()])
    assert state is not None
    for at, (seat, tile) in enumerate(zip(cycle(range(4)), cycle(kinds), strict=False)):
        if at:
            state = apply(state, Drawn(seat=seat))
        state = apply(state, Discarded(seat=seat, tile=tile))
        if at == discards - 1:
            break
    why = find_wrong_rules(state)
    return "" if why is None else str(why)


@pytest.mark.parametrize("rules", ["taiwanese", "hebei", "hong_kong"])
def test_tiles_of_hefei_are_doubted_in_games_with_more_kinds(rules: str) -> None:
    assert doubts(rules, HEFEI, 12) == ""
    said = doubts(rules, HEFEI, 24)
    assert said.startswith(f"This may be Hefei, not {RULE_SETS[rules].title}: all 24 open tiles")
    assert doubts(rules, [*HEFEI, "1z"], 24) == ""


def test_a_game_with_flowers_in_which_nobody_sets_one_out_is_doubted() -> None:
    kinds = [*HEFEI, "1z", "9m", "9p", "1s"]
    assert doubts("hong_kong", kinds, 30) == ""
    assert "nobody exposed a flower" in doubts("hong_kong", kinds, 50)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_hand_of_the_game_itself_is_doubted(rules: str) -> None:
    for hand in play(GameStarted(rules=rules), 12, random.Random(3)):
        assert [str(why) for step in hand.steps if (why := find_wrong_rules(step.state))] == []


@pytest.fixture
def game() -> Iterator[RunningGame]:
    game = RunningGame(policy=FOLLOWING)
    yield game
    game.close()


def test_a_game_that_is_followed_says_it_once_and_is_followed_on(game: RunningGame) -> None:
    (hand,) = play(GameStarted(rules="hefei"), 1, random.Random(1))
    rng = random.Random(1)
    laid = lay_hand(hand, Customs(untidy=1.0, quick=0.0), rng, 0.0)
    game.play(GameStarted(rules="taiwanese")).result(20)
    follower = Follower(game, Reporter(SourceKind.CAMERA, "above"))
    noticed: list[Noticed] = []
    for sight in make_sights(laid, CLEAR, rng, 0.0, 1):
        noticed += follower.follow(sight, round(sight.t * 1e9))
    (doubt,) = [each for each in noticed if isinstance(each, Doubted)]
    assert "This may be Hefei, not Taiwanese" in str(doubt.why)
    assert isinstance(noticed[noticed.index(doubt) + 1], EventNoticed)
    follower.trust_tiles()
    assert follower.follow(Sight(sight.t + 1), 0)[-1] == Doubted(sight.t + 1, None)


def test_a_second_set_on_the_table_is_doubted_as_long_as_it_lies_there(game: RunningGame) -> None:
    game.play(GameStarted(rules="hefei")).result(20)
    follower = Follower(game, Reporter(SourceKind.CAMERA, "above"))

    def look(t: float, misfits: int, trouble: str = "") -> list[Noticed]:
        return follower.follow(Sight(t, misfits=misfits, trouble=trouble), round(t * 1e9))

    assert look(1, 0) == []
    assert look(2, MISFITS_MIN_TILES) == [], "for a moment hands may look so while tiles are dealt"
    (doubt,) = look(3, MISFITS_MIN_TILES)
    assert isinstance(doubt, Doubted)
    assert str(doubt.why).startswith("some tiles on the table are not in this game")
    assert look(4, MISFITS_MIN_TILES) == []
    assert look(5, 0) == [Doubted(5, None)]
    assert [type(each) for each in look(7, MISFITS_MIN_TILES)] == [Doubted]
    assert [type(each) for each in look(8, 0, IS_COVERED)] == [FollowingLost, Doubted]
    assert [type(each) for each in look(9, MISFITS_MIN_TILES)] == [FollowingResumed, Doubted]
    follower.trust_tiles()
    assert look(10, MISFITS_MIN_TILES) == [Doubted(10, None)]
    assert look(11, 0) == look(14, MISFITS_MIN_TILES) == []
