"""Files are written whole or not at all, whoever else writes and wherever a link leads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.files import write_whole


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


def test_a_folder_that_cannot_be_made_and_one_in_the_place_of_the_file_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "hand.json", tmp_path / "folder"):
        with pytest.raises(OSError, match=r"File exists|Not a directory|Is a directory"):
            write_whole(path, b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert sorted(held(tmp_path)) == ["file", "folder"]


def test_what_stops_a_writer_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "hand.json"
    write_whole(path, b"old")
    monkeypatch.setattr("os.fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(held(tmp_path)) == ["hand.json"]
