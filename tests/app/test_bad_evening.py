"""What goes wrong in an evening: what was confirmed is there, what was not is asked again, and one sentence
says what happened and what can be done. Real files, real windows."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture

from companion.app.cameras import Cameras
from companion.app.news import KeptGameWanted, NewGameWanted, WinEntryWanted
from companion.app.score_photo.feature import ScorePhotoFeature
from companion.cameras import CameraInfo, Frame
from companion.errors import CameraError
from companion.game import shelf
from companion.game.deciding import Verdict
from companion.game.game import Game
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.table.events import Dealt, Discarded, Event, GameStarted, HandStarted, PointsMoved
from lab.window_bench.by_camera import SimulatedCamera, SimulatedTable
from lab.window_bench.evening_player import TableTouches

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bao", "Chen", "Dai")
BEGUN = (HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="8s"))
NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def open_window(kivy_window: None, folder: Path) -> Iterator[Callable[[], Driver]]:
    opened: list[Driver] = []

    def open_it() -> Driver:
        driver = Driver(folder, ScriptedReader(), SIZES["tablet"], home=True)
        opened.append(driver)
        driver.wait(lambda: driver.controller.view.states["home"].is_ready_to_show, "the kept games")
        return driver

    yield open_it
    for driver in opened:
        driver.close()


def keep(name: str, *events: Event) -> Path:
    path = shelf.path_of(name)
    with Game.begin(path, GameStarted(rules="hefei", names=NAMES)) as game:
        for event in events:
            game.append(event)
    return path


def read(path: Path) -> list[str]:
    with Game.resume(path) as game:
        return [entry.event for entry in game.file.standing]


def go_on(driver: Driver, name: str) -> TableTouches:
    driver.controller.announce(KeptGameWanted(name))
    table = TableTouches(driver)
    driver.wait(lambda: table.state.followed is not None, "the table")
    driver.settle()
    return table


def wait_for(driver: Driver, table: TableTouches, count: int) -> None:
    """Until the game has so many events."""
    driver.wait(lambda: table.state.followed is not None and table.state.followed.count == count, "the event")


def fill_disk(driver: Driver) -> None:
    """The open game's file can grow no more: SQLite itself refuses."""
    file = driver.game._game.file

    def limit() -> None:
        file._bring_up_to_date()  # which says how large a game's file may be
        file._connection.execute("PRAGMA max_page_count = 1")  # as large as it is

    driver.game._ask(limit).result(10)
    moved = Proposal(PointsMoved(points=(1, -1, 0, 0), why="till it is full"), 0, Reporter(SourceKind.SCRIPT))
    tries = (driver.game.propose(moved).result(10).verdict for _ in range(200))
    assert any(verdict is not Verdict.ACCEPTED for verdict in tries)


def make_room(driver: Driver) -> None:
    file = driver.game._game.file
    driver.game._ask(lambda: file._connection.execute("PRAGMA max_page_count = 1000000")).result(10)


def test_a_disk_that_is_full_loses_nothing_and_says_what_to_do(
    open_window: Callable[[], Driver], folder: Path
) -> None:
    path = keep("friday", *BEGUN)
    driver = open_window()
    table = go_on(driver, "friday")
    fill_disk(driver)
    table.record(Discarded(seat=1, tile="5m"))
    driver.wait(lambda: driver.says("is full"), "the sentence")
    assert driver.says(
        "the last entry was not saved, everything before it was. Free some space and try again."
    )
    driver.shot("full-disk")
    shown = table.state.followed
    assert shown is not None
    assert shown.count == len(driver.game._game.file.standing), "what is shown is what is kept"
    make_room(driver)
    before = shown.count
    table.record(Discarded(seat=1, tile="5m"))
    driver.wait(lambda: table.state.followed is not None and table.state.followed.count > before, "it")
    driver.close()
    assert sum('"discarded"' in event for event in read(path)) == 2


@pytest.mark.long
def test_a_win_that_the_full_disk_refused_is_still_there_to_be_confirmed(
    open_window: Callable[[], Driver], folder: Path
) -> None:
    path = keep("friday", *BEGUN)
    driver = open_window()
    go_on(driver, "friday")
    driver.controller.announce(WinEntryWanted(2))
    driver.open(draw_picture(folder / "hand.png"))
    fill_disk(driver)
    driver.settle()
    driver.controller.dismiss_banner()
    driver.show_everyone()
    page = driver.pages.win_result
    driver.touch(page.confirm)
    driver.wait(lambda: driver.says("Free some space and try again."), "the sentence")
    driver.shot("full-disk-win")
    assert driver.page == "win_result"
    driver.wait(lambda: not page.confirm.disabled, "the button again")
    make_room(driver)
    driver.touch(page.confirm)
    driver.wait(lambda: driver.page == "game", "the table")
    driver.close()
    assert sum('"won"' in event for event in read(path)) == 1


