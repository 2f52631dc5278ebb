"""Sounds reach the sound card: SDL writes what it would play into a file. And the window asks for the right
ones."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import wave
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from app_driver import Driver

from companion.app.effects import AskQuestion, ShowMessage
from companion.app.news import SettingsWanted, SoundWanted
from companion.app.settings.feature import SoundPlayer
from companion.app.settings.state import SettingsTab
from companion.live.tones import Cue, make_wav
from companion.sentences import Sentence
from companion.table.events import Dealt, Discarded, GameStarted, HandStarted

WAIT_S = 60.0
PLAY = """
import sys, tempfile, time
from pathlib import Path
from companion.app.shell import boot
boot.prepare(Path(tempfile.mkdtemp()))
from companion.app.settings.feature import SoundPlayer
from companion.live.tones import Cue
from companion.app.settings.feature import SoundPlayer
from companion.live.tones import Cue
player = SoundPlayer(Path(sys.argv[2]))
player.volume = int(sys.argv[1])
player.play(Cue.CLAIM)
end = time.monotonic() + 10
while Cue.CLAIM not in player._sounds and time.monotonic() < end and player.volume:
    time.sleep(0.01)
time.sleep(1.2)
player.close()
print("heard" if player._sounds.get(Cue.CLAIM) else "silent")
"""


def play_in_program(tmp_path: Path, driver: str, volume: int) -> tuple[str, np.ndarray[Any, Any]]:
    """What a program says that plays a claim, and the left channel of what its sound card was given."""
    raw = tmp_path / "raw"
    settings = {"SDL_AUDIODRIVER": driver, "SDL_DISKAUDIOFILE": str(raw), "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(volume), str(tmp_path / "sounds")],
        env=os.environ | settings, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    played = np.frombuffer(raw.read_bytes(), "<i2")[::2] if raw.exists() else np.zeros(0)
    return done.stdout.strip(), played.astype(float)


@pytest.mark.slow
def test_a_claim_is_heard_at_its_volume(tmp_path: Path) -> None:
    said, played = play_in_program(tmp_path, "disk", 50)
    with wave.open(BytesIO(make_wav(Cue.CLAIM))) as file:
        wanted = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
    assert said == "heard"
    fit = np.correlate(played, wanted, "valid").max() / np.dot(wanted, wanted)
    assert fit == pytest.approx(0.5, abs=0.03), "the sound itself, at half its height"


@pytest.mark.slow
def test_without_a_sound_card_and_when_off_it_is_silent_and_nothing_fails(tmp_path: Path) -> None:
    assert play_in_program(tmp_path, "no such driver", 50)[0] == "silent"
    assert play_in_program(tmp_path, "disk", 0)[0] == "silent"


class Sound:
    """A sound whose card is slow until `gate` is set."""

    def __init__(self, path: Path, heard: list[str], gate: threading.Event) -> None:
        self.name, self.heard, self.gate = path.stem, heard, gate
        self.volume, self.length = 1.0, 0.0

    def play(self) -> None:
        assert self.gate.wait(WAIT_S)
        self.heard.append(f"{self.name} {self.volume:g}")

    def stop(self) -> None:
        pass

    unload = stop


def wait_until(condition: Any) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_most_important_waiting_sound_is_played(tmp_path: Path) -> None:
    heard: list[str] = []
    gate = threading.Event()
    player = SoundPlayer(tmp_path, lambda path: Sound(path, heard, gate))
    player.volume = 40
    player.play(Cue.DISCARD)
    wait_until(lambda: player._sounds)
    for cue in (Cue.DISCARD, Cue.SEA, Cue.CLAIM):
        player.play(cue)
    gate.set()
    wait_until(lambda: len(heard) == 2)
    assert heard == ["discard 0.4", "sea 0.4"]
    player.close()


def test_a_sound_that_cannot_be_loaded_ends_nothing(tmp_path: Path) -> None:
    heard: list[str] = []
    gate = threading.Event()
    gate.set()

    def load(path: Path) -> Sound | None:
        if path.stem == "claim":
            raise OSError("no card")
        return None if path.stem == "win" else Sound(path, heard, gate)

    player = SoundPlayer(tmp_path, load)
    player.volume = 100
    for cue in (Cue.CLAIM, Cue.WIN, Cue.SEA):
        player.play(cue)
        wait_until(lambda: player._waiting is None)
    wait_until(lambda: heard == ["sea 1"])
    player.close()


@pytest.fixture
def heard(companion: Driver) -> list[Cue]:
    """What the window has played."""
    cues: list[Cue] = []
    player = companion.controller.features["settings"].player  # type: ignore[attr-defined]
    player.play = lambda cue: cues.append(cue) if player.volume else None
    return cues


@pytest.mark.slow
def test_the_window_asks_for_the_right_sounds(companion: Driver, heard: list[Cue]) -> None:
    companion.controller.do("game", lambda state: state.begin(GameStarted(rules="hefei")))
    companion.wait(lambda: companion.controller.view.states["game"].followed is not None)
    companion.controller.do(
        "game",
        lambda state: state.record(HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="3s")),
    )
    companion.wait(lambda: heard)
    assert heard == [Cue.DISCARD]
    companion.controller.do("home", lambda state: state.also(ShowMessage(Sentence("Which game?"))))
    companion.controller.do("home", lambda state: state.also(ShowMessage(Sentence("Back"), trouble=False)))
    question = AskQuestion(Sentence("Which game?"), Sentence("Back"), SoundWanted(Cue.WIN))
    companion.controller.do("home", lambda state: state.also(question))
    companion.frames(3)
    assert heard == [Cue.DISCARD, Cue.ERROR, Cue.QUESTION]
    companion.press("Back")
    assert heard[-1] is Cue.WIN


@pytest.mark.slow
def test_volume_and_mute_by_touch(companion: Driver, heard: list[Cue]) -> None:
    companion.controller.announce(SettingsWanted())
    companion.controller.do("settings", lambda state: state.show_part(SettingsTab.SOUND))
    companion.settle()
    pane = companion.pages.settings.sound
    player = companion.controller.features["settings"].player  # type: ignore[attr-defined]
    companion.touch(pane.sounds.button("100"))
    assert (player.volume, heard) == (100, [Cue.CLAIM])
    companion.touch(pane.samples[Cue.SEA])
    assert heard == [Cue.CLAIM, Cue.SEA]
    companion.touch(companion.root.bar.buttons["mute"])
    assert player.volume == 0
    companion.touch(pane.samples[Cue.SEA])
    assert heard == [Cue.CLAIM, Cue.SEA]
    companion.touch(companion.root.bar.buttons["mute"])
    assert player.volume == 100
    companion.touch(pane.sounds.button("0"))
    assert player.volume == 0
