"""Has the C library give back what pictures took, once they are not used any more."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from pathlib import Path

MEMORY = Path("/proc/meminfo")

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""Of mallopt(3)."""
ARENAS = 2
"""By default there are eight to each core, and each keeps what its threads once took: 220 MB more after a
camera was started and stopped twelve times."""
LARGE_BYTES = 8 * 2**20
"""What is larger goes back at once. Pictures of 1920x1080 are smaller: to fetch their memory anew each time
would cost 10 ms a picture."""
SHORT = 0.15
"""Share of free memory below which the machine would start swapping."""
GIVE_BACK_S = 20.0
"""Seconds between calls of malloc_trim; returns about 60 MB in a followed game."""


def limit_kept_memory() -> None:
    """Call before threads are started. Does nothing where the C library has no such options."""
    try:
        choose = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    choose(M_ARENA_MAX, ARENAS)
    choose(M_MMAP_THRESHOLD, LARGE_BYTES)


def give_back() -> None:
    """Have memory that is free go back to the system, wherever it is; takes some milliseconds."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def is_memory_short() -> bool:
    """Whether the machine has little memory left. False where it does not say so."""
    try:
        known = dict(line.split(":", 1) for line in MEMORY.read_text().splitlines())
        available, total = (int(known[name].split()[0]) for name in ("MemAvailable", "MemTotal"))
    except (OSError, KeyError, ValueError):
        return False
    return available < SHORT * total
