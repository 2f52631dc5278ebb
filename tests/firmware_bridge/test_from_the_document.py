"""PROTOCOL.md is enough to write a device: one that was written so is tried with the product."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands import Beep, CommandOutcome, Result, StartShuffle
from firmware_bridge.emulator import CLEAN, Faults
from firmware_bridge.emulator.trials import ONE_IN_A_HUNDRED
from firmware_bridge.events import Dice
from firmware_bridge.link import Link
from tests.firmware_bridge.from_the_document import Cup, Reader, crc, frame, unwrap
from tests.firmware_bridge.lines import Listener, by_hand

ROLLS = 100
Vector = dict[str, Any]


def test_its_checks(crc_vector: Vector) -> None:
    assert crc(bytes.fromhex(crc_vector["data"])) == crc_vector["crc"]


def test_its_frames(message_vector: Vector) -> None:
    wire = bytes.fromhex(message_vector["wire"])
    found = unwrap(wire[:-1])
    assert found is not None
    assert found[1:3] == (message_vector["session"], message_vector["seq"])
    assert frame(*found) == wire


def test_its_damage(damage_vector: Vector) -> None:
    assert list(Reader().feed(bytes.fromhex(damage_vector["wire"]))) == [None]


@contextmanager
def running(cup: Cup, master: int, faults: Faults) -> Iterator[threading.Lock]:
    """Meanwhile a thread serves the cup's line, which damages bytes both ways. The lock guards the cup."""
    stop, lock, rng = threading.Event(), threading.Lock(), random.Random(8)

    def serve() -> None:
        while not stop.is_set():
            data = b""
            with suppress(OSError):  # nothing there, or nobody has the other end open
                data = os.read(master, 4096)
            with lock:
                cup.feed(faults.damage(data, rng))
                cup.tick()
                out = faults.damage(bytes(cup.out), rng)
                cup.out.clear()
            with suppress(BlockingIOError):
                os.write(master, out)
            time.sleep(0.002)

    os.set_blocking(master, False)
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield lock
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("faults", [CLEAN, ONE_IN_A_HUNDRED])
def test_a_cup_written_from_the_document_rolls(path: Path, faults: Faults) -> None:
    """Every roll arrives once and in order, on a bad line too; commands are answered."""
    rng = random.Random(2)
    thrown = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(ROLLS)]
    cup = Cup(boot=7)
    with by_hand(path) as master, running(cup, master, faults) as lock, Link(str(path)) as link:
        listener = Listener(link).opened()
        beep, shuffle = link.send(Beep(880, 100)), link.send(StartShuffle())
        for each in thrown:
            with lock:
                cup.throw(*each)
            time.sleep(0.001)
        listener.until(lambda: len(listener.messages(Dice)) >= ROLLS, 30)
        listener.until(lambda: len(listener.messages(Result)) == 2)
        rolls = [each for each in listener.messages(Dice) if isinstance(each, Dice)]
        assert [tuple(die.value for die in each.dice) for each in rolls] == thrown
        assert [each.roll for each in rolls] == list(range(1, ROLLS + 1))
        results = [each for each in listener.messages(Result) if isinstance(each, Result)]
        assert {each.command_seq: each.outcome for each in results} == {
            beep: CommandOutcome.DONE,
            shuffle: CommandOutcome.UNSUPPORTED,
        }
        assert link.status().sessions == 1
