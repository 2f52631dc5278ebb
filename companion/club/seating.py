"""Who sits where in the next round: nobody meets twice while that can be avoided. Pure, and the same for the
same players and rounds.

A schedule without repeats (`schedules.py`) is followed from the first round on; a player who comes takes the
place of one who does not play. Otherwise players are exchanged between tables by tabu search, as Dotu and Van
Hentenryck do for the social golfer problem (CP-AI-OR 2005). Where repeats remain, CP-SAT looks for fewer or
proves that there are none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations
from typing import Any

import numpy as np

from companion.club.schedules import Numbers, find_schedule
from companion.club.table_points import SEATS

TableSeats = tuple[int, int, int, int]
"""The players of a table by wind, from East."""
Seating = tuple[TableSeats, ...]
"""The tables of a round, in order."""

MEETING_WEIGHT = 10**6
"""One repeat in this meeting weighs as much as this number of repeats in the season before."""
SCHEDULE_LOTS, SEARCH_LOTS = 100, 10
"""Draws of who sits out, of those who sat out least; the best draw is taken."""
STEPS = 1500
"""Exchanges that the search tries before it ends."""
TENURE = (3, 10)
"""Exchanges for which a player who was moved stays at the new table, at least and at most."""
SOLVER_TIME = 2.0
"""Limit of CP-SAT's deterministic time, in about seconds: the answer is the same on every computer."""
TIGHT_TABLES = 5
"""Up to this number of tables a round off the schedule soon leads to a repeat: the schedule is followed
whatever the season was."""

Pair = frozenset[int]
Groups = list[list[int]]
Weights = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """byes: who was there and sat out."""

    tables: Seating
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seated:
    """byes: who sits out. repeats: how often those who are now at a table met in this meeting, in all;
    season_repeats: the same for the season before it. is_best: whether it is proved that these players cannot
    have fewer repeats."""

    tables: Seating
    byes: tuple[int, ...]
    repeats: int
    season_repeats: int
    is_best: bool


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Tables and who sits out, in one draw. cost: repeats in the meeting and in the season."""

    cost: tuple[int, int]
    groups: Groups
    byes: tuple[int, ...]


class _History:
    """The rounds until now. meeting, season: how often each pair met."""

    def __init__(self, meeting: Sequence[PlayedRound], season: Sequence[PlayedRound]) -> None:
        self.rounds = meeting
        self.meeting, self.season = _count_pairs(meeting), _count_pairs(season)
        self._byes = [Counter(chain(*(each.byes for each in rounds))) for rounds in (meeting, season)]
        self._winds = Counter(
            (player, wind)
            for each in (*season, *meeting)
            for table in each.tables
            for wind, player in enumerate(table)
        )

    def weigh(self, groups: Iterable[Sequence[int]]) -> tuple[int, int]:
        pairs = list(_list_pairs(groups))
        return sum(self.meeting[pair] for pair in pairs), sum(self.season[pair] for pair in pairs)

    def draw_byes(self, players: Iterable[int], n_byes: int, chance: random.Random) -> tuple[int, ...]:
        drawn = sorted(players)
        chance.shuffle(drawn)
        drawn.sort(key=lambda player: [byes[player] for byes in self._byes])
        return tuple(sorted(drawn[:n_byes]))

    def share_winds(self, groups: Iterable[Sequence[int]], chance: random.Random) -> Seating:
        """The tables with winds that their players had least often."""
        seating = []
        for group in groups:
            drawn = list(group)
            chance.shuffle(drawn)
            east, south, west, north = min(
                permutations(drawn),
                key=lambda table: sum(self._winds[player, wind] for wind, player in enumerate(table)),
            )
            seating.append((east, south, west, north))
        return tuple(seating)


def seat_players(
    players: Iterable[int],
    n_tables: int,
    meeting: Sequence[PlayedRound] = (),
    season: Sequence[PlayedRound] = (),
    *,
    seed: int = 0,
) -> Seated:
    """Seat these players, four or more for each table, in a new round. meeting: its rounds until now, in
    order; season: the rounds of earlier meetings.

    A repeat in the meeting weighs more than any number in the season. Whoever sat out least in the meeting,
    then in the season, sits out; then lots are drawn. Winds are shared evenly over meeting and season.
    """
    there = sorted(set(players))
    n_byes = len(there) - n_tables * SEATS
    history = _History(meeting, season)
    chance = random.Random(f"{seed} {len(meeting)}")
    scheduled = _draw_scheduled(there, n_byes, history, chance)
    proved = 0
    if scheduled and scheduled.cost[0] == 0 and (n_tables <= TIGHT_TABLES or scheduled.cost[1] == 0):
        best = scheduled
    else:
        best, is_proved = _search(there, n_byes, history, chance)
        proved = best.cost[0] if is_proved else 0
        if scheduled and scheduled.cost <= best.cost:
            best = scheduled
    repeats, season_repeats = best.cost
    tables = history.share_winds(best.groups, chance)
    return Seated(tables, best.byes, repeats, season_repeats, repeats <= proved)


def choose_byes(
    players: Iterable[int],
    n_byes: int,
    meeting: Sequence[PlayedRound] = (),
    season: Sequence[PlayedRound] = (),
    *,
    seed: int = 0,
) -> tuple[int, ...]:
    """Who sits the next round out, whoever they would meet: as `seat_players`."""
    chance = random.Random(f"{seed} {len(meeting)}")
    return _History(meeting, season).draw_byes(players, n_byes, chance)


def _list_pairs(groups: Iterable[Sequence[int]]) -> Iterator[Pair]:
    return (frozenset(pair) for group in groups for pair in combinations(group, 2))


def _count_pairs(rounds: Iterable[PlayedRound]) -> Counter[Pair]:
    """How often each pair has been at a table."""
    return Counter(pair for each in rounds for pair in _list_pairs(each.tables))


def _draw_scheduled(
    there: Sequence[int], n_byes: int, history: _History, chance: random.Random
) -> _Drawn | None:
    """The best that the meeting's schedule still has; None where none is followed."""
    n_playing = len(there) - n_byes
    followed = _follow_schedule([each.tables for each in history.rounds])
    if followed is None or len(followed[0]) != n_playing:
        return None
    places, remaining = followed
    best: _Drawn | None = None
    for _ in range(SCHEDULE_LOTS):
        byes = history.draw_byes(there, n_byes, chance)
        playing = set(there) - set(byes)
        new = sorted(playing - set(places.values()))
        chance.shuffle(new)
        taken = {place: player if player in playing else new.pop() for place, player in places.items()}
        for of_round in remaining:
            groups = [[taken[place] for place in table] for table in of_round]
            drawn = _Drawn(history.weigh(groups), groups, byes)
            if best is None or drawn.cost < best.cost:
                best = drawn
        if best is None or best.cost == (0, 0) or playing == set(places.values()):
            break
    return best


