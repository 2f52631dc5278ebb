"""Commands in processes of their own, to which a test types, and what is waited for."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firmware_bridge.emulator import EmulatedDevice
from tests.programs import LIMIT_S, started


class Command:
    """A running command, which somebody types to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def line(self) -> str:
        return self.process.stdout.readline().rstrip("\n")

    def until(self, part: str) -> list[str]:
        """Its lines up to the first that has `part` in it."""
        lines = [self.line()]
        while part not in lines[-1]:
            assert lines[-1], (lines, self.process.poll())
            lines.append(self.line())
        return lines

    def type(self, *lines: str) -> None:
        for line in lines:
            self.process.stdin.write(line + "\n")

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[str, str]:
        """Ctrl-C, or another signal; it must end well."""
        self.process.send_signal(how)
        out, err = self.process.communicate()
        assert self.process.returncode == 0, err
        return out, err


@contextmanager
def running(*arguments: object) -> Iterator[Command]:
    """`companion` with these arguments in a process of its own."""
    pipe = subprocess.PIPE
    with started(
        [sys.executable, "-m", "companion", *map(str, arguments)],
        stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1,
    ) as process:  # fmt: skip
        yield Command(process)


def roll(device: EmulatedDevice) -> None:
    device.play(lambda t_ms: device.model.act(["roll"], t_ms))


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)
