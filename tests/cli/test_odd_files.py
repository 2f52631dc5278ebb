"""Odd things where a file should be, named by the user or in the data folder: one sentence, and no wait."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.app.shell import session
from companion.config import models_dir
from companion.photo_hand.draft import WinDraft
from tests.odd_files import NESTED, ODD, identity

WIN = ("--hand", "234567m88m345p678s", "--winning-tile", "8s", "--winner", "1", "--from", "2")
PATIENCE_S = 60
REASONS = ("not a file", "Is a directory", "does not exist", "symbolic links", "far too large")

NAMED: dict[str, Callable[[Path], tuple[object, ...]]] = {
    "request": lambda path: ("score", "--request", path),
    "batch": lambda path: ("score", "--batch", path),
    "profile": lambda path: ("score", "--profile", path, *WIN),
    "log": lambda path: ("replay", path),
    "history": lambda path: ("games", "import", "friday", path),
    "table": lambda path: ("games", "import", "friday", path, "--rules", "hefei"),
    "recording": lambda path: ("devices", "replay", path, "--speed", "0"),
    "picture": lambda path: ("read", path),
    "tiles": lambda path: ("learn-set", "home", path),
    "port": lambda path: ("devices", "watch", path, "--seconds", "0.1"),
}
"""Commands with a file that the user names."""
KEPT: dict[str, tuple[str, tuple[str, ...]]] = {
    "profile": ("profiles/home.json", ("score", "--profile", "home", *WIN)),
    "set": ("sets/home.tiles", ("read", "hand.png", "--set", "home")),
}
"""Files of the data folder, and a command that needs them."""


@pytest.fixture(autouse=True)
def no_patience() -> Iterator[None]:
    """A command that waits for another program is stopped, and fails."""

    def stop(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hand_picture: Path) -> Path:
    """The current folder, with a picture in it."""
    shutil.copy(hand_picture, tmp_path / "hand.png")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("command", NAMED)
def test_odd_file_named_by_the_user_is_refused(call: Any, tmp_path: Path, command: str, kind: str) -> None:
    path = tmp_path / "odd.json"
    ODD[kind](path)
    before = identity(path)
    run = call(*NAMED[command](path))
    assert run.status in (2, 3), run
    assert str(path) in run.refused(run.status)
    assert "Something inside" not in run.err
    assert identity(path) == before


@pytest.mark.slow
@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("what", KEPT)
def test_odd_file_in_the_data_folder_is_refused_and_stays(
    call: Any, own_data_folder: Path, here: Path, what: str, kind: str
) -> None:
    name, command = KEPT[what]
    path = own_data_folder / name
    path.parent.mkdir()
    ODD[kind](path)
    before = identity(path)
    complaint = call(*command).refused(2)
    assert str(path) in complaint
    assert any(reason in complaint for reason in REASONS)
    shown = " ".join(call("doctor", "--no-ask").out.split())
    assert "damaged" in shown
    assert identity(path) == before


@pytest.mark.parametrize("content", NESTED.values(), ids=NESTED)
def test_deep_nesting_is_refused(call: Any, own_data_folder: Path, tmp_path: Path, content: bytes) -> None:
    profile = own_data_folder / "profiles" / "home.json"
    profile.parent.mkdir()
    profile.write_bytes(content)
    assert str(profile) in call("score", "--profile", "home", *WIN).refused(2)
    for command in (
        ("score", "--request"),
        ("replay",),
        ("games", "import", "friday"),
        ("devices", "replay"),
    ):
        assert "Something inside" not in call(*command, profile).refused(2)
    labels = tmp_path / "photos" / "val.json"
    labels.parent.mkdir()
    labels.write_bytes(content)
    assert str(labels) in call("bench", "vision", "--data", tmp_path, "--split", "val").refused(2)


@pytest.mark.parametrize("kind", ODD)
def test_the_doctor_names_a_hand_that_the_window_will_set_aside(
    call: Any, own_data_folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.ports.list_serial_ports", tuple)
    session.save(session.path_of(own_data_folder, 2), session.Session(parts={"score_photo": WinDraft()}))
    path = session.path_of(own_data_folder, 1)
    ODD[kind](path)
    document = call("doctor", "--no-ask", "--json").document
    (kept,) = (each for each in document["checks"] if each["what"] == "kept files")
    assert not kept["ok"]
    assert kept["to_do"].startswith(f"The saved hand '{path}' cannot be used (")
    assert os.path.lexists(path)


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
def test_odd_file_is_not_reported_as_missing(call: Any, here: Path, kind: str) -> None:
    ODD[kind](here / "odd.png")
    assert "is not a file: save the picture as a file first" in call("read", "odd.png").refused(2)


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "device", "link to itself"])
def test_nothing_is_written_over_what_is_not_a_file(call: Any, here: Path, kind: str) -> None:
    ODD[kind](here / "drawn.png")
    run = call("read", "hand.png", "--annotate", "drawn.png")
    assert run.status == 2
    assert "drawn.png" in run.complaint


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "device"])
def test_a_log_file_that_is_none_stops_nothing(
    call: Any, own_data_folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    (own_data_folder / "log").mkdir()
    ODD[kind](own_data_folder / "log" / "companion.log")
    monkeypatch.setattr(cli, "make_app", lambda _: fail)
    assert "could not be written to a log file" in call("score").refused(3)


def test_a_shell_may_give_what_a_command_prints_in_place_of_a_file(tmp_path: Path) -> None:
    request = {
        "rules": "hefei", "hand": "234567m88m345p678s", "winning_tile": "8s", "winner": 1, "from": 2,
        "source": "discard",
    }  # fmt: skip
    command = f"{sys.executable} -m companion score --json --request <(echo '{json.dumps(request)}')"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["value"] == 15


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the models."""
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("manifest.json", "finder.onnx", "reader.onnx"):
        shutil.copy(models_dir() / name, folder)
    monkeypatch.setenv("COMPANION_MODELS", str(folder))
    return folder


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["manifest.json", "reader.onnx"])
def test_a_model_file_that_is_none_is_refused(
    call: Any, models: Path, here: Path, name: str, kind: str
) -> None:
    (models / name).unlink()
    ODD[kind](models / name)
    complaint = call("read", "hand.png").refused(3)
    assert f"The model file '{models / name}' cannot be used: " in complaint
    assert any(reason in complaint for reason in REASONS)


