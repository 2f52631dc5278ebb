"""An evening of wins whose value alone is entered, at 800×480: what is asked, shown and offered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import page_states
import pytest
from app_driver import Driver, ScriptedReader
from sheet_driver import find, open_sheet, page, state_of
from test_game_win import begin, film
from test_small_win import is_in_sight

from companion.app.news import WinEntryWanted
from companion.app.score_photo import editing
from companion.profiles import load
from companion.rules import Source
from companion.table.events import GameStarted

pytestmark = pytest.mark.slow

SMALL = (800, 480)


@pytest.fixture
def small(kivy_window: None, tmp_path: Path, reader: ScriptedReader) -> Iterator[Driver]:
    driver = Driver(tmp_path, reader, SMALL)
    yield driver
    driver.close()


def is_whole(widget: Any, inside: Any) -> bool:
    """Whether all of it is seen in that list."""
    low, high = (inside.to_window(0, edge)[1] for edge in (inside.y, inside.top))
    bottom = widget.to_window(*widget.pos)[1]
    return bool(low - 1 <= bottom and bottom + widget.height <= high + 1)


def test_each_win_is_asked_from_its_first_question_and_the_values_are_in_sight(
    small: Driver, tmp_path: Path
) -> None:
    page_states.win_stated(small, tmp_path)
    win = small.pages.win_entry.win
    win._column.scroll_y = 0
    small.touch(small.pages.win_entry.cancel)
    small.controller.announce(WinEntryWanted())
    small.settle()
    assert win._column.scroll_y == 1
    assert is_in_sight(win._labels["winner"])
    assert is_in_sight(win._labels["value"])
    assert is_in_sight(win.value.values.button("1"))


def test_beside_the_live_picture_every_way_to_enter_a_win_is_in_sight(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader
) -> None:
    driver = Driver(tmp_path, reader, SMALL, camera=film(tmp_path / "film"))
    try:
        begin(driver, tmp_path / "friday.game", rules="hong_kong")
        driver.controller.announce(WinEntryWanted(1))
        driver.wait(lambda: driver.state.preview is not None, "the live picture")
        driver.frames(4)
        driver.shot("value-live")
        win = driver.pages.win_entry.win
        discarders = [win.discarder.button(key) for key in ("self", "0", "2", "3")]
        values = [win.value.values.button(str(value)) for value in (1, 8)]
        for each in (*discarders, *values, win.value.other, win.value.rows):
            assert is_in_sight(each), each.text
        assert len({each.y for each in discarders}) == 1
        says = driver.pages.win_entry.picture.live.says
        driver.wait(lambda: "Who discarded it?" in says.text, "what is seen")
        driver.frames(4)
        driver.shot("value-live-read")
        assert not says.is_shortened
    finally:
        driver.close()


def test_the_result_names_the_dealers_tai_and_shows_several_lines(small: Driver, tmp_path: Path) -> None:
    page_states.win_stated(small, tmp_path)
    assert small.pages.win_entry.show_all.text == "Show everyone: 8 tai"
    small.show_everyone()
    small.frames(4)
    result = small.pages.win_result
    assert result.reasons[0].startswith("discarded · Dealer +1 · ")
    rows = result.lines.inside.children
    small.shot("value-result")
    assert sum(is_whole(row, result.lines) for row in rows) >= 2
    small.resize((1280, 800))
    small.frames(4)
    assert "Dealer +1" in result.reasons[0]


def test_a_row_says_its_value_once_and_what_it_brings_if_it_counts_twice(
    small: Driver, tmp_path: Path
) -> None:
    options = {**dict(load("hong-kong-common").options), "small_dragons": 5}
    path = tmp_path / "friday.game"
    small.game.begin(path, GameStarted(rules="hong_kong", options=options)).result(20)
    small.wait(lambda: small.state.played.progress and small.state.played.path == path)
    small.controller.announce(WinEntryWanted(1))
    small.settle()
    small.touch(small.pages.win_entry.win.discarder.button("2"))
    small.do(lambda state: editing.state_value(state, 3))
    small.settle()
    assert small.pages.win_entry.show_all.text == "Show everyone: 3 fan = 8 units"
    small.do(editing.show_rows)
    rows = small.pages.win_rows.rows
    assert rows["small_dragons_5"].text.startswith("Small Dragons  +5")
    twice = next(each.row for each in small.state.game_win.list_rows(small.state.draft) if each.row.most > 1)
    for _ in range(2):
        small.do(lambda state: editing.count_row(state, twice.id, twice.most))
    small.frames(4)
    assert rows[twice.id].text.startswith(f"{twice.name} × 2  +{2 * twice.value}")


def test_the_sheet_shows_two_hands_and_offers_nothing_that_needs_tiles(small: Driver) -> None:
    page_states.keep_stated()
    open_sheet(small, "friday")
    rows = [each for each in small.root.walk(restrict=True) if type(each).__name__ == "HandRow"]
    assert sum(is_whole(row, page(small).hands.list) for row in rows) >= 2
    small.touch(find(small, "HandRow", place=2))
    assert not small.says("Step by step")
    assert not small.says("What did it cost?")
    assert not [each for each in page(small).hand.walk(restrict=True) if type(each).__name__ == "TileStrip"]
    assert small.says("Value as stated")


def test_a_win_is_entered_again_as_it_was(small: Driver) -> None:
    page_states.keep_stated()
    open_sheet(small, "friday")
    small.controller.do("sheet", lambda state: state.open_hand(2).begin_correction())
    small.settle()
    small.controller.do("sheet", lambda state: state.enter_again())
    small.settle()
    assert small.page == "win_entry"
    draft = small.state.draft
    assert (draft.winner, draft.source, draft.discarder) == (0, Source.DISCARD, 1)
    assert draft.stated is not None
    assert draft.stated.value == 11
    assert small.state.open_questions == ()
    assert small.pages.win_entry.win.value.other.chosen or draft.stated.value <= 8
    assert state_of(small).look is not None


def test_the_table_and_the_sheet_have_one_undo(small: Driver, tmp_path: Path) -> None:
    page_states.begin_evening(small, tmp_path)
    small.touch(small.root.bar.buttons["game"])
    small.controller.do("game", lambda state: state.begin_hand())
    small.wait(lambda: small.controller.view.states["game"].can_undo, "the deal")
    small.frames(4)
    assert [text for text in small.texts() if text == "Undo"] == ["Undo"]
    count = len(small.state.played.progress.events)
    small.touch(small.root.bar.buttons["undo"])
    small.wait(lambda: len(small.state.played.progress.events) < count, "the undo")
    assert small.page == "game"
