"""What training and the test sets draw: pictures for every cause, seeded, and their labels."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.scenes import draw
from models.training import render
from models.training.club import (
    DRAWS,
    SHARES,
    draw_bare_picture,
    draw_club_picture,
    draw_printed_picture,
)
from models.training.designs import Designs
from models.training.finder_data import narrow_px
from models.training.pictures import BACK, FACE, label_scene
from models.training.render import (
    Labels,
    draw_causes,
    draw_whole_tables,
    label_faces_and_backs,
    write_split,
)

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def small_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of half the size are drawn in a quarter of the time."""
    monkeypatch.setattr(draw, "FRAMES", tuple((width // 2, height // 2) for width, height in draw.FRAMES))


@pytest.fixture(scope="module")
def designs() -> Designs:
    return Designs(None, 2, 5, japanese=0.5)


def test_every_kind_has_a_share() -> None:
    assert set(SHARES) == set(DRAWS)
    assert sum(SHARES.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", DRAWS)
def test_pictures_of_a_kind_repeat_by_seed_in_proportions_of_telephones(kind: str, designs: Designs) -> None:
    once, again = (draw_club_picture(np.random.default_rng(5), designs, kind=kind) for _ in range(2))
    assert np.array_equal(once.scene.image, again.scene.image)
    assert once.scene.tiles == again.scene.tiles
    height, width = once.scene.image.shape[:2]
    assert min(abs(width / height - w / h) for w, h in draw.FRAMES) < 0.01
    labels = label_scene(once.scene, once.one_colour)
    assert set(labels.for_finder.kinds.tolist()) & {FACE, BACK}


def test_a_picture_without_tiles_is_labelled_with_none() -> None:
    scene = draw_bare_picture(np.random.default_rng(1))
    assert len(label_scene(scene).for_finder.quads) == 0


@pytest.mark.parametrize("tiles", [True, False])
def test_print_is_no_tile(tiles: bool, designs: Designs) -> None:
    picture = draw_printed_picture(np.random.default_rng(2), designs, tiles=tiles)
    labelled = label_scene(picture.scene, picture.one_colour).for_finder
    assert (len(labelled.quads) > 0) == tiles
    assert labelled.complete
    assert labelled.backs_known


def test_large_faces_are_those_of_the_design_and_sharp(designs: Designs) -> None:
    faces = designs.choose_large_faces(np.random.default_rng(1))
    assert faces["1m"].shape == (640, 480, 4)
    assert len(faces) == 42
    assert faces["3p"] is faces["3p"]
    with pytest.raises(KeyError):
        faces["back"]


def test_causes_have_a_group_each_and_truth_for_faces_and_backs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "CAUSES_STYLES", 1)
    drawn = draw_causes(1, 5)
    write_split(tmp_path, "causes", drawn, 5)
    labels = json.loads((tmp_path / "photos" / "causes.json").read_text())
    assert labels["info"] == {"seed": 5}
    names = {category["id"]: category["name"] for category in labels["categories"]}
    assert [image["group"] for image in labels["images"]] == list(render.CAUSES)
    assert {"back"} < {names[annotation["category_id"]] for annotation in labels["annotations"]}
    for image in labels["images"]:
        picture = cv2.imread(str(tmp_path / "photos" / image["file_name"]))
        height, width = picture.shape[:2]
        mine = [a for a in labels["annotations"] if a["image_id"] == image["id"]]
        assert bool(mine or image["ignore"]) == (image["group"] != "no-tiles"), image["group"]
        for annotation in mine:
            points = np.array(annotation["segmentation"][0]).reshape(-1, 2)
            assert points.min() >= 0
            assert np.all(points <= [width, height])


def test_whole_tables_have_a_group_for_each_stand_and_larger_tiles_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(render, "CAUSES_STYLES", 1)
    drawn = draw_whole_tables(1, 5)
    assert [group for _, group, _ in drawn] == ["above", "corner", "propped"]
    for picture, group, labels in drawn:
        assert picture.shape == (1080, 1920, 3)
        assert labels.complete
        assert len(labels.tiles) > 30, group
        assert {code == "back" for code, _ in labels.tiles} == {True, False}
        assert min(narrow_px(quad) for _, quad in labels.tiles) >= render.LEAST_PX


def test_set_of_one_colour_needs_no_backs(designs: Designs) -> None:
    scene = draw_club_picture(np.random.default_rng(4), designs, kind="backs").scene
    apart, alike = (label_faces_and_backs(scene, one_colour) for one_colour in (False, True))
    assert any(code == "back" for code, _ in apart.tiles)
    assert not any(code == "back" for code, _ in alike.tiles)
    assert len(alike.ignore) > len(apart.ignore)
    assert isinstance(alike, Labels)
