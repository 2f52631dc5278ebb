"""The link to one device: a thread at the edge that owns the port; callers never wait for it.

It opens the port, greets, reads, and after an unplugged cable tries again with growing pauses. All thinking
is in `session.py`; here is only I/O, time and one lock that is never held while reading or writing.
`Mirror` is what the device has reported, put together.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from secrets import randbits
from typing import Self

import serial

from firmware_bridge import troubles
from firmware_bridge.codec import Message
from firmware_bridge.commands import Command
from firmware_bridge.errors import LinkError, MessageError, QueueFullError, RecordingError
from firmware_bridge.events import Dice, DicePhase, Snapshot, SnapshotPhase, Table, Tile, TileAction, Wall
from firmware_bridge.handshake import Welcome
from firmware_bridge.limits import BAUD, INBOX_MAX
from firmware_bridge.peer import End, Received
from firmware_bridge.ports import (
    ANY,
    ASK_S,
    find_candidates,
    list_serial_ports,
    open_port,
    probe_all,
    read_some,
)
from firmware_bridge.recording import Recorder
from firmware_bridge.session import (
    HostSession,
    HostState,
    LinkEvent,
    SessionEnded,
    SessionOpened,
    SessionRefused,
)
from firmware_bridge.troubles import Trouble


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """All that a device has reported; None for what it does not have. `complete` from the end of a snapshot
    on.
    """

    table: Table | None = None
    wall: Wall | None = None
    roll: Dice | None = None
    complete: bool = False


class Mirror:
    """Folds messages into a DeviceState, and notices when something does not fit."""

    __slots__ = ("_counted", "doubts", "state")

    def __init__(self) -> None:
        self.state = DeviceReport()
        self.doubts = 0
        """How often something did not fit; each time a snapshot should be asked for."""
        self._counted: tuple[int, int] | None = None

    def forget(self) -> None:
        """The session ended: nothing is known for certain. The last roll stays counted."""
        self.state = DeviceReport()

    def apply(self, message: Message) -> bool:
        """Take `message` in; False if it does not fit what was reported before: then a snapshot should be
        asked for.
        """
        fits = True
        if isinstance(message, Snapshot):
            ends = message.phase == SnapshotPhase.END
            self.state = replace(self.state, complete=True) if ends else DeviceReport()
        elif isinstance(message, Table):
            self.state = replace(self.state, table=message)
        elif isinstance(message, Wall):
            self.state = replace(self.state, wall=message)
        elif isinstance(message, Dice) and message.phase == DicePhase.SETTLED:
            self.state = replace(self.state, roll=message)
        elif isinstance(message, Tile):
            fits = self._move(message)
        self.doubts += not fits
        return fits

    def _move(self, tile: Tile) -> bool:
        wall = self.state.wall
        if wall is None:
            return False
        try:
            place = wall.place(tile.side, tile.stack, tile.layer)
        except MessageError:
            return False
        returned = tile.action == TileAction.RETURNED
        if wall.tiles[place] == returned:
            return False
        moved = replace(wall, tiles=(*wall.tiles[:place], returned, *wall.tiles[place + 1 :]))
        self.state = replace(self.state, wall=moved)
        return moved.remaining == tile.remaining

    def counts(self, dice: Dice, boot: int) -> bool:
        """Whether `dice` is a roll that has not counted yet; `boot` is that of the device's welcome."""
        roll = (boot, dice.roll)
        if dice.phase != DicePhase.SETTLED or roll == self._counted:
            return False
        self._counted = roll
        return True


logger = logging.getLogger(__name__)

REOPEN_FIRST_S = 0.25
REOPEN_MAX_S = 5.0
"""Pauses between attempts to open a port double up to this: a cable plugged in again is noticed within it."""
FLOOD_PAUSE_S = 30.0
RESTING_S = 0.005
"""Pause after a turn in which the program took nothing and its inbox is full."""


class LinkState(Enum):
    """How a link stands, in words for people."""

    NO_PORT = "no port"
    GREETING = "waiting for an answer"
    OPEN = "connected"
    REFUSED = "refused"
    FLOOD = "sends too much"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Status:
    """How a link stands. `trouble` is empty while all is well; `recording` says whether the session is still
    being written to a file.
    """

    target: str
    port: str
    state: LinkState
    device: Welcome | None
    trouble: Trouble
    sessions: int
    frames: int
    damaged: int
    resent: int
    last: Received | None
    recording: bool
    known: DeviceReport


