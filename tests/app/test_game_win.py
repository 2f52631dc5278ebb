"""A win is entered into the game that is played, by touch in the real window, and counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from app_driver import SIZES, WAIT_S, Driver, ScriptedReader, draw_picture

from companion.app.news import HandEndWanted, SeatWins, WinEntryWanted
from companion.app.text import Language
from companion.history import Game
from companion.rules import Source
from companion.running.game import RunningGame
from companion.table.events import Dealt, Discarded, Drawn, FalseWin, GameStarted, HandStarted

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bao", "Chen", "Dai")
CODES = ["2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s"]


def begin(driver: Driver, path: Path, *, recorded: bool = False, **options: bool) -> RunningGame:
    game: RunningGame = driver.game
    game.begin(path, GameStarted(rules="hefei", names=NAMES, options=dict(options))).result(WAIT_S)
    if recorded:
        from companion.running.proposals import Proposal, Source, SourceKind

        events = (
            HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="7p"), Drawn(seat=1),
            Discarded(seat=1, tile="8s"),
        )  # fmt: skip
        for event in events:
            game.propose(Proposal(event, game.now_ns, Source(SourceKind.TOUCH))).result(WAIT_S)
    events_expected = 6 if recorded else 1
    driver.wait(lambda: driver.state.played.progress and standing(driver) == events_expected)
    driver.wait(lambda: driver.state.played.path == path)
    return game


class Counted:
    """Counts the touches."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.count = 0

    def touch(self, target: object) -> None:
        self.count += 1
        self.driver.touch(target)

    def press(self, text: str) -> None:
        self.count += 1
        self.driver.press(text)


def standing(driver: Driver) -> int:
    progress = driver.state.played.progress
    assert progress is not None
    return len(progress.events)


def wait_for_booking(driver: Driver, before: int) -> None:
    driver.wait(lambda: standing(driver) > before and driver.state.game_win is None, "the booking")


