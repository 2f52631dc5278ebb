"""An emulated device on a pseudo-terminal: a model, the device's side of a session, a line with faults.

One thread serves it. `path` is a symbolic link that stays the same when it is unplugged and plugged in
again, as /dev/serial/by-id does for real hardware.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import threading
import time
import tty
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from firmware_bridge.codec import Message
from firmware_bridge.commands import Command, CommandOutcome, Result, SnapshotRequest
from firmware_bridge.device_session import DeviceSession, DeviceSessionState, to_t_ms
from firmware_bridge.emulator.faults import CLEAN, Faults
from firmware_bridge.emulator.models import Model
from firmware_bridge.events import Dice, DicePhase, Snapshot, SnapshotPhase
from firmware_bridge.limits import QUEUE_MAX, VERSION
from firmware_bridge.peer import End, Received

TURN_S = 0.02
LINE_TURN_S = 0.001
"""Seconds between two turns of a slow line: twelve bytes at 115200 baud."""
READ_BYTES = 4096
UNSENT_BYTES_MAX = 65_536
"""A host that does not read: beyond this the device throws away, as a UART does."""


class EmulatedDevice:
    """`model` at `path`; use it as a context manager, or call `close`. Safe for threads.

    `heard` is called by its thread with each command of a host and what became of it. Raises FileExistsError
    if `path` exists, unless it is a link to a terminal that is gone, as a killed program leaves it.
    """

    def __init__(
        self,
        model: Model,
        path: Path,
        faults: Faults = CLEAN,
        seed: int = 0,
        heard: Callable[[Command, CommandOutcome], None] | None = None,
    ) -> None:
        self.model = model
        self._heard = heard
        self.path = path
        self.faults = faults
        self._rng = random.Random(seed)
        self._lock = threading.RLock()
        self._on_since = time.monotonic()
        self._session = self._new_session()
        self._master = -1
        self._slave = -1
        self._unsent = bytearray()
        self._busy_until = 0.0  # when the line will have carried what was written
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="emulated device", daemon=True)
        self.plug()
        self._woken, self._waking = os.pipe()
        os.set_blocking(self._waking, False)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether a host has a session with it."""
        with self._lock:
            return self._session.state is DeviceSessionState.OPEN

    @property
    def is_plugged(self) -> bool:
        """Whether its cable is plugged in."""
        return self._master >= 0

    @property
    def unacknowledged(self) -> int:
        """How many messages wait for the host."""
        with self._lock:
            return self._session.unacknowledged

    def now_ms(self) -> int:
        """The device's clock."""
        return to_t_ms(self._now())

    def tell(self, messages: Message | Sequence[Message]) -> None:
        """Send what happened: dice in motion may be lost, all else arrives once while a host is there."""
        with self._lock:
            self._send(messages if isinstance(messages, Sequence) else [messages])
            self._session.tick(self._now())
            self._write()
        self._wake()

    def play(self, action: Callable[[int], Sequence[Message]]) -> list[Message]:
        """Let `action` happen to the model at this moment (ms), and send what came of it."""
        with self._lock:
            messages = list(action(self.now_ms()))
            self.tell(messages)
            return messages

    def unplug(self) -> None:
        """Pull the cable: hosts get an error, the path is gone. The device keeps its state and its power."""
        with self._lock:
            if self._master < 0:
                return
            self.path.unlink(missing_ok=True)
            os.close(self._master)
            os.close(self._slave)
            self._master = self._slave = -1
            self._unsent.clear()

    def plug(self) -> None:
        """Plug it in (again). Raises FileExistsError if something else has taken its path meanwhile."""
        with self._lock:
            if self._master >= 0:
                return
            if _leads_to_lost_terminal(self.path):
                self.path.unlink()
            master, slave = os.openpty()
            try:
                self.path.symlink_to(os.ttyname(slave))
            except OSError:
                os.close(master)
                os.close(slave)
                raise
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._master, self._slave = master, slave
            self._session.start(self._now())

    def restart(self) -> None:
        """The device loses its session and starts over, as after a short loss of power; its tiles and walls
        stay.
        """
        with self._lock:
            self.model.about = replace(self.model.about, boot=self._rng.getrandbits(32))
            self._session = self._new_session()
            self._session.start(self._now())

    def send_raw(self, data: bytes) -> None:
        """Put any bytes on the line: what a broken or hostile device would send."""
        with self._lock:
            self._queue(data)
            self._write()
        self._wake()

    def close(self) -> None:
        """Stop, and unplug."""
        self._stop.set()
        self._wake()
        self._thread.join()
        self.unplug()
        for descriptor in (self._woken, self._waking):
            os.close(descriptor)

    def _now(self) -> float:
        """Seconds since it was switched on."""
        return time.monotonic() - self._on_since

    def _new_session(self) -> DeviceSession:
        versions = (9, 9) if self.faults.wrong_version else (VERSION, VERSION)
        return DeviceSession(self.model.about, versions)

    def _serve(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                master, unsent = self._master, bool(self._unsent)
            if master < 0 or self.faults.stuck:
                self._stop.wait(TURN_S / 4)
                continue
            wait = LINE_TURN_S if unsent else TURN_S
            with contextlib.suppress(OSError, ValueError):  # unplugged meanwhile
                if self._woken in select.select([master, self._woken], [], [], wait)[0]:
                    os.read(self._woken, READ_BYTES)
            with self._lock:
                if self._master == master:
                    self._turn()

    def _send(self, messages: Sequence[Message]) -> None:
        for message in messages:
            if isinstance(message, Dice) and message.phase == DicePhase.MOVING:
                self._session.tell(message, self._now())
            elif self._session.unacknowledged < QUEUE_MAX:
                self._session.post(message)
            else:  # a host that takes nothing: begin anew, and the snapshot reports it
                self._session.close(self._now(), End.STUCK)

    def _turn(self) -> None:
        now = self._now()
        try:
            data = os.read(self._master, READ_BYTES)
        except OSError:  # nothing there, or nobody has the other end open
            data = b""
        if data:
            for event in self._session.receive(self.faults.damage(data, self._rng), now):
                if isinstance(event, Received):
                    self._carry_out(event)
        self._send(self.model.tick(to_t_ms(now)))
        self._session.tick(now)
        self._write()

    def _carry_out(self, asked: Received) -> None:
        stamp = self.now_ms()
        command = asked.message
        if isinstance(command, SnapshotRequest):
            begin, end = (Snapshot(stamp, phase, command.token) for phase in SnapshotPhase)
            self._send([begin, *self.model.snapshot(), end])
        else:
            assert isinstance(command, Command)  # the session returns nothing else
            outcome, changes = self.model.command(command, stamp)
            if self._heard:
                self._heard(command, outcome)
            seq, kind = asked.seq, command.TYPE
            self._send([*([Result(stamp, seq, kind, outcome)] if seq else []), *changes])

    def _write(self) -> None:
        out = self._session.take_output()
        if self._master < 0:
            return
        self._queue(self.faults.damage(out, self._rng))
        size = len(self._unsent)
        if self.faults.bytes_per_s:
            elapsed = self._now() - self._busy_until
            size = min(size, int(elapsed * self.faults.bytes_per_s))
            self._busy_until += size / self.faults.bytes_per_s
        if size and not self.faults.stuck:
            with contextlib.suppress(BlockingIOError):
                del self._unsent[: os.write(self._master, self._unsent[:size])]

    def _queue(self, data: bytes) -> None:
        if not self._unsent:  # an idle line has carried nothing meanwhile
            self._busy_until = self._now()
        self._unsent += data
        del self._unsent[:-UNSENT_BYTES_MAX]

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it has been woken often enough
            os.write(self._waking, b".")


def _leads_to_lost_terminal(path: Path) -> bool:
    """Whether `path` was left behind by a device whose program was killed."""
    return path.is_symlink() and not path.exists() and os.readlink(path).startswith("/dev/")
