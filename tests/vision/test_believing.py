"""What both networks together hold a find for."""

from __future__ import annotations

import numpy as np

from companion.vision.believing import weighed
from companion.vision.networks import Trust

LABELS = ("1m", "9s", "none")
DOUBTED = np.array([[0.3, 0.1, 0.6]] * 3, np.float32)
SCORES = np.array([0.2, 0.6, 0.99], np.float32)


def test_the_finders_score_speaks_for_a_tile_and_leaves_its_kind_alone() -> None:
    shares = weighed(DOUBTED, SCORES, LABELS, Trust(reader=0.5, finder=2.0, bias=-0.5))
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(shares[:, 0] / shares[:, 1], 3, rtol=1e-4)
    assert shares[0, 2] > 0.9 > shares[1, 2] > shares[2, 2]
    odds = 0.5 * np.log(0.4 / 0.6) + 2 * np.log(0.6 / 0.4) - 0.5
    assert np.isclose(shares[1, 2], 1 / (1 + np.exp(odds)), atol=1e-5)


def test_without_trust_in_the_finder_the_reader_alone_decides() -> None:
    assert np.allclose(weighed(DOUBTED, SCORES, LABELS, Trust()), DOUBTED, atol=1e-5)


def test_a_reader_that_is_certain_makes_no_infinite_odds() -> None:
    certain = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], np.float32)
    shares = weighed(certain, np.array([1.0, 0.0], np.float32), LABELS, Trust(1.0, 1.0, 0.0))
    assert np.isfinite(shares).all()
