"""The weights of the evidence for a table: what harms cannot speak for one, and choices count as they say."""

from __future__ import annotations

import numpy as np
import pytest

from companion.seeing.table_evidence import NAMES
from models.training import table_weights
from models.training.table_weights import FITS, HARMS, Choice, fit, judge


def make_choices(count: int, *, times: int = 1, upside_down: bool = False) -> list[Choice]:
    """Pictures with four ways to see a table. The first, with the clearest edges, is right; or, upside
    down, the last."""
    rng = np.random.default_rng(8)
    choices = []
    for _ in range(count):
        evidence = rng.normal(0, 0.1, (4, len(NAMES)))
        evidence[:, NAMES.index("edges")] = [0.9, 0.6, 0.5, 0.4]
        off = np.array([0.5, 0.5, 0.5, 0.01] if upside_down else [0.01, 0.5, 0.5, 0.5])
        choices.append(Choice(evidence, off, np.eye(4), times))
    return choices


@pytest.fixture(autouse=True)
def fit_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_weights, "STEPS", 300)


def test_what_shows_the_table_gets_weight() -> None:
    choices = make_choices(20)
    weights, none = fit(choices)
    assert weights[NAMES.index("edges")] > 1
    assert all(right and p > 0.5 for p, right in judge(choices, weights, none))


def test_no_weight_favours_what_harms_or_harms_what_fits() -> None:
    weights, _ = fit(make_choices(20, upside_down=True))
    by_name = dict(zip(NAMES, weights, strict=True))
    assert by_name["edges"] == 0
    assert all(by_name[name] >= 0 for name in FITS)
    assert all(by_name[name] <= 0 for name in HARMS)


def test_a_choice_that_counts_twice_is_as_two() -> None:
    one = make_choices(5) + make_choices(5, times=2, upside_down=True)
    two = make_choices(5) + make_choices(5, upside_down=True) * 2
    assert np.allclose(fit(one)[0], fit(two)[0], atol=1e-6)
