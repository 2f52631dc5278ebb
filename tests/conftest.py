"""What all tests share: a data folder of their own, the labelled photos where they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or changes what the person running it keeps."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    return folder


@pytest.fixture(scope="session")
def tile_data() -> Path:
    """The folder of labelled photos; tests that need it are skipped only where it is absent."""
    folder = Path(os.environ.get("COMPANION_TILE_DATA", REPOSITORY.parent / "shared" / "tile-data"))
    if not (folder / "photos").is_dir():
        pytest.skip(f"no labelled photos in {folder}: COMPANION_TILE_DATA names their folder")
    return folder
