"""Evenings in the real window, each window a process that is killed: nothing confirmed is lost, nothing is
entered twice, and the sheet is the simulator's."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.window_bench.by_camera import play_by_camera, play_by_touch
from lab.window_bench.evenings import KILLS, Played, Window, plan_evening, play_evening

pytestmark = pytest.mark.long

SEED = 20261131
TOUCHES_MAX = {"new game": 3, "go on": 1, "Discarded": 1, "Won": 30, "won, by photo": 6}


def check(played: Played) -> None:
    assert played.differences == []
    assert played.lost == 0
    most = {name: max(counts) for name, counts in played.touches.items()}
    assert {name: most[name] for name in TOUCHES_MAX if most.get(name, 0) > TOUCHES_MAX[name]} == {}


def test_an_evening_by_touch_survives_three_kills(display: None, tmp_path: Path) -> None:
    played = play_evening(Window(play_by_touch), plan_evening("hefei", 4, SEED), tmp_path)
    check(played)
    assert played.kills == len(KILLS) == 3
    assert {"FalseWin", "HandAbandoned", "PointsMoved", "SeatsChanged"} <= set(played.touches)


@pytest.mark.parametrize("rules", ["hebei", "taiwanese", "hong_kong", "hangzhou"])
def test_a_hand_of_each_other_game_by_touch(display: None, tmp_path: Path, rules: str) -> None:
    check(play_evening(Window(play_by_touch), plan_evening(rules, 1, SEED), tmp_path, ()))


def test_an_evening_by_camera_and_devices_survives_three_kills(display: None, tmp_path: Path) -> None:
    """Of three wins the camera sees two; of the other one a photo is taken and read."""
    window = Window(play_by_camera, odd=False)
    played = play_evening(window, plan_evening("hefei", 4, SEED, odd=False), tmp_path)
    check(played)
    assert played.kills == 3
    assert {"won, by photo", "won, seen by the camera"} <= set(played.touches)
