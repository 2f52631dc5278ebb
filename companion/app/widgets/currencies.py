"""The symbols and values of a currency that the window offers. No Kivy."""

from __future__ import annotations

from companion.money import Currency
from companion.profiles import suggest_symbol
from companion.sentences import msgid

SYMBOLS = ("NT$", "HK$", "¥", "$", "€", msgid("chips"))
POINTS = ("0.1", "0.5", "1", "2", "5", "10")
COINS = ("0.1", "0.5", "1", "5", "10", "50")


def guess_currency(rules: str) -> Currency:
    """The currency offered first for that game."""
    return Currency(suggest_symbol(rules), "1", "1")
