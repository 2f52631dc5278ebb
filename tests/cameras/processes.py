"""The processes of captures: those that this test process, or another one, has started."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

LIMIT_S = 60.0


def list_captures(data: Path | None = None) -> list[int]:
    """The ids of the capture processes of this process; or of all those of a program with that data folder,
    dead or alive.
    """
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            pid, fields = int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()
            if data is None:
                is_one = int(fields[1]) == os.getpid()
            else:
                is_one = f"COMPANION_DATA={data}".encode() in (folder / "environ").read_bytes().split(b"\0")
            if is_one and b"capture" in (folder / "cmdline").read_bytes():
                found.append(pid)
    return found


def is_running(pid: int) -> bool:
    """Whether the process runs, and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(*pids: int) -> None:
    """Wait until those have ended, or all that this process has started. Fails if one stays."""
    end = time.monotonic() + LIMIT_S
    while any(map(is_running, pids or list_captures())):
        assert time.monotonic() < end, "a capture is left behind"
        time.sleep(0.02)
