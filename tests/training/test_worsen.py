"""Photos made worse: every trouble is there, labels stay on their tiles, and a seed gives the same files."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.bench.labelled_photos import load_photos
from models.training import worsen
from models.training.augment import relight
from tests.training.marked import marked, quad_at

PLACES = ((60.0, 70.0, "1m"), (180.0, 150.0, "7z"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    quads = np.stack([quad_at(x, y) for x, y, _ in PLACES])
    (folder / "data" / "photos").mkdir(parents=True)
    cv2.imwrite(str(folder / "data" / "photos" / "a.png"), marked(quads))
    boxes = [[*quad.min(axis=0).tolist(), *np.ptp(quad, axis=0).tolist()] for quad in quads]
    labels = {
        "images": [{"id": 5, "file_name": "a.png", "group": "desk", "complete": True}],
        "categories": [{"id": k, "name": code} for k, (_, _, code) in enumerate(PLACES)],
        "annotations": [
            {"id": k, "image_id": 5, "category_id": k, "bbox": box, "segmentation": []}
            for k, box in enumerate(boxes)
        ],
    }
    (folder / "data" / "photos" / "few.json").write_text(json.dumps(labels))
    for out in ("one", "again"):
        with pytest.MonkeyPatch.context() as patch:
            arguments = ["--data", str(folder / "data"), "--split", "few", "--out", str(folder / out)]
            patch.setattr("sys.argv", ["worsen", *arguments])
            worsen.main()
    return folder


def test_every_trouble_is_a_group_and_labels_stay_on_their_tiles(written: Path) -> None:
    photos = {photo.group: photo for photo in load_photos(written / "one", "few")}
    assert photos.keys() == worsen.TROUBLES.keys()
    for trouble, photo in photos.items():
        assert photo.names == ("1m", "7z")
        picture = cv2.imread(str(photo.path), cv2.IMREAD_GRAYSCALE).astype(float)
        for box in photo.boxes:
            x0, y0, x1, y1 = *box.min(axis=0).astype(int), *box.max(axis=0).astype(int)
            ground = picture[: picture.shape[0] // 12, picture.shape[1] * 2 // 5 :]
            assert picture[y0:y1, x0:x1].std() > 3 * ground.std(), trouble
    assert photos["upside down"].boxes[0].mean(axis=0) == pytest.approx((256 - 60, 256 - 70), abs=1)
    assert photos["dim"].boxes[0].mean(axis=0) == pytest.approx((60, 70), abs=1)
    for width in (22, 17, 13):
        box = photos[f"tiles of {width} px"].boxes[0]
        assert np.ptp(box, axis=0).min() == pytest.approx(width, rel=0.05)


def test_troubles_are_what_they_are_called(written: Path) -> None:
    seen = {
        photo.group: cv2.imread(str(photo.path)).astype(float)
        for photo in load_photos(written / "one", "few")
    }
    steepest = {trouble: np.abs(np.diff(picture, axis=1)).max() for trouble, picture in seen.items()}
    assert seen["dim"].mean() < 0.3 * seen["upside down"].mean()
    blue, _, red = seen["lamplight"].mean(axis=(0, 1))
    assert blue < 0.6 * red
    assert steepest["out of focus"] < steepest["soft"] < steepest["upside down"]
    assert steepest["shaken"] < steepest["upside down"]
    uneven = {trouble: np.abs(np.diff(picture, axis=1)).mean() for trouble, picture in seen.items()}
    assert uneven["denoised"] < uneven["upside down"] < uneven["sharpened"]


def test_the_same_seed_gives_the_same_files(written: Path) -> None:
    for path in sorted((written / "one").rglob("*.*")):
        assert path.read_bytes() == (written / "again" / path.relative_to(written / "one")).read_bytes()


def test_a_trouble_may_be_had_alone(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ["--trouble", "sharpened", "--trouble", "tiles of 17 px"]
    arguments = ["--data", str(written / "data"), "--split", "few", "--out", str(written / "alone"), *chosen]
    monkeypatch.setattr("sys.argv", ["worsen", *arguments])
    worsen.main()
    photos = load_photos(written / "alone", "few")
    assert [photo.group for photo in photos] == ["sharpened", "tiles of 17 px"]


def test_the_photos_themselves_are_not_written_over(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = written / "data"
    old = (data / "photos" / "few.json").read_bytes()
    arguments = ["--data", str(data), "--split", "few", "--out", str(data / "photos" / "..")]
    monkeypatch.setattr("sys.argv", ["worsen", *arguments])
    with pytest.raises(SystemExit):
        worsen.main()
    assert "would be written over the photos: name another folder" in capsys.readouterr().err
    assert (data / "photos" / "few.json").read_bytes() == old


def test_another_light_is_seeded_and_as_large() -> None:
    picture = marked(quad_at(100, 100)[None])
    dimmest, tints = 1.0, set()
    for seed in range(40):
        lit = relight(np.random.default_rng(seed), picture)
        assert lit.shape == picture.shape
        assert lit.dtype == np.uint8
        assert np.array_equal(lit, relight(np.random.default_rng(seed), picture))
        blue, _, red = lit.mean(axis=(0, 1))
        dimmest = min(dimmest, lit.mean() / picture.mean())
        tints.add("warm" if red > 1.3 * blue else "cool" if blue > 1.3 * red else "neutral")
    assert dimmest < 0.3
    assert tints == {"warm", "cool", "neutral"}
