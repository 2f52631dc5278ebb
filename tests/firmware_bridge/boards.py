"""Programs of the firmware that run as devices on pseudo-terminals, and a bad line to one."""

from __future__ import annotations

import os
import random
import subprocess
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from firmware_bridge.emulator import Faults
from firmware_bridge.link import Link
from firmware_bridge.peer import Received
from tests.programs import started

SOURCE = Path(__file__).resolve().parents[2] / "firmware_bridge" / "firmware"


class Board:
    """A program of the firmware that runs as a device on a pseudo-terminal, and says on which."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.path = process.stdout.readline().strip()

    def do(self, *lines: str) -> None:
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


@contextmanager
def running(*program: Path) -> Iterator[Board]:
    pipe = subprocess.PIPE
    with started(program, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        try:
            yield Board(process)
        finally:
            out, errors = process.communicate("quit\n", timeout=60)
            assert (process.returncode, errors) == (0, ""), out  # what sanitizers find stands there


def until(done: Callable[[], bool], link: Link, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, link.status()
        time.sleep(0.005)


def messages(link: Link) -> list[Any]:
    return [each.message for each in link.take() if isinstance(each, Received)]


@contextmanager
def bad_line(path: str) -> Iterator[str]:
    """Another pseudo-terminal, tied to the one at `path`; one byte in a hundred is damaged."""
    faults = Faults(noise=0.004, dropped=0.003, doubled=0.003)
    rng = random.Random(9)
    device = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    stop = threading.Event()

    def carry() -> None:
        while not stop.is_set():
            for source, target in ((device, master), (master, device)):
                try:
                    os.write(target, faults.damage(os.read(source, 4096), rng))
                except BlockingIOError:
                    continue
            time.sleep(0.001)

    thread = threading.Thread(target=carry, daemon=True)
    thread.start()
    try:
        yield os.ttyname(slave)
    finally:
        stop.set()
        thread.join()
        for each in (device, master, slave):
            os.close(each)