def changed(manifest: dict[str, Any], place: str, value: object) -> dict[str, Any]:
    *parents, key = place.split(".")
    part = manifest
    for parent in parents:
        part = part[parent]
    if value is None:
        del part[key]
    else:
        part[key] = value
    return manifest


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("version", 1),
        ("version", "2"),
        ("version", None),
        ("finder", []),
        ("finder", None),
        ("reader.sha256", 5),
        ("reader.file", None),
        ("reader.file", ""),
        ("reader.file", "."),
        ("reader.file", "reader\0.onnx"),
        ("reader.file", "/etc/passwd"),
        ("reader.file", "../models/reader.onnx"),
        ("reader.file", "r" * 5000),
        ("temperature", 0),
        ("temperature", -1),
        ("temperature", 1e-300),
        ("temperature", 1e300),
        ("temperature", float("nan")),
        ("temperature", float("inf")),
        ("temperature", "warm"),
        ("temperature", None),
        ("weigher", None),
        ("weigher.file", "../models/weigher.onnx"),
    ],
)
def test_a_manifest_that_cannot_be_true_is_refused(
    call: Any, models: Path, here: Path, place: str, value: object
) -> None:
    path = models / "manifest.json"
    path.write_text(json.dumps(changed(json.loads(path.read_bytes()), place, value)))
    complaint = call("read", "hand.png").refused(3)
    assert f"The model file '{path}' cannot be used: " in complaint
    assert len(complaint) < 600


@pytest.mark.parametrize(
    "content", [*NESTED.values(), b"", b"null", b"\xff", b'{"version": 1e999}'], ids=repr
)
def test_a_manifest_that_is_no_manifest_is_refused(
    call: Any, models: Path, here: Path, content: bytes
) -> None:
    (models / "manifest.json").write_bytes(content)
    assert "cannot be used: " in call("read", "hand.png").refused(3)


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "other", "manifested cut", "manifested other"])
def test_a_network_that_is_not_the_one_of_the_manifest_is_refused(
    call: Any, models: Path, here: Path, damage: str
) -> None:
    from hashlib import sha256

    path = models / "reader.onnx"
    content = path.read_bytes()
    match damage.removeprefix("manifested "):
        case "missing":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(content[: len(content) // 2])
        case "other":
            shutil.copy(models / "finder.onnx", path)
    if damage.startswith("manifested"):
        manifest = json.loads((models / "manifest.json").read_bytes())
        changed(manifest, "reader.sha256", sha256(path.read_bytes()).hexdigest())
        (models / "manifest.json").write_text(json.dumps(manifest))
    complaint = call("read", "hand.png").refused(3)
    assert f"The model file '{path}' " in complaint
    assert "nstall the program again" in complaint