def test_a_win_by_picture_takes_at_most_six_touches(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    before = standing(companion)
    finger = Counted(companion)
    finger.count += 1  # "mahjong!" on the table
    companion.controller.announce(WinEntryWanted(2))
    companion.settle()
    assert companion.page == "win_entry"
    assert companion.says("Bao"), "the discarder is known"
    finger.count += 2  # the camera's page, and its button
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.shot("win_entry")
    finger.touch(companion.pages.win_entry.show_all)
    assert companion.page == "win_result"
    companion.shot("win_result")
    assert companion.says("Chen wins")
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    assert finger.count <= 6
    state = companion.state.played.progress.state
    assert state.hand.results[0].winner == 2
    assert state.hand.results[0].discarder == 1
    assert [f"{points:+,}".replace("-", "−") if points else "0" for points in state.points] == (
        companion.pages.win_result.amounts
    )
    companion.press("Take it back")
    companion.wait(lambda: standing(companion) == before)


def test_a_win_by_touch_in_a_game_that_records_only_wins(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    finger = Counted(companion)
    finger.count += 1
    companion.controller.announce(WinEntryWanted(1))
    companion.settle()
    entry = companion.pages.win_entry
    finger.press("Add tiles by hand")
    for code in CODES:
        finger.touch(entry.table.sheet.keys[code])
    finger.press("Done")
    finger.press("Discard")
    finger.touch(entry.table.win.askers["from"].button("3"))
    finger.touch(entry.show_all)
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    assert finger.count <= 30
    hand = companion.state.played.progress.state.hand
    assert (hand.results[0].winner, hand.results[0].discarder) == (1, 3)
    assert hand.results[0].source is Source.DISCARD


def test_whose_turn_it_is_wins_with_the_tile_that_is_drawn_next(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    before = standing(companion)
    companion.controller.announce(WinEntryWanted())
    companion.open(draw_picture(tmp_path / "hand.png"))
    assert companion.says("Chen drew the winning tile.")
    source = companion.pages.win_entry.table.win.askers["source"]
    assert [press.text for press in source.buttons] == ["Self-draw", "Discard"], "no kong can be robbed now"
    companion.touch(source.button("discard"))
    assert companion.says("It is the tile of Bao: 8 bamboo.")
    companion.touch(source.button("self_draw"))
    companion.touch(companion.pages.win_entry.show_all)
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    progress = companion.state.played.progress
    assert progress.events[before] == Drawn(seat=2)
    assert progress.state.hand.results[0].source is Source.SELF_DRAW


def test_a_win_button_at_the_table_leads_to_the_page_of_wins(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    companion.controller.announce(SeatWins(2))
    companion.settle()
    assert companion.page == "win_entry"
    assert companion.state.draft.winner == 2


def test_what_was_not_confirmed_is_asked_again_and_what_was_is_there(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader
) -> None:
    path = tmp_path / "friday.game"
    driver = Driver(tmp_path, reader, SIZES["small"])
    begin(driver, path, recorded=True)
    driver.controller.announce(WinEntryWanted(2))
    driver.open(draw_picture(tmp_path / "hand.png"))
    assert driver.state.game_win.entered is not None
    kept = driver.controller.features["score_photo"].keep(driver.state)
    assert not kept.hand.tiles, "a win in a game is not kept as a hand without one"
    driver.close()
    with Game.resume(path) as game:
        assert game.state.playing
    driver = Driver(tmp_path, reader, SIZES["portrait"])
    driver.game.resume(path).result(WAIT_S)
    driver.wait(lambda: driver.state.played.path == path)
    assert driver.state.game_win is None
    before = standing(driver)
    driver.controller.announce(WinEntryWanted(2))
    driver.open(draw_picture(tmp_path / "hand.png"))
    driver.shot("win_entry_portrait")
    driver.touch(driver.pages.win_entry.show_all)
    driver.shot("win_result_portrait")
    driver.touch(driver.pages.win_result.confirm)
    wait_for_booking(driver, before)
    driver.close()
    with Game.resume(path) as game:
        assert not game.state.playing
        assert game.state.points[2] > 0


def test_a_hand_that_does_not_win_is_a_false_win_with_one_touch(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    before = standing(companion)
    companion.reader.codes = "2m 3m 4m 5m 6m 7m 8m 2p 3p 4p 5p 6s 7s 8s"
    companion.controller.announce(WinEntryWanted(2))
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    assert companion.state.game_win.entered is None
    assert companion.pages.win_entry.show_all.disabled
    companion.shot("win_refused")
    companion.touch(companion.pages.win_entry.false)
    wait_for_booking(companion, before)
    assert isinstance(companion.state.played.progress.events[-1], FalseWin)


def test_several_win_on_one_tile(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True, multi_win=True)
    companion.controller.announce(WinEntryWanted(2))
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.touch(companion.pages.win_entry.show_all)
    companion.touch(companion.pages.win_result.confirm)
    companion.wait(lambda: companion.state.game_win is not None and companion.state.game_win.booked)
    companion.settle()
    companion.press("Another winner")
    companion.reader.codes = "2p 3p 4p 5p 6p 7p 8p 8p 4m 5m 6m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "other.png", companion.reader.codes))
    assert companion.state.game_win.entered is not None, companion.texts()
    companion.touch(companion.pages.win_entry.show_all)
    companion.touch(companion.pages.win_result.confirm)
    companion.wait(lambda: len(companion.state.played.progress.state.hand.results) == 2)


def test_points_change_hands_and_a_hand_that_nobody_wins_is_drawn(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(HandEndWanted())
    companion.settle()
    assert companion.page == "hand_end"
    companion.shot("hand_end")
    assert "declined" not in companion.pages.hand_end.offers, "only what can happen now is offered"
    companion.press("Points change hands")
    page = companion.pages.hand_end
    companion.touch(page.seat.button("1"))
    companion.touch(page.other.button("3"))
    companion.shot("penalty")
    companion.press("Confirm")
    companion.wait(lambda: companion.state.played.progress.state.points == (0, -5, 0, 5))
    companion.controller.announce(HandEndWanted())
    companion.settle()
    companion.press("Nobody wins")
    companion.press("Confirm")
    companion.wait(lambda: companion.state.played.progress.state.hands == 1)
    companion.press("Take it back")
    companion.wait(lambda: standing(companion) == 2)


def test_the_wrong_game_is_said_in_words_and_put_right_with_one_touch(
    companion: Driver, tmp_path: Path
) -> None:
    codes = "1z 1z 1z 2m 3m 4m 5m 6m 7m 8m 8m 2p 3p 4p"
    companion.reader.codes = codes
    companion.open(draw_picture(tmp_path / "hand.png", codes))
    assert companion.says("East: not used in Hefei.")
    assert not any("1z" in text for text in companion.texts())
    companion.shot("wrong_game")
    companion.press("Play Hong Kong?")
    assert companion.state.draft.rules == "hong_kong"
    assert companion.state.outcome.score is not None


def test_the_keyboard_refuses_a_fifth_copy(companion: Driver) -> None:
    companion.press("Add tiles by hand")
    for _ in range(5):
        companion.touch(companion.pages.table.sheet.keys["2m"])
    assert len(companion.state.hand.tiles) == 4
    assert companion.pages.table.sheet.keys["2m"].disabled


def test_a_row_is_explained_in_words_when_it_is_touched(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    row = companion.pages.table.score.rows[0]
    companion.touch(row)
    assert row.explanation is not None
    companion.shot("explained")
    row.explanation.dismiss(animation=False)


@pytest.mark.parametrize("size", [(1024, 600), (800, 1280), (1920, 1080)])
@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant"])
def test_the_pages_fit_in_chinese_with_long_names(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: tuple[int, int], language: str
) -> None:
    driver = Driver(tmp_path, reader, size, language=Language(language))
    try:
        begin(driver, tmp_path / "friday.game", recorded=True)
        driver.controller.announce(WinEntryWanted(2))
        driver.open(draw_picture(tmp_path / "hand.png"))
        entry, result = driver.pages.win_entry, driver.pages.win_result
        driver.shot(f"entry_{size[0]}_{language}")
        assert entry.show_all.right <= size[0]
        driver.touch(entry.show_all)
        driver.shot(f"result_{size[0]}_{language}")
        assert result.confirm.right <= size[0]
        assert result.players.y > result.confirm.top, "who pays what is not covered by the button"
        driver.touch(result.back)
        driver.controller.announce(HandEndWanted())
        driver.settle()
        driver.shot(f"end_{size[0]}_{language}")
        assert all(press.right <= size[0] for press in driver.pages.hand_end.offers.values())
    finally:
        driver.close()


def test_an_old_hand_is_not_shown_while_a_new_picture_loads(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    assert companion.says("zui")
    companion.do(lambda state: state.open_picture(tmp_path / "other.png"))
    assert companion.state.loading
    companion.settle()
    assert not companion.state.loading, "the other one is no picture: the old hand is back"
    companion.do(lambda state: replace(state, loading=True))
    companion.frames(3)
    assert not any("zui" in text for text in companion.texts())


def test_the_chooser_notices_files_that_come_and_go(companion: Driver, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    first = draw_picture(folder / "first.png")
    companion.press("Picture")
    page = companion.pages.pictures
    page.go(folder)
    companion.frames(4)
    cell = page.grid.children[0].children[0]
    assert cell.width < page.grid.width / 2, "one picture does not stretch across the page"
    companion.shot("one_picture")
    draw_picture(folder / "second.png")
    first.unlink()
    companion.wait(lambda: [item["entry"].path.name for item in page.grid.data] == ["second.png"])
