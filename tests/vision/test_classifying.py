"""A tile that is hard to read is looked at several times, a little moved; a sure one once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from companion.vision.candidates import Candidates
from companion.vision.classifying import LOOKS, MOVED, SCALED, classify_tiles
from companion.vision.networks import Answers

SIZE = 16
WHITE = np.full((60, 60, 3), 255, np.uint8)
QUAD = np.array([[20, 10], [40, 10], [40, 40], [20, 40]], np.float32)
SURE = [0.97, 0.01, 0.01, 0.01]
TORN = [0.55, 0.40, 0.02, 0.03]
TIPPED = [0.30, 0.65, 0.02, 0.03]


@dataclass
class ScriptedReader:
    """A reader that answers what is written down, call by call, and keeps the crops it was shown."""

    script: list[list[list[float]]]
    shown: list[np.ndarray] = field(default_factory=list)
    labels = ("1m", "6z", "back", "none")
    size_px = SIZE

    def classify(self, crops: np.ndarray) -> Answers:
        kinds = self.script[len(self.shown)]
        self.shown.append(crops)
        directions = np.tile(np.float32([0.97, 0.01, 0.01, 0.01]), (len(crops), 1))
        features = np.full((len(crops), 2), len(self.shown), np.float32)
        return Answers(np.log(np.array(kinds, np.float32)), np.log(directions), features)


def look(reader: ScriptedReader, *quads: np.ndarray, picture: np.ndarray = WHITE) -> np.ndarray:
    """Probabilities (n, labels) of the tiles that lie there."""
    found = Candidates.from_finder(np.array(quads), *np.full((2, len(quads)), 0.9, np.float32))
    classified = classify_tiles(reader, picture, found, None)  # type: ignore[arg-type]
    assert classified.crops.shape == (len(quads), SIZE, SIZE, 3)
    assert classified.probabilities.sum(axis=1) == pytest.approx(np.ones(len(quads)), abs=1e-5)
    assert (classified.features == 1).all()  # tiles are compared as they were first seen
    return classified.probabilities


def test_sure_tiles_are_looked_at_once() -> None:
    reader = ScriptedReader([[SURE, SURE]])
    assert look(reader, QUAD, QUAD + 5)[:, 0] == pytest.approx([0.97, 0.97], abs=1e-3)
    assert len(reader.shown) == 1


def test_a_doubtful_tile_is_what_all_looks_at_it_agree_on() -> None:
    reader = ScriptedReader([[SURE, TORN], [TIPPED] * len(LOOKS)])
    probabilities = look(reader, QUAD, QUAD + 5)
    agreed = np.exp((np.log(TORN) + len(LOOKS) * np.log(TIPPED)) / (len(LOOKS) + 1))
    assert probabilities[0] == pytest.approx(np.array(SURE), abs=1e-3)
    assert probabilities[1] == pytest.approx(agreed / agreed.sum(), abs=1e-3)
    assert len(reader.shown[1]) == len(LOOKS)


def test_what_is_rather_not_a_tile_is_not_looked_at_again() -> None:
    reader = ScriptedReader([[[0.2, 0.15, 0.05, 0.6]]])
    assert look(reader, QUAD)[0, 3] == pytest.approx(0.6, abs=1e-3)
    assert len(reader.shown) == 1


def test_a_tile_that_is_too_small_to_be_read_is_not_looked_at_again() -> None:
    reader = ScriptedReader([[TORN]])
    assert look(reader, QUAD * 0.6)[0, 0] == pytest.approx(0.55, abs=1e-3)
    assert len(reader.shown) == 1


def test_each_look_shows_a_little_more_or_less_on_some_side() -> None:
    slope = np.add.outer(
        np.arange(200) * 1.0, np.arange(200) * 0.2
    )  # brighter downwards, a little to the right
    picture = np.repeat(slope[:, :, None], 3, axis=2).astype(np.uint8)
    quad = np.array([[50, 40], [150, 40], [150, 160], [50, 160]], np.float32)
    reader = ScriptedReader([[TORN], [TORN] * len(LOOKS)])
    look(reader, quad, picture=picture)
    middle = reader.shown[0].mean()
    left, right, up, down, nearer, farther = reader.shown[1].mean(axis=(1, 2, 3)) - middle
    assert (left, right) == pytest.approx((-MOVED * 20, MOVED * 20), abs=0.3)
    assert (up, down) == pytest.approx((-MOVED * 120, MOVED * 120), abs=0.3)
    contrast = [np.ptp(crop.mean(axis=(1, 2))) for crop in (reader.shown[0][0], *reader.shown[1][4:])]
    assert contrast[1] / contrast[0] == pytest.approx(1 - SCALED, abs=0.02)
    assert contrast[2] / contrast[0] == pytest.approx(1 + SCALED, abs=0.02)
    assert (nearer, farther) == pytest.approx((0, 0), abs=0.3)
