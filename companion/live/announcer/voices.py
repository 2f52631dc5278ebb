"""The voices that are installed: espeak-ng, which speaks every language, and piper's, one a file."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.live.announcer.phrases import Phrase

ESPEAK = ("espeak-ng", "espeak")
PIPER = "piper"
LOOK_S = 15.0
"""The longest wait for piper to say what it is: it loads its libraries first."""
LANGUAGES = {"zh": True, "en": False}
"""How the name of a piper voice begins, and whether it speaks Chinese."""


@dataclass(frozen=True, slots=True)
class Voice:
    """id: by which it is kept; name: by which it is offered; program: its path; model: the file of a piper
    voice. chinese: whether it speaks Mandarin, or else English; None where it speaks both."""

    id: str
    name: str
    program: str
    model: Path | None = None
    chinese: bool | None = None

    def speaks(self, chinese: bool) -> bool:
        return self.chinese is None or self.chinese is chinese

    def make_command(self, phrase: Phrase, volume: int, wav: Path | None = None) -> list[str]:
        """The command that speaks it, volume 0 to 100, or writes it to `wav` where the voice is a file. The
        text comes on its standard input, never as an option."""
        if self.model is not None:
            return [self.program, "-m", str(self.model), "-f", str(wav)]
        return [self.program, "-v", "cmn" if phrase.chinese else "en", "-a", str(volume * 2), "--stdin"]


def list_voice_folders() -> tuple[Path, ...]:
    """Where voices of piper are looked for."""
    home = Path.home()
    return (
        home / ".local/share/piper-voices", home / ".local/share/piper", home / "piper-voices",
        Path("/usr/local/share/piper-voices"), Path("/usr/share/piper-voices"),
    )  # fmt: skip


def find_voices(folders: Sequence[Path]) -> tuple[Voice, ...]:
    """The voices that are installed, those of piper first: they sound best. It may take seconds."""
    return (*_find_piper(folders), *_find_espeak())


def choose_voice(voices: Sequence[Voice], chinese: bool, wanted: Mapping[bool, str | None]) -> Voice | None:
    """The voice for that language: the one that is wanted, else the first; None where none speaks it."""
    fitting = [voice for voice in voices if voice.speaks(chinese)]
    named = (voice for voice in fitting if voice.id == wanted.get(chinese))
    return next(named, fitting[0] if fitting else None)


def _find_espeak() -> Iterator[Voice]:
    found = next((path for name in ESPEAK if (path := shutil.which(name))), None)
    if found:
        yield Voice("espeak", Path(found).name, found)


def _find_piper(folders: Sequence[Path]) -> Iterator[Voice]:
    models = [
        model
        for folder in folders
        if folder.is_dir()
        for model in sorted(folder.rglob("*.onnx"))
        if model.name.split("_")[0] in LANGUAGES and Path(f"{model}.json").is_file()
    ]
    program = shutil.which(PIPER) if models else None
    if program and _speaks(program):
        for model in models:
            yield Voice(model.stem, model.stem, program, model, LANGUAGES[model.name.split("_")[0]])


def _speaks(program: str) -> bool:
    """Whether it is the speech engine: a program for the buttons of mice has the same name."""
    try:
        said = subprocess.run([program, "--help"], capture_output=True, timeout=LOOK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--model" in said.stdout + said.stderr
