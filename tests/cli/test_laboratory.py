"""What the laboratory offers, in a source copy and without one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import companion
from tests.programs import LIMIT_S

PACKAGE = Path(companion.__file__).parent


def run(source: Path, folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=folder,
        env={"PATH": "", "HOME": str(folder), "PYTHONPATH": str(source), "COMPANION_DATA": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    return done.returncode, done.stdout, done.stderr


def test_an_installed_package_has_no_laboratory_and_says_so(tmp_path: Path) -> None:
    copytree(
        PACKAGE, tmp_path / "companion", ignore=ignore_patterns("__pycache__", "*.otf", "*.png", "*.jpg")
    )
    for command, arguments in (
        ("companion bench", ("bench", "rules", "--runs", "1")),
        ("companion simulate --video", ("simulate", "--rules", "hefei", "--video", "films")),
    ):
        status, out, err = run(tmp_path, tmp_path, *arguments)
        assert (status, out, err.count("\n")) == (3, "", 1)
        assert err.startswith(f"companion: {command} is only in the source copy")
    assert not (tmp_path / "films").exists()


def test_a_source_copy_lists_the_benchmarks(tmp_path: Path) -> None:
    status, out, err = run(PACKAGE.parent, tmp_path, "bench", "--help")
    assert (status, err) == (0, "")
    for name in ("vision", "rules", "table-video", "merge-coach", "evening"):
        assert f"  {name} " in out