class Link:
    """A link to `target`: a path or URL of pyserial, `usb:VVVV:PPPP[:serial]`, or `any`. Starts at once.

    `wake` is called by the link's thread, without the lock, whenever `take` has something; it must return at
    once. Times are seconds of `time.monotonic`. Safe for threads. Nothing here raises for what a device does.

    Raises LinkError for a malformed USB id, RecordingError where `record` cannot be written.
    """

    def __init__(
        self,
        target: str,
        *,
        baud: int = BAUD,
        wake: Callable[[], None] | None = None,
        record: Path | None = None,
    ) -> None:
        find_candidates(target, ())  # reports a malformed USB id at once
        self._target = target
        self._baud = baud
        self._wake = wake
        self._lock = threading.Lock()
        self._inbox: deque[LinkEvent] = deque()
        self._session = HostSession(randbits(32))
        self._mirror = Mirror()
        self._port: serial.SerialBase | None = None
        self._last_session = 0.0  # when one began or ended
        self._status = Status(
            target, "", LinkState.NO_PORT, None, troubles.NONE, 0, 0, 0, 0, None, False, DeviceReport()
        )
        self._recorder = Recorder(record, target, time.monotonic()) if record else None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"link to {target}", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self) -> list[LinkEvent]:
        """All events since the last call, in order."""
        with self._lock:
            events = list(self._inbox)
            self._inbox.clear()
            self._session.accepting = True
        return events

    def send(self, command: Command) -> int:
        """Send `command`; the number (1…255) by which its Result names it. Never waits.

        Raises LinkError when no device is connected, QueueFullError when it answers nothing.
        """
        with self._lock:
            seq = self._session.post(command, time.monotonic())
            port = self._port
        cancel = getattr(port, "cancel_read", None)
        if cancel is not None:
            cancel()
        return seq

    def status(self) -> Status:
        """How the link stands now."""
        with self._lock:
            counters = self._session.counters
            return replace(
                self._status,
                frames=counters.frames,
                damaged=sum(counters.damaged.values()),
                resent=self._session.resent,
                recording=self._recorder is not None,
                known=self._mirror.state,
            )

    def close(self, seconds: float = 2.0) -> None:
        """End the session and let go of the port; waits at most `seconds` for its thread."""
        self._stop.set()
        if threading.current_thread() is not self._thread:  # `wake` may close it
            self._thread.join(seconds)

    # Everything below runs in the link's thread.

    def _run(self) -> None:
        pause = REOPEN_FIRST_S / 2
        while not self._stop.is_set():
            before = self._status.sessions
            try:
                trouble = self._serve_one_port()
            except Exception:  # a fault of ours must not end the link in silence
                logger.exception("the link to %s failed", self._target)
                trouble = Trouble(troubles.FAULT)
            if self._stop.is_set():
                break
            flood = self._status.state is LinkState.FLOOD
            pause = REOPEN_FIRST_S if self._status.sessions > before else min(2 * pause, REOPEN_MAX_S)
            state = LinkState.FLOOD if flood else LinkState.NO_PORT
            self._set(state, port="", device=None, trouble=trouble)
            self._stop.wait(FLOOD_PAUSE_S if flood else pause)
        self._set(LinkState.CLOSED, device=None, trouble=troubles.NONE)
        if self._recorder:
            self._recorder.close()

    def _find(self) -> str:
        """The port to open now. Raises LinkError where there is none."""
        found = find_candidates(self._target, list_serial_ports())
        if not found:
            if self._target == ANY:
                raise LinkError(troubles.NO_USB)
            raise LinkError(troubles.NOT_PLUGGED_IN, target=self._target)
        if self._target == ANY and len(found) > 1:
            asked = probe_all(found)
            found = tuple(each.path for each in asked if isinstance(each.answer, Welcome)) or tuple(
                each.path for each in asked if each.answer
            )
            if not found:
                raise LinkError(troubles.NOTHING_ANSWERS, port=", ".join(each.path for each in asked))
        return found[0]

    def _serve_one_port(self) -> Trouble:
        """Serve one port until it fails; what the trouble was."""
        try:
            url = self._find()
            port = open_port(url, self._baud)
        except LinkError as error:
            return error.trouble
        now = time.monotonic()
        with self._lock:
            self._port = port
            self._session.start(now)
        self._set(LinkState.GREETING, port=url, trouble=troubles.NONE)
        try:
            while not self._stop.is_set() and self._status.state is not LinkState.FLOOD:
                self._turn(port)
                if self._is_not_ours(now):
                    self._say_goodbye(port)
                    return Trouble(troubles.NOTHING_ANSWERS, port=url)
            self._say_goodbye(port)
            return self._status.trouble
        except (
            serial.SerialException,
            OSError,
            TypeError,
        ) as error:  # TypeError: closed under a read (pyserial #713)
            logger.info("%s: %s", url, error)
            return Trouble(troubles.UNPLUGGED, port=url)
        finally:
            with self._lock:
                self._port = None
                ended = self._session.close(time.monotonic())
                self._session.take_output()
            if not self._stop.is_set():
                self._deliver(
                    [replace(each, reason=End.SILENCE) for each in ended if isinstance(each, SessionEnded)]
                )
            with suppress(serial.SerialException, OSError):
                port.close()

    def _is_not_ours(self, opened: float) -> bool:
        """Whether another port should be tried: one of `any` that has not answered."""
        waiting = self._target == ANY and self._status.state is LinkState.GREETING
        return waiting and time.monotonic() - max(opened, self._last_session) > 2 * ASK_S

    def _turn(self, port: serial.SerialBase) -> None:
        with self._lock:
            out = self._session.take_output()
        if out:
            port.write(out)
            self._record(partial(Recorder.record_written, data=out, now=time.monotonic()))
        data = read_some(port)
        now = time.monotonic()
        if data:
            self._record(partial(Recorder.record_read, data=data, now=now))
        with self._lock:
            full = len(self._inbox) >= INBOX_MAX
            self._session.accepting = not full
            events = self._session.receive(data, now) + self._session.tick(now)
        if events:
            self._deliver(events)
        elif full:
            self._stop.wait(RESTING_S)
        self._report_silence(now)

    def _deliver(self, events: list[LinkEvent]) -> None:
        for event in events:
            self._record(partial(Recorder.record_event, event=event))
            self._note(event)
        with self._lock:
            for event in events:
                self._put(event)
        if self._wake and events:
            self._wake()

    def _put(self, event: LinkEvent) -> None:
        """Into the inbox. When it is full no message comes, and sessions that come and go leave no trace."""
        last = self._inbox[-1] if len(self._inbox) >= INBOX_MAX else None
        if isinstance(last, SessionOpened) and isinstance(event, SessionEnded):
            self._inbox.pop()
            return
        if isinstance(last, SessionEnded | SessionRefused) and type(last) is type(event):
            self._inbox.pop()
        self._inbox.append(event)

    def _record(self, write: Callable[[Recorder], None]) -> None:
        if self._recorder is None:
            return
        try:
            write(self._recorder)
        except RecordingError:
            logger.exception("the recording ends here")
            self._recorder.close()
            self._recorder = None

    def _note(self, event: LinkEvent) -> None:
        if isinstance(event, Received):
            with self._lock:
                self._status = replace(self._status, last=event)
                if not self._mirror.apply(event.message) and self._session.state is HostState.OPEN:
                    with suppress(QueueFullError):  # then the next that does not fit asks
                        self._session.ask_snapshot(event.at)
        elif isinstance(event, SessionOpened):
            sessions = self._status.sessions + 1
            self._last_session = event.at
            self._set(LinkState.OPEN, device=event.device, trouble=troubles.NONE, sessions=sessions)
        elif isinstance(event, SessionEnded):
            self._last_session = event.at
            flood = event.reason is End.FLOOD
            with self._lock:
                self._mirror.forget()
            state = LinkState.FLOOD if flood else LinkState.GREETING
            self._set(state, device=None, trouble=Trouble(troubles.ENDED, why=event.reason.value))
        else:
            self._set(LinkState.REFUSED, device=None, trouble=event.trouble)

    def _report_silence(self, now: float) -> None:
        """Say what a port does that does not answer."""
        if self._status.state is not LinkState.GREETING:
            if self._status.state is LinkState.REFUSED and self._session.state is HostState.GREETING:
                self._set(LinkState.GREETING)
            return
        counters = self._session.counters
        if counters.bytes_in and sum(counters.damaged.values()) and not counters.frames:
            self._set(LinkState.GREETING, trouble=Trouble(troubles.OTHER_PROTOCOL))

    def _say_goodbye(self, port: serial.SerialBase) -> None:
        with self._lock:
            self._session.close(time.monotonic())
            out = self._session.take_output()
        if out:
            port.write(out)

    def _set(self, state: LinkState, **changes: object) -> None:
        with self._lock:
            self._status = replace(self._status, state=state, **changes)  # type: ignore[arg-type]
