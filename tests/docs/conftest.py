"""A clone to run commands in, and what a shell of a person who follows the documents has."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from clone import Clone


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    return Clone(tmp_path_factory.mktemp("clone"))


@pytest.fixture
def environment(clone: Clone, display: None, tmp_path: Path) -> dict[str, str]:
    """A shell's, with a home and a data folder of their own and no display; the window alone gets one."""
    (tmp_path / "home").mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "LIBGL_ALWAYS_SOFTWARE", "COMPANION_DATA")}
    return kept | {
        "PATH": f"{clone.folder / '.venv' / 'bin'}:{kept['PATH']}",
        "PYTHONPATH": str(clone.folder),
        "HOME": str(tmp_path / "home"),
        "LANG": "C.UTF-8",
        "WINDOW_DISPLAY": os.environ["DISPLAY"],
        "WINDOW_PICTURE": str(tmp_path / "window.png"),
    }
