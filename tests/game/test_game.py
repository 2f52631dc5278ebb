"""A kept game goes on where it stood; undo and redo keep what they pass; what comes twice is kept once."""

from __future__ import annotations

import json
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sums import begin, entries, event, lines, numbers, resume

from companion.errors import EventError, GameFileError, InputError
from companion.game.file import GameFile
from companion.game.game import Game, encode_pinned
from companion.rules import rule_set
from companion.table.events import (
    Corrected,
    Dealt,
    Drawn,
    FlowerSetOut,
    GameStarted,
    HandStarted,
    PointsMoved,
)


def test_a_game_goes_on_where_it_stood(path: Path) -> None:
    with begin(path) as game:
        for number in range(5):
            assert game.append(event(number))
        assert numbers(game) == (0, 1, 2, 3, 4)
    with resume(path) as game:
        assert numbers(game) == (0, 1, 2, 3, 4)
        game.append(event(5))
    with resume(path) as game:
        assert numbers(game) == (0, 1, 2, 3, 4, 5)


def test_an_event_that_is_refused_is_not_kept(path: Path) -> None:
    with begin(path) as game:
        game.append(event(1))
        with pytest.raises(EventError, match="hand_started comes first"):
            game.append(Drawn(seat=0), "a key")
        assert game.append(event(3), "a key")
    with resume(path) as game:
        assert numbers(game) == (1, 3)
        assert len(game.file.entries) == 3


def test_undone_events_stay_until_replaced_and_leave_a_trace(path: Path) -> None:
    with begin(path) as game:
        for number in range(6):
            game.append(event(number))
        game.undo(4)
        assert numbers(game) == (0, 1)
    with resume(path) as game:
        assert numbers(game) == (0, 1)
        game.redo(3)
        assert numbers(game) == (0, 1, 2, 3, 4)
        game.undo()
        game.redo(2)
        assert numbers(game) == (0, 1, 2, 3, 4, 5)
        game.undo(6)
        assert numbers(game) == ()
        with pytest.raises(InputError, match="1 cannot be undone: at most 0 can be"):
            game.undo()
        game.redo()
        game.append(event(7))
        assert numbers(game) == (0, 7)
        with pytest.raises(InputError, match="1 cannot be redone: at most 0 can be"):
            game.redo()
        with pytest.raises(InputError, match="3 cannot be undone: at most 2 can be"):
            game.undo(3)
        with pytest.raises(InputError, match="0 cannot be undone"):
            game.undo(0)
    with resume(path) as game:
        reported = [entry.event or entry.steps for entry in game.file.entries]
        assert reported[1:] == [*lines(*range(6)), -4, 3, -1, 2, -6, 1, *lines(7)]


@settings(deadline=None, max_examples=50)  # each waits for the disk
@given(st.lists(st.integers(-5, 5)))
def test_undo_and_redo_are_those_of_two_piles(
    tmp_path_factory: pytest.TempPathFactory, moves: list[int]
) -> None:
    """A model as plain as can be: what stands, and what could come back."""
    path = tmp_path_factory.mktemp("piles") / "any.game"
    standing: list[int] = []
    undone: list[int] = []
    with begin(path) as game:
        for number, move in enumerate(moves):
            if move == 0:
                game.append(event(number))
                standing, undone = [*standing, number], []
            elif 0 < -move <= len(standing):
                game.undo(-move)
                undone = standing[move:] + undone
                standing = standing[:move]
            elif 0 < move <= len(undone):
                game.redo(move)
                standing, undone = standing + undone[:move], undone[move:]
            assert numbers(game) == tuple(standing)
    with resume(path) as game:
        assert numbers(game) == tuple(standing)
        assert [entry.event for entry in reversed(game.file.undone)] == lines(*undone)


def test_repeated_event_is_stored_once(path: Path) -> None:
    with begin(path) as game:
        assert game.append(event(1), "hand 1")
        assert not game.append(event(1), "hand 1")
        assert game.append(event(1), "hand 2")
    with resume(path) as game:
        assert not game.append(event(1), "hand 1")
        assert numbers(game) == (1, 1)
        with pytest.raises(InputError, match="Entry 2 has the key 'hand 1' already"):
            game.append(event(2), "hand 1")
        game.undo(2)
        with pytest.raises(InputError, match="Entry 2 with the key 'hand 1' was undone"):
            game.append(event(1), "hand 1")
        game.append(event(3), "hand 1, put right")
        assert numbers(game) == (3,)


