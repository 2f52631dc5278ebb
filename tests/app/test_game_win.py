"""A win is entered into the game that is played, by touch in the real window, and counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from app_driver import SIZES, WAIT_S, WIN, Driver, ScriptedReader, draw_picture

from companion.app.news import HandEndWanted, SeatWins, WinEntryWanted
from companion.app.score_photo import editing
from companion.app.score_photo.game_win import GameWin, begin_draft, make_reported
from companion.app.score_photo.state import ScorePhoto
from companion.game.game import Game
from companion.game.pictures import find_picture
from companion.live.running import RunningGame
from companion.photo_hand.draft import WinDraft
from companion.rules import Source
from companion.rules.stated import Stated
from companion.table.apply import apply
from companion.table.events import Dealt, Discarded, Drawn, FalseWin, GameStarted, HandStarted
from companion.table.unrecorded import ReportedWin, enter_win

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bao", "Chen", "Dai")
CODES = ["2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s"]


def begin(
    driver: Driver, path: Path, *, recorded: bool = False, rules: str = "hefei",
    names: tuple[str, str, str, str] = NAMES, **options: bool,
) -> RunningGame:  # fmt: skip
    game: RunningGame = driver.game
    game.begin(path, GameStarted(rules=rules, names=names, options=dict(options))).result(WAIT_S)
    if recorded:
        from companion.game.proposals import Proposal, Reporter, SourceKind

        events = (
            HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="7p"), Drawn(seat=1),
            Discarded(seat=1, tile="8s"),
        )  # fmt: skip
        for event in events:
            game.propose(Proposal(event, game.now_ns, Reporter(SourceKind.TOUCH))).result(WAIT_S)
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

    def show_everyone(self) -> None:
        self.count += self.driver.page != "win_result"
        self.driver.show_everyone()


def standing(driver: Driver) -> int:
    progress = driver.state.played.progress
    assert progress is not None
    return len(progress.events)


def wait_for_booking(driver: Driver, before: int) -> None:
    driver.wait(lambda: standing(driver) > before and driver.state.game_win is None, "the booking")


def choose_tile(driver: Driver, code: str) -> object:
    """The last tile of that kind below the picture."""
    found = [tile for tile in driver.state.hand.concealed if tile.code == code]
    return driver.pages.win_entry.tray.keys[found[-1].id]


def call_win(driver: Driver, source: Source = Source.DISCARD) -> None:
    """Chen wins in the hand that was recorded: on Bao's tile, or with the next one."""
    driver.controller.announce(WinEntryWanted(2))
    driver.settle()
    driver.touch(driver.pages.win_entry.win.chances.button(2, source))


def film(folder: Path, codes: str = WIN) -> str:
    """A camera that sees these tiles."""
    folder.mkdir()
    draw_picture(folder / "1.png", codes)
    return f"file:{folder}"


