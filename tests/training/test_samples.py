"""What the networks are shown in training agrees with what the program takes their answers for."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.tiles import BACK, KINDS
from companion.vision.candidates import overlap, straighten_quad
from companion.vision.networks import NO_TILE, READER_PX, find_peaks
from lab.scenes.hand import render_hand
from models.training import finder_data
from models.training.finder_data import FACE, UNSURE, FinderSamples, make_targets, narrow_px, pick_view
from models.training.labels import ANY_TURN, HALF_TURN, INDEX, LABELS
from models.training.pictures import load_training_photos, order_clockwise
from models.training.reader_data import (
    PATCH_PX,
    Patch,
    ReaderSamples,
    augment_crop,
    cut_patches,
    set_directions,
)
from tests.training.collection import write_split
from tests.training.marked import GREYS, label_picture, marked, placed, quad_at, quarters

ANGLES = [0.0, 0.4, 1.6, 3.1, 4.9]


def patch_of(angle: float, code: str = "1m") -> Patch:
    quads = quad_at(120, 120, angle=angle)[None]
    (only,) = (
        item
        for item in cut_patches([label_picture(marked(quads), quads, (code,))], np.random.default_rng(1))
        if item.label == INDEX[code]
    )
    return only


def test_every_label_is_there_once_and_no_kind_looks_alike_in_two_ways() -> None:
    assert [*LABELS] == [*(kind.code for kind in KINDS), BACK, NO_TILE]
    assert not HALF_TURN & ANY_TURN
    assert set(LABELS) >= HALF_TURN | ANY_TURN


@pytest.mark.parametrize("angle", ANGLES)
def test_a_patch_keeps_its_label_its_direction_and_its_hand(angle: float) -> None:
    item = patch_of(angle, "7z")
    assert (item.label, item.upright) == (INDEX["7z"], True)
    assert max(item.picture.shape) <= PATCH_PX
    crop = straighten_quad(item.picture, item.quad.astype(np.float32), READER_PX)
    assert quarters(crop) == pytest.approx(GREYS, abs=12)


@pytest.mark.parametrize("turns", range(4))
def test_a_crop_turned_k_times_stands_upright_when_it_is_turned_back_as_the_program_does(turns: int) -> None:
    item, rng = patch_of(0.4), np.random.default_rng(3)
    crops = [np.rot90(augment_crop(rng, item, turns), turns) for _ in range(80)]
    light = np.mean([quarters(crop) for crop in crops], axis=0)
    assert np.argsort(light).tolist() == [0, 1, 2, 3]
    assert np.diff(light).min() > 15


def test_batches_tell_the_turns_and_labels_of_their_crops() -> None:
    items = [patch_of(0.0, "1m"), patch_of(2.0, "9s")]
    crops, labels, turns = ReaderSamples([(1.0, items)], 120, 1, seed=5)[0]
    assert crops.shape == (120, READER_PX, READER_PX, 3)
    assert set(labels.tolist()) == {INDEX["1m"], INDEX["9s"]}
    assert set(turns.tolist()) == {0, 1, 2, 3}
    for k in range(4):
        upright = np.mean([quarters(np.rot90(crop, k)) for crop in crops[turns == k]], axis=0)
        assert np.argsort(upright).tolist() == [0, 1, 2, 3], k


def test_the_same_seed_gives_the_same_batch() -> None:
    samples = [ReaderSamples([(1.0, [patch_of(0.0)])], 8, 2, seed=5) for _ in range(2)]
    assert all(np.array_equal(*both) for both in zip(samples[0][1], samples[1][1], strict=True))
    assert not np.array_equal(samples[0][0][0], samples[0][1][0])


def test_a_patch_of_unknown_direction_is_turned_to_the_corner_that_is_named() -> None:
    whole = patch_of(0.7)
    items = [Patch(whole.picture, np.roll(whole.quad, k, axis=0), whole.label, False) for k in range(4)]
    for item in set_directions(items, np.arange(4)):
        assert item.upright
        assert np.array_equal(item.quad, whole.quad)


def test_none_samples_overlap_no_tile() -> None:
    quads = np.array([quad_at(40 + 50 * x, 50 + 66 * y) for x in range(4) for y in range(3)])
    scene = label_picture(placed(), quads, ("1m",) * len(quads))
    lures = [
        item
        for seed in range(120)
        for item in cut_patches([scene], np.random.default_rng(seed))
        if item.label == INDEX[NO_TILE]
    ]
    assert len(lures) > 30
    for item in lures:
        crop = straighten_quad(item.picture, item.quad.astype(np.float32), READER_PX).astype(np.float32)
        where = np.array([crop[0, 0, :2], crop[0, -1, :2], crop[-1, -1, :2], crop[-1, 0, :2]])
        assert max(overlap(where, quad.astype(np.float32)) for quad in quads) < 0.5


def test_the_finders_targets_come_back_as_the_tiles_they_were_made_of() -> None:
    quads = np.array(
        [quad_at(60, 70, angle=0.3), quad_at(150, 70, 30, 40, 2.0), quad_at(130, 180, angle=5.0)]
    )
    kinds = np.array([FACE, finder_data.BACK, FACE])
    heat, shapes, weight, unsure = make_targets(quads, kinds, np.ones(3, bool), 64)
    found = find_peaks(np.concatenate([heat, shapes]))
    assert found.scores == pytest.approx(np.ones(3))
    for quad, kind in zip(quads, kinds, strict=True):
        same = [at for at, one in enumerate(found.quads) if overlap(one, quad.astype(np.float32)) > 0.95]
        assert len(same) == 1
        x, y = (quad.mean(axis=0) / 4).astype(int)
        assert heat[kind, y, x] > 0.9
        assert heat[1 - kind, y, x] == 0
        assert weight[y, x] > 0.9
    assert not unsure.any()


def test_a_doubtful_tile_is_neither_asked_for_nor_punished_and_a_boxed_one_gives_no_shape() -> None:
    quads = np.array([quad_at(60, 70), quad_at(180, 180)])
    heat, _, weight, unsure = make_targets(quads, np.array([UNSURE, FACE]), np.array([True, False]), 64)
    assert heat[:, :32, :32].max() == 0
    assert unsure[70 // 4, 60 // 4] == 1
    assert heat[FACE].max() == 1
    assert weight.max() == 0


@pytest.mark.parametrize("seed", range(20))
def test_a_view_never_mirrors(seed: int) -> None:
    quads = np.array([quad_at(60, 70), quad_at(180, 180)])
    matrix = pick_view(np.random.default_rng(seed), 256, quads, 256, 256)
    assert np.linalg.det(matrix[:, :2]) > 0


def test_labels_go_with_the_view() -> None:
    quads = np.array([quad_at(70, 90), quad_at(190, 160, angle=0.9)])
    picture = np.zeros((256, 256, 3), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(picture, np.int32(quad), (255, 255, 255))
    samples = FinderSamples(
        [label_picture(picture, quads, ("1m", "2m")).for_finder], np.ones(1), 192, 40, seed=2
    )
    inside, outside = [], []
    for index in range(40):
        seen, heat, shapes, _, _ = samples[index]
        for quad in find_peaks(np.concatenate([heat, shapes])).quads:
            assert narrow_px(quad) > 5
            x, y = np.clip(quad.mean(axis=0).astype(int), 0, 191)
            inside.append(float(seen[y, x].mean()))
        outside.append(float(np.median(seen[heat[0].repeat(4, 0).repeat(4, 1) == 0])))
    assert len(inside) > 30
    assert np.percentile(inside, 10) > np.percentile(outside, 90)


def test_any_outline_becomes_four_corners_clockwise_from_the_top_left() -> None:
    quad = quad_at(100, 100, angle=0.2)
    outline = np.insert(quad, 1, (quad[0] + quad[1]) / 2, axis=0)[::-1]
    assert order_clockwise(outline) == pytest.approx(quad, abs=1.5)


def test_photos_come_with_the_names_and_outlines_of_their_labels(tile_data: Path) -> None:
    photos = load_training_photos(tile_data)
    assert all(
        len(each.codes) == len(each.for_finder.quads) == len(each.for_finder.shaped) for each in photos
    )
    assert {code for each in photos for code in each.codes} <= set(LABELS)
    with_backs = [each for each in photos if BACK in each.codes]
    kinds = np.concatenate([each.for_finder.kinds for each in with_backs])
    assert (np.count_nonzero(kinds == FACE), np.count_nonzero(kinds == finder_data.BACK)) == (329, 141)


def test_ambiguous_regions_teach_nothing(tmp_path: Path) -> None:
    scene = render_hand([["1m", "2m", "3m"]], seed=1, width=640, height=240)
    write_split(tmp_path / "photos" / "train.json", [(1, "club", scene)])
    write_split(tmp_path / "photos-2" / "train-2.json", [(2, "club", scene)])
    labels = json.loads((tmp_path / "photos-2" / "train-2.json").read_text())
    (cut, *_), labels["annotations"] = labels["annotations"], labels["annotations"][1:]
    labels["images"][0] |= {"complete": False, "covered": True, "ignore": cut["segmentation"]}
    (tmp_path / "photos-2" / "train-2.json").write_text(json.dumps(labels))
    whole, partly = load_training_photos(tmp_path)
    assert whole.for_finder.kinds.tolist() == [FACE, FACE, FACE]
    assert not whole.for_finder.backs_known
    assert partly.for_finder.kinds.tolist() == [FACE, FACE, UNSURE]
    assert partly.for_finder.complete
    assert partly.for_finder.backs_known
    assert sorted(LABELS[patch.label] for patch in cut_patches([partly], np.random.default_rng(1))) == [
        "2m", "3m", "none", "none",
    ]  # fmt: skip
