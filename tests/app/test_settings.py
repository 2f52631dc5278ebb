"""The settings apply at once, are undone, are kept, and hold in the next window."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture, list_looks
from page_checks import find_cut, find_small

from companion import config
from companion.app.news import SettingsWanted
from companion.app.places import OutPlace
from companion.app.score_photo import editing
from companion.app.settings.state import Settings, SettingsTab
from companion.game import copies, shelf
from companion.game.game import Game
from companion.moving import CANNOT_MOVE, finish_move
from companion.seeing.camera_check import check_camera
from companion.table.events import GameStarted
from companion.words import Language

pytestmark = pytest.mark.slow


def settings_of(companion: Driver) -> Settings:
    state = companion.controller.view.states["settings"]
    assert isinstance(state, Settings)
    return state


def open_part(companion: Driver, part: SettingsTab) -> None:
    companion.controller.announce(SettingsWanted())
    companion.frames(3)
    companion.touch(companion.pages.settings.part.button(part))
    companion.wait(lambda: companion.controller.view.front.is_ready_to_show)
    companion.settle()


def test_settings_apply_at_once_and_are_kept(companion: Driver) -> None:
    from companion.app.widgets import theme

    dark, usual, gap = theme.FELT, theme.TEXT, theme.GAP
    companion.touch(companion.root.bar.buttons["settings"])
    assert companion.page == "settings"
    assert "settings" not in companion.root.bar.buttons, "it only leads here"
    companion.touch(companion.root.bar.buttons["help"])
    assert "help" not in companion.root.bar.buttons
    companion.touch(companion.root.bar.buttons["settings"])
    companion.press("Light")
    assert sum(theme.FELT[:3]) > sum(dark[:3])
    companion.press("Very large")
    assert usual < theme.TEXT
    companion.press("Undo")
    companion.press("Dense")
    assert gap > theme.GAP
    assert companion.pages.settings.looks.text.buttons[0].height >= theme.TOUCH
    companion.press("繁體中文")
    assert companion.says("設定")
    companion.close()
    again = Driver(companion.folder, ScriptedReader(), SIZES["tablet"])
    assert again.root
    assert sum(theme.FELT[:3]) > sum(dark[:3])
    assert gap > theme.GAP
    assert again.controller.view.words.language is Language.TRADITIONAL
    again.close()
    fresh = Driver(companion.folder / "fresh", ScriptedReader(), SIZES["tablet"])
    assert fresh.root
    assert (dark, gap) == (theme.FELT, theme.GAP)
    fresh.close()


@pytest.mark.parametrize("page", [*SettingsTab, "checked", "unmoved", "moving", "ready", "help"])
def test_the_pages_fit(kivy_window: None, tmp_path: Path, page: str, looks: int) -> None:
    companion = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    try:
        show_page(companion, page, tmp_path)
        for size, language in list_looks()[:looks]:
            companion.resize(SIZES[size])
            companion.controller.set_language(language)
            companion.frames(4)
            companion.shot(f"settings-{page}-{size}-{language}")
            assert (find_cut(companion), find_small(companion)) == ([], []), f"{size}, {language}"
    finally:
        companion.close()


def forbid_moving(state: Settings) -> Settings:
    return replace(state, data=replace(state.data, can_move=False))


def show_page(companion: Driver, page: str, folder: Path) -> None:
    if page == "help":
        companion.touch(companion.root.bar.buttons["help"])
    elif page == "checked":
        open_part(companion, SettingsTab.TABLE)
        bad = check_camera(np.zeros((480, 640, 3), np.uint8), (), None)
        companion.controller.do("settings", lambda state: replace(state, findings=bad))
    elif page in tuple(SettingsTab):
        open_part(companion, SettingsTab(page))
    elif page == "unmoved":
        open_part(companion, SettingsTab.DATA)
        companion.controller.do("settings", forbid_moving)
    else:
        open_part(companion, SettingsTab.DATA)
        companion.controller.do("settings", Settings.offer_to_move)
        companion.settle()
        if page == "ready":
            companion.controller.do("settings", lambda state: state.move_to(folder / "elsewhere"))
            companion.wait(lambda: settings_of(companion).moving.is_ready)  # type: ignore[union-attr]


def test_a_fair_game_shows_no_counts(companion: Driver) -> None:
    companion.controller.do("game", lambda state: state.begin(GameStarted(rules="hefei")))
    companion.wait(lambda: companion.controller.view.states["game"].followed is not None)
    companion.settle()
    start_hand(companion)
    companion.press("Counts")
    said = "Small: seen"
    assert companion.says(said)
    open_part(companion, SettingsTab.TABLE)
    companion.touch(companion.pages.settings.table.fair.button("True"))
    companion.controller.step_back()
    companion.settle()
    assert companion.page == "game"
    assert not companion.says(said)
    assert "Counts" not in companion.texts()
    companion.wait(lambda: companion.pages.game.table.keys.grid.keys, "the keyboard")
    keys = companion.pages.game.table.keys.grid.keys.values()
    assert {key.count for key in keys} == {""}
    companion.controller.do("settings", lambda state: state.undo())
    companion.settle()
    assert companion.says(said)
    assert {key.count for key in keys} == {"4"}


def start_hand(companion: Driver) -> None:
    companion.controller.do("game", lambda state: state.begin_hand())
    companion.wait(lambda: companion.pages.game.table.keys.grid.keys, "the keys")
    companion.settle()


def test_a_game_is_followed_behind_all_settings_but_the_camera(companion: Driver) -> None:
    def paused() -> bool:
        return companion.controller.view.front.pauses_following

    for part in (SettingsTab.LOOKS, SettingsTab.TABLE, SettingsTab.DATA, SettingsTab.TABLE):
        open_part(companion, part)
        assert paused() == (part is SettingsTab.TABLE)


def test_without_a_camera_one_clear_sentence_stands_there(companion: Driver) -> None:
    open_part(companion, SettingsTab.TABLE)
    assert companion.says("No camera was found. Plug one in and touch Search again")


@pytest.fixture
def filmed(kivy_window: None, tmp_path: Path) -> Iterator[Driver]:
    """A window with a recording in the place of a camera: a red picture."""
    film = tmp_path / "red.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 25, (320, 180))
    for _ in range(25):
        writer.write(np.full((180, 320, 3), (0, 0, 200), np.uint8))
    writer.release()
    driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], camera=f"file:{film}")
    yield driver
    driver.close()


def test_the_chosen_camera_shows_its_picture_while_it_is_looked_at(filmed: Driver) -> None:
    open_part(filmed, SettingsTab.TABLE)
    stage = filmed.pages.settings.table.stage
    filmed.wait(lambda: stage.is_live, "the camera's picture")
    x, y = (round(each) for each in stage.to_window(*stage.center))
    blue, green, red = filmed.pixels()[filmed.window.height - y, x]
    assert red > 150 > max(blue, green) + 50
    filmed.wait(lambda: filmed.says("Resolution: 320×180"), "the check of the pictures")
    assert filmed.says("Discards are 7 px high at best, and 23 are needed")
    assert filmed.says("The table is not found")
    filmed.shot("settings-camera")
    check = filmed.controller.features["settings"].check  # type: ignore[attr-defined]
    filmed.touch(filmed.pages.settings.part.button(SettingsTab.DATA))
    check.wait(10)
    assert filmed.controller.features["settings"].check is None  # type: ignore[attr-defined]
    assert not stage.is_live or stage.get_parent_window() is None


def test_a_chosen_camera_is_used_wherever_one_is(companion: Driver) -> None:
    companion.controller.do("settings", lambda state: state.change(camera="/dev/video7"))
    assert companion.controller.view.states["game"].plan.camera == "/dev/video7"  # type: ignore[attr-defined]
    assert companion.bringing.camera == "/dev/video7"


def test_corners_and_devices_are_led_to(companion: Driver) -> None:
    open_part(companion, SettingsTab.TABLE)
    companion.press("Table corners")
    assert companion.banner is not None
    assert "Start a game first" in str(companion.banner.sentence)
    companion.press("Devices")
    assert companion.page == "devices"


@pytest.fixture
def at_home(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A window whose data lie where they usually do."""
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"])
    yield driver
    if driver.root.parent is not None:
        driver.close()


