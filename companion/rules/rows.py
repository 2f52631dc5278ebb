"""Which rows of a game's tables can be found in a win, and the lines that they make of a score."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from companion.rules.outline import Debt, OfWin, Outline, make_outline
from companion.rules.rule_set import ComputedRow, Pattern, PayerPattern, RuleSet, ScoreLine, Sign, Table
from companion.rules.win import HandReading, Win

OUTLINES = 1 << 14
"""For how many outlines the rows that can be found are remembered."""


class Lines(dict[int, ScoreLine]):
    """The lines of a row by how often it was found, each made when it is first asked for."""

    def __init__(self, row: Pattern | PayerPattern, sign: Sign) -> None:
        super().__init__()
        self._row, self._sign = row, sign
        self.replaces = row.replaces if isinstance(row, Pattern) else ()

    def __missing__(self, count: int) -> ScoreLine:
        line = self[count] = make_line(self._row, count, self._sign)
        return line


lines_of = cache(Lines)
"""The lines of a row under a sign, equal ones once."""


@lru_cache(OUTLINES)
def select_rows(
    table: Table, sign: Sign, of_win: OfWin, shape: str, tally: int
) -> tuple[tuple[Callable[[Win, HandReading], int], Lines], ...]:
    """The rows of a table that can be found in a reading of such a win: of each its `count`, and its lines.

    `tally` is that of the reading's groups.
    """
    outline = make_outline(of_win, shape, tally)
    rows = _rows_of_shape(table, sign, shape, outline.situation)
    return tuple([(count, lines) for when, count, lines in rows if when(outline)])


@cache
def _rows_of_shape(
    table: Table, sign: Sign, shape: str, situation: frozenset[str]
) -> tuple[tuple[Callable[[Outline], bool], Callable[[Win, HandReading], int], Lines], ...]:
    """The rows that are looked for in that shape and situation, whatever else the outline says."""
    return tuple(
        [
            (row.when, row.count, lines_of(row, sign))
            for row in table.patterns
            if row.shape in (None, shape) and (row.situation is None or row.situation in situation)
        ]
    )


PayerRows = tuple[tuple[Callable[[Win, int], int], Lines], ...]
"""Of each row of a payer its `count`, and its lines."""


@cache
def select_payer_rows(
    rules: RuleSet, self_drawn: bool, by_dealer: bool
) -> tuple[tuple[PayerRows, PayerRows], tuple[PayerRows, PayerRows]]:
    """The rows that can be found in the debts of such a win, by whether the payer is the dealer and whether
    the winning tile was the payer's, as in `select_payer_rows(…)[of_dealer][discarded]`."""

    def select(of_dealer: bool, discarded: bool) -> PayerRows:
        debt = Debt(self_drawn, by_dealer, of_dealer, discarded)
        rows = [row for row in rules.payer_patterns if row.when(debt)]
        return tuple([(row.count, lines_of(row, rules.payer_sign)) for row in rows])

    return (select(False, False), select(False, True)), (select(True, False), select(True, True))


def make_line(row: Pattern | PayerPattern | ComputedRow, count: int, sign: Sign) -> ScoreLine:
    """The line of a row that was found `count` times."""
    return ScoreLine(row.id, row.name, row.name_zh, count, sign.repeated(row.value, count), row.ruling)
