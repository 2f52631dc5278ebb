"""Steps of settling up, without a window."""

from __future__ import annotations

from companion.app.effects import ShowMessage
from companion.app.news import SheetWanted
from companion.app.sheet.state import SETTLING, AgreeCurrency, SheetState
from companion.app.widgets.game_words import guess_currency
from companion.money import Currency
from companion.sheets.figures import calculate_figures
from companion.sheets.hands import make_sheet
from companion.table.events import CurrencyAgreed, Event, GameStarted

NT = Currency("NT$", "20", "50")


def show(*more: Event, practice: int | None = None) -> SheetState:
    sheet = make_sheet([GameStarted(rules="taiwanese", practice=practice), *more])
    return SheetState(name="friday").show_sheet("friday", sheet, calculate_figures(sheet))


def test_a_currency_is_asked_for_only_where_one_is_wanted() -> None:
    assert show().drafted is None
    assert show().change_currency().drafted == Currency("NT$", "1", "1")
    assert show(CurrencyAgreed(currency=NT)).change_currency().drafted == NT
    assert guess_currency("hong_kong").symbol == "HK$"


def test_a_currency_is_entered_once_it_can_be_one() -> None:
    agreed = show().agree_currency(NT)
    assert AgreeCurrency("friday", NT) in agreed.effects
    wrong = show().agree_currency(Currency("NT$", "0", "1"))
    (said,) = wrong.effects
    assert isinstance(said, ShowMessage)
    assert not show(CurrencyAgreed(currency=NT)).change_currency().agree_currency(NT).effects


def test_draft_currency_stays_until_it_is_confirmed() -> None:
    drafted = show().draft_currency(NT)
    again = make_sheet([GameStarted(rules="taiwanese")])
    assert drafted.show_sheet("friday", again, calculate_figures(again)).drafted == NT
    agreed = make_sheet([GameStarted(rules="taiwanese"), CurrencyAgreed(currency=NT)])
    assert drafted.show_sheet("friday", agreed, calculate_figures(agreed)).drafted is None
    assert drafted.step_back().drafted is None


def test_a_practice_game_is_not_settled() -> None:
    assert show().may_settle
    assert not show(practice=5).may_settle


def test_the_table_leads_to_it() -> None:
    wanted = SheetState().on_news(SheetWanted("friday", settles=True))
    assert (wanted.part, wanted.name) == (SETTLING, "friday")
    assert SheetState().on_news(SheetWanted(settles=True)).sheet is None, "no game is played"
