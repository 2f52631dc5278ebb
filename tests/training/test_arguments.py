"""A command of training that is called with a folder it cannot use leaves with one sentence that names it."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from models.training import render

COMMANDS = {
    "worsen": ("--split", "few", "--out", "{folder}/out", "--data", "{folder}/none"),
    "render": ("--out", "{folder}/out"),
    "card": ("{folder}/none",),
    "birds": ("{folder}/none",),
    "handwriting": ("{folder}/none",),
    "cross_validate": ("--data", "{folder}/none", "--work", "{folder}/work"),
}
PACKAGES = {"birds": "resvg_py", "handwriting": "fontTools", "cross_validate": "torch"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_missing_file_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name])
    monkeypatch.setattr(render, "HANDS_FOLDER", tmp_path / "none")
    monkeypatch.setattr("sys.argv", [name, *(word.format(folder=tmp_path) for word in COMMANDS[name])])
    with pytest.raises(SystemExit) as left:
        importlib.import_module(f"models.training.{name}").main()
    assert left.value.code == 2
    assert f"error: there is no '{tmp_path}/none" in capsys.readouterr().err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "said"), [(("--seed", "-1"), "at least 0, not -1"), (("--pictures", "0"), "at least 1, not 0")]
)
def test_a_number_that_cannot_be_is_refused(
    given: tuple[str, str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["render", "--out", "nowhere", *given])
    with pytest.raises(SystemExit) as left:
        render.main()
    assert left.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
