"""The processor time until the distances, the first estimate and the last answer of advice.

`python -m lab.bench.advice_speed --hands 3` has built-in players play hands of every game, and asks for full
advice on each decision, from one coach per hand. With `--rules hong_kong --options '{"min_fan": 3}'` it plays
one game with other house options.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from companion.coach.advice import Coach, make_coach
from companion.coach.play.simulation import play
from companion.coach.seen import SeatView, observe
from companion.coach.value.choices import list_branches
from companion.errors import InputError
from companion.rules import RULE_SETS
from companion.table.events import GameStarted

SEED = "advice, timed"
STEPS = ("distances", "first estimate", "last answer")
SHARES = (50, 95, 100)
"""Percentiles of the times per position."""


def main() -> None:
    """Measure, and print one JSON document."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=3, help="of each game")
    parser.add_argument("--rules", choices=[*RULE_SETS], help="of this game alone")
    parser.add_argument("--options", type=json.loads, default={}, help="house options as JSON, with --rules")
    asked = parser.parse_args()
    if asked.options and not asked.rules:
        parser.error("--options are for one game: give --rules")
    every = [asked.rules] if asked.rules else [*RULE_SETS]
    print(json.dumps({rules: measure(rules, asked.hands, asked.options) for rules in every}))


def measure(rules: str, hands: int, options: Mapping[str, bool | int | str] | None = None) -> dict[str, Any]:
    """How many positions there were, and by step the milliseconds for SHARES of them."""
    took = []
    start = GameStarted(rules=rules, options=dict(options or {}))
    for number, (coach, seen) in enumerate(_list_positions(start, hands)):
        times = _time(coach, seen)
        if number:  # the first position of a program loads tables
            took.append(times)
    shares = np.percentile(np.array(took), SHARES, axis=0).T
    return {
        "positions": len(took),
        **{
            step: dict(zip(map(str, SHARES), np.round(row, 1).tolist(), strict=True))
            for step, row in zip(STEPS, shares, strict=True)
        },
    }


def _list_positions(start: GameStarted, hands: int) -> Iterator[tuple[Coach, SeatView]]:
    """Wherever a seat has something to decide, with the coach of its table."""
    for played in play(start, hands, random.Random(f"{SEED} {start.rules}")):
        coach = make_coach(played.before.house)
        for step in played.steps:
            if not step.state.playing:
                continue
            for seat in step.state.house.seats:
                seen = observe(step.state, seat)
                try:
                    branches = list_branches(seen)
                except InputError:
                    continue
                if len(branches) > 1:
                    yield coach, seen


def _time(coach: Coach, seen: SeatView) -> tuple[float, float, float]:
    """The milliseconds until each of STEPS."""
    began = time.process_time()
    times = [1000 * (time.process_time() - began) for _ in coach.advise(seen)]
    return times[0], times[1], times[-1]


if __name__ == "__main__":
    main()
