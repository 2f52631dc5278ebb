"""Work that is cut into parts for the processors that there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TypeVar

JOBS = 16  # at least, into which work is cut, whatever the machine: what is drawn depends on it
PROCESSES = min(JOBS, os.cpu_count() or 1)
Made = TypeVar("Made")


def work_in_parts(work: Callable[..., Made], parts: Sequence[tuple[object, ...]]) -> list[Made]:
    """What a function of a module makes of each tuple of arguments, in their order; as many at once as there
    are processors."""
    # Spawned, not forked: a fork after a network has trained waits for ever on its threads.
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), _end_with_parent) as pool:
        jobs = [pool.submit(work, *part) for part in parts]
        return [job.result() for job in jobs]


def _end_with_parent() -> None:
    """Ends this process as soon as the one that started it is gone: one that is killed cannot tell it."""
    Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
