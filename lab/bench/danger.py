"""How often discards deal in, in simulated hands: the fit of the coach's danger, and its check.

Each discard is paired with each opponent. `python -m lab.bench.danger` plays hands of all games and writes
the weights that the coach reads; `--check` compares them with other hands.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter
from typing import Any

import numpy as np

from companion.coach.play.simulation import play
from companion.coach.seen import observe
from companion.coach.value.danger import TABLE, Dangers, Signs, predict_chance, read_signs
from companion.rules import RULE_SETS, Source
from companion.table.events import Discarded, GameStarted, Won
from companion.table.house import make_house
from companion.table.state import State
from companion.tiles import Tile
from lab.bench.figures import renew_table

LEARN_SEED, CHECK_SEED = "danger, learned", "danger, held out"
BINS = 10
PRIOR = 1.0
"""How firmly a weight is held near 0: as by this many discards without information."""
Row = tuple[Signs, bool, float, float]
STEPS = 12
FEW = 20.0
"""Payments of the mean that are added to those counted."""


def main() -> None:
    """Count, or check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=300, help="of each game")
    parser.add_argument("--rules", choices=RULE_SETS, nargs="*", default=list(RULE_SETS))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--calls-unknown", action="store_true", help="check with calls of ready hidden")
    given = parser.parse_args()
    if given.check:
        print(
            json.dumps(
                {
                    rules: check(rules, given.hands, calls_known=not given.calls_unknown)
                    for rules in given.rules
                }
            )
        )
        return
    renew_table(TABLE, learn, given.rules, given.hands)


def collect(rules: str, hands: int, seed: str, *, calls_known: bool = True) -> list[Row]:
    """For every discard and opponent: the signs, whether it dealt in, what the win paid, and the predicted
    chance.

    calls_known: whether it is known who called ready.
    """
    found = []
    for played in play(GameStarted(rules=rules), hands, random.Random(f"{seed} {rules}")):
        before = played.steps[0].state
        for number, (event, state) in enumerate(played.steps):
            if isinstance(event, Discarded) and event.tile is not None:
                won = _list_winners(played.steps[number + 1 :])
                seen, tile = observe(before, event.seat, calls_known=calls_known), Tile.parse(event.tile)
                dangers = Dangers(seen)
                for other in before.house.seats:
                    if other != event.seat:
                        signs, (often, _) = read_signs(seen, tile, other), dangers.predict(tile, other)
                        found.append((signs, other in won, won.get(other, 0.0), often))
            before = state
    return found


def _list_winners(steps: Any) -> dict[int, float]:
    """Who wins on the discard that was made just before these steps, and what the discarder pays for it."""
    found = {}
    for event, state in steps:
        if isinstance(event, Won):
            result = _find_result(state, event.seat)
            if result is not None and result.source is Source.DISCARD:
                found[event.seat] = float(-result.score.payments[result.discarder])
        elif type(event).__name__ not in ("Called", "WinPassed"):
            break
    return found


def _find_result(state: State, seat: int) -> Any:
    results = state.hand.results if state.hand else ()
    return next((result for result in results if result.winner == seat), None)


def learn(rules: str, hands: int) -> dict[str, Any]:
    """The weight of every sign that was seen, and the mean payment; of a game with calls of ready a second
    time, with calls hidden."""
    found = _learn_of(collect(rules, hands, LEARN_SEED))
    if make_house(GameStarted(rules=rules)).policy.ready.declared:
        found["calls_unknown"] = _learn_of(collect(rules, hands, LEARN_SEED, calls_known=False))
    return {"hands": hands, **found}


def _learn_of(rows: list[Row]) -> dict[str, Any]:
    paid = [pay for _, dealt_in, pay, _ in rows if dealt_in]
    mean = sum(paid) / max(1, len(paid))
    return {
        "discards": len(rows),
        "cost": round(mean, 3),
        "costs": _average_costs(rows, mean),
        "weights": fit([(signs.list_names(), dealt_in) for signs, dealt_in, *_ in rows]),
    }


