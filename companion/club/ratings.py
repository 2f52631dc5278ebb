"""How strong players are, by what they have won against whom. Pure.

The model is Plackett-Luce in openskill (Weng and Lin, "A Bayesian Approximation Method for Online Ranking",
JMLR 12, 2011): only the places at a table count, equal points are a tie, and each game changes the ratings of
those who played it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.club.table_points import find_places

RatedGame = tuple[tuple[int, ...], tuple[int, ...]]
"""The players of a game or round, and their points."""
KEPT = 8
"""Lists of games whose ratings are remembered, one for each club: pages ask for them again and again."""


@dataclass(frozen=True, slots=True)
class Rating:
    """mu, sigma: mean and standard deviation of the strength; 25 and 25/3 before the first game. games: the
    number of games rated."""

    mu: float
    sigma: float
    games: int

    @property
    def ordinal(self) -> float:
        """The strength that is exceeded with 99.9 %: mu - 3 sigma, 0 before the first game."""
        return self.mu - 3 * self.sigma


@lru_cache(maxsize=KEPT)
def rate(games: tuple[RatedGame, ...]) -> Mapping[int, Rating]:
    """The rating of each player after these games, in order of time."""
    from openskill.models import PlackettLuce  # loaded when a rating is first asked for

    model = PlackettLuce()
    ratings: dict[int, Any] = {}
    counts: dict[int, int] = {}
    for players, points in games:
        before = [[ratings.get(each) or model.rating()] for each in players]
        after = model.rate(before, ranks=[float(place) for place in find_places(points)])
        for player, (rating,) in zip(players, after, strict=True):
            ratings[player] = rating
            counts[player] = counts.get(player, 0) + 1
    return {each: Rating(rating.mu, rating.sigma, counts[each]) for each, rating in ratings.items()}
