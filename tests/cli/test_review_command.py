"""`companion review`: a log, a kept game, one player, JSON, and what is refused."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.cli import run
from companion.coach.declared import DeclaredHand
from companion.coach.messages import GRADES
from companion.coach.play.simulation import Simulation, play
from companion.game import shelf
from companion.game.game import Game
from companion.game.shelf import declared_hands_path, rename_game
from companion.sheets.declared_hands import keep_declared, read_declared
from companion.table.apply import apply
from companion.table.events import Dealt, Drawn, Event, GameStarted, HandAbandoned, decode_log, encode_log
from companion.table.knowledge import event_as_seen
from companion.tiles import Tile, parse_tiles

START = GameStarted(rules="hefei", names=("Ann", "Bao", "陈", "Dai"))


def write_log(path: Path, *, public: bool = False) -> Path:
    played = next(play(START, 1, random.Random(2)))
    state, events = played.before, [START]
    for step in played.steps:
        events.append(event_as_seen(state, step.event, None) if public else step.event)  # type: ignore[arg-type]
        state = step.state
    path.write_bytes(b"".join(encode_log(events)))
    return path


@pytest.mark.slow
def test_a_log_is_reviewed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = write_log(tmp_path / "game.jsonl")
    assert run(["review", str(log), "--player", "ann", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["complete"]
    assert found["names"] == ["Ann", "Bao", "陈", "Dai"]
    [hand] = found["hands"]
    assert hand["number"] == 1
    assert {each["person"] for each in hand["decisions"]} == {0}
    assert all(each["cost"] >= 0 and each["grade"] in GRADES for each in hand["decisions"])
    assert {len(parse_tiles(each["hand"])) % 3 for each in hand["decisions"]} <= {1, 2}
    [person] = found["people"]
    assert person["decisions"] == len(hand["decisions"])
    assert person["cost"] == pytest.approx(sum(each["cost"] for each in hand["decisions"]), abs=0.01)


@pytest.mark.slow
def test_every_costly_decision_names_a_better_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    log = write_log(tmp_path / "game.jsonl")
    assert run(["review", str(log), "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    fine = [line for line in lines if line.startswith("    fine: cost")]
    assert fine
    named = r"  Best: (Pass|Win!|Discard \w+|\w+ of \w+)|dealt in: .* Overall, .* was hardly better"
    assert all(re.search(named, line) for line in fine), fine
    assert not [line for line in lines if line.startswith("    best") and ("cost" in line or "Best" in line)]


@pytest.mark.slow
def test_a_review_is_told_in_chinese(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = write_log(tmp_path / "game.jsonl")
    assert run(["review", str(log), "--player", "Ann", "--language", "zh_Hans", "--all"]) == 0
    said = capsys.readouterr().out
    assert "第 1 局" in said
    assert "全场" in said
    assert set(re.findall("[A-Za-z]{2,}", said)) <= set(START.names)


@pytest.mark.slow
def test_a_review_fits_80_columns_and_shows_the_hand(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each decision with the tiles that were held, as many as a hand has; the evening as lines, no table."""
    log = write_log(tmp_path / "game.jsonl")
    assert run(["review", str(log), "--all"]) == 0
    said = capsys.readouterr().out
    held = re.findall(r"^      held ([0-9mps]+)(?:, laid (.+))?$", said, re.MULTILINE)
    assert held
    for tiles, melds in held:
        assert len(parse_tiles(tiles)) + 3 * len(melds.split()) in {13, 14}
    evening = said.split("The evening\n")[1].splitlines()
    assert [line.split(":")[0].strip() for line in evening if line.startswith("  ") and "decisions" in line]
    assert max(map(len, evening)) <= 80


@pytest.mark.slow
def test_a_kept_game_of_which_only_the_open_tiles_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    played = next(play(START, 1, random.Random(2)))
    state = played.before
    with Game.begin(shelf.path_of("friday"), START) as game:
        for step in played.steps:
            game.append(event_as_seen(state, step.event, None))
            state = step.state
    assert run(["review", "friday", "--hand", "1", "--all"]) == 0
    said = capsys.readouterr().out
    assert "were not recorded" in said
    assert "tiles not recorded" in said
    assert "Ann: " in said
    assert "The evening" in said
    assert "Deals in: " in said
    assert run(["review", "friday", "--player", "Bao"]) == 0
    assert "Ann: " not in capsys.readouterr().out


