"""Points in money: exact amounts, a rounding that adds up to nothing, the fewest transfers."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import InputError
from companion.money import (
    Currency,
    Transfer,
    amount,
    check_currency,
    choose_coin,
    format_money,
    settle,
    transfers,
    with_point,
)

DOLLARS = Currency("NT$", "1", "10")
CENTS = Currency("HK$", "0.5", "0.10")
values = st.decimals("0.0001", 1_000_000, places=4).map(lambda value: f"{value:f}")
currencies = st.builds(Currency, st.just("¥"), values, values)


@st.composite
def zero_sums(draw: st.DrawFn, most: int = 10**9, people: int = 8) -> list[int]:
    first = draw(st.lists(st.integers(-most, most), min_size=1, max_size=people - 1))
    return [*first, -sum(first)]


@given(zero_sums(), currencies)
def test_a_settled_evening_adds_up_to_nothing_in_whole_coins(points: list[int], currency: Currency) -> None:
    settled, coin = settle(points, currency), Decimal(currency.coin)
    assert sum(settled) == 0
    for each, point in zip(settled, points, strict=True):
        exact = amount(point, currency)
        assert each % coin == 0
        assert abs(each - exact) < coin
        assert each * exact >= 0, "nobody who has won pays"
        assert each == exact or exact % coin, "what needs no rounding is not rounded"


@pytest.mark.parametrize(
    ("points", "coins"),
    [
        ((15, -5, -5, -5), (20, 0, -10, -10)),
        ((5, -5, 0, 0), (10, -10, 0, 0)),
        ((14, -4, -4, -6), (10, 0, 0, -10)),
        ((30, -10, -10, -10), (30, -10, -10, -10)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_coins_that_are_left_over_go_to_the_largest_remainders(
    points: tuple[int, ...], coins: tuple[int, ...]
) -> None:
    assert settle(points, DOLLARS) == coins


def test_points_that_do_not_add_up_cannot_be_settled() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        settle((1, 0, 0, 0), DOLLARS)


def fewest(amounts: list[int]) -> int:
    """The oracle: every way to part the people into groups that add up to 0, each a transfer cheaper."""

    def part(people: tuple[int, ...]) -> int:
        if not people:
            return 0
        first, *rest = people
        groups = ((first, *others) for size in range(len(rest) + 1) for others in combinations(rest, size))
        return max(
            1 + part(tuple(person for person in rest if person not in group))
            for group in groups
            if not sum(amounts[person] for person in group)
        )

    people = tuple(person for person, value in enumerate(amounts) if value)
    return len(people) - part(people)


@given(zero_sums(6))
def test_there_are_as_few_transfers_as_can_be(amounts: list[int]) -> None:
    found = transfers([Decimal(each) for each in amounts])
    assert len(found) == fewest(amounts)
    left = dict(enumerate(amounts))
    for each in found:
        assert each.amount > 0
        left[each.payer] += int(each.amount)
        left[each.taker] -= int(each.amount)
    assert not any(left.values())
    assert not {each.payer for each in found} & {each.taker for each in found}
    assert [each.amount for each in found] == sorted((each.amount for each in found), reverse=True)


def test_two_pairs_pay_each_other() -> None:
    amounts = [Decimal(each) for each in (30, -10, 10, -30)]
    assert transfers(amounts) == (Transfer(3, 0, Decimal(30)), Transfer(1, 2, Decimal(10)))


def test_largest_debtor_pays_largest_creditor() -> None:
    amounts = [Decimal(each) for each in (50, 20, -30, -40)]
    assert [(each.payer, each.taker, int(each.amount)) for each in transfers(amounts)] == [
        (3, 0, 40), (2, 1, 20), (2, 0, 10)
    ]  # fmt: skip


def test_nobody_owes_anything() -> None:
    assert transfers([Decimal(0)] * 4) == ()


@pytest.mark.parametrize("amounts", [[1, 0, 0, 0], [1, -1] * 5])
def test_impossible_transfer_is_refused(amounts: list[int]) -> None:
    with pytest.raises(ValueError, match=r"people|add up"):
        transfers([Decimal(each) for each in amounts])


@pytest.mark.parametrize(
    ("value", "currency", "written"),
    [
        ("1200", DOLLARS, "NT$1,200"),
        ("-350", DOLLARS, "−NT$350"),
        ("0", DOLLARS, "NT$0"),
        ("1234567.5", CENTS, "HK$1,234,567.50"),
        ("0.25", DOLLARS, "NT$0.25"),
        ("368.0", CENTS, "HK$368"),
        ("16.5", CENTS, "HK$16.50"),
        ("0.125", CENTS, "HK$0.125"),
        ("1200", Currency("chips", "20", "1"), "1,200 chips"),
        ("-20", Currency("籌碼", "20", "1"), "−20籌碼"),
        ("1E+3", Currency("¥", "1000", "1"), "¥1,000"),
    ],
)
def test_money_is_written_as_people_write_it(value: str, currency: Currency, written: str) -> None:
    assert format_money(Decimal(value), currency) == written


def test_the_coin_follows_the_point_where_none_is_named() -> None:
    assert [choose_coin(point) for point in ("20", "1", "0.5", "x")] == ["1", "1", "0.5", "1"]


@pytest.mark.parametrize(
    ("currency", "said"),
    [
        (Currency("", "1", "1"), "The currency '' cannot be used"),
        (Currency("dollaroos", "1", "1"), "1 to 8 visible characters, such as NT$ or chips."),
        (Currency("N\u200bT$", "1", "1"), "The currency"),
        (Currency(" $", "1", "1"), "The currency"),
        (Currency("NT$", "0", "1"), "One point cannot be worth '0': give a number above 0, at most 1,000,"),
        (Currency("NT$", "-1", "1"), "One point"),
        (Currency("NT$", "1e3", "1"), "One point"),
        (Currency("NT$", "0.12345", "1"), "with up to 4 decimals."),
        (Currency("NT$", "١", "1"), "One point"),
        (Currency("NT$", "1", "1000000.1"), "The smallest coin cannot be '1000000.1'"),
        (Currency("NT$", "1", ""), "The smallest coin"),
    ],
)
def test_invalid_currency_is_refused(currency: Currency, said: str) -> None:
    with pytest.raises(InputError) as refused:
        check_currency(currency)
    assert said in str(refused.value)


def test_valid_currency_stays_unchanged() -> None:
    for currency in (DOLLARS, CENTS, Currency("чипы", "0.0001", "1000000")):
        assert check_currency(currency) is currency


@pytest.mark.parametrize(("coin", "then"), [("1", "0.5"), ("5", "5")])
def test_the_coin_follows_the_point_unless_it_was_chosen(coin: str, then: str) -> None:
    assert with_point(Currency("HK$", "1", coin), "0.5").coin == then