def test_events_without_a_key_may_be_the_same(path: Path) -> None:
    with begin(path) as game:
        assert game.append(event(1))
        assert game.append(event(1))
        assert numbers(game) == (1, 1)


def test_a_game_is_not_begun_over_another(path: Path) -> None:
    with begin(path) as game:
        game.append(event(1))
    with pytest.raises(InputError, match="A game 'home' exists already"):
        begin(path)
    with resume(path) as game:
        assert numbers(game) == (1,)


def test_a_game_that_is_not_there(path: Path) -> None:
    with pytest.raises(InputError, match="There is no game in the file"):
        resume(path)
    assert not path.exists()


def test_an_empty_file_is_a_damaged_game_and_may_be_begun(path: Path) -> None:
    path.touch()  # what is left where the beginning was interrupted, at most
    with pytest.raises(GameFileError, match="is damaged: nothing is in it"):
        resume(path)
    with begin(path) as game:
        game.append(event(1))


def test_a_file_may_be_begun_with_entries_all_or_none(path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        GameFile.create(path, (1 / 0 if entry.number == 5 else entry for entry in entries(9)))
    with pytest.raises(GameFileError, match="is damaged: nothing is in it"):
        resume(path)
    with Game(GameFile.create(path, entries(9))) as game:
        assert game.file.entries == entries(9)
        assert numbers(game) == tuple(range(9))


def test_events_that_the_rules_do_not_follow_are_reported_and_left(path: Path) -> None:
    wrong = entries(3)
    wrong[2] = wrong[2]._replace(event=encode_pinned(Drawn(seat=0)))
    GameFile.create(path, wrong).close()
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"^The game 'home' cannot continue after event 2: drawn can only"):
        resume(path)
    assert path.read_bytes() == before


def test_a_correction_takes_the_place_of_what_was_wrong_and_both_stay(path: Path) -> None:
    with begin(path) as game:
        for number in (1, 2, 3):
            game.append(event(number))
        game.append(Corrected(number=3, right=event(7)))
        assert numbers(game) == (1, 7, 3)
        game.append(event(4))
        game.append(Corrected(number=2))
    with resume(path) as game:
        assert numbers(game) == (7, 3, 4)
        with pytest.raises(EventError, match="comes before game_started"):
            game.append(Corrected(number=1))
        with pytest.raises(EventError, match="which is not before it"):
            game.append(Corrected(number=9))
        game.undo()
        assert numbers(game) == (1, 7, 3, 4)
        game.undo(2)
        assert numbers(game) == (1, 2, 3)
        game.redo(3)
        assert numbers(game) == (7, 3, 4)
        game.undo(2)
    with resume(path) as game:
        assert numbers(game) == (1, 7, 3)
        game.redo(2)
        assert numbers(game) == (7, 3, 4)


def test_a_game_that_lost_its_beginning_by_a_correction(path: Path) -> None:
    with begin(path) as game:
        with pytest.raises(EventError, match="can be corrected, but not removed"):
            game.append(Corrected(number=1))
        game.append(Corrected(number=1, right=GameStarted(rules="hebei")))
        assert game.state.house.rules.name == "hebei"
    with resume(path) as game:
        assert game.state.house.rules.name == "hebei"


