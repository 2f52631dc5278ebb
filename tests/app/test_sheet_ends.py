"""A hand that was recorded with another end than it had is put right in the real window: a draw that somebody
won after all, a win that was none, a winner who was forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture, find_scroller
from page_checks import find_cut
from sheet_driver import (
    NAMES,
    find,
    keep,
    keep_declared,
    keep_game,
    open_sheet,
    page,
    points_of,
    state_of,
    wait_for_fix,
)

from companion.app.news import KeptGameWanted
from companion.game import shelf
from companion.game.game import Game
from companion.rules import Source
from companion.rules.stated import Stated
from companion.sheets.hands import Sheet
from companion.table.apply import fold
from companion.table.events import Dealt, Discarded, Event, GameStarted, HandAbandoned, HandStarted, Won
from companion.table.unrecorded import ReportedWin, enter_drawn, enter_win
from companion.tiles import Tile, parse_tiles
from companion.words import Language

pytestmark = pytest.mark.slow

CODES = ("1m", "2m", "3m", "5z", "5z", "4p", "5p", "6p", "6s", "7s", "8s", "7s", "8s", "9s")
OTHER = ("2m", "3m", "4m", "5z", "5z", "4p", "5p", "6p", "6s", "7s", "8s", "7s", "8s", "9s")


def keep_drawn(name: str = "drawn", **options: bool) -> list[Event]:
    """A game of which only ends were recorded: a draw, a win, and a hand that does not count."""
    events: list[Event] = [GameStarted(rules="hong_kong", names=NAMES, options=dict(options))]
    state = fold(events)
    assert state is not None
    events += enter_drawn(state)
    state = fold(events)
    assert state is not None
    reported = ReportedWin(
        2, Source.SELF_DRAW, None, Tile.parse("9s"), tuple(parse_tiles("123m55z456p678s789s"))
    )
    events += enter_win(state, reported).events
    state = fold(events)
    assert state is not None
    events += [HandStarted(dealer=state.deal.dealer, dice=(3, 4)), HandAbandoned(why="walls fell")]
    keep(name, events)
    return events


def sheet_of(companion: Driver) -> Sheet:
    sheet = state_of(companion).sheet
    assert sheet is not None
    return sheet


def begin_fix(companion: Driver, place: int) -> Any:
    """The pane in which the end of that hand is put right."""
    companion.touch(find(companion, "HandRow", place=place))
    hand = page(companion).hand
    companion.touch(hand.fix)
    return hand.fixing


def test_who_won_and_whose_tile_it_was_are_in_sight_in_a_low_window(companion: Driver) -> None:
    companion.resize((800, 480))
    keep_declared("friday")
    open_sheet(companion, "friday")
    fixing = begin_fix(companion, 1)
    companion.frames(4)
    companion.shot("fix-low")
    assert len({button.y for button in fixing.who.buttons}) == 1
    bottom = find_scroller(fixing.whose).to_window(0, find_scroller(fixing.whose).y)[1]
    assert fixing.whose.to_window(0, fixing.whose.y)[1] >= bottom
    assert find_cut(companion) == []


def type_hand(companion: Driver, codes: tuple[str, ...], won: str) -> None:
    """Touch these tiles, and the one that won, as far as they are not there yet."""
    entry = companion.pages.win_entry
    companion.press("Add tiles by hand")
    left = list(codes)
    for tile in companion.state.hand.tiles:
        left.remove(tile.code)
    for code in left:
        companion.touch(entry.sheet.keys[code])
    companion.touch(entry.sheet.actions["done"])
    if companion.state.asks_tile:
        found = [tile for tile in companion.state.hand.concealed if tile.code == won]
        companion.touch(entry.tray.keys[found[-1].id])


def change_it(companion: Driver, fixing: Any) -> None:
    companion.wait(lambda: companion.page == "sheet", "the sheet")
    wait_for_fix(companion)
    fix = state_of(companion).look.fix  # type: ignore[union-attr]
    assert fix is not None
    assert fix.planned is not None, fix.problem
    corrections = len(sheet_of(companion).corrections)
    companion.touch(fixing.confirm)
    companion.wait(lambda: len(sheet_of(companion).corrections) > corrections, "the correction")
    companion.settle()


def test_a_draw_was_won_after_all_and_is_a_draw_again(companion: Driver) -> None:
    keep_drawn()
    open_sheet(companion, "drawn")
    before = points_of(companion)
    fixing = begin_fix(companion, 0)
    companion.touch(fixing.who.button("1"))
    assert companion.page == "win_entry"
    assert companion.state.open_questions == ("from",)
    entry = companion.pages.win_entry
    assert entry.false.parent is None, "a false win is entered while the hand is played"
    companion.touch(entry.cancel)
    assert companion.page == "sheet", "nothing was told, and the question is open as before"
    companion.touch(fixing.who.button("1"))
    companion.touch(entry.win.discarder.button("3"))
    type_hand(companion, CODES, "9s")
    companion.show_everyone()
    companion.shot("sheet-past-win")
    companion.touch(companion.pages.win_result.confirm)
    companion.shot("sheet-past-win-changes")
    change_it(companion, fixing)
    hand = sheet_of(companion).hands[0]
    assert [(win.winner, win.giver) for win in hand.wins] == [(1, 3)]
    assert hand.points[1] > 0 > hand.points[3]
    assert sheet_of(companion).hands[1].wins[0].winner == 2, "what follows is as it was"
    companion.touch(page(companion).hand.fix)
    companion.touch(fixing.who.button("nobody"))
    change_it(companion, fixing)
    assert sheet_of(companion).hands[0].drawn
    assert points_of(companion) == before


def test_the_value_of_a_win_without_tiles_is_corrected_by_touch_in_a_small_window(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader
) -> None:
    start = GameStarted(rules="hong_kong", names=NAMES)
    state = fold([start])
    assert state is not None
    won = enter_win(state, ReportedWin(1, Source.DISCARD, 3, stated=Stated(value=3)))
    keep("stated", [start, *won.events])
    driver = Driver(tmp_path, reader, SIZES["small"])
    try:
        open_sheet(driver, "stated")
        fixing = begin_fix(driver, 0)
        driver.shot("stated_fix")
        assert not driver.says("Touch a wrong tile to change it.")
        driver.touch(fixing.value)
        driver.touch(fixing.value.keypad.keys["6"])
        driver.touch(fixing.value.keypad.keys["Done"])
        wait_for_fix(driver)
        driver.settle()
        driver.shot("stated_fixed")
        assert fixing._changes.height > 100, "what it changes can be seen"
        change_it(driver, fixing)
        assert points_of(driver) == (-6, 24, -6, -12)
    finally:
        driver.close()


def test_a_second_winner_who_was_forgotten_is_told_with_the_first(companion: Driver) -> None:
    keep_drawn("two", multi_win=True)
    open_sheet(companion, "two")
    fixing = begin_fix(companion, 0)
    companion.touch(fixing.who.button("1"))
    entry, result = companion.pages.win_entry, companion.pages.win_result
    companion.touch(entry.win.discarder.button("3"))
    type_hand(companion, CODES, "9s")
    companion.show_everyone()
    companion.touch(result.another)
    assert companion.says("All win on the same tile: touch the winning tile first.")
    companion.touch(entry.tray.keys[companion.state.hand.concealed[-1].id])
    companion.touch(result.another)
    companion.touch(entry.win.askers["winner"].button("0"))
    type_hand(companion, OTHER, "9s")
    companion.show_everyone()
    companion.touch(result.confirm)
    change_it(companion, fixing)
    assert [win.winner for win in sheet_of(companion).hands[0].wins] == [1, 0]


@pytest.mark.long
def test_the_photo_of_a_win_that_is_told_later_is_kept_and_shown(companion: Driver, tmp_path: Path) -> None:
    """Of a kept game and of the one that is played; one that was told by touch has none."""
    hand = "1m 2m 3m 5z 5z 4p 5p 6p 6s 7s 8s 7s 8s 9s"
    companion.reader.codes = hand
    keep_drawn()
    companion.game.resume(shelf.path_of("drawn")).result(10)
    companion.wait(lambda: state_of(companion).played.name == "drawn", "the game")
    for name in ("drawn", "other"):
        if name == "other":
            keep_drawn(name)
        open_sheet(companion, name)
        fixing = begin_fix(companion, 0)
        companion.touch(fixing.who.button("1"))
        entry = companion.pages.win_entry
        companion.touch(entry.win.discarder.button("3"))
        companion.open(draw_picture(tmp_path / f"{name}.png", hand))
        companion.show_everyone()
        companion.touch(companion.pages.win_result.confirm)
        change_it(companion, fixing)
        companion.wait(lambda: state_of(companion).pictures, "the picture")
        ((number, path),) = state_of(companion).pictures
        assert number == sheet_of(companion).hands[0].wins[0].number
        height, width = cv2.imread(str(path)).shape[:2]
        assert width > 5 * height, "of the picture only the hand is kept"
        companion.shot(f"sheet-past-picture-{name}")


def test_a_hand_that_did_not_count_was_drawn(companion: Driver) -> None:
    keep_drawn()
    open_sheet(companion, "drawn")
    fixing = begin_fix(companion, 2)
    companion.touch(fixing.nobody)
    change_it(companion, fixing)
    assert sheet_of(companion).hands[2].drawn


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("size", "language"),
    [(SIZES["tablet"], Language.ENGLISH), (SIZES["small"], Language.SIMPLIFIED)],
)
def test_a_win_of_a_followed_hand_was_a_draw_and_was_won_again(
    companion: Driver, size: tuple[int, int], language: Language
) -> None:
    """All that was recorded before its end stays."""
    keep_game(hands=2)
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    open_sheet(companion, "friday")
    sheet = sheet_of(companion)
    before = points_of(companion)
    place = next(at for at, hand in enumerate(sheet.hands) if hand.wins)
    won, count = sheet.hands[place].wins[0], len(sheet.hands[place].events)
    seat = sheet.hands[place].after.seated.index(won.winner)
    fixing = begin_fix(companion, place)
    companion.shot(f"sheet-fix-followed-{language.value}")
    companion.touch(fixing.nobody)
    change_it(companion, fixing)
    assert sheet_of(companion).hands[place].drawn
    assert len(sheet_of(companion).hands[place].events) >= count
    companion.touch(page(companion).hand.fix)
    companion.shot(f"sheet-fix-drawn-{language.value}")
    companion.touch(fixing.who.button(str(seat)))
    companion.shot(f"sheet-past-followed-{language.value}")
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    change_it(companion, fixing)
    assert sheet_of(companion).hands[place].wins[0].score.lines == won.score.lines
    assert points_of(companion) == before


@pytest.mark.long
def test_discarder_can_only_have_drawn_the_tile(companion: Driver) -> None:
    keep_game(hands=6)
    open_sheet(companion, "friday")
    sheet = sheet_of(companion)
    place, giver = next(
        (at, win.giver) for at, hand in enumerate(sheet.hands) for win in hand.wins if win.giver is not None
    )
    fixing = begin_fix(companion, place)
    companion.touch(fixing.who.button(str(sheet.hands[place].after.seated.index(giver))))
    wait_for_fix(companion)
    assert companion.says("own tile")
    companion.shot("sheet-own-tile")
    assert companion.says("If the tile was drawn, touch Enter the win again")
    companion.touch(fixing.anew)
    assert companion.page == "win_entry"


@pytest.mark.long
def test_a_win_whose_tiles_were_all_wrong_is_entered_anew(companion: Driver) -> None:
    keep_declared()
    open_sheet(companion, "told")
    fixing = begin_fix(companion, 0)
    companion.shot("sheet-fix-told")
    companion.touch(fixing.anew)
    entry = companion.pages.win_entry
    assert entry.win.askers["winner"].button("1").chosen
    assert entry.win.discarder.button("self").chosen
    companion.touch(entry.win.askers["winner"].button("2"))
    companion.touch(entry.win.discarder.button("self"))
    type_hand(companion, OTHER, "2m")
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    change_it(companion, fixing)
    (win,) = sheet_of(companion).hands[0].wins
    assert (win.winner, win.giver) == (2, None)
    assert sorted(win.concealed) == sorted(OTHER)


def test_a_flower_of_a_told_win_is_put_right_by_touch(companion: Driver) -> None:
    events: list[Event] = [GameStarted(rules="taiwanese", names=NAMES)]
    state = fold(events)
    assert state is not None
    tiles = tuple(parse_tiles("123m55z456p678s789s234m"))
    reported = ReportedWin(
        1, Source.SELF_DRAW, None, Tile.parse("9s"), tiles, flowers=tuple(parse_tiles("1f"))
    )
    keep("flowers", [*events, *enter_win(state, reported).events])
    open_sheet(companion, "flowers")
    fixing = begin_fix(companion, 0)
    companion.touch(fixing.tiles[-1])
    companion.shot("sheet-fix-flower")
    assert set(fixing.keyboard.keys) == {f"{rank}f" for rank in range(1, 9)}
    companion.touch(fixing.keyboard.keys["2f"])
    change_it(companion, fixing)
    (win,) = sheet_of(companion).hands[0].wins
    assert win.flowers == ("2f",)


def test_unchanged_end_cannot_be_confirmed(companion: Driver) -> None:
    keep_declared()
    open_sheet(companion, "told")
    fixing = begin_fix(companion, 1)
    companion.touch(fixing.whose.button("0"))
    wait_for_fix(companion)
    assert not fixing.confirm.disabled
    companion.touch(fixing.whose.button("3"))
    wait_for_fix(companion)
    assert fixing.confirm.disabled, "it was that one's tile already"
    assert companion.says("Touch what it really was.")


def test_a_win_that_is_not_sure_says_so_and_its_tiles_are_named_from_the_table(companion: Driver) -> None:
    events = [
        GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9s"),
        Won(seat=1, hand="222m55z444p888s999s", tile="9s"), HandStarted(dealer=1), Dealt(),
    ]  # fmt: skip
    start = events[0]
    assert isinstance(start, GameStarted)
    with Game.begin(shelf.path_of("unsure"), start) as game:
        for event in events[1:]:
            game.append(event, p=0.6 if isinstance(event, Won) else 1.0)
    open_sheet(companion, "unsure")
    assert companion.says("not sure"), "in the list of hands"
    companion.shot("unsure-list")
    companion.controller.do("sheet", lambda state: state.open_hand(0))
    companion.frames(6)
    assert companion.says("Not sure: check that these are the winner's tiles.")
    companion.shot("unsure-result")
    companion.controller.announce(KeptGameWanted("unsure"))
    companion.wait(lambda: companion.page == "game" and companion.busy is None, "the table")
    companion.settle()
    companion.controller.do("game", lambda state: state.select(5))
    companion.frames(4)
    companion.shot("unsure-fix")
    companion.touch(companion.pages.game.table.fix.other)
    companion.settle()
    assert companion.page == "sheet"
    assert companion.says("Touch a wrong tile to change it.")
    companion.shot("unsure-put-right")
