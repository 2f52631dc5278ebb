"""What all tests share: a data folder of their own, the labelled photos where they are."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--hands", type=int, default=1000, help="random hands that each rule set is compared on (1000)"
    )
    parser.addoption(
        "--damage", type=int, default=150, help="damaged files that each test of damage tries (150)"
    )


def pytest_collection_finish() -> None:
    """Looking through all objects for garbage takes half a second where thousands of tests are kept.

    What is there by now stays and is looked through no more; the rest less often: a window alone is tens of
    thousands of objects.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 100)


@pytest.fixture(scope="session")
def hands(pytestconfig: pytest.Config) -> int:
    """How many random hands the core is compared on with slow scorers and with other programs."""
    number: int = pytestconfig.getoption("--hands")
    return number


@pytest.fixture(scope="session")
def damage(pytestconfig: pytest.Config) -> int:
    """How many damaged files a test of damage tries, shared out among its kinds of file."""
    number: int = pytestconfig.getoption("--damage")
    return number


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """As in a terminal: tests that run in the background have Ctrl-C ignored, and so would all they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet; pytest finds a number for one of its own among all that are there."""
    parent = tmp_path_factory.mktemp("data")
    return (parent / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_data_folder(data_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or changes what the person running it keeps."""
    folder = next(data_folders)
    folder.mkdir()
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    return folder


@pytest.fixture(scope="session")
def tile_data() -> Path:
    """The folder of labelled photos; tests that need it are skipped only where it is absent."""
    folder = Path(os.environ.get("COMPANION_TILE_DATA", REPOSITORY.parent / "shared" / "tile-data"))
    if not (folder / "photos").is_dir():
        pytest.skip(f"no labelled photos in {folder}: COMPANION_TILE_DATA names their folder")
    return folder
