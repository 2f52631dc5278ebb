"""Signals that ask the program to end, sent to real processes: none is lost, each ends it, none aborts it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion import stopping
from tests.programs import LIMIT_S, WINDOWS, started

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

DROPS = """
import gc, os, signal, socket, sys, threading, time
from companion import stopping
{way}
class Garbage:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})
        for _ in range(100):  # what its handler raises here is dropped
            pass
ended = time.monotonic() + 60
with {block}:
    try:
        Garbage()
        while time.monotonic() < ended:
            {loop}
    finally:
        print("cleaned up", stopping.came() == signal.{name}, time.monotonic() < ended)
"""
BLOCKS = {
    "interruptible": ("stopping.heed_signals()", "stopping.interruptible()", "pass"),
    "checking": ("", "stopping.until_stopped()", "stopping.check()"),
    "waiting": (
        "file = socket.socket(type=socket.SOCK_DGRAM)", "stopping.until_stopped()",
        "stopping.wait_readable(file.fileno(), 50)",
    ),
    "deaf": ("", "stopping.until_stopped()", "time.sleep(50)"),
}  # fmt: skip


def run(script: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=LIMIT_S, check=False,
        **options,  # type: ignore[call-overload]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "on_windows"), [*((each, False) for each in SIGNALS), (signal.SIGTERM, True)]
)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_signal_in_the_middle_of_garbage_is_not_lost(
    block: str, number: signal.Signals, on_windows: bool
) -> None:
    way, inside, loop = BLOCKS[block]
    env = os.environ | WINDOWS if on_windows else None
    done = run(DROPS.format(way=way, block=inside, loop=loop, name=number.name), env=env)
    assert done.stdout == "cleaned up True True\n", done.stderr
    if block == "interruptible":
        assert done.stderr.endswith("KeyboardInterrupt\n")
        assert "Exception ignored" not in done.stderr
    else:
        assert (done.returncode, done.stderr) == (0, "")


STUBBORN = """
import sys, time
from companion import stopping
with stopping.noted():
    print("begun", flush=True)
    time.sleep(300)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_second_signal_ends_what_does_not_heed_the_first(number: signal.Signals) -> None:
    with started([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True) as program:
        program.stdout.readline()
        program.send_signal(number)
        program.send_signal(number)  # at once: one press of Ctrl-C that comes twice
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(1.2)
        program.send_signal(number)
        assert program.wait(LIMIT_S) == -number


def test_a_program_that_is_to_outlive_its_terminal_does() -> None:
    with started(
        [sys.executable, "-c", STUBBORN.replace("300", "2") + "print(stopping.came())"],
        stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as program:  # fmt: skip
        program.stdout.readline()
        for _ in range(3):
            program.send_signal(signal.SIGHUP)
        assert program.stdout.readline() == "None\n"
        assert program.wait(LIMIT_S) == 0


def test_an_interrupt_that_is_no_longer_wanted_does_not_come() -> None:
    is_interrupted = True
    with stopping.until_stopped():
        assert stopping._signals is not None
        timer = stopping._signals.timer
        timer.set(LIMIT_S)
        timer.is_due = True  # and its signal is on its way
        timer.set(None)
        signal.raise_signal(signal.SIGINT)
        is_interrupted = timer.is_due or stopping.came() is not None
    assert not is_interrupted


WAITING_COMMANDS = {
    "games add": (["games", "add", "evening"], ()),
    "replay": (["replay", "-"], ()),
    "simulate": (["simulate", "--rules", "hefei", "--hands", "100000"], ()),
    "emulate": (["devices", "emulate", "cup"], (0,)),
    "watch": (["devices", "watch", "socket://127.0.0.1:9", "--wait"], (0, 3)),
}
"""Commands that wait or go on for long, and the status with which each may end besides that of the signal."""


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("command", WAITING_COMMANDS)
def test_a_signal_at_any_moment_ends_a_command(command: str, signals: int, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    arguments, others = WAITING_COMMANDS[command]
    env = os.environ | {"COMPANION_DATA": str(tmp_path)}
    companion = [sys.executable, "-m", "companion"]
    begun = subprocess.run([*companion, "games", "begin", "evening", "--rules", "hefei"], env=env, check=True)
    assert begun.returncode == 0
    for number in range(signals):
        how = SIGNALS[number % 3]
        with started(
            [*companion, *arguments], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        ) as program:  # fmt: skip
            time.sleep(rng.uniform(0.15, 1.2))
            program.send_signal(how)
            sent = time.monotonic()
            said = program.stderr.read()
            program.wait(LIMIT_S)
        if program.returncode != -how:  # that early there are no handlers yet
            assert program.returncode in (128 + how, *others), (how, said)
            assert "Traceback" not in said
        assert time.monotonic() - sent < 30
