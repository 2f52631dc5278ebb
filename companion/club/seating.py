"""Who sits where in the next round: nobody meets twice while that can be avoided. Pure, and the same for the
same players and rounds.

A schedule that avoids every repeat for as long as is known (`schedules.py`) is followed while all its players
play. Otherwise players are exchanged between tables by tabu search, as Dotu and Van Hentenryck do for the
social golfer problem (CP-AI-OR 2005); where repeats remain, CP-SAT looks for fewer or proves that there are
none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations
from typing import Any

import numpy as np

from companion.club.schedules import find_schedule
from companion.club.table_points import SEATS

TableSeats = tuple[int, int, int, int]
"""The players of a table by wind, from East."""
Seating = tuple[TableSeats, ...]
"""The tables of a round, in order."""

MEETING_WEIGHT = 10**6
"""A pair that met in this meeting weighs as much as that many meetings in the season before."""
STEPS = 1500
"""Exchanges that the search tries before it ends."""
TENURE = (3, 10)
"""For how many exchanges a player who was moved stays, at least and at most."""
SOLVER_TIME = 4.0
"""Limit of CP-SAT's deterministic time, in about seconds: the answer is the same on every computer."""
TIGHT_TABLES = 5
"""Up to so many tables a round off the schedule soon leads to a repeat, and the schedule is followed
whatever the season was."""

Pair = frozenset[int]
Weights = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Seated:
    """repeats: pairs at a table who have met in this meeting, each counted as often as they met;
    season_repeats: the same for the season before it. is_best: whether it is proved that this round cannot
    have fewer repeats."""

    tables: Seating
    repeats: int
    season_repeats: int
    is_best: bool


def seat_players(
    players: Iterable[int], meeting: Sequence[Seating] = (), season: Sequence[Seating] = (), *, seed: int = 0
) -> Seated:
    """Seat these players, a multiple of 4, in a new round. meeting: its rounds until now, in order; season:
    the rounds of earlier meetings. A repeat in the meeting weighs more than any number in the season. Winds
    are shared evenly over meeting and season."""
    ordered = sorted(set(players))
    n_tables = len(ordered) // SEATS
    chance = random.Random(f"{seed} {len(meeting)}")
    met, met_before = _count_pairs(meeting), _count_pairs(season)

    def count(groups: Iterable[Sequence[int]]) -> tuple[int, int]:
        pairs = list(_list_pairs(groups))
        return sum(met[pair] for pair in pairs), sum(met_before[pair] for pair in pairs)

    scheduled = min(_list_scheduled(ordered, meeting), key=count, default=None)
    if scheduled is not None and (n_tables <= TIGHT_TABLES or count(scheduled) == (0, 0)):
        groups, is_best = scheduled, True
    else:
        groups, is_best = _find_groups(ordered, met, met_before, chance)
        if scheduled is not None and count(scheduled) <= count(groups):
            groups, is_best = scheduled, True
    repeats, season_repeats = count(groups)
    tables = _share_winds(groups, [*season, *meeting], chance)
    return Seated(tables, repeats, season_repeats, is_best)


def choose_byes(
    players: Iterable[int],
    n_byes: int,
    meeting: Sequence[Iterable[int]] = (),
    season: Sequence[Iterable[int]] = (),
    *,
    seed: int = 0,
) -> tuple[int, ...]:
    """Who sits the next round out: whoever sat out least in this meeting, then in the season; then lots are
    drawn. meeting, season: who sat out each round."""
    in_meeting = Counter(player for of_round in meeting for player in of_round)
    in_season = Counter(player for of_round in season for player in of_round)
    drawn = sorted(set(players))
    random.Random(f"{seed} {len(meeting)}").shuffle(drawn)
    drawn.sort(key=lambda player: (in_meeting[player], in_season[player]))
    return tuple(sorted(drawn[:n_byes]))


def _list_pairs(groups: Iterable[Sequence[int]]) -> Iterator[Pair]:
    return (frozenset(pair) for group in groups for pair in combinations(group, 2))


def _count_pairs(seatings: Iterable[Seating]) -> Counter[Pair]:
    """How often each pair has been at a table."""
    return Counter(pair for seating in seatings for pair in _list_pairs(seating))


def _list_scheduled(players: Sequence[int], meeting: Sequence[Seating]) -> list[list[list[int]]]:
    """The rounds that remain of the meeting's schedule, if all its rounds until now are of one: its players
    are numbered by their seats in the first round."""
    schedule = find_schedule(len(meeting[0])) if meeting else ()
    if not schedule or sorted(chain(*meeting[0])) != list(players):
        return []
    numbered = dict(zip(chain(*schedule[0]), chain(*meeting[0]), strict=True))
    remaining = {
        frozenset(frozenset(numbered[number] for number in table) for table in of_round)
        for of_round in schedule
    }
    played = {frozenset(frozenset(table) for table in seating) for seating in meeting}
    if len(played) < len(meeting) or not played <= remaining:
        return []
    return sorted(sorted(sorted(table) for table in of_round) for of_round in remaining - played)


