"""Money: what a game's points are worth, agreed before it, in it or after it, and who pays whom."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

import pytest

from companion.errors import EventError
from companion.money import Currency, Transfer
from companion.table.apply import apply, fold
from companion.table.events import (
    CurrencyAgreed,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    PointsMoved,
    SeatsChanged,
)
from companion.table.settling import list_won, settle_up
from companion.table.state import State

NT = Currency("NT$", "20", "10")
CHIPS = Currency("chips", "1", "1")


def play(start: GameStarted, *more: Event) -> State:
    state = fold([start, *more])
    assert state is not None
    return state


def whole(amounts: Iterable[Decimal]) -> list[int]:
    return [int(each) for each in amounts]


def move(*points: int) -> PointsMoved:
    a, b, c, d = points
    return PointsMoved(points=(a, b, c, d), why="a bet")


def test_transfers_follow_persons_not_seats() -> None:
    state = play(
        GameStarted(rules="taiwanese", currency=NT),
        move(3, -1, -1, -1),
        SeatsChanged(order=(1, 0, 2, 3)),
        move(4, -4, 0, 0),
        GameEnded(),
    )
    settled = settle_up(state)
    assert settled is not None
    assert settled.points == (-1, 3, -1, -1)
    assert whole(settled.amounts) == [-20, 60, -20, -20]
    assert [(each.payer, each.taker, int(each.amount)) for each in settled.transfers] == [
        (0, 1, 20), (2, 1, 20), (3, 1, 20)
    ]  # fmt: skip


@pytest.mark.parametrize("rules", ["hebei", "hangzhou", "hefei"])
def test_starting_points_are_not_winnings(rules: str) -> None:
    state = play(GameStarted(rules=rules, currency=NT))
    settled = settle_up(state)
    assert settled is not None
    assert settled.points == (0, 0, 0, 0)
    assert settled.transfers == ()
    assert list_won(apply(state, move(5, -5, 0, 0))) == (5, -5, 0, 0)


def test_a_game_begun_elsewhere_counts_from_its_beginning_there() -> None:
    begun = GameStarted(rules="hebei", points=(130, 90, 80, 100))
    assert list_won(play(begun, move(0, 0, 5, -5))) == (30, -10, -15, -5)


def test_points_of_another_sum_count_from_where_the_game_began() -> None:
    begun = GameStarted(rules="hong_kong", points=(500, 500, 500, 0))
    assert list_won(play(begun, move(0, 0, 5, -5))) == (0, 0, 5, -5)


def test_player_who_sits_out_is_settled_too() -> None:
    three = GameStarted(
        rules="hebei", options={"players": 3}, names=("Ann", "Bao", "Chen", ""), currency=CHIPS
    )
    settled = settle_up(play(three, move(4, -1, -3, 0)))
    assert settled is not None
    assert whole(settled.amounts) == [4, -1, -3, 0]
    assert settled.transfers == (Transfer(2, 0, Decimal(3)), Transfer(1, 0, Decimal(1)))


def test_money_is_agreed_on_at_any_time_and_holds_for_the_whole_game() -> None:
    state = play(GameStarted(rules="hong_kong"), move(3, -3, 0, 0))
    assert settle_up(state) is None
    asked = settle_up(state, CHIPS)
    assert asked is not None
    assert asked.currency == CHIPS
    in_hand = apply(state, HandStarted(dealer=0))
    for at in (state, in_hand, apply(state, GameEnded())):
        agreed = apply(at, CurrencyAgreed(currency=NT))
        settled = settle_up(agreed)
        assert settled is not None
        assert whole(settled.amounts) == [60, -60, 0, 0]
        assert (agreed.hand, agreed.points, agreed.ledger) == (at.hand, at.points, at.ledger)
        assert settle_up(apply(agreed, CurrencyAgreed())) is None, "for points only"


@pytest.mark.parametrize("currency", [Currency("", "1", "1"), Currency("NT$", "0", "1")])
def test_invalid_currency_is_refused(currency: Currency) -> None:
    start, agreed = GameStarted(rules="hefei", currency=currency), CurrencyAgreed(currency=currency)
    logs: list[list[Event]] = [[start], [GameStarted(rules="hefei"), agreed]]
    for log in logs:
        with pytest.raises(EventError, match="cannot be"):
            fold(log)
