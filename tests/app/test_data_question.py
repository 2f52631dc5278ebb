"""A data folder that cannot be used: the window opens all the same, says what is wrong, and asks where what
people do is to be kept; or plays on without keeping it, and says so all the time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES, Driver, ScriptedReader, list_looks
from frames import make_finger, whole_frames
from page_checks import find_cut, find_small
from sheet_driver import keep_declared

from companion import config
from companion.app.news import SettingsWanted
from companion.app.score_photo import entering
from companion.app.settings.state import SettingsTab
from companion.app.shell import session
from companion.app.shell.data_place import DataPlace, NoPlace, find_data_place, play_without, scratch_folder
from companion.app.shell.session import NOTHING_KEPT, Session
from companion.game import shelf
from companion.moving import finish_move
from companion.photo_hand.draft import WinDraft
from companion.sentences import Sentence
from companion.words import Language, Words
from tests.programs import LIMIT_S, may_mount, started

pytestmark = pytest.mark.slow

NOBODY = 65534
WAIT_FRAMES = 2000


@pytest.fixture(scope="module")
def all_loaded(kivy_window: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a window imports: who has laid root's rights down may not read it everywhere."""
    import babel.dates  # noqa: F401

    Driver(tmp_path_factory.mktemp("first"), ScriptedReader(), SIZES["tablet"]).close()


