"""Seating: nobody meets twice while that is avoidable, winds and byes are shared. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.schedules import find_schedule
from companion.club.seating import PlayedRound, Seated, choose_byes, seat_players

SCHEDULED = {
    4: 5,
    5: 5,
    6: 7,
    7: 9,
    8: 9,
    9: 10,
    10: 11,
    11: 12,
    12: 13,
    13: 15,
    14: 16,
    15: 17,
    16: 18,
    17: 20,
    18: 20,
    19: 21,
    20: 22,
    21: 23,
    22: 25,
    23: 26,
    24: 26,
    25: 29,
}
"""By number of tables, in how many rounds nobody meets twice. With 4 to 7 tables more are impossible, as
Sellmann's table of the social golfer problem has it (cs.brown.edu/~sello/golf.html)."""


def list_met(rounds: Sequence[PlayedRound]) -> Counter[frozenset[int]]:
    tables = chain.from_iterable(each.tables for each in rounds)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def seat(players: Iterable[int], meeting: Sequence[PlayedRound] = (), **more: Any) -> Seated:
    there = sorted(players)
    return seat_players(there, len(there) // 4, meeting, **more)


def play(players: Iterable[int], n_rounds: int, **more: Any) -> list[PlayedRound]:
    rounds: list[PlayedRound] = []
    there = sorted(players)
    for _ in range(n_rounds):
        seated = seat(there, rounds, **more)
        rounds.append(PlayedRound(seated.tables, seated.byes))
    return rounds


@pytest.mark.parametrize("n_tables", SCHEDULED)
def test_in_a_schedule_everyone_plays_each_round_and_nobody_meets_twice(n_tables: int) -> None:
    schedule = find_schedule(n_tables)
    assert len(schedule) == SCHEDULED[n_tables]
    for tables in schedule:
        assert sorted(chain(*tables)) == list(range(4 * n_tables))
    pairs = Counter(
        frozenset(pair) for tables in schedule for table in tables for pair in combinations(table, 2)
    )
    assert set(pairs.values()) == {1}


@pytest.mark.parametrize("n_tables", SCHEDULED)
def test_nobody_meets_twice_as_long_as_the_schedule_lasts(n_tables: int) -> None:
    rounds = play(range(4 * n_tables), SCHEDULED[n_tables])
    assert set(list_met(rounds).values()) == {1}


def test_the_second_meeting_avoids_repeats_as_long_and_those_of_the_season_where_it_can() -> None:
    first = play(range(16), 3)
    second = play(range(16), 5, season=first, seed=1)
    assert set(list_met(second).values()) == {1}
    assert not list_met(first).keys() & list_met(second[:1]).keys(), "two more rounds without a repeat exist"


@pytest.mark.parametrize(("n_players", "repeats"), [(8, 4), (12, 3)])
def test_what_cannot_be_avoided_is_as_little_as_possible_and_proved(n_players: int, repeats: int) -> None:
    """Two tables: four of one table are on two tables, so at best two and two, which are four pairs. Three
    tables: four are on three, so one pair of each table, which are three."""
    seated = seat(range(n_players), play(range(n_players), 1))
    assert (seated.repeats, seated.is_best) == (repeats, True)


def test_one_table_meets_again() -> None:
    rounds = play(range(4), 3)
    assert [sorted(table) for each in rounds for table in each.tables] == [[0, 1, 2, 3]] * 3
    assert seat(range(4), rounds).is_best


@pytest.mark.parametrize("n_players", [17, 19, 21, 22])
def test_where_some_sit_out_nobody_meets_twice_in_four_rounds(n_players: int) -> None:
    rounds = play(range(n_players), 4)
    assert set(list_met(rounds).values()) == {1}
    assert set(Counter(chain(*(each.byes for each in rounds))).values()) == {1}


def test_who_comes_takes_the_place_of_one_who_goes() -> None:
    rounds = play(range(16), 2)
    for changed in ([*range(15), 16], [*range(14), 16, 17], [*range(1, 14), 16, 17, 18]):
        seated = seat(changed, rounds)
        assert seated.repeats == 0
        assert sorted(chain(*seated.tables)) == changed
        rounds.append(PlayedRound(seated.tables))


def test_more_tables_than_before_are_seated() -> None:
    seated = seat(range(20), play(range(16), 3))
    assert sorted(chain(*seated.tables)) == list(range(20))
    assert seated.repeats == 0


def test_players_sit_out_where_tables_are_few() -> None:
    seated = seat_players(range(18), 2)
    assert len(seated.byes) == 10
    assert sorted([*chain(*seated.tables), *seated.byes]) == list(range(18))


def test_the_same_question_has_the_same_answer() -> None:
    season = play(range(19), 2)
    assert play(range(19), 3, season=season) == play(range(19), 3, season=season)


def test_winds_are_shared() -> None:
    winds = Counter(
        (player, wind)
        for each in play(range(16), 4)
        for table in each.tables
        for wind, player in enumerate(table)
    )
    assert max(winds.values()) <= 2
    assert sum(count == 1 for count in winds.values()) >= 40, "of at most 64"


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 5), st.integers(0, 3), st.integers(0, 3), st.integers(0, 10))
def test_every_player_has_one_seat_or_sits_out(n_tables: int, n_byes: int, n_rounds: int, seed: int) -> None:
    same = tuple((at, at + 1, at + 2, at + 3) for at in range(0, 4 * n_tables, 4))
    players = range(4 * n_tables + n_byes)
    seated = seat(players, [PlayedRound(same)] * n_rounds, seed=seed)
    assert sorted([*chain(*seated.tables), *seated.byes]) == list(players)
    assert [len(table) for table in seated.tables] == [4] * n_tables


@given(st.sets(st.integers(0, 30), min_size=5, max_size=12), st.integers(1, 3), st.integers(2, 12))
def test_byes_are_shared_evenly(players: set[int], n_byes: int, n_rounds: int) -> None:
    rounds: list[PlayedRound] = []
    for _ in range(n_rounds):
        byes = choose_byes(players, n_byes, rounds)
        assert len(set(byes)) == n_byes
        assert set(byes) <= players
        rounds.append(PlayedRound((), byes))
    counts = Counter(dict.fromkeys(players, 0))
    counts.update(chain(*(each.byes for each in rounds)))
    assert max(counts.values()) - min(counts.values()) <= 1


def test_byes_of_the_season_decide_among_those_who_sat_out_as_often_this_evening() -> None:
    def sat_out(*byes: list[int]) -> list[PlayedRound]:
        return [PlayedRound((), tuple(each)) for each in byes]

    assert choose_byes([1, 2, 3, 4, 5], 2, [], sat_out([1, 2, 3], [1])) == (4, 5)
    assert choose_byes([1, 2, 3, 4, 5], 1, sat_out([4], [5]), sat_out([1, 2, 3], [1, 2])) == (3,)
