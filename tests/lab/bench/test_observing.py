"""How sights of a film are judged: perfect ones, ones that lack a tile, and ones with a wrong name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.seeing.sights import Sight
from companion.table.events import Discarded
from lab.bench.followed_films import FilmTruth, decode_truth
from lab.bench.observing import judge_sights
from tests.cli.filmed import film, first_hand
from tests.film_sights import list_sights


@pytest.fixture(scope="module")
def truth() -> FilmTruth:
    return decode_truth(film(first_hand("hefei", 1), 1, size=(480, 270)).truth)


@pytest.fixture(scope="module")
def sights(truth: FilmTruth) -> list[Sight]:
    return list(list_sights(truth))


def test_a_perfect_eye_misses_nothing(truth: FilmTruth, sights: list[Sight]) -> None:
    tally = judge_sights(truth, sights, [])
    assert tally.wanted > 100
    assert (tally.found, tally.named, tally.false_faces) == (tally.wanted, tally.wanted, 0)
    assert (tally.broken, tally.sure_wrong, tally.failures) == (0, 0, [])
    assert tally.kept > 0


def test_a_tile_that_is_not_seen_is_missed(truth: FilmTruth, sights: list[Sight]) -> None:
    code = next(event.tile for _, _, event in truth.events if isinstance(event, Discarded))
    blind = [
        replace(sight, tiles=tuple(tile for tile in sight.tiles if tile.readings[0][0] != code))
        for sight in sights
    ]
    tally = judge_sights(truth, blind, [])
    assert tally.found < tally.wanted
    assert {what for _, what, *_ in tally.failures} == {"missed"}


def test_a_wrong_name_is_counted_where_it_was_sure(truth: FilmTruth, sights: list[Sight]) -> None:
    wrong = [
        replace(sight, tiles=tuple(replace(tile, readings=(("7z", 1.0),)) for tile in sight.tiles))
        for sight in sights
    ]
    tally = judge_sights(truth, wrong, [])
    assert tally.found == tally.wanted
    assert tally.sure_wrong >= tally.wanted - tally.named > 0
