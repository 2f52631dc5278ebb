"""A camera, a dice cup, buttons and people report one game: the same game results in whatever order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest
from followed import WAIT_S

from companion.bench.laid_hands import Customs, lay_hand
from companion.bench.noisy_sights import CLEAR, make_sights
from companion.cameras.sources import SILENT_STREAM
from companion.coach.simulation import play
from companion.running.deciding import Verdict
from companion.running.follower import FOLLOWING, SEES_ITSELF_S, Follower
from companion.running.game import RunningGame
from companion.running.lost_words import describe_lost
from companion.running.noticed import EventNoticed, Noticed, QuestionAsked, ThreadFound, ThreadLost
from companion.running.proposals import Proposal, Source, SourceKind
from companion.sentences import Sentence
from companion.table.events import (
    Called,
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    IndicatorTurned,
)
from companion.table.fields import Call
from companion.table.log import apply_corrections
from companion.tracking.sights import Box, SeenTile, Sight

CAMERA = Source(SourceKind.CAMERA, "above")
CUP = Source(SourceKind.DEVICE, "cup")
BUTTONS = Source(SourceKind.DEVICE, "buttons")
TOUCH = Source(SourceKind.TOUCH, seat=2)
START = GameStarted(rules="hebei")
ROLL = HandStarted(dealer=0, dice=(3, 4))
FIRST = Discarded(seat=0, tile="9m")


def see(track: int, code: str, seat: int, since: float, p: float = 0.998) -> SeenTile:
    """A tile in the river of a seat."""
    x, y = ((0, -90), (90, 0), (0, 90), (-90, 0))[seat]
    readings = ((code, p), ("6m", 1 - p)) if p < 0.99 else ((code, p),)
    return SeenTile(track, x, y, seat * 1.571, readings, still_since_s=since)


class Table:
    """A game that is followed, second by second."""

    def __init__(self) -> None:
        self.t = 0.0
        self.game = RunningGame(policy=FOLLOWING, clock=lambda: round(self.t * 1e9))
        self.game.play(START).result(WAIT_S)
        self.follower = Follower(self.game, CAMERA)
        self.noticed: list[Noticed] = []

    def watch(self, tiles: list[SeenTile], seconds: float, *covered: Box) -> list[Noticed]:
        """The same tiles for so long, seen twice a second."""
        noticed: list[Noticed] = []
        for _ in range(round(seconds * 2)):
            self.t += 0.5
            sight = Sight(self.t, tuple(tiles), covered)
            noticed += self.follower.follow(sight, round(self.t * 1e9))
        self.noticed += noticed
        return noticed

    def report(self, source: Source, *events: Event, ago: float = 0.0) -> list[Verdict]:
        """Another source reports these."""
        t_ns = round((self.t - ago) * 1e9)
        asked = [self.game.propose(Proposal(event, t_ns, source)) for event in events]
        return [each.result(WAIT_S).verdict for each in asked]

    @property
    def log(self) -> tuple[Event, ...]:
        return self.game.together(lambda desk: desk.get_progress().events).result(WAIT_S)

    @property
    def played(self) -> list[Event]:
        """What happened after the beginning, all told."""
        return apply_corrections(self.log)[1:]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.game.close()


def events(noticed: list[Noticed]) -> list[Event]:
    return [each.event for each in noticed if isinstance(each, EventNoticed)]


@pytest.mark.parametrize("order", list(permutations(("cup", "touch", "camera"))), ids="-".join)
def test_a_cup_a_person_and_the_camera_report_one_hand_in_any_order(
    table: Table, order: tuple[str, ...]
) -> None:
    tiles: list[SeenTile] = []
    for source in order:
        if source == "cup":
            table.report(CUP, ROLL)
        elif source == "touch":
            table.report(TOUCH, HandStarted(dealer=0), Dealt(), FIRST)
        else:
            tiles = [see(1, "9m", 0, table.t)]
        table.watch(tiles, 3)
    assert table.played == [ROLL, Dealt(), FIRST]
    table.watch([*tiles, see(2, "1s", 1, table.t)], 4)
    assert table.played == [ROLL, Dealt(), FIRST, Drawn(seat=1), Discarded(seat=1, tile="1s")]


def test_what_is_printed_has_the_numbers_of_the_log(table: Table) -> None:
    table.watch([see(1, "9m", 0, 0.5)], 4)
    table.report(BUTTONS, Called(seat=2, call=Call.NOTHING))
    table.watch([see(1, "9m", 0, 0.5), see(2, "1s", 1, 5.0)], 5)
    shown = [each for each in table.noticed if isinstance(each, EventNoticed)]
    assert [each.number for each in shown] == [2, 3, 4, 5, 6, 7]
    assert [table.log[each.number - 1] for each in shown] == [each.event for each in shown]
    assert [each.source.kind for each in shown] == [SourceKind.CAMERA] * 3 + [SourceKind.DEVICE] + [
        SourceKind.CAMERA
    ] * 2


def test_a_call_by_a_button_waits_for_the_discard_that_the_camera_has_yet_to_state(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 0.5)
    assert table.report(BUTTONS, Called(seat=2, call=Call.PUNG)) == [Verdict.HELD]
    table.watch(tiles, 3)
    assert table.played[-2:] == [FIRST, Called(seat=2, call=Call.PUNG)]
    pung = [SeenTile(10 + i, -340 + 26 * i, 340, 3.14, (("9m", 0.998),), still_since_s=4) for i in range(3)]
    table.watch(pung, 5)
    assert table.played[-1] == Claimed(seat=2, meld="p999m")


def test_an_unseen_discard_is_named_by_its_number_in_the_log(table: Table) -> None:
    table.report(CUP, ROLL)
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    tiles.append(see(3, "1s", 2, table.t))
    table.watch(tiles, 9, Box(50, -60, 140, 60))
    unseen = table.log.index(Discarded(seat=1)) + 1
    table.report(BUTTONS, Called(seat=3, call=Call.PUNG))
    tiles.append(see(2, "5z", 1, table.t))
    noticed = table.watch(tiles, 4)
    assert Corrected(number=unseen, right=Discarded(seat=1, tile="5z")) in events(noticed)
    assert Discarded(seat=1, tile="5z") in table.played


def test_the_person_stands_where_the_camera_reads_another_tile_and_both_are_named(table: Table) -> None:
    table.report(TOUCH, HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="6m"))
    tiles = [see(1, "9m", 0, 0.5)]
    noticed = table.watch(tiles, 4)
    asked = [each for each in noticed if isinstance(each, QuestionAsked)]
    assert [(each.number, each.about, each.choices) for each in asked] == [(4, "discarded", ("6m", "9m"))]
    assert asked[0].sources == (TOUCH, CAMERA)
    assert table.played[-1] == Discarded(seat=0, tile="6m")
    table.watch([*tiles, see(2, "1s", 1, table.t)], 4)
    assert table.played[-1] == Discarded(seat=1, tile="1s")


def test_a_person_says_otherwise_than_the_camera_and_is_asked_once(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    assert table.report(TOUCH, Discarded(seat=0, tile="6m")) == [Verdict.HELD]
    noticed = table.watch(tiles, 3)
    asked = [each for each in noticed if isinstance(each, QuestionAsked)]
    assert [(each.number, each.choices, each.sources) for each in asked] == [
        (4, ("9m", "6m"), (CAMERA, TOUCH))
    ]


def test_a_correction_by_a_person_is_followed(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    table.report(TOUCH, Corrected(number=4, right=Discarded(seat=0, tile="6m")))
    tiles.append(see(2, "1s", 1, table.t))
    table.watch(tiles, 5)
    assert table.played[2:] == [
        Discarded(seat=0, tile="6m"), Drawn(seat=1), Discarded(seat=1, tile="1s"),
    ]  # fmt: skip


def test_what_a_person_takes_back_is_not_stated_again(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    table.game.undo(1).result(WAIT_S)
    table.watch(tiles, 8)
    assert FIRST not in table.played


def test_what_a_person_enters_and_nobody_sees_is_followed(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    table.report(TOUCH, Claimed(seat=1, meld="p999m"))
    table.watch([], SEES_ITSELF_S + 1)
    table.watch([see(2, "1s", 1, table.t)], 4)
    assert table.played[-2:] == [Claimed(seat=1, meld="p999m"), Discarded(seat=1, tile="1s")]


def test_another_game_is_followed_from_its_beginning(table: Table) -> None:
    table.watch([see(1, "9m", 0, 0.5)], 4)
    table.game.play(GameStarted(rules="hebei", dealer=1)).result(WAIT_S)
    table.watch([see(2, "1s", 1, table.t)], 4)
    assert table.played == [HandStarted(dealer=1), Dealt(), Discarded(seat=1, tile="1s")]


def test_a_covered_camera_is_lost_and_found(table: Table) -> None:
    trouble = Sight(1.0, trouble="the camera is covered")
    assert table.follower.follow(trouble, 0) == [ThreadLost(1.0, Sentence("the camera is covered"))]
    assert table.follower.follow(Sight(2.0), 0) == [ThreadFound(2.0)]


def test_a_broken_stream_is_lost_in_a_sentence_that_is_translated(table: Table) -> None:
    why = Sentence(SILENT_STREAM, {"name": "rtsp://10.0.0.7/{table}"})
    trouble = Sight(1.0, trouble=str(why))
    assert table.follower.follow(trouble, 0, why) == [ThreadLost(1.0, why)]
    assert table.follower.follow(trouble, 0, why) == []
    assert describe_lost(why) is why
    assert table.follower.follow(Sight(2.0), 0) == [ThreadFound(2.0)]
    (replayed,) = table.follower.follow(trouble, 0)
    assert isinstance(replayed, ThreadLost)
    assert "sends no more pictures" in str(replayed.why)


def test_the_end_of_a_recording_states_what_is_left(table: Table) -> None:
    table.watch([see(1, "9m", 0, 0.5, p=0.55)], 1)
    assert FIRST not in table.played
    noticed = table.follower.finish(table.t, round(table.t * 1e9))
    assert events(noticed)[-1] == FIRST
    assert [each.certain for each in noticed if isinstance(each, EventNoticed)][-1] is False


def test_a_game_is_resumed_in_the_middle_of_a_hand(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    tiles.append(see(2, "1s", 1, table.t))
    table.watch(tiles, 4)
    before = table.log
    table.follower = Follower(table.game, CAMERA)
    again = [see(11, "9m", 0, 0.1), see(12, "1s", 1, 0.1)]
    assert events(table.watch(again, 12)) == []
    assert table.log == before
    table.watch([*again, see(13, "7p", 2, table.t)], 4)
    assert table.played[-2:] == [Drawn(seat=2), Discarded(seat=2, tile="7p")]


def test_a_tile_that_was_entered_under_an_arm_is_no_new_move(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    table.report(TOUCH, Drawn(seat=1), Discarded(seat=1, tile="1s"))
    table.watch(tiles, SEES_ITSELF_S + 2, Box(50, -60, 140, 60))
    tiles.append(see(2, "1s", 1, table.t))
    table.watch(tiles, 8)
    assert table.played[-1] == Discarded(seat=1, tile="1s")
    tiles.append(see(3, "7p", 2, table.t))
    table.watch(tiles, 4)
    assert table.played[-2:] == [Drawn(seat=2), Discarded(seat=2, tile="7p")]


@pytest.mark.parametrize("order", list(permutations(("touch", "camera", "table"))), ids="-".join)
def test_a_discard_that_three_report_is_entered_once(table: Table, order: tuple[str, ...]) -> None:
    """An automatic table knows only that a tile was discarded; a person and the camera know which."""
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    for source in order:
        if source == "table":
            table.report(BUTTONS, Drawn(seat=1), Discarded(seat=1))
        elif source == "touch":
            table.report(TOUCH, Drawn(seat=1), Discarded(seat=1, tile="1s"))
        else:
            tiles.append(see(2, "1s", 1, table.t))
            table.watch(tiles, 3)
    table.watch(tiles, 3)
    assert table.played[2:] == [FIRST, Drawn(seat=1), Discarded(seat=1, tile="1s")]


@pytest.mark.parametrize("order", list(permutations(("touch", "camera", "button"))), ids="-".join)
def test_a_claim_that_three_report_is_entered_once(table: Table, order: tuple[str, ...]) -> None:
    table.watch([see(1, "9m", 0, 0.5)], 4)
    tiles = [see(1, "9m", 0, 0.5)]
    for source in order:
        if source == "button":
            table.report(BUTTONS, Called(seat=2, call=Call.PUNG))
        elif source == "touch":
            table.report(TOUCH, Claimed(seat=2, meld="p999m"))
        else:
            tiles = [
                SeenTile(10 + i, -340 + 26 * i, 340, 3.14, (("9m", 0.998),), still_since_s=table.t)
                for i in range(3)
            ]
        table.watch(tiles, 3)
    assert [each for each in table.played if isinstance(each, Claimed)] == [Claimed(seat=2, meld="p999m")]
    table.watch([*tiles, see(20, "1s", 2, table.t)], 4)
    assert table.played[-1] == Discarded(seat=2, tile="1s")


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
def test_what_lies_there_is_no_news_once_a_person_says_that_it_begins_here(
    table: Table, begins_here: bool
) -> None:
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
    assert [type(each) for each in table.watch([], 1)] == [ThreadFound]


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
    first = Discarded(seat=0, tile="9m")
    table.watch([see(20, "9m", 0, table.t)], 8)
    assert table.played[begun:] == [first]


LEFT = [
    see(at, code, at % 4, 0.5) for at, code in enumerate(("2m", "3p", "4s", "5m", "6p", "7s", "8m", "2p"))
]
"""Two discards of each player, which lie there from the first sight on."""


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
