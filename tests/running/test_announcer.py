"""What is announced, and that a speech engine is asked for it: a script in the place of espeak-ng."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from companion.running.announcer.phrases import Phrase, Weight, announce, speak_tile
from companion.running.announcer.speaker import Speaker, find_engine
from companion.table.apply import apply, fold
from companion.table.events import Claimed, Dealt, Discarded, Drawn, Event, GameStarted, HandStarted
from companion.table.state import State
from companion.tiles import Tile

NAMES = ("Anna", "Bo", "Chen", "Dana")
ENGINE = """#!/bin/sh
echo "$@" >> "$SPOKEN.args"
cat >> "$SPOKEN"
echo >> "$SPOKEN"
while [ -e "$SPOKEN.hold" ]; do sleep 0.02; done
"""
WAIT_S = 20.0


@pytest.mark.parametrize(
    ("code", "english", "chinese"),
    [("3s", "three of bamboo", "三条"), ("1m", "one of characters", "一万"), ("1z", "east", "东风"),
     ("7z", "red dragon", "红中"), ("9p", "nine of dots", "九筒"), ("2f", "flower", "花")],
)  # fmt: skip
def test_tiles_are_called_as_at_the_table(code: str, english: str, chinese: str) -> None:
    assert speak_tile(Tile.parse(code), chinese=False) == english
    assert speak_tile(Tile.parse(code), chinese=True) == chinese


def test_a_claim_is_announced_in_both_languages() -> None:
    before, after, event = play(
        GameStarted(rules="hefei", names=NAMES), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="3s"),
        Claimed(seat=2, meld="p333s"),
    )  # fmt: skip
    (english,) = announce(before, event, after, NAMES, chinese=False)
    (chinese,) = announce(before, event, after, NAMES, chinese=True)
    assert (english.text, chinese.text) == ("Chen: pung.", "Chen，碰。")


def test_whose_turn_it_is_is_said_only_where_it_is_wanted() -> None:
    before, after, event = play(
        GameStarted(rules="hefei", names=NAMES), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="3s")
    )
    assert announce(before, event, after, NAMES, chinese=False) == ()
    (turn,) = announce(before, event, after, NAMES, chinese=False, turns=True)
    assert turn == Phrase("Bo.", Weight.TURN, False)


def test_the_sea_floor_is_announced_once_as_it_begins() -> None:
    log: list[Event] = [GameStarted(rules="hefei", names=NAMES), HandStarted(dealer=0), Dealt()]
    log.append(Discarded(seat=0))
    said = []
    state = run(log)
    for turn in range(1, 40):
        if state.hand is None or state.hand.phase.value == "over":
            break
        for event in (Drawn(seat=turn % 4), Discarded(seat=turn % 4)):
            try:
                after = apply(state, event)
            except ValueError:
                break
            said += announce(state, event, after, NAMES, chinese=True)
            state = after
    assert [phrase.text for phrase in said if phrase.weight is Weight.SEA] == ["海底了！最后几张牌。"]


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the engine on the path writes what it is asked to say."""
    engine = tmp_path / "bin" / "espeak-ng"
    engine.parent.mkdir()
    engine.write_text(ENGINE)
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{engine.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SPOKEN", str(tmp_path / "spoken"))
    return tmp_path / "spoken"


def test_the_installed_engine_is_found_and_speaks_the_heaviest_first(spoken: Path) -> None:
    hold = Path(f"{spoken}.hold")
    hold.touch()
    speaker = Speaker(find_engine(), 50)
    speaker.say([Phrase("first", Weight.CLAIM, False)])
    wait_for(spoken, 1)
    speaker.say([Phrase("turn", Weight.TURN, False), Phrase("碰", Weight.CLAIM, True)])
    speaker.say([Phrase("win; rm -rf", Weight.WIN, False)])
    hold.unlink()
    assert wait_for(spoken, 4) == ["first", "win; rm -rf", "碰", "turn"]
    arguments = Path(f"{spoken}.args").read_text().splitlines()
    assert arguments[0] == "-v en -a 100 --stdin"
    assert arguments[2] == "-v cmn -a 100 --stdin"
    speaker.close()


def test_what_is_stale_is_dropped_but_for_what_matters(spoken: Path) -> None:
    now = [0.0]
    hold = Path(f"{spoken}.hold")
    hold.touch()
    speaker = Speaker(find_engine(), clock=lambda: now[0])
    speaker.say([Phrase("first", Weight.CLAIM, False)])
    wait_for(spoken, 1)
    speaker.say([Phrase("old claim", Weight.CLAIM, False), Phrase("win", Weight.WIN, False)])
    now[0] = 100.0
    speaker.say([Phrase("new claim", Weight.CLAIM, False)])
    hold.unlink()
    assert wait_for(spoken, 3) == ["first", "win", "new claim"]
    speaker.close()


def test_without_an_engine_nothing_is_said_and_nothing_fails() -> None:
    speaker = Speaker(None)
    speaker.say([Phrase("win", Weight.WIN, False)])
    speaker.close()


def wait_for(spoken: Path, count: int) -> list[str]:
    end = time.monotonic() + WAIT_S
    lines: list[str] = []
    while len(lines) < count:
        assert time.monotonic() < end, lines
        time.sleep(0.01)
        lines = spoken.read_text().splitlines() if spoken.exists() else []
    return lines


def run(log: list[Event]) -> State:
    state = fold(log)
    assert state is not None
    return state


def play(*log: Event) -> tuple[State, State, Event]:
    *earlier, last = log
    before = run(list(earlier))
    return before, apply(before, last), last
