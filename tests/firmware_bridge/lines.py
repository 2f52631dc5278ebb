"""What the tests of the link share: devices, a line played by hand, and a program that listens."""

from __future__ import annotations

import os
import random
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_bridge.codec import Decoder, Message, Packet
from firmware_bridge.emulator import AutomaticTable, DiceCup
from firmware_bridge.handshake import Hello
from firmware_bridge.link import Link
from firmware_bridge.peer import Received
from firmware_bridge.session import LinkEvent


class Listener:
    """Takes the events of a link, as a program would."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.events: list[LinkEvent] = []

    def until(self, done: Callable[[], bool], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, (self.link.status(), self.events[-5:])
            self.events += self.link.take()
            time.sleep(0.002)
        self.events += self.link.take()

    def opened(self) -> Listener:
        self.until(lambda: self.link.status().known.complete)
        return self

    def messages(self, kind: type[Message]) -> list[Message]:
        return [
            each.message
            for each in self.events
            if isinstance(each, Received) and isinstance(each.message, kind)
        ]


def cup(seed: int = 1) -> DiceCup:
    return DiceCup(random.Random(seed))


def table(seed: int = 1) -> AutomaticTable:
    return AutomaticTable(random.Random(seed))


@contextmanager
def by_hand(path: Path) -> Iterator[int]:
    """A line at `path` on which a test plays the device by hand: the descriptor of its end."""
    master, slave = os.openpty()
    tty.setraw(slave)
    path.symlink_to(os.ttyname(slave))
    try:
        yield master
    finally:
        os.close(master)
        os.close(slave)


def hello(master: int) -> Hello:
    """Wait for the host on a line that is played by hand; how it greets."""
    decoder = Decoder()
    while True:
        for packet in decoder.feed(os.read(master, 4096)):
            if isinstance(packet, Packet) and isinstance(packet.message, Hello):
                return packet.message
