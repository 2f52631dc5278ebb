"""Recordings of one game on one clock: what cameras and devices recorded, in the order in which it came in.

Each recording counts its time from its own beginning: a video from its first picture, a session of a device
from when it was begun to be recorded. `offset_ns` of a recording is the time on the common clock at which it
began, and may be negative. Where two were begun by one program, offsets are the differences of its clock
then. Otherwise take something that is in both, such as a throw of the dice: the offset of the second is its
time in the first recording minus its time in the second.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from companion.cameras import Frame, RecordedCamera
from firmware_bridge.recording import Piece, replay
from firmware_bridge.session import LinkEvent

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, eq=False)
class Moment(Generic[T_co]):
    """Something recorded: when it came in on the common clock, the name of its recording, and what it is."""

    t_ns: int
    recording: str
    what: T_co


def read_frames(path: Path, offset_ns: int = 0) -> Iterator[Moment[Frame]]:
    """The frames of a video, or of a folder of pictures, once through. Raises CameraError, as
    `RecordedCamera`.
    """
    with RecordedCamera(path, loop=False, paced=False) as camera:
        for frame in camera.frames():
            yield Moment(frame.t_ns + offset_ns, str(path), frame)


def read_reports(path: Path, offset_ns: int = 0) -> Iterator[Moment[LinkEvent]]:
    """The events of a device's recorded session, by when they came: `happened` of each may be earlier. Raises
    RecordingError.
    """
    for event in replay(path):
        if not isinstance(event, Piece):
            yield Moment(round(event.at * 1e9) + offset_ns, str(path), event)


def merge_by_time(*recordings: Iterable[Moment[T]]) -> Iterator[Moment[T]]:
    """All moments of the recordings by their time; those of one time in the order of the recordings.

    Each recording must be in order itself. Of each only one moment is held at a time.
    """
    return heapq.merge(*recordings, key=lambda moment: moment.t_ns)
