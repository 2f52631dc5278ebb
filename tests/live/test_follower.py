"""A camera, a dice cup, buttons and people report one game: the same game results in whatever order."""

from __future__ import annotations

from itertools import permutations

import pytest
from followed import WAIT_S
from watched_game import BUTTONS, CAMERA, CUP, FIRST, ROLL, TOUCH, Table, events, see

from companion.cameras.sources import SILENT_STREAM
from companion.game.deciding import Verdict
from companion.game.proposals import SourceKind
from companion.live.follower import SEES_ITSELF_S, Follower, describe_lost
from companion.live.noticed import EventNoticed, FollowingLost, FollowingResumed, QuestionAsked
from companion.seeing.sights import Box, SeenTile, Sight
from companion.sentences import Sentence
from companion.table.events import (
    Call,
    Called,
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    GameStarted,
    HandStarted,
)


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


def test_printed_events_have_the_numbers_of_the_log(table: Table) -> None:
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


def test_event_undone_by_a_person_is_not_stated_again(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    table.game.undo(1).result(WAIT_S)
    table.watch(tiles, 8)
    assert FIRST not in table.played


def test_unseen_event_entered_by_a_person_is_followed(table: Table) -> None:
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    table.report(TOUCH, Claimed(seat=1, meld="p999m"))
    table.watch([], SEES_ITSELF_S + 1)
    table.watch([see(2, "1s", 1, table.t)], 4)
    assert table.played[-2:] == [Claimed(seat=1, meld="p999m"), Discarded(seat=1, tile="1s")]


def test_another_game_is_followed_from_its_beginning(table: Table) -> None:
    table.watch([see(1, "9m", 0, 0.5)], 4)
    table.game.play(GameStarted(rules="hebei", dealer=1)).result(WAIT_S)
    table.watch([], 2)
    table.watch([see(2, "1s", 1, table.t)], 4)
    assert table.played == [HandStarted(dealer=1), Dealt(), Discarded(seat=1, tile="1s")]


def test_a_covered_camera_is_lost_and_found(table: Table) -> None:
    trouble = Sight(1.0, trouble="the camera is covered")
    assert table.follower.follow(trouble, 0) == [FollowingLost(1.0, Sentence("the camera is covered"))]
    assert table.follower.follow(Sight(2.0), 0) == [FollowingResumed(2.0)]


def test_a_broken_stream_is_lost_in_a_sentence_that_is_translated(table: Table) -> None:
    why = Sentence(SILENT_STREAM, {"name": "rtsp://10.0.0.7/{table}"})
    trouble = Sight(1.0, trouble=str(why))
    assert table.follower.follow(trouble, 0, why) == [FollowingLost(1.0, why)]
    assert table.follower.follow(trouble, 0, why) == []
    assert describe_lost(why) is why
    assert table.follower.follow(Sight(2.0), 0) == [FollowingResumed(2.0)]
    (replayed,) = table.follower.follow(trouble, 0)
    assert isinstance(replayed, FollowingLost)
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


def test_a_tile_that_a_person_names_is_told_once_and_whether_or_not_it_was_read_so(table: Table) -> None:
    tiles = [see(7, "9m", 0, 0.5)]
    table.watch(tiles, 3)
    tiles.append(see(9, "1s", 1, table.t, 0.6))
    table.watch(tiles, 4)
    assert table.follower.pop_named_tiles() == {}
    for number, right in ((4, FIRST), (6, Discarded(seat=1, tile="8p"))):
        table.game.correct(number, right, TOUCH).result(WAIT_S)
    table.watch(tiles, 1)
    assert table.follower.pop_named_tiles() == {7: "9m", 9: "8p"}
    assert table.follower.pop_named_tiles() == {}


def test_confirmed_event_outlasts_later_readings(table: Table) -> None:
    table.watch([see(7, "9m", 0, 0.5, 0.6)], 4)
    assert table.played[-1] == FIRST
    table.game.correct(4, FIRST, TOUCH).result(WAIT_S)
    table.watch([see(7, "6m", 0, 0.5, 0.998)], 6)
    table.watch([see(7, "6m", 0, 0.5, 0.998), see(9, "1s", 1, table.t)], 4)
    assert table.played[-3:] == [FIRST, Drawn(seat=1), Discarded(seat=1, tile="1s")]
    assert not [each for each in table.noticed if isinstance(each, QuestionAsked) and each.sources]
