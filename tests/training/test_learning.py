"""The losses, and what a network's own answers add to what it learns from. Needs torch (extra `train`)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.candidates import straighten_quad
from companion.vision.networks import NO_TILE, READER_PX
from models.training.finder_data import BACK, FACE, UNSURE, FinderSamples, make_targets
from models.training.labels import INDEX, LABELS
from models.training.reader_data import Patch, ReaderSamples, cut_patches
from tests.training.marked import GREYS, label_picture, marked, placed, quad_at, quarters

torch = pytest.importorskip("torch")

from models.training.mining import is_astray, mine_false_finds  # noqa: E402
from models.training.nets import Finder, Reader  # noqa: E402
from models.training.train_finder import heat_loss, shape_loss  # noqa: E402
from models.training.train_reader import reader_loss, settle_directions  # noqa: E402

CERTAIN = 12.0  # logit


def loss_of(code: str, turns: int, *, kind: str, direction: int) -> tuple[float, float]:
    """Losses of kind and direction of a batch: that crop, answered so, and an upright 1m, answered right."""
    kinds, directions = torch.zeros(2, len(LABELS)), torch.zeros(2, 4)
    kinds[0, INDEX[kind]] = kinds[1, INDEX["1m"]] = CERTAIN
    directions[0, direction] = directions[1, 0] = CERTAIN
    labels, turned = torch.tensor([INDEX[code], INDEX["1m"]]), torch.tensor([turns, 0])
    losses = reader_loss(kinds, directions, labels, turned)
    return losses[0].item(), losses[1].item()


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(
    ("code", "right"), [("7z", {0}), ("2p", {0, 2}), ("5z", {0, 1, 2, 3}), (NO_TILE, {0, 1, 2, 3})]
)
def test_a_direction_is_right_as_far_as_the_kind_shows_one(code: str, right: set[int], turns: int) -> None:
    for off in range(4):
        _, loss = loss_of(code, turns, kind=code, direction=(turns + off) % 4)
        assert (loss < 0.1) == (off in right), (off, loss)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(("code", "legible"), [("7z", {0}), ("2p", {0, 2}), ("5z", {0, 1, 2, 3})])
def test_a_kind_is_asked_for_only_where_the_crop_shows_it_upright(
    code: str, legible: set[int], turns: int
) -> None:
    right, _ = loss_of(code, turns, kind=code, direction=turns)
    wrong, _ = loss_of(code, turns, kind="9m", direction=turns)
    assert (wrong > right + 1) == (turns in legible)


def test_a_photographed_tile_is_turned_as_its_kind_is_read_best() -> None:
    quads = quad_at(120, 120, angle=0.5)[None]
    scene = label_picture(marked(quads), quads, ("1m",))
    whole = next(item for item in cut_patches([scene], np.random.default_rng(1)) if item.label == INDEX["1m"])

    def reads_dark_top_left(crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        kinds = torch.zeros(len(crops), len(LABELS))
        kinds[:, whole.label] = -crops[:, : READER_PX // 2, : READER_PX // 2].float().mean(dim=(1, 2, 3)) / 9
        return kinds, torch.zeros(len(crops), 4)

    items = [Patch(whole.picture, np.roll(whole.quad, k, axis=0), whole.label, False) for k in range(4)]
    for item in settle_directions(reads_dark_top_left, items):
        crop = straighten_quad(item.picture, item.quad.astype(np.float32), READER_PX)
        assert quarters(crop) == pytest.approx(GREYS, abs=12)


@pytest.mark.parametrize("turns", range(4))
def test_a_tile_that_is_read_either_way_up_is_turned_as_it_is_said_to_lie(turns: int) -> None:
    quads = quad_at(120, 120)[None]
    scene = label_picture(marked(quads), quads, ("3s",))
    whole = next(item for item in cut_patches([scene], np.random.default_rng(1)) if item.label == INDEX["3s"])

    def sees_where_the_dark_quarter_is(crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        half = READER_PX // 2
        dark = [
            crops[:, :half, :half],
            crops[:, :half, half:],
            crops[:, half:, half:],
            crops[:, half:, :half],
        ]
        return torch.zeros(len(crops), len(LABELS)), -torch.stack(
            [each.float().mean(dim=(1, 2, 3)) for each in dark], 1
        )

    (item,) = settle_directions(
        sees_where_the_dark_quarter_is,
        [Patch(whole.picture, np.roll(whole.quad, turns, axis=0), whole.label, False)],
    )
    crop = straighten_quad(item.picture, item.quad.astype(np.float32), READER_PX)
    assert quarters(crop) == pytest.approx(GREYS, abs=12)


class Lured(torch.nn.Module):
    """A finder that sees tiles on these quads of a 256 px picture, whatever is there."""

    def __init__(self, quads: np.ndarray) -> None:
        super().__init__()
        heat, shapes, _, _ = make_targets(quads, np.zeros(len(quads), int), np.ones(len(quads), bool), 64)
        self.maps = torch.from_numpy(np.concatenate([heat, shapes]))

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return self.maps.clone()[None]


def test_false_finds_lie_on_no_tile_and_on_nothing_doubtful() -> None:
    face, back, doubtful = quad_at(50, 60), quad_at(120, 60), quad_at(200, 60)
    lure = quad_at(128, 180, angle=0.5)
    scene = label_picture(
        placed(), np.array([face, back, doubtful]), ("1m", "back", "2m"), (FACE, BACK, UNSURE)
    )
    finds = np.array([quad_at(54, 57), back, quad_at(202, 62), lure])
    (only,) = mine_false_finds(Lured(finds), [scene])
    assert (only.label, only.upright) == (INDEX[NO_TILE], False)
    crop = straighten_quad(only.picture, only.quad.astype(np.float32), READER_PX)
    assert crop[32, 32, :2].tolist() == pytest.approx([128, 180], abs=3)


def test_nothing_is_mined_where_not_every_back_is_known() -> None:
    quads = quad_at(60, 60)[None]
    scene, finder = label_picture(placed(), quads, ("1m",)), Lured(quad_at(180, 180)[None])
    assert len(mine_false_finds(finder, [scene])) == 1
    assert (
        mine_false_finds(finder, [replace(scene, for_finder=replace(scene.for_finder, backs_known=False))])
        == []
    )


@pytest.mark.parametrize(("x", "lies_astray"), [(60, False), (70, False), (100, True), (200, True)])
def test_a_find_that_hardly_overlaps_a_tile_is_astray(x: float, lies_astray: bool) -> None:
    scene = label_picture(placed(), quad_at(60, 60)[None], ("1m",))
    assert is_astray(quad_at(x, 60), scene.for_finder) == lies_astray


def test_a_finder_is_punished_only_where_everything_is_known() -> None:
    heat = torch.zeros(1, 2, 8, 8)
    claimed = torch.full((1, 2, 8, 8), -CERTAIN)
    claimed[0, 0, 4, 4] = CERTAIN
    everywhere, nowhere = torch.ones(1, 2, 8, 8), torch.zeros(1, 2, 8, 8)
    assert heat_loss(claimed, heat, everywhere).item() > 0.5
    assert heat_loss(claimed, heat, nowhere).item() == 0
    heat[0, 0, 4, 4] = 1
    assert heat_loss(claimed, heat, everywhere).item() < 0.01
    assert heat_loss(-claimed, heat, everywhere).item() > 0.5


def test_shapes_count_only_where_there_is_a_tile() -> None:
    wanted, got, weight = torch.zeros(1, 7, 8, 8), torch.ones(1, 7, 8, 8), torch.zeros(1, 8, 8)
    assert shape_loss(got, wanted, weight).item() == 0
    weight[0, 4, 4] = 1
    assert shape_loss(got, wanted, weight).item() > 5


def test_samples_go_through_torch_into_both_networks() -> None:
    quads = quad_at(120, 120)[None]
    scene = label_picture(marked(quads), quads, ("1m",))
    views = FinderSamples([scene.for_finder], np.ones(1), 128, 2, seed=1)
    (batch,) = torch.utils.data.DataLoader(views, 2)
    assert [tuple(part.shape) for part in batch] == [
        (2, 128, 128, 3), (2, 2, 32, 32), (2, 7, 32, 32), (2, 32, 32), (2, 2, 32, 32),
    ]  # fmt: skip
    assert Finder()(batch[0]).shape == (2, 9, 32, 32)
    crops = ReaderSamples([(1.0, cut_patches([scene], np.random.default_rng(1)))], 4, 1, seed=1)
    ((seen, labels, turns),) = torch.utils.data.DataLoader(crops, None)
    kinds, directions = Reader(len(LABELS))(seen)
    kind, direction = reader_loss(kinds, directions, labels, turns)
    assert torch.isfinite(kind + direction)
