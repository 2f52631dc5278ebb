"""Where the games of the tests lie."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.live.running import RunningGame

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home.game"


@pytest.fixture
def game() -> Iterator[RunningGame]:
    running = RunningGame()
    yield running
    running.close()
