"""What is announced, and that a speech engine is asked for it: a script in the place of espeak-ng."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from companion.live.announcing import (
    Phrase,
    Speaker,
    Voice,
    Weight,
    announce,
    choose_voice,
    find_voices,
    speak_tile,
)
from companion.live.tones import Cue, choose_cue
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
PIPER = """#!/bin/sh
[ "$1" = --help ] && echo "usage: piper [-m --model MODEL] [-f --output-file FILE]" && exit
echo "$2" "$(cat)" > "$4.part"
printf %s "$(cat "$4.part")" > "$4"
"""
WAIT_S = 60.0


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


def test_turns_are_announced_only_if_wanted() -> None:
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
    (tmp_path / "bin").mkdir()
    write_program(tmp_path / "spoken", "espeak-ng", ENGINE)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SPOKEN", str(tmp_path / "spoken"))
    return tmp_path / "spoken"


def write_program(spoken: Path, name: str, script: str) -> None:
    """A program beside which `spoken` lies."""
    program = spoken.parent / "bin" / name
    program.write_text(script)
    program.chmod(0o755)


def find_both() -> dict[bool, Voice]:
    """The installed voice, which speaks both languages."""
    (voice,) = find_voices([])
    return {True: voice, False: voice}


def test_the_installed_engine_is_found_and_speaks_the_heaviest_first(spoken: Path) -> None:
    hold = Path(f"{spoken}.hold")
    hold.touch()
    speaker = Speaker(find_both(), 50)
    speaker.speak([Phrase("first", Weight.CLAIM, False)])
    wait_for(spoken, 1)
    speaker.speak([Phrase("turn", Weight.TURN, False), Phrase("碰", Weight.CLAIM, True)])
    speaker.speak([Phrase("win; rm -rf", Weight.WIN, False)])
    hold.unlink()
    assert wait_for(spoken, 4) == ["first", "win; rm -rf", "碰", "turn"]
    arguments = Path(f"{spoken}.args").read_text().splitlines()
    assert arguments[0] == "-v en -a 100 --stdin"
    assert arguments[2] == "-v cmn -a 100 --stdin"
    speaker.close()


def test_stale_phrases_are_dropped_unless_important(spoken: Path) -> None:
    now = [0.0]
    hold = Path(f"{spoken}.hold")
    hold.touch()
    speaker = Speaker(find_both(), clock=lambda: now[0])
    speaker.speak([Phrase("first", Weight.CLAIM, False)])
    wait_for(spoken, 1)
    speaker.speak([Phrase("old claim", Weight.CLAIM, False), Phrase("win", Weight.WIN, False)])
    now[0] = 100.0
    speaker.speak([Phrase("new claim", Weight.CLAIM, False)])
    hold.unlink()
    assert wait_for(spoken, 3) == ["first", "win", "new claim"]
    speaker.close()


def test_piper_writes_a_file_that_is_played(spoken: Path, tmp_path: Path) -> None:
    """A script in the place of piper; its voices are named as piper's are."""
    write_program(spoken, "piper", PIPER)
    folder = tmp_path / "voices/zh"
    folder.mkdir(parents=True)
    for name in ("zh_CN-huayan-medium", "en_GB-alba-low", "de_DE-thorsten-low", "en_US-without-settings"):
        (folder / f"{name}.onnx").touch()
        if "without" not in name:
            (folder / f"{name}.onnx.json").touch()
    voices = find_voices([tmp_path / "voices", tmp_path / "nowhere"])
    assert [voice.name for voice in voices] == ["en_GB-alba-low", "zh_CN-huayan-medium", "espeak-ng"]
    assert choose_voice(voices, True, {True: None}) == voices[1]
    assert choose_voice(voices, True, {True: "espeak"}) == voices[2]
    played: list[tuple[str, int]] = []
    chosen = {chinese: choose_voice(voices, chinese, {}) for chinese in (True, False)}
    speaker = Speaker(
        {chinese: voice for chinese, voice in chosen.items() if voice},
        70,
        play=lambda path, volume: played.append((path.read_text(), volume)),
    )
    speaker.speak([Phrase("碰", Weight.CLAIM, True)])
    end = time.monotonic() + WAIT_S
    while not played:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert played == [(f"{folder / 'zh_CN-huayan-medium.onnx'} 碰", 70)]
    speaker.close()


def test_a_program_for_mice_that_is_called_piper_is_left_alone(spoken: Path, tmp_path: Path) -> None:
    write_program(spoken, "piper", "#!/bin/sh\necho Configure your mouse\n")
    for name in ("en_GB-alba-low.onnx", "en_GB-alba-low.onnx.json"):
        (tmp_path / name).touch()
    assert [voice.id for voice in find_voices([tmp_path])] == ["espeak"]


def test_each_event_has_its_sound() -> None:
    start = (GameStarted(rules="hefei", names=NAMES), HandStarted(dealer=0), Dealt())
    before, after, discard = play(*start, Discarded(seat=0, tile="3s"))
    assert choose_cue(before, discard, after) is Cue.DISCARD
    before, after, claim = play(*start, Discarded(seat=0, tile="3s"), Claimed(seat=2, meld="p333s"))
    assert choose_cue(before, claim, after) is Cue.CLAIM
    before, after, drawn = play(*start, Discarded(seat=0, tile="3s"), Drawn(seat=1))
    assert choose_cue(before, drawn, after) is None


def test_without_an_engine_nothing_is_said_and_nothing_fails() -> None:
    speaker = Speaker()
    speaker.speak([Phrase("win", Weight.WIN, False)])
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
