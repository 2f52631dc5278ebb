"""The time that advice takes is measured step by step; how long it is, no test says."""

import pytest

from lab.bench.advice_speed import STEPS, measure


@pytest.mark.slow
def test_every_position_of_a_hand_is_timed_step_by_step() -> None:
    found = measure("hefei", 1)
    assert found["positions"] > 10
    first, second, last = (found[step]["50"] for step in STEPS)
    assert 0 <= first <= second <= last
    for step in STEPS:
        assert found[step]["50"] <= found[step]["95"] <= found[step]["100"]
