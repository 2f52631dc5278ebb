"""A kept game in the middle of a hand is followed on only where that hand lies on the table, or is ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.running.noticed import Noticed, ThreadFound, ThreadLost
from companion.running.open_hand import JUDGE_S, OpenHandFollower
from companion.sentences import Sentence
from companion.table.apply import fold
from companion.table.events import Dealt, Discarded, Drawn, Event, GameStarted, HandStarted
from companion.tracking.sights import SeenTile, Sight

DISCARDS = ("9m", "1s", "5z", "7p")


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

    def begin_here(self) -> None:
        self.begun_here += 1

    def trust_tiles(self) -> None:
        raise AssertionError


class Hand:
    """A hand of four discards; `playing` until somebody ends it."""

    def __init__(self) -> None:
        events: list[Event] = [GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt()]
        for seat, tile in enumerate(DISCARDS):
            events += [Drawn(seat=seat)] * (seat > 0) + [Discarded(seat=seat, tile=tile)]
        state = fold(events)
        assert state is not None
        self.playing, self.agreed = True, 0
        self.following = Following()
        self.follower = OpenHandFollower(self.following, state, "friday", lambda: self.playing, self._agree)

    def _agree(self) -> None:
        self.agreed += 1

    def look(self, t: float, *codes: str) -> list[Noticed]:
        tiles = tuple(
            SeenTile(at, 30.0 * at, 0.0, 0.0, ((code, 0.99),), still_since_s=0.0)
            for at, code in enumerate(codes)
        )
        return self.follower.follow(Sight(t, tiles), round(t * 1e9))


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
    assert isinstance(lost, ThreadLost)
    assert str(lost.why) == (
        "'friday' is in the middle of a hand in which 4 tiles lie open, and on the table here lie 1 of them"
        " and 2 others: nothing was entered."
    )
    assert [hand.look(JUDGE_S + at, "1m", "2m") for at in range(1, 25)] == [[]] * 24
    assert hand.following.times == []
    assert isinstance(hand.look(40, *DISCARDS)[0], ThreadFound)
    assert hand.following.times[-1] == 40


def test_a_hand_that_is_ended_gives_way_to_the_one_that_lies_there() -> None:
    hand = Hand()
    hand.look(0, "1m", "2m")
    hand.playing = False
    assert hand.look(1, "1m", "2m") == []
    assert (hand.following.times, hand.agreed) == ([0, 1], 0)


def test_what_lies_there_is_taken_as_it_is_where_a_person_says_so() -> None:
    hand = Hand()
    hand.look(0, "1m", "2m")
    hand.follower.begin_here()
    hand.look(1, "1m", "2m")
    assert (hand.following.begun_here, hand.following.times) == (1, [1])


def test_a_recording_that_ends_before_it_is_known_is_another_hand() -> None:
    hand = Hand()
    hand.look(0, "1m")
    assert isinstance(hand.follower.finish(1, 0)[0], ThreadLost)
