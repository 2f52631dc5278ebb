"""Settling up in a real window: which money, who pays whom, and the text to copy."""

from __future__ import annotations

import pytest
from app_driver import Driver
from sheet_driver import LONG, NAMES, keep, open_sheet, page, state_of
from test_hand_end import enter

from companion.app.look import TextSize
from companion.app.news import NewGameWanted
from companion.app.sheet.state import SETTLING
from companion.money import Currency
from companion.table.events import Event, GameEnded, GameStarted, PointsMoved
from companion.words import Language

pytestmark = pytest.mark.slow

SIZES = [(800, 480), (1024, 600), (1280, 800), (600, 1024)]
LONGEST = (
    "Bartholomew Maximilian Featherstonehaugh",
    "王小明",
    "歐陽司馬諸葛上官",
    "Maximiliana von Hohenstein",
)
NT = Currency("NT$", "20", "50")


def keep_evening(
    currency: Currency | None = None,
    names: tuple[str, str, str, str] = NAMES,
    *more: Event,
    practice: int | None = None,
) -> None:
    start = GameStarted(rules="taiwanese", names=names, currency=currency, practice=practice)
    keep("friday", [start, PointsMoved(points=(190, 12, -76, -126), why="a bet"), GameEnded(), *more])


def settle(companion: Driver) -> None:
    open_sheet(companion, "friday")
    companion.controller.do("sheet", lambda state: state.choose_part(SETTLING))
    companion.settle()


def read_clipboard() -> str:
    from kivy.core.clipboard import Clipboard

    return str(Clipboard.paste())


def check_fits(companion: Driver) -> None:
    """Whatever can be touched is large enough and within the window; no amount is cut."""
    from companion.app.widgets.basics import Press

    width = companion.window.size[0]
    pane = page(companion).settling
    for press in (each for each in pane.walk(restrict=True) if isinstance(each, Press)):
        assert min(press.size) >= 57, press.text
        assert press.to_window(press.right, 0)[0] <= width + 1, press.text
    for card in pane.transfers:
        assert card.amount.texture_size[0] <= card.amount.width
        assert not card.amount.is_shortened


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.TRADITIONAL])
@pytest.mark.parametrize("names", [NAMES, LONGEST])
def test_transfers_are_shown_in_every_window_size(
    companion: Driver, size: tuple[int, int], language: Language, names: tuple[str, str, str, str]
) -> None:
    keep_evening(NT, names)
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    settle(companion)
    tag = f"{size[0]}x{size[1]}-{language.value}-{'long' if names == LONGEST else 'usual'}"
    companion.shot(f"settled-{tag}")
    assert [card.amount.text for card in page(companion).settling.transfers] == [
        "NT$2,550", "NT$1,250", "NT$250",
    ]  # fmt: skip
    check_fits(companion)


@pytest.mark.sampled
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.SIMPLIFIED])
def test_money_is_agreed_on_by_touch_and_taken_back(
    companion: Driver, size: tuple[int, int], language: Language
) -> None:
    keep_evening()
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    settle(companion)
    tag = f"{size[0]}x{size[1]}-{language.value}"
    companion.shot(f"settle-points-{tag}")
    assert [card.amount.text for card in page(companion).settling.transfers] == ["126", "64", "12"]
    check_fits(companion)
    companion.touch(page(companion).settling.change)
    choice = page(companion).settling.choice
    companion.shot(f"settle-choice-{tag}")
    check_fits(companion)
    companion.touch(choice.rows.symbol.choices.button("HK$"))
    companion.touch(choice.rows.point.choices.button("0.5"))
    assert state_of(companion).drafted == Currency("HK$", "0.5", "0.5")
    companion.touch(choice.rows.coin.choices.button("1"))
    companion.touch(choice.agree)
    companion.settle()
    sheet = state_of(companion).sheet
    assert sheet is not None
    assert sheet.state.currency == Currency("HK$", "0.5", "1")
    assert companion.says("HK$63")
    companion.touch(page(companion).settling.change)
    companion.shot(f"settle-change-{tag}")
    companion.touch(choice.none)
    companion.settle()
    assert state_of(companion).sheet.state.currency is None  # type: ignore[union-attr]
    assert [card.amount.text for card in page(companion).settling.transfers] == ["126", "64", "12"]


