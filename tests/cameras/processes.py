"""The processes of captures: those that this test process, or another one, has started."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

LIMIT_S = 20.0


def list_captures(parent: int | None = None) -> list[int]:
    """The ids of its children that capture; of this process where none is named."""
    parent = os.getpid() if parent is None else parent
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            pid, fields = int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
            if int(fields[1]) == parent and b"capture" in command:
                found.append(pid)
    return found


def is_running(pid: int) -> bool:
    """Whether it is there, and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(*pids: int) -> None:
    """Until those have ended, or all that this process has started. Fails where one stays."""
    end = time.monotonic() + LIMIT_S
    while any(map(is_running, pids or list_captures())):
        assert time.monotonic() < end, "a capture is left behind"
        time.sleep(0.02)