def _follow_schedule(seatings: Sequence[Seating]) -> tuple[dict[int, int], list[Numbers]] | None:
    """Who has which place of the schedule, numbered by the first round, and the rounds that remain of it;
    None where there is no schedule or a round was not one of it."""
    schedule = find_schedule(len(seatings[0])) if seatings else ()
    if not schedule:
        return None
    places = dict(zip(chain(*schedule[0]), chain(*seatings[0]), strict=True))
    remaining = list(schedule[1:])
    for tables in seatings[1:]:
        found = ((each, _pass_places(each, tables, places)) for each in remaining)
        of_round, passed = next(((each, passed) for each, passed in found if passed), (None, None))
        if of_round is None or passed is None:
            return None
        remaining.remove(of_round)
        places = passed
    return places, remaining


def _pass_places(of_round: Numbers, tables: Seating, places: dict[int, int]) -> dict[int, int] | None:
    """Who has which place after a round at these tables, where those who came took places of those who did
    not play; None where the tables are not those of that round of the schedule."""
    if len(tables) != len(of_round):
        return None
    place_of = {player: place for place, player in places.items()}
    table_of = {place: number for number, table in enumerate(of_round) for place in table}
    unknown = list(range(len(of_round)))
    passed: dict[int, int] = {}
    for table in sorted(tables, key=lambda table: -sum(player in place_of for player in table)):
        known = [player for player in table if player in place_of]
        numbers = {table_of[place_of[player]] for player in known} or set(unknown[:1])
        if len(numbers) != 1 or not numbers <= set(unknown):
            return None
        (number,) = numbers
        unknown.remove(number)
        passed |= {place_of[player]: player for player in known}
        free = [place for place in of_round[number] if place not in passed]
        passed |= zip(free, sorted(set(table) - set(known)), strict=True)
    return passed


def _search(
    there: Sequence[int], n_byes: int, history: _History, chance: random.Random
) -> tuple[_Drawn, bool]:
    """Tables with as few repeats as are found, and whether fewer are proved to be impossible."""
    best: _Drawn | None = None
    for _ in range(SEARCH_LOTS if n_byes else 1):
        byes = history.draw_byes(there, n_byes, chance)
        playing = [player for player in there if player not in byes]
        weights = _make_weights(playing, history.meeting) * MEETING_WEIGHT
        weights += _make_weights(playing, history.season)
        start = list(range(len(playing)))
        chance.shuffle(start)
        groups = _group(playing, _exchange(start, weights, chance))
        drawn = _Drawn(history.weigh(groups), groups, byes)
        if best is None or drawn.cost < best.cost:
            best = drawn
        if best.cost[0] == 0 and not history.season:
            break
    assert best is not None
    if best.cost[0] == 0:
        return best, True
    playing = [player for player in there if player not in best.byes]
    repeats = _make_weights(playing, history.meeting)
    order, is_proved = _solve([playing.index(player) for player in chain(*best.groups)], repeats)
    weights = repeats * MEETING_WEIGHT + _make_weights(playing, history.season)
    groups = _group(playing, _exchange(order, weights, chance))
    return _Drawn(history.weigh(groups), groups, best.byes), is_proved


def _group(players: Sequence[int], order: Sequence[int]) -> Groups:
    """The players in this order, four after four."""
    return [[players[each] for each in order[at : at + SEATS]] for at in range(0, len(order), SEATS)]


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
