"""What people do and built-in players do not: collect one suit, where the rules pay for it.

An assumption, not a count: no hand of people was counted. The chance of a tile of a suit that an opponent may
collect is never less than that of as well-known a tile of another suit. It moves danger from the other suits,
and adds none (companion.coach.danger).
"""

from __future__ import annotations

from functools import cache

from companion.rules import rule_set, score
from companion.rules.request import decode_request
from companion.rules.win import Options
from companion.table.house import House

COLLECTORS = 0.15
"""The share of hands that are played for one suit where that pays any number of times more. Of coaches among
themselves, who do so where it pays, 4 of 50 with two melds of one suit had all but one tile of it, and 3 of 8
with three (60 hands of Hong Kong): fewer than this share says, since people are taken to do so oftener."""
CROWDED = 2.0
"""How much likelier a collector wins on a tile of the suit than others do: it waits for three times as many
kinds of it, and is ready two thirds as often."""
SUITS = 3
MOST_PREMIUM = 10.0
"""Also where a hand of three suits is not allowed to win."""
ONE_SUIT = ("p222s", "p444s"), "567678s33s", "345s"
MIXED = ("p222m", "p444p"), "567678s33s", "345m"
"""The same hand in one suit and in three: its melds, its concealed tiles, and those of a fifth set."""


def find_share(house: House, melds: int) -> float:
    """How likely an opponent collects the one suit of which all its melds are, but for honours: with no
    intention they would be so once in three times for each after the first."""
    share = COLLECTORS * (1 - 1 / find_premium(house))
    return share / (share + (1 - share) * (1 / SUITS) ** max(0, melds - 1))


def find_premium(house: House) -> float:
    """How many times as much a hand of one suit pays as the same hand in three, at least 1."""
    named = (
        "fortune" in house.rules.uses and house.wild(None) is None and house.wall.indicator_dice is not None
    )
    return _find_premium(house.rules.name, tuple(sorted(house.scoring.items())), "1m" if named else None)


@cache
def _find_premium(rules: str, options: tuple[tuple[str, int], ...], fortune: str | None) -> float:
    one, mixed = (_pay(rules, dict(options), fortune, *hand) for hand in (ONE_SUIT, MIXED))
    return min(MOST_PREMIUM, max(1.0, one / mixed)) if mixed else MOST_PREMIUM


def _pay(
    rules: str, options: Options, fortune: str | None, melds: tuple[str, ...], hand: str, fifth: str
) -> float:
    """What all pay for the hand, self-drawn; 0 where it is no win at this table."""
    more = fifth if rule_set(rules).sets > len(melds) + 2 else ""
    request = {
        "rules": rules, "options": options, "melds": list(melds), "hand": hand + more, "winning_tile": "8s",
        "winner": 1, "source": "self_draw", "fortune": fortune,
    }  # fmt: skip
    result = score(decode_request(request), house_rules=False)
    return float(result.payments[1]) if result.legal else 0.0
