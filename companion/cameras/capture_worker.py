"""Runs OpenCV's video capture in a process of its own: decoders of foreign films and drivers crash and hang.

`capture_process` starts it by its path: it imports nothing of companion. What is to be captured comes as JSON
on stdin, then one byte for each wanted picture; with the end of stdin the process ends at once. Pictures go
into the slots of a shared memory in turn, each reported by a `MESSAGE`.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

MESSAGE = struct.Struct("=c2Iqd")
"""What happened; width and height in px; of an opened capture its number of frames and its rate, of a frame
the time at which it came (ns of the monotonic clock) and its place in the recording, s.
"""
STARTED, OPENED, PASSED, FRAME, END = b"S", b"O", b"P", b"F", b"E"
"""It runs; the capture is open; frames before the first wanted one are passed over; a frame; no more come."""
CANNOT_OPEN = 10
"""Exit status."""

SLOTS = 3
"""Pictures of a recording that are decoded ahead."""
MEGAPIXELS_MAX = 16  # 5312 × 2988 takes its decoder some 260 MB, twice that is 8K
SLOT_BYTES = 3 * MEGAPIXELS_MAX * 1_000_000
MEMORY_BYTES_MAX = 2 * 2**30
"""The most that this process may allocate: several times what the largest pictures need."""
PRINTED_BYTES_MAX = 2**16
"""The most that its libraries may print; no other file can be larger either."""
PASSED_EVERY_S = 0.5
RATE_MAX = 1000
"""Frames a second; a higher rate in a recording is ignored."""
FRAMES_PER_S = 30.0  # of a recording that does not state it
FAILED_READS_MAX = 5  # single frames are dropped on busy USB buses
RETRY_PAUSE_S = 0.05


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...
    def read(self, image: Any = None, /) -> tuple[bool, Any]: ...
    def get(self, property_id: int, /) -> float: ...
    def set(self, property_id: int, value: float, /) -> bool: ...


OpenCapture = Callable[[dict[str, Any]], Capture]


class _WantedFrames:
    """Bytes on stdin. The process ends with stdin: then the program is gone, or has closed the capture."""

    def __init__(self) -> None:
        self._count = threading.Semaphore(0)
        threading.Thread(target=self._read, daemon=True).start()

    def wait(self) -> None:
        """Wait until one more picture is wanted."""
        self._count.acquire()

    def _read(self) -> None:
        while wanted := os.read(0, 64):
            self._count.release(len(wanted))
        os._exit(0)


class _Output:
    """The shared memory with its pictures, and the pipe for messages."""

    def __init__(self, memory: Pixels, pipe: int) -> None:
        self._memory = memory
        self._pipe = pipe
        self._sent = 0
        self._shape = (0, 0, 3)

    def report(
        self, what: bytes, width: float = 0, height: float = 0, number: float = 0, seconds: float = 0.0
    ) -> None:
        os.write(self._pipe, MESSAGE.pack(what, int(width), int(height), int(number), seconds))

    @property
    def slot(self) -> Pixels:
        """Where the next picture goes, of the size of the one before."""
        height, width, _ = self._shape
        start = self._sent % SLOTS * SLOT_BYTES
        return self._memory[start : start + 3 * height * width].reshape(self._shape)

    def send(self, image: Any, t_ns: int, place_s: float) -> None:
        """Report this picture, copied into its slot if it is not there yet."""
        if image.shape[2:] != (3,) or image.nbytes > SLOT_BYTES:
            raise ValueError(f"a picture of {image.shape}")
        self._shape = image.shape
        slot = self.slot
        if image.ctypes.data != slot.ctypes.data:
            slot[...] = image
        self._sent += 1
        self.report(FRAME, image.shape[1], image.shape[0], t_ns, place_s)


def serve(open_capture: OpenCapture | None = None) -> None:
    """Capture what stdin asks for; never returns. argv: the descriptors of the shared memory and the pipe."""
    _limit(resource.RLIMIT_DATA, MEMORY_BYTES_MAX)
    _limit(resource.RLIMIT_FSIZE, PRINTED_BYTES_MAX)
    _limit(resource.RLIMIT_CORE, 0)  # it would hold pictures
    request = json.loads(_read_line())
    wanted = _WantedFrames()

    import cv2
    import numpy as np

    shared, pipe = map(int, sys.argv[1:])
    output = _Output(np.frombuffer(mmap.mmap(shared, SLOTS * SLOT_BYTES), np.uint8), pipe)
    output.report(STARTED)
    open_again = open_capture or _open
    capture = open_again(request)
    if not capture.isOpened():
        os._exit(CANNOT_OPEN)
    output.report(
        OPENED,
        max(0, capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
        max(0, capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        min(max(0, capture.get(cv2.CAP_PROP_FRAME_COUNT)), 2**62),
        capture.get(cv2.CAP_PROP_FPS),
    )
    if request["live"]:
        _send_newest(capture, wanted, output)
    else:
        _send_all(_play(capture, lambda: open_again(request), request, output), wanted, output)
    output.report(END)
    os._exit(0)  # a library that is torn down while its threads are at work may crash


def _limit(what: int, most: int) -> None:
    """Limit that resource, unless it is limited to less already."""
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(hard, most)
    resource.setrlimit(what, (most, most))


def _read_line() -> bytes:
    """The first line of stdin; reads no byte more."""
    line = b""
    while (byte := os.read(0, 1)) not in (b"", b"\n"):
        line += byte
    return line


def _open(request: dict[str, Any]) -> Capture:
    import cv2

    source = request["source"]
    if not request["live"]:
        if request["patches"]:
            return cv2.VideoCapture(_patch(source, request["patches"]), cv2.CAP_FFMPEG)
        return cv2.VideoCapture(_name_file(source))
    if request["stream_options"] is None:
        device = cv2.VideoCapture(source, cv2.CAP_V4L2)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the newest frame, not one from a queue
        return device
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = request["stream_options"]
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * request["opens_s"]),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * request["reads_s"]),
    ]  # fmt: skip
    return cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)


def _name_file(path: str) -> str:
    """A name that OpenCV accepts: it crashes at one that is not UTF-8."""
    if path.isascii() or os.fsencode(path).decode(errors="ignore") == path:
        return path
    return f"/proc/self/fd/{os.open(path, os.O_RDONLY)}"


def _patch(path: str, patches: list[tuple[int, str]]) -> str:
    """A name under which FFmpeg reads the file with other bytes (hexadecimal) at these places, in order."""
    own = f"/proc/self/fd/{os.open(path, os.O_RDONLY)}"
    replacements = {digits: os.memfd_create("patch") for _, digits in patches}
    for digits, replacement in replacements.items():
        os.write(replacement, bytes.fromhex(digits))
    pieces, at = [], 0
    for start, digits in patches:
        pieces += [f"subfile,,start,{at},end,{start},,:{own}", f"/proc/self/fd/{replacements[digits]}"]
        at = start + len(digits) // 2
    return "concat:" + "|".join([*pieces, f"subfile,,start,{at},end,0,,:{own}"])


def _send_all(frames: Iterator[tuple[Any, float]], wanted: _WantedFrames, output: _Output) -> None:
    """Send each frame when it is wanted."""
    wanted.wait()
    for image, place_s in frames:
        output.send(image, 0, place_s)
        wanted.wait()


def _play(
    capture: Capture, open_again: Callable[[], Capture], request: dict[str, Any], output: _Output
) -> Iterator[tuple[Any, float]]:
    """The frames of a recording starting at `begins_s`, and their places; where it loops, without end."""
    begins_s = request["begins_s"]
    while True:
        count = 0
        for each in _play_once(capture, begins_s, output):
            yield each
            count += 1
        if not (count and request["loop"]):
            return
        capture, begins_s = open_again(), 0.0


def _play_once(capture: Capture, begins_s: float, output: _Output) -> Iterator[tuple[Any, float]]:
    import cv2

    step_s = 1 / (find_rate(capture.get(cv2.CAP_PROP_FPS)) or FRAMES_PER_S)
    leaps = begins_s > 0 and capture.set(cv2.CAP_PROP_POS_MSEC, 1000 * begins_s)
    passed, reported_s = 0, time.monotonic()
    while True:
        ok, image = capture.read(output.slot)
        if not ok or image is None:
            return
        place_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if leaps or max(place_s, passed * step_s) >= begins_s:
            leaps = True
            yield image, place_s
            continue
        passed += 1
        if time.monotonic() - reported_s > PASSED_EVERY_S:
            reported_s = time.monotonic()
            output.report(PASSED)


def find_rate(rate: float) -> float | None:
    """Frames a second; None where the recording states no possible rate."""
    return rate if 0 < rate <= RATE_MAX else None


def _send_newest(capture: Capture, wanted: _WantedFrames, output: _Output) -> None:
    """Send the newest frame whenever one is wanted; older ones are dropped, so that no queue builds up."""
    newest: deque[tuple[Any, int]] = deque(maxlen=1)
    changed, ended = threading.Condition(), threading.Event()

    def read_all() -> None:
        failed = 0
        try:
            while failed < FAILED_READS_MAX:
                ok, image = capture.read()
                if not ok or image is None:
                    failed += 1
                    time.sleep(RETRY_PAUSE_S)
                    continue
                failed = 0
                with changed:
                    newest.append((image, time.monotonic_ns()))
                    changed.notify()
        finally:
            with changed:
                ended.set()
                changed.notify()

    threading.Thread(target=read_all, daemon=True).start()
    while True:
        wanted.wait()
        with changed:
            changed.wait_for(lambda: newest or ended.is_set())
            frame = newest.pop() if newest else None
        if frame is None:
            return
        output.send(*frame, 0.0)


if __name__ == "__main__":
    serve()
