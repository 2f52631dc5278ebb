"""Payments and chances as people read them."""

from __future__ import annotations

WHOLE_FROM = 20
"""Payments from this size on are said without tenths."""


def format_payment(payment: float) -> str:
    """A payment, or a cost, as people read it: whole where it is large, and without a tenth that is none."""
    if abs(payment) >= WHOLE_FROM:
        return f"{payment:.0f}"
    return f"{payment:.1f}".removesuffix(".0")


def format_cost(cost: float) -> str:
    """A cost in points as people read it: whole where it is large, else with its tenths."""
    return f"{cost:.0f}" if abs(cost) >= WHOLE_FROM else f"{cost:.1f}"


def round_percent(chance: float) -> str:
    """A chance in percent, as people read it: one that is nearly none is not said to be none."""
    return "<1" if chance < 0.005 else str(round(100 * chance))
