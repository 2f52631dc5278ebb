"""Programs that tests start: each ends with its test, and is killed where it takes too long.

The output of a killed program ends, so that a test that waits for a line of it fails.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LIMIT_S = 300
"""For anything a test waits for: far more than a busy machine needs."""
WINDOWS = {"PYTHONPATH": str(Path(__file__).with_name("other_system"))}
"""The variable with which a Python that starts has no more of the standard library than on Windows."""


def may_mount() -> bool:
    """Whether this user may have file systems of its own, in a namespace of its own."""
    if shutil.which("unshare") is None:
        return False
    tried = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    return subprocess.run(tried, capture_output=True, timeout=LIMIT_S, check=False).returncode == 0


@contextmanager
def started(
    command: Sequence[str | Path], *, limit_s: float = LIMIT_S, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """The running program; killed after `limit_s`, and at the end of the block in any case."""
    with subprocess.Popen(command, **options) as program:
        try:
            with killed_after(limit_s, program):
                yield program
        finally:
            program.kill()


@contextmanager
def virtual_screen(
    size: str, *, locked_by: Path | None = None
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The name of a display of that size, as `1280x800x24`, and the server that shows it. locked_by: the file
    that is written with the key to it, as XAUTHORITY names it; without, it lets all in."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    if locked_by is not None:
        locked_by.write_bytes(make_x_key())
        command += ["-auth", str(locked_by)]
    with (
        os.fdopen(reading) as answer,
        subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server,
    ):
        os.close(writing)
        try:
            with killed_after(LIMIT_S, server):
                number = answer.readline().strip()
            assert number, "Xvfb did not start"
            yield f":{number}", server
        finally:
            server.terminate()


def make_x_key() -> bytes:
    """A new key to any X server, as a file of Xauthority has it."""
    fields = b"", b"", b"MIT-MAGIC-COOKIE-1", secrets.token_bytes(16)
    return b"\xff\xff" + b"".join(len(field).to_bytes(2) + field for field in fields)


@contextmanager
def killed_after(limit_s: float, program: subprocess.Popen[Any]) -> Iterator[None]:
    """Kills the program if the block takes longer."""
    guard = threading.Timer(limit_s, program.kill)
    guard.start()
    try:
        yield
    finally:
        guard.cancel()
