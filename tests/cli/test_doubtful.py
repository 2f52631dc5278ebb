"""An event that nobody is sure of, from the line that enters it to every text in which it is marked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.table.events import VERSION

Call = Callable[..., Any]
HISTORY = {"format": "mahjong-companion-history", "version": 2}
DISCARD = {"event": "discarded", "seat": 0, "tile": "1z"}
LINES = [
    HISTORY,
    {"event": {"event": "hand_started", "dealer": 0}},
    {"event": {"event": "dealt"}},
    {"event": DISCARD, "p": 0.71},
    {"event": {"event": "drawn", "seat": 1}, "p": 0.995},
]
RIGHT = {"event": "corrected", "number": 4, "right": DISCARD}


def encode(*lines: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.fixture
def added(call: Call) -> list[str]:
    """What is answered while a game is entered in which a discard is doubtful."""
    call("games", "begin", "friday", "--rules", "hebei")
    return list(call("games", "add", "friday", stdin=encode(*LINES)).out.splitlines())


def test_a_doubtful_event_is_marked_in_words(call: Call, added: list[str]) -> None:
    assert added[2].startswith("4  seat 0 discards 1z")
    assert added[2].endswith(" (71% sure)")
    assert sum("% sure" in line for line in added) == 1
    shown = call("games", "show", "friday").out
    assert "seat 0 discards 1z (doubtful," in " ".join(shown.split())
    assert "To check: 4." in shown
    assert ", 1 doubtful, " in call("games", "list").out


def test_programs_get_how_certain_each_event_is(call: Call, added: list[str]) -> None:
    events = call("games", "show", "friday", "--json").document["events"]
    assert [(each["number"], each["p"], each["certain"]) for each in events] == [
        (1, 1.0, True), (2, 1.0, True), (3, 1.0, True), (4, 0.71, False), (5, 0.995, True),
    ]  # fmt: skip
    assert events[3]["event"] == DISCARD
    (game,) = call("games", "list", "--json").document
    assert game["doubtful"] == 1


def test_confirmation_makes_an_event_certain_and_is_stored(call: Call, added: list[str]) -> None:
    call("games", "add", "friday", stdin=encode(RIGHT))
    events = call("games", "show", "friday", "--json").document["events"]
    assert events[3] == {"number": 4, "event": DISCARD, "p": 1.0, "certain": True}
    assert "doubtful" not in call("games", "show", "friday").out
    history = call("games", "export", "friday", "--as", "history").out
    kept = [json.loads(line) for line in history.splitlines()]
    assert [each.get("p") for each in kept[1:]] == [None, None, None, 0.71, 0.995, None]
    assert kept[-1]["event"] == RIGHT
    call("games", "undo", "friday")
    assert "(doubtful," in call("games", "show", "friday").out


def test_the_log_is_as_other_programs_read_it(call: Call, added: list[str]) -> None:
    head, *events = call("games", "export", "friday").out.splitlines()
    assert json.loads(head) == {"format": "mahjong-companion-table", "version": VERSION}
    assert not any("p" in json.loads(each) for each in events)
