"""The temperature is what held-out crops say. Needs torch (extra `train`)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.tiles import KINDS
from companion.vision.networks import Answers
from lab.art.house import draw_house_face
from lab.scenes.table import random_scene
from lab.scenes.tileset import TileBodies
from models.training.labels import INDEX, LABELS
from models.training.pictures import LabelledPicture, label_scene
from models.training.reader_data import cut_patches

torch = pytest.importorskip("torch")

from models.training.calibrate import fit_temperature  # noqa: E402

SIZE_MM = np.array([26.0, 36.0, 20.0])
IVORY, GREEN = (215, 232, 240), (70, 120, 20)


def house_tables(count: int, seed: int) -> list[LabelledPicture]:
    faces = {tile.code: draw_house_face(tile.code) for tile in KINDS}
    bodies = TileBodies(SIZE_MM, faces, IVORY, GREEN)
    rng = np.random.default_rng(seed)
    return [label_scene(random_scene(rng, bodies, width=640, height=640)) for _ in range(count)]


class Sure:
    """A reader that is right with a probability, and whatever it says, its logit is `sureness`."""

    def __init__(self, truths: list[int], right: float, sureness: float) -> None:
        rng = np.random.default_rng(2)
        self.answers = [t if rng.random() < right else int(rng.integers(len(LABELS))) for t in truths]
        self.sureness = sureness

    def classify(self, crops: np.ndarray) -> Answers:
        labels, self.answers = self.answers[: len(crops)], self.answers[len(crops) :]
        logits = self.sureness * np.eye(len(LABELS), dtype=np.float32)[labels]
        kinds = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return Answers(kinds, np.zeros((len(crops), 4), np.float32), np.zeros((len(crops), 1), np.float32))


@pytest.mark.parametrize(("right", "sureness"), [(0.95, 12.0), (0.7, 12.0), (0.95, 4.0)])
def test_the_temperature_makes_a_reader_as_sure_as_it_is_right(right: float, sureness: float) -> None:
    items = cut_patches(house_tables(6, 3), np.random.default_rng(1), 12) * 12
    reader = Sure([item.label for item in items], right, sureness)
    temperature = fit_temperature(reader, items, 5)  # type: ignore[arg-type]
    logits = torch.zeros(len(LABELS))
    logits[INDEX["1m"]] = sureness / temperature
    assert torch.softmax(logits, 0).max().item() == pytest.approx(right, abs=0.04)
