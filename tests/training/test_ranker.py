"""The ranker learns from tables straightened by right and by wrong corners. Needs torch (extra `train`)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.candidates import Candidates
from models.training.table_patches import HIGH, LOW, Layers
from models.training.table_views import View, draw_sample

torch = pytest.importorskip("torch")

from models.training.nets import Ranker  # noqa: E402
from models.training.train_ranker import ranker_loss  # noqa: E402

CORNERS = np.array([[120.0, 420], [520, 400], [430, 130], [200, 140]])


def make_view() -> View:
    """A green table on a bright floor, and two ways to see it."""
    picture = np.full((480, 640, 3), 220, np.uint8)
    cv2.fillConvexPoly(picture, CORNERS.astype(np.int32), (40, 130, 40))
    none = Candidates.from_finder(np.zeros((0, 4, 2), np.float32), *np.zeros((2, 0), np.float32))
    ways = np.stack([CORNERS, CORNERS * 0.8 + [60, 50]])
    return View(Layers.of(picture, none), CORNERS, ways, np.array([0.0, 0.15]))


def test_a_patch_shows_the_table_in_its_middle() -> None:
    patch = make_view().layers.cut(CORNERS)
    low, high = int(LOW), int(HIGH)
    assert np.abs(patch[low + 3 : high - 3, low + 3 : high - 3, :3] - np.array([40.0, 130, 40])).max() < 12
    assert (patch[48, [low - 4, high + 3], :3] > 200).all()
    assert not patch[patch[..., 5] == 0].any()


def test_samples_are_right_and_wrong_and_say_by_how_much() -> None:
    rng = np.random.default_rng(4)
    view = make_view()
    drawn = [draw_sample(rng, [view], [view]) for _ in range(60)]
    off = np.array([sample.off for sample in drawn])
    moves = np.array([np.linalg.norm(sample.moves, axis=1).mean() for sample in drawn])
    assert 0.2 < np.mean(off < 0.04) < 0.8
    assert np.corrcoef(off, moves)[0, 1] > 0.8


def test_a_ranker_learns() -> None:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(3)
    view = make_view()
    net = Ranker()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3)
    losses = []
    for _ in range(14):
        samples = [draw_sample(rng, [view], [view]) for _ in range(16)]
        loss = ranker_loss(net(torch.from_numpy(np.stack([each.patch for each in samples]))), samples)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert np.mean(losses[-4:]) < 0.8 * np.mean(losses[:2])
