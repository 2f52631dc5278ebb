"""The strength of advice: one seat follows the coach against three others, in duplicate.

Every wall is played once with the follower in each seat, with the same tiles, dice and dealer. A wall's
result is the mean over those seats, and the interval is of walls. Each wall has its own seed, so that runs of
several ranges of seeds are merged by adding what they print under "sums" (`companion bench merge-coach`). The
luck of the follower relative to the others is subtracted (lab.bench.luck).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from companion.coach.advice import BestChoice
from companion.coach.opponents.follower import Follower, follow_coach
from companion.coach.opponents.strengths import Beginner
from companion.coach.play.player import BuiltIn
from companion.coach.play.simulation import Seated, Simulation
from companion.coach.seen import SeatView
from companion.coach.value.judge import Judge
from companion.errors import InputError, quote
from companion.rules import Source
from companion.table.apply import apply
from companion.table.events import (
    Discarded,
    GameStarted,
)
from companion.table.house import make_house
from companion.table.state import State
from lab.bench.luck import WEIGHED, Floats, Luck, add_wall, compare, start_sums, take_off


def choose_first(seen: SeatView, budget: float) -> BestChoice | None:
    """The same in every position: the discard of the lowest kind, and no claim."""
    player = seen.player
    if seen.hand.offer is not None and seen.hand.offer.seat != seen.seat:
        return None
    return BestChoice(Discarded(seat=seen.seat, tile=min(player.concealed).code), None, 0.0, 0.0, 0.0)


Json = dict[str, Any]
COUNTED = (
    "walls", "hands", "paid", "paid_squared", "won", "won_points", "dealt_in", "drawn", "others_won",
    "others_dealt_in",
)  # fmt: skip
SAME = ("rules", "player", "opponents", "budget", "options")
"""Fields that must be equal in runs that are merged."""
NO_RUN = "{name} is not what `companion bench coach --json` printed: merge files of that alone."
OTHER_RUN = "{first} and {name} cannot be merged: the {key} of the one is {was}, of the other {is_now}."
SAME_WALLS = "{first} and {name} cannot be merged: both have played the wall with the seed {seed}."
Z = 1.96
"""Standard errors on either side that contain 95%."""
PLAYERS = ("coach", "fearless", "constant", "beginner", "built-in")
"""Policy of the measured seat: the coach, as strong opponents in practice play; the coach without fear of
danger; always the lowest tile; a beginner of practice; a built-in player like the others, for comparison."""


def bench(
    rules: str,
    walls: int,
    budget: float,
    seed: int,
    player: str = "coach",
    opponents: str = "built-in",
    options: Mapping[str, bool | int | str] | None = None,
) -> Json:
    """What comes of the walls with the seeds `seed` to `seed` + `walls` - 1. budget: seconds a decision;
    options: house options other than the defaults."""
    start = GameStarted(rules=rules, options=dict(options or {}))
    house = make_house(start)
    judge = Judge(house.rules, house.scoring)
    follower, other = _seat(player, judge, budget), _seat(opponents, judge, budget)
    began = time.process_time()
    sums: dict[str, Any] = dict.fromkeys(COUNTED, 0.0) | start_sums()
    luck = Luck(judge)
    for number in range(seed, seed + walls):
        paid, fell = play_wall(start, number, follower, other, luck, sums)
        sums["walls"] += 1
        sums["paid"] += paid
        sums["paid_squared"] += paid * paid
        add_wall(sums, fell, paid)
    spent = follower.spent if isinstance(follower, Follower) else None
    sums["seconds"] = time.process_time() - began
    sums["decisions"] = float(spent.decisions) if spent else 0.0
    sums["decision_seconds"] = spent.seconds if spent else 0.0
    fields = {"rules": rules, "player": player, "opponents": opponents, "budget": budget, "seed": seed}
    return report({**fields, "options": start.options, "sums": sums})


def merge(runs: list[tuple[str, Json]]) -> Json:
    """The report of several runs, each with a name, of one game and player, as if they were one.

    InputError if one is not such a run, differs from the first in any of SAME, or repeats a wall.
    """
    first, like = runs[0]
    walls: dict[int, str] = {}
    for name, run in runs:
        if not _is_run(run):
            raise InputError(NO_RUN, name=quote(name))
        for key in SAME:
            if run.get(key, {}) != like.get(key, {}):  # a run from before options were recorded has none
                was, is_now = quote(like.get(key, {})), quote(run.get(key, {}))
                raise InputError(
                    OTHER_RUN, first=quote(first), name=quote(name), key=key, was=was, is_now=is_now
                )
        for start, number in list_ranges(run):
            for seed in range(start, start + number):
                if seed in walls:
                    raise InputError(SAME_WALLS, first=quote(walls[seed]), name=quote(name), seed=seed)
                walls[seed] = name
    every = [run["sums"] for _, run in runs]
    sums = {key: np.sum([each[key] for each in every], axis=0).tolist() for key in every[0]}
    ranges = sorted(each for _, run in runs for each in list_ranges(run))
    fields = {key: like.get(key, {}) for key in SAME}
    return report({**fields, "seed": ranges[0][0], "ranges": ranges, "sums": sums})


def list_ranges(run: Json) -> list[list[int]]:
    """The walls of a run: the first seed of each range, and how many follow one another."""
    ranges: list[list[int]] = run.get("ranges", [[run["seed"], run["walls"]]])
    return ranges


class _Run(msgspec.Struct):
    """The types of what is merged of a run."""

    rules: str
    player: str
    opponents: str
    budget: float
    seed: int
    walls: int
    sums: dict[str, float | list[float | list[float]]]
    ranges: list[tuple[int, int]] = []
    options: dict[str, bool | int | str] = {}


def _is_run(run: Any) -> bool:
    try:
        sums = msgspec.convert(run, _Run).sums
        like = dict.fromkeys(COUNTED, 0.0) | start_sums()
        return all(key in sums and np.shape(sums[key]) == np.shape(each) for key, each in like.items())
    except (msgspec.ValidationError, ValueError):
        return False


def report(run: Json) -> Json:
    """The run with the figures that follow from its sums."""
    sums = run["sums"]
    walls, hands = sums["walls"], sums["hands"]
    plain = sums["paid"] / walls
    spread = max(0.0, sums["paid_squared"] / walls - plain * plain) * walls / max(1, walls - 1)
    mean, rest = take_off(sums)
    return {
        **run,
        "walls": int(walls),
        "hands": int(hands),
        "payment": _give_interval(mean, rest, walls),
        "payment_with_luck": _give_interval(plain, spread, walls),
        "win_rate": round(sums["won"] / hands, 4),
        "others_win_rate": round(sums["others_won"] / hands / 3, 4),
        "deal_in_rate": round(sums["dealt_in"] / hands, 4),
        "others_deal_in_rate": round(sums["others_dealt_in"] / hands / 3, 4),
        "mean_win": round(sums["won_points"] / max(1.0, sums["won"]), 3),
        "seconds_a_hand": round(sums["seconds"] / hands, 3),
        "seconds_a_decision": round(sums["decision_seconds"] / max(1.0, sums["decisions"]), 4),
    }


def _give_interval(mean: float, variance: float, walls: float) -> Json:
    half = Z * math.sqrt(variance / walls)
    return {"mean": round(mean, 4), "low": round(mean - half, 4), "high": round(mean + half, 4)}


def _seat(player: str, judge: Judge, budget: float) -> BuiltIn:
    """The player of that name."""
    if player == "built-in":
        return BuiltIn(judge)
    if player == "beginner":
        return Beginner(judge)
    chooser = choose_first if player == "constant" else follow_coach(judge, mind_danger=player == "coach")
    return Follower(judge, chooser, budget)


def play_wall(
    start: GameStarted, number: int, follower: BuiltIn, other: BuiltIn, luck: Luck, sums: dict[str, Any]
) -> tuple[float, Floats]:
    """What the wall with that seed paid the follower, the mean over the seats, and how it fell (WEIGHED,)."""
    house = make_house(start)
    paid, fell = 0.0, np.zeros(WEIGHED)
    for seat in house.seats:
        after, weighed = _play(start, number, seat, follower, other, luck)
        paid += _count(after, seat, sums)
        fell += compare(weighed, seat, house.seats)
    return paid / len(house.seats), fell / len(house.seats)


def _play(
    start: GameStarted, number: int, seat: int, follower: BuiltIn, other: BuiltIn, luck: Luck
) -> tuple[State, Floats]:
    """The state after the hand with that seed, with the follower in that seat, and what its draws brought
    every seat (4, WEIGHED)."""
    state, weighed = apply(None, start), np.zeros((4, WEIGHED))
    players = tuple([follower if place == seat else other for place in range(4)])
    simulation = Simulation(state.house, random.Random(f"{start.rules} {number}"), Seated(players))
    for step in simulation.hand(state):
        weighed += luck.weigh(state, step.event)
        state = step.state
    return state, weighed


def _count(after: State, seat: int, sums: dict[str, Any]) -> float:
    """Add up what a hand came to; what it paid the follower's seat."""
    hand = after.hand
    assert hand is not None
    start = after.house.play.points(after.house.options)
    paid = float(after.points[hand.seated[seat]] - start)
    sums["hands"] += 1
    sums["drawn"] += not hand.results
    for result in hand.results:
        mine = result.winner == seat
        sums["won" if mine else "others_won"] += 1
        if mine:
            sums["won_points"] += result.score.payments[seat]
        if result.source is not Source.SELF_DRAW:
            sums["dealt_in" if result.discarder == seat else "others_dealt_in"] += 1
    return paid
