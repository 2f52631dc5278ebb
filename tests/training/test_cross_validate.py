"""Each design is read by a program that none of its photos taught, on a schedule of a few batches. Needs
torch (extra `train`)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.config import models_dir
from lab.scenes.hand import render_hand
from models.training.pictures import label_scene, load_empty_pictures
from tests.training.collection import HAND, make_collection

torch = pytest.importorskip("torch")

from models.training import arguments, card, cross_validate  # noqa: E402
from models.training.drawn import DrawnPictures  # noqa: E402
from models.training.export import MANIFEST  # noqa: E402
from models.training.labels import LABELS  # noqa: E402
from models.training.nets import Reader  # noqa: E402
from models.training.train_reader import train_reader  # noqa: E402

pytestmark = pytest.mark.slow


class Trainings:
    """Which trainings there were: where each went, and how many photographed tiles taught it. After `last` of
    them the run is stopped."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.photographed: dict[str, int] = {}
        self.starts: dict[str, Path | None] = {}
        self.finished: list[str] = []
        self.weighed: list[Path | None] = []
        self.last = 99
        monkeypatch.setattr(cross_validate, "train_reader", self.train)
        monkeypatch.setattr(cross_validate, "finish", self.finish)
        monkeypatch.setattr(cross_validate, "draw_pictures", self.draw)
        monkeypatch.setattr(cross_validate, "draw_held_out", lambda *_: "tables")
        monkeypatch.setattr("models.training.train_reader.BATCH", 8)

    def train(self, sources: Any, photographed: tuple[float, Sequence[Any]], out: Path, **more: Any) -> Any:
        name = out.stem if out.parent.name == "work" else out.parent.name
        self.photographed[name] = len(photographed[1])
        self.starts[name] = more["start"]
        return train_reader(sources, photographed, out, **more)

    def finish(
        self,
        _finder: Any,
        _reader: Any,
        held_out: Any,
        data: Path,
        _work: Path,
        out: Path,
        _seed: int,
        weighed: Path | None,
    ) -> None:
        """Stands for minutes of calibration: the files are those in use."""
        assert data == out.parent / "others"
        assert (held_out == "tables") == (weighed is None), "tables are drawn to fit a weigher"
        self.weighed.append(weighed)
        if len(self.finished) == self.last:
            raise KeyboardInterrupt
        self.finished.append(out.parent.name)
        out.mkdir()
        for path in (*models_dir().glob("*.onnx"), models_dir() / MANIFEST):
            shutil.copy(path, out)

    def draw(self, data: Path, *_: Any) -> DrawnPictures:
        tables = [label_scene(render_hand(HAND, seed=50, width=800, height=320))]
        return DrawnPictures(tables, [], [], [], load_empty_pictures(data))


def run(
    data: Path, work: Path, monkeypatch: pytest.MonkeyPatch, *options: Path | str, share: str = "0.0001"
) -> None:
    given = ("cross_validate", "--data", data, "--work", work, "--share", share, *options)
    monkeypatch.setattr("sys.argv", [str(each) for each in given])
    monkeypatch.setattr(cross_validate, "require_drawings", lambda parser: None)
    cross_validate.main()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_collection(tmp_path_factory.mktemp("data"))


def test_each_design_is_left_out_once_and_a_stopped_run_goes_on(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    trainings = Trainings(monkeypatch)
    trainings.last = 1
    with pytest.raises(KeyboardInterrupt):
        run(data, work, monkeypatch)
    tiles = len(HAND[0]) + len(HAND[1])
    assert trainings.photographed == {"base": 0, "lettered": 2 * tiles, "wheels": 6 * tiles}
    assert trainings.finished == ["lettered"]

    trainings.last = 99
    trainings.photographed.clear()
    run(data, work, monkeypatch)
    assert set(trainings.photographed) == {"base", "wheels"}, "the base is only loaded again"
    assert trainings.finished == ["lettered", "wheels"]
    assert "of 220 faces found and named right" in capsys.readouterr().out

    result = json.loads((work / "cross-validation.json").read_text())
    assert {design: each["photos"] for design, each in result["groups"].items()} == {
        "lettered": 7,
        "wheels": 3,
    }
    assert result["faces"]["found"]["of"] == result["found"]["of"] == 10 * tiles
    assert result["found"]["right"] == sum(each["found"]["right"] for each in result["groups"].values()) > 200
    assert result["exact_photos"]["of"] == result["photos"] == 10
    taught = json.loads((work / "taught-two.json").read_text())
    assert {design: each["photos"] for design, each in taught["groups"].items()} == {"lettered": 5}

    trainings.photographed.clear()
    run(data, work, monkeypatch)
    assert trainings.photographed == {}
    monkeypatch.setattr(
        "sys.argv", ["card", str(work / "cross-validation.json"), str(work / "taught-two.json")]
    )
    card.main()
    assert "| cross-validation | taught-two |" in (printed := capsys.readouterr().out)
    assert "| lettered | 7 | " in printed


def test_a_base_and_a_weigher_that_are_given_are_kept(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    base, work, models = tmp_path / "given.pt", tmp_path / "work", models_dir()
    torch.save(Reader(len(LABELS)).state_dict(), base)
    trainings = Trainings(monkeypatch)
    run(data, work, monkeypatch, "--base", base, "--keep-weigher", models)
    assert set(trainings.photographed) == {"lettered", "wheels"}, "no base is trained"
    assert trainings.starts == {"lettered": base, "wheels": base}
    assert trainings.weighed == [models, models]

    torch.save(Reader(len(LABELS)).state_dict(), base)  # other weights under the same name
    with pytest.raises(SystemExit):
        run(data, work, monkeypatch, "--base", base, "--keep-weigher", models)
    assert "holds a run with other options" in capsys.readouterr().err


def test_a_base_that_holds_no_reader_is_refused_before_tables_are_drawn(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    base, trainings = tmp_path / "base.pt", Trainings(monkeypatch)
    base.write_bytes(b"no weights")
    with pytest.raises(SystemExit):
        run(data, tmp_path / "work", monkeypatch, "--base", base)
    assert "base.pt" in capsys.readouterr().err
    assert trainings.photographed == {}


def test_another_schedule_is_refused_where_one_has_begun(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trainings = Trainings(monkeypatch)
    trainings.last = 0
    with pytest.raises(KeyboardInterrupt):
        run(data, tmp_path / "work", monkeypatch)
    with pytest.raises(SystemExit):
        run(data, tmp_path / "work", monkeypatch, share="0.5")
    assert "holds a run with other options" in capsys.readouterr().err


def test_a_collection_without_designs_is_refused(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(data, other)
    labels = json.loads((data / "photos" / "train.json").read_text())
    labels["images"] = [image | {"group": "mine"} for image in labels["images"]]
    (other / "photos" / "train.json").write_text(json.dumps(labels))
    (other / "photos" / "dev-seen.json").unlink()
    with pytest.raises(SystemExit):
        run(other, tmp_path / "work", monkeypatch)
    assert "has photos of fewer than two known designs" in capsys.readouterr().err


def test_without_the_birds_that_tiles_are_drawn_with_nothing_is_trained(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arguments, "BIRDS_FOLDER", tmp_path / "birds")
    monkeypatch.setattr("sys.argv", ["cross_validate", "--data", str(data), "--work", str(tmp_path / "work")])
    with pytest.raises(SystemExit):
        cross_validate.main()
    assert "birds/*.png'" in capsys.readouterr().err
