"""What all tests share: a data folder of their own, a display, the labelled photos where they are.

`make test` runs them in worker processes, each file in one of them. Each worker has a display and a temporary
folder of its own, and no more than one thread for each library that computes.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.programs import virtual_screen

if TYPE_CHECKING:
    from tests.cameras.fake_cameras import FakeCameras

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile(
    "any load", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any load")

REPOSITORY = Path(__file__).resolve().parents[1]
SCREEN = "1600x1400x24"
WINDOWS_BETWEEN, YOUNG_OF_A_WINDOW = 5, 50
"""After so many windows all objects are looked through for garbage, 75 MB each; the test of a window has so
many collections of young objects."""
MEMORY_DISK, MEMORY_DISK_BYTES = Path("/dev/shm"), 4 * 2**30
"""A file system in memory, and the free room that it must have to hold what the tests write."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1", "LP_NUM_THREADS": "1"}
"""For NumPy, OpenCV and Mesa's llvmpipe, which draws the window, with 0 threads at twice the price."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--hands", type=int, default=400, help="random hands that each rule set is compared on (400)"
    )
    parser.addoption(
        "--damage", type=int, default=60, help="damaged files that each test of damage tries (60)"
    )
    parser.addoption(
        "--power-failures", type=int, default=15, help="power failures that each test of them tries (15)"
    )
    parser.addoption(
        "--signals",
        type=int,
        default=3,
        help="signals to end that each test of them sends at some moment (3)",
    )
    parser.addoption(
        "--played-hands",
        type=int,
        default=1,
        help="played hands whose every state the coach's counts face (1)",
    )
    parser.addoption(
        "--looks", type=int, default=1, help="sizes and languages in which each page must fit (1 of 12)"
    )
    parser.addoption(
        "--roots", type=Path, help="install in fresh Debian systems, kept in this folder (as root; minutes)"
    )
    parser.addoption(
        "--endgames", type=int, default=6, help="endgames of each game that are enumerated whole (6)"
    )
    parser.addoption(
        "--simulated-hands",
        type=int,
        default=200,
        help="hands played at each ready-made table, whose wins are scored slowly too (200)",
    )


def pytest_configure(config: pytest.Config) -> None:
    # Kivy makes this folder when it is imported, by default in the home folder and for all workers at once.
    kivy_home = tempfile.mkdtemp(prefix="companion-tests-kivy-")
    config.add_cleanup(lambda: shutil.rmtree(kivy_home, ignore_errors=True))
    os.environ["KIVY_HOME"] = kivy_home
    if MEMORY_DISK.is_dir() and shutil.disk_usage(MEMORY_DISK).free >= MEMORY_DISK_BYTES:
        # A kept game waits for the disk at each entry. In memory that takes no time, on a busy machine too.
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_DISK))
    if is_worker(config):
        os.environ.update(ONE_THREAD)


@pytest.hookimpl(tryfirst=True)  # before the tests are chosen by their markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as long what `sampled` leaves out. Put slow files first, so that no worker ends alone with one."""
    taken: Counter[str] = Counter()
    for item in items:
        if sampled := item.get_closest_marker("sampled"):
            test = item.nodeid.partition("[")[0]
            taken[test] += 1
            if taken[test] > (sampled.args or (1,))[0]:
                item.add_marker(pytest.mark.long)
    if is_worker(config):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def is_worker(config: pytest.Config) -> bool:
    """Whether this process is one of several that share the tests."""
    return hasattr(config, "workerinput")


def pytest_collection_finish() -> None:
    """Looking through all objects for garbage takes half a second where thousands of tests are kept.

    What is there by now stays and is looked through no more; the rest seldom: a window is a hundred thousand
    objects, and looking through them after every test was a third of the time of the tests of the window.
    """
    if "kivy" in sys.modules:
        raise pytest.UsageError("a test module imports Kivy at its top: its window would have the wrong size")
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, WINDOWS_BETWEEN * YOUNG_OF_A_WINDOW)


@pytest.fixture(scope="session")
def played_hands(pytestconfig: pytest.Config) -> int:
    """How many played hands the coach's counts are held to, in every state."""
    number: int = pytestconfig.getoption("--played-hands")
    return number


