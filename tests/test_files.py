"""Files are written whole or not at all, whoever else writes and wherever a link leads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.files import lock, write_whole
from tests.programs import started


def held(folder: Path) -> Iterator[str]:
    return (path.name for path in folder.iterdir())


def test_writers_at_the_same_time_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "hand.json"
    contents = [bytes([writer]) * 100_000 for writer in range(8)] * 8
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda content: write_whole(path, content), contents))
    assert path.read_bytes() in contents
    assert list(held(tmp_path)) == ["hand.json"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path, there: bool) -> None:
    kept, link = tmp_path / "synced" / "hand.json", tmp_path / "data" / "hand.json"
    link.parent.mkdir()
    link.symlink_to(Path("..", "synced", "hand.json"))
    if there:
        write_whole(kept, b"old")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert kept.read_bytes() == b"new"
    assert list(held(kept.parent)) == list(held(link.parent)) == ["hand.json"]


def test_a_folder_that_cannot_be_made_and_one_in_the_place_of_the_file_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "hand.json", tmp_path / "folder"):
        with pytest.raises(OSError, match=r"File exists|Not a directory|Is a directory"):
            write_whole(path, b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert sorted(held(tmp_path)) == ["file", "folder"]


def test_interrupted_writer_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "hand.json"
    write_whole(path, b"old")
    monkeypatch.setattr("os.fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(held(tmp_path)) == ["hand.json"]


HOLD = """
import sys
from pathlib import Path
from companion.files import lock
held = lock(Path(sys.argv[1]))
print(held is not None, flush=True)
sys.stdin.read()
"""


def test_a_lock_is_held_by_one_and_free_when_its_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "session.lock"
    with started(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "True\n"
        assert lock(path) is None
        other.kill()
        other.wait()
    held = lock(path)
    assert held is not None
    with held:
        assert lock(path) is None
    held.release()
    again = lock(path)
    assert again is not None
    again.release()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == b""


def test_a_program_that_was_started_by_the_holder_does_not_hold_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "session.lock"
    held = lock(path)
    assert held is not None
    with started(["sleep", "60"], close_fds=False):
        held.release()
        again = lock(path)
    assert again is not None
    again.release()


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder", "folder that is absent"])
def test_only_files_are_locks(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "session.lock"
    other = tmp_path / "precious"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "folder that is absent":
        path = other / "session.lock"
    else:
        if kind == "link":
            other.write_bytes(b"old")
        path.symlink_to(other)
    with pytest.raises(OSError, match=r"not a file|symbolic links|Is a directory|No such file"):
        lock(path)
    assert not other.exists() or other.read_bytes() == b"old"
