"""Where the modules that these tests share lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.running.kept_places import KeptPlace

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "friday.game"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptPlace:
    """The place of a camera, in a data folder of its own."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return KeptPlace("/dev/video0")
