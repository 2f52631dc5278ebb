"""A disk that is full while the window is open: what could not be written is not counted as written, and is
tried once more when the window closes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader

from companion.app.score_photo import entering
from companion.app.shell import session
from companion.app.shell.session import Writer
from tests.programs import started, virtual_screen

WAIT_S = 60.0


class Disk:
    """Takes values while it has room."""

    def __init__(self) -> None:
        self.has_room = False
        self.written: list[int] = []
        self.tried: list[int] = []

    def write(self, value: int) -> None:
        self.tried.append(value)
        if not self.has_room:
            raise OSError(28, os.strerror(28))
        self.written.append(value)


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def writer(disk: Disk) -> Writer[int]:
    return Writer(disk.write, lambda error: None)


def test_a_value_that_could_not_be_written_is_not_counted_as_written(disk: Disk, writer: Writer[int]) -> None:
    writer.put(1)
    assert not writer.wait(WAIT_S)
    assert not writer.finish(WAIT_S)
    assert disk.tried == [1, 1], "once more when closing, and no oftener"
    disk.has_room = True
    assert not writer.wait(WAIT_S)
    assert writer.finish(WAIT_S)
    assert disk.written == [1]


def test_a_newer_value_replaces_the_one_that_could_not_be_written(disk: Disk, writer: Writer[int]) -> None:
    writer.put(1)
    assert not writer.wait(WAIT_S)
    disk.has_room = True
    writer.put(2)
    assert writer.wait(WAIT_S)
    assert writer.finish(WAIT_S)
    assert disk.written == [2]


def test_a_value_put_while_an_older_one_fails_is_the_one_that_counts() -> None:
    fails, put, written = threading.Event(), threading.Event(), []

    def write(value: int) -> None:
        if value == 1:
            fails.set()
            assert put.wait(WAIT_S)
            raise OSError(28, os.strerror(28))
        written.append(value)

    writer = Writer(write, lambda error: None)
    writer.put(1)
    assert fails.wait(WAIT_S)
    writer.put(2)
    put.set()
    assert writer.wait(WAIT_S)
    assert writer.finish(WAIT_S)
    assert written == [2]


@pytest.mark.slow
def test_a_disk_with_room_again_gets_the_hand_when_the_window_closes(
    kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    with monkeypatch.context() as patch:

        def refuse(*_: object) -> None:
            raise OSError(28, os.strerror(28))

        patch.setattr(session, "write_whole", refuse)
        window.do(lambda state: entering.set_winner(state, 1))
        window.wait(lambda: window.says("cannot be saved"), "the trouble")
    path = window.controller.place.path
    window.close()
    assert path is not None
    assert session.read(path).parts["score_photo"].winner == 1


WINDOW = """
import os, sys
from app_driver import ScriptedReader
from companion import cli
from companion.app.score_photo import entering
from companion.app.shell import session, startup, window_controller

def refuse(*_):
    raise OSError(28, os.strerror(28))

session.write_whole = refuse
begin = window_controller.WindowController.start
complain = window_controller.WindowController._complain

def start(controller, picture):
    begin(controller, picture)
    controller.do("score_photo", lambda state: entering.set_winner(state, 1))

def report(controller, error):
    complain(controller, error)
    print("failed", flush=True)

window_controller.WindowController.start = start
window_controller.WindowController._complain = report
sys.exit(cli.run(["app"]))
"""


@contextmanager
def open_on_full_disk(folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A window that could not keep a hand in that folder."""
    here = str(Path(__file__).parent)
    with started(
        [sys.executable, "-c", WINDOW],
        env={**os.environ, "COMPANION_DATA": str(folder), "PYTHONPATH": here, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as window:  # fmt: skip
        assert window.stdout.readline() == "failed\n"
        yield window


@pytest.mark.slow
def test_a_window_that_closes_on_a_full_disk_says_so_and_exits_with_3(display: None, tmp_path: Path) -> None:
    with open_on_full_disk(tmp_path) as window:
        window.send_signal(signal.SIGINT)
        _, said = window.communicate(timeout=60)
    assert "What was entered last could not be kept: the disk of" in said
    assert len(said.splitlines()) == 1
    assert window.returncode == 3
    assert not session.path_of(tmp_path, 1).exists()


@pytest.mark.slow
def test_a_display_that_goes_away_on_a_full_disk_does_not_say_that_all_is_kept(tmp_path: Path) -> None:
    with (
        virtual_screen("1280x800x24") as (display, server),
        open_on_full_disk(tmp_path, DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1") as window,
    ):
        server.kill()
        server.wait()
        _, said = window.communicate(timeout=60)
    assert said == (
        "companion: The display is gone, so the window is closed. What was entered last is not kept.\n"
    )
    assert window.returncode == 3
