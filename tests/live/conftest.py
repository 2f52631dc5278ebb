"""What the tests of a running game share, and where their modules lie."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.running import RunningGame
from companion.live.table_watch import KeptPlace

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.with_name("game"))]
from watched_game import Table  # noqa: E402


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "friday.game"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptPlace:
    """The place of a camera, in a data folder of its own."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return KeptPlace("/dev/video0")


@pytest.fixture
def game() -> Iterator[RunningGame]:
    running = RunningGame()
    yield running
    running.close()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.game.close()
