"""Winning Hong Kong hands, found by scoring every finished hand near one plainly: slow."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.rules import slow
from tests.rules.slow_hong_kong import Slow, codes

Counts = tuple[int, ...]
KINDS = range(34)
CIRCUMSTANCES = {
    "rules": "hong_kong", "winner": 1, "dealer": 0, "round_wind": "east", "situation": [], "base": 1,
}  # fmt: skip


class PlainWinning:
    """At a table with these house options, for the player in seat 1 with these flowers and melds."""

    def __init__(self, options: dict[str, Any], flowers: list[str], melds: list[str]) -> None:
        self._request = {**CIRCUMSTANCES, "options": options, "flowers": flowers, "melds": melds}
        self._sets = 4 - len(melds)
        self._wins = cache(self._score)

    def find(self, held: Counts, left: Counts, most: int) -> tuple[int, set[int]] | None:
        """How many tiles the hand lacks to one that wins, at most so many, and which bring it nearer."""
        near: dict[int, list[Counts]] = {}
        for finished in set(self._list_finished(held, left, most)):
            lacking = sum(max(0, want - own) for want, own in zip(finished, held, strict=True))
            near.setdefault(lacking, []).append(finished)
        for lacking in range(1, most + 1):
            useful: set[int] = set()
            for finished in near.get(lacking, []):
                missing = [at for at in KINDS for _ in range(finished[at] - held[at])]
                for number, last in enumerate(missing):
                    if self._wins(finished, last):
                        useful |= set(missing[:number] + missing[number + 1 :]) or {last}
            if useful:
                return lacking, useful
        return None

    def _score(self, finished: Counts, last: int) -> bool:
        hand = codes([at for at in KINDS for _ in range(finished[at])])
        given = {**self._request, "hand": hand, "winning_tile": codes([last])}
        drawn = Slow({**given, "source": "self_draw", "from": None}).result()[0]
        return drawn or Slow({**given, "source": "discard", "from": 2}).result()[0]

    def _list_finished(self, held: Counts, left: Counts, most: int) -> Iterator[Counts]:
        plans = [slow.standard(self._sets)]
        if self._sets == 4:
            plans += [slow.SEVEN_PAIRS, slow.THIRTEEN_ORPHANS]
        for plan in plans:
            yield from _finish([0] * 34, held, left, plan, 0, most)


def _finish(
    made: list[int], held: Counts, left: Counts, plan: slow.Plan, first: int, draws: int
) -> Iterator[Counts]:
    """All finished hands that have the groups of `plan` beside those made, with so many draws."""
    if not plan:
        yield tuple(made)
        return
    groups, number = plan[0]
    if not number:
        yield from _finish(made, held, left, plan[1:], 0, draws)
        return
    for index in range(first, len(groups)):
        need = 0
        for at in groups[index]:
            made[at] += 1
            need += made[at] > held[at]
        if need <= draws and all(made[at] <= held[at] + left[at] for at in groups[index]):
            yield from _finish(made, held, left, [(groups, number - 1), *plan[1:]], index, draws - need)
        for at in groups[index]:
            made[at] -= 1


def deal_near(dice: random.Random, sets: int, changes: int) -> Counts:
    """A hand between turns: of so many sets and a pair, some of honours or of one suit, with one tile taken
    out and some exchanged."""
    honors, flush = dice.random(), dice.random() < 0.2
    suit = dice.randrange(3)
    groups = [group for group in slow.SETS if not flush or group[0] // 9 in (suit, 3)]
    while True:
        chosen = [
            (dice.choice([27 + dice.randrange(7)]),) * 3
            if dice.random() < honors * 0.4
            else dice.choice(groups)
            for _ in range(sets)
        ]
        tiles = [at for group in chosen for at in group] + [dice.randrange(34)] * 2
        tiles.remove(dice.choice(tiles))
        for _ in range(changes):
            tiles.remove(dice.choice(tiles))
            tiles.append(dice.randrange(34))
        counts = tuple(tiles.count(at) for at in KINDS)
        if max(counts) <= 4:
            return counts
