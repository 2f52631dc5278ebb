"""What speaks for a candidate to be a tile that shows its face: both networks, and what lies around it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.config import models_dir
from companion.vision.candidates import Candidates
from companion.vision.deciding import EVIDENCE_SIZES, NEIGHBOURS, Evidence, gather_evidence, weigh_evidence
from companion.vision.networks import Weigher, load_manifest
from tests.vision.made_up import classified

LABELS = ("1m", "9s", "back", "none")
WIDTH, HEIGHT = 640, 480
IVORY, RED, GREEN = (215, 232, 240), (40, 40, 200), (90, 140, 30)
TINT, LIGHT = 6, 7  # columns of `Evidence.relations`: how alike two grounds are


def rectangle(x: float, y: float = 100.0, side: float = 40.0) -> np.ndarray:
    return np.array([[x, y], [x + side, y], [x + side, y + 1.3 * side], [x, y + 1.3 * side]], np.float32)


def face(colour: tuple[int, int, int], painted: bool = True) -> np.ndarray:
    crop = np.full((64, 64, 3), colour, np.uint8)
    if painted:
        crop[20:44, 26:38] = (30, 120, 20)
    return crop


def row(
    count: int = 4, crops: list[np.ndarray] | None = None, probabilities: np.ndarray | None = None
) -> Candidates:
    """Candidates that lie side by side."""
    quads = np.stack([rectangle(100 + 44.0 * at) for at in range(count)])
    if probabilities is None:
        probabilities = np.array([[0.6, 0.2, 0.1, 0.1]] * count, np.float32)
    crops = crops or [face(IVORY)] * count
    return classified(LABELS, probabilities, quads=quads, crops=np.stack(crops))


class Decided(Weigher):
    """A weigher that always answers the same."""

    def __init__(self, tile: float, face: float) -> None:
        object.__setattr__(self, "answer", (tile, face))

    def weigh(self, *evidence: np.ndarray) -> np.ndarray:
        return np.tile(np.array(self.answer, np.float32), (len(evidence[0]), 1))


def test_what_the_weigher_decides_counts_and_how_likely_each_kind_is_stays() -> None:
    weighed = weigh_evidence(row(), WIDTH, HEIGHT, Decided(0.8, 0.75)).probabilities
    assert np.allclose(weighed.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(weighed[:, 3], 0.2, atol=1e-5)
    assert np.allclose(weighed[:, 2], 0.8 * 0.25, atol=1e-5)
    assert np.allclose(weighed[:, 0] / weighed[:, 1], 3, rtol=1e-4)


def same(one: Evidence, other: Evidence) -> bool:
    return (
        np.allclose(one.own, other.own, atol=1e-3)
        and np.array_equal(one.neighbours, other.neighbours)
        and np.allclose(one.relations, other.relations, atol=1e-3)
    )


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_which_corner_a_quad_starts_from_does_not_matter(turns: int) -> None:
    given = row(5)
    turned = classified(
        LABELS, given.probabilities, quads=np.roll(given.quads, turns, axis=1), crops=given.crops
    )
    assert same(gather_evidence(given, WIDTH, HEIGHT), gather_evidence(turned, WIDTH, HEIGHT))


def test_a_picture_twice_as_large_gives_the_same_evidence_but_for_the_pixels() -> None:
    given = row(5)
    larger = classified(LABELS, given.probabilities, quads=given.quads * 2, crops=given.crops)
    small, large = gather_evidence(given, WIDTH, HEIGHT), gather_evidence(larger, 2 * WIDTH, 2 * HEIGHT)
    differ = np.flatnonzero(np.abs(small.own - large.own).max(axis=0) > 1e-3)
    assert differ.tolist() == [6]
    assert np.allclose(small.relations, large.relations, atol=1e-3)


def test_neighbours_are_the_nearest_others() -> None:
    evidence = gather_evidence(row(4), WIDTH, HEIGHT)
    assert evidence.neighbours[0, :3].tolist() == [1, 2, 3]
    assert evidence.neighbours[3, :3].tolist() == [2, 1, 0]
    assert evidence.present.sum(axis=1).tolist() == [3] * 4
    assert not evidence.relations[:, 3:].any()


def test_of_many_others_the_nearest_count() -> None:
    evidence = gather_evidence(row(30), WIDTH, HEIGHT)
    assert evidence.present.all()
    assert sorted(evidence.neighbours[0].tolist()) == list(range(1, NEIGHBOURS + 1))


LIGHTS = {"dim": (0.2, 0.2, 0.2), "lamplight": (0.45, 0.75, 1.0), "blue hour": (1.05, 0.8, 0.5)}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS.keys())
@pytest.mark.parametrize(("colour", "alike"), [(IVORY, True), (GREEN, False), (RED, False)])
def test_grounds_of_one_colour_are_alike_in_every_light(
    light: tuple[float, float, float], colour: tuple[int, int, int], alike: bool
) -> None:
    crops = [face(IVORY)] * 3 + [face(colour, painted=False)]
    seen = [np.clip(crop * np.array(light), 0, 255).astype(np.uint8) for crop in crops]
    relations = gather_evidence(row(4, seen), WIDTH, HEIGHT).relations[3, :3]
    assert (relations[:, [TINT, LIGHT]] > 0.9).all() if alike else (relations[:, TINT] < 0.1).all()


@pytest.mark.parametrize("certain", [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
@pytest.mark.parametrize("count", [1, 2, 12])
def test_a_reader_that_is_certain_makes_no_infinite_evidence(certain: list[float], count: int) -> None:
    candidates = row(
        count, [np.zeros((64, 64, 3), np.uint8)] * count, np.array([certain] * count, np.float32)
    )
    weigher = Weigher.load(models_dir(), load_manifest(models_dir()).weigher, EVIDENCE_SIZES)
    evidence = gather_evidence(candidates, WIDTH, HEIGHT)
    assert np.isfinite(evidence.own).all()
    assert np.isfinite(evidence.relations).all()
    weighed = weigh_evidence(candidates, WIDTH, HEIGHT, weigher).probabilities
    assert np.allclose(weighed.sum(axis=1), 1, atol=1e-5)