def test_another_symbol_and_value_are_typed(companion: Driver) -> None:
    keep_evening()
    settle(companion)
    companion.touch(page(companion).settling.change)
    choice = page(companion).settling.choice
    choice.rows.symbol.field.text = "Rp"
    choice.rows.point.field.text = "250.5"
    companion.frames(4)
    assert state_of(companion).drafted == Currency("Rp", "250.5", "1")
    choice.rows.coin.field.text = "none"
    companion.frames(4)
    assert choice.agree.disabled
    assert companion.says("The smallest coin cannot be 'none'")
    companion.shot("settle-problem")
    choice.rows.coin.field.text = "100"
    companion.frames(4)
    companion.touch(choice.agree)
    companion.settle()
    assert companion.says("31,600 Rp")


def test_the_text_is_copied(companion: Driver) -> None:
    keep_evening(NT)
    settle(companion)
    companion.touch(page(companion).settling.copy)
    companion.wait(lambda: companion.says("Copied."), "the answer")
    companion.shot("settle-copied")
    assert read_clipboard().splitlines()[1:] == [
        "1 point = NT$20, rounded to NT$50", "Ann: +190, NT$3,800", "Bao: +12, NT$250",
        "陈小姐: −76, −NT$1,500", "Dai: −126, −NT$2,550", "", "Dai pays Ann NT$2,550",
        "陈小姐 pays Ann NT$1,250", "陈小姐 pays Bao NT$250",
    ]  # fmt: skip


def test_a_practice_game_is_not_settled_up(companion: Driver) -> None:
    keep_evening(practice=5)
    settle(companion)
    assert not companion.says("Settle up")
    assert not companion.says("Value of one point")


def test_nobody_owes_anything_is_said_too(companion: Driver) -> None:
    keep_evening(NT, NAMES, PointsMoved(points=(-190, -12, 76, 126), why="late"))
    settle(companion)
    companion.shot("settle-nobody")
    assert companion.says("Nobody owes anything.")


def test_money_stands_beside_points_wherever_totals_stand(companion: Driver) -> None:
    keep_evening(NT, LONG)
    open_sheet(companion, "friday")
    companion.shot("settle-totals")
    assert companion.says("NT$3,800")
    companion.controller.do("sheet", lambda state: state.open_hand(0))
    companion.frames(4)
    companion.shot("settle-result")
    assert companion.says("−NT$2,550")


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(800, 480), (1280, 800), (600, 1024)])
def test_the_game_that_is_played_is_settled_at_its_end(companion: Driver, size: tuple[int, int]) -> None:
    companion.resize(size)
    companion.controller.announce(NewGameWanted(GameStarted(rules="hebei", names=LONG)))
    companion.wait(lambda: companion.page == "game", "the game")
    companion.settle()
    enter(companion, PointsMoved(points=(0, 8, -3, -5), why="a bet"), GameEnded())
    companion.shot(f"settle-standing-{size[0]}")
    companion.press("Settle up")
    companion.settle()
    assert companion.page == "sheet"
    settling = page(companion).settling
    companion.touch(settling.change)
    companion.touch(settling.choice.agree)
    companion.wait(lambda: companion.says("¥8"), "the money")
    companion.touch(settling.change)
    companion.touch(settling.choice.none)
    companion.wait(lambda: state_of(companion).sheet.state.currency is None, "points only")  # type: ignore[union-attr]
    companion.touch(settling.change)
    companion.touch(settling.choice.agree)
    companion.wait(lambda: companion.says("¥8"), "the money again")
    companion.press("Table")
    companion.wait(lambda: companion.says("¥8"), "the money beside the points")
    companion.shot(f"settle-standing-money-{size[0]}")


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (600, 1024)])
def test_very_large_letters_have_room_too(companion: Driver, size: tuple[int, int]) -> None:
    keep_evening(NT, LONGEST)
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.change(text=TextSize.VERY_LARGE))
    settle(companion)
    companion.shot(f"settle-very-large-{size[0]}")
    check_fits(companion)
    companion.touch(page(companion).settling.change)
    companion.shot(f"settle-very-large-choice-{size[0]}")
    check_fits(companion)