def test_the_keyboard_of_the_hand_counts_what_the_table_shows(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    companion.controller.announce(WinEntryWanted(2))
    companion.frames(4)
    unseen = companion.state.count_unseen(None)
    assert unseen["7p"] == 3, "one was discarded"
    assert unseen["2p"] == 4
    assert unseen["8s"] == 4 - [tile.code for tile in companion.state.hand.tiles].count("8s"), "it is won"
    assert companion.state.count_left(None)["7p"] == 4, "what was recorded may be wrong"


def test_a_win_by_camera_takes_at_most_five_touches(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader
) -> None:
    """Of a hand that was recorded, and of one of which nothing is known, where most has to be said."""
    driver = Driver(tmp_path, reader, SIZES["tablet"], camera=film(tmp_path / "film"))
    try:
        begin(driver, tmp_path / "friday.game", recorded=True)
        before = standing(driver)
        finger = Counted(driver)
        finger.count += 1  # "mahjong!" on the table
        driver.controller.announce(WinEntryWanted(2))
        entry = driver.pages.win_entry
        driver.wait(lambda: driver.state.preview and entry.picture.live.stage.outlined == 14, "the tiles")
        driver.wait(lambda: "are a win. Who discarded it?" in entry.picture.live.says.text, "that it is one")
        finger.touch(entry.win.chances.button(2, Source.DISCARD))
        driver.wait(lambda: "15 zui" in entry.picture.live.says.text, "what it is worth")
        driver.shot("win_live")
        finger.touch(entry.picture.live.take)
        driver.wait(lambda: len(driver.state.hand.tiles) == 14)
        driver.settle()
        assert driver.state.preview is None, "the camera is free again"
        assert driver.page == "win_result", "nothing is left to be asked"
        finger.touch(driver.pages.win_result.confirm)
        wait_for_booking(driver, before)
        assert finger.count == 4

        finger.count, before = 0, standing(driver)
        driver.controller.do("game", lambda state: state.record_wins_only(True))
        driver.settle()
        assert driver.page == "game"
        finger.touch(driver.pages.game.table.wins.cards[2])
        driver.wait(lambda: driver.state.preview and entry.picture.live.stage.outlined == 14)
        driver.controller.announce(HandEndWanted("false_win", 2))
        driver.wait(lambda: driver.state.preview is None, "the camera let go")
        assert driver.page == "hand_end"
        driver.controller.step_back()
        driver.wait(lambda: driver.state.preview and entry.picture.live.stage.outlined == 14, "it again")
        driver.frames(4)
        finger.touch(entry.picture.live.take)
        driver.wait(lambda: len(driver.state.hand.tiles) == 14)
        driver.settle()
        assert driver.state.open_questions == ("from",)
        assert entry.show_all.disabled
        finger.touch(entry.win.discarder.button("1"))
        assert driver.page == "win_entry", "no tile is apart, and which one won changes the score"
        finger.touch(choose_tile(driver, "8s"))
        assert driver.page == "win_result"
        finger.touch(driver.pages.win_result.confirm)
        wait_for_booking(driver, before)
        assert finger.count == 5
    finally:
        driver.close()


def test_the_picture_of_a_win_is_kept_beside_the_game(companion: Driver, tmp_path: Path) -> None:
    path = tmp_path / "friday.game"
    begin(companion, path, recorded=True)
    call_win(companion)
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 6)
    events = companion.state.played.progress.events
    kept = find_picture(path, len(events), events[-1])
    assert kept is not None
    height, width = cv2.imread(str(kept)).shape[:2]
    assert width > 5 * height, "of the picture only the hand is kept"
    companion.press("Undo it")
    companion.wait(lambda: standing(companion) == 6)
    call_win(companion)
    picture = draw_picture(tmp_path / "gone.png")
    companion.open(picture)
    companion.show_everyone()
    picture.unlink()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 6)
    assert companion.says("Its picture could not be saved"), "the win is entered all the same"


