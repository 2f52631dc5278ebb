"""A table's game as the collector plays it again: what is refused is left out, and undone like any other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.club.replay import ReplayedGame
from companion.errors import EventError, InputError
from companion.publish.topics import EntryMessage
from companion.table.events import (
    Corrected,
    Discarded,
    EntryCancelled,
    Event,
    GameStarted,
    PointsMoved,
    encode_event,
)

START = GameStarted(rules="hefei", names=("Ann", "B", "C", "D"))
IMPOSSIBLE = Discarded(seat=0, tile="5m")


def move(points: int) -> PointsMoved:
    return PointsMoved(points=(points, -points, 0, 0), why="a wager")


def entries(*steps: Event | int) -> list[EntryMessage]:
    import msgspec

    return [
        EntryMessage(version=1, game="0" * 16, name="g", number=number, key=str(number), at="", steps=step)
        if isinstance(step, int)
        else EntryMessage(
            version=1, game="0" * 16, name="g", number=number, key=str(number), at="",
            event=msgspec.Raw(encode_event(step)),
        )
        for number, step in enumerate(steps, start=1)
    ]  # fmt: skip


def play(sent: Sequence[EntryMessage]) -> tuple[ReplayedGame, list[bool]]:
    """The game, and whether each entry was accepted."""
    game, accepted = ReplayedGame(), []
    for entry in sent:
        try:
            game.take(entry)
            accepted.append(True)
        except InputError:
            accepted.append(False)
    return game, accepted


def test_an_undo_takes_back_what_the_table_undid_refused_or_not() -> None:
    game, accepted = play(entries(START, move(1), IMPOSSIBLE, move(2), -2, move(3)))
    assert accepted == [True, True, False, True, True, True]
    assert game.log.standing == [START, move(1), move(3)]


def test_a_redo_brings_it_back() -> None:
    game, accepted = play(entries(START, move(1), IMPOSSIBLE, move(2), -3, 2, move(4)))
    assert accepted[2] is False
    assert game.log.standing == [START, move(1), move(4)]


def test_more_than_there_is_cannot_be_undone_or_redone() -> None:
    game, accepted = play(entries(START, move(1), -2, -1, 2, 1))
    assert accepted == [True, True, False, True, False, True]
    assert game.log.standing == [START, move(1)]


def test_a_correction_after_a_refused_entry_finds_the_event_that_the_table_means() -> None:
    right = Corrected(number=4, right=move(7), why="misread")
    sent = entries(START, move(1), IMPOSSIBLE, move(2), right)
    game, accepted = play(sent)
    assert accepted == [True, True, False, True, True]
    assert game.log.state is not None
    assert game.log.state.points[0] == 8
    resumed = ReplayedGame.resume(zip(sent, accepted, strict=True))
    assert resumed.log.state == game.log.state


@pytest.mark.parametrize(
    "change",
    [
        Corrected(number=3, right=move(7), why="misread"),
        Corrected(number=2, right=move(7), why="misread", upto=3),
        EntryCancelled(entry=0, why="an error"),
        Corrected(number=2, right=EntryCancelled(entry=0, why="an error"), why="misread"),
    ],
)
def test_what_cannot_be_found_after_a_refused_entry_is_refused_until_that_is_undone(change: Event) -> None:
    game, _ = play(entries(START, move(1), IMPOSSIBLE))
    (changed,) = entries(change)
    with pytest.raises(EventError, match="changes a refused entry"):
        game.take(changed)
    assert game.log.standing == [START, move(1)]
    (undone,) = entries(-2)
    game.take(undone)
    if change == EntryCancelled(entry=0, why="an error"):
        game.take(changed)
        assert game.log.standing == [START, move(1), change]


def test_states_that_were_forgotten_are_found_again_by_an_undo() -> None:
    game, _ = play(entries(START, move(1), move(2), move(3)))
    whole, _ = play(entries(START, move(1), move(2), move(3), -2, 1, move(4)))
    game.log.forget_states()
    for entry in entries(-2, 1, move(4)):
        game.take(entry)
    assert game.log.state == whole.log.state
    assert game.log.state is not None
    assert game.log.state.points[0] == 7


@pytest.mark.parametrize("cut", range(8))
def test_a_game_goes_on_after_a_restart_as_if_there_had_been_none(cut: int) -> None:
    sent = entries(START, move(1), IMPOSSIBLE, move(2), -2, 1, move(3), -1)
    whole, accepted = play(sent)
    resumed = ReplayedGame.resume(zip(sent[:cut], accepted[:cut], strict=True))
    for entry, is_accepted in zip(sent[cut:], accepted[cut:], strict=True):
        if is_accepted:
            resumed.take(entry)
        else:
            with pytest.raises(InputError):
                resumed.take(entry)
    assert resumed.log.standing == whole.log.standing
    assert resumed.log.state == whole.log.state
    assert resumed.log.undone == whole.log.undone
