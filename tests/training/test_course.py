"""A course of training that is stopped goes on where it was. Needs torch (extra `train`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.training.marked import marked, quad_at, told

torch = pytest.importorskip("torch")

from models.training import __main__ as command  # noqa: E402
from models.training import course  # noqa: E402
from models.training.course import Course  # noqa: E402

STEPS = 12


def net() -> torch.nn.Linear:
    torch.manual_seed(3)
    return torch.nn.Linear(4, 1)


def walked(out: Path, upto: int) -> Course[torch.nn.Linear]:
    """A course of STEPS steps towards a fixed target, walked from where it stands up to a step."""
    way = Course(net(), out, steps=STEPS, rate=0.05, decay=0.01, average=0.7, start=None)
    for step in range(way.done, upto):
        given = torch.full((8, 4), float(step % 5))
        way.learn((way.net(given) - 1).square().mean(), 8, {"loss": 0.0})
    return way


def test_a_stopped_course_ends_where_one_without_a_stop_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course, "KEPT_EVERY", 3)
    whole = walked(tmp_path / "whole.pt", STEPS)
    walked(tmp_path / "stopped.pt", 8)
    assert not (tmp_path / "stopped.pt").exists()
    resumed = walked(tmp_path / "stopped.pt", 8)
    assert resumed.done == 8, "steps 7 and 8 are walked again from what was kept at 6"
    resumed = walked(tmp_path / "stopped.pt", STEPS)
    assert torch.equal(resumed.mean.weight, whole.mean.weight)
    assert torch.equal(torch.load(tmp_path / "stopped.pt")["weight"], whole.mean.weight)


def test_a_course_that_is_over_learns_no_more(tmp_path: Path) -> None:
    over = walked(tmp_path / "net.pt", STEPS)
    again = walked(tmp_path / "net.pt", STEPS)
    assert again.done == STEPS
    assert torch.equal(again.mean.weight, over.mean.weight)


def test_the_weights_to_start_from_are_those_of_a_course_that_is_over(tmp_path: Path) -> None:
    over = walked(tmp_path / "net.pt", STEPS)
    way = Course(
        torch.nn.Linear(4, 1), tmp_path / "next.pt", steps=STEPS, rate=0.05, decay=0.0, average=0.7,
        start=tmp_path / "net.pt",
    )  # fmt: skip
    assert way.done == 0
    assert torch.equal(way.net.weight, over.mean.weight)


def test_what_was_made_is_not_made_again(tmp_path: Path) -> None:
    quads = quad_at(120, 120, angle=0.5)[None]
    made = [told(marked(quads), quads, ("1m",))]
    first = command.kept(tmp_path / "tables.pkl", lambda: made)
    again = command.kept(tmp_path / "tables.pkl", lambda: pytest.fail("made again"))
    assert first[0].codes == again[0].codes == ("1m",)
    assert np.array_equal(again[0].labelled.quads, made[0].labelled.quads)


def test_a_folder_that_holds_another_training_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "train", lambda *_: None)

    def called(share: str) -> None:
        arguments = ["training", "--data", "d", "--work", str(tmp_path / "work"), "--out", str(tmp_path)]
        monkeypatch.setattr("sys.argv", [*arguments, "--share", share])
        command.main()

    called("0.5")
    called("0.5")
    with pytest.raises(SystemExit):
        called("0.25")
    assert "holds a training that was asked for otherwise: name another --work" in capsys.readouterr().err
