"""A training that is stopped goes on where it was. Needs torch (extra `train`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import InputError
from companion.files import write_whole
from tests.training.marked import label_picture, marked, quad_at

torch = pytest.importorskip("torch")

from models.training import __main__ as command  # noqa: E402
from models.training import arguments, training_run  # noqa: E402
from models.training.export import write_weights  # noqa: E402
from models.training.labels import LABELS  # noqa: E402
from models.training.nets import Finder, Reader  # noqa: E402
from models.training.training_run import TrainingRun  # noqa: E402

STEPS = 12


def net() -> torch.nn.Linear:
    torch.manual_seed(3)
    return torch.nn.Linear(4, 1)


def walked(out: Path, upto: int) -> TrainingRun[torch.nn.Linear]:
    """A course of STEPS steps towards a fixed target, walked from where it stands up to a step."""
    way = TrainingRun(net(), out, steps=STEPS, rate=0.05, decay=0.01, average=0.7, start=None)
    for step in range(way.done, upto):
        given = torch.full((8, 4), float(step % 5))
        way.learn((way.net(given) - 1).square().mean(), 8, {"loss": 0.0})
    return way


def test_a_stopped_training_ends_where_one_without_a_stop_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_run, "SAVE_EVERY", 3)
    whole = walked(tmp_path / "whole.pt", STEPS)
    walked(tmp_path / "stopped.pt", 8)
    assert not (tmp_path / "stopped.pt").exists()
    resumed = walked(tmp_path / "stopped.pt", 8)
    assert resumed.done == 8, "steps 7 and 8 are walked again from what was kept at 6"
    resumed = walked(tmp_path / "stopped.pt", STEPS)
    assert torch.equal(resumed.mean.weight, whole.mean.weight)
    assert torch.equal(torch.load(tmp_path / "stopped.pt")["weight"], whole.mean.weight)


def test_a_training_that_is_over_learns_no_more(tmp_path: Path) -> None:
    over = walked(tmp_path / "net.pt", STEPS)
    again = walked(tmp_path / "net.pt", STEPS)
    assert again.done == STEPS
    assert torch.equal(again.mean.weight, over.mean.weight)


def test_the_weights_to_start_from_are_those_of_a_training_that_is_over(tmp_path: Path) -> None:
    over = walked(tmp_path / "net.pt", STEPS)
    way = TrainingRun(
        torch.nn.Linear(4, 1), tmp_path / "next.pt", steps=STEPS, rate=0.05, decay=0.0, average=0.7,
        start=tmp_path / "net.pt",
    )  # fmt: skip
    assert way.done == 0
    assert torch.equal(way.net.weight, over.mean.weight)


def test_the_weights_that_are_written_are_gone_on_from_to_three_places(tmp_path: Path) -> None:
    written = Finder(), Reader(44)
    write_weights(*written, tmp_path / "weights")
    for name, net, fresh in zip(("finder", "reader"), written, (Finder(), Reader(44)), strict=True):
        start = tmp_path / "weights" / f"{name}.pt"
        TrainingRun(fresh, tmp_path / "net.pt", steps=STEPS, rate=0.1, decay=0.0, average=0.7, start=start)
        for key, value in fresh.state_dict().items():
            assert value.dtype == net.state_dict()[key].dtype
            torch.testing.assert_close(value, net.state_dict()[key], rtol=1e-3, atol=1e-6)


def test_existing_results_are_not_rebuilt(tmp_path: Path) -> None:
    quads = quad_at(120, 120, angle=0.5)[None]
    made = [label_picture(marked(quads), quads, ("1m",))]
    first = command.make_once(tmp_path / "tables.pkl", lambda: made)
    again = command.make_once(tmp_path / "tables.pkl", lambda: pytest.fail("made again"))
    assert first[0].codes == again[0].codes == ("1m",)
    assert np.array_equal(again[0].for_finder.quads, made[0].for_finder.quads)


def test_a_training_stopped_while_its_end_is_saved_is_ended_when_it_is_called_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_run, "SAVE_EVERY", 5)
    kept = 0

    def stopped(path: Path, content: bytes) -> None:
        nonlocal kept
        kept += 1
        if kept == 4:  # after the parts at 5 and 10, and the first of two files at the end
            raise KeyboardInterrupt
        write_whole(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(training_run, "write_whole", stopped)
        with pytest.raises(KeyboardInterrupt):
            walked(tmp_path / "net.pt", STEPS)
    ended = walked(tmp_path / "net.pt", STEPS)
    assert torch.equal(torch.load(tmp_path / "net.pt")["weight"], ended.mean.weight)


UNUSABLE = r"' is damaged or of another version of the program: remove it, and it is made anew\.$"


@pytest.mark.parametrize("content", [b"", b"no pickle", None], ids=["empty", "other", "short"])
def test_damaged_files_of_a_stopped_training_are_named(tmp_path: Path, content: bytes | None) -> None:
    walked(tmp_path / "net.pt", STEPS)
    command.make_once(tmp_path / "tables.pkl", lambda: ["table"])
    for path in (tmp_path / "net.part", tmp_path / "tables.pkl"):
        path.write_bytes(path.read_bytes()[:-9] if content is None else content)
    with pytest.raises(InputError, match="net.part" + UNUSABLE):
        walked(tmp_path / "net.pt", STEPS)
    with pytest.raises(InputError, match="tables.pkl" + UNUSABLE):
        command.make_once(tmp_path / "tables.pkl", lambda: ["table"])


Call = Callable[..., str]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """The command with the options given, which trains nothing: gives what it refuses, or nothing."""
    (tmp_path / "data" / "photos").mkdir(parents=True)
    (tmp_path / "data" / "photos" / "train.json").write_text("{}")
    for name in ("crops/labels.csv", "backgrounds/cloth/1.jpg", "art/set/png/1m.png", "birds/dove.png"):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True)
        path.touch()
    monkeypatch.setattr(arguments, "BIRDS_FOLDER", tmp_path / "data" / "birds")
    monkeypatch.setattr(arguments, "list_missing_fonts", list)
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "finder.pt").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "train", lambda *_: None)

    def called(**options: str) -> str:
        asked = {"data": "data", "work": "work"} | options
        words = [
            word
            for name, value in asked.items()
            for word in (f"--{name.replace('_', '-')}", *([value] if value else []))
        ]
        monkeypatch.setattr("sys.argv", ["training", *words])
        with contextlib.suppress(SystemExit):
            command.main()
        return capsys.readouterr().err

    return called


def test_a_folder_that_holds_another_training_is_refused(call: Call) -> None:
    assert call(share="0.5") == call(share="0.5") == ""
    other = "'work' holds a training with other options: name another --work"
    assert other in call(share="0.25")
    assert call(share="0.25", work="another") == ""


def test_missing_file_is_named_and_the_next_call_works(call: Call) -> None:
    assert "there is no 'dta/photos/train.json'" in call(data="dta")
    assert "there is no 'start/reader.pt'" in call(start="start")
    Path("start", "reader.pt").touch()
    assert "'start/finder.pt' holds no weights that this version" in call(start="start")
    write_weights(Finder(), Reader(len(LABELS)), Path("start"))
    assert call(start="start") == ""


def test_a_reader_alone_needs_weights_to_go_on_from(call: Call) -> None:
    assert "--refine-reader needs --start" in call(refine_reader="")


def test_a_reader_alone_goes_on_from_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_weights(Finder(), Reader(len(LABELS)), tmp_path)
    trained: list[dict[str, Any]] = []
    monkeypatch.setattr(command, "draw_pictures", lambda *_: None)
    monkeypatch.setattr(command, "load_training_photos", lambda _: [])
    finders: list[Finder] = []  # that tiles are cut with: once, however often the training is called
    monkeypatch.setattr(command, "list_reader_sources", lambda _, finder, *__: finders.append(finder) or [])
    monkeypatch.setattr(command, "train_finder", lambda *_, **__: pytest.fail("a finder was trained"))
    monkeypatch.setattr(command, "train_reader", lambda *_, **given: trained.append(given))
    course = command.Course(Path("data"), tmp_path, 0.01, tmp_path, True, 7)
    for _ in ("stopped", "gone on with"):
        command.train(course)
    (finder,) = finders
    assert trained[0]["rate"] == command.RATE_REFINED
    assert trained[0]["start"] == tmp_path / "reader.pt"
    kept = torch.load(tmp_path / "finder.pt", weights_only=True)
    used = finder.state_dict()
    assert all(
        torch.equal(used[key].half(), weight) for key, weight in kept.items() if weight.is_floating_point()
    )


@pytest.mark.parametrize("name", ["crops/labels.csv", "backgrounds/*/*.jpg", "art/*/png/*.png"])
def test_each_part_of_the_collection_is_asked_for(call: Call, name: str) -> None:
    (there,) = Path("data").glob(name)
    there.unlink()
    assert f"there is no 'data/{name}'" in call()
    there.touch()
    assert call() == ""


def test_without_the_birds_or_the_fonts_that_tiles_are_drawn_with_nothing_is_trained(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "list_missing_fonts", lambda: ["ukai.ttc", "yomogi.ttf"])
    refusal = "these fonts are not installed (companion/art/LICENCES.md): ukai.ttc, yomogi.ttf"
    assert refusal in call()
    Path("data", "birds", "dove.png").unlink()
    assert "birds/*.png'" in call()


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    torch.save({"other": torch.zeros(3)}, tmp_path / "start.pt")
    with pytest.raises(InputError, match=r"start\.pt' holds no weights that this version"):
        TrainingRun(
            net(), tmp_path / "net.pt", steps=STEPS, rate=0.1, decay=0.0, average=0.7,
            start=tmp_path / "start.pt",
        )  # fmt: skip


def test_a_damaged_file_ends_the_command_with_a_sentence(call: Call) -> None:
    assert call() == ""
    Path("work", "asked.pkl").write_bytes(b"no pickle")
    assert "'work/asked.pkl' is damaged" in call()