@pytest.fixture
def shut_folder(all_loaded: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder with a game and a hand in it that nobody may write to; root's rights, whom none keeps
    out, are laid down. The person who plays has it as the usual one."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        monkeypatch.delenv("COMPANION_DATA")
        monkeypatch.setenv("HOME", str(home))
        for variable, folder in (("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config")):
            monkeypatch.setenv(variable, str(home / folder))
        folder = config.data_dir()
        session.save(folder / "session.json", Session(Language.ENGLISH, {"score_photo": WinDraft(winner=2)}))
        keep_declared("friday")
        shut = [folder, *(each for each in folder.rglob("*") if each.is_dir())]
        for each in shut:
            each.chmod(0o555)
        yield folder
        for each in shut:
            each.chmod(0o755)
        for variable in ("COMPANION_DATA", config.SCRATCH):
            os.environ.pop(variable, None)
    os.seteuid(was)


class Asked:
    """The question in the window of the tests, with a finger."""

    def __init__(self, size: tuple[int, int], scratch: Path, language: Language = Language.ENGLISH) -> None:
        from kivy.core.window import Window

        from companion.app.shell.data_question import Asking, DataQuestion
        from companion.app.widgets.window_thread import call_on_window_thread

        Window.size = size
        found = find_data_place()
        assert isinstance(found, NoPlace)
        self.answers: list[tuple[DataPlace, Language]] = []
        self.window, self.page = Window, "question"
        self.root = self.question = DataQuestion(
            Asking(found, language), scratch, call_on_window_thread, lambda *given: self.answers.append(given)
        )
        Window.add_widget(self.question)
        self.wait(lambda: self.question.spots.children)
        self.frames(6)

    def frames(self, count: int) -> None:
        from kivy.base import EventLoop

        for _ in range(count):
            EventLoop.idle()

    def wait(self, condition: Callable[[], object]) -> None:
        for _ in range(WAIT_FRAMES):
            if condition():
                return
            self.frames(1)
            time.sleep(0.002)  # leaves the processor to the thread that looks at folders
        raise AssertionError(f"waited in vain; the window says: {self.texts()}")

    def labels(self) -> Iterator[Any]:
        from kivy.uix.label import Label

        walked = self.question.walk(restrict=True)
        return (each for each in walked if isinstance(each, Label) and each.text.strip())

    def texts(self) -> list[str]:
        return [each.text for each in self.labels()]

    def says(self, text: str) -> bool:
        return any(text in each for each in self.texts())

    def touch(self, widget: object) -> None:
        finger = make_finger(*widget.to_window(*widget.center))  # type: ignore[attr-defined]
        finger.down()
        self.frames(1)
        finger.up()
        self.frames(3)

    def shot(self, name: str) -> None:
        from companion.app.shell.application import write_screenshot

        if kept := os.environ.get("COMPANION_SCREENSHOTS"):
            with whole_frames():
                self.frames(2)
                write_screenshot(Path(kept) / f"{name}.png")

    def close(self) -> None:
        self.window.remove_widget(self.question)
        self.frames(2)


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder
    assert not folder.exists()


@pytest.fixture
def asked(kivy_window: None, shut_folder: Path, scratch: Path) -> Iterator[Asked]:
    asked = Asked(SIZES["tablet"], scratch)
    yield asked
    asked.close()


def test_a_shut_folder_is_named_and_another_one_takes_over_what_is_in_it(
    asked: Asked, shut_folder: Path
) -> None:
    assert asked.says(f"Your data folder {shut_folder} cannot be written (Permission denied).")
    asked.touch(asked.question.again)
    asked.wait(lambda: asked.question.asking.doing is None)
    assert asked.answers == []
    new = shut_folder.parents[1] / "stick"
    asked.question.field.text = str(new)
    asked.touch(asked.question.use)
    asked.wait(lambda: asked.answers)
    assert asked.answers == [(DataPlace(new), Language.ENGLISH)]
    assert config.data_dir() == new, "the next start uses it"
    assert (new / "games" / "friday.game").read_bytes() == shelf_file(shut_folder).read_bytes()
    assert find_data_place() == DataPlace(new)


def shelf_file(folder: Path) -> Path:
    return folder / "games" / "friday.game"


def test_a_folder_that_is_no_good_is_said_and_asked_again(asked: Asked, shut_folder: Path) -> None:
    full = shut_folder.parents[1] / "full"
    full.mkdir()
    (full / "letters.txt").write_text("mine")
    for typed, why in (
        ("mahjong", "Enter the whole path of the folder"),
        (str(full), f"'{full}' is not empty: choose an empty folder, or a new one."),
        (str(shut_folder), "Your data are there already: choose another folder."),
        (str(shut_folder / "inside"), "One folder is inside the other"),
        ("/mahjong", "That folder cannot be used (Permission denied): choose another one."),
    ):
        asked.question.field.text = typed
        asked.touch(asked.question.use)
        asked.wait(lambda: asked.question.asking.doing is None)
        assert asked.says(why), asked.texts()
    assert asked.answers == []
    assert (full / "letters.txt").read_text() == "mine"


def test_a_folder_that_was_used_before_is_used_as_it_is(asked: Asked, shut_folder: Path) -> None:
    other = shut_folder.parents[1] / "other"
    session.save(other / "session.json", Session(Language.ENGLISH, {"score_photo": WinDraft(winner=3)}))
    kept = (other / "session.json").read_bytes()
    asked.question.field.text = str(other)
    asked.touch(asked.question.use)
    asked.wait(lambda: asked.answers)
    assert (other / "session.json").read_bytes() == kept
    assert not (other / "games").exists()


def test_trying_again_goes_on_where_the_folder_can_be_written_by_now(asked: Asked, shut_folder: Path) -> None:
    asked.touch(asked.question.languages.button(Language.SIMPLIFIED))
    assert asked.says("再试一次")
    for each in (shut_folder, shut_folder / "games"):
        each.chmod(0o755)
    asked.touch(asked.question.again)
    asked.wait(lambda: asked.answers)
    assert asked.answers == [(DataPlace(shut_folder), Language.SIMPLIFIED)]


def test_without_keeping_the_game_goes_on_and_the_window_says_so_all_the_time(
    asked: Asked, shut_folder: Path, scratch: Path
) -> None:
    before = {path: path.read_bytes() for path in shut_folder.rglob("*") if path.is_file()}
    asked.touch(asked.question.without)
    asked.wait(lambda: asked.answers)
    place, language = asked.answers[0]
    assert (place.is_kept, language) == (False, Language.ENGLISH)
    assert place.folder.is_relative_to(scratch)
    asked.window.remove_widget(asked.question)
    driver = Driver(scratch, ScriptedReader(), SIZES["tablet"], is_kept=False)
    try:
        assert driver.state.draft.winner == 2, "what can be read is gone on with"
        assert "friday" in shelf.names()
        warning = NOTHING_KEPT.template
        assert driver.says(warning)
        driver.controller.dismiss_banner()
        driver.controller.announce(SettingsWanted())
        driver.frames(3)
        driver.touch(driver.pages.settings.part.button(SettingsTab.DATA))
        driver.settle()
        driver.shot("nothing-kept-settings")
        assert driver.says(warning)
        assert driver.says("Nothing you do now is saved.")
        assert not find_cut(driver)
        driver.do(lambda state: entering.set_winner(state, 1))
        driver.press("Choose a folder …")
        driver.wait(lambda: driver.pages.settings.data.spots.children)
        new = shut_folder.parents[1] / "stick"
        driver.pages.settings.data.field.text = str(new)
        driver.press("Move there")
        driver.wait(lambda: driver.says("Close and switch"))
        assert driver.says("The next start uses this folder.")
        assert driver.says("archived games were not copied")
        assert not driver.says("The old one stays")
        driver.shot("nothing-kept-ready")
        assert not find_cut(driver)
        closed: list[bool] = []
        driver.controller.on_close = lambda: closed.append(True)
        driver.press("Close and switch")
        driver.wait(lambda: closed)
    finally:
        driver.close()
    assert finish_move(place.folder) == new
    os.environ.pop(config.SCRATCH)
    assert config.data_dir() == new
    assert session.read(new / "session.json").parts["score_photo"].winner == 1
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), list_looks())
def test_the_question_fits(
    kivy_window: None, shut_folder: Path, scratch: Path, size: str, language: Language
) -> None:
    asked = Asked(SIZES[size], scratch, language)
    try:
        asked.shot(f"data-question-{size}-{language}")
        assert Words(language).say(Sentence("Play without saving")) in asked.texts()
        assert not find_small(asked)  # type: ignore[arg-type]
        assert not find_cut(asked)  # type: ignore[arg-type]
    finally:
        asked.close()


