"""Other ends of a hand and what else is booked, by touch in the real window; and that nothing which the table
knows lacks a page that enters it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from app_driver import SIZES_IN_LANGUAGES, Driver, ScriptedReader, draw_picture
from page_checks import find_cut
from test_game_win import begin, choose_tile, standing

from companion.app.news import HandEndWanted, HandShownWanted, SheetWanted, WinEntryWanted
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.money import Currency
from companion.rules import Source as WonBy
from companion.table import events
from companion.table.events import Call, Event, Wind
from companion.words import Language

pytestmark = pytest.mark.slow

HOME, GAME, WIN, END, SHEET = "home", "game", "win_entry", "hand_end", "sheet"
ENTERED_ON: dict[type, str] = {
    events.GameStarted: HOME,
    events.HandStarted: GAME,
    events.Dealt: GAME,
    events.IndicatorTurned: GAME,
    events.FlowerSetOut: GAME,
    events.Drawn: GAME,
    events.Discarded: GAME,
    events.Claimed: GAME,
    events.ConcealedKong: GAME,
    events.AddedKong: GAME,
    events.ReadyDeclared: GAME,
    events.Called: END,
    events.WinPassed: END,
    events.Won: WIN,
    events.FalseWin: END,
    events.HandVoided: END,
    events.HandDrawn: END,
    events.HandAbandoned: END,
    events.HandShown: WIN,
    events.PointsMoved: END,
    events.EntryCancelled: END,
    events.DealSet: END,
    events.SeatsChanged: END,
    events.GameEnded: END,
    events.Corrected: SHEET,
    events.CurrencyAgreed: SHEET,
}
"""The page on which people enter each event. The first of a game and moves: test_home.py and
test_game_page.py; corrections: test_sheet.py; money: test_settling.py; the others here and in
test_game_win.py."""


def test_everything_that_the_table_knows_can_be_entered() -> None:
    assert set(get_args(Event)) == set(ENTERED_ON), "a new event needs a page that enters it"


def look_at(driver: Driver, key: str) -> Any:
    """The page with that ending chosen."""
    driver.controller.announce(HandEndWanted())
    driver.settle()
    page = driver.pages.hand_end
    driver.touch(page.offers[key])
    return page


def confirm(driver: Driver) -> Event:
    """Confirm it; the last event of the game then."""
    before = standing(driver)
    driver.touch(driver.pages.hand_end.confirm)
    driver.wait(
        lambda: standing(driver) > before and not driver.controller.view.states["hand_end"].submitting
    )
    driver.settle()
    return driver.state.played.progress.events[-1]  # type: ignore[no-any-return]


def enter(driver: Driver, *happened: Event) -> None:
    for event in happened:
        proposal = Proposal(event, driver.game.now_ns, Reporter(SourceKind.TOUCH))
        driver.game.propose(proposal).result(10)
    driver.frames(3)


def test_one_pays_all_and_several_pay_one(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    page = look_at(companion, "penalty")
    companion.touch(page.seat.button("1"))
    for taker in "023":
        companion.touch(page.other.button(taker))
    companion.press("+10")
    companion.press("wrong call")
    companion.shot("penalty")
    assert companion.says("+15")
    assert companion.says("−45")
    event = confirm(companion)
    assert event == events.PointsMoved(points=(15, -45, 15, 15), why="wrong call")
    page = look_at(companion, "penalty")
    for payer in "02":
        companion.touch(page.seat.button(payer))
    companion.touch(page.other.button("1"))
    assert confirm(companion).points == (-5, 10, -5, 0)
    assert companion.state.played.progress.state.points == (10, -35, 10, 15)
    companion.press("Undo it")
    companion.wait(lambda: companion.state.played.progress.state.points == (15, -45, 15, 15))


@pytest.mark.parametrize("size", [(1280, 800), (800, 480), (600, 1024)])
def test_payments_and_results_are_shown_in_the_money_of_the_table(
    companion: Driver, tmp_path: Path, size: tuple[int, int]
) -> None:
    companion.resize(size)
    begin(companion, tmp_path / "friday.game")
    enter(companion, events.CurrencyAgreed(currency=Currency("HK$", "0.5", "0.5")))
    page = look_at(companion, "penalty")
    companion.touch(page.seat.button("1"))
    companion.touch(page.other.button("0"))
    companion.shot(f"penalty-money-{size[0]}")
    assert companion.says("−HK$2.50")
    assert companion.says("1 point = HK$0.50")
    confirm(companion)
    companion.controller.announce(HandEndWanted("ended"))
    companion.settle()
    companion.shot(f"ended-money-{size[0]}")
    assert companion.says("HK$2.50")
    assert companion.says("−HK$2.50")


def test_any_payment_can_be_taken_back(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    first = events.PointsMoved(points=(-8, 8, 0, 0), why="late")
    enter(companion, first, events.PointsMoved(points=(0, 0, 3, -3), why="correction"))
    page = look_at(companion, "cancelled")
    assert list(page.entries) == [1, 0], "the newest first"
    assert page.confirm.disabled
    companion.touch(page.entries[0])
    companion.shot("cancel_entry")
    assert confirm(companion).entry == 0
    assert companion.state.played.progress.state.points == (0, 0, 3, -3)
    assert list(look_at(companion, "cancelled").entries) == [1], "once is enough"


def test_dealer_streak_and_round_wind_are_put_right(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    page = look_at(companion, "deal_set")
    assert page.confirm.disabled, "nothing is another yet"
    companion.touch(page.seat.button("2"))
    companion.touch(page.streak.more)
    companion.touch(page.wind.button("1"))
    companion.shot("deal_set")
    event = confirm(companion)
    assert isinstance(event, events.DealSet)
    assert (event.dealer, event.round_wind) == (2, Wind.SOUTH)
    deal = companion.state.played.progress.state.deal
    assert (deal.dealer, deal.wind) == (2, 1)
    assert deal.streak == event.streak
    page = look_at(companion, "deal_set")
    companion.touch(page.streak.more)
    event = confirm(companion)
    assert (event.dealer, event.round_wind) == (None, None), "what stays is not said"


@pytest.mark.long
def test_dead_hands_false_wins_and_a_draw_in_hangzhou_ask_which_tile_was_turned_over(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", rules="hangzhou")
    page = look_at(companion, "voided")
    companion.touch(page.seat.button("3"))
    companion.press("too many tiles")
    assert page.confirm.disabled
    companion.touch(page.keys.keys["5z"])
    companion.shot("voided_hangzhou")
    assert confirm(companion) == events.HandVoided(seat=3, why="too many tiles")
    page = look_at(companion, "false_win")
    assert page.keys is None or not companion.controller.view.states["hand_end"].needs_fortune
    companion.touch(page.seat.button("1"))
    assert confirm(companion) == events.FalseWin(seat=1)
    look_at(companion, "drawn")
    assert isinstance(confirm(companion), events.HandDrawn)
    assert companion.state.played.progress.state.hands == 1


def test_a_false_win_without_a_penalty_says_where_one_is_set(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "free.game", rules="hong_kong")
    page = look_at(companion, "false_win")
    companion.touch(page.seat.button("1"))
    assert companion.says("No penalty is set in these rules.")
    companion.shot("false_win_free")


def test_a_call_and_a_win_passed_up_are_entered(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    page = look_at(companion, "called")
    companion.touch(page.seat.button("3"))
    companion.touch(page.call.button("pung"))
    assert confirm(companion) == events.Called(seat=3, call=Call.PUNG)
    page = look_at(companion, "passed")
    companion.touch(page.seat.button("0"))
    assert confirm(companion) == events.WinPassed(seat=0)
    look_at(companion, "abandoned")
    companion.press("walls fell")
    assert confirm(companion) == events.HandAbandoned(why="walls fell")


def test_seats_change_and_the_game_ends(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    page = look_at(companion, "seats_changed")
    companion.touch(page.seat.button("0"))
    companion.touch(page.other.button("2"))
    assert confirm(companion) == events.SeatsChanged(order=(2, 1, 0, 3))
    look_at(companion, "ended")
    assert confirm(companion) == events.GameEnded()
    companion.controller.announce(HandEndWanted())
    companion.settle()
    assert "ended" not in companion.pages.hand_end.offers


def test_the_last_tile_is_declined_where_the_game_has_that(companion: Driver, tmp_path: Path) -> None:
    from companion.table.unrecorded import EventWriter

    begin(companion, tmp_path / "friday.game", rules="taiwanese")
    writer = EventWriter(companion.state.played.progress.state, None)
    writer.until(lambda: writer.has_begun)
    writer.until(lambda: writer.hand.wall.live_left == 1 and writer.hand.offer is not None)
    enter(companion, *writer.events)
    look_at(companion, "declined")
    event = confirm(companion)
    assert isinstance(event, events.HandDrawn)
    assert event.declined_by is not None


def test_the_last_tile_is_declined_in_a_hand_of_which_nothing_was_recorded(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", rules="taiwanese")
    look_at(companion, "declined")
    event = confirm(companion)
    assert isinstance(event, events.HandDrawn)
    assert event.declined_by is not None
    assert companion.state.played.progress.state.hand.wall.live_left == 1
    assert companion.state.played.progress.state.deal.streak == 1, "the dealer deals again"
    companion.controller.announce(SheetWanted())
    companion.settle()
    assert companion.says("declined the last tile")
    begin(companion, tmp_path / "saturday.game", rules="hong_kong")
    companion.controller.announce(HandEndWanted())
    companion.settle()
    assert "declined" not in companion.pages.hand_end.offers


@pytest.mark.long
def test_hands_are_shown_after_a_draw_and_it_is_said_whether_they_were_ready(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    look_at(companion, "drawn")
    confirm(companion)
    companion.controller.announce(HandEndWanted())
    companion.settle()
    offers = companion.pages.hand_end.offers
    assert list(offers)[:2] == ["drawn", "shown"], "what happens most often comes first"
    companion.touch(offers["shown"])
    assert companion.page == "win_entry"
    entry = companion.pages.win_entry
    codes = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s"
    companion.reader.codes = codes
    companion.open(draw_picture(tmp_path / "shown.png", codes))
    assert entry.show_all.text == "Whose hand is it?"
    companion.touch(entry.win.askers["winner"].button("1"))
    assert companion.says("Ready, waiting for these tiles.")
    assert [tile.code for tile in companion.state.game_win.waits] == ["5s", "8s"]
    companion.shot("hand_shown")
    before = standing(companion)
    companion.show_everyone()
    companion.wait(lambda: standing(companion) == before + 1 and companion.state.game_win is None)
    event = companion.state.played.progress.events[-1]
    assert isinstance(event, events.HandShown)
    assert event.seat == 1
    companion.controller.announce(HandShownWanted(2))
    companion.reader.codes = "2m 4m 6m 8m 2p 4p 6p 8p 2s 4s 6s 8s 3m"
    companion.open(draw_picture(tmp_path / "other.png", companion.reader.codes))
    assert companion.says("Not ready.")
    companion.reader.codes += " 3m"
    companion.open(draw_picture(tmp_path / "long.png", companion.reader.codes))
    assert companion.says("14 of 13 tiles entered.")


def test_a_hand_with_the_tile_drawn_last_is_ready_too(companion: Driver, tmp_path: Path) -> None:
    """In Hefei the last tiles are drawn without a discard: who drew one shows fourteen."""
    begin(companion, tmp_path / "friday.game")
    look_at(companion, "drawn")
    confirm(companion)
    hand = companion.state.played.progress.state.hand
    seat = next(seat for seat in range(4) if hand.players[seat].count == 14)
    companion.controller.announce(HandShownWanted(seat))
    companion.reader.codes = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 2s"
    companion.open(draw_picture(tmp_path / "shown.png", companion.reader.codes))
    assert companion.says("Ready, waiting for these tiles.")
    assert "8s" in [tile.code for tile in companion.state.game_win.waits]


def test_taking_back_does_not_take_back_what_came_after(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    page = look_at(companion, "penalty")
    companion.touch(page.seat.button("1"))
    companion.touch(page.other.button("3"))
    confirm(companion)
    enter(companion, events.DealSet(dealer=2))
    before = standing(companion)
    companion.press("Undo it")
    companion.settle()
    assert standing(companion) == before, "the game has moved on"


@pytest.mark.sampled
def test_cards_of_one_height_are_side_by_side_in_a_low_window(companion: Driver, tmp_path: Path) -> None:
    companion.resize((800, 480))
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    look_at(companion, "drawn")
    confirm(companion)
    companion.controller.announce(HandEndWanted())
    companion.settle()
    companion.shot("end-low")
    first, second, *_ = companion.pages.hand_end.offers.values()
    assert (first.y, first.height) == (second.y, second.height)
    assert find_cut(companion) == []


@pytest.mark.parametrize(
    ("size", "language"),
    SIZES_IN_LANGUAGES,
)
def test_the_pages_fit(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: tuple[int, int], language: Language
) -> None:
    driver = Driver(tmp_path, reader, size, language=language)
    try:
        begin(driver, tmp_path / "friday.game", recorded=True)
        driver.controller.announce(HandEndWanted())
        driver.settle()
        name = f"{size[0]}_{language.value}"
        driver.shot(f"end_{name}")
        page = driver.pages.hand_end
        assert all(card.right <= size[0] for card in page.offers.values())
        heights = [card.height for card in page.offers.values()]
        assert max(heights) < 1.25 * min(heights), "cards are alike"
        assert min(card.to_window(0, card.y)[1] for card in page.offers.values()) >= 0
        driver.touch(page.offers["penalty"])
        driver.touch(page.seat.button("1"))
        driver.touch(page.other.button("3"))
        driver.shot(f"penalty_{name}")
        assert page.confirm.y >= 0
        driver.touch(page.back)
        driver.touch(page.back)
        driver.controller.announce(WinEntryWanted())
        driver.settle()
        driver.shot(f"entry_bare_{name}")
        driver.open(draw_picture(tmp_path / "hand.png"))
        driver.shot(f"entry_{name}")
        entry = driver.pages.win_entry
        driver.touch(entry.win.chances.button(2, WonBy.SELF_DRAW))
        driver.touch(choose_tile(driver, "8s"))
        driver.show_everyone()
        driver.shot(f"result_{name}")
        result = driver.pages.win_result
        assert result.confirm.right <= size[0]
        assert result.players.y > result.confirm.top
        driver.touch(result.back)
        driver.touch(entry.tray.keys[driver.state.hand.tiles[3].id])
        driver.shot(f"entry_typing_{name}")
        assert all(key.right <= size[0] for key in entry.sheet.keys.values())
    finally:
        driver.close()
