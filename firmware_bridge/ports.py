"""Which serial ports there are, and which of them has a device of ours: by its path, by its USB id, by
asking.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from secrets import randbits

import serial
from serial.tools import list_ports

from firmware_bridge import troubles
from firmware_bridge.errors import LinkError
from firmware_bridge.handshake import Welcome
from firmware_bridge.limits import BAUD
from firmware_bridge.session import HostSession, SessionOpened, SessionRefused
from firmware_bridge.troubles import LinkTrouble

ANY = "any"
USB_PREFIX = "usb:"
READ_WAIT_S = 0.02
"""Seconds of a read that cannot be woken (all ports but /dev/tty…): commands are sent this often."""
READ_WAIT_WOKEN_S = 0.05
"""Seconds of a read that can be woken: half of the first pause before a message is sent again."""
WRITE_WAIT_S = 0.5
WHY_NOT_OPEN = {
    errno.EACCES: troubles.NOT_ALLOWED,
    errno.EAGAIN: troubles.IN_USE,
    errno.EBUSY: troubles.IN_USE,
    errno.ENOENT: troubles.NO_SUCH_PORT,
}
OPENING_S = 2.0
"""Additional seconds that opening may take: a Bluetooth port waits for its device."""
ASK_S = 3.0
"""Seconds that a port has to answer: a board that resets when it is opened starts within two seconds."""


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A serial port of this computer; `usb` is "VVVV:PPPP" or "VVVV:PPPP:serial" (hex, lower case), or
    empty.
    """

    path: str
    name: str
    usb: str


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What was found at `path`: a device's welcome, why it refused, or None if nothing of ours answers.

    `trouble` is a sentence for people where the port cannot be used at all.
    """

    path: str
    answer: Welcome | SessionRefused | None
    trouble: LinkTrouble = troubles.NONE


def list_serial_ports() -> tuple[PortInfo, ...]:
    """The serial ports of this computer; none is opened for that."""
    return tuple(
        PortInfo(
            port.device,
            port.description or port.device,
            f"{port.vid:04x}:{port.pid:04x}{':' + port.serial_number if port.serial_number else ''}"
            if port.vid is not None and port.pid is not None
            else "",
        )
        for port in sorted(list_ports.comports())
    )


def find_candidates(target: str, known: Iterable[PortInfo]) -> tuple[str, ...]:
    """The ports that `target` may mean: itself if it is a path or URL, `usb:VVVV:PPPP[:serial]`, or `any`.

    `any` are only ports with a USB id: others are often modems, or the computer's own and not connected.
    Raises LinkError for a malformed USB id.
    """
    if target == ANY:
        return tuple(port.path for port in known if port.usb)
    if not target.startswith(USB_PREFIX):
        return (target,)
    wanted = target.removeprefix(USB_PREFIX)
    numbers = wanted.split(":", 2)
    if len(numbers) < 2 or not all(_is_hex16(number) for number in numbers[:2]):
        raise LinkError(troubles.NO_USB_ID, target=target)
    vendor_and_product = ":".join(number.lower().zfill(4) for number in numbers[:2])
    wanted = ":".join([vendor_and_product, *numbers[2:]])
    return tuple(port.path for port in known if port.usb == wanted or port.usb.startswith(wanted + ":"))


def _is_hex16(text: str) -> bool:
    return 1 <= len(text) <= 4 and all(digit in "0123456789abcdefABCDEF" for digit in text)


def open_port(url: str, baud: int = BAUD) -> serial.SerialBase:
    """Open a path or URL of pyserial (socket://, rfc2217://, loop://, spy://). Raises LinkError."""
    try:
        port = serial.serial_for_url(url, baudrate=baud, timeout=READ_WAIT_S, do_not_open=True)
        if isinstance(port, serial.Serial):
            if os.path.exists(url) and not stat.S_ISCHR(os.stat(url).st_mode):
                raise LinkError(troubles.NO_SERIAL_PORT, port=url)
            port.exclusive = True  # two programs on one line would take bytes from each other
            port.timeout = READ_WAIT_WOKEN_S
            port.write_timeout = WRITE_WAIT_S  # rfc2217:// refuses one
        port.open()
    except (
        serial.SerialException,
        OSError,
        ValueError,
        TypeError,
        AttributeError,
        NotImplementedError,
    ) as error:
        template = WHY_NOT_OPEN.get(getattr(error, "errno", None) or 0, troubles.NOT_OPENED)
        raise LinkError(template, port=url, why=error) from None
    return port


def read_some(port: serial.SerialBase) -> bytes:
    """What has come, after waiting at most 50 ms for the first byte; at most 4096 bytes."""
    data = bytearray(port.read(1))
    while data and len(data) < 4096:
        waiting = port.in_waiting
        if not waiting:
            break
        data += port.read(min(waiting, 4096 - len(data)))
    return bytes(data)


def probe(path: str, seconds: float = ASK_S, baud: int = BAUD) -> ProbeResult:
    """Open `path`, say hello, and wait up to `seconds` for an answer."""
    try:
        port = open_port(path, baud)
    except LinkError as error:
        return ProbeResult(path, None, error.trouble)
    session = HostSession(randbits(32))
    try:
        start = time.monotonic()
        session.start(start)
        while (now := time.monotonic()) < start + seconds:
            port.write(session.take_output())
            for event in session.receive(read_some(port), now):
                if isinstance(event, SessionOpened | SessionRefused):
                    return ProbeResult(path, event.device if isinstance(event, SessionOpened) else event)
            session.tick(now)
    except (serial.SerialException, OSError) as error:
        return ProbeResult(path, None, LinkTrouble(troubles.FAILED, port=path, why=error))
    finally:
        with suppress(serial.SerialException, OSError):
            session.close(time.monotonic())
            port.write(session.take_output())
        port.close()
    return ProbeResult(path, None)


def probe_all(paths: Iterable[str], seconds: float = ASK_S) -> tuple[ProbeResult, ...]:
    """Ask all `paths` at once; what was found, in their order. Blocks up to `seconds`, or 2 s more where a
    port does not open in time.
    """
    wanted = tuple(dict.fromkeys(paths))
    answers: dict[str, ProbeResult] = {}

    def one(path: str) -> None:
        answers[path] = probe(path, seconds)

    threads = [threading.Thread(target=one, args=(path,), daemon=True) for path in wanted]
    for thread in threads:
        thread.start()
    end = time.monotonic() + seconds + OPENING_S
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return tuple(
        answers.get(path) or ProbeResult(path, None, LinkTrouble(troubles.TOO_SLOW, port=path))
        for path in wanted
    )
