"""Who has won on what: nothing is chosen where two ways are open. And the page that shows a win to all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES, SIZES_IN_LANGUAGES, Driver, draw_picture
from test_game_win import CODES, Counted, begin, choose_tile, enter_first, standing, wait_for_booking

from companion.app.news import SeatWins, WinEntryWanted
from companion.rules import Source
from companion.table.events import Drawn
from companion.tiles import parse_tiles
from companion.words import Language

pytestmark = pytest.mark.slow

LONG = "Maximiliane-Alexandra von Hohenstein-Son"


def open_entry(companion: Driver, folder: Path) -> tuple[int, Any]:
    """After a discard of a recorded hand, with a picture of a hand: how many events stand, the page."""
    begin(companion, folder / "friday.game", recorded=True)
    before = standing(companion)
    companion.controller.announce(WinEntryWanted())
    companion.open(draw_picture(folder / "hand.png"))
    return before, companion.pages.win_entry


def test_after_a_discard_both_ways_to_win_are_offered_and_neither_is_chosen(
    companion: Driver, tmp_path: Path
) -> None:
    before, entry = open_entry(companion, tmp_path)
    cases = entry.win.chances
    assert not any(cases.button(seat, Source.DISCARD).chosen for seat in (0, 2, 3))
    assert not cases.button(2, Source.SELF_DRAW).chosen
    assert not cases.button(1, None).chosen, "whose tile it is, of whom the game knows no win"
    assert companion.state.open_questions[0] == "winner"
    assert companion.says("These tiles are a win. Who won?")
    assert not companion.says("zui"), "no worth while it is open who won"
    assert not companion.says("drew the winning tile")
    assert not companion.says("first draw"), "nor what only one of both ways is"
    assert entry.show_all.disabled
    companion.shot("win_cases")
    companion.touch(cases.button(3, Source.DISCARD))
    assert companion.page == "win_result", "it was the last question"
    companion.touch(companion.pages.win_result.back)
    assert cases.button(3, Source.DISCARD).chosen
    assert companion.says("Discarded by Bao: 8 bamboo.")
    assert companion.state.open_questions == ()
    companion.touch(cases.button(2, Source.SELF_DRAW))
    assert not cases.button(3, Source.DISCARD).chosen
    assert companion.state.asks_tile, "nobody saw what was drawn"
    companion.touch(choose_tile(companion, "6s"))
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    progress = companion.state.played.progress
    assert progress.events[before] == Drawn(seat=2)
    assert progress.state.hand.results[0].source is Source.SELF_DRAW


def test_a_win_of_which_the_game_knows_nothing_is_told_by_somebody_else(
    companion: Driver, tmp_path: Path
) -> None:
    before, entry = open_entry(companion, tmp_path)
    companion.touch(entry.win.chances.button(1, None))
    assert companion.state.open_questions == ("from",)
    companion.touch(entry.win.discarder.button("3"))
    companion.touch(choose_tile(companion, "3p"))
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    (result,) = companion.state.played.progress.state.hand.results
    assert (result.winner, result.discarder, result.tile.code) == (1, 3, "3p")


def test_a_win_button_is_asked_only_where_two_ways_are_open(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    companion.controller.announce(SeatWins(0))
    companion.settle()
    assert companion.state.open_questions == (), "Ann does not draw next: it is Bao's tile"
    assert companion.pages.win_entry.win.chances.button(0, Source.DISCARD).chosen
    companion.controller.announce(SeatWins(2))
    companion.settle()
    assert companion.state.open_questions == ("from",)


def test_a_recorded_win_by_touch_alone_takes_at_most_thirty(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    before = standing(companion)
    finger = Counted(companion)
    finger.count += 1  # "mahjong!" on the table
    companion.controller.announce(WinEntryWanted())
    companion.settle()
    entry = companion.pages.win_entry
    finger.touch(entry.win.chances.button(2, Source.SELF_DRAW))
    finger.press("Add tiles by hand")
    for code in CODES:
        finger.touch(entry.sheet.keys[code])
    finger.press("Done")
    finger.touch(choose_tile(companion, "3p"))
    finger.show_everyone()
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    assert finger.count <= 30


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), SIZES_IN_LANGUAGES)
def test_both_ways_fit_with_long_names(
    companion: Driver, tmp_path: Path, size: tuple[int, int], language: Language
) -> None:
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    begin(companion, tmp_path / "friday.game", recorded=True, names=("Ann", LONG, "Chen", "Dai"))
    companion.controller.announce(WinEntryWanted())
    companion.settle()
    tag = f"{size[0]}x{size[1]}-{language.value}"
    companion.shot(f"win_cases_bare-{tag}")
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.shot(f"win_cases-{tag}")
    cases = companion.pages.win_entry.win.chances
    for seat, source in ((0, Source.DISCARD), (3, Source.DISCARD), (2, Source.SELF_DRAW)):
        button = cases.button(seat, source)
        assert button.to_window(button.right, 0)[0] <= size[0]
        assert companion.pages.win_entry.to_widget(*button.to_window(0, button.y))[1] >= 0


def test_payments_stay_inside_their_card(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", multi_win=True)
    enter_first(companion, tmp_path)
    result, entry = companion.pages.win_result, companion.pages.win_entry
    companion.touch(result.another)
    companion.reader.codes = "2p 3p 4p 5p 6p 7p 8p 8p 4m 5m 6m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "other.png", companion.reader.codes))
    companion.touch(entry.win.askers["winner"].button("0"))
    companion.show_everyone()
    for size in SIZES.values():
        companion.resize(size)
        companion.frames(3)
        reasons = [each for each in result.players.walk(restrict=True) if type(each).__name__ == "_Why"]
        assert len(reasons) == 4
        assert all(each.texture_size[1] <= each.height for each in reasons), "the words stay in their card"
        companion.shot(f"win_two-{size[0]}x{size[1]}")


def test_all_see_flowers_and_winning_tile_and_an_early_win_is_told(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", rules="taiwanese")
    companion.controller.announce(WinEntryWanted(1))
    companion.settle()
    entry, result = companion.pages.win_entry, companion.pages.win_result
    companion.touch(entry.win.discarder.button("self"))
    companion.press("Add tiles by hand")
    for tile in parse_tiles("123m55z456p678s789s234m1f6f"):
        companion.touch(entry.sheet.keys[tile.code])
    companion.press("Done")
    assert companion.says("Touch the winning tile.")
    assert companion.says("wins?"), "what it is worth depends on the tile that is assumed"
    companion.shot("win_tile_asked")
    companion.touch(choose_tile(companion, "9s"))
    companion.touch(entry.tray.claims.none)
    assert companion.page == "win_result"
    companion.touch(result.back)
    assert "tai" in entry.score.total.text
    companion.show_everyone()
    companion.shot("win_flowers")
    assert result.strips[0].groups[-1] == [("1f", False), ("6f", False)]
    (won_on,) = [each.text for each in result.walk(restrict=True) if type(each).__name__ == "TileText"]
    assert won_on == "Winning tile: 9 bamboo"
    assert "Win Within" not in " ".join(companion.texts())
    companion.touch(result.back)
    discards = entry.win.askers["discards"]
    assert discards.text == "not known"
    companion.touch(discards)
    companion.shot("win_discards")
    companion.touch(discards.keypad.keys["9"])
    companion.touch(discards.keypad.keys["Done"])
    companion.wait(lambda: discards.keypad.parent is None, "the keypad to go")
    companion.show_everyone()
    assert companion.says("Win Within 5-10 Discards")