@pytest.mark.slow
def test_a_hand_that_was_told_is_rated_and_stays_with_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Told once after the deal, with each draw named; under the game's new name too."""
    played = next(play(START, 1, random.Random(2)))
    state, reported = played.before, None
    with Game.begin(shelf.path_of("friday"), START) as game:
        for number, step in enumerate(played.steps, start=2):
            game.append(event_as_seen(state, step.event, None))
            state = step.state
            assert state.hand is not None
            if isinstance(step.event, Dealt):
                reported = DeclaredHand(0, number, state.hand.players[0].concealed)
            elif reported is not None and isinstance(step.event, Drawn) and step.event.seat == 0:
                reported = reported.name_draw(number, Tile.parse(step.event.tile or ""))
    assert reported is not None
    keep_declared(shelf.path_of("friday"), (reported,))
    for name in ("friday", "saturday"):
        assert run(["review", name, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        rated = {each["person"]: each["decisions"] for each in found["people"]}
        assert rated[0] > 3
        if name == "friday":
            rename_game("friday", "saturday")
    assert not declared_hands_path(shelf.path_of("friday")).exists()
    declared_hands_path(shelf.path_of("saturday")).write_text("{")
    assert read_declared(shelf.path_of("saturday")) == ()


def test_unreviewable_game_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = write_log(tmp_path / "game.jsonl")
    for wrong, said in (
        (["--player", "Eve"], "--player 'Eve' is not in this game: choose from Ann, Bao, 陈, Dai."),
        (["--hand", "7"], "--hand 7 is not in this game: it has hands 1 to 1."),
    ):
        assert run(["review", str(log), *wrong]) == 2
        assert said in capsys.readouterr().err
    bare = tmp_path / "bare.jsonl"
    bare.write_bytes(b"".join(encode_log([START])))
    assert run(["review", str(bare)]) == 2
    assert "no hand was begun" in capsys.readouterr().err
    assert run(["review", str(tmp_path / "none.jsonl")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_hand_that_is_not_over_is_not_finished(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = write_log(tmp_path / "game.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:30]))
    assert run(["review", str(log), "--player", "Ann"]) == 0
    said = capsys.readouterr().out
    assert "Hand 1: not finished" in said
    assert "nobody wins" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "language", "given", "person"),
    [
        (False, "en", "Right", 1), (False, "en", "you", 0), (False, "zh_Hans", "下家", 1),
        (False, "en", "3", 3), (True, "en", "bao", 1), (True, "en", "Right", 3),
    ],
)  # fmt: skip
def test_a_player_is_found_by_the_name_that_the_review_prints(
    named: bool, language: str, given: str, person: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Where somebody is called as a seat, the name comes first."""
    log = write_log(tmp_path / "game.jsonl")
    names = ("Ann", "Bao", "", "Right") if named else ("", "", "", "")
    events = [replace(START, names=names), *(event for _, event in decode_log(io.BytesIO(log.read_bytes())))]
    log.write_bytes(b"".join(encode_log([*events[:1], *events[2:40]])))
    assert run(["review", str(log), "--player", given, "--language", language, "--json"]) == 0
    people = json.loads(capsys.readouterr().out)["people"]
    assert [each["person"] for each in people] == [person]


def test_unknown_player_error_lists_the_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "bare.jsonl"
    log.write_bytes(b"".join(encode_log([GameStarted(rules="hefei", names=("", "Bao", "", ""))])))
    assert run(["review", str(log), "--player", "Eve"]) == 2
    assert "choose from You, Bao, Across, Left." in capsys.readouterr().err


def write_game(path: Path, *, broken_off: Sequence[bool]) -> Path:
    """A log of as many hands; those broken off do not count."""
    events: list[Event] = [START]
    state = apply(None, START)
    simulation = Simulation(state.house, random.Random(3))
    for ends_early in broken_off:
        for step in simulation.hand(state):
            events.append(step.event)
            state = step.state
            if ends_early and state.hand is not None and state.hand.discards == 6:
                events.append(HandAbandoned(why="the walls fell"))
                state = apply(state, events[-1])
                break
    path.write_bytes(b"".join(encode_log(events)))
    return path


@pytest.mark.slow
def test_a_hand_that_does_not_count_has_no_number(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = str(write_game(tmp_path / "game.jsonl", broken_off=(True, False, True, True)))
    assert run(["review", log, "--player", "Ann"]) == 0
    said = capsys.readouterr().out
    heads = [line for line in said.splitlines() if "and" in line.split(":")[0] and line[:1] != " "]
    assert [head.split(":")[0] for head in heads] == [
        "A hand that does not count, before hand 1",
        "Hand 1",
        "A hand that does not count, after hand 1",
        "A hand that does not count, after hand 1",
    ]
    assert "worst hand: 2" not in said
    assert run(["review", log, "--player", "Ann", "--hand", "1", "--json"]) == 0
    [hand] = json.loads(capsys.readouterr().out)["hands"]
    assert (hand["number"], hand["abandoned"]) == (1, False)
    assert run(["review", log, "--hand", "2"]) == 2
    assert "it has hands 1 to 1." in capsys.readouterr().err


@pytest.mark.slow
def test_the_evening_says_which_mistakes_cost_most(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Missed wins first; the costs as those of the decisions, and of one hand not that it was the worst."""
    log = str(write_game(tmp_path / "game.jsonl", broken_off=(False,)))
    assert run(["review", log]) == 0
    said = capsys.readouterr().out
    assert "worst hand:" not in said
    assert "  Costliest mistakes: " in said
    assert re.search(r"Costliest mistakes: [a-z, ]+ \d+× \([\d.]+ points\)", said), said


def test_a_game_of_one_hand_that_does_not_count_is_reviewed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = str(write_game(tmp_path / "game.jsonl", broken_off=(True,)))
    assert run(["review", log, "--player", "Ann"]) == 0
    assert "A hand that does not count, before hand 1" in capsys.readouterr().out
    assert run(["review", log, "--hand", "1"]) == 2
    assert "no hand that counts" in capsys.readouterr().err


def test_unrated_decisions_of_a_partly_known_hand_are_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The tiles after the deal were told, and no draw was named."""
    played = next(play(START, 1, random.Random(2)))
    state, reported = played.before, None
    with Game.begin(shelf.path_of("friday"), START) as game:
        for number, step in enumerate(played.steps, start=2):
            game.append(event_as_seen(state, step.event, None))
            state = step.state
            if isinstance(step.event, Dealt) and state.hand is not None:
                reported = DeclaredHand(1, number, state.hand.players[1].concealed)
    assert reported is not None
    keep_declared(shelf.path_of("friday"), (reported,))
    assert run(["review", "friday", "--player", "Bao"]) == 0
    said = capsys.readouterr().out
    assert re.search(
        r"^  Bao: \d+ decisions?, cost [\d.]+ points; \d+ discards? not rated: tiles not", said, re.M
    )
