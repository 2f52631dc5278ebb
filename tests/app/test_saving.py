"""What is kept is written away from the window's thread, at once and in order: a slow disk holds nothing up,
a kill loses nothing that was shown a second before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader

from companion.app.score_photo import editing, entering
from companion.app.shell import session, window_controller
from companion.app.shell.session import Session, Writer
from tests.programs import started

pytestmark = pytest.mark.slow

WAIT_S = 60.0


class Disk:
    """Writes for real, each time once it is let; `writing` is set while a write is held up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lets = threading.Event()
        self.lets.set()
        self.writing = threading.Event()
        self.written: list[Session] = []
        self._write = session.save
        monkeypatch.setattr(window_controller, "save", self.save)

    def save(self, path: Path, kept: Session) -> None:
        self.writing.set()
        assert self.lets.wait(WAIT_S)
        self._write(path, kept)
        self.written.append(kept)
        self.writing.clear()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def winners(disk: Disk) -> list[int]:
    return [kept.parts["score_photo"].winner for kept in disk.written]


def open_window(folder: Path, disk: Disk) -> Driver:
    """A window in which the game is chosen, and kept, and whose next write is held up."""
    window = Driver(folder, ScriptedReader(), SIZES["tablet"])
    assert window.controller.wait_until_kept(WAIT_S)
    disk.written.clear()
    disk.lets.clear()
    return window


def test_the_window_goes_on_while_the_disk_is_slow_and_the_newest_hand_is_written(
    kivy_window: None, tmp_path: Path, disk: Disk
) -> None:
    window = open_window(tmp_path, disk)
    win = window.pages.table.win
    for seat in (1, 2, 3, 2):
        window.touch(win.askers["winner"].button(str(seat)))
        assert win.askers["winner"].button(str(seat)).chosen
        assert disk.writing.wait(WAIT_S)
    window.press("Discard")
    window.press("简")
    assert window.says("点炮")
    assert winners(disk) == []
    disk.lets.set()
    assert window.kept("score_photo") == window.state.draft
    assert winners(disk) == [1, 2], "the first one, and the newest"
    window.close()


def test_closing_the_window_waits_for_the_last_write(kivy_window: None, tmp_path: Path, disk: Disk) -> None:
    window = open_window(tmp_path, disk)
    window.do(lambda state: entering.set_winner(state, 1))
    assert disk.writing.wait(WAIT_S)
    window.do(lambda state: entering.set_winner(state, 2))
    threading.Timer(0.3, disk.lets.set).start()
    window.close()
    assert winners(disk) == [1, 2]


def test_a_disk_that_hangs_does_not_keep_the_window_from_closing(
    kivy_window: None, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.shell.window_controller.LAST_WRITE_S", 0.2)
    window = open_window(tmp_path, disk)
    window.do(lambda state: entering.set_winner(state, 1))
    window.close()
    assert winners(disk) == []
    disk.lets.set()


HANGING = """
import sys, threading
from app_driver import ScriptedReader
from companion.app.score_photo import entering
from companion.app.shell import startup, window_controller
from companion.app.shell.application import CompanionApp
from companion.app.shell.session import Writer
from companion.app.widgets import window_thread
from companion.errors import MissingError

window_controller.LAST_WRITE_S = 0.2
window_controller.save = lambda *_: threading.Event().wait()
wait, start = Writer.wait, CompanionApp.on_start

def report(writer, seconds):
    print(seconds, flush=True)
    return wait(writer, seconds)

def close_soon(app):
    start(app)
    app.controller.do("score_photo", lambda state: entering.set_winner(state, 1))
    window_thread.call_on_window_thread(app.stop)

Writer.wait, CompanionApp.on_start = report, close_soon
try:
    startup.run(recognition=ScriptedReader().recognition)
except MissingError as error:
    print(error)
"""


def test_a_disk_that_hangs_is_waited_for_once(display: None, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGING],
        env={**os.environ, "COMPANION_DATA": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    waited, looked, said = done.stdout.splitlines()
    assert (float(waited), float(looked)) == (0.2, 0)
    assert said.startswith("What was entered last could not be kept: the disk of")


def test_failed_save_is_reported_and_retried_on_the_next_change(
    kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    with monkeypatch.context() as patch:

        def refuse(*_: object) -> None:
            raise OSError(28, os.strerror(28))

        patch.setattr(session, "write_whole", refuse)
        window.do(lambda state: entering.set_winner(state, 1))
        window.wait(lambda: window.says("cannot be saved (No space left on device)"), "the trouble")
        assert window.state.draft.winner == 1
    window.touch(window.root.banner.dismiss)
    window.do(lambda state: editing.record(state, dealer=1))
    assert window.kept("score_photo").winner == 1
    assert window.banner is None
    window.close()


def test_values_are_written_in_order_and_those_between_are_left_out() -> None:
    lets, written = threading.Event(), []

    def write(value: int) -> None:
        assert lets.wait(WAIT_S)
        written.append(value)

    writer = Writer(write, lambda error: None)
    for value in range(100):
        writer.put(value)
    assert not writer.wait(0.01)
    lets.set()
    assert writer.wait(WAIT_S)
    assert written[-1] == 99
    assert len(written) <= 2, "the one that was under way, and the newest"
    assert written == sorted(written)


WINDOW = """
import json, sys, threading
from app_driver import ScriptedReader
from companion.app.score_photo import entering, photo
from companion.app.shell import startup, window_controller
from companion.app.widgets import window_thread

made = window_controller.WindowController.start

def start(controller, picture):
    made(controller, picture)

    def obey():
        for line in sys.stdin:
            seat = json.loads(line)

            def win():
                enter = lambda state: entering.set_winner(photo.choose_game(state, "hefei"), seat)
                controller.do("score_photo", enter)
                print(json.dumps(controller.view.states["score_photo"].draft.winner), flush=True)

            window_thread.call_on_window_thread(win)

    threading.Thread(target=obey, daemon=True).start()

window_controller.WindowController.start = start
sys.exit(startup.run(recognition=ScriptedReader().recognition))
"""


def test_a_kill_a_second_after_a_change_loses_nothing(display: None, tmp_path: Path) -> None:
    with started(
        [sys.executable, "-c", WINDOW],
        env={**os.environ, "COMPANION_DATA": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as window:  # fmt: skip
        for seat in (1, 2, 3) * 20:
            window.stdin.write(f"{seat}\n")
            window.stdin.flush()
            assert json.loads(window.stdout.readline()) == seat
        time.sleep(1)
    assert session.read(session.path_of(tmp_path, 1)).parts["score_photo"].winner == 3
    assert not list(tmp_path.glob("*.partial"))