def test_data_are_moved_by_touch_and_used_once_the_window_is_closed(at_home: Driver, tmp_path: Path) -> None:
    closed: list[bool] = []
    at_home.controller.on_close = lambda: closed.append(True)
    at_home.touch(at_home.root.bar.buttons["settings"])
    at_home.press("Light")
    assert at_home.controller.wait_until_kept(10)
    open_part(at_home, SettingsTab.DATA)
    at_home.press("Move it …")
    field = at_home.pages.settings.data.field
    field.text = str(tmp_path / "stick" / "mahjong")
    at_home.frames(2)
    at_home.press("Move there")
    at_home.wait(lambda: at_home.says("Everything is copied"), "the copy")
    at_home.press("Close and switch")
    assert closed == [True]
    at_home.close()
    new = finish_move(tmp_path / "data")
    assert new == tmp_path / "stick" / "mahjong" == config.data_dir()
    assert (new / "session.json").read_bytes() == (tmp_path / "data" / "session.json").read_bytes()


def test_a_system_that_cannot_move_data_does_not_offer_to(at_home: Driver) -> None:
    open_part(at_home, SettingsTab.DATA)
    assert not at_home.pages.settings.data.move.disabled
    at_home.controller.do("settings", forbid_moving)
    at_home.settle()
    assert at_home.says(CANNOT_MOVE)
    assert at_home.pages.settings.data.move.disabled


