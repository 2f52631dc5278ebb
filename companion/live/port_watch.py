"""Looks at the computer's serial ports every other second, in a thread of its own, and may ask new ones which
device is there. No Kivy.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial

from companion.live.posting import Post
from firmware_bridge.link import Link
from firmware_bridge.ports import PortInfo, ProbeResult, list_serial_ports, probe_all

EVERY_S = 2.0
"""A device that is plugged in is noticed within it; listing the ports takes some milliseconds."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Serial:
    """How serial ports are listed and asked, and how links to devices are made."""

    list: Callable[[], tuple[PortInfo, ...]] = list_serial_ports
    ask: Callable[[Iterable[str]], tuple[ProbeResult, ...]] = probe_all
    open: Callable[..., Link] = Link


class PortWatch:
    """Calls `note_ports` with the ports when they have changed, `note_found` for each device that answers.

    Only ports with a USB id are asked, and only while `asking`; each once as long as it is plugged in, for a
    board may restart when its port is opened. Those in `taken` are left alone.
    """

    def __init__(
        self,
        serial: Serial,
        post: Post,
        note_ports: Callable[[tuple[PortInfo, ...]], None],
        note_found: Callable[[ProbeResult, PortInfo], None],
    ) -> None:
        self.asking = False
        self.taken: Collection[str] = frozenset()
        self._serial = serial
        self._post = post
        self._note_ports = note_ports
        self._note_found = note_found
        self._known: tuple[PortInfo, ...] | None = None
        self._asked: set[str] = set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """From now on; a second call changes nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="serial ports", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Soon; returns at once, and nothing is called afterwards."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._look()
            except Exception:  # whatever a driver does, the next look may succeed
                log.exception("listing the serial ports")
            self._stop.wait(EVERY_S)

    def _look(self) -> None:
        known = self._serial.list()
        if known != self._known:
            self._known = known
            self._tell(lambda: self._note_ports(known))
        if not self.asking:
            self._asked.clear()
            return
        by_path = {port.path: port for port in known if port.usb}
        self._asked = (self._asked | {*self.taken}) & {*by_path}
        new = [path for path in by_path if path not in self._asked]
        self._asked.update(new)
        for found in self._serial.ask(new) if new else ():
            if found.answer is not None:
                self._tell(partial(self._note_found, found, by_path[found.path]))

    def _tell(self, call: Callable[[], None]) -> None:
        self._post(lambda: None if self._stop.is_set() else call())
