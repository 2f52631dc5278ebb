"""The game into which a table is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InputError
from companion.live.followed_game import find_recording_key


def test_a_folder_of_pictures_that_cannot_be_read_gets_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError, match=r"cannot be used \(Permission denied\)"):
        find_recording_key(tmp_path)
