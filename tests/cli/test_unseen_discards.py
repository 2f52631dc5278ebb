"""A discard that nobody saw, from the line that enters it to every text that the game comes out as."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
HAND = [
    {"event": "hand_started", "dealer": 0},
    {"event": "dealt"},
    {"event": "discarded", "seat": 0, "tile": "1z"},
    {"event": "drawn", "seat": 1},
    {"event": "discarded", "seat": 1, "tile": None},
    {"event": "drawn", "seat": 2},
    {"event": "discarded", "seat": 2, "tile": "9m"},
]


def lines(*events: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def rivers(call: Call, name: str, tmp_path: Path) -> list[list[str | None]]:
    """The rivers of the kept game as it comes out of its log."""
    log = tmp_path / f"{name}.jsonl"
    log.write_text(call("games", "export", name).out)
    state = call("replay", log, "--json").document["events"][-1]["state"]
    return [player["river"] for player in state["hand"]["players"]]


def test_a_game_is_kept_with_it_until_a_correction_names_it(call: Call, tmp_path: Path) -> None:
    call("games", "begin", "friday", "--rules", "hebei")
    printed = call("games", "add", "friday", stdin=lines(*HAND)).out.splitlines()
    assert "seat 1 discards an unseen tile; " in printed[4]
    assert rivers(call, "friday", tmp_path) == [["1z"], [None], ["9m"], []]
    history = call("games", "export", "friday", "--as", "history").out
    call("games", "import", "saturday", "-", stdin=history.encode())
    assert call("games", "export", "saturday", "--as", "history").out == history
    claim = {"event": "claimed", "seat": 3, "meld": "p999m"}
    named = {"event": "corrected", "number": 6, "right": {"event": "discarded", "seat": 1, "tile": "5z"}}
    call("games", "add", "friday", stdin=lines(claim, named))
    assert rivers(call, "friday", tmp_path) == [["1z"], ["5z"], [], []]
    call("games", "undo", "friday")
    assert rivers(call, "friday", tmp_path) == [["1z"], [None], [], []]


def test_a_tile_that_what_followed_contradicts_is_refused_and_nothing_is_lost(
    call: Call, tmp_path: Path
) -> None:
    call("games", "begin", "friday", "--rules", "hebei")
    call("games", "add", "friday", stdin=lines(*HAND[:5], {"event": "claimed", "seat": 3, "meld": "p777z"}))
    named = {"event": "corrected", "number": 6, "right": {"event": "discarded", "seat": 1, "tile": "5z"}}
    complaint = call("games", "add", "friday", stdin=lines(named)).refused(2)
    assert "Line 1: Event 7: p777z does not hold the tile on offer, 5z." in complaint
    assert rivers(call, "friday", tmp_path) == [["1z"], [], [], []]


def test_a_game_that_has_one_is_rescued(call: Call, tmp_path: Path) -> None:
    call("games", "begin", "friday", "--rules", "hebei")
    call("games", "add", "friday", stdin=lines(*HAND))
    [game] = call("games", "list", "--json").document
    file = Path(game["file"])
    file.write_bytes(file.read_bytes().replace(b'"seat":2,"tile":"9m"', b'"seat":2,"tile":"8m"'))
    document = call("games", "rescue", "friday", "sunday", "--json").document
    assert [each["number"] for each in document["left_out"]] == [8]
    assert rivers(call, "sunday", tmp_path) == [["1z"], [None], [], []]


def test_replay_shows_it(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    header = {"format": "mahjong-companion-table", "version": 1}
    log = tmp_path / "log.jsonl"
    log.write_bytes(lines(header, {"event": "game_started", "rules": "hebei"}, *HAND))
    assert "seat 1 discards an unseen tile " in call("replay", log).out
    state = call("replay", log, "--json").document["events"][5]["state"]["hand"]
    assert state["offer"] == {"kind": "discard", "seat": 1, "tile": None}
    assert (state["players"][1]["river"], state["players"][1]["discards"]) == ([None], "?")