@pytest.fixture(scope="session")
def looks(pytestconfig: pytest.Config) -> int:
    """In how many sizes and languages each page of the window must fit."""
    number: int = pytestconfig.getoption("--looks")
    return number


@pytest.fixture(scope="session")
def endgames(pytestconfig: pytest.Config) -> int:
    """How many small endgames of each game are enumerated whole."""
    number: int = pytestconfig.getoption("--endgames")
    return number


@pytest.fixture(scope="session")
def simulated_hands(pytestconfig: pytest.Config) -> int:
    """How many hands are played at each ready-made table, and each of their wins scored slowly too."""
    number: int = pytestconfig.getoption("--simulated-hands")
    return number


@pytest.fixture(scope="session")
def hands(pytestconfig: pytest.Config) -> int:
    """How many random hands the core is compared on with slow scorers and with other programs."""
    number: int = pytestconfig.getoption("--hands")
    return number


@pytest.fixture(scope="session")
def signals(pytestconfig: pytest.Config) -> int:
    """How many signals to end each test sends at random moments."""
    number: int = pytestconfig.getoption("--signals")
    return number


@pytest.fixture(scope="session")
def damage(pytestconfig: pytest.Config) -> int:
    """How many damaged files a test of damage tries, shared out among its kinds of file."""
    number: int = pytestconfig.getoption("--damage")
    return number


@pytest.fixture(scope="session")
def power_failures(pytestconfig: pytest.Config) -> int:
    """How many power failures a test of them tries."""
    number: int = pytestconfig.getoption("--power-failures")
    return number


@pytest.fixture(scope="session")
def strace_works() -> None:
    """strace is installed with the tests; those that need it are skipped only where the kernel forbids it."""
    from tests.privacy import strace

    assert shutil.which("strace"), "strace is missing: install the package strace"
    why_not = strace.why_not()
    if why_not:
        pytest.skip(f"strace cannot trace a process here, not even `true`: {why_not}")


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """As in a terminal: tests that run in the background have Ctrl-C ignored, and so would all they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def one_thread_per_network(pytestconfig: pytest.Config) -> Iterator[None]:
    """In a worker the networks run on one thread, where nothing else is asked for."""
    if not is_worker(pytestconfig):
        yield
        return
    from companion.vision import networks

    start = networks.start_session
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            networks, "start_session", lambda content, threads, *how: start(content, threads or 1, *how)
        )
        yield


@pytest.fixture(scope="session")
def run_folder(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of the whole run, which its workers share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if is_worker(pytestconfig) else own


@pytest.fixture
def fake_cameras(run_folder: Path, tmp_path: Path) -> FakeCameras:
    """A computer without cameras, into which a test plugs some; for programs that are started with its
    `env`."""
    from tests.cameras.fake_cameras import FakeCameras, build_library

    return FakeCameras(tmp_path / "cameras", build_library(run_folder))


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
def display() -> Iterator[None]:
    """A display: the one there is, or a virtual one.

    Drawn in software, so that pixels are the same everywhere.
    """
    os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
    if os.environ.get("DISPLAY"):
        yield
        return
    assert shutil.which("Xvfb"), "Xvfb is missing: install the package xvfb, or set DISPLAY"
    with virtual_screen(SCREEN) as (os.environ["DISPLAY"], _):
        yield
        del os.environ["DISPLAY"]


@pytest.fixture(scope="session")
def tile_data() -> Path:
    """The folder of labelled photos; tests that need it are skipped only where it is absent."""
    folder = Path(os.environ.get("COMPANION_TILE_DATA", REPOSITORY.parent / "shared" / "tile-data"))
    if not (folder / "photos").is_dir():
        pytest.skip(f"no labelled photos in {folder}: COMPANION_TILE_DATA names their folder")
    return folder


@pytest.fixture
def font_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only folder in which fonts are installed, empty."""
    from tests.made_fonts import forget_fonts

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "share" / "fonts"
    folder.mkdir(parents=True)
    forget_fonts()
    yield folder
    forget_fonts()