def test_a_win_by_touch_in_a_game_that_records_only_wins(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    finger = Counted(companion)
    finger.count += 1
    companion.controller.announce(WinEntryWanted())
    companion.settle()
    entry = companion.pages.win_entry
    assert companion.state.open_questions == ("winner", "from")
    finger.touch(entry.win.askers["winner"].button("1"))
    finger.press("Add tiles by hand")
    for code in CODES:
        finger.touch(entry.sheet.keys[code])
    companion.shot("win_typed")
    finger.press("Done")
    assert entry.show_all.text == "Who discarded it?"
    finger.touch(entry.win.discarder.button("3"))
    assert companion.page == "win_entry", "the winning tile is never silently the last one"
    assert companion.says("Touch the winning tile.")
    assert companion.says("wins?"), "it is assumed"
    companion.shot("win_asked")
    finger.touch(choose_tile(companion, "3p"))
    assert companion.page == "win_result"
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    assert finger.count <= 30
    hand = companion.state.played.progress.state.hand
    assert (hand.results[0].winner, hand.results[0].discarder) == (1, 3)
    assert hand.results[0].source is Source.DISCARD
    assert hand.results[0].tile.code == "3p"


def test_a_win_by_tiles_takes_at_most_fifteen_touches(companion: Driver, tmp_path: Path) -> None:
    """Three chows are a touch and a drag each, a pung is a double touch; the discard that won is there."""
    begin(companion, tmp_path / "friday.game", recorded=True)
    finger = Counted(companion)
    finger.count += 1  # the player, touched on the table
    companion.controller.announce(SeatWins(2))
    companion.settle()
    entry = companion.pages.win_entry
    finger.touch(entry.win.chances.button(2, Source.DISCARD))
    finger.press("Add tiles by hand")
    assert [tile.code for tile in companion.state.hand.tiles] == ["8s"]
    companion.shot("win_sets")
    for first, last in (("2m", "3m"), ("5m", "7m"), ("3p", "5p")):
        finger.count += 1
        companion.drag(
            *(entry.sheet.keys[code].to_window(*entry.sheet.keys[code].center) for code in (first, last))
        )
    for code in ("8m", "8m", "6s", "7s"):
        companion.frames(30)  # two slow touches are no double touch
        finger.touch(entry.sheet.keys[code])
    finger.press("Done")
    finger.show_everyone()
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 6)
    assert finger.count <= 15
    result = companion.state.played.progress.state.hand.results[0]
    assert (result.tile.code, result.discarder) == ("8s", 1)


