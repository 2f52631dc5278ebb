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
"""Hands that miss this number of tiles or more are treated alike."""
MAX_CHANCE = 0.98
MELDS = 4
"""Hands with three melds or more are treated alike."""
ALL_AHEAD = 3
"""Opponents who act between two turns of the same player."""
OTHER_SHAPE = 3.0
"""A near hand that wins this many times as often as the chain predicts for any hand is of another shape."""


class Traits(NamedTuple):
    """The traits of n hands between turns, by which estimates are corrected.

    chain, near: the chance to win by the chain, and by the search tile by tile, None without a search (n,).
    lacking: tiles missing (n,). live: the share of unseen tiles that bring the hand nearer; open: the share
    that may be claimed, a tile counted once for every opponent (n,). pairs: kinds held twice or more (n,).
    melds, threat: of the position. ahead: the opponents who discard before the player's next draw.
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
        """The traits of one hand, with the chance to win that the search found."""
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
        """With the traits of the other, of the same position, for these hands (n,)."""
        return self._replace(
            chain=np.where(which, other.chain, self.chain),
            lacking=np.where(which, other.lacking, self.lacking),
            live=np.where(which, other.live, self.live),
            open=np.where(which, other.open, self.open),
        )


class Corrections(NamedTuple):
    """The corrections of one game.

    wins, near: weights of traits in the logarithm of the odds to win, by their names; near: of hands that
    were searched tile by tile. pay: payments of wins relative to the prediction, by melds: who has none
    mostly claims one later; left: the same of hands that passed on a tile, relative to others. slopes: how
    much of a predicted difference in payment came true, by tiles missing. push, fold: losses without a win
    relative to the prediction, by what opponents show, when continuing and when discarding only safe tiles.
    """

    wins: dict[str, float]
    near: dict[str, float]
    pay: tuple[float, ...] = (1.0,) * MELDS
    left: float = 1.0
    slopes: tuple[float, ...] = (1.0,) * FARTHEST
    push: tuple[float, ...] = (1.0,) * THREATS
    fold: tuple[float, ...] = (1.0,) * THREATS

    def find_wins(self, traits: Traits) -> Floats:
        """The corrected chances to win, (n,)."""
        weights = self.wins if traits.near is None else self.near
        if not weights:
            return traits.chain if traits.near is None else traits.near
        odds = np.zeros(len(traits.lacking))
        for name, values in list_traits(traits).items():
            odds += weights.get(name, 0.0) * values
        chances: Floats = np.minimum(MAX_CHANCE, 1 / (1 + np.exp(-odds)))
        predicted = traits.chain if traits.near is None else traits.near
        return np.where(predicted > 0, chances, 0.0)

    def find_pays(self, pays: Floats, usual: float, traits: Traits) -> Floats:
        """The corrected payments, (n,); usual: what hands of this position pay."""
        slope = np.array(self.slopes)[np.clip(traits.lacking, 1, FARTHEST) - 1]
        return self.find_ratio(traits) * (usual + slope * (pays - usual))

    def find_ratio(self, traits: Traits) -> float:
        """The payments of such hands relative to the prediction."""
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
"""Missing tiles from which a hand counts as far from ready. 570 decisions that were played out did not
confirm differences in the predicted worth of such hands."""
FAR_SHARE = 0.4
"""Share of these differences that counts, except for those of width."""
NEAR = 2
"""Hands that miss this number of tiles, or fewer, are searched tile by tile."""
TINY = 1e-9
TIED_AIM_SHARE = 0.9
"""Aims that gain this share of the best count as equally good."""


def add_other_aims(
    wins: Floats, gains: Floats, others: Floats, other_gains: Floats, lacking: NDArray[np.int64]
) -> Floats:
    """The chances to win (n,) of a player who may change the aim, from those for each hand's aim alone and
    its gain.

    others, other_gains: the same for any hand. A player with an expensive aim takes another win where that
    comes: always where both gain as much, and the less often the less the other gains. A hand one tile from
    ready may also be led back one step later, so that it wins at least as often as one that is led back now;
    the search tile by tile assumes that it keeps its useful tiles, which underrates a narrow hand.
    """
    turns = np.minimum(1.0, other_gains / np.maximum(TINY, gains))
    found: Floats = wins + turns * np.maximum(0.0, others - wins)
    nearest = lacking == lacking.min()
    if lacking.min() == NEAR and not nearest.all():
        found[nearest] = np.maximum(found[nearest], found[~nearest].max())
    return found


def pick_leading_aim(aims: list[tuple[Floats, Floats]]) -> Floats:
    """The chances to win (n,) for the aim by which far hands are compared: the narrowest of those that gain
    about the most.

    aims: of each the gains and the chances to win.
    """
    most = max(float(gains.max()) for gains, _ in aims)
    led = [wins for gains, wins in aims if gains.max() >= TIED_AIM_SHARE * most]
    return min(led, key=lambda wins: float(wins.max()))


def discount_far_differences(values: Floats, gains: Floats, wins: Floats) -> Floats:
    """The worth of far hands (n,), moved towards the hand that wins most often, except for how often they
    win."""
    most = int(wins.argmax())
    less_often = float(gains[most]) * (1 - wins / max(TINY, float(wins[most])))
    found: Floats = values[most] + FAR_SHARE * (values - values[most]) - (1 - FAR_SHARE) * less_often
    return found
