"""A person at the window: touches, corrections, scores, as seen on the screen."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import SIZES, WIN, Driver, ScriptedReader, draw_picture

from companion.app.recognition import use_models
from companion.app.score_photo import editing, how_won
from companion.tiles import MeldKind
from companion.words import Language
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    return draw_picture(tmp_path / "hand.png")


def test_a_picture_becomes_a_score_on_the_screen(companion: Driver, picture: Path) -> None:
    before = companion.pixels()
    companion.open(picture)
    assert companion.says("15 zui")
    assert companion.says("Winning a Hand")
    assert companion.says("胡牌")
    assert companion.says("Winning a Hand")
    assert companion.says("+1,140")
    assert changed(before, companion.pixels()) > 0.2


def test_a_touch_on_a_tile_of_the_picture_and_one_on_the_keyboard_correct_it(
    companion: Driver, reader: ScriptedReader, picture: Path
) -> None:
    reader.codes, reader.unsure = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 7s", (13,)
    companion.open(picture)
    last = companion.state.hand.tiles[-1]
    place = companion.pages.table.picture.stage.place_of(last.id)
    companion.touch(companion.pages.table.picture.stage.to_window(*place))
    assert companion.state.selected == last.id
    assert companion.says("Is this right?")
    before = companion.pixels()
    companion.touch(companion.pages.table.sheet.keys["8s"])
    assert companion.state.hand.tiles[-1].code == "8s"
    assert companion.says("15 zui")
    assert not companion.says("No win")
    assert changed(before, companion.pixels()) > 0.02
    companion.press("Undo")
    assert not companion.says("15 zui")


def test_a_tile_in_the_hand_row_opens_the_keyboard_too(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    first = companion.state.hand.tiles[0]
    companion.touch(companion.pages.table.tray.keys[first.id])
    assert companion.state.selected == first.id
    companion.touch(companion.pages.table.tray.keys[first.id])
    assert companion.state.selected is None


def test_unsure_tiles_are_counted_and_visited_one_after_the_other(
    companion: Driver, reader: ScriptedReader, picture: Path
) -> None:
    reader.unsure = (2, 9)
    companion.open(picture)
    tiles = companion.state.hand.tiles
    companion.press("2 to check")
    assert companion.state.selected == tiles[2].id
    companion.touch(companion.pages.table.sheet.keys["4m"])
    assert companion.state.selected == tiles[9].id
    assert companion.says("1 to check")
    companion.touch(companion.pages.table.sheet.keys["4p"])
    assert companion.state.selected is None
    assert not companion.says("to check")


def test_one_touch_makes_a_pung_and_one_the_winning_tile(
    companion: Driver, reader: ScriptedReader, tmp_path: Path
) -> None:
    reader.codes = "2m 2m 2m 3m 4m 5m 6m 7m 8m 8m 8m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "pungs.png", reader.codes))
    tray, sheet = companion.pages.table.tray, companion.pages.table.sheet
    tiles = companion.state.hand.tiles
    companion.touch(tray.keys[tiles[1].id])
    assert sheet.actions["k"].disabled
    companion.touch(sheet.actions["p"])
    (meld,) = companion.state.hand.melds
    assert (meld.kind, meld.members) == (MeldKind.PUNG, tuple(tile.id for tile in tiles[:3]))
    assert companion.state.draft.request()["melds"] == ["p222m"]
    companion.touch(tray.keys[tiles[-2].id])
    companion.touch(sheet.actions["win"])
    assert companion.state.draft.request()["winning_tile"] == "7s"
    assert companion.says("Single Wait")
    companion.touch(tray.keys[tiles[0].id])
    companion.press("Split the meld")
    assert companion.state.hand.melds == ()


def test_tiles_are_added_and_removed_by_hand_without_a_picture(companion: Driver) -> None:
    companion.press("Add tiles by hand")
    for code in ["2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p", "6s", "7s"]:
        companion.touch(companion.pages.table.sheet.keys[code])
    assert companion.says("There are 13 tiles in the hand")
    companion.touch(companion.pages.table.sheet.keys["8s"])
    assert companion.says("15 zui")
    companion.touch(companion.pages.table.sheet.keys["8s"])
    assert companion.says("There are 15 tiles in the hand")
    companion.press("Done")
    companion.touch(companion.pages.table.tray.keys[companion.state.hand.tiles[-1].id])
    companion.press("Remove")
    assert companion.says("15 zui")


def test_how_it_was_won_changes_what_each_seat_pays(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    win = companion.pages.table.win
    companion.press("Discard")
    companion.touch(win.askers["from"].button("2"))
    companion.touch(win.askers["dealer"].button("1"))
    seats = companion.pages.table.score.seats.seats
    assert [seat.amount.text for seat in seats] == ["+300", "0", "−300", "0"]
    companion.touch(win.askers["winner"].button("1"))
    companion.touch(win.askers["streak"].more)
    assert [seat.amount.text for seat in seats] == ["0", "+460", "−460", "0"]
    assert companion.says("dealer · wins")
    companion.press("Self-draw")
    companion.press("Sea floor")
    assert companion.says("30 zui")


def test_a_house_rule_is_switched_and_counts(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    companion.press("House rules")
    row = companion.pages.options.rows["win_row"]
    assert companion.says("Points of the row Winning a Hand")
    companion.touch(row.choices.button("0"))
    companion.press("Done")
    assert companion.says("0 zui")
    assert companion.says("House rules: 1")


def test_effect_of_other_house_rules_is_shown(
    companion: Driver, reader: ScriptedReader, tmp_path: Path
) -> None:
    reader.codes = "2m 2m 3m 3m 5m 5m 7m 7m 6p 6p 7p 7p 8s 8s"
    companion.open(draw_picture(tmp_path / "pairs.png", reader.codes))
    companion.press("Discard")
    assert beside(companion, "Seven pairs win") == "No win"
    assert beside(companion, "Points of the row Winning a Hand") == "11"
    assert companion.says("all three\nYou +1,800 · Right −600 · Across −600 · Left −600")


def test_cost_of_a_false_win_is_shown(companion: Driver, reader: ScriptedReader, picture: Path) -> None:
    reader.codes = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 7s"
    companion.open(picture)
    amounts = [seat.amount for seat in companion.pages.table.score.seats.seats]
    assert [amount.text for amount in amounts] == ["–", "–", "–", "–"]
    companion.do(lambda state: how_won.set_option(state, "false_win_penalty", 2))
    assert companion.says("No win")
    assert [amount.text for amount in amounts] == ["−6", "+2", "+2", "+2"]


def test_the_language_is_switched_by_a_touch_and_kept(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    companion.press("简")
    assert companion.says("15 嘴")
    assert companion.says("胡牌")
    companion.press("繁")
    assert companion.says("莊家")
    assert not companion.says("庄家")
    companion.controller.close()
    again = Driver(companion.folder, ScriptedReader(), SIZES["tablet"])
    assert again.view is not None
    assert again.view.words.language is Language.TRADITIONAL
    again.close()


def test_the_language_that_a_start_asks_for_is_kept(kivy_window: None, tmp_path: Path) -> None:
    for asked, spoken in ((Language.SIMPLIFIED,) * 2, (None, Language.SIMPLIFIED)):
        driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], language=asked, home=True)
        try:
            assert driver.controller.view.words.language is spoken
        finally:
            driver.close()


def test_pinch_and_scroll_come_closer_and_the_picture_never_leaves_its_frame(
    companion: Driver, picture: Path
) -> None:
    companion.open(picture)
    stage = companion.pages.table.picture.stage
    board = stage._board
    middle = stage.place_of(companion.state.hand.tiles[7].id)
    board.zoom_by(3.0, middle)
    assert stage.zoom == pytest.approx(3.0)
    assert stage.place_of(companion.state.hand.tiles[7].id) == pytest.approx(middle)
    companion.drag(stage.center, (stage.center_x + 4000, stage.center_y))
    assert board.x <= stage.x + 1
    assert board.right >= stage.right - 1
    first = companion.state.hand.tiles[0].id
    companion.touch(stage.to_window(*stage.place_of(first)))
    assert first in companion.state.hand.others


def test_a_picture_is_chosen_from_thumbnails(companion: Driver, picture: Path) -> None:
    companion.pages.pictures.folder = picture.parent
    companion.press("Picture")
    grid = companion.pages.pictures.grid
    companion.wait(
        lambda: any(cell.name.text == "hand.png" for cell in grid.children[0].children), "the file"
    )
    cell = next(cell for cell in grid.children[0].children if cell.name.text == "hand.png")
    companion.wait(lambda: cell.picture._image is not None, "its thumbnail")
    companion.touch(cell)
    companion.settle()
    assert companion.page == "table"
    assert companion.says("15 zui")


def test_the_window_goes_on_while_a_picture_is_read(
    companion: Driver, reader: ScriptedReader, picture: Path
) -> None:
    reader.gate.clear()
    companion.controller.bring_picture(picture)
    companion.wait(lambda: companion.says("Reading the tiles"), "the progress")
    companion.press("Discard")
    assert companion.pages.table.win.askers["source"].button("discard").chosen
    before = companion.pixels()
    companion.wait(lambda: changed(before, companion.pixels()) > 0, "the progress bar to move")
    companion.wait(lambda: companion.says("Reading the tiles"), "the progress")
    reader.gate.set()
    companion.settle()
    assert companion.says("15 zui")


def test_a_drawn_table_is_read_and_scored_with_the_models_of_the_program(
    kivy_window: None, tmp_path: Path
) -> None:
    path = tmp_path / "table.png"
    assert cv2.imwrite(str(path), render_hand([WIN.split()]).image)
    companion = Driver(tmp_path, use_models(), SIZES["tablet"])
    companion.open(path)
    assert [tile.code for tile in companion.state.hand.tiles] == WIN.split()
    assert companion.says("15 zui")
    assert companion.says("+1,140")
    companion.close()


def test_closing_and_opening_again_resumes_the_hand(companion: Driver, picture: Path) -> None:
    companion.open(picture)
    companion.do(lambda state: editing.press_key(editing.select(state, state.hand.tiles[0].id), "8s"))
    companion.press("Discard")
    draft = companion.state.draft
    companion.close()
    again = Driver(companion.folder, ScriptedReader(), SIZES["tablet"])
    assert again.state.draft == draft
    assert again.pages.table.picture.stage.place_of(draft.hand.tiles[0].id) is not None
    again.close()


def beside(companion: Driver, text: str) -> str:
    """What stands to the right the label with `text`."""
    (label,) = [label for label in companion.labels() if text in label.text]
    others = [other.text for other in label.parent.children if other is not label]
    return " ".join(others)


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """The part of the window that looks different."""
    assert before.shape == after.shape
    return float((np.abs(before.astype(int) - after.astype(int)).max(axis=2) > 24).mean())


@pytest.mark.parametrize("size", ["small", "portrait", "tablet"])
def test_start_undo_table_and_sheet_are_at_one_place_on_every_page(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: str
) -> None:
    driver = Driver(tmp_path, reader, SIZES[size])
    try:
        places = set()
        for page in ("game", "sheet", "settings", "devices", "sets", "help", "home"):
            driver.touch(driver.root.bar.buttons[page])
            bar = driver.root.bar
            fixed = [bar.buttons[name] for name in ("home", "undo", "game", "sheet")]
            places.add(tuple(place for press in (*fixed, bar.menu) for place in (*press.pos, *press.size)))
            assert all(press.parent is bar.menu.parent for press in fixed), f"{page}: in the bar"
        assert len(places) == 1
    finally:
        driver.close()


def test_the_bar_fits_the_window_when_its_size_changes(companion: Driver) -> None:
    """It was laid out for the width before: a new window showed icons without words or a title."""
    bar = companion.root.bar
    for size in ("tablet", "portrait", "small"):
        companion.window.size = SIZES[size]
        companion.frames(1)
        in_bar = [button for button in bar.buttons.values() if button.get_parent_window()]
        assert all(button.text.strip() for button in in_bar)
        assert max(button.right for button in in_bar) <= bar.menu.x < bar.menu.right <= bar.width
    companion.touch(bar.menu)
    assert bar.buttons["devices"].get_parent_window(), "what has no room is in the menu"


@pytest.mark.parametrize("size", [(800, 480), (1024, 600)])
def test_the_whole_menu_is_in_the_window(companion: Driver, size: tuple[int, int]) -> None:
    companion.resize(size)
    bar = companion.root.bar
    companion.touch(bar.menu)
    listed = [press for press in bar.offered if press.parent and press.parent is not bar.menu.parent]
    assert "Help" in [press.text for press in listed]
    assert [press.text for press in listed if press.to_window(*press.pos)[1] < 0] == []


@pytest.mark.parametrize("sizes", [("small", "tablet"), ("tablet", "small"), ("portrait", "tablet")])
def test_an_empty_hand_has_no_scrollbar(companion: Driver, sizes: tuple[str, str]) -> None:
    """The tray had the height of its tiles at the width before."""
    column = companion.pages.table.tray._column
    for size in sizes:
        companion.window.size = SIZES[size]
        companion.frames(4)
        assert column.inside.height <= column.height
