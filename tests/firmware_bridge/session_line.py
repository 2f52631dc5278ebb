"""Both sides of a session on a line made of lists, in a time that the tests make."""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_bridge.device_session import DeviceSession, DeviceSessionState
from firmware_bridge.events import Tile
from firmware_bridge.handshake import (
    Capability,
    Welcome,
)
from firmware_bridge.peer import Received
from firmware_bridge.session import HostSession, HostState

ABOUT = Welcome(0, 1, 1, Capability.DICE, boot=7, window=8, t_ms=0, serial="CUP-1")
STEP_S = 0.001


def clean(data: bytes) -> bytes:
    return data


class Line:
    """A host and a device, a delay of one step between them, and what the line does to the bytes."""

    def __init__(self, about: Welcome = ABOUT, nonce: int = 41, versions: tuple[int, int] = (1, 1)) -> None:
        self.host = HostSession(nonce)
        self.device = DeviceSession(about, versions)
        self.now = 100.0
        self.up: Callable[[bytes], bytes] = clean
        self.down: Callable[[bytes], bytes] = clean
        self.at_host: list[object] = []
        self.at_device: list[object] = []
        self.answer = True

    def step(self) -> None:
        self.now += STEP_S
        to_host, to_device = self.up(self.device.take_output()), self.down(self.host.take_output())
        if to_host:
            self.at_host += self.host.receive(to_host, self.now)
        if to_device:
            got = self.device.receive(to_device, self.now)
            self.at_device += got
        self.at_host += self.host.tick(self.now)
        self.at_device += self.device.tick(self.now)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.step()

    def open(self) -> Line:
        self.host.start(self.now)
        self.run(0.02)
        assert self.host.state is HostState.OPEN
        assert self.device.state is DeviceSessionState.OPEN
        return self

    def messages(self) -> list[object]:
        return [each.message for each in self.at_host if isinstance(each, Received)]


def drawn(number: int) -> Tile:
    return Tile(number, 0, 0, 0, 0, 0)


def damaging(rng: random.Random, rate: float) -> Callable[[bytes], bytes]:
    """One in 1/`rate` bytes is changed, dropped or doubled."""

    def line(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if rng.random() >= rate:
                out.append(byte)
            else:
                out += rng.choice((b"", bytes((byte, byte)), bytes((byte ^ rng.randrange(1, 256),))))
        return bytes(out)

    return line
