"""How well the hand, its melds and the winning tile are found on drawn tables, and whether their
probabilities hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from companion.images import same_place
from companion.photo_hand.which_hand import WINNING_P, FoundHand, find_hand
from companion.rules import RULE_SETS
from companion.vision import Reading, Recogniser
from lab.bench.labelled_photos import wilson_interval
from lab.scenes.showdown import Role, Showdown, draw_showdown

DEV, TEST = 1, 2
"""Seeds of the tables on which the weights were chosen, and of those whose figures are reported."""
GAMES = {13: RULE_SETS["hong_kong"], 16: RULE_SETS["taiwanese"]}
EDGES = (0.0, 0.5, 0.7, 0.9, 0.97, 1.0)
"""Limits of the groups of probabilities that are compared with how often they were right."""


@dataclass(slots=True)
class _Tally:
    """Probabilities and whether each was right."""

    stated: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, p: float, *, right: bool) -> None:
        self.stated.append((p, right))

    def figures(self) -> dict[str, Any]:
        right, of = sum(right for _, right in self.stated), len(self.stated)
        return {
            "of": of,
            "right": round(right / of, 4) if of else None,
            "interval": [round(each, 4) for each in wilson_interval(right, of)],
            "calibration": [
                _bin([(p, right) for p, right in self.stated if low < p <= high], low, high)
                for low, high in pairwise(EDGES)
            ],
        }


def _bin(stated: Sequence[tuple[float, bool]], low: float, high: float) -> dict[str, Any]:
    stated_p, right = ([each[place] for each in stated] for place in (0, 1))
    mean = [round(float(np.mean(values)), 3) if values else None for values in (stated_p, right)]
    return {"from": low, "to": high, "of": len(stated), "mean_p": mean[0], "right": mean[1]}


def bench(models: Path, tables: int, seed: int = TEST, *, name_game: bool = True) -> dict[str, Any]:
    """The figures of n drawn tables.

    "hand", "melds", "whole": tables whose concealed tiles, melds, or all tiles that count are just as they
    were laid; a table with a tile of the hand that was not found at all is none of these. "winning_tile": of
    those tables on which it lies apart; "not_apart": of the others, how many report none as surely apart.
    `name_game`: the size of the hand is given. Raises ModelError for missing models.
    """
    recogniser = Recogniser(models)
    tallies = {name: _Tally() for name in ("hand", "melds", "whole", "winning_tile", "not_apart")}
    for table in range(tables):
        shown = draw_showdown(np.random.default_rng([seed, table]))
        reading = recogniser.read(shown.scene.image)
        found = find_hand(reading.tiles, GAMES[shown.hand_size] if name_game else None)
        _compare(found, shown, reading, tallies)
    return {
        "tables": tables,
        "seed": seed,
        "game_named": name_game,
        **{name: tally.figures() for name, tally in tallies.items()},
    }


def _compare(found: FoundHand, shown: Showdown, reading: Reading, tallies: dict[str, _Tally]) -> None:
    places = _match(shown, reading)
    concealed = {places[index] for index, role in enumerate(shown.roles) if role is Role.CONCEALED}
    melds = {frozenset(places[index] for index in meld) for meld in shown.melds}
    counted = {places[index] for index, role in enumerate(shown.roles) if role is not Role.OTHER}
    tallies["hand"].add(found.concealed_p, right=set(found.concealed) == concealed)
    melds_p = float(np.prod([meld.p for meld in found.melds])) if found.melds else found.others_p
    tallies["melds"].add(melds_p, right={frozenset(meld.tiles) for meld in found.melds} == melds)
    tallies["whole"].add(found.others_p * found.flowers_p, right=found.counted == counted)
    if shown.winning is not None:
        tallies["winning_tile"].add(found.winning_p, right=found.winning == places[shown.winning])
    else:
        tallies["not_apart"].add(1 - found.winning_p, right=found.winning_p < WINNING_P)


def _match(shown: Showdown, reading: Reading) -> list[int | None]:
    """For each tile of the scene that one of the reading, None where it was not found."""
    return [
        next((at for at, tile in enumerate(reading.tiles) if same_place(tile.quad, truth.quad)), None)  # type: ignore[arg-type]
        for truth in shown.scene.tiles
    ]
