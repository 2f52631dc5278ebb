"""Other processes for the tests of history: they run Python text that knows `sums`."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from tests.programs import started

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]


def running(
    program: str, *arguments: object, wrapper: tuple[str, ...] = ()
) -> AbstractContextManager[subprocess.Popen[str]]:
    """A process that runs `program`, in `wrapper` if one is given."""
    return started(
        [*wrapper, sys.executable, "-c", "from sums import *\n" + program, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": f"{REPOSITORY}:{HERE}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(program: str, *arguments: object, wrapper: tuple[str, ...] = ()) -> list[str]:
    """What such a process prints; that it fails fails the test."""
    with running(program, *arguments, wrapper=wrapper) as process:
        out, problems = process.communicate()
    assert not problems, problems
    return out.splitlines()
