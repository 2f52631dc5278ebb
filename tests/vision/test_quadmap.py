"""The finder's quad maps: what is put in comes out, and turning a tile by a little changes them by a
little."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.networks import decode, encode

CELL = np.array([[103.0, 52.0]])


def rectangle(width: float, height: float, angle: float, skew: float = 0.0) -> np.ndarray:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    corners[:, 0] += skew * corners[:, 1]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return corners @ turn.T + [100.0, 50.0]


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Largest distance of corners in the cyclic order that fits best, px."""
    return min(float(np.abs(np.roll(one, k, axis=0) - other).max()) for k in range(4))


@given(st.floats(8, 200), st.floats(8, 200), st.floats(-np.pi, np.pi), st.floats(-0.5, 0.5))
def test_a_quad_comes_back_whatever_its_angle(width: float, height: float, angle: float, skew: float) -> None:
    quad = rectangle(width, height, angle, skew)
    (back,) = decode(encode(quad, CELL).astype(np.float32), CELL.astype(np.float32))
    assert apart(back, quad) < 0.02 * max(width, height)


def test_the_order_of_corners_does_not_change_the_maps() -> None:
    quad = rectangle(30, 40, 0.3)
    assert all(np.allclose(encode(np.roll(quad, k, axis=0), CELL), encode(quad, CELL)) for k in range(4))


@pytest.mark.parametrize("angle", np.linspace(0, np.pi, 60))
def test_no_angle_makes_the_maps_jump(angle: float) -> None:
    before, after = (encode(rectangle(30, 40, a), CELL) for a in (angle, angle + 0.01))
    assert np.abs(after - before).max() < 0.06
