"""Recorded sessions of hands of every game are followed again, to the last tile.

They are what the camera's part of the program saw of films with all disturbances (docs/films.md, 1920x1080,
pace 2), and were taken because it was enough: what follows sights must not get worse. The truth of each film
lies beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.rules import RULE_SETS
from lab.bench.followed_films import compare_film, list_visible, read_truth

Call = Callable[..., Any]

SESSIONS = Path(__file__).parents[1] / "sessions"
GAMES = [path.stem for path in sorted(SESSIONS.glob("*.zip"))]


def test_there_is_a_session_of_every_game() -> None:
    assert set(GAMES) == set(RULE_SETS)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_session_is_followed_without_a_fault(call: Call, game: str) -> None:
    run = call("track", SESSIONS / f"{game}.zip", "--json")
    assert run.status == 0, run.err
    lines = [json.loads(line) for line in run.out.splitlines()]
    figures = compare_film(lines, list_visible(read_truth(SESSIONS / f"{game}.jsonl")))
    counts = figures.counts
    assert counts["discards"] > 15
    assert counts["wins"] == 1
    for what in ("discards", "melds", "flowers", "wins"):
        assert counts[f"{what} right"] == counts[what], what
    assert counts["certain"] > 0.5 * counts["discards"]
    assert counts["wrong and certain"] == 0