def test_the_house_options_are_kept_with_the_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was the default when the game was begun holds, whatever becomes of it."""
    with Game.begin(path, GameStarted(rules="hefei", options={"kong_is_pung": True})) as game:
        options = game.state.house.options
        kept = json.loads(game.file.entries[0].event)
    assert kept["options"] == dict(options)
    assert kept["options"]["kong_is_pung"] is True
    assert kept["options_version"] == 3
    today = rule_set("hefei")
    others = tuple(replace(o, default=0, values=(0, 15)) if o.key == "win_row" else o for o in today.options)
    tomorrow = replace(today, options=others)
    for module in ("companion.rules.registry", "companion.game.game"):
        monkeypatch.setattr(f"{module}.RULE_SETS", {"hefei": tomorrow})
    with begin(path.with_name("new.game")) as game:
        assert game.state.house.options["win_row"] == 0
    with resume(path) as game:
        assert game.state.house.options == options
        assert options["win_row"] == 15


def test_a_game_begun_under_earlier_rulings_goes_on_under_them(path: Path) -> None:
    """What was accepted then is not refused today, where a new game refuses it (S-01)."""
    hands = ("456789s112233z4z1f", None, None, None)
    dealt = [HandStarted(dealer=0), Dealt(hands=hands)]
    out_of_order = FlowerSetOut(seat=1, tile="3f")
    with Game.begin(path, GameStarted(rules="hong_kong", options_version=1)) as game:
        for each in (*dealt, out_of_order, Drawn(seat=1)):
            game.append(each)
        state = game.state
    with resume(path) as game:
        assert game.state == state
        game.append(FlowerSetOut(seat=0, tile="1f"))
    with Game.begin(path.with_name("new.game"), GameStarted(rules="hong_kong")) as game:
        for each in dealt:
            game.append(each)
        with pytest.raises(EventError, match="seat 0 holds a flower"):
            game.append(out_of_order)


def test_keys_of_any_text(path: Path) -> None:
    keys = ["", "'; DROP TABLE entry; --", "胡", "\n", "\x00", "k" * 10_000]
    random.Random(1).shuffle(keys)
    with begin(path) as game:
        for number, key in enumerate(keys):
            assert game.append(event(number), key)
    with resume(path) as game:
        assert [entry.key for entry in game.file.entries[1:]] == keys
        assert not any(game.append(event(number), key) for number, key in enumerate(keys))


def test_the_settings_under_which_sqlite_promises_that_a_commit_outlives_a_power_cut(path: Path) -> None:
    asked = ("journal_mode", "synchronous", "locking_mode")
    begin(path).close()
    for open_it in (lambda: begin(path.with_name("new.game")), lambda: resume(path)):
        with open_it() as game:
            game.append(event(1))
            reported = [game.file._connection.execute(f"PRAGMA {each}").fetchone()[0] for each in asked]
            assert reported == ["truncate", 3, "exclusive"]  # 3 is EXTRA
            assert not game.file._connection.in_transaction


def test_a_closed_game_takes_nothing(path: Path) -> None:
    with begin(path) as game:
        pass
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        game.append(event(1))
    assert numbers(game) == ()


def test_an_event_that_could_not_be_read_again_is_not_kept(path: Path) -> None:
    too_long = [
        PointsMoved(points=(1, -1, 0, 0), why="y" * 201),
        PointsMoved(points=(10**10, -(10**10), 0, 0), why=""),
    ]
    with begin(path) as game:
        for wrong in (*too_long, PointsMoved(points=(1, -1, 0, 0), why="\udcff")):
            with pytest.raises(EventError, match=r"is not an event of a game|cannot be saved: it contains"):
                game.append(wrong)
        assert numbers(game) == ()
    with resume(path) as game:
        assert len(game.file.entries) == 1
    with pytest.raises(EventError, match="is not an event of a game"):
        Game.begin(path.with_name("new.game"), GameStarted(rules="hefei", names=("n" * 201, "", "", "")))
    assert not path.with_name("new.game").exists()


def test_steps_that_come_twice_are_gone_once(path: Path) -> None:
    with begin(path) as game:
        for number in range(4):
            game.append(event(number))
        assert game.undo(2, "back")
        assert not game.undo(2, "back")
        assert numbers(game) == (0, 1)
    with resume(path) as game:
        assert not game.undo(2, "back")
        assert game.redo(1, "on")
        assert not game.redo(1, "on")
        assert numbers(game) == (0, 1, 2)
        with pytest.raises(InputError, match="Entry 7 has the key 'on' already"):
            game.undo(1, "on")
        with pytest.raises(InputError, match="Entry 7 has the key 'on' already"):
            game.append(event(9), "on")
