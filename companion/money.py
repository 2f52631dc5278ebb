"""Points in money: the value of a point, and who pays whom at the end. Pure and exact.

Amounts are decimals. What people pay is a whole number of the smallest coins, and adds up to 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Context, Decimal, Inexact

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import InputError, quote
from companion.foreign_text import clean
from companion.sentences import Sentence, write_number

SYMBOL_LENGTH_MAX = 8
VALUE_MAX = 1_000_000
PLACES_MAX = 4
USUAL_PLACES = 2
"""Decimals of an amount that is not a whole number, unless it needs more."""
PEOPLE_MAX = 8
"""The most people for whom the fewest transfers are searched: each further one doubles the time."""
DECIMAL = re.compile(rf"[0-9]{{1,7}}(\.[0-9]{{1,{PLACES_MAX}}})?")
EXACT = Context(prec=100, traps=[Inexact])

NO_SYMBOL = (
    "The currency {symbol} cannot be used: it must be 1 to {most} visible characters, such as NT$ or chips."
)
NO_POINT = (
    "One point cannot be worth {value}: give a number above 0, at most {most}, with up to {places} decimals."
)
NO_COIN = (
    "The smallest coin cannot be {value}: give a number above 0, at most {most}, with up to {places}"
    " decimals."
)
POINTS_ONLY = "points only"
WORTH = "1 point = {point}"
WORTH_ROUNDED = "1 point = {point}, rounded to {coin}"
IN_MONEY = "{said} ({money})"
ALL = (NO_SYMBOL, NO_POINT, NO_COIN, POINTS_ONLY, WORTH, WORTH_ROUNDED, IN_MONEY)
"""Marked for translation."""


class Currency(Struct, frozen=True, forbid_unknown_fields=True):
    """symbol: "NT$", "HK$", "¥", "chips". point: what one point of the scores is worth; coin: the smallest
    coin; both decimal text, as "0.5", within the limits of `check_currency`."""

    symbol: str
    point: str
    coin: str


class Transfer(Struct, frozen=True):
    """`payer` pays `taker`, both places in the list of people, that amount, which is more than 0."""

    payer: int
    taker: int
    amount: Decimal


def check_currency(currency: Currency) -> Currency:
    """The currency. InputError if its symbol is not 1 to 8 visible characters, or its point or coin is not
    a number above 0 and up to 1,000,000 with at most 4 decimals."""
    symbol = currency.symbol
    if not 1 <= len(symbol) <= SYMBOL_LENGTH_MAX or clean(symbol) != symbol or symbol != symbol.strip():
        raise InputError(NO_SYMBOL, symbol=quote(symbol), most=SYMBOL_LENGTH_MAX)
    for value, template in ((currency.point, NO_POINT), (currency.coin, NO_COIN)):
        if not DECIMAL.fullmatch(value) or not 0 < Decimal(value) <= VALUE_MAX:
            raise InputError(template, value=quote(value), most=VALUE_MAX, places=PLACES_MAX)
    return currency


def find_problem(currency: Currency) -> Sentence | None:
    """What `check_currency` finds wrong; None if the currency can be used."""
    try:
        check_currency(currency)
    except InputError as problem:
        return problem.sentence
    return None


def choose_coin(point: str) -> str:
    """The default of the smallest coin: 1, or the value of one point if that is less."""
    return point if DECIMAL.fullmatch(point) and Decimal(point) < 1 else "1"


def with_point(currency: Currency, point: str) -> Currency:
    """With another value of a point; the smallest coin follows, unless another one was chosen."""
    is_usual = currency.coin == choose_coin(currency.point)
    return replace(currency, point=point, coin=choose_coin(point) if is_usual else currency.coin)


def amount(points: int, currency: Currency) -> Decimal:
    """What these points are worth, exactly."""
    return EXACT.multiply(Decimal(points), Decimal(currency.point))


def format_money(value: Decimal, currency: Currency) -> str:
    """As people write it: −NT$1,200, HK$16.50 or 1,200 chips; no decimals for a whole number, otherwise 2 or
    as many as it needs."""
    places = _count_places(value.normalize(EXACT))
    if places:
        places = max(places, USUAL_PLACES)
    number = write_number(abs(value), places=places)
    sign = "−" if value < 0 else ""
    symbol = currency.symbol
    if not symbol[-1].isalpha():
        return f"{sign}{symbol}{number}"
    space = " " if symbol[0] < "\u3000" else ""  # none before Chinese characters
    return f"{sign}{number}{space}{symbol}"


def describe_currency(currency: Currency | None) -> Sentence:
    """What a point is worth, and the smallest coin where amounts are rounded to it."""
    if currency is None:
        return Sentence(POINTS_ONLY)
    point, coin = Decimal(currency.point), Decimal(currency.coin)
    said = {"point": format_money(point, currency), "coin": format_money(coin, currency)}
    return Sentence(WORTH_ROUNDED if point % coin else WORTH, said)


def add_money(said: Sentence, points: int, currency: Currency | None) -> Sentence:
    """The sentence with what these points are worth, where a currency is agreed: 4 fan (HK$16)."""
    if currency is None:
        return said
    return Sentence(IN_MONEY, {"said": said, "money": format_money(amount(points, currency), currency)})


def settle(points: Sequence[int], currency: Currency) -> tuple[Decimal, ...]:
    """What each person gets, negative for what is paid: whole numbers of coins that add up to 0, as the
    points must. ValueError if they do not.

    By the largest remainder method, known from seats in parliaments: each amount is rounded down to a whole
    number of coins, and the coins left over go one each to the largest remainders; if these are equal, to the
    player who has won more, then to the one listed first. So everybody gets the exact amount rounded down or
    up: nobody is off by a whole coin, no winner pays, and no other rounding is closer to the exact amounts in
    total.
    """
    if sum(points):
        raise ValueError(f"the points add up to {sum(points)}, not to 0")
    coin = Decimal(currency.coin)
    parts = [divmod(point * _scale(currency.point), _scale(currency.coin)) for point in points]
    coins = [whole for whole, _ in parts]
    first = sorted(range(len(points)), key=lambda i: (-parts[i][1], -points[i], i))
    for person in first[: -sum(coins)]:
        coins[person] += 1
    return tuple(EXACT.multiply(Decimal(count), coin) for count in coins)


def transfers(amounts: Sequence[Decimal]) -> tuple[Transfer, ...]:
    """Who pays whom, so that each gets that amount, or pays it where it is negative: the fewest transfers,
    the largest first. Nobody both pays and receives. ValueError if the amounts do not add up to 0, or more
    than PEOPLE_MAX of them are not 0.

    Among people whose amounts add up to 0, one transfer fewer than there are people is enough. So the fewest
    are found by dividing the people into the largest number of such groups.
    """
    people = [person for person, value in enumerate(amounts) if value]
    if sum(amounts):
        raise ValueError("the amounts do not add up to 0")
    if len(people) > PEOPLE_MAX:
        raise ValueError(f"more than {PEOPLE_MAX} people")
    found = [each for group in _divide(people, amounts) for each in _pay_off(group, amounts)]
    return tuple(sorted(found, key=lambda each: (-each.amount, each.payer, each.taker)))


def _divide(people: Sequence[int], amounts: Sequence[Decimal]) -> list[list[int]]:
    """The people in the largest number of groups whose amounts add up to 0.

    For each subset, a bit for each person: the order in which most of its prefixes add up to 0.
    """
    orders: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for chosen in range(1, 1 << len(people)):
        last = [at for at in range(len(people)) if chosen >> at & 1]
        groups, order = max(
            ((orders[chosen - (1 << at)][0], (*orders[chosen - (1 << at)][1], at)) for at in last),
            key=lambda each: each[0],
        )
        is_even = not sum(amounts[people[at]] for at in last)
        orders.append((groups + is_even, order))
    parts: list[list[int]] = [[]]
    for at in orders[-1][1]:
        parts[-1].append(people[at])
        if not sum(amounts[person] for person in parts[-1]):
            parts.append([])
    return parts[:-1]


def _pay_off(group: Sequence[int], amounts: Sequence[Decimal]) -> list[Transfer]:
    """The player who owes most pays the player who is owed most, until nobody owes anything. Each transfer
    settles one of them, the last one both."""
    left = {person: amounts[person] for person in group}
    found = []
    while any(left.values()):
        payer = min(left, key=lambda person: (left[person], person))
        taker = min(left, key=lambda person: (-left[person], person))
        paid = min(-left[payer], left[taker])
        left[payer], left[taker] = EXACT.add(left[payer], paid), EXACT.subtract(left[taker], paid)
        found.append(Transfer(payer, taker, paid))
    return found


def _scale(text: str) -> int:
    """A decimal in ten-thousandths."""
    return int(Decimal(text).scaleb(PLACES_MAX))


def _count_places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
