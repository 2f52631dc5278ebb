"""A folder in which nobody can write, root neither."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """For root by a read-only mount, for anybody else by the rights of the folder."""
    if os.geteuid():
        folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        for each in folders:
            each.chmod(0o500)
        yield
        for each in folders:
            each.chmod(0o700)
        return
    done = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"root cannot mount here: {done.stderr.strip()}")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
