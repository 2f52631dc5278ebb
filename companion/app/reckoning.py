"""How a score comes about, in signs and numbers that a person can follow. Nothing is decided here: the values
are the rules', and it is only found out which way of writing them down makes them add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from companion.rules import RULE_SETS, Line, Score, ScoreRequest
from companion.rules.scoring import win_of

PLUS, TIMES = "+", "×"


@dataclass(frozen=True, slots=True)
class HandSum:
    """How the hand's lines make its value: their `sign`, and the `base` where the value holds it.

    `exact` is False where a limit of the house made the value another.
    """

    sign: str
    base: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Payment:
    """What each of these seats pays: the lines that concern only them, their sign, the sum written out."""

    payers: tuple[int, ...]
    lines: tuple[Line, ...]
    sign: str
    formula: str
    owed: int
    pays: int


def hand_sum(request: ScoreRequest, score: Score) -> HandSum:
    """How the lines of a win make its value."""
    values = [line.value for line in score.lines]
    likely = TIMES if RULE_SETS[score.rules].worth(2, 3) == 2**3 else PLUS
    for base in (1, request.base):
        for sign in (likely, PLUS, TIMES):
            made = prod(values) if sign == TIMES else sum(values)
            if made * base == score.value:
                return HandSum(sign, base, True)
    return HandSum(likely, 1, False)


def payments(request: ScoreRequest, score: Score) -> tuple[int, tuple[Payment, ...]]:
    """What one point is worth to each payer, and what everybody pays; who pays alike stands together."""
    rules = RULE_SETS[score.rules]
    win = win_of(rules, request)
    each = rules.pays(win, 1, ())
    found: dict[tuple[tuple[Line, ...], int, int], list[int]] = {}
    for share in score.shares:
        found.setdefault((share.lines, share.owed, share.pays), []).append(share.payer)
    result = []
    for (lines, owed, pays), payers in found.items():
        values = [line.value for line in lines]
        added, multiplied = score.value + sum(values), score.value * prod(values)
        adds, multiplies = each * added == owed, each * multiplied == owed
        if adds and multiplies:
            adds = rules.pays(win, score.value + 1, lines) == each * (added + 1)
        sign = PLUS if adds else TIMES if multiplies else ""
        result.append(
            Payment(tuple(payers), lines, sign, _formula(score.value, values, sign, each, owed), owed, pays)
        )
    return each, tuple(result)


def _formula(value: int, values: list[int], sign: str, each: int, owed: int) -> str:
    if not sign or not (values or each != 1):
        return f"{owed:,}"
    terms = f" {sign} ".join(f"{term:,}" for term in (value, *values))
    if each != 1:
        terms = f"({terms}) × {each:,}" if sign == PLUS and values else f"{terms} × {each:,}"
    return f"{terms} = {owed:,}"
