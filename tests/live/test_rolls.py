"""A roll that the camera read begins a hand once, whoever else reports it, and at other times is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
from followed import WAIT_S

from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, Source, SourceKind
from companion.live.follower import FOLLOWING, Follower
from companion.live.noticed import EventNoticed, FollowingLost, Noticed, QuestionAsked
from companion.live.running import RunningGame
from companion.seeing.sights import Roll, SeenTile, Sight
from companion.table.events import (
    Dealt,
    Discarded,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    IndicatorTurned,
    apply_corrections,
)

CAMERA = Source(SourceKind.CAMERA, "above")
CUP = Source(SourceKind.DEVICE, "cup")
TOUCH = Source(SourceKind.TOUCH, seat=2)
ROLL = HandStarted(dealer=0, dice=(3, 4))
TURNED = HandStarted(dealer=0, dice=(4, 3))
OTHER = HandStarted(dealer=0, dice=(3, 5))
P = 0.995


class Table:
    """A game that is followed, half a second at a time."""

    def __init__(self, rules: str = "hebei") -> None:
        self.t = 0.0
        self.game = RunningGame(policy=FOLLOWING, clock=lambda: round(self.t * 1e9))
        self.game.play(GameStarted(rules=rules)).result(WAIT_S)
        self.follower = Follower(self.game, CAMERA)

    def watch(self, seconds: float, roll: Roll | None, *tiles: SeenTile) -> list[Noticed]:
        noticed: list[Noticed] = []
        for _ in range(round(seconds * 2)):
            self.t += 0.5
            noticed += self.follower.follow(Sight(self.t, tiles, dice=roll), round(self.t * 1e9))
        return noticed

    def report(self, source: Source, event: Event) -> Verdict:
        return self.game.propose(Proposal(event, round(self.t * 1e9), source)).result(WAIT_S).verdict

    @property
    def played(self) -> list[Event]:
        log = self.game.transact(lambda transaction: transaction.get_progress().events).result(WAIT_S)
        return apply_corrections(log)[1:]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.game.close()


def see(track: int, code: str, since: float) -> SeenTile:
    """A tile in the river of seat 0."""
    return SeenTile(track, 0.0, -90.0, 0.0, ((code, 0.998),), still_since_s=since)


def list_events(noticed: list[Noticed]) -> list[tuple[Event, str]]:
    return [(each.event, each.source.name) for each in noticed if isinstance(each, EventNoticed)]


def test_a_roll_is_an_event_before_any_tile_is_seen_and_the_hand_goes_on(table: Table) -> None:
    roll = Roll((3, 4), 1.0, P)
    noticed = table.watch(3, None) + table.watch(3, Roll((3, 4), 3.2, P))
    assert list_events(noticed) == [(ROLL, "above")]
    (event,) = [each for each in noticed if isinstance(each, EventNoticed)]
    assert event.p == P
    assert event.certain
    table.watch(4, roll, see(1, "9m", 8.0))
    assert table.played == [ROLL, Dealt(), Discarded(seat=0, tile="9m")]


def roll_seen_by_both(table: Table, order: tuple[str, ...], by_cup: Event) -> list[Noticed]:
    """What is noticed where the cup reports that roll and the camera sees a 3 and a 4, in this order."""
    noticed: list[Noticed] = []
    for source in order:
        if source == "cup":
            table.report(CUP, by_cup)
        else:
            noticed += table.watch(2, Roll((3, 4), table.t, P))
    return noticed


@pytest.mark.parametrize("order", list(permutations(("cup", "camera"))), ids="-".join)
@pytest.mark.parametrize("reported", [ROLL, TURNED], ids=["same order", "other order"])
def test_a_cup_and_the_camera_report_one_roll(table: Table, order: tuple[str, ...], reported: Event) -> None:
    noticed = roll_seen_by_both(table, order, reported)
    noticed += table.watch(4, Roll((3, 4), 0.0, P), see(1, "9m", 6.0))
    assert not [each for each in noticed if isinstance(each, QuestionAsked | FollowingLost)]
    first = reported if order[0] == "cup" else ROLL
    assert table.played == [first, Dealt(), Discarded(seat=0, tile="9m")]


@pytest.mark.parametrize("order", list(permutations(("cup", "camera"))), ids="-".join)
def test_a_contradiction_names_both_and_the_hand_goes_on(table: Table, order: tuple[str, ...]) -> None:
    noticed = roll_seen_by_both(table, order, OTHER)
    noticed += table.watch(6, Roll((3, 4), 0.0, P), see(1, "9m", 6.0))
    (question,) = [each for each in noticed if isinstance(each, QuestionAsked)]
    assert {source.name for source in question.sources} == {"cup", "above"}
    assert question.about == "hand_started"
    first = OTHER if order[0] == "cup" else ROLL
    assert table.played == [first, Dealt(), Discarded(seat=0, tile="9m")]


def test_a_roll_completes_a_hand_that_somebody_began_without_dice(table: Table) -> None:
    table.report(TOUCH, HandStarted(dealer=0))
    table.watch(2, Roll((3, 4), 0.5, P))
    assert table.played == [ROLL]


def test_dice_thrown_again_at_once_put_the_roll_right(table: Table) -> None:
    table.watch(2, Roll((3, 4), 0.5, P))
    table.watch(2, Roll((1, 6), 3.0, P))
    assert table.played == [HandStarted(dealer=0, dice=(1, 6))]


def test_dice_mean_nothing_while_a_hand_is_played(table: Table) -> None:
    table.watch(2, Roll((3, 4), 0.5, P))
    table.watch(4, Roll((3, 4), 0.5, P), see(1, "9m", 3.0))
    before = table.played
    noticed = table.watch(30, Roll((1, 6), 7.0, P), see(1, "9m", 3.0))
    assert not list_events(noticed)
    assert not [each for each in noticed if isinstance(each, QuestionAsked | FollowingLost)]
    assert table.played == before


def test_dice_that_lie_there_from_the_hand_before_begin_none(table: Table) -> None:
    roll = Roll((3, 4), 0.5, P)
    table.watch(2, roll)
    table.report(TOUCH, Dealt())
    table.report(TOUCH, HandAbandoned(why="mistake"))
    assert not list_events([each for each in table.watch(4, roll) if _starts(each)])
    table.watch(2, Roll((1, 6), table.t + 0.4, P))
    begun = table.played[-1]
    assert isinstance(begun, HandStarted)
    assert begun.dice == (1, 6)


def _starts(noticed: Noticed) -> bool:
    return isinstance(noticed, EventNoticed) and noticed.source == CAMERA


def test_a_throw_of_another_number_begins_no_hand(table: Table) -> None:
    table.watch(2, Roll((1, 3, 4), 0.5, P))
    assert table.played == []


def test_the_second_roll_of_hangzhou_is_for_the_indicator() -> None:
    table = Table("hangzhou")
    try:
        table.watch(2, Roll((3, 4), 0.5, P))
        table.watch(2, Roll((2, 2), 2.5, P))
        indicator = SeenTile(1, 0.0, 290.0, 0.0, (("5p", 0.998),), still_since_s=6.0)
        table.watch(3, Roll((2, 2), 2.5, P), indicator)
        table.watch(8, Roll((2, 2), 2.5, P), indicator, see(2, "9m", 9.0))
        assert table.played[:3] == [ROLL, Dealt(), IndicatorTurned(tile="5p", dice=(2, 2))]
    finally:
        table.game.close()