def _average_costs(rows: list[Row], mean: float) -> dict[str, float]:
    """The mean payment by what speaks of it, each held near the mean of all by FEW."""
    sums: dict[str, list[float]] = {}
    for signs, dealt_in, pay, _ in rows:
        if dealt_in:
            cell = sums.setdefault(signs.shown, [0.0, 0.0])
            cell[0] += pay
            cell[1] += 1
    return {
        shown: round((paid + FEW * mean) / (number + FEW), 3)
        for shown, (paid, number) in sorted(sums.items())
    }


def fit(rows: list[tuple[tuple[str, ...], bool]]) -> dict[str, float]:
    """The weights that make the outcomes likeliest, each held near 0 by PRIOR (Newton's method)."""
    names = sorted({name for each, _ in rows for name in each})
    at = {name: number for number, name in enumerate(names)}
    signs = np.array([[at[name] for name in each] for each, _ in rows])
    came = np.array([dealt_in for _, dealt_in in rows], float)
    matrix = np.zeros((len(rows), len(names)), np.float32)
    matrix[np.arange(len(rows))[:, None], signs] = 1.0
    free = np.where(np.array(names) == "all", 1e-6, PRIOR)
    weights = np.zeros(len(names))
    weights[at["all"]] = math.log((came.sum() + 0.5) / len(rows))
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(matrix @ weights)))
        slope = matrix.T @ (came - p) - free * weights
        slope[at["all"]] = (came - p).sum()
        bend = (matrix * (p * (1 - p))[:, None]).T @ matrix + np.diag(free)
        weights += np.clip(np.linalg.solve(bend, slope), -2.0, 2.0)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def check(rules: str, hands: int, *, calls_known: bool = True) -> dict[str, Any]:
    """Log loss in nats for each discard and opponent, together with that of the base rate, of visible copies
    alone, and of the weights without the assumption that people collect suits.

    And for BINS groups, the safest first, with equal sums of predicted deal-ins: the mean predicted chance,
    the share that dealt in, the number of discards.
    """
    rows = collect(rules, hands, CHECK_SEED, calls_known=calls_known)
    base = sum(dealt for _, dealt, *_ in rows) / len(rows)
    by_copies: dict[int, list[int]] = {}
    for signs, dealt, *_ in rows:
        cell = by_copies.setdefault(signs.visible, [0, 0])
        cell[0] += dealt
        cell[1] += 1
    ours = [(often, dealt) for _, dealt, _, often in rows]
    fitted = [(predict_chance(rules, signs), dealt) for signs, dealt, *_ in rows]
    copies = [(by_copies[signs.visible][0] / by_copies[signs.visible][1], dealt) for signs, dealt, *_ in rows]
    ours.sort()
    counted = Counter(dealt for _, dealt in ours)
    return {
        "discards": len(rows),
        "dealt_in": counted[True],
        "log_loss": _lose(ours),
        "log_loss_without_collectors": _lose(fitted),
        "log_loss_base_rate": _lose([(base, dealt) for _, dealt in ours]),
        "log_loss_visible_copies": _lose(copies),
        "calibration": [
            [
                round(float(np.mean([p for p, _ in part])), 6),
                round(float(np.mean([d for _, d in part])), 6),
                len(part),
            ]
            for part in _group(ours)
        ],
    }


def _group(rows: list[tuple[float, bool]]) -> list[list[tuple[float, bool]]]:
    """The rows, sorted by their chance, in groups with sums of it that are as equal as may be."""
    sums = np.cumsum([p for p, _ in rows])
    group_of = np.minimum((BINS * (sums - sums[0] / 2) / sums[-1]).astype(int), BINS - 1)
    groups = ([row for row, at in zip(rows, group_of, strict=True) if at == group] for group in range(BINS))
    return [group for group in groups if group]


def _lose(rows: list[tuple[float, bool]]) -> float:
    total = -sum(math.log(max(1e-9, p if dealt else 1 - p)) for p, dealt in rows)
    return round(total / len(rows), 5)


if __name__ == "__main__":
    main()