@pytest.mark.parametrize("content", [b"\xff\x00 not a path", b"/nowhere/at/all\n"])
def test_a_named_folder_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.delenv("COMPANION_DATA")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    named = tmp_path / config.APP_NAME / "data-folder"
    named.parent.mkdir()
    named.write_bytes(content)
    found = find_data_place()
    assert isinstance(found, NoPlace)
    assert "The disk with your data is not plugged in:" in str(found.sentence)
    named.unlink()
    named.mkdir()
    found = find_data_place()
    assert isinstance(found, NoPlace)
    assert found.folder is None
    assert str(found.sentence) == f"Which folder holds your data cannot be read (Is a directory: {named})."


def test_unreadable_old_folder_does_not_prevent_playing(shut_folder: Path, scratch: Path) -> None:
    shelf_file(shut_folder).chmod(0)
    place = play_without(shut_folder, scratch)
    assert (place.folder / "session.json").is_file()
    assert not shelf_file(place.folder).exists()
    shelf_file(shut_folder).chmod(0o644)


FULL = """
import os, subprocess, sys
from pathlib import Path
from companion.app.shell.data_place import find_data_place

folder = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], check=True)
try:
    (folder / "photos").write_bytes(bytes(10**6))
except OSError:
    pass
print(find_data_place().sentence)
subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
print(find_data_place().sentence)
"""


def test_a_full_disk_and_one_that_may_only_be_read_are_told_apart(tmp_path: Path) -> None:
    if not may_mount():
        pytest.skip("this user may not mount a disk of its own")
    done = subprocess.run(
        ["unshare", "-rm", sys.executable, "-c", FULL, str(tmp_path)],
        env={**os.environ, "COMPANION_DATA": str(tmp_path)}, capture_output=True, text=True,
        timeout=LIMIT_S, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        f"The disk with your data is full: nothing more can be saved in {tmp_path}.",
        f"Your data folder {tmp_path} cannot be written (Read-only file system).",
    ]


RUN = """
import sys
from app_driver import ScriptedReader
from companion.app.shell import boot, startup

prepare = boot.prepare

def prepare_and_answer(*given):
    prepare(*given)
    from kivy.clock import Clock
    from companion.app.shell.application import CompanionApp

    def answer(_):
        app = CompanionApp.get_running_app()
        if app.controller is None:
            if app.root.asking.doing is None:
                print(app.root.trouble.text, flush=True)
                app.root.without.dispatch("on_release")
            return True
        print(app.controller.view.window.warning, flush=True)
        print(app.folder, flush=True)
        app.stop()
        return False

    Clock.schedule_interval(answer, 0.1)

boot.prepare = prepare_and_answer
sys.exit(startup.run(recognition=ScriptedReader().recognition))
"""


def test_the_program_opens_its_window_all_the_same(display: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    here = str(Path(__file__).parent)
    with started(
        [sys.executable, "-c", RUN],
        env={**os.environ, "COMPANION_DATA": str(tmp_path / "file/data"), "PYTHONPATH": here},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        out, said = program.communicate(timeout=90)
    assert (program.returncode, said) == (0, "")
    trouble, warning, folder = out.splitlines()
    assert trouble == f"Your data folder {tmp_path}/file/data cannot be written (Not a directory)."
    assert warning == NOTHING_KEPT.template
    assert not Path(folder).exists(), "it goes with the window"
