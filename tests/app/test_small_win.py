"""A win entered at 800×480, window by window: what is asked next is in sight and nothing is cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_driver import WAIT_S, Driver, ScriptedReader, draw_picture, find_scroller
from page_checks import find_cut
from test_game_win import begin, choose_tile

from companion.app.news import WinEntryWanted
from companion.app.score_photo import editing
from companion.money import Currency
from companion.profiles import load
from companion.rules.win import Stakes
from companion.table.events import GameStarted
from companion.tiles import parse_tiles
from companion.words import Language

SMALL = (800, 480)
NAMES = ("Siu", "Mei", "Wing", "Auntie")

pytestmark = pytest.mark.slow


@pytest.fixture(params=[Language.ENGLISH, Language.TRADITIONAL], ids=lambda language: language.value)
def small(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, request: pytest.FixtureRequest
) -> Iterator[Driver]:
    """Who won is asked, in a game by the rules common in Taiwan."""
    driver = Driver(tmp_path, reader, SMALL, language=request.param)
    options = dict(load("taiwanese-common").options)
    begin(driver, tmp_path / "friday.game", rules="taiwanese", names=NAMES, **options)
    driver.controller.announce(WinEntryWanted())
    driver.settle()
    yield driver
    driver.close()


def is_in_sight(widget: Any) -> bool:
    """Whether all of it is inside the list that scrolls it."""
    shown = find_scroller(widget)
    bottom = widget.to_window(widget.x, widget.y)[1]
    low, high = shown.to_window(0, shown.y)[1], shown.to_window(0, shown.top)[1]
    return bool(low - 1 <= bottom and bottom + widget.height <= high + 1)


def add(driver: Driver, tiles: str) -> None:
    for tile in parse_tiles(tiles):
        driver.do(lambda state, code=tile.code: editing.set_hand(state, state.hand.add(code)))
    driver.frames(4)


def check_discarders(driver: Driver) -> None:
    win = driver.pages.win_entry.win
    assert is_in_sight(win._labels["discarder"])
    for key in ("self", "0", "2", "3"):
        assert is_in_sight(win.discarder.button(key)), key
    assert find_cut(driver) == []


def test_the_discarders_are_in_sight_once_the_winner_is_touched(small: Driver) -> None:
    small.touch(small.pages.win_entry.win.askers["winner"].button("1"))
    small.frames(4)
    small.shot("small-from-bare")
    check_discarders(small)


def test_the_discarders_are_in_sight_next_to_an_unfinished_hand(small: Driver) -> None:
    add(small, "111222m333p444s55s77z")
    small.touch(small.pages.win_entry.win.askers["winner"].button("1"))
    small.frames(4)
    small.shot("small-from-tiles")
    check_discarders(small)
    small.touch(small.pages.win_entry.win.discarder.button("0"))
    small.frames(4)
    small.shot("small-answered")
    assert find_cut(small) == []


def test_the_discarders_are_in_sight_next_to_a_photo(small: Driver, tmp_path: Path) -> None:
    small.reader.codes = "1m 1m 1m 2m 2m 2m 3p 3p 3p 4s 4s 4s 5s 5s 7z 7z 7z"
    small.open(draw_picture(tmp_path / "hand.png", small.reader.codes))
    small.touch(small.pages.win_entry.win.askers["winner"].button("1"))
    small.frames(4)
    small.shot("small-from-photo")
    check_discarders(small)


def test_nothing_is_asked_that_no_row_of_the_table_reads(small: Driver) -> None:
    entry = small.pages.win_entry
    assert entry.win.askers["discards"].get_parent_window() is None
    add(small, "111222m333p444s55s777z")
    small.touch(entry.win.askers["winner"].button("1"))
    small.touch(entry.win.discarder.button("0"))
    small.touch(choose_tile(small, "5s"))
    small.frames(4)
    small.shot("small-complete")
    assert find_cut(small) == []
    assert is_in_sight(entry.win.discarder.button("3"))


def test_nine_keys_stand_side_by_side_and_the_question_is_whole(small: Driver) -> None:
    add(small, "123456789m123p456s77p")
    small.touch(small.pages.win_entry.win.askers["winner"].button("1"))
    small.touch(small.pages.win_entry.win.discarder.button("0"))
    small.do(editing.start_adding)
    small.frames(6)
    small.shot("small-typing")
    sheet = small.pages.win_entry.sheet
    column = find_scroller(sheet.keys["9m"])
    for code in ("9m", "9p", "9s"):
        key = sheet.keys[code]
        assert key.to_window(key.right, 0)[0] <= column.to_window(column.right - 2 * column.bar_width, 0)[0]
    assert find_cut(small) == []


def test_what_each_pays_is_whole_and_overlaps_nothing(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader
) -> None:
    """With stakes, money, and a dealer on a long streak, whose sum is the longest."""
    from kivy.core.text import Label as CoreLabel

    driver = Driver(tmp_path, reader, SMALL)
    started = GameStarted(
        rules="taiwanese", names=NAMES, options=dict(load("taiwanese-common").options), streak=11,
        stakes=Stakes(50, 20), currency=Currency("NT$", "1", "10"),
    )  # fmt: skip
    path = tmp_path / "friday.game"
    driver.game.begin(path, started).result(WAIT_S)
    driver.wait(lambda: driver.state.played.progress and driver.state.played.path == path)
    driver.controller.announce(WinEntryWanted(1))
    driver.settle()
    entry, result = driver.pages.win_entry, driver.pages.win_result
    driver.touch(entry.win.discarder.button("0"))
    add(driver, "111222m333p444s55s777z")
    driver.touch(choose_tile(driver, "5s"))
    driver.show_everyone()
    driver.frames(4)
    driver.shot("small-result")
    sums = [each for each in result.players.walk(restrict=True) if type(each).__name__ == "_Why"]
    assert any("50 + 20" in each.text.replace("\u00a0", " ") for each in sums)
    for why in sums:
        assert why.texture_size[1] <= why.height, "it stays out of the money above it"
        label = CoreLabel(font_size=why.font_size, font_name=why.font_name)
        for piece in why.text.split(" "):
            assert label.get_extents(piece)[0] <= why.width, f"{piece!r} is broken"
    cards = result.players.children
    assert len({round(card.height) for card in cards}) == 1
    assert all(card.height >= sum(part.height for part in card.children) for card in cards)
    driver.close()
