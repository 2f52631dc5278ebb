"""The weigher learns from what its neighbours know. Needs torch (extra `train`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.config import models_dir
from companion.tiles import BACK, KINDS
from companion.vision import networks
from companion.vision.deciding import EVIDENCE_SIZES, Evidence
from companion.vision.recogniser import Recogniser
from lab.art.house import draw_house_face
from lab.film.customs import make_club_bodies
from lab.scenes.closeups import draw_rows_of_backs
from models.training.finder_data import UNSURE
from models.training.pictures import LabelledPicture, label_scene

torch = pytest.importorskip("torch")

from models.training.export import WEIGHER, describe_model, export_weigher  # noqa: E402
from models.training.train_weigher import join_samples, train_weighers, weigher_loss  # noqa: E402
from models.training.weigher_data import (  # noqa: E402
    NO,
    UNKNOWN,
    YES,
    WeigherSample,
    gather_samples,
)

OWN, NEIGHBOURS, RELATIONS = EVIDENCE_SIZES
COUNT = 8


def sample(rng: np.random.Generator) -> WeigherSample:
    """Candidates that are tiles where their only neighbour is sure to be one."""
    own = np.zeros((COUNT, OWN), np.float32)
    own[:, 0] = rng.choice([-2, 2], COUNT)
    neighbours = np.zeros((COUNT, NEIGHBOURS), np.int64)
    neighbours[:, 0] = np.roll(np.arange(COUNT), 1)
    present = np.zeros((COUNT, NEIGHBOURS), np.float32)
    present[:, 0] = 1
    truth = (own[neighbours[:, 0], 0] > 0).astype(np.int8)
    relations = np.zeros((COUNT, NEIGHBOURS, RELATIONS), np.float32)
    return WeigherSample(Evidence(own, neighbours, present, relations), truth, 1 - truth)


def answers(net: torch.nn.Module, evidence: Evidence) -> np.ndarray:
    arrays = (evidence.own, evidence.neighbours, evidence.present, evidence.relations)
    with torch.no_grad():
        return torch.sigmoid(net(*map(torch.from_numpy, arrays))).numpy()


def test_neighbours_knowledge_decides(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    samples = [sample(rng) for _ in range(40)]
    net = train_weighers([(4, samples), (4, [])], 3, steps=300)
    unseen = [sample(rng) for _ in range(20)]
    for each in unseen:
        assert np.array_equal(answers(net, each.evidence)[:, 0] > 0.5, each.is_tile == YES)
        assert np.array_equal(answers(net, each.evidence)[:, 1] > 0.5, each.shows_face == YES)
    again = train_weighers([(4, samples), (4, [])], 3, steps=300)
    assert np.array_equal(answers(net, unseen[0].evidence), answers(again, unseen[0].evidence))
    export_weigher(net, tmp_path)
    weigher = networks.Weigher.load(tmp_path, describe_model(tmp_path / WEIGHER), EVIDENCE_SIZES)
    evidence = unseen[0].evidence
    weighed = weigher.weigh(evidence.own, evidence.neighbours, evidence.present, evidence.relations)
    assert np.allclose(weighed, answers(net, evidence), atol=1e-5)


def test_unknown_labels_cost_nothing() -> None:
    rng = np.random.default_rng(2)
    known, odds = sample(rng), torch.zeros(COUNT, 2)
    nothing = WeigherSample(known.evidence, *np.full((2, COUNT), UNKNOWN, np.int8))
    assert weigher_loss(odds, [nothing]).item() == 0
    assert weigher_loss(odds, [known]).item() == pytest.approx(2 * np.log(2), rel=1e-5)


def test_pictures_joined_stay_apart() -> None:
    rng = np.random.default_rng(4)
    _, neighbours, present, _ = join_samples([sample(rng), sample(rng)], rng)
    first, second = neighbours[:COUNT][present[:COUNT] > 0], neighbours[COUNT:][present[COUNT:] > 0]
    assert first.max() < COUNT <= second.min()


@pytest.fixture(scope="module")
def backs() -> LabelledPicture:
    rng = np.random.default_rng(6)
    faces = {kind.code: draw_house_face(kind.code) for kind in KINDS}
    return label_scene(draw_rows_of_backs(rng, make_club_bodies(rng, faces), width=960, height=720))


def test_candidates_are_compared_with_the_labels(backs: LabelledPicture) -> None:
    recogniser = Recogniser(models_dir())
    one, relit = gather_samples(recogniser.finder, recogniser.reader, [backs], relit=5)
    assert (one.is_tile == YES).sum() > 0.5 * (backs.for_finder.kinds != UNSURE).sum()
    assert {*one.shows_face[one.is_tile == YES].tolist()} == {
        int(code != BACK)
        for code, kind in zip(backs.codes, backs.for_finder.kinds, strict=True)
        if kind != UNSURE
    }
    assert (one.shows_face[one.is_tile != YES] == UNKNOWN).all()
    assert {*one.is_tile.tolist()} <= {YES, NO, UNKNOWN}
    assert not np.array_equal(one.evidence.own[:5], relit.evidence.own[:5])
