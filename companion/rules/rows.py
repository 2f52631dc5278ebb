"""Which rows of a game's tables can be found in a win, and the lines that they make of a score."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from companion.rules.outline import Debt, OfWin, make_outline
from companion.rules.rule_set import ComputedRow, Pattern, PayerPattern, RuleSet, ScoreLine, Sign
from companion.rules.win import HandReading, Win

OUTLINES = 1 << 14
"""For how many outlines the rows that can be found are remembered."""


@lru_cache(OUTLINES)
def select_rows(
    rules: RuleSet, sign: Sign, of_win: OfWin, shape: str, tally: int
) -> tuple[tuple[tuple[Callable[[Win, HandReading], int], Pattern, ScoreLine], ...], bool]:
    """The rows that can be found in a reading of such a win, and whether any of them replaces others.

    Each with its `count`, and with its line where that is 1. `tally` is that of the reading's groups.
    """
    outline = make_outline(of_win, shape, tally)
    rows = [
        row
        for row in rules.patterns
        if row.shape in (None, shape)
        and (row.situation is None or row.situation in outline.situation)
        and row.when(outline)
    ]
    return tuple([(row.count, row, make_line(row, 1, sign)) for row in rows]), any(r.replaces for r in rows)


@cache
def select_payer_rows(
    rules: RuleSet, self_drawn: bool, by_dealer: bool, of_dealer: bool, discarded: bool
) -> tuple[PayerPattern, ...]:
    """The rows that can be found in a debt of these fields of a Debt."""
    debt = Debt(self_drawn, by_dealer, of_dealer, discarded)
    return tuple([row for row in rules.payer_patterns if row.when(debt)])


@cache
def make_line(row: Pattern | PayerPattern | ComputedRow, count: int, sign: Sign) -> ScoreLine:
    """The line of a row that was found `count` times."""
    return ScoreLine(row.id, row.name, row.name_zh, count, sign.repeated(row.value, count), row.ruling)
