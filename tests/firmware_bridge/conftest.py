"""What the tests of the bridge share: the test vectors, and messages of every kind, made up by hypothesis."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware_bridge.boards import SOURCE

VECTORS = Path(__file__).resolve().parents[2] / "firmware_bridge" / "vectors.jsonl"


def vectors() -> list[dict[str, object]]:
    return [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def bad_line_messages() -> int:
    """How many messages go over a bad line on a pseudo-terminal; `companion bench link` sends 10 000."""
    return int(os.environ.get("BRIDGE_MESSAGES", "600"))


@pytest.fixture(scope="session")
def unplugs() -> int:
    """How often a cable is pulled out and plugged in again."""
    return int(os.environ.get("BRIDGE_UNPLUGS", "50"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with an argument `crc_vector`, `message_vector`, … runs once for each vector of that kind."""
    for name in metafunc.fixturenames:
        if name.endswith("_vector"):
            chosen = [each for each in vectors() if each["kind"] == name.removesuffix("_vector")]
            assert chosen, name
            metafunc.parametrize(name, chosen, ids=[str(each["name"]) for each in chosen])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test's device is."""
    return tmp_path / "device"


@pytest.fixture(scope="session")
def built(run_folder: Path) -> Path:
    """The folder of the built programs. Workers share it: the first one builds, the others find all made."""
    if not (shutil.which("gcc") and shutil.which("make")):
        pytest.skip(
            "no gcc or no make here: the C library cannot be built (apt-get install gcc libc6-dev make)"
        )
    folder = run_folder / "firmware"
    with open(run_folder / "firmware.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "-s", "-C", str(SOURCE), f"BUILD={folder}", "SANITIZE=1", "CFLAGS=-O1", "all", "tests"],
            env=os.environ | {"MAKEFLAGS": "-j2"},  # and not those of a make that runs the tests
            capture_output=True,
            text=True,
        )
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    return folder
