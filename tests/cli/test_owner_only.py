"""What may name players is readable by its owner only, whatever the umask."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion import config
from companion.app.pictures.feature import write_picture
from companion.files import make_folder, open_owner_only, write_whole
from companion.tiles import KINDS
from firmware_bridge.recording import Recorder
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

CODES = [tile.code for tile in KINDS]
TABLE = [CODES[0:9], CODES[9:18], CODES[18:27], CODES[27:34], CODES[34:42]]
PAID = '{"event": "points_moved", "points": [5, -5, 0, 0], "why": "陈 owed it"}\n'
UMASKS = [0o022, 0o000]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_to_others(paths: Iterable[Path]) -> list[str]:
    return [f"{mode(path):04o} {path}" for path in paths if mode(path) & 0o077]


@pytest.fixture(params=UMASKS, ids=lambda umask: f"umask {umask:03o}")
def umask(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def with_umask(umask: int) -> Iterable[None]:
    before = os.umask(umask)
    yield
    os.umask(before)


@pytest.mark.usefixtures("with_umask")
def test_nothing_that_is_kept_or_exported_can_be_read_by_others(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def companion(*arguments: object, stdin: str = "") -> None:
        assert call(*arguments, stdin=stdin.encode()).status == 0, arguments

    data, exported = tmp_path / "share" / "data", tmp_path / "exported"
    exported.mkdir()
    monkeypatch.setenv("COMPANION_DATA", str(data))
    players = [part for name in ("Ann", "Bo", "陈", "Dee") for part in ("--player", name)]
    table = tmp_path / "table.png"
    assert cv2.imwrite(str(table), render_hand(TABLE, seed=1, width=1280, height=1280).image)

    companion("rules", "hefei", "--option", "win_row=0", "--save", "home")
    companion("games", "begin", "friday", "--rules", "hefei", *players)
    companion("games", "add", "friday", stdin=PAID)
    for form in ("log", "history", "csv"):
        companion("games", "export", "friday", "--as", form, "--to", exported / form)
    companion("games", "import", "saturday", exported / "history")
    companion("simulate", "--rules", "hefei", "--hands", 1, "--events", exported / "hands")
    companion("learn-set", "mine", table)

    kept = [data, *data.rglob("*")]
    names = {str(path.relative_to(data)) for path in kept}
    assert {"games/friday.game", "games/saturday.game", "profiles/home.json"} < names
    assert any(name.startswith("sets/mine") for name in names)
    assert open_to_others(kept) == []
    assert open_to_others(exported.rglob("*")) == []
    assert "陈" in (exported / "log").read_text()


@pytest.mark.usefixtures("with_umask")
def test_the_log_quotes_what_went_wrong_to_its_open_owner_only(
    call: object, monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("Ann")

    (own_data_folder / "log").mkdir(mode=0o755)
    (own_data_folder / "log" / "companion.log").write_text("before\n")
    monkeypatch.setattr("companion.cli.make_app", lambda _: fail)
    assert "RuntimeError" in call("rules").refused(3)  # type: ignore[operator]
    assert "Ann" in config.log_file().read_text()
    assert open_to_others([config.log_file(), config.log_file().parent, own_data_folder]) == []


@pytest.mark.usefixtures("with_umask")
def test_a_picture_taken_with_the_camera(tmp_path: Path) -> None:
    path = write_picture(render_hand([CODES[:3]]).image, tmp_path / "pictures")
    assert open_to_others([path, path.parent]) == []


@pytest.mark.usefixtures("with_umask")
def test_a_recording_of_a_device(tmp_path: Path) -> None:
    Recorder(tmp_path / "roll.rec", "/dev/ttyUSB0", 0).close()
    assert open_to_others([tmp_path / "roll.rec"]) == []


@pytest.mark.usefixtures("with_umask")
def test_a_file_is_narrow_from_its_first_byte_and_one_from_before_becomes_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        seen.extend(open_to_others(tmp_path.rglob("*")))
        real(descriptor)

    path = tmp_path / "kept" / "hand.json"
    monkeypatch.setattr("os.fsync", fsync)
    write_whole(path, b"new")
    path.chmod(0o664)
    monkeypatch.setattr("os.fsync", real)
    write_whole(path, b"newer")
    assert (seen, mode(path), mode(path.parent)) == ([], 0o600, 0o700)
    path.chmod(0o664)
    with open(path, "a", opener=open_owner_only) as file:
        assert mode(path) == 0o600
        file.write(json.dumps("Ann"))


def test_a_data_folder_from_before_becomes_narrow(own_data_folder: Path) -> None:
    for folder in (own_data_folder, own_data_folder / "games", own_data_folder / "profiles"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o2755)
    config.data_dir()
    assert mode(own_data_folder) == 0o2700


def test_a_folder_that_all_write_to_and_one_of_another_stay_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    assert make_folder(shared) == shared
    assert mode(shared) == 0o1777

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    theirs = tmp_path / "theirs"
    theirs.mkdir()
    theirs.chmod(0o755)
    monkeypatch.setattr("os.chmod", refuse)
    assert make_folder(theirs) == theirs
    write_whole(theirs / "hand.json", b"kept")
    with open(theirs / "hand.json", "ab", opener=open_owner_only) as file:
        file.write(b"all the same")


def test_a_device_is_no_file_of_ours() -> None:
    before = mode(Path("/dev/null"))
    with open("/dev/null", "w", opener=open_owner_only) as nowhere:
        nowhere.write("Ann")
    assert mode(Path("/dev/null")) == before
