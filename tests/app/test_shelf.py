"""Figures, kept games and exports of the score sheet in a real window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from app_driver import SIZES, Driver
from pypdf import PdfReader
from sheet_driver import (
    NAMES,
    find_row,
    keep_declared,
    keep_game,
    open_games,
    open_sheet,
    page,
    points_of,
    state_of,
)
from sheet_driver import keep as keep_events

from companion.app.home.state import Page
from companion.app.news import KeptGameWanted
from companion.game import shelf
from companion.game.copies import keep
from companion.sheets.hands import make_sheet
from companion.table.events import GameEnded
from companion.words import Language

pytestmark = pytest.mark.slow


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DOCUMENTS_DIR", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    (tmp_path / "Documents").mkdir()
    return tmp_path / "Documents"


@pytest.mark.sampled
@pytest.mark.parametrize("size", [SIZES["small"], (1920, 1080)])
def test_figures_of_a_game_and_of_all_evenings(companion: Driver, size: tuple[int, int]) -> None:
    keep_game("friday", hands=3)
    keep_game("saturday", rules="taiwanese", hands=3, names=("Bao", "Ann", "Eva", "Dai"))
    companion.resize(size)
    open_sheet(companion, "friday")
    companion.press("Figures")
    companion.shot(f"sheet-figures-{size[0]}x{size[1]}")
    companion.press("All evenings")
    companion.settle()
    evenings = state_of(companion).evenings.all
    assert evenings is not None
    assert evenings.evenings == 2
    assert {one.name for one in evenings.people} == {*NAMES, "Eva"}
    assert companion.says("Eva")
    assert companion.says("Hong Kong · points only")
    assert companion.says("Taiwanese · points only")
    companion.shot(f"sheet-evenings-{size[0]}x{size[1]}")


@pytest.mark.parametrize("part", ["Hands", "Figures"])
def test_without_a_game_the_sheet_says_where_there_are_some(companion: Driver, part: str) -> None:
    keep_declared("friday")
    companion.touch(companion.root.bar.buttons["sheet"])
    companion.settle()
    companion.press(part)
    companion.settle()
    assert companion.says("No game is open: choose a kept one")
    companion.shot(f"sheet-no-game-{part}")
    companion.touch(page(companion).no_game.games)
    companion.settle()
    assert companion.page == "kept_games"
    companion.touch(find_row(companion, "friday").sheet)
    companion.settle()
    assert not companion.says("No game is open")
    assert state_of(companion).sheet is not None
    companion.press(part)
    assert not companion.says("No game is open")


def test_the_game_that_is_played_is_listed_and_counted(companion: Driver) -> None:
    keep_declared("friday")
    keep_declared("sunday", names=("Eva", "Bao", "Chen", "Dai"))
    companion.controller.announce(KeptGameWanted("sunday"))
    companion.settle()
    open_games(companion)
    row = find_row(companion, "sunday")
    assert not row.sheet.disabled
    assert "Eva" in row.players.text
    assert row.about.text.endswith("in progress")
    assert not row.go_on.disabled
    companion.touch(row.sheet)
    companion.settle()
    assert state_of(companion).sheet is not None
    companion.press("All evenings")
    companion.settle()
    evenings = state_of(companion).evenings.all
    assert evenings is not None
    assert (evenings.evenings, evenings.hands) == (2, 6)


def test_an_open_game_that_has_ended_is_not_being_played(companion: Driver) -> None:
    keep_events("sunday", [*keep_declared("friday"), GameEnded(why="late")])
    companion.controller.announce(KeptGameWanted("sunday"))
    companion.settle()
    open_games(companion)
    assert find_row(companion, "sunday").about.text.endswith("ended")
    assert "ended" not in find_row(companion, "friday").about.text


def test_kept_games_are_found_renamed_copied_set_aside_and_had_back(companion: Driver) -> None:
    keep_declared("friday")
    keep_declared("sunday", names=("Eva", "Bao", "Chen", "Dai"))
    open_games(companion)
    games = companion.pages.kept_games
    assert companion.says("2 games")
    companion.shot("sheet-games")
    games.sought.text = "eva"
    companion.frames(4)
    assert companion.says("1 game")
    companion.touch(find_row(companion, "sunday").change)
    companion.shot("sheet-game-change")
    games.name.text = "monday"
    companion.frames(2)
    companion.press("Rename")
    companion.settle()
    assert shelf.names() == ["friday", "monday"]
    companion.press("Undo")
    companion.settle()
    assert shelf.names() == ["friday", "sunday"]
    companion.touch(find_row(companion, "sunday").change)
    games.name.text = "friday"
    companion.frames(2)
    companion.press("Rename")
    companion.settle()
    assert "friday" in str(companion.banner.sentence)  # type: ignore[union-attr]
    assert shelf.names() == ["friday", "sunday"]
    assert games.copy_name.text == "sunday-2"
    games.copy_name.text = "sunday"
    companion.frames(2)
    companion.press("Make a copy")
    companion.settle()
    assert "There is a game 'sunday' already" in str(companion.banner.sentence)  # type: ignore[union-attr]
    assert shelf.names() == ["friday", "sunday"]
    games.copy_name.text = "sunday-2"
    companion.frames(2)
    companion.shot("sheet-game-copy")
    companion.press("Make a copy")
    companion.settle()
    assert shelf.names() == ["friday", "sunday", "sunday-2"]
    companion.touch(find_row(companion, "sunday-2").change)
    companion.press("Archive")
    companion.settle()
    assert shelf.names() == ["friday", "sunday"]
    companion.press("Archived: 1")
    companion.wait(lambda: companion.says("Bao 12"), "who played")
    assert companion.says("3 hands")
    companion.shot("sheet-aside")
    keep_declared("sunday-2", names=("Eva", "Bao", "Chen", "Dai"))
    companion.press("Restore")
    companion.settle()
    assert shelf.names() == ["friday", "sunday", "sunday-2", "sunday-2-2"]
    assert "Restored as sunday-2-2: another game is called sunday-2." in str(companion.banner.sentence)  # type: ignore[union-attr]
    companion.press("Undo")
    companion.settle()
    companion.wait(lambda: companion.says("Bao 12"), "who played the game that is aside again")
    shelf.path_of("sunday-2").unlink()
    companion.press("Restore")
    companion.settle()
    assert "sunday-2 is restored." in str(companion.banner.sentence)  # type: ignore[union-attr]


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(600, 1024), (800, 480), SIZES["tablet"]])
def test_a_damaged_game_is_restored_by_touch(companion: Driver, size: tuple[int, int]) -> None:
    keep_declared("friday")
    path = shelf.path_of("friday")
    content = path.read_bytes()
    keep(path, content)
    path.write_bytes(b"")
    companion.resize(size)
    companion.controller.do("home", lambda state: state.look().show(Page.GAMES))
    companion.wait(lambda: companion.says("A copy of "), "the damaged game")
    companion.shot(f"restore-{size[0]}")
    assert not companion.says("begin it again")
    companion.press("Restore")
    companion.wait(lambda: companion.says("Continue"), "the restored game")
    assert path.read_bytes() == content
    assert not companion.says("A copy of ")
    path.write_bytes(b"")
    open_games(companion)
    companion.wait(lambda: companion.says("A copy of "), "the game that is damaged again")
    companion.press("Restore")
    companion.wait(lambda: path.read_bytes() == content, "the game that is restored again")


def test_one_of_two_hundred_games_is_found_at_once(companion: Driver) -> None:
    events = keep_declared("game-000")
    first = shelf.path_of("game-000").read_bytes()
    for n in range(1, 200):
        shelf.path_of(f"game-{n:03}").write_bytes(first)
    open_games(companion)
    assert companion.says("200 games")
    games = companion.pages.kept_games
    games.sought.text = "game-137"
    companion.frames(4)
    companion.touch(find_row(companion, "game-137").sheet)
    companion.settle()
    assert state_of(companion).name == "game-137"
    assert points_of(companion) == make_sheet(events).state.points


@pytest.mark.parametrize("language", [Language.SIMPLIFIED])
def test_shown_sheet_is_saved_in_the_documents_folder(
    companion: Driver, places: Path, language: Language
) -> None:
    keep_declared("friday")
    companion.controller.do("settings", lambda state: state.speak(language))
    open_sheet(companion, "friday")
    forms = {"png": 0, "pdf": 1, "csv": 2, "json": 3}
    for at in forms.values():
        companion.touch(page(companion).save)
        buttons = page(companion).forms.container.children[::-1]
        companion.touch(buttons[at])
        companion.settle()
        assert "Documents" in str(companion.banner.sentence)  # type: ignore[union-attr]
    companion.shot(f"sheet-saved-{language.value}")
    text = "".join(each.extract_text() for each in PdfReader(places / "香港麻将 friday.pdf").pages)
    assert ("每局之后" if language is Language.SIMPLIFIED else "Points after") in text
    assert (places / "香港麻将 friday.png").read_bytes().startswith(b"\x89PNG")
    assert (places / "香港麻将 friday.csv").read_bytes().decode("utf-8-sig").startswith('"编号",')
    assert json.loads((places / "香港麻将 friday.json").read_bytes())["figures"]["hands"] == 3
    companion.touch(page(companion).save)
    companion.touch(page(companion).forms.container.children[::-1][1])
    companion.settle()
    assert (places / "香港麻将 friday (2).pdf").exists()


def test_people_without_names_are_called_in_files_as_in_the_window(companion: Driver, places: Path) -> None:
    keep_declared("friday", names=("", "Bao", "", ""))
    open_sheet(companion, "friday")
    for at in (1, 2):
        companion.touch(page(companion).save)
        companion.touch(page(companion).forms.container.children[::-1][at])
        companion.settle()
    rows = (places / "mahjong Hong Kong friday.csv").read_bytes().decode("utf-8-sig").splitlines()
    assert '"You","Bao","Across","Left"' in rows[0]
    pages = PdfReader(places / "mahjong Hong Kong friday.pdf").pages
    text = "".join(each.extract_text() for each in pages)
    assert all(name in text for name in ("You", "Bao", "Across", "Left"))


def test_a_folder_that_cannot_be_written_to_loses_nothing(
    companion: Driver, places: Path, tmp_path: Path
) -> None:
    keep_declared("friday")
    open_sheet(companion, "friday")
    places.rmdir()
    places.write_text("a file")
    (tmp_path / "mahjong Hong Kong friday.csv").mkdir()
    companion.touch(page(companion).save)
    companion.touch(page(companion).forms.container.children[::-1][2])
    companion.settle()
    assert companion.banner is not None
    assert (tmp_path / "mahjong Hong Kong friday (2).csv").exists()
