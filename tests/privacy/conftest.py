"""strace where it works, and a home folder in which nothing has ever run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest

from companion.tiles import KINDS
from lab.scenes.hand import render_hand
from tests.privacy import strace
from tests.privacy.strace import Allowed

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = (REPOSITORY, Path(sys.prefix), Path(sys.base_prefix))

COMPANION = (sys.executable, "-m", "companion")
HAND = ("3m", "3m", "3m", "4m", "4m", "4m", "5m", "5m", "5m", "2p", "2p", "6s", "7s", "8s")
CODES = [tile.code for tile in KINDS]
LESSON = [CODES[0:9], CODES[9:18], CODES[18:27], CODES[27:34], CODES[34:42]]

NEVER_TO_START = ("dbus-launch",)
"""Programs that go on running and keep files of their own; one of each is in the way of those that would."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What a command did; left_in_home: outside the data folder."""

    status: int
    said: str
    offences: list[str]
    programs: set[str]
    left_in_temporary: list[str]
    left_in_home: list[Path]


Watched = Callable[..., Traced]


def check(traced: Traced, status: int = 0) -> None:
    """The command did its work and broke no promise."""
    assert traced.status == status, traced.said
    assert not traced.offences, "\n".join(traced.offences)
    assert not traced.programs & set(NEVER_TO_START)
    assert traced.left_in_temporary == []
    assert {path.name for path in traced.left_in_home} <= {".local", "share"}, traced.left_in_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home folder."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def data(home: Path) -> Path:
    """Where the data folder is by default; not made yet."""
    return home / ".local" / "share" / "mahjong-companion"


@pytest.fixture
def watched(strace_works: None, tmp_path: Path, home: Path, data: Path) -> Watched:
    """Runs a command in the empty home as a person would who never chose any setting, and traces it."""
    programs, temporary, work = tmp_path / "bin", tmp_path / "tmp", tmp_path / "work"
    for folder in (programs, temporary, work):
        folder.mkdir()
    for name in NEVER_TO_START:
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)

    def run(
        *command: object, outputs: Sequence[Path] = (), temporary_files: bool = False, **environment: str
    ) -> Traced:
        trace, done = strace.trace(
            [str(part) for part in command],
            {
                "PATH": os.pathsep.join((str(programs), os.environ["PATH"])),
                "HOME": str(home),
                "TMPDIR": str(temporary),
                "LANG": "C.UTF-8",
                "PYTHONPATH": str(REPOSITORY),
                "ORT_DISABLE_TELEMETRY": "0",  # what the program sets must come before what it finds
                **environment,
            },
            work,
        )
        display = environment.get("DISPLAY", "").removeprefix(":").partition(".")[0]
        allowed = Allowed(
            folders=(data, temporary) if temporary_files else (data,),
            files=outputs,
            socket=f"/tmp/.X11-unix/X{display}" if display else None,
            byte_code=PROGRAM,
        )
        return Traced(
            done.returncode,
            done.stdout + done.stderr,
            trace.offences(allowed),
            trace.programs(),
            sorted(os.listdir(temporary)),
            [path for path in home.rglob("*") if path != data and data not in path.parents],
        )

    return run


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """hand.png, and lesson.png with one tile of each kind."""
    folder = tmp_path_factory.mktemp("pictures")
    assert cv2.imwrite(str(folder / "hand.png"), render_hand([HAND]).image)
    lesson = render_hand(LESSON, seed=1, width=1280, height=1280).image
    assert cv2.imwrite(str(folder / "lesson.png"), lesson)
    return folder
