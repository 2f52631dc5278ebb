"""How a score comes about, in terms that a person can follow: as the rules declare it, nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.registry import RULE_SETS
from companion.rules.rule_set import PLUS, RuleSet, Share, Sign
from companion.rules.scoring import Score
from companion.sentences import Sentence, msgid

WORTH = {
    "zui": msgid("{value} zui"),
    "multiplier": msgid("base × {value}"),
    "tai": msgid("{value} tai"),
    "fan": msgid("{value} fan"),
}
"""What a hand is worth, by the game's unit."""
WORTH_ELSE = msgid("{value} {unit}")
"""In a game that counts in a unit of its own."""
WORTH_PAID = msgid("{own} = {value} units")
WORTHS = (*WORTH.values(), WORTH_ELSE, WORTH_PAID)
CONVERSION = "payout"
"""The table of rows that turn what the others are counted in into units that are paid."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """`terms`, joined by `sign`, times `times`, and `plus` beside that, are `total`."""

    terms: tuple[int, ...]
    sign: Sign
    times: int
    total: int
    plus: int = 0

    @property
    def joined(self) -> int:
        """What the terms come to."""
        return self.sign.join(self.terms)

    @property
    def exact(self) -> bool:
        """Whether they make the total; not where a limit made it less. No terms say nothing."""
        return not self.terms or self.plus + self.joined * self.times == self.total

    def __str__(self) -> str:
        """As in (30 + 4) × 20 = 680, or as people state a base: 100 + 20 × (3 + 1) = 180."""
        text = f" {self.sign.symbol} ".join(f"{term:,}" for term in self.terms)
        if self.times != 1:
            text = f"({text})" if self.sign is PLUS and len(self.terms) > 1 else text
            text = f"{self.times:,} × {text}" if self.plus else f"{text} × {self.times:,}"
        text = f"{self.plus:,} + {text}" if self.plus else text
        return text if text == f"{self.total:,}" else f"{text} = {self.total:,}"


def reckon_hand(score: Score) -> Reckoning:
    """How the lines of the hand make its value."""
    return Reckoning(tuple(line.value for line in score.lines), score.sign, score.times, score.value)


def reckon_share(score: Score, share: Share) -> Reckoning:
    """How the hand's value and a payer's lines make what that payer owes."""
    terms = (score.value, *(line.value for line in share.lines))
    return Reckoning(terms, score.payer_sign, score.price, share.owed, share.plus)


def converts(rules: RuleSet, row_id: str) -> bool:
    """Whether that row turns what the others are counted in into units that are paid."""
    return any(row.id == row_id and row.table == CONVERSION for row in rules.patterns)


def describe_worth(score: Score) -> Sentence:
    """What a win is worth: 15 zui; base × 4; 3 fan = 8 units, where a row of the hand makes units of fan."""
    rules, value = RULE_SETS[score.rules], f"{score.value:,}"
    own = value_before_conversion(rules, [(line.id, line.value) for line in score.lines], score.value)
    template = WORTH.get(score.unit, WORTH_ELSE)
    if own is None:
        return Sentence(template, {"value": value, "unit": score.unit})
    fan = Sentence(template, {"value": f"{own:,}", "unit": score.unit})
    return Sentence(WORTH_PAID, {"own": fan, "value": value})


def value_before_conversion(rules: RuleSet, lines: Iterable[tuple[str, int]], value: int) -> int | None:
    """What a hand of that value is worth in the game's own unit, within the limit, where one of its lines,
    each an id and a value, turns that into units that are paid; None where none does."""
    units = [more for id, more in lines if converts(rules, id)]
    return value - sum(units) if units else None
