"""How a score comes about, in terms that a person can follow: as the rules declare it, nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.rule_set import PLUS, RuleSet, Share, Sign
from companion.rules.scoring import Score

CONVERSION = "payout"
"""The table of rows that turn what the others are counted in into units that are paid."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """`terms`, joined by `sign`, times `times` are `total`."""

    terms: tuple[int, ...]
    sign: Sign
    times: int
    total: int

    @property
    def joined(self) -> int:
        """What the terms come to."""
        return self.sign.join(self.terms)

    @property
    def exact(self) -> bool:
        """Whether they make the total; not where a limit of the house made it less. No terms say nothing."""
        return not self.terms or self.joined * self.times == self.total

    def __str__(self) -> str:
        """As in (30 + 4) × 20 = 680."""
        text = f" {self.sign.symbol} ".join(f"{term:,}" for term in self.terms)
        if self.times != 1:
            text = f"({text})" if self.sign is PLUS and len(self.terms) > 1 else text
            text = f"{text} × {self.times:,}"
        return text if text == f"{self.total:,}" else f"{text} = {self.total:,}"


def reckon_hand(score: Score) -> Reckoning:
    """How the lines of the hand make its value."""
    return Reckoning(tuple(line.value for line in score.lines), score.sign, score.times, score.value)


def reckon_share(score: Score, share: Share) -> Reckoning:
    """How the hand's value and a payer's lines make what that payer owes."""
    terms = (score.value, *(line.value for line in share.lines))
    return Reckoning(terms, score.payer_sign, score.price, share.owed)


def value_before_conversion(rules: RuleSet, lines: Iterable[tuple[str, int]]) -> int | None:
    """What the lines, each an id and a value, come to in the game's own unit, where one of them turns that
    into units that are paid; None where none does."""
    conversions = {row.id for row in rules.patterns if row.table == CONVERSION}
    lines = list(lines)
    if conversions.isdisjoint(id for id, _ in lines):
        return None
    return sum(value for id, value in lines if id not in conversions)
