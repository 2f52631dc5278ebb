"""Evenings of which only wins are recorded, in the real window, whose process is killed three times: what is
kept is what the rules say of each win, and a win takes no more touches than it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.window_bench.only_wins import ROWS, By, plan_wins, play_wins_evening

TOUCHES_MAX = {By.VALUE: 5, By.ROWS: 5 + len(ROWS["hong_kong"]), By.PHOTO: 6}


@pytest.mark.parametrize("rules", ROWS)
def test_a_planned_evening_has_each_way_and_pays_what_others_get(rules: str) -> None:
    wins = plan_wins(rules, 16, 3)
    assert {win.by for win in wins} == set(By)
    assert all(sum(win.payments) == 0 < win.payments[win.winner] for win in wins)
    assert {win.giver is None for win in wins} == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("rules", ROWS)
def test_an_evening_of_sixteen_wins_survives_three_kills(display: None, tmp_path: Path, rules: str) -> None:
    figures = play_wins_evening(rules, 16, 3, tmp_path / "data")
    assert (figures["killed"], figures["lost"], figures["differences"]) == (3, 0, [])
    most = {by: figures["wins"][by]["most"] for by in TOUCHES_MAX}
    assert {by: touches for by, touches in most.items() if touches > TOUCHES_MAX[by]} == {}
