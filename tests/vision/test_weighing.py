"""What speaks for a candidate to be a tile: both networks, and the tiles around it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.candidates import Candidates
from companion.vision.networks import Trust
from companion.vision.weighing import gather_evidence, weigh_evidence
from tests.vision.made_up import classified

LABELS = ("1m", "9s", "back", "none")
DOUBTED = np.array([[0.3, 0.1, 0.0, 0.6]] * 3, np.float32)
SCORES = np.array([0.2, 0.6, 0.99], np.float32)
IVORY, RED, GREEN = (215, 232, 240), (40, 40, 200), (90, 140, 30)


def square(x: float, side: float = 40.0) -> np.ndarray:
    return np.array([[x, 0], [x + side, 0], [x + side, side], [x, side]], np.float32)


def face(colour: tuple[int, int, int], painted: bool = True) -> np.ndarray:
    crop = np.full((64, 64, 3), colour, np.uint8)
    if painted:
        crop[20:44, 26:38] = (30, 120, 20)
    return crop


def compare(quads: list[np.ndarray], crops: list[np.ndarray], clear: int) -> np.ndarray:
    """Amid and alike, (n, 2), where the first `clear` candidates are clearly faces and the rest are
    doubted."""
    probabilities = np.array(
        [[1.0, 0, 0, 0]] * clear + [[0.3, 0.1, 0, 0.6]] * (len(quads) - clear), np.float32
    )
    scores = np.array([0.9] * clear + [0.4] * (len(quads) - clear), np.float32)
    candidates = classified(
        LABELS, probabilities, scores=scores, quads=np.stack(quads), crops=np.stack(crops)
    )
    return gather_evidence(candidates).tile[:, 3:]


def doubted_faces() -> Candidates:
    """Three candidates with DOUBTED and SCORES, all at one place and painted alike."""
    quads, crops = np.stack([square(0)] * 3), np.stack([face(IVORY)] * 3)
    return classified(LABELS, DOUBTED, scores=SCORES, quads=quads, crops=crops)


def test_the_finders_score_speaks_for_a_tile_and_leaves_its_kind_alone() -> None:
    weighed = weigh_evidence(doubted_faces(), Trust(reader=0.5, finder=2.0, bias=-0.5)).probabilities
    assert np.allclose(weighed.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(weighed[:, 0] / weighed[:, 1], 3, rtol=1e-4)
    assert weighed[0, 3] > 0.9 > weighed[1, 3] > weighed[2, 3]
    odds = 0.5 * np.log(0.4 / 0.6) + 2 * np.log(0.6 / 0.4) - 0.5
    assert np.isclose(weighed[1, 3], 1 / (1 + np.exp(odds)), atol=1e-5)


def test_without_any_trust_the_reader_alone_decides() -> None:
    assert np.allclose(weigh_evidence(doubted_faces(), Trust()).probabilities, DOUBTED, atol=1e-5)


def test_a_reader_that_is_certain_makes_no_infinite_odds() -> None:
    certain = np.array([[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]], np.float32)
    quads, crops = np.stack([square(0), square(50)]), np.stack([face(IVORY)] * 2)
    scores = np.array([1.0, 0.0], np.float32)
    candidates = classified(LABELS, certain, scores=scores, quads=quads, crops=crops)
    assert np.isfinite(weigh_evidence(candidates, Trust(1.0, 1.0, 0.0)).probabilities).all()


def test_a_blank_face_among_faces_of_its_colour_and_size_is_like_them() -> None:
    quads = [square(50.0 * k) for k in range(4)]
    company = compare(quads, [face(IVORY)] * 3 + [face(IVORY, painted=False)], clear=3)
    assert company[3] == pytest.approx([1.0, 1.0], abs=0.01)


@pytest.mark.parametrize(("colour", "side"), [(RED, 40.0), (IVORY, 18.0)], ids=["colour", "size"])
def test_what_differs_in_colour_or_size_is_amid_the_tiles_but_unlike_them(
    colour: tuple[int, int, int], side: float
) -> None:
    quads = [*(square(50.0 * k) for k in range(3)), square(150.0, side)]
    company = compare(quads, [face(IVORY)] * 3 + [face(colour)], clear=3)
    assert company[3, 0] == 1
    assert company[3, 1] < 0.3
    assert (company[:3, 1] > 0.9).all()


@pytest.mark.parametrize("clear", [0, 1, 2])
def test_a_tile_counts_no_company_of_its_own(clear: int) -> None:
    quads = [square(50.0 * k) for k in range(clear + 1)]
    company = compare(quads, [face(IVORY)] * (clear + 1), clear)
    assert company[:, 0].tolist() == [0.0] * clear + [float(clear >= 2)]


def test_a_blank_tile_of_the_faces_colour_is_a_face_and_one_of_another_colour_a_back() -> None:
    quads = np.stack([square(50.0 * k) for k in range(5)])
    crops = np.stack([face(IVORY)] * 3 + [face(IVORY, painted=False), face(RED, painted=False)])
    read = np.array([[1.0, 0, 0, 0]] * 3 + [[0.2, 0.3, 0.5, 0.0]] * 2, np.float32)
    candidates = classified(LABELS, read, quads=quads, crops=crops)
    seen = weigh_evidence(candidates, Trust(face_amid=-3, face_alike=6)).probabilities
    assert seen[3, 2] < 0.1
    assert np.isclose(seen[3, 1] / seen[3, 0], 1.5, rtol=1e-3)
    assert seen[4, 2] > 0.9
    assert np.allclose(seen.sum(axis=1), 1, atol=1e-5)


LIGHTS = {"dim": (0.2, 0.2, 0.2), "lamplight": (0.45, 0.75, 1.0), "blue hour": (1.05, 0.8, 0.5)}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS.keys())
@pytest.mark.parametrize(("colour", "like"), [(IVORY, True), (GREEN, False), (RED, False)])
def test_what_is_alike_is_so_in_every_light(
    light: tuple[float, float, float], colour: tuple[int, int, int], like: bool
) -> None:
    quads = [square(50.0 * k) for k in range(4)]
    crops = [face(IVORY)] * 3 + [face(colour, painted=False)]
    seen = [np.clip(crop * np.array(light), 0, 255).astype(np.uint8) for crop in crops]
    company = compare(quads, seen, clear=3)
    assert (company[3, 1] > 0.9) if like else (company[3, 1] < 0.1)