def test_a_double_touch_enters_a_pung(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(SeatWins(2))
    companion.settle()
    companion.press("Add tiles by hand")
    companion.double_touch(companion.pages.win_entry.sheet.keys["6p"])
    assert [tile.code for tile in companion.state.hand.tiles] == ["6p"] * 3


def test_a_key_that_is_held_enters_a_pung_and_at_last_the_pair(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    companion.controller.announce(SeatWins(2))
    companion.settle()
    companion.touch(companion.pages.win_entry.win.discarder.button("self"))
    companion.press("Add tiles by hand")
    keys = companion.pages.win_entry.sheet.keys
    for code in ("1m", "2m", "4m", "7m"):
        companion.hold(keys[code])
    companion.touch(keys["9m"])
    assert keys["9m"].note == "3"
    companion.press("Undo")
    companion.hold(keys["9m"])
    assert [tile.code for tile in companion.state.hand.tiles] == [
        code for code, count in zip(("1m", "2m", "4m", "7m", "9m"), (3, 3, 3, 3, 2), strict=True)
        for _ in range(count)
    ]  # fmt: skip
    companion.shot("win_held")


@pytest.mark.parametrize(
    ("begun", "ended", "added"),
    [
        ("2m", "3m", ["2m", "3m", "4m"]), ("4p", "3p", ["2p", "3p", "4p"]), ("9s", "7s", ["7s", "8s", "9s"]),
        ("8m", "9m", ["7m", "8m", "9m"]), ("2m", "2p", []), ("1z", "2z", []),
    ],
)  # fmt: skip
def test_a_drag_along_a_suit_enters_a_chow(begun: str, ended: str, added: list[str]) -> None:
    state = editing.start_adding(editing.record(ScorePhoto(), rules="hong_kong"))
    state = editing.add_chow(state, begun, ended)
    assert [tile.code for tile in state.hand.tiles] == added


def test_a_win_by_value_takes_four_touches(companion: Driver, tmp_path: Path) -> None:
    """Who won, from whom, how much: nobody enters tiles."""
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    finger = Counted(companion)
    finger.count += 1
    companion.controller.announce(SeatWins(1))  # the player, touched on the table
    companion.settle()
    entry = companion.pages.win_entry
    finger.touch(entry.win.discarder.button("3"))
    finger.touch(entry.win.value.values.button("5"))
    assert companion.page == "win_result"
    companion.shot("win_value_result")
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    assert finger.count == 4
    hand = companion.state.played.progress.state.hand
    assert hand.results[0].score.payments == (-5, 20, -5, -10)
    assert not hand.players[1].shown


def test_a_win_by_rows_takes_five_touches_and_one_for_each_row(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", rules="taiwanese", names=NAMES)
    finger = Counted(companion)
    finger.count += 1
    companion.controller.announce(SeatWins(1))
    companion.settle()
    finger.touch(companion.pages.win_entry.win.discarder.button("3"))
    finger.touch(companion.pages.win_entry.win.value.rows)
    page = companion.pages.win_rows
    finger.touch(page.rows["all_triplets"])
    finger.touch(page.rows["half_flush"])
    companion.shot("win_rows")
    assert page.rows["all_sequences_small"].disabled
    finger.touch(page.show_all)
    finger.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    assert finger.count == 5 + 2
    lines = companion.state.played.progress.state.hand.results[0].score.lines
    assert {"all_triplets", "half_flush"} <= {line.id for line in lines}


@pytest.mark.parametrize("multi_win", [False, True])
def test_the_hand_after_a_win_on_a_discard_asks_for_its_circumstances(multi_win: bool) -> None:
    state = apply(None, GameStarted(rules="hong_kong", options={"multi_win": multi_win}))
    state = enter_win(state, ReportedWin(1, Source.DISCARD, 2, stated=Stated(value=3))).after
    win = GameWin(state, WinDraft())
    draft = begin_draft(state, 2).record(source=Source.SELF_DRAW, situation=("last_tile",))
    assert "situation" in win.list_fields(draft)
    assert make_reported(win, draft).situation == {"last_tile"}
    rows = {each.row.id for each in win.list_rows(draft) if each.counts}
    assert rows == {"self_draw", "last_tile"}


def test_what_was_stated_no_longer_holds_once_tiles_are_entered(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    companion.controller.announce(SeatWins(1))
    companion.settle()
    entry = companion.pages.win_entry
    companion.touch(entry.win.discarder.button("self"))
    companion.touch(entry.win.value.values.button("5"))
    assert companion.state.game_win.is_complete
    companion.touch(companion.pages.win_result.back)
    companion.touch(entry.win.value.values.button("5"))
    assert companion.state.draft.stated is None, "touched again, it is taken back"
    companion.touch(entry.win.value.values.button("5"))
    companion.touch(companion.pages.win_result.back)
    companion.do(lambda state: editing.press_key(editing.start_adding(state), "5m"))
    assert companion.state.draft.stated is None
    assert not companion.state.game_win.is_complete


def test_a_win_button_at_the_table_leads_to_the_page_of_wins(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    companion.controller.announce(SeatWins(2))
    companion.settle()
    assert companion.page == "win_entry"
    assert companion.state.draft.winner == 2
    assert companion.state.open_questions == ("from",), "it may be the tile that lies there, or the next one"


def test_unconfirmed_win_is_asked_again_and_confirmed_win_stays(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader
) -> None:
    path = tmp_path / "friday.game"
    driver = Driver(tmp_path, reader, SIZES["small"])
    begin(driver, path, recorded=True)
    call_win(driver)
    driver.open(draw_picture(tmp_path / "hand.png"))
    assert driver.state.game_win.is_complete
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
    call_win(driver)
    driver.open(draw_picture(tmp_path / "hand.png"))
    driver.shot("win_entry_portrait")
    driver.show_everyone()
    driver.shot("win_result_portrait")
    driver.touch(driver.pages.win_result.confirm)
    wait_for_booking(driver, before)
    driver.close()
    with Game.resume(path) as game:
        assert not game.state.playing
        assert game.state.points[2] > 0


def test_a_hand_that_does_not_win_is_a_false_win_that_all_see_first(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    before = standing(companion)
    companion.reader.codes = "2m 3m 4m 5m 6m 7m 8m 2p 3p 4p 5p 6s 7s 8s"
    call_win(companion)
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    assert not companion.state.game_win.is_complete
    assert companion.pages.win_entry.show_all.disabled
    companion.shot("win_refused")
    companion.touch(companion.pages.win_entry.false)
    assert companion.page == "hand_end"
    companion.press("Back")
    assert companion.page == "win_entry", "thought better of it: the tiles are still there"
    assert companion.state.hand.tiles
    companion.touch(companion.pages.win_entry.false)
    companion.shot("false_win")
    companion.touch(companion.pages.hand_end.confirm)
    companion.wait(lambda: standing(companion) > before)
    assert isinstance(companion.state.played.progress.events[-1], FalseWin)
    assert companion.state.played.progress.events[-1].seat == 2


def test_winning_tile_is_offered_if_a_tile_is_missing_or_wrong(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    short = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s"
    companion.reader.codes = short
    call_win(companion)
    companion.open(draw_picture(tmp_path / "hand.png", short))
    assert companion.says("Any of these would make it a win:")
    companion.shot("win_short")
    companion.touch(companion.pages.win_entry.score.waits["8s"])
    assert companion.state.game_win.is_complete
    wrong = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 2s"
    companion.reader.codes = wrong
    companion.open(draw_picture(tmp_path / "wrong.png", wrong))
    assert not companion.state.game_win.is_complete
    companion.touch(companion.pages.win_entry.score.waits["8s"])
    assert companion.state.game_win.is_complete


def test_several_win_on_one_tile_and_all_see_it_before_it_is_confirmed(
    companion: Driver, tmp_path: Path
) -> None:
    """Nothing of the hand was recorded; the second winner has a meld."""
    begin(companion, tmp_path / "friday.game", multi_win=True)
    enter_first(companion, tmp_path)
    result = companion.pages.win_result
    companion.touch(result.another)
    assert companion.page == "win_entry"
    assert companion.state.open_questions == ("winner",)
    offered = companion.pages.win_entry.win.askers["winner"].buttons
    assert len(offered) == 2, "neither the winner before nor whose tile it was"
    companion.reader.codes = "4p 5p 6p 8p 8p 4m 5m 6m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "other.png", companion.reader.codes))
    for code in ("2p", "2p", "2p"):
        companion.do(lambda state, code=code: editing.press_key(replace(state, adding=True), code))
    companion.do(editing.stop_typing)
    companion.frames(3)
    entry = companion.pages.win_entry
    companion.touch(choose_tile(companion, "2p"))
    companion.touch(entry.sheet.actions["p"])
    companion.touch(entry.win.askers["winner"].button("3"))
    assert companion.state.open_questions == ()
    assert companion.state.game_win.is_complete, companion.texts()
    companion.touch(result.back)
    companion.touch(entry.cancel)
    assert companion.page == "win_result", "the winner before is as it was"
    assert companion.says("Chen wins")
    companion.touch(result.another)
    companion.reader.codes = "2p 3p 4p 5p 6p 7p 8p 8p 4m 5m 6m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "third.png", companion.reader.codes))
    companion.touch(entry.win.askers["winner"].button("0"))
    companion.show_everyone()
    companion.shot("win_two")
    above, below = result.others.inside.children[::-1][:2]
    assert above.text == "Ann", "whose hand other house rules would score otherwise"
    assert "Under other house rules" in below.children[-1].text
    assert companion.says("Chen and Ann win")
    companion.touch(result.confirm)
    companion.wait(lambda: companion.state.game_win is None or companion.state.game_win.booked)
    hand = companion.state.played.progress.state.hand
    assert [each.winner for each in hand.results] == [2, 0]
    assert sum(companion.state.played.progress.state.points) == 0


def enter_first(driver: Driver, folder: Path) -> None:
    """Chen wins on a tile of Bao: shown to all, not confirmed."""
    driver.controller.announce(WinEntryWanted(2))
    driver.open(draw_picture(folder / "hand.png"))
    entry = driver.pages.win_entry
    driver.touch(entry.win.discarder.button("1"))
    driver.touch(choose_tile(driver, "8s"))
    driver.show_everyone()


def test_a_winner_who_was_forgotten_is_booked_together_with_the_first(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", multi_win=True)
    enter_first(companion, tmp_path)
    companion.touch(companion.pages.win_result.confirm)
    companion.wait(lambda: companion.state.game_win is None or companion.state.game_win.booked)
    companion.settle()
    steps = standing(companion)
    companion.press("Back to the table")
    companion.controller.announce(WinEntryWanted(0))
    assert companion.state.open_questions == ("from",), "it may be of the next hand"
    companion.settle()
    companion.press("Another winner")
    companion.reader.codes = "2p 3p 4p 5p 6p 7p 8p 8p 4m 5m 6m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "other.png", companion.reader.codes))
    assert companion.state.open_questions == ()
    companion.show_everyone()
    assert companion.says("Chen and Ann win")
    companion.touch(companion.pages.win_result.confirm)
    companion.wait(lambda: standing(companion) == steps + 1)
    hand = companion.state.played.progress.state.hand
    assert [each.winner for each in hand.results] == [2, 0]
    assert companion.state.played.progress.state.hands == 1


def test_a_tile_that_was_assumed_is_asked_before_another_wins_on_it(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", multi_win=True)
    companion.controller.announce(WinEntryWanted(2))
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.touch(companion.pages.win_entry.win.discarder.button("1"))
    assert companion.state.assumed_tile is not None
    companion.show_everyone()
    result = companion.pages.win_result
    companion.touch(result.confirm)
    companion.wait(lambda: companion.state.game_win is None or companion.state.game_win.booked)
    companion.settle()
    steps = standing(companion)
    companion.touch(result.another)
    assert companion.page == "win_entry"
    assert companion.says("All win on the same tile: touch the winning tile first.")
    companion.touch(choose_tile(companion, "8s"))
    companion.show_everyone()
    companion.touch(result.another)
    companion.reader.codes = "2p 3p 4p 5p 6p 7p 8p 8p 4m 5m 6m 6s 7s 8s"
    companion.open(draw_picture(tmp_path / "other.png", companion.reader.codes))
    companion.touch(companion.pages.win_entry.win.askers["winner"].button("0"))
    companion.show_everyone()
    companion.touch(result.confirm)
    companion.wait(lambda: standing(companion) == steps + 1)
    results = companion.state.played.progress.state.hand.results
    assert [(each.winner, each.tile.code) for each in results] == [(2, "8s"), (0, "8s")]


def test_the_next_win_by_another_player_is_of_the_next_hand(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", multi_win=True)
    for winner, discarder in ((2, "1"), (0, "3")):
        companion.controller.announce(WinEntryWanted(winner))
        companion.settle()
        companion.shot(f"win_next_{winner}")
        entry = companion.pages.win_entry
        companion.touch(entry.win.discarder.button(discarder))
        companion.touch(entry.win.value.values.buttons[0])
        companion.show_everyone()
        companion.touch(companion.pages.win_result.confirm)
        companion.wait(lambda: companion.state.game_win is None or companion.state.game_win.booked)
        companion.press("Back to the table")
    assert companion.state.played.progress.state.hands == 2


def test_a_win_in_hangzhou_of_which_nothing_was_recorded_asks_for_the_fortune(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", rules="hangzhou")
    codes = "2m 3m 4m 5m 6m 7m 5p 5p 5p 7p 7p 7p 5z 9s"
    companion.reader.codes = codes
    companion.controller.announce(WinEntryWanted(1))
    companion.open(draw_picture(tmp_path / "hand.png", codes))
    entry = companion.pages.win_entry
    finger = Counted(companion)
    finger.count += 2  # who won, on the table; and the picture
    finger.touch(entry.win.discarder.button("self"))
    assert companion.state.open_questions == ("fortune",)
    finger.touch(entry.sheet.keys["5z"])
    finger.touch(choose_tile(companion, "9s"))
    assert finger.count + 2 <= 7, "and two that show and confirm it"
    plain = companion.state.game_win.scores[0].value
    companion.touch(companion.pages.win_result.back)
    companion.touch(entry.win.askers["gambits"].more)
    companion.shot("win_hangzhou")
    assert companion.state.game_win.scores[0].value > plain
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    assert companion.state.played.progress.state.hand.results[0].winner == 1
