"""The symbols and values of a currency that the window offers. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from companion.money import Currency, choose_coin
from companion.sentences import msgid

SYMBOLS = ("NT$", "HK$", "¥", "$", "€", msgid("chips"))
POINTS = ("0.1", "0.5", "1", "2", "5", "10")
COINS = ("0.1", "0.5", "1", "5", "10", "50")
USUAL = {"taiwanese": SYMBOLS[0], "hong_kong": SYMBOLS[1]}
"""By game, if not that of mainland China."""


def guess_currency(rules: str) -> Currency:
    """The currency offered first for that game."""
    return Currency(USUAL.get(rules, SYMBOLS[2]), "1", "1")


def with_point(currency: Currency, point: str) -> Currency:
    """With another value of a point; the smallest coin follows, unless another one was chosen."""
    is_usual = currency.coin == choose_coin(currency.point)
    return replace(currency, point=point, coin=choose_coin(point) if is_usual else currency.coin)
