"""What the points of a game are worth in money, and who pays whom to settle it."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace as changed

from companion.errors import EventError, InputError
from companion.money import Currency, Transfer, check_currency, settle, transfers
from companion.table import messages
from companion.table.events import CurrencyAgreed
from companion.table.state import Points, State

POINTS = Currency("points", "1", "1")
"""Currency of a game for points only."""


class Settlement(Struct, frozen=True):
    """A game's present result in money. points: what each person has won, negative for a loss. amounts: the
    same in money, whole numbers of the smallest coin. Both add up to 0. transfers: who pays whom, by
    person."""

    currency: Currency
    points: Points
    amounts: tuple[Decimal, ...]
    transfers: tuple[Transfer, ...]


def settle_up(state: State, currency: Currency | None = None) -> Settlement | None:
    """The game settled in that currency, by default its own; None if it has none."""
    currency = currency or state.currency
    if currency is None:
        return None
    points = list_won(state)
    amounts = settle(points, currency)
    return Settlement(currency, points, amounts, transfers(amounts))


def list_won(state: State) -> Points:
    """What each person has won, negative for a loss: the points beyond those that everybody starts with.

    In a game that began elsewhere, what was won there counts too, unless the points at its beginning here do
    not add up to those of four starts.
    """
    given = state.house.play.points(state.house.options)
    if sum(state.points) == len(state.points) * given:
        a, b, c, d = (points - given for points in state.points)
    else:
        a, b, c, d = (sum(entry.points[person] for entry in state.ledger) for person in range(4))
    return a, b, c, d


def read_currency(currency: Currency | None) -> Currency | None:
    """The currency of an event. EventError if it cannot be one."""
    if currency is None:
        return None
    try:
        return check_currency(currency)
    except InputError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None


def apply_currency_agreed(state: State, event: CurrencyAgreed) -> State:
    return changed(state, currency=read_currency(event.currency))
