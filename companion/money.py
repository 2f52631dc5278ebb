"""Money: what the points of a table are worth."""

from __future__ import annotations

from msgspec import Struct


class Currency(Struct, frozen=True, forbid_unknown_fields=True):
    """What one point is worth, and the smallest coin: decimal numbers as text, so that they stay exact.

    symbol: "NT$", "HK$", "¥", "chips" …
    """

    symbol: str
    point: str
    coin: str