def _find_groups(
    players: Sequence[int], met: Counter[Pair], met_before: Counter[Pair], chance: random.Random
) -> tuple[list[list[int]], bool]:
    """Tables with as few repeats as are found, and whether fewer are proved to be impossible."""
    repeats = _make_weights(players, met)
    weights = repeats * MEETING_WEIGHT + _make_weights(players, met_before)
    start = list(range(len(players)))
    chance.shuffle(start)
    order = _exchange(start, weights, chance)
    is_best = _weigh(order, repeats) == 0
    if not is_best:
        order, is_best = _solve(order, repeats)
        order = _exchange(order, weights, chance)
    return [[players[each] for each in order[at : at + SEATS]] for at in range(0, len(order), SEATS)], is_best


def _make_weights(players: Sequence[int], counts: Counter[Pair]) -> Weights:
    """How much more often each two of these players met than those who met least, as a square: a round has
    the same number of pairs whoever they are."""
    places = {player: place for place, player in enumerate(players)}
    weights = np.zeros((len(players), len(players)), np.int64)
    for pair, count in counts.items():
        one, other = (places.get(player, -1) for player in pair)
        if one >= 0 and other >= 0:
            weights[one, other] = weights[other, one] = count
    np.fill_diagonal(weights, weights.max())
    weights -= weights.min()
    np.fill_diagonal(weights, 0)
    return weights


def _weigh(order: Sequence[int], weights: Weights) -> int:
    """The weight of all pairs at the tables that players in this order sit at, four after four."""
    return sum(
        int(weights[one, other])
        for at in range(0, len(order), SEATS)
        for one, other in combinations(order[at : at + SEATS], 2)
    )


def _exchange(order: Sequence[int], weights: Weights, chance: random.Random) -> list[int]:
    """The best order that is found from this one by exchanging players between tables."""
    n_players = len(order)
    n_tables = n_players // SEATS
    current = np.array(order)
    best, best_weight = current.copy(), _weigh(order, weights)
    tables = np.empty(n_players, np.intp)
    tables[current] = np.arange(n_players) // SEATS
    every = np.arange(n_players)
    at_table = np.zeros((n_players, n_tables), np.int64)
    at_table[every, tables] = 1
    cost = weights @ at_table
    stays_until = np.zeros(n_players, np.int64)
    weight = best_weight
    blocked = np.iinfo(np.int64).max // 4
    for step in range(STEPS):
        if best_weight == 0 or n_tables == 1:
            break
        to_other = cost[:, tables]
        own = cost[every, tables]
        change = to_other + to_other.T - own[:, None] - own[None, :] - 2 * weights
        change[tables[:, None] == tables[None, :]] = blocked
        stays = stays_until > step
        held = stays[:, None] | stays[None, :]
        change[held & (weight + change >= best_weight)] = blocked
        one, other = divmod(int(change.argmin()), n_players)
        if change[one, other] >= blocked:
            continue
        weight += int(change[one, other])
        for player, goes_to in ((one, tables[other]), (other, tables[one])):
            cost[:, tables[player]] -= weights[:, player]
            cost[:, goes_to] += weights[:, player]
            stays_until[player] = step + chance.randint(*TENURE)
        tables[one], tables[other] = tables[other], tables[one]
        if weight < best_weight:
            best_weight = weight
            best = np.argsort(tables, kind="stable")
    return [int(each) for each in best]


def _solve(order: Sequence[int], repeats: Weights) -> tuple[list[int], bool]:
    """An order with as few repeats as CP-SAT finds, at most those of `order`, and whether it proves that
    there are no fewer."""
    from ortools.sat.python import cp_model  # loaded when it is first needed

    n_players = len(order)
    n_tables = n_players // SEATS
    groups = sorted(sorted(order[at : at + SEATS]) for at in range(0, n_players, SEATS))
    hinted = {player: table for table, group in enumerate(groups) for player in group}
    model = cp_model.CpModel()
    sits = [[model.new_bool_var("") for _ in range(n_tables)] for _ in range(n_players)]
    for player in range(n_players):
        model.add_exactly_one(sits[player])
        for table in range(n_tables):
            model.add_hint(sits[player][table], hinted[player] == table)
            if table > player:  # tables are in the order of their first players
                model.add(sits[player][table] == 0)
    for table in range(n_tables):
        model.add(sum(sits[player][table] for player in range(n_players)) == SEATS)
    cost = []
    for one, other in combinations(range(n_players), 2):
        if repeats[one, other]:
            meet = model.new_bool_var("")
            for table in range(n_tables):
                model.add_bool_or([sits[one][table].negated(), sits[other][table].negated(), meet])
            model.add_hint(meet, hinted[one] == hinted[other])
            cost.append(int(repeats[one, other]) * meet)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = SOLVER_TIME
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return list(order), False
    found = [
        player
        for table in range(n_tables)
        for player in range(n_players)
        if solver.boolean_value(sits[player][table])
    ]
    return found, status == cp_model.OPTIMAL


def _share_winds(
    groups: Iterable[Sequence[int]], earlier: Iterable[Seating], chance: random.Random
) -> Seating:
    """The tables with winds that their players had least often."""
    had = Counter(
        (player, wind) for seating in earlier for table in seating for wind, player in enumerate(table)
    )
    seating = []
    for group in groups:
        drawn = list(group)
        chance.shuffle(drawn)
        east, south, west, north = min(
            permutations(drawn), key=lambda table: sum(had[player, wind] for wind, player in enumerate(table))
        )
        seating.append((east, south, west, north))
    return tuple(seating)
