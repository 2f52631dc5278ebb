"""Where games lie, and under which names."""

from __future__ import annotations

from pathlib import Path

import pytest
from sums import begin, resume

from companion.errors import GameFileError, InputError
from companion.game import shelf


def test_games_lie_in_the_users_data_folder(own_data_folder: Path) -> None:
    assert shelf.names() == []
    for name in ("friday", "星期五", "a-b_c"):
        begin(shelf.path_of(name)).close()
    (own_data_folder / "games" / "no;name.game").write_text("other")
    (own_data_folder / "games" / "notes.txt").write_text("other")
    assert shelf.names() == ["a-b_c", "friday", "星期五"]
    assert shelf.path_of("friday") == own_data_folder / "games" / "friday.game"
    with resume(shelf.path_of("星期五")) as game:
        assert game.file.path.parent == own_data_folder / "games"
        assert shelf.names() == ["a-b_c", "friday", "星期五"]


@pytest.mark.parametrize("name", ["", "../friday", "a/b", "-", " a", "a" * 61, "friday.game", "\n"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(InputError, match="cannot be the name of a game: "):
        shelf.path_of(name)


def test_a_data_folder_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "file"))
    with pytest.raises(GameFileError, match=r"^Nothing can be written to"):
        shelf.names()
