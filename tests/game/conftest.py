"""Where the games of the tests lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home.game"
