"""How long the window has waited for a core of the processor, while others had all of them.

A frame takes that beyond its own work. Linux says so of each thread (proc(5), schedstat); elsewhere it is 0.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

TASKS = Path("/proc/self/task")
DRAWING = "llvmpipe"
"""How the threads of Mesa's driver are called that draw with the processor; a graphics card has none."""


def read_core_wait_s() -> float:
    """Seconds in all that the calling thread, or the threads that draw for it, were ready to run and did not:
    its own, and those of the thread that draws and waited longest. They draw while it waits for them."""
    drawing = [_read_wait_s(task) for task in _find_drawing()]
    return _read_wait_s(TASKS / str(threading.get_native_id())) + max(drawing, default=0.0)


@cache
def _find_drawing() -> tuple[Path, ...]:
    """They are there from the first frame to the last."""
    found = []
    with suppress(OSError):
        for task in TASKS.iterdir():
            with suppress(OSError):
                if (task / "comm").read_text().startswith(DRAWING):
                    found.append(task)
    return tuple(found)


def _read_wait_s(task: Path) -> float:
    try:
        return int((task / "schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0
