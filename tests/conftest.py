"""What all tests share: a data folder of their own, the labelled photos where they are."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--hands", type=int, default=1000, help="random hands that each rule set is compared on (1000)"
    )


@pytest.fixture(scope="session")
def hands(pytestconfig: pytest.Config) -> int:
    """How many random hands the core is compared on with slow scorers and with other programs."""
    number: int = pytestconfig.getoption("--hands")
    return number


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """As in a terminal: tests that run in the background have Ctrl-C ignored, and so would all they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
