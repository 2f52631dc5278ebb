"""`companion simulate` and `companion replay` on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.rules import RULE_SETS, Source
from companion.table.apply import apply
from companion.table.events import GameStarted, encode_log
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import parse_tiles
from tests.table.scripts import Player, read

Call = Callable[..., Any]


@pytest.fixture
def log(call: Call, tmp_path: Path) -> Path:
    """The log of one hand."""
    logs = tmp_path / "logs"
    hand = call("simulate", "--rules", "hebei", "--seed", 3, "--events", logs, "--json").document["hands"][0]
    assert hand["log"] == str(logs / "hand-1.jsonl")
    return Path(hand["log"])


def changed(log: Path, line: int, **fields: object) -> Path:
    """A log that differs in one line, the first being 1."""
    lines = log.read_text().splitlines()
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | fields)
    new = log.with_name("changed.jsonl")
    new.write_text("\n".join(lines))
    return new


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_hands_are_played_and_add_up(call: Call, tmp_path: Path, rules: str) -> None:
    document = call(
        "simulate", "--rules", rules, "--hands", 3, "--seed", 5, "--events", tmp_path, "--json"
    ).document
    hands, totals = document["hands"], document["totals"]
    assert (document["rules"], document["seed"], [hand["number"] for hand in hands]) == (rules, 5, [1, 2, 3])
    assert totals["hands"] == sum(totals["endings"].values()) == 3
    assert totals["won"] == sum(bool(hand["results"]) for hand in hands)
    assert totals["events"] == sum(hand["events"] for hand in hands)
    for seat in range(4):
        assert totals["points"][seat] == sum(hand["payments"][seat] for hand in hands)
    for hand in hands:
        assert sum(hand["payments"]) == 0
        steps = call("replay", hand["log"], "--json").document["events"]
        assert [step["line"] for step in steps] == list(range(2, hand["events"] + 3))
        last = steps[-1]["state"]
        assert last["hand"]["phase"] == "over"
        assert (last["points"], last["hand"]["results"]) == (hand["points"], hand["results"])


def test_a_hand_of_which_only_the_win_was_told_says_so(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    start = GameStarted(rules="hong_kong")
    tiles = tuple(parse_tiles("111m222m333p444s77z"))
    won = enter_win(apply(None, start), ReportedWin(1, Source.DISCARD, 3, tiles[-1], tiles))
    log = tmp_path / "told.jsonl"
    log.write_bytes(b"".join(encode_log([start, *won.events])))
    assert "this hand was not recorded: the events before its end are filled in" in call("replay", log).out


def test_a_seed_makes_the_same_hands_again(call: Call) -> None:
    runs = [
        call("simulate", "--rules", "hefei", "--hands", 2, "--seed", seed, "--json").out for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    assert json.loads(runs[0])["hands"] != json.loads(runs[2])["hands"]


def test_house_options_are_played_by(call: Call) -> None:
    document = call(
        "simulate", "--rules", "杭州", "--option", "initial=7", "--option", "fortune=white_dragon", "--json"
    ).document
    assert (document["options"]["initial"], document["options"]["fortune"]) == (7, "white_dragon")
    assert sum(document["hands"][0]["points"]) == 4 * 7


def test_a_table_is_played_by_its_profile_and_stakes(call: Call, tmp_path: Path) -> None:
    table = ("simulate", "--profile", "taiwanese-common", "--hands", 4, "--seed", 5, "--json")
    usual = call(*table, "--stakes", "unit=1").document
    document = call(*table, "--events", tmp_path).document
    assert (document["options"]["preset"], document["stakes"]) == ("common", {"base": 100, "unit": 20})
    assert (usual["rules"], usual["stakes"]) == ("taiwanese", {"base": 0, "unit": 1})
    assert usual["totals"]["won"] > 1
    for hand, at_stakes in zip(usual["hands"], document["hands"], strict=True):
        losses = [-each for each in hand["payments"] if each < 0]
        assert sorted(-each for each in at_stakes["payments"] if each < 0) == sorted(
            100 + 20 * tai for tai in losses
        )
    assert "base 100, 20 per tai" in call("replay", document["hands"][0]["log"], COLUMNS="200").out
    assert "The rules are missing" in call("simulate").refused(2)
    wrong = call("simulate", "--rules", "hefei", "--stakes", "base=1").refused(2)
    assert "--stakes base must be 0 or left out" in wrong


def test_printed_table(call: Call, log: Path) -> None:
    first, last = call("simulate", "--rules", "hebei", "--seed", 3).out.splitlines()
    assert first.startswith("1  East round, seat 0 deals: seat ")
    assert last.startswith("1 hand of 1 game, ")
    assert ": 1 win on a discard. Payments " in last
    table = call("replay", log).out
    events = [json.loads(line) for line in log.read_text().splitlines()[2:]]
    dice = " ".join(map(str, events[0]["dice"]))
    assert "Hand 1: East round, seat 0 deals" in table
    assert f"dice {dice}" in table
    for event in events:
        if event["event"] == "discarded":
            assert f"seat {event['seat']} discards {event['tile']}" in table
    assert "points by seat │ 100 100 100 100" in " ".join(table.split())


def scripted(tmp_path: Path, file: str, case: str) -> Path:
    """The log of a scripted case that begins so, with names and seen dice."""
    cases = read(Path(__file__).parent.parent / "golden" / "table" / file)
    found = next(each for each in cases if each["case"].startswith(case))
    player = Player({**found, "game": {**found["game"], "names": ["Ann", "Bao", "Chen", "Dai"]}})
    for step in found["steps"]:
        player.step({**step, "dice": [3, 4]} if step.get("event") == "hand_started" else step)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(encode_log(player.log)))
    return log


def test_a_person_can_follow_a_hand_through_the_sea(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    table = call("replay", scripted(tmp_path, "play_hefei.jsonl", "A win in the sea")).out
    reported = [" ".join(line.replace("│", " ").split()) for line in table.splitlines()]
    for line in (
        "2 Hefei is played: seat 0 Ann, seat 1 Bao, seat 2 Chen, seat 3 Dai",
        "3 seat 0 deals, dice 3 4: the wall begins on the side of seat 2 80+4 2.8 ↑",
        "the sea: the last 4 tiles, from 2.6 ↑ to 2.7 ↓; each player draws one and discards none",
        "60 seat 0 draws a tile from the sea 14 unseen 3 2.6 ↓",
        "61 seat 1 draws 8s from the sea 23456788m345p678s 2 2.7 ↑",
        "62 seat 1 wins with 8s by self-draw: 30 zui (Winning a Hand 15, Sea Floor Win 15) 23456788m345p678s",
        "seat 0 pays 680, seats 2 and 3 pay 600 each; seat 1 gets 1,880",
        "points by seat −680 1,880 −600 −600",
        "next: East round, seat 1 deals",
    ):
        assert line in reported


def test_only_a_game_with_a_sea_explains_it(call: Call, tmp_path: Path) -> None:
    for rules, explained in (("hefei", True), ("hangzhou", False)):
        call("simulate", "--rules", rules, "--events", tmp_path / rules)
        [log] = (tmp_path / rules).iterdir()
        assert ("27+4 where the last 4 are the sea" in call("replay", log).out) == explained


def test_kongs_and_places_at_the_table_are_reported(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    hefei = call("replay", scripted(tmp_path, "play_hefei.jsonl", "… after a kong it begins")).out
    assert "seat 1 kongs 5m from seat 2 " in hefei
    assert " 1+4 │ 2.7 ↑ " in hefei  # where the replacement stands
    assert "seat 1 draws a tile as a replacement " in hefei
    hebei = call("replay", scripted(tmp_path, "play_hebei.jsonl", "Three: two pay")).out
    assert "seats 0 and 2 pay 4 each; seat 1 gets 8" in hebei
    assert (
        "winner and idle player change places: seat 0 Ann, seat 1 Dai, seat 2 Chen, seat 3 Bao"
        in " ".join(hebei.split())
    )


def test_gambits_and_a_last_tile_that_is_left_are_reported(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    hangzhou = call("replay", scripted(tmp_path, "play_hangzhou.jsonl", "A win by self-draw counts")).out
    assert "discards 9s: a Fortune Gambit" in hangzhou
    assert hangzhou.count("Gambit") == 2  # the discard and the row of the win
    taiwanese = call(
        "replay", scripted(tmp_path, "play_taiwanese.jsonl", "The last tile may be declined")
    ).out
    assert "seat 3 declines the last tile: nobody wins" in taiwanese


def test_an_illegal_event_is_refused_with_its_line_and_the_ruling(call: Call, log: Path) -> None:
    other_seat = changed(log, 6, seat=3)
    assert "Line 6: Seat 3 does not draw next: seat 1 does." in call("replay", other_seat, "--json").refused(
        2
    )
    with_ruling = changed(log, 6, event="added_kong", seat=1, tile="1m")
    assert "Line 6: " in call("replay", with_ruling).refused(2)
    too_many = changed(log, 4, hands=["1m" * 14, None, None, None])
    assert "Line 4: This game has only 4 of 1m" in call("replay", too_many).refused(2)
    dealer = changed(log, 4, hands=[None, "123m", None, None])
    assert (
        call("replay", dealer).refused(2).endswith("Line 4: Seat 1 is dealt 3 tiles: it must be 13. (C-04)\n")
    )


def test_a_log_that_cannot_be_read_is_refused_with_its_line(call: Call, log: Path) -> None:
    assert "Line 5: " in call("replay", changed(log, 5, tile="0m")).refused(2)
    assert "not an event of a game" in call("replay", changed(log, 5, event="sneezed")).refused(2)
    assert "is not the first line of a game's log" in call("replay", changed(log, 1, format="other")).refused(
        2
    )
    assert "update the program" in call("replay", changed(log, 1, version=99)).refused(2)
    whole = log.read_bytes()
    cut = log.with_name("cut.jsonl")
    cut.write_bytes(whole[:-20])
    assert f"Line {len(whole.splitlines())}: " in call("replay", cut).refused(2)
    cut.write_bytes(whole.splitlines()[0])
    assert f"There is no event in '{cut}'." in call("replay", cut).refused(2)
    assert "cannot be read" in call("replay", log.with_name("absent.jsonl")).refused(2)


def test_a_log_is_read_from_standard_input_and_corrections_stand_in_its_place(call: Call, log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    dice = json.loads(lines[2])["dice"]
    right = {"event": "hand_started", "dealer": 0, "dice": dice[::-1]}
    lines.append(json.dumps({"event": "corrected", "number": 2, "right": right}).encode() + b"\n")
    steps = call("replay", "-", "--json", stdin=b"".join(lines)).document["events"]
    assert steps[1]["line"] == 3
    assert steps[1]["event"] == right
    assert len(steps) == len(lines) - 2


def test_unplayable_game_is_refused(call: Call, tmp_path: Path, log: Path) -> None:
    assert "--rules must be hefei or" in call("simulate", "--rules", "riichi").refused(2)
    assert "--rules" in call("simulate").refused(2)
    assert "--hands" in call("simulate", "--rules", "hefei", "--hands", 0).refused(2)
    assert "--seed must be a whole number" in call("simulate", "--rules", "hefei", "--seed", "x").refused(2)
    unknown = call("simulate", "--rules", "hefei", "--option", "no_such=1").refused(2)
    assert "no_such" in unknown
    assert "sea_must_win" in unknown
    assert "--option initial must be a whole number from 1" in call(
        "simulate", "--rules", "hangzhou", "--option", "initial=0"
    ).refused(2)
    again = call("simulate", "--rules", "hebei", "--events", log.parent).refused(2)
    assert f"A log '{log}' exists already" in again
    assert "cannot be written" in call("simulate", "--rules", "hebei", "--events", log).refused(3)
