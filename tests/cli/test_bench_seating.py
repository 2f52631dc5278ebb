"""`companion bench seating` in small: every figure is there."""

from __future__ import annotations

from typing import Any


def test_figures_of_seating_and_ratings(call: Any) -> None:
    flags = ("--players", "16", "--evenings", "2", "--games", "50")
    day, season, ratings = call("bench", "seating", *flags, "--json").document["figures"]
    assert (day["players"], day["rounds"], day["bound"]) == (16, 5, 5)
    assert season["pairs"] > 0
    assert season["repeats"] == season["unavoidable"]
    assert ratings["games"] == 50


def test_a_club_of_one_table_plays_every_evening(call: Any) -> None:
    flags = ("--players", "4", "--evenings", "1", "--games", "0", "--seed", "1")
    _, season = call("bench", "seating", *flags, "--json").document["figures"]
    assert (season["pairs"], season["met_least"], season["met_most"]) == (24, 4, 4)
