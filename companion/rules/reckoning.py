"""How a score comes about, in terms that a person can follow: as the rules declare it, nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.rule_set import PLUS, Share, Sign
from companion.rules.scoring import Score


@dataclass(frozen=True, slots=True)
class Reckoning:
    """`terms`, joined by `sign` and taken so many `times`, are `total`."""

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
        told = f" {self.sign.symbol} ".join(f"{term:,}" for term in self.terms)
        if self.times != 1:
            told = f"({told})" if self.sign is PLUS and len(self.terms) > 1 else told
            told = f"{told} × {self.times:,}"
        return told if told == f"{self.total:,}" else f"{told} = {self.total:,}"


def of_hand(score: Score) -> Reckoning:
    """How the lines of the hand make its value."""
    return Reckoning(tuple(line.value for line in score.lines), score.sign, score.times, score.value)


def of_share(score: Score, share: Share) -> Reckoning:
    """How the hand's value and a payer's lines make what that payer owes."""
    terms = (score.value, *(line.value for line in share.lines))
    return Reckoning(terms, score.payer_sign, score.price, share.owed)
