"""`companion games settle`: who pays whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.game import shelf
from companion.game.game import Game
from companion.money import Currency
from companion.table.events import CurrencyAgreed, GameEnded, GameStarted, PointsMoved

Call = Callable[..., Any]
NAMES = ("Ann", "Bo", "陈", "Dee")
NT = ("--currency", "NT$", "--point", 20, "--coin", 50)


@pytest.fixture
def friday(call: Call) -> None:
    with Game.begin(shelf.path_of("friday"), GameStarted(rules="taiwanese", names=NAMES)) as game:
        game.append(PointsMoved(points=(9, 1, -4, -6), why="a bet"))
        game.append(GameEnded())


def test_an_evening_is_settled_in_the_money_that_is_named(call: Call, friday: None) -> None:
    assert call("games", "settle", "friday", *NT).out.splitlines() == [
        "friday · Taiwanese", "1 point = NT$20, rounded to NT$50", "Ann: +9, NT$200", "Bo: +1, NT$0",
        "陈: −4, −NT$100", "Dee: −6, −NT$100", "", "陈 pays Ann NT$100", "Dee pays Ann NT$100",
    ]  # fmt: skip
    document = call("games", "settle", "friday", *NT, "--json").document
    assert document == {
        "name": "friday", "rules": "taiwanese", "names": list(NAMES), "over": True, "points": [9, 1, -4, -6],
        "currency": {"symbol": "NT$", "point": "20", "coin": "50"},
        "money": ["200", "0", "-100", "-100"],
        "settle_up": [{"from": 2, "to": 0, "amount": "100"}, {"from": 3, "to": 0, "amount": "100"}],
    }  # fmt: skip
    assert call("games", "export", "friday", "--as", "json").document["money"] is None, "it was not kept"
    assert "陈付给 Ann NT$100" in call("games", "settle", "friday", *NT, "--language", "zh_Hans").out


def test_a_currency_is_kept_where_that_is_wanted(call: Call, friday: None) -> None:
    call("games", "settle", "friday", *NT, "--keep")
    call("games", "settle", "friday", "--keep")
    assert "Ann: +9, NT$200" in call("games", "settle", "friday").out
    assert "Ann: +9, NT$180" in call("games", "settle", "friday", "--coin", 10).out
    printed = call("games", "settle", "friday", "--currency", "HK$", "--point", "0.5", "--json").document
    assert printed["currency"] == {"symbol": "HK$", "point": "0.5", "coin": "0.5"}, "not the coin of NT$"
    assert call("games", "export", "friday", "--as", "json").document["money"][0] == "200"
    assert call("games", "list", "--json").document[0]["events"] == 4, "once"
    call("games", "undo", "friday")
    assert call("games", "export", "friday", "--as", "json").document["money"] is None


def test_a_point_is_worth_one_and_amounts_are_exact_without_a_word(call: Call, friday: None) -> None:
    assert "Ann: +9, 9 chips" in call("games", "settle", "friday", "--currency", "chips").out
    printed = call("games", "settle", "friday", "--currency", "HK$", "--point", 0.5).out
    assert "Ann: +9, HK$4.50" in printed


def test_a_game_for_points_is_settled_in_points(call: Call, friday: None) -> None:
    assert call("games", "settle", "friday").out.splitlines() == [
        "friday · Taiwanese", "points only", "Ann: +9", "Bo: +1", "陈: −4", "Dee: −6", "", "Dee pays Ann 6",
        "陈 pays Ann 3", "陈 pays Bo 1",
    ]  # fmt: skip
    document = call("games", "settle", "friday", "--json").document
    assert document["currency"] == {"symbol": "points", "point": "1", "coin": "1"}
    assert (document["money"], len(document["settle_up"])) == (["9", "1", "-4", "-6"], 3)


def test_settle_errors_are_one_sentence(call: Call, friday: None) -> None:
    assert "The game 'friday' is for points only: --keep needs a currency" in call(
        "games", "settle", "friday", "--keep"
    ).refused(2)
    assert "No game 'nix'." in call("games", "settle", "nix").refused(2)
    for flag, value, said in (
        ("--point", "0", "One point cannot be worth '0'"), ("--coin", "abc", "The smallest coin cannot be"),
        ("--currency", "", "The currency '' cannot be used"), ("--point", "1e9", "One point"),
    ):  # fmt: skip
        given = ("--currency", "NT$") if flag != "--currency" else ()
        assert said in call("games", "settle", "friday", *given, flag, value, "--keep").refused(2)
    assert call("games", "list", "--json").document[0]["events"] == 3
    with Game.begin(shelf.path_of("alone"), GameStarted(rules="hefei", practice=5)):
        pass
    assert "is a practice game" in call("games", "settle", "alone", *NT).refused(2)


def test_a_currency_goes_out_with_a_log_and_comes_in_again(call: Call, friday: None) -> None:
    with Game.resume(shelf.path_of("friday")) as game:
        game.append(CurrencyAgreed(currency=Currency("¥", "0.1", "0.5")))
    log = call("games", "export", "friday").out
    assert '{"event":"currency_agreed","currency":{"symbol":"¥","point":"0.1","coin":"0.5"}}' in log
    call("games", "import", "saturday", "-", stdin=log.encode())
    assert "Ann: +9, ¥1" in call("games", "settle", "saturday").out
    bad = log.replace('"0.1"', '"-1"')
    assert "Line 5: One point cannot be worth '-1'" in call(
        "games", "import", "sunday", "-", stdin=bad.encode()
    ).refused(2)
