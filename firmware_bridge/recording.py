"""A session in a file: JSON lines with what was read and written (hex) and what it meant, and back again.

The first line is {"recording": 1, "port": …}; every other has "t", seconds from the start, and one of "in",
"out" (hex) or "event".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from firmware_bridge.errors import MessageError, RecordingError
from firmware_bridge.handshake import Welcome
from firmware_bridge.peer import End, Received
from firmware_bridge.plain import from_plain, to_plain
from firmware_bridge.session import Ended, Event, NotSpoken, Opened

VERSION = 1


def event_to_plain(event: Event) -> dict[str, object]:
    """`event` as JSON values, without its time."""
    if isinstance(event, Received):
        late = round(event.at - event.happened, 6)
        return {"event": "received", "seq": event.seq, "late": late, **to_plain(event.message)}
    if isinstance(event, Opened):
        return {"event": "opened", **to_plain(event.device)}
    if isinstance(event, Ended):
        return {"event": "ended", "reason": event.reason.name}
    return {"event": "refused", "reason": event.reason, "least": event.least, "most": event.most}


def event_from_plain(plain: dict[str, Any], at: float) -> Event:
    """What `event_to_plain` made, at a time of its own. Raises MessageError, KeyError, TypeError where it
    did not.
    """
    values = dict(plain)
    kind = values.pop("event")
    if kind == "received":
        seq, late = values.pop("seq"), values.pop("late")
        return Received(from_plain(values), at, at - late, seq)
    if kind == "opened":
        device = from_plain(values)
        if not isinstance(device, Welcome):
            raise MessageError(f"an opened session with {values!r} instead of a welcome")
        return Opened(device, at)
    if kind == "ended":
        return Ended(End[values["reason"]], at)
    if kind == "refused":
        return NotSpoken(values["reason"], values["least"], values["most"], at)
    raise MessageError(f"no event: {kind!r}")


class Recorder:
    """Writes a recording. `start` is the time (seconds) that counts as 0."""

    def __init__(self, path: Path, port: str, start: float) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8")
        self._start = start
        self._line({"recording": VERSION, "port": port})

    def bytes_read(self, data: bytes, now: float) -> None:
        self._line({"t": self._t(now), "in": data.hex()})

    def bytes_written(self, data: bytes, now: float) -> None:
        self._line({"t": self._t(now), "out": data.hex()})

    def event(self, event: Event) -> None:
        self._line({"t": self._t(event.at), **event_to_plain(event)})

    def close(self) -> None:
        self._file.close()

    def _t(self, now: float) -> float:
        return round(now - self._start, 6)

    def _line(self, values: dict[str, object]) -> None:
        self._file.write(json.dumps(values, ensure_ascii=False) + "\n")
        self._file.flush()


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a recording: `t` seconds from its start, `inward` from the device."""

    t: float
    inward: bool
    data: bytes


def replay(path: Path) -> Iterator[Event | Piece]:
    """What a recording holds, in order; times count from its start. Raises RecordingError naming the line."""
    try:
        lines = path.open(encoding="utf-8")
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from None
    with lines:
        for number, line in enumerate(lines, 1):
            try:
                values = json.loads(line)
                if number == 1:
                    if values.get("recording") != VERSION:
                        raise MessageError(f"no recording of version {VERSION}")
                    continue
                t = float(values.pop("t"))
                if "event" in values:
                    yield event_from_plain(values, t)
                else:
                    inward = "in" in values
                    yield Piece(t, inward, bytes.fromhex(values["in" if inward else "out"]))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RecordingError(f"line {number} of {path} cannot be replayed: {error}") from None
