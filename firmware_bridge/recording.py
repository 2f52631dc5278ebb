"""A session in a file: JSON lines with what was read and written (hex) and what it meant, and back again.

The first line is {"recording": 1, "port": …}; every other has "t", seconds from the start, and one of "in",
"out" (hex) or "event".
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from firmware_bridge.errors import MessageError, RecordingError
from firmware_bridge.handshake import Welcome
from firmware_bridge.peer import End, Received
from firmware_bridge.plain import from_plain, to_plain
from firmware_bridge.session import LinkEvent, SessionEnded, SessionOpened, SessionRefused

VERSION = 1
SECONDS_MAX = 10**9
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
LINE_MAX_BYTES = 2**20


def event_to_plain(event: LinkEvent) -> dict[str, object]:
    """`event` as JSON values, without its time."""
    if isinstance(event, Received):
        late = round(event.at - event.happened, 6)
        return {"event": "received", "seq": event.seq, "late": late, **to_plain(event.message)}
    if isinstance(event, SessionOpened):
        return {"event": "opened", **to_plain(event.device)}
    if isinstance(event, SessionEnded):
        return {"event": "ended", "reason": event.reason.name}
    return {"event": "refused", "reason": event.reason, "least": event.least, "most": event.most}


def event_from_plain(plain: dict[str, Any], at: float) -> LinkEvent:
    """What `event_to_plain` made, at a time of its own. Raises MessageError, KeyError, TypeError if it
    did not.
    """
    values = dict(plain)
    kind = values.pop("event")
    if kind == "received":
        seq, late = int(values.pop("seq")), _read_seconds("late", values.pop("late"))
        return Received(from_plain(values), at, at - late, seq)
    if kind == "opened":
        device = from_plain(values)
        if not isinstance(device, Welcome):
            raise MessageError(f"an opened session with {values!r} instead of a welcome")
        return SessionOpened(device, at)
    if kind == "ended":
        return SessionEnded(End[values["reason"]], at)
    if kind == "refused":
        return SessionRefused(int(values["reason"]), int(values["least"]), int(values["most"]), at)
    raise MessageError(f"no event: {kind!r}")


def _read_seconds(name: str, value: object) -> float:
    seconds = float(str(value))
    if not 0 <= seconds <= SECONDS_MAX:
        raise MessageError(f"{name} is {value}: seconds are allowed, 0 to {SECONDS_MAX}")
    return seconds


class Recorder:
    """Writes a recording into a new file, which only its owner may read. `start` is the time (seconds) that
    counts as 0.

    Raises RecordingError if `path` cannot be written, or is there already: no session is lost for another.
    """

    def __init__(self, path: Path, port: str, start: float) -> None:
        self._path = path
        self._start = start
        try:
            self._file: IO[str] = os.fdopen(os.open(path, NEW_FILE, 0o600), "w", encoding="utf-8")
        except FileExistsError:
            raise RecordingError(f"'{path}' is there already: choose another name") from None
        except OSError as error:
            raise RecordingError(f"'{path}' cannot be written: {error.strerror}") from error
        try:
            self._write_line({"recording": VERSION, "port": port})
        except RecordingError:
            path.unlink(missing_ok=True)
            raise

    def record_read(self, data: bytes, now: float) -> None:
        """`data` came from the device at `now`, seconds. Raises RecordingError, as all that write here do."""
        self._write_line({"t": self._seconds_since_start(now), "in": data.hex()})

    def record_written(self, data: bytes, now: float) -> None:
        """`data` went to the device."""
        self._write_line({"t": self._seconds_since_start(now), "out": data.hex()})

    def record_event(self, event: LinkEvent) -> None:
        """What it meant."""
        self._write_line({"t": self._seconds_since_start(event.at), **event_to_plain(event)})

    def close(self) -> None:
        """The recording ends here."""
        with suppress(OSError):  # the line before reported it
            self._file.close()

    def _seconds_since_start(self, now: float) -> float:
        return round(now - self._start, 6)

    def _write_line(self, values: dict[str, object]) -> None:
        try:
            self._file.write(json.dumps(values, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise RecordingError(f"'{self._path}' cannot be written: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a recording: `t` seconds from its start, `inward` from the device."""

    t: float
    inward: bool
    data: bytes


def replay(path: Path) -> Iterator[LinkEvent | Piece]:
    """What a recording holds, in order; times count from its start. Raises RecordingError naming the line."""
    number = 0
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is not a file")
        with path.open("rb") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(LINE_MAX_BYTES), b""), 1):
                values = json.loads(line)
                if number > 1:
                    yield _read_piece(values)
                elif values.get("recording") != VERSION:
                    raise MessageError(f"no recording of version {VERSION}")
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise RecordingError(f"line {number} of {path} cannot be replayed: it is not JSON") from None
    except MessageError as error:
        raise RecordingError(f"line {number} of {path} cannot be replayed: {error}") from None
    except Exception as error:
        raise RecordingError(
            f"line {number} of {path} cannot be replayed: it is not a line of a recording"
        ) from error
    if not number:
        raise RecordingError(f"{path} is empty: no recording")


def _read_piece(values: dict[str, Any]) -> LinkEvent | Piece:
    t = _read_seconds("t", values.pop("t"))
    if "event" in values:
        return event_from_plain(values, t)
    inward = "in" in values
    return Piece(t, inward, bytes.fromhex(values["in" if inward else "out"]))