def test_games_are_copied_to_a_stick_by_touch(
    companion: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "STICK"
    stick.mkdir()
    Game.begin(shelf.path_of("friday"), GameStarted(rules="hefei")).close()
    open_part(companion, SettingsTab.DATA)
    assert not companion.says("Copies of your games"), "there is no other disk"
    companion.press("Back")
    places = (OutPlace(stick, "STICK"), OutPlace(tmp_path))
    monkeypatch.setattr("companion.app.settings.feature.find_out_places", lambda: places)
    open_part(companion, SettingsTab.DATA)
    companion.wait(lambda: companion.says("Copies of your games"))
    companion.press("Copy them to STICK too")
    companion.wait(lambda: companion.says(f"and in {stick}"))
    assert len(copies.list_copies("friday")) == 2
    companion.press("In the data folder only")
    companion.wait(lambda: not companion.says(f"and in {stick}"))
    assert len(copies.find_folders()[0]) == 1
    shutil.rmtree(stick)
    companion.press("Copy them to STICK too")
    companion.wait(lambda: companion.banner is not None)
    assert f"'{stick}' is not a folder" in str(companion.banner.sentence)  # type: ignore[union-attr]


def test_a_folder_that_cannot_be_used_is_said_and_another_can_be_chosen(
    at_home: Driver, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    open_part(at_home, SettingsTab.DATA)
    at_home.press("Move it …")
    at_home.pages.settings.data.field.text = str(tmp_path / "full")
    at_home.frames(2)
    at_home.press("Move there")
    at_home.wait(lambda: at_home.banner is not None)
    assert "is not empty" in str(at_home.banner.sentence)  # type: ignore[union-attr]
    at_home.press("Leave it there")
    assert at_home.says("Your data is in")


def pack(companion: Driver, folder: Path) -> None:
    """Touch the button; what would be packed is shown, and nothing is written before that is agreed to."""
    companion.press("Pack a bad reading")
    companion.settle()
    assert companion.banner is not None
    assert str(companion.banner.sentence).startswith("This packs the whole photo (without place")
    assert not list((folder / "home" / "Downloads").iterdir())
    companion.press("Pack")
    companion.settle()
    (packed,) = (folder / "home" / "Downloads").glob("*.zip")
    assert companion.banner is not None
    assert str(packed) in str(companion.banner.sentence)


def test_a_bad_reading_is_packed_and_the_file_named(
    companion: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/.config"))
    (tmp_path / "home" / "Downloads").mkdir(parents=True)
    companion.do(lambda state: state)
    open_part(companion, SettingsTab.DATA)
    companion.press("Pack a bad reading")
    assert "no photo to pack" in str(companion.banner.sentence)  # type: ignore[union-attr]
    companion.controller.step_back()
    companion.open(draw_picture(tmp_path / "hand.png"))
    first = companion.state.hand.concealed[0]
    companion.do(lambda state: editing.press_key(editing.select(state, first.id), "9m"))
    open_part(companion, SettingsTab.DATA)
    pack(companion, tmp_path)
    (packed,) = (tmp_path / "home" / "Downloads").glob("*.zip")
    with zipfile.ZipFile(packed) as file:
        pixels = cv2.imdecode(np.frombuffer(file.read("picture.png"), np.uint8), cv2.IMREAD_COLOR)
        assert np.array_equal(pixels, cv2.imread(str(tmp_path / "hand.png")))
        assert '"code": "9m"' in file.read("right.json").decode()


def test_a_bad_reading_is_packed_where_it_is_seen(
    companion: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/.config"))
    (tmp_path / "home" / "Downloads").mkdir(parents=True)
    assert "pack" not in companion.root.bar.buttons, "nothing was read"
    companion.open(draw_picture(tmp_path / "hand.png"))
    assert companion.root.bar.buttons["pack"].get_parent_window() is None, "it is in the menu"
    pack(companion, tmp_path)
