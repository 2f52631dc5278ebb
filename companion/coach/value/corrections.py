"""Corrections of estimates: learned from played hands, and for aims that may change on the way.

`lab.bench.corrections` compares estimates with simulated hands and writes the table: how much more or less
often hands won, how much of a difference in payments came true, what was lost without a win. A game that is
not in the table keeps its estimates.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.value.chances import THREATS
from companion.coach.value.distances import Floats

TABLE = Path(__file__).with_name("corrections_table.json")
FARTHEST = 6
"""Hands that lack so many tiles or more are taken alike."""
LIKELIEST = 0.98
MELDS = 4
"""Hands with three melds or more are taken alike."""
ALL_AHEAD = 3
"""So many others discard before the next draw of who has just discarded."""
OTHER_SHAPE = 3.0
"""A near hand that wins so many times as often as the chain says of any hand is of another shape."""


class Traits(NamedTuple):
    """What hands between turns show, n of them.

    chain, near: the chance to win by the chain, and looked at tile by tile, None where they were not (n,).
    lacking (n,). live: the share of unseen tiles that bring it nearer; open: the share that may be claimed,
    a tile counted for every opponent from whom (n,). pairs: kinds held twice or more (n,). melds, threat: of
    the position. ahead: how many opponents discard before the own draw.
    """

    chain: Floats
    near: Floats | None
    lacking: NDArray[np.int64]
    live: Floats
    open: Floats
    pairs: Floats
    melds: int
    threat: int
    ahead: int

    def pick(self, at: int, near: float) -> Traits:
        """Those of one hand, that was looked at tile by tile and is won so often."""
        one = slice(at, at + 1)
        return self._replace(
            chain=self.chain[one],
            near=np.array([near]),
            lacking=self.lacking[one],
            live=self.live[one],
            open=self.open[one],
            pairs=self.pairs[one],
        )

    def turn(self, which: NDArray[np.bool_], other: Traits) -> Traits:
        """Those of the other, of the same position, for these hands (n,)."""
        return self._replace(
            chain=np.where(which, other.chain, self.chain),
            lacking=np.where(which, other.lacking, self.lacking),
            live=np.where(which, other.live, self.live),
            open=np.where(which, other.open, self.open),
        )


class Corrections(NamedTuple):
    """Of one game. wins, near: weights of traits in the logarithm of the odds to win, by their names; near:
    of hands looked at tile by tile. pay: what wins paid, for what was foreseen, by melds laid: who has none
    mostly claims one later; left: the same of hands that let a tile go, beside others. slopes: how much of a
    difference in what hands are said to pay came true, by tiles lacking. push, fold: what was lost without a
    win, for what the rates estimate_chances, by what opponents show: going on, and with safe discards only.
    """

    wins: dict[str, float]
    near: dict[str, float]
    pay: tuple[float, ...] = (1.0,) * MELDS
    left: float = 1.0
    slopes: tuple[float, ...] = (1.0,) * FARTHEST
    push: tuple[float, ...] = (1.0,) * THREATS
    fold: tuple[float, ...] = (1.0,) * THREATS

    def find_wins(self, traits: Traits) -> Floats:
        """How often the hands are won, (n,)."""
        weights = self.wins if traits.near is None else self.near
        if not weights:
            return traits.chain if traits.near is None else traits.near
        odds = np.zeros(len(traits.lacking))
        for name, values in list_traits(traits).items():
            odds += weights.get(name, 0.0) * values
        chances: Floats = np.minimum(LIKELIEST, 1 / (1 + np.exp(-odds)))
        foreseen = traits.chain if traits.near is None else traits.near
        return np.where(foreseen > 0, chances, 0.0)

    def find_pays(self, pays: Floats, usual: float, traits: Traits) -> Floats:
        """What the hands pay, (n,); usual: what hands of this position do."""
        slope = np.array(self.slopes)[np.clip(traits.lacking, 1, FARTHEST) - 1]
        return self.find_ratio(traits) * (usual + slope * (pays - usual))

    def find_ratio(self, traits: Traits) -> float:
        """What such hands pay, for what they are said to."""
        left = self.left if traits.ahead < ALL_AHEAD else 1.0
        return left * self.pay[min(traits.melds, MELDS - 1)]


def list_traits(traits: Traits) -> dict[str, Floats]:
    """The traits by the names of their weights."""
    n = len(traits.lacking)
    lacking = np.clip(traits.lacking, 1, FARTHEST)
    chain = traits.chain if traits.near is None else np.maximum(traits.chain, traits.near / OTHER_SHAPE)
    found = {"all": np.ones(n), "chain": find_odds(chain)}
    if traits.near is not None:
        found["near"] = find_odds(traits.near)
    for number in range(1, FARTHEST + 1):
        found[f"lacking {number}"] = (lacking == number) * 1.0
    for number in range(1, THREATS):
        found[f"threat {number}"] = np.full(n, float(traits.threat == number))
    for number in range(3):
        found[f"ahead {number}"] = np.full(n, float(traits.ahead == number))
    return {
        **found,
        "live": traits.live,
        "open": traits.open,
        "pairs": traits.pairs,
        "melds": np.full(n, float(traits.melds)),
    }


def find_odds(chances: Floats) -> Floats:
    """The logarithm of the odds."""
    sure = np.clip(chances, 1e-4, 1 - 1e-4)
    found: Floats = np.log(sure / (1 - sure))
    return found


@cache
def load_corrections(rules: str) -> Corrections:
    """What was learned of a game."""
    tables = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    if rules not in tables:
        return Corrections({}, {})
    row: dict[str, Any] = tables[rules]
    return Corrections(
        wins=row["wins"],
        near=row["near"],
        pay=tuple(row["pay"]),
        left=row["left"],
        slopes=tuple(row["slopes"]),
        push=tuple(row["push"]),
        fold=tuple(row["fold"]),
    )


FAR = 4
"""Of hands that lack so many tiles or more, differences in what they are said to be worth did not come true
in 570 decisions that were played out: there they count for little,"""
TRUE_OF_FAR = 0.4
"""as this share, but for how wide they are."""
NEAR = 2
"""Hands that lack so many tiles are looked at tile by tile."""
LEAST = 1e-9
AS_GOOD = 0.9
"""Aims that gain so much of the most are taken to gain as much."""


def add_other_aims(
    wins: Floats, gains: Floats, others: Floats, other_gains: Floats, lacking: NDArray[np.int64]
) -> Floats:
    """How often hands win (n,), by how often they do for their aim alone, and what they gain by that.

    others, other_gains: the same of any hand. Who plays for a dear hand takes another where that comes:
    always where both gain as much, the seldomer the less the other gains. A hand that is one tile from ready
    may be led back a step later, too, so that it wins as often at least as one that is led back now; looked
    at tile by tile it waits for what it waits for now, which says too little of a narrow one.
    """
    turns = np.minimum(1.0, other_gains / np.maximum(LEAST, gains))
    found: Floats = wins + turns * np.maximum(0.0, others - wins)
    nearest = lacking == lacking.min()
    if lacking.min() == NEAR and not nearest.all():
        found[nearest] = np.maximum(found[nearest], found[~nearest].max())
    return found


def pick_leading_aim(aims: list[tuple[Floats, Floats]]) -> Floats:
    """How often hands win (n,) for the aim by which far ones are told apart: the narrowest of those that gain
    about the most. aims: of each what hands gain, and how often they win."""
    most = max(float(gains.max()) for gains, _ in aims)
    led = [wins for gains, wins in aims if gains.max() >= AS_GOOD * most]
    return min(led, key=lambda wins: float(wins.max()))


def discount_far_differences(values: Floats, gains: Floats, wins: Floats) -> Floats:
    """What far hands are worth (n,), nearer to the one that wins most often but for how often they do."""
    most = int(wins.argmax())
    seldomer = float(gains[most]) * (1 - wins / max(LEAST, float(wins[most])))
    found: Floats = values[most] + TRUE_OF_FAR * (values - values[most]) - (1 - TRUE_OF_FAR) * seldomer
    return found
