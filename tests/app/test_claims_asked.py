"""A win entered by hand into a game of Only wins: which sets were claimed is asked, and what is assumed is
shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_driver import Driver, draw_picture
from test_game_win import begin, choose_tile, wait_for_booking

from companion.app.news import WinEntryWanted
from companion.app.score_photo import editing
from companion.profiles import load
from companion.table.events import Won
from companion.tiles import parse_tiles

PUNGS = "222m444m666m333s88s"
SMALL = (800, 480)

pytestmark = pytest.mark.slow


def enter(companion: Driver, folder: Path, tiles: str = PUNGS, winning: str = "8s") -> Any:
    """Chen drew the last of these tiles, entered by hand; the page."""
    begin(companion, folder / "friday.game")
    companion.controller.announce(WinEntryWanted(2))
    companion.settle()
    entry = companion.pages.win_entry
    companion.touch(entry.win.discarder.button("self"))
    add_tiles(companion, tiles)
    companion.touch(choose_tile(companion, winning))
    companion.frames(3)
    return entry


def add_tiles(companion: Driver, tiles: str) -> None:
    for tile in parse_tiles(tiles):
        companion.do(lambda state, code=tile.code: editing.set_hand(state, state.hand.add(code)))
    companion.frames(3)


@pytest.mark.parametrize("size", [SMALL, (1024, 600), (1280, 800), (800, 1280)])
def test_the_sets_are_drawn_and_what_is_assumed_is_shown(
    companion: Driver, tmp_path: Path, size: tuple[int, int]
) -> None:
    companion.resize(size)
    entry = enter(companion, tmp_path)
    claims = entry.tray.claims
    companion.shot(f"claims-{size[0]}x{size[1]}")
    assert claims.words.text == "Which sets were claimed?\nAssumed: all"
    assert [key.codes[0] for key in claims.keys] == ["2m", "4m", "6m", "3s"]
    assert all(key.assumed and not key.chosen for key in claims.keys)
    for key in (*claims.keys, claims.none):
        left, bottom = key.to_window(key.x, key.y)
        assert 0 <= left < left + key.width <= size[0]
        assert 0 <= bottom < bottom + key.height <= size[1]
        assert key.height >= 57
        assert key.width >= 57
    assumed = companion.state.game_win.entered[-1].score.value
    companion.touch(claims.none)
    assert companion.page == "win_result", "it was the last question"
    companion.touch(companion.pages.win_result.back)
    concealed = companion.state.game_win.entered[-1].score.value
    assert concealed > assumed
    assert claims.words.text == "Claimed sets: 0"
    companion.touch(claims.keys[1])
    assert claims.keys[1].chosen
    assert assumed < companion.state.game_win.entered[-1].score.value < concealed
    companion.shot(f"claims-answered-{size[0]}x{size[1]}")
    companion.press("Undo")
    companion.press("Undo")
    assert companion.state.asks_claims, "the answer is undone as well"
    assert companion.state.game_win.entered[-1].score.value == assumed


def test_what_is_assumed_is_what_is_booked(companion: Driver, tmp_path: Path) -> None:
    entry = enter(companion, tmp_path)
    value = companion.state.game_win.entered[-1].score.value
    assert entry.show_all.text == f"Show everyone: {value:,} zui"
    companion.show_everyone()
    assert companion.says("Which sets were claimed? Assumed: all"), "all four see it"
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    progress = companion.state.played.progress
    assert isinstance(progress.events[-1], Won)
    (result,) = progress.state.hand.results
    assert result.score.value == value
    assert len(progress.state.hand.players[2].melds) == 4


def test_a_hand_that_wins_only_if_concealed_is_not_shown_before_that_is_said(
    companion: Driver, tmp_path: Path
) -> None:
    options = dict(load("hong-kong-common").options)
    begin(companion, tmp_path / "friday.game", rules="hong_kong", **options)
    companion.controller.announce(WinEntryWanted(2))
    companion.settle()
    entry = companion.pages.win_entry
    companion.touch(entry.win.discarder.button("0"))
    add_tiles(companion, "123m456p22s678s789m")
    assert companion.state.assumed_tile is not None
    assert not companion.says("Touch the winning tile."), "any would be worth the same"
    assert companion.says("Whether this hand wins depends on its claims. Which sets were claimed?")
    assert entry.show_all.disabled
    assert entry.show_all.text == "Which sets were claimed?"
    companion.touch(entry.tray.claims.none)
    companion.touch(companion.pages.win_result.back)
    assert entry.show_all.text == "Show everyone: 3 fan = 8 units"
    companion.touch(entry.tray.claims.keys[0])
    assert companion.says("No win"), "somebody has said so"


@pytest.mark.parametrize("size", [SMALL, (1280, 800), (800, 1280)])
def test_it_is_asked_of_a_hand_alone_too(companion: Driver, size: tuple[int, int]) -> None:
    companion.resize(size)
    add_tiles(companion, PUNGS)
    companion.frames(6)
    companion.shot(f"claims-alone-{size[0]}x{size[1]}")
    claims = companion.pages.table.tray.claims
    assert claims.words.text == "Which sets were claimed?\nAssumed: all"
    assert all(key.to_window(key.x, 0)[0] >= 0 for key in claims.keys)
    assert all(key.to_window(key.right, 0)[0] <= size[0] for key in (*claims.keys, claims.none))
    assumed = companion.state.outcome.score.value
    companion.touch(claims.none)
    assert companion.state.outcome.score.value > assumed


def test_a_picture_shows_its_melds_and_is_not_asked_about(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(WinEntryWanted(2))
    companion.settle()
    entry = companion.pages.win_entry
    companion.reader.codes = " ".join(tile.code for tile in parse_tiles(PUNGS))
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    companion.touch(entry.win.discarder.button("self"))
    companion.touch(choose_tile(companion, "8s"))
    assert companion.state.claims is None
