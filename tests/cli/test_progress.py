"""On a terminal a command that takes long says how far it has come, on one line that goes away."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.commands.output import CLEAR_LINE, format_time
from tests.cli.filmed import make_session
from tests.programs import started

Call = Callable[..., Any]


def run_on_terminal(*arguments: object) -> str:
    """What the command writes to stderr, which is a terminal; its status must be 0."""
    ours, theirs = os.openpty()
    shown = b""

    def read() -> None:
        nonlocal shown
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # as Linux says that nobody has the other end any more
            return

    command = [sys.executable, "-m", "companion", *map(str, arguments)]
    with started(command, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        reader = threading.Thread(target=read)
        reader.start()
        assert process.wait() == 0
        reader.join()
    os.close(ours)
    return shown.decode()


@pytest.mark.slow
def test_following_says_how_far_it_has_come(tmp_path: Path) -> None:
    shown = run_on_terminal("track", make_session(tmp_path / "hefei", seconds=20))
    assert f"{CLEAR_LINE}followed 0:18" in shown
    assert shown.endswith(CLEAR_LINE)
    assert "\n" not in shown


@pytest.mark.slow
def test_filming_says_how_far_it_has_come(tmp_path: Path) -> None:
    options = ("--video", tmp_path, "--size", "320x240", "--pace", 20, "--calm", "--seed", 5)
    shown = run_on_terminal("simulate", "--rules", "hefei", *options)
    assert f"{CLEAR_LINE}hand 1: filmed 0:05 of 0:" in shown
    assert shown.endswith(CLEAR_LINE)


def test_elsewhere_nothing_is_shown(call: Call, tmp_path: Path) -> None:
    run = call("track", make_session(tmp_path / "hefei", seconds=5))
    assert run.err == ""
    assert CLEAR_LINE not in run.out


def test_files_are_named_where_a_person_reads(call: Call, tmp_path: Path) -> None:
    lines = call("simulate", "--rules", "hebei", "--events", tmp_path).out.splitlines()
    assert lines[1] == f"   {tmp_path / 'hand-1.jsonl'}"


def test_minutes_are_written_as_on_a_clock() -> None:
    assert [format_time(t) for t in (0.0, 59.9, 61.0, 600.0)] == ["0:00", "0:59", "1:01", "10:00"]
