"""Table points, the clock of a round, and ratings: pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.ratings import rate
from companion.club.round_clock import RoundClock
from companion.club.table_points import DEFAULT_UMA, check_uma, find_places, share_uma
from companion.errors import InputError

POINTS = st.tuples(*[st.integers(-3, 3)] * 4)
UMA = st.lists(st.integers(-50, 50), min_size=4, max_size=4).map(lambda uma: sorted(uma, reverse=True))
BEGAN = datetime(2026, 11, 30, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("points", "places", "shares"),
    [
        ((30, 10, -15, -25), (1, 2, 3, 4), (15, 5, -5, -15)),
        ((-25, 10, 30, -15), (4, 2, 1, 3), (-15, 5, 15, -5)),
        ((20, 20, -10, -30), (1, 1, 3, 4), (10, 10, -5, -15)),
        ((20, 0, 0, -20), (1, 2, 2, 4), (15, 0, 0, -15)),
        ((10, 10, 10, -30), (1, 1, 1, 4), (5, 5, 5, -15)),
        ((30, -10, -10, -10), (1, 2, 2, 2), (15, -5, -5, -5)),
        ((5, 5, -5, -5), (1, 1, 3, 3), (10, 10, -10, -10)),
        ((0, 0, 0, 0), (1, 1, 1, 1), (0, 0, 0, 0)),
    ],
)
def test_equal_points_share_their_places(
    points: tuple[int, ...], places: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    assert find_places(points) == places
    assert share_uma(points, DEFAULT_UMA) == shares


def test_thirds_are_exact() -> None:
    third = Fraction(7, 3)
    assert share_uma((1, 1, 1, -3), (4, 2, 1, 0)) == (third, third, third, 0)


@given(POINTS, UMA)
def test_table_points_add_up_and_follow_the_points(points: tuple[int, ...], uma: list[int]) -> None:
    shares = share_uma(points, uma)
    assert sum(shares) == sum(uma)
    for own, share in zip(points, shares, strict=True):
        for other, other_share in zip(points, shares, strict=True):
            assert (own == other) <= (share == other_share)
            assert (own > other) <= (share >= other_share)


@pytest.mark.parametrize(
    "uma", [(15, 5, -5), (1, 2, 3, 4), (1.5, 1, 0, 0), (10**9, 0, 0, 0), (True, 0, 0, 0)]
)
def test_a_wrong_uma_is_one_sentence(uma: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="Enter four whole numbers as table points"):
        check_uma(uma)


def test_a_clock_runs_stands_and_goes_on() -> None:
    def at(minutes: float) -> datetime:
        return BEGAN + timedelta(minutes=minutes)

    assert RoundClock(60).left_s(at(10)) == 3600
    assert RoundClock(60, started=at(0)).left_s(at(20)) == 40 * 60
    assert RoundClock(60, started=at(0)).left_s(at(61)) == -60
    assert RoundClock(60, started=at(0), paused=at(15)).left_s(at(30)) == 45 * 60
    assert RoundClock(60, started=at(0), paused_s=300.0).left_s(at(20)) == 45 * 60
    assert RoundClock(60, started=at(0), ended=at(50)).left_s(at(500)) == 10 * 60
    assert RoundClock(60, started=at(0), paused=at(15), ended=at(50)).left_s(at(500)) == 45 * 60
    assert RoundClock(60, started=at(10)).left_s(at(0)) == 3600, "the computer's clock was set back"


def test_who_wins_is_rated_higher_and_points_do_not_matter() -> None:
    ratings = rate((((1, 2, 3, 4), (30, 10, -10, -30)), ((1, 2, 3, 4), (3, 1, -1, -3))))
    ordinals = [ratings[player].ordinal for player in (1, 2, 3, 4)]
    assert ordinals == sorted(ordinals, reverse=True)
    assert {each.games for each in ratings.values()} == {2}
    same_places = rate((((1, 2, 3, 4), (4, 3, 2, 1)), ((4, 3, 2, 1), (-9, 0, 1, 8))))
    assert {player: each.mu for player, each in same_places.items()} == pytest.approx(
        {player: each.mu for player, each in ratings.items()}
    )


def test_a_tie_rates_both_the_same() -> None:
    ratings = rate((((1, 2, 3, 4), (0, 0, 0, 0)),))
    assert len({(each.mu, each.sigma) for each in ratings.values()}) == 1
    assert ratings[1].sigma < 25 / 3


def test_ratings_depend_on_whom_one_wins_against() -> None:
    strong = tuple(((1, 2, 3, 4), (3, 1, -1, -3)) for _ in range(20))
    against_first, against_last = (rate((*strong, ((5, rival), (1, -1))))[5].mu for rival in (1, 4))
    assert against_first > against_last > 25
