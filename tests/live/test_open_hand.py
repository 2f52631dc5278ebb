"""A kept game in the middle of a hand is followed on only where that hand lies on the table, or is ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from followed import WAIT_S

from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.live.followed_game import JUDGE_S, OTHER_TABLE, OpenHandFollower
from companion.live.follower import FOLLOWING, Follower, Follows
from companion.live.noticed import FollowingLost, FollowingResumed, Noticed
from companion.live.running import RunningGame
from companion.seeing.sights import IS_COVERED, SeenTile, Sight
from companion.sentences import Sentence
from companion.table.apply import fold
from companion.table.events import Dealt, Discarded, Drawn, Event, GameStarted, HandStarted

DISCARDS = ("9m", "1s", "5z", "7p")
OTHERS = ("1m", "2m", "3m", "4m", "6m", "8m")
EVENTS: list[Event] = [GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt()]
for at, code in enumerate(DISCARDS):
    EVENTS += [Drawn(seat=at)] * (at > 0) + [Discarded(seat=at, tile=code)]


@dataclass
class Following:
    """Notes the sights that are followed."""

    times: list[float] = field(default_factory=list)
    begun_here: int = 0

    def follow(self, sight: Sight, t_ns: int, broken: Sentence | None = None) -> list[Noticed]:
        self.times.append(sight.t)
        return []

    def finish(self, t: float, t_ns: int) -> list[Noticed]:
        return []

    def begin_here(self, lying: Sequence[Sight] = ()) -> None:
        self.begun_here += 1

    def trust_tiles(self) -> None:
        raise AssertionError


class Hand:
    """A hand of four discards; `playing` until somebody ends it."""

    def __init__(self, follower: Follows | None = None) -> None:
        state = fold(EVENTS)
        assert state is not None
        self.playing, self.agreed = True, 0
        self.following = Following()
        inner = follower or self.following
        self.follower = OpenHandFollower(inner, state, "friday", lambda: self.playing, self._agree)

    def _agree(self) -> None:
        self.agreed += 1

    def look(self, t: float, *codes: str) -> list[Noticed]:
        tiles = tuple(
            SeenTile(at, 30.0 * at, 0.0, 0.0, ((code, 0.99),), still_since_s=0.0)
            for at, code in enumerate(codes)
        )
        return self.follower.follow(Sight(t, tiles), round(t * 1e9))

    def cover(self, t: float) -> list[Noticed]:
        return self.follower.follow(Sight(t, trouble=IS_COVERED), round(t * 1e9))


class FollowedHand(Hand):
    """The same of a game that is truly followed."""

    def __init__(self) -> None:
        self.t = 0.0
        self.game = RunningGame(policy=FOLLOWING, clock=lambda: round(self.t * 1e9))
        self.game.play(EVENTS[0]).result(WAIT_S)
        for event in EVENTS[1:]:
            self.game.propose(Proposal(event, 0, Reporter(SourceKind.TOUCH))).result(WAIT_S)
        super().__init__(Follower(self.game, Reporter(SourceKind.CAMERA, "above")))

    def watch(self, seconds: float, *tiles: SeenTile) -> list[Noticed]:
        """The same tiles for so long, seen twice a second."""
        noticed: list[Noticed] = []
        for _ in range(round(seconds * 2)):
            self.t += 0.5
            noticed += self.follower.follow(Sight(self.t, tiles), round(self.t * 1e9))
        return noticed

    @property
    def added(self) -> list[Event]:
        """What the game has beyond the kept hand."""
        events = self.game.transact(lambda transaction: transaction.get_progress().events).result(WAIT_S)
        return list(events[len(EVENTS) :])


@pytest.fixture
def followed() -> Iterator[FollowedHand]:
    hand = FollowedHand()
    yield hand
    hand.game.close()


def lay(*codes: str) -> list[SeenTile]:
    """Tiles of the river of seat 0."""
    return [
        SeenTile(at, 30.0 * at - 75, -90.0, 0.0, ((code, 0.998),), still_since_s=0.5)
        for at, code in enumerate(codes)
    ]


def turns(noticed: list[Noticed]) -> list[str | None]:
    """Why the game was lost; None where it was found."""
    said = [each for each in noticed if isinstance(each, (FollowingLost, FollowingResumed))]
    return [each.why.template if isinstance(each, FollowingLost) else None for each in said]


def test_the_hand_that_lies_there_goes_on_with_all_that_was_seen() -> None:
    hand = Hand()
    assert hand.look(0) == []
    assert hand.following.times == []
    assert hand.look(1, *DISCARDS) == []
    assert (hand.following.times, hand.agreed) == ([0, 1], 1)


def test_another_hand_is_said_once_by_the_name_of_the_game_and_looked_at_on() -> None:
    hand = Hand()
    assert hand.look(0, "1m", "2m") == []
    (lost,) = hand.look(JUDGE_S, "1m", "2m", "9m")
    assert isinstance(lost, FollowingLost)
    assert str(lost.why) == (
        "'friday' is in the middle of a hand with 4 open tiles, and this table shows 1 of them"
        " and 2 others: nothing was entered."
    )
    assert [hand.look(JUDGE_S + at, "1m", "2m") for at in range(1, 25)] == [[]] * 24
    assert hand.following.times == []
    assert isinstance(hand.look(40, *DISCARDS)[0], FollowingResumed)
    assert hand.following.times[-1] == 40


def test_a_hand_that_is_ended_gives_way_to_the_one_that_lies_there() -> None:
    hand = Hand()
    hand.look(0, "1m", "2m")
    hand.playing = False
    assert hand.look(1, "1m", "2m") == []
    assert (hand.following.times, hand.agreed) == ([0, 1], 0)


def test_present_tiles_are_accepted_on_confirmation() -> None:
    hand = Hand()
    hand.look(0, "1m", "2m")
    hand.follower.begin_here()
    hand.look(1, "1m", "2m")
    assert (hand.following.begun_here, hand.following.times) == (1, [1])


def test_a_recording_that_ends_before_it_is_known_is_another_hand() -> None:
    hand = Hand()
    hand.look(0, "1m")
    assert isinstance(hand.follower.finish(1, 0)[0], FollowingLost)


@pytest.mark.parametrize("code", ["4p", "9m"])
def test_present_tiles_are_not_entered_but_later_ones_are(followed: FollowedHand, code: str) -> None:
    lying = lay(*OTHERS)
    assert turns(followed.watch(JUDGE_S + 2, *lying)) == [OTHER_TABLE]
    followed.watch(0.5, *lying[1:])  # one is not found for a moment
    followed.follower.begin_here()
    followed.watch(8, *lying)
    assert followed.added == []
    new = SeenTile(20, 0.0, -130.0, 0.0, ((code, 0.998),), still_since_s=followed.t)
    followed.watch(8, *lying, new)
    assert followed.added == [Drawn(seat=0), Discarded(seat=0, tile=code)]


def test_a_game_lost_to_another_hand_is_found_where_a_person_takes_that_hand(followed: FollowedHand) -> None:
    lying = lay(*OTHERS)
    followed.watch(JUDGE_S + 2, *lying)
    followed.follower.begin_here()
    assert turns(followed.watch(20, *lying)) == [None]


def test_a_hand_laid_out_again_is_found_once(followed: FollowedHand) -> None:
    followed.watch(JUDGE_S + 2, *lay(*OTHERS))
    assert turns(followed.watch(8, *lay(*DISCARDS))) == [None]


def test_a_camera_covered_while_sights_are_held_is_uncovered_each_time(followed: FollowedHand) -> None:
    followed.look(0, *OTHERS)
    for t in (1, 3):
        assert turns(followed.cover(t)) == [IS_COVERED]
        assert turns(followed.look(t + 1, *OTHERS)) == [None]
    assert turns(followed.look(JUDGE_S, *OTHERS)) == [OTHER_TABLE]
    assert turns(followed.cover(11)) == [IS_COVERED]
    assert turns(followed.look(12, *OTHERS)) == [OTHER_TABLE]
    assert followed.look(13, *OTHERS) == []


def test_a_camera_covered_when_a_person_takes_the_hand_is_uncovered_once(followed: FollowedHand) -> None:
    followed.look(0, *OTHERS)
    assert turns(followed.cover(1)) == [IS_COVERED]
    followed.follower.begin_here()
    assert followed.cover(2) == []
    assert turns(followed.look(3, *OTHERS)) == [None]
    assert turns(followed.cover(4)) == [IS_COVERED]
