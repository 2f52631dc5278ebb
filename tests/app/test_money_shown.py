"""The money of a win and of the standing is shown beside the points, and all of it has room."""

from __future__ import annotations

from pathlib import Path

import game_states
import pytest
from app_driver import WAIT_S, Driver, ScriptedReader, draw_picture
from test_game_win import begin, call_win, standing

from companion.app.game.followed import Followed
from companion.app.news import TableWanted
from companion.game.deciding import begin_progress
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.money import Currency
from companion.table.events import CurrencyAgreed, GameEnded, GameStarted, PointsMoved
from companion.words import Language

pytestmark = pytest.mark.long

HK = Currency("HK$", "0.5", "0.1")
NAMES = ("Mei", "Ping", "Wong", "Ann")


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 800), (600, 1024), (800, 480)])
def test_a_win_is_shown_in_money(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: tuple[int, int]
) -> None:
    driver = Driver(tmp_path, reader, size)
    try:
        game = begin(driver, tmp_path / "friday.game", recorded=True)
        agreed = CurrencyAgreed(currency=HK)
        game.propose(Proposal(agreed, game.now_ns, Reporter(SourceKind.TOUCH))).result(WAIT_S)
        driver.wait(lambda: standing(driver) == 7)
        call_win(driver)
        driver.open(draw_picture(tmp_path / "hand.png"))
        driver.touch(driver.pages.win_result.back)
        if min(size) >= 600:  # in a smaller window the score is not beside the tiles
            assert driver.says("1 point = HK$0.5")
        driver.show_everyone()
        result = driver.pages.win_result
        driver.frames(4)
        driver.shot(f"win-money-{size[0]}")
        assert [bool(each) for each in result.moneys] == [each != "0" for each in result.amounts]
        assert [each.startswith("−HK$150") for each in result.moneys].count(True) == 1
        tags = [tag for tag in result.players.walk(restrict=True) if hasattr(tag, "is_shortened")]
        assert tags
        assert not any(tag.is_shortened for tag in tags)
        result.value.text = "3 fan = 8 units"
        driver.frames(2)
        driver.shot(f"win-value-{size[0]}")
        assert not result.value.is_shortened
        won = max(result.amounts, key=len)
        driver.touch(result.confirm)
        driver.wait(lambda: driver.says("Entered ·"), "the win")
        assert driver.says("(HK$"), won
        driver.shot(f"win-banner-{size[0]}")
        driver.controller.announce(TableWanted())
        driver.settle()
        driver.frames(4)
        driver.shot(f"last-hand-{size[0]}")
        assert driver.says("(HK$"), "the last hand"
    finally:
        driver.close()


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), [
    ((800, 480), Language.TRADITIONAL), ((1024, 600), Language.ENGLISH), ((600, 1024), Language.ENGLISH),
])  # fmt: skip
def test_the_table_of_wins_has_room_for_points_and_money(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: tuple[int, int], language: Language
) -> None:
    driver = Driver(tmp_path, reader, size, language=language)
    try:
        start = GameStarted(rules="taiwanese", names=NAMES, currency=HK)
        moved = PointsMoved(points=(-1280, 1320, -20, -20), why="a bet")
        for events in ([start, moved], [start, moved, GameEnded()]):
            game_states.show(driver, Followed.of(begin_progress(events)))
            game_states.do(driver, lambda state: state.record_wins_only(True))
            driver.frames(4)
            driver.shot(f"wins-money-{size[0]}-{len(events)}")
            wins = driver.pages.game.table.wins
            assert "HK$660" in wins.cards[1].money.text
            for card in wins.cards.values():
                for tag in (card.name, card.points, card.money, card.about):
                    high = tag.texture_size[1] if tag.text else 0
                    assert high <= tag.height + 1, (tag.text, high, tag.height)
        assert wins.settle.parent is not None
        assert wins.over.parent is None, "no hand is left that could end"
        driver.touch(wins.settle)
        assert driver.page == "sheet"
    finally:
        driver.close()