def test_a_folder_that_may_not_be_written_is_said_and_its_games_are_listed(
    kivy_window: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As somebody whom permissions keep out."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        monkeypatch.setenv("COMPANION_DATA", str(folder / "data"))
        path = keep("friday", *BEGUN)
        for each in (folder, *folder.rglob("*")):
            os.chown(each, NOBODY, NOBODY)
        driver = Driver(folder, ScriptedReader(), SIZES["tablet"], home=True)
        was = os.geteuid()
        try:
            content = path.read_bytes()
            path.chmod(0o400)
            path.parent.chmod(0o500)
            os.seteuid(NOBODY)
            driver.controller.announce(KeptGameWanted("friday"))
            driver.wait(lambda: driver.says("Nothing can be written"), "the sentence")
            driver.settle()
            driver.controller.announce(NewGameWanted(GameStarted(rules="hefei", names=NAMES)))
            driver.wait(lambda: driver.says("Nothing can be written"), "the sentence")
        finally:
            os.seteuid(was)
            path.parent.chmod(0o700)
            driver.close()
        assert path.read_bytes() == content


def test_a_game_of_a_newer_program_is_left_as_it_is(open_window: Callable[[], Driver], folder: Path) -> None:
    path = keep("friday", *BEGUN)
    with Game.resume(path) as game:
        game.file._connection.execute("CREATE TABLE camera (name TEXT)")
        game.file._connection.execute("PRAGMA user_version = 99")
    content = path.read_bytes()
    driver = open_window()
    home = driver.controller.view.states["home"]
    assert home.last_game is None, "it is not offered to go on with"
    driver.controller.announce(KeptGameWanted("friday"))
    driver.wait(lambda: driver.says("update the program"), "the sentence")
    driver.shot("newer-game")
    driver.close()
    assert path.read_bytes() == content


def test_a_clock_set_back_changes_neither_the_game_nor_which_is_tonights(
    open_window: Callable[[], Driver], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = keep("old", PointsMoved(points=(8, -8, 0, 0), why="test"))
    tomorrow = (datetime.now(UTC) + timedelta(days=400)).timestamp()
    os.utime(old, (tomorrow, tomorrow))
    path = keep("tonight", *BEGUN)
    driver = open_window()
    table = go_on(driver, "tonight")
    back = (datetime.now(UTC) - timedelta(days=400)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    monkeypatch.setattr("companion.game.file.now", lambda: back)
    table.record(Discarded(seat=1, tile="5m"))
    wait_for(driver, table, 6)
    driver.close()
    os.utime(path, (0, 0))
    assert len(read(path)) == 6
    driver = open_window()
    last_game = driver.controller.view.states["home"].last_game
    assert last_game is not None
    assert last_game.name == "tonight"


class LostCamera(SimulatedCamera):
    """Gives a few pictures; then it is pulled out."""

    left = 3

    def read(self) -> Frame:
        self.left -= 1
        if self.left < 0:
            raise CameraError("The camera gives no picture any more: check its plug and try again.")
        return super().read()


@pytest.mark.long
def test_a_camera_lost_in_the_middle_of_a_win_leaves_what_was_entered(
    open_window: Callable[[], Driver], folder: Path
) -> None:
    keep("friday", *BEGUN)
    driver = open_window()
    cameras = Cameras(lambda: (CameraInfo("c", "Camera"),), lambda _: LostCamera(SimulatedTable()))
    feature = driver.controller.features["score_photo"]
    assert isinstance(feature, ScorePhotoFeature)
    feature.live = replace(feature.live, cameras=cameras)
    go_on(driver, "friday")
    driver.controller.announce(WinEntryWanted(2))
    driver.open(draw_picture(folder / "hand.png"))
    draft = driver.state.draft
    assert len(draft.hand.tiles) == 14
    driver.touch(driver.pages.win_result.back)
    driver.touch(driver.pages.win_entry.take)
    driver.wait(lambda: driver.says("check its plug"), "the sentence")
    driver.settle()
    driver.shot("camera-lost-in-a-win")
    assert driver.page == "win_entry", "the win is still being entered"
    assert driver.state.draft == draft
    assert driver.state.game_win.entered is not None


@pytest.mark.long
def test_two_windows_do_not_play_one_game(open_window: Callable[[], Driver], folder: Path) -> None:
    path = keep("friday", *BEGUN)
    first = open_window()
    go_on(first, "friday")
    second = open_window()
    assert second.says("Another window is open")
    second.root.banner.dismiss.dispatch("on_release")
    second.controller.announce(KeptGameWanted("friday"))
    second.wait(lambda: second.says("close it there first"), "the sentence")
    second.shot("two-windows")
    table = TableTouches(first)
    table.record(Discarded(seat=1, tile="5m"))
    wait_for(first, table, 6)
    first.close()
    second.controller.announce(KeptGameWanted("friday"))
    wait_for(second, TableTouches(second), 6)
    second.close()
    assert len(read(path)) == 6


def test_sentences_contain_no_tile_codes(open_window: Callable[[], Driver], folder: Path) -> None:
    """Players never see the name of a tile as files have it."""
    keep("friday", *BEGUN)
    driver = open_window()
    go_on(driver, "friday")
    assert not [text for text in driver.texts() if re.search(r"\b[1-9][mpszf]\b", text)]
