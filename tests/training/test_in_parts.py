"""Work in parts, by processes that do not outlive whoever started them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from models.training.in_parts import JOBS, work_in_parts

LONG_S, PATIENCE_S = 600, 60.0


def double(number: int) -> int:
    return 2 * number


def write_and_sleep(folder: Path) -> None:
    (folder / str(os.getpid())).touch()
    time.sleep(LONG_S)


def is_running(process: int) -> bool:
    state = Path("/proc", str(process), "stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_parts_keep_their_order() -> None:
    assert work_in_parts(double, [(number,) for number in range(JOBS)]) == list(range(0, 2 * JOBS, 2))


def test_the_processes_of_a_training_that_is_killed_end_too(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path\n"
        "from models.training.in_parts import work_in_parts\n"
        "from tests.training.test_in_parts import write_and_sleep\n"
        "if __name__ == '__main__':\n"
        f"    work_in_parts(write_and_sleep, [(Path({str(tmp_path)!r}),)])\n"
    )
    started = subprocess.Popen([sys.executable, "-c", script])
    wait_until(lambda: list(tmp_path.iterdir()))
    started.kill()
    started.wait()
    (working,) = (int(path.name) for path in tmp_path.iterdir())
    wait_until(lambda: not is_running(working))
