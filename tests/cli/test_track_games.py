"""`companion track --game` with a game in the middle of a hand: it goes on, is ended, or is left as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table.events import Discarded
from lab.bench.followed_films import FilmTruth, decode_truth
from tests.cli.filmed import film, first_hand, write_session

Call = Callable[..., Any]
CUT_S = 40.0


@pytest.fixture(scope="module")
def truth() -> FilmTruth:
    return decode_truth(film(first_hand("hefei", 1), 1, size=(480, 270)).truth)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another hand, from its deal."""
    truth = decode_truth(film(first_hand("hefei", 2), 2, size=(480, 270)).truth)
    return write_session(truth, tmp_path_factory.mktemp("sessions") / "other", CUT_S)


@pytest.fixture
def kept(call: Call, truth: FilmTruth, tmp_path: Path) -> list[str]:
    """What a game in the middle of a hand holds."""
    call("track", write_session(truth, tmp_path / "first", CUT_S), "--game", "friday")
    return log_of(call)


def log_of(call: Call) -> list[str]:
    return list(call("games", "export", "friday").out.splitlines())


def test_an_open_hand_goes_on_where_it_lies_on_the_table(
    call: Call, truth: FilmTruth, kept: list[str], tmp_path: Path
) -> None:
    run = call("track", write_session(truth, tmp_path / "rest", since_s=CUT_S), "--game", "friday")
    assert run.status == 0, run.err
    first, *_ = run.out.splitlines()
    assert first.startswith("'friday' is in the middle of a hand (seat ")
    assert first.endswith(" left): this recording goes on with it.")
    log = log_of(call)
    assert log[: len(kept)] == kept
    assert json.loads(log[-1])["event"] == "won"
    discards = [line for line in log if '"discarded"' in line]
    played = [each for _, _, each in truth.events if isinstance(each, Discarded)]
    assert abs(len(discards) - len(played)) <= 1


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_an_open_hand_is_not_mixed_with_another(
    call: Call, kept: list[str], other: Path, flags: tuple[str, ...]
) -> None:
    run = call("track", other, "--game", "friday", *flags)
    assert run.status == 2
    assert "'friday' is in the middle of a hand with " in run.complaint
    assert "nothing was entered. Give --new-hand to end that hand" in run.complaint
    assert log_of(call) == kept


def test_an_open_hand_is_ended_where_that_is_wanted(call: Call, kept: list[str], other: Path) -> None:
    run = call("track", other, "--game", "friday", "--new-hand")
    assert run.status == 0, run.err
    log = log_of(call)
    assert log[: len(kept)] == kept
    ended, begun, *_ = (json.loads(line)["event"] for line in log[len(kept) :])
    assert (ended, begun) == ("hand_abandoned", "hand_started")
    assert f"{len(log) - len(kept) - 1} events entered in 'friday'." in run.out


def test_a_new_hand_needs_a_kept_game(call: Call, other: Path) -> None:
    assert "--new-hand is for a kept game: name it with --game." in call(
        "track", other, "--new-hand"
    ).refused(2)
