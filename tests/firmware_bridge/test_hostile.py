"""Devices that send too much, or anything but this protocol: memory stays bounded, and a person is told."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from firmware_bridge.codec import Packet, encode
from firmware_bridge.commands import Beep
from firmware_bridge.emulator import EmulatedDevice
from firmware_bridge.errors import LinkError
from firmware_bridge.events import ButtonEvent, Dice, Die
from firmware_bridge.handshake import Capability, Welcome
from firmware_bridge.limits import INBOX_MAX
from firmware_bridge.link import Link, LinkState
from firmware_bridge.peer import End
from firmware_bridge.session import SessionEnded, SessionOpened
from tests.firmware_bridge.lines import Listener, by_hand, cup, hello


@contextmanager
def pouring(master: int, data: bytes, bytes_per_s: int = 0) -> Iterator[None]:
    """Meanwhile a thread writes `data` to the host, and reads away what the host writes."""
    stop = threading.Event()

    def pour() -> None:
        left = data
        while left and not stop.is_set():
            with suppress(BlockingIOError):
                left = left[os.write(master, left[: bytes_per_s // 100 or None]) :]
            if bytes_per_s:
                time.sleep(0.01)
            with suppress(BlockingIOError):
                os.read(master, 4096)

    os.set_blocking(master, False)
    thread = threading.Thread(target=pour)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_oversized_frames_and_noise_leave_memory_bounded(path: Path) -> None:
    """A line at 115200 baud that brings anything but this protocol."""
    noise = b"\xaa" * 5_000 + random.Random(4).randbytes(400_000)
    with by_hand(path) as master, pouring(master, noise, 11_520), Link(str(path)) as link:
        Listener(link).until(lambda: link.status().damaged > 30)
        assert link.status().state is LinkState.GREETING
        assert link.status().trouble == "Something is sent, but not in this protocol."
        assert link._session._decoder.kept_bytes < 130


@pytest.mark.parametrize("noise", [b"\xaa" * 4_000_000, b"\x01\x00" * 40_000])
def test_a_flood_of_noise_is_stopped_and_reported(path: Path, noise: bytes) -> None:
    """Frames without end, and thousands of broken ones: neither takes the computer's time."""
    with by_hand(path) as master, pouring(master, noise), Link(str(path)) as link:
        listener = Listener(link)
        listener.until(lambda: link.status().state is LinkState.FLOOD)
        assert "more than any device may" in link.status().trouble
        assert [each.reason for each in listener.events if isinstance(each, SessionEnded)] == [End.FLOOD]
        with pytest.raises(LinkError):
            link.send(Beep(880, 100))


def test_a_flood_is_stopped_and_reported(path: Path) -> None:
    """Thousands of sound messages in a session."""
    with by_hand(path) as master, Link(str(path)) as link:
        nonce = hello(master).nonce
        welcome = Welcome(nonce, 1, 1, Capability.DICE, 1, 8, 0, "HOSTILE")
        rolling = encode(Packet(Dice(0, 0, 0, (Die(0, True),)), nonce % 256))
        with pouring(master, encode(Packet(welcome, nonce % 256)) + rolling * 20_000):
            listener = Listener(link)
            listener.until(lambda: link.status().state is LinkState.FLOOD, 20)
        assert "more than any device may" in link.status().trouble
        assert len(listener.events) < 5_000


def test_sessions_that_come_and_go_leave_memory_bounded(path: Path) -> None:
    """A device that says welcome and goodbye all day, and a program that never looks."""
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        Listener(link).opened()
        full_by = time.monotonic() + 60
        while len(link._inbox) < INBOX_MAX:
            assert time.monotonic() < full_by
            if device.unacknowledged < 20:
                device.tell(ButtonEvent(0, 0, 1, 0))
            else:
                time.sleep(0.0005)
        size = len(link._inbox)
        for sessions in range(2, 8):
            device.restart()
            end = time.monotonic() + 60
            while link.status().sessions < sessions and time.monotonic() < end:
                time.sleep(0.005)
        assert link.status().sessions == 7
        assert len(link._inbox) <= size + 20
        events = link.take()
    assert isinstance(events[-1], SessionOpened)
    assert sum(isinstance(each, SessionOpened) for each in events) == 1  # the first was taken


def test_a_program_that_takes_nothing_keeps_memory_bounded_and_loses_nothing(path: Path) -> None:
    model = cup()
    with EmulatedDevice(model, path) as device, Link(str(path)) as link:
        Listener(link).opened()
        sent = []
        end = time.monotonic() + 1.5
        while len(sent) < INBOX_MAX + 200 and time.monotonic() < end:
            if device.unacknowledged < 20:
                sent.append(ButtonEvent(len(sent), 0, 1, 0))
                device.tell(sent[-1])
            else:
                time.sleep(0.0005)
        assert len(link._inbox) <= INBOX_MAX + 500
        listener = Listener(link)
        listener.until(lambda: device.unacknowledged == 0)
        assert listener.messages(ButtonEvent) == sent
