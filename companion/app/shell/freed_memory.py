"""Makes the C library return the memory of unused pictures to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from pathlib import Path

MEMORY = Path("/proc/meminfo")

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""Parameters of mallopt(3)."""
ARENAS = 2
"""Maximum number of malloc arenas. By default there are eight per core, and each keeps what its threads once
used: 220 MB more after a camera was started and stopped twelve times."""
LARGE_BYTES = 8 * 2**20
"""Size from which freed blocks are returned to the system immediately. Pictures of 1920x1080 are smaller: to
allocate their memory again each time would cost 10 ms per picture."""
SHORT = 0.15
"""Share of free memory below which the machine would start swapping."""
GIVE_BACK_S = 5.0
"""Seconds between calls of malloc_trim; returns about 60 MB in a followed game."""
NO_FUNCTION = (AttributeError, OSError, TypeError)
"""Raised where the C library lacks a function; TypeError on Windows, which has no library without a name."""


def limit_kept_memory() -> None:
    """Call before threads are started. Does nothing if the C library has no such options."""
    try:
        choose = ctypes.CDLL(None).mallopt
    except NO_FUNCTION:
        return
    choose(M_ARENA_MAX, ARENAS)
    choose(M_MMAP_THRESHOLD, LARGE_BYTES)


def give_back() -> None:
    """Have memory that is free go back to the system, wherever it is; takes some milliseconds."""
    with suppress(*NO_FUNCTION):
        ctypes.CDLL(None).malloc_trim(0)


def is_memory_short() -> bool:
    """Whether the machine has little memory left. False if it does not say so."""
    try:
        known = dict(line.split(":", 1) for line in MEMORY.read_text().splitlines())
        available, total = (int(known[name].split()[0]) for name in ("MemAvailable", "MemTotal"))
    except (OSError, KeyError, ValueError):
        return False
    return available < SHORT * total
