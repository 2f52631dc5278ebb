"""Laid hands, and the noisy sights that are made of them, are such as a table and a camera allow."""

from __future__ import annotations

import random
from math import hypot

from companion.coach.play.simulation import play
from companion.table.events import GameStarted
from lab.bench.laid_hands import CLEAR, NEAREST_MM, Customs, LaidHand, Lying, Noise, lay_hand, make_sights


def test_no_two_tiles_lie_in_one_place() -> None:
    rng = random.Random(5)
    played = next(play(GameStarted(rules="hebei"), 1, rng))
    lying = lay_hand(played, Customs(untidy=5.0), rng, 0.0).lying
    together = [
        (one, other)
        for at, one in enumerate(lying)
        for other in lying[:at]
        if one.since < other.until and other.since < one.until
    ]
    assert min(hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in together) >= NEAREST_MM


def test_a_tile_that_is_found_late_has_lain_still_since_it_was_laid() -> None:
    laid = LaidHand([Lying("3m", 0.0, -100.0, 0.0, 2.0)], ends=20.0)
    late = Noise(**{**{name: getattr(CLEAR, name) for name in Noise.__slots__}, "late": 1.0})
    seen = [
        (sight.t, tile) for sight in make_sights(laid, late, random.Random(1), 0.0, 0) for tile in sight.tiles
    ]
    assert seen[0][0] >= 5.0
    assert {tile.still_since_s for _, tile in seen} == {2.0}
