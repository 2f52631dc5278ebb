"""In how many rounds nobody meets twice: where all players play all of them, and where they come and go."""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from companion.club.ratings import rate
from companion.club.seating import PlayedRound, Seated, seat_players
from companion.club.table_points import SEATS

Json = dict[str, Any]

COMES = 0.8
"""With this chance a player of the club comes to an evening; all come where too few would for a table."""
ROUNDS = 4
"""Of an evening."""


def bench(players: Sequence[int], evenings: int, games: int, seed: int) -> Json:
    """For each number of players a day that lasts until a pair meets again, and a season of evenings to which
    each of them comes with a chance of `COMES`; then the time in which that many games are rated. Times are
    those of the processor."""
    rows = [_play_day(count, seed) for count in players]
    rows += [_play_season(count, evenings, seed) for count in players if evenings]
    if games:
        rows.append(_rate_games(games, seed))
    return {"figures": rows}


def _play_day(players: int, seed: int) -> Json:
    """rounds: without a repeat; bound: no schedule has more. repeats: in the round after these; is_best:
    whether it is proved that it cannot have fewer."""
    rounds: list[PlayedRound] = []
    times_s: list[float] = []
    while True:
        seated = _seat(range(players), rounds, (), seed, times_s)
        if seated.repeats:
            break
        rounds.append(PlayedRound(seated.tables, seated.byes))
    return {
        "what": "a day",
        "players": players,
        "rounds": len(rounds),
        "bound": (players - 1) // (SEATS - 1),
        "repeats": seated.repeats,
        "is_best": seated.is_best,
        **_show_times(times_s),
    }


def _play_season(players: int, evenings: int, seed: int) -> Json:
    """repeats: pairs that met again in the same evening, of all pairs at the tables; unavoidable: those in
    rounds that are proved to have as few as possible. met_most, met_least: how often pairs met who came to as
    many evenings together as any."""
    chance = random.Random(f"{players} {seed}")
    season: list[PlayedRound] = []
    times_s: list[float] = []
    repeats = unavoidable = pairs = n_byes = 0
    together = Counter[tuple[int, int]]()
    for evening in range(evenings):
        present = [player for player in range(players) if chance.random() < COMES]
        if len(present) < SEATS:
            present = list(range(players))
        together.update(combinations(present, 2))
        rounds: list[PlayedRound] = []
        for _ in range(ROUNDS):
            seated = _seat(present, rounds, season, evening, times_s)
            rounds.append(PlayedRound(seated.tables, seated.byes))
            repeats += seated.repeats
            unavoidable += seated.repeats * seated.is_best
            pairs += 6 * len(seated.tables)
            n_byes += len(seated.byes)
        season += rounds
    met = Counter(
        tuple(sorted(pair)) for each in season for table in each.tables for pair in combinations(table, 2)
    )
    closest = max(together.values())
    counts = [met[pair] for pair, evenings_together in together.items() if evenings_together == closest]
    return {
        "what": f"{evenings} evenings of {ROUNDS} rounds",
        "players": players,
        "byes": n_byes,
        "pairs": pairs,
        "repeats": repeats,
        "unavoidable": unavoidable,
        "met_least": min(counts),
        "met_most": max(counts),
        **_show_times(times_s),
    }


def _seat(
    players: Sequence[int],
    meeting: Sequence[PlayedRound],
    season: Sequence[PlayedRound],
    seed: int,
    times_s: list[float],
) -> Seated:
    began = time.process_time()
    seated = seat_players(players, len(players) // SEATS, meeting, season, seed=seed)
    times_s.append(time.process_time() - began)
    return seated


def _show_times(times_s: Sequence[float]) -> Json:
    return {"cpu_s_median": round(statistics.median(times_s), 3), "cpu_s_longest": round(max(times_s), 2)}


def _rate_games(games: int, seed: int) -> Json:
    chance = random.Random(seed)
    played = tuple(
        (tuple(chance.sample(range(100), SEATS)), tuple(chance.choices(range(-30, 31), k=SEATS)))
        for _ in range(games)
    )
    began = time.process_time()
    rate(played)
    return {"what": "ratings", "games": games, "cpu_s": round(time.process_time() - began, 2)}
