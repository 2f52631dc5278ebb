"""How the networks run quickest on this machine: measured once, kept in the data folder, used from then on.

Which is quickest depends on the processor: one without instructions for 8-bit products (Cortex-A72, in the
Raspberry Pi 4) gains less from 8 bits than one with them, and threads wait for each other.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from companion.board import read_model
from companion.config import data_dir, find_wanted_dir, models_dir
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.images import Image
from companion.vision.recogniser import Recogniser

FILE = "speed.json"
FILE_MAX_BYTES = 2**16
THREADS_MAX = 64
ROUNDS = 3  # after which a way that is hopeless is not measured again
HOPELESS = 1.5  # times as slow as the quickest, at its best
AS_QUICK = 1.05  # times the quickest, up to which fewer threads are preferred: the window wants some, too
PROCESSORS = Path("/proc/cpuinfo")


class Way(msgspec.Struct, frozen=True):
    """How the networks run: on n threads (0: one a core), in 8 bits, as they are stored, or in floats."""

    threads: Annotated[int, msgspec.Meta(ge=0, le=THREADS_MAX)] = 0
    floats: bool = False


class Kept(msgspec.Struct, frozen=True):
    """The file: the way that was the quickest, and on which processor."""

    processor: str
    way: Way


def load_recogniser() -> Recogniser:
    """The recogniser of the program's models, to run as is quickest here. Raises ModelError."""
    way = find_kept() or Way()
    return Recogniser(models_dir(), threads=way.threads, floats=way.floats)


def find_kept() -> Way | None:
    """What was measured on this processor; None where nothing was, or where the file cannot be used."""
    try:
        kept = decode_as(read_whole(find_wanted_dir() / FILE, FILE_MAX_BYTES), Kept)
    except (OSError, Undecodable):
        return None
    return kept.way if kept.processor == name_processor() else None


def keep(way: Way) -> None:
    """Use this way on this processor from now on. Raises OSError."""
    write_whole(data_dir() / FILE, msgspec.json.encode(Kept(name_processor(), way)))


def name_processor() -> str:
    """The board's name, or its processor's, with the number of cores."""
    return f"{read_model() or _read_processor() or platform.machine()}, {count_cores()} cores"


def _read_processor() -> str | None:
    try:
        lines = PROCESSORS.read_text(errors="replace").splitlines()
    except OSError:
        return None
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, None)


def count_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # only on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def list_ways(cores: int) -> tuple[Way, ...]:
    """Those worth trying on n cores: one, two and all of them, in 8 bits and in floats."""
    threads = sorted({1, min(2, cores), min(cores, THREADS_MAX)})
    return tuple(Way(n, floats) for floats in (False, True) for n in threads)


def measure(
    models: Path,
    picture: Image,
    ways: Iterable[Way],
    seconds: float,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[Way, float]:
    """The median time in s in which each way reads a (H, W, 3) uint8 BGR picture; the ways take turns, since
    other programs come and go. One round at least is finished, then it ends after `seconds`. Raises
    ModelError."""
    recognisers = {way: Recogniser(models, threads=way.threads, floats=way.floats) for way in ways}
    for each in recognisers.values():
        each.read(picture)  # fills memory
    took: dict[Way, list[float]] = {way: [] for way in recognisers}
    end = clock() + seconds
    asked = list(recognisers)
    while True:
        for way in asked:
            start = clock()
            recognisers[way].read(picture)
            took[way].append(clock() - start)
        if clock() >= end:
            return {way: float(np.median(each)) for way, each in took.items()}
        if len(took[asked[0]]) >= ROUNDS:
            best = {way: min(took[way]) for way in asked}
            asked = [way for way in asked if best[way] <= HOPELESS * min(best.values())]


def choose(took: Mapping[Way, float]) -> Way:
    """Of ways and their times, one or more: the fewest threads among those that are as good as the
    quickest."""
    quickest = min(took.values())
    good = [way for way, seconds in took.items() if seconds <= AS_QUICK * quickest]
    return min(good, key=lambda way: (way.threads, took[way]))
