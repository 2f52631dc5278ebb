"""Two windows on one data folder, each a program of its own: neither loses its hand, whoever closes or is
killed first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.app.shell import session
from companion.app.shell.session import NO_LOCK, OWN_HAND, Session, take_place
from companion.app.tile_sets.feature import KeptTileSets
from companion.photo_hand.draft import WinDraft
from companion.words import Language, Words
from tests.programs import started

WINDOW = """
import json, sys, threading
from pathlib import Path
from app_driver import ScriptedReader
from companion.app.shell import startup, window_controller

controllers = []

class WindowController(window_controller.WindowController):
    def __init__(self, *arguments, **parts):
        super().__init__(*arguments, **parts)
        controllers.append(self)
        threading.Thread(target=obey, daemon=True).start()

window_controller.WindowController = WindowController

def obey():
    def do(word, *rest):
        from kivy.app import App
        from companion.app.score_photo import entering, photo
        from companion.app.shell.application import write_screenshot

        app = App.get_running_app()
        if word == "win":
            enter = lambda state: entering.set_winner(photo.choose_game(state, "hefei"), rest[0])
            controllers[0].do("score_photo", enter)
        elif word == "shot":
            write_screenshot(Path(rest[0]))
        elif word == "dismiss":
            controllers[0].dismiss_banner()
        elif word == "close":
            app.stop()
        view = controllers[0].view
        controllers[0].wait_until_kept(10)
        banner = view.window.shown_banner
        said = view.words.say(banner.sentence) if banner else None
        print(json.dumps([view.states["score_photo"].draft.winner, said, app.title]), flush=True)

    from companion.app.widgets.window_thread import call_on_window_thread

    for line in sys.stdin:
        call_on_window_thread(lambda words=json.loads(line): do(*words))

picture = Path(sys.argv[1]) if sys.argv[1:] else None
sys.exit(startup.run(recognition=ScriptedReader().recognition, picture=picture))
"""

pytestmark = pytest.mark.slow


class Window:
    """A window in a process of its own, which does what it is asked and answers with how it stands then."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.ask("look")

    def ask(self, *words: object) -> None:
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        self.winner, self.says, self.title = json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.ask("close")
        assert self.process.wait(60) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def windows(folder: Path) -> Iterator[Any]:
    """Opens windows; those that are still open at the end are killed."""
    with ExitStack() as opened:

        def show(*arguments: object) -> Window:
            process = started(
                [sys.executable, "-c", WINDOW, *map(str, arguments)],
                env={**os.environ, "COMPANION_DATA": str(folder), "PYTHONPATH": str(Path(__file__).parent)},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            return Window(opened.enter_context(process))

        yield show


def winner(folder: Path, number: int) -> int:
    kept: WinDraft = session.read(session.path_of(folder, number)).parts["score_photo"]
    return kept.winner


def test_the_second_window_says_so_and_leaves_the_first_ones_hand(display: None, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with windows(folder) as show:
        first = show()
        assert (first.says, first.title) == (None, "Mahjong Companion")
        first.ask("win", 2)
        kept = session.path_of(folder, 1).read_bytes()

        second = show()
        assert second.says == OWN_HAND.template
        assert second.title == "Mahjong Companion (2)"
        second.ask("win", 3)
        if shots := os.environ.get("COMPANION_SCREENSHOTS"):
            second.ask("shot", str(Path(shots) / "second-window.png"))
        assert second.says == OWN_HAND.template
        second.ask("dismiss")
        assert second.says is None
        second.close()
        assert session.path_of(folder, 1).read_bytes() == kept
        assert winner(folder, 2) == 3

        second = show()
        assert second.winner == 3
        first.ask("win", 1)
        second.kill()
        assert (winner(folder, 1), winner(folder, 2)) == (1, 3)

        first.kill()
        again = show()
        assert (again.winner, again.says) == (1, None)
        again.close()


@pytest.mark.long
def test_a_picture_that_is_opened_at_once_does_not_hide_what_the_second_window_says(
    display: None, tmp_path: Path
) -> None:
    from app_driver import draw_picture

    picture = draw_picture(tmp_path / "hand.png")
    with windows(tmp_path / "data") as show:
        show()
        assert show(picture).says == OWN_HAND.template


@pytest.mark.long
def test_commands_and_screenshots_work_beside_a_window(display: None, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with windows(folder) as show:
        window = show()
        window.ask("win", 2)
        kept = session.path_of(folder, 1).read_bytes()
        for command in (
            ("rules", "hefei", "--save", "home"),
            ("rules", "--profiles"),
            ("doctor", "--no-ask"),
            ("games", "begin", "friday", "--rules", "hefei"),
            ("app", "--screenshot", tmp_path / "shot.png"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "companion", *map(str, command)],
                env={**os.environ, "COMPANION_DATA": str(folder)}, capture_output=True, text=True,
                timeout=180, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, ""), command
        assert session.path_of(folder, 1).read_bytes() == kept
        assert not session.path_of(folder, 2).exists()
        window.ask("win", 1)
        assert winner(folder, 1) == 1


@pytest.mark.long
def test_the_second_window_speaks_the_language_of_the_first(tmp_path: Path) -> None:
    first = take_place(tmp_path)
    assert first.path is not None
    session.save(
        first.path,
        Session(Language.TRADITIONAL, {"score_photo": WinDraft(winner=2), "tile_sets": KeptTileSets("home")}),
    )
    second = take_place(tmp_path)
    assert second.saved is not None
    assert second.saved.language is Language.TRADITIONAL
    assert second.saved.parts["tile_sets"] == KeptTileSets("home")
    assert second.saved.parts["score_photo"] is None
    assert second.number == 2
    assert take_place(tmp_path).number == 3
    first.release()
    again = take_place(tmp_path)
    assert again.number == 1
    assert again.note is None
    for language in (Language.SIMPLIFIED, Language.TRADITIONAL):
        assert Words(language).say(OWN_HAND) != OWN_HAND.template


@pytest.mark.sampled
@pytest.mark.parametrize("number", [95, 38])
def test_a_folder_without_locks_stops_no_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """ENOTSUP and ENOSYS, as network file systems answer."""

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    place = take_place(tmp_path)
    assert place.path == session.path_of(tmp_path, 1)
    assert place.note is not None
    assert place.note.template == NO_LOCK
    assert os.strerror(number) in Words(Language.ENGLISH).say(place.note)
