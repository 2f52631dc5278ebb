"""Runs OpenCV's video capture in a process of its own: decoders of foreign films and drivers crash and hang.

`capture_process` starts it by its path: it imports nothing of companion. What is to be captured comes as JSON
on stdin, then one byte for each wanted picture; with the end of stdin the process ends at once. Pictures go
into the slots of a shared memory in turn, each reported by a `MESSAGE`.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if sys.platform == "linux":
    import resource
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.cameras import v4l2

    Pixels = NDArray[np.uint8]

MESSAGE = struct.Struct("=c2Iqd")
"""What happened; width and height in px; of an opened capture its number of frames and its rate, of a frame
the time at which it came (ns of the monotonic clock) and its place in the recording, s.
"""
STARTED, OPENED, PASSED, FRAME, END = b"S", b"O", b"P", b"F", b"E"
"""It runs; the capture is open; frames before the first wanted one are passed over; a frame; no more come."""
CANNOT_OPEN, IN_USE, SENDS_NOTHING = 10, 11, 12
"""Exit statuses; the second and third are those of cameras."""
WANTED, HOLD_FOCUS, FREE_FOCUS, HOLD_LIGHT, FREE_LIGHT, QUIT = b".", b"f", b"F", b"l", b"L", b"q"
"""Bytes on stdin: a picture is wanted; the camera is to hold its focus, or to adjust it by itself again; the
same with exposure and colours; the process is to end. At its end all controls are as they were."""
MAINS_50, MAINS_60 = b"5", b"6"
"""The camera is to filter out the flicker of lamps at mains of 50 or 60 Hz."""

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
NO_PICTURE_S = 2
"""A camera that sends no picture for this long sends none in this mode."""
TRY_MODES_S = 1.5
"""After this time no other mode of a camera is tried."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def isOpened(self) -> bool: ...
    def read(self, image: Any = None, /) -> tuple[bool, Any]: ...
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Any]: ...
    def get(self, property_id: int, /) -> float: ...
    def set(self, property_id: int, value: float, /) -> bool: ...


OpenCapture = Callable[[dict[str, Any]], Capture]


class _Wishes:
    """Bytes on stdin. The process ends with stdin: then the program is gone, or has closed the capture.

    device: the camera that is open, if one is.
    """

    def __init__(self) -> None:
        self.device: _Device | None = None
        self._count = threading.Semaphore(0)
        threading.Thread(target=self._read, daemon=True).start()

    def wait(self) -> None:
        """Wait until one more picture is wanted."""
        self._count.acquire()

    def _read(self) -> None:
        while (wish := os.read(0, 1)) not in (b"", QUIT):
            if wish == WANTED:
                self._count.release()
            elif self.device is not None:
                self.device.adjust(wish)
        if self.device is not None:
            self.device.controls.release()
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
    wanted = _Wishes()

    import cv2
    import numpy as np

    shared, pipe = map(int, sys.argv[1:])
    output = _Output(np.frombuffer(mmap.mmap(shared, SLOTS * SLOT_BYTES), np.uint8), pipe)
    output.report(STARTED)
    open_again = open_capture or _open
    capture = open_again(request)
    if not capture.isOpened():
        os._exit(CANNOT_OPEN)
    if isinstance(capture, _Device):
        wanted.device = capture
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
        return _Device(source, request["mains_hz"], request["first_size"])
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = request["stream_options"]
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * request["opens_s"]),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * request["reads_s"]),
    ]  # fmt: skip
    return cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)


class _Device:
    """A camera in the best mode in which it sends pictures, with what is used here of its capture. Ends the
    process, with its status, where it sends none.

    mains_hz: of the lamps, whose flicker the camera is to filter out. first_size: of the pictures, px, that
    is tried first.
    """

    def __init__(self, path: str, mains_hz: int, first_size: Sequence[int] | None) -> None:
        self._v4l2 = _load_v4l2()
        if self._v4l2.is_in_use(path):
            os._exit(IN_USE)
        self.controls = self._v4l2.Controls(path)
        self.controls.hold(self._v4l2.MAINS[mains_hz])
        modes = self._v4l2.find_modes(path)
        modes.sort(key=lambda mode: [mode.width, mode.height] != first_size)
        self._shape = self._try_modes(path, modes)

    def isOpened(self) -> bool:
        return self._capture.isOpened()

    def get(self, property_id: int, /) -> float:
        """As the capture states it; but the size is that of the first picture."""
        import cv2

        sides = {cv2.CAP_PROP_FRAME_HEIGHT: 0, cv2.CAP_PROP_FRAME_WIDTH: 1}
        if property_id in sides:
            return float(self._shape[sides[property_id]])
        return self._capture.get(property_id)

    def set(self, property_id: int, value: float, /) -> bool:
        return self._capture.set(property_id, value)

    def read(self, image: Any = None, /) -> tuple[bool, Any]:
        return self.retrieve() if self.grab() else (False, None)

    def grab(self) -> bool:
        return self._capture.grab()

    def retrieve(self) -> tuple[bool, Any]:
        """OpenCV raises an error for a JPEG without a byte, as cameras send them."""
        import cv2

        try:
            return self._capture.retrieve()
        except cv2.error:
            return False, None

    def adjust(self, wish: bytes) -> None:
        """Do what this byte on stdin asks for."""
        focus, light, mains = self._v4l2.FOCUS, self._v4l2.LIGHT, self._v4l2.MAINS
        if wish in (FREE_FOCUS, FREE_LIGHT):
            self.controls.release(focus if wish == FREE_FOCUS else light)
        elif wish in (MAINS_50, MAINS_60):
            self.controls.hold(mains[50 if wish == MAINS_50 else 60])
        elif wish in (HOLD_FOCUS, HOLD_LIGHT):
            self.controls.hold(focus if wish == HOLD_FOCUS else light)

    def _try_modes(self, path: str, modes: list[v4l2.Mode]) -> tuple[int, ...]:
        """Open it in the first mode that sends pictures of its size, or else in that with the largest; return
        their shape."""
        begun_s = time.monotonic()
        best: v4l2.Mode | None = None
        most, opens = 0, False
        for mode in modes:
            if mode.width * mode.height <= most or time.monotonic() - begun_s > TRY_MODES_S:
                continue
            shape = self._open_mode(path, mode)
            opens |= self._capture.isOpened()
            if shape[0] * shape[1] >= mode.width * mode.height:
                return shape
            if shape[0] * shape[1] > most:
                best, most = mode, shape[0] * shape[1]
            self._capture.release()
        if best is None:
            self.controls.release()
            os._exit(SENDS_NOTHING if opens else CANNOT_OPEN)
        return self._open_mode(path, best)

    def _open_mode(self, path: str, mode: v4l2.Mode) -> tuple[int, ...]:
        """Open it in that mode, and return the shape of the first picture, (0, 0) where none comes."""
        import cv2

        wanted = [
            cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*mode.fourcc),
            cv2.CAP_PROP_FRAME_WIDTH, mode.width, cv2.CAP_PROP_FRAME_HEIGHT, mode.height,
            cv2.CAP_PROP_BUFFERSIZE, 1,  # the newest frame, not one from a queue
            cv2.CAP_PROP_FPS, round(mode.rate),  # each of the others sets it to 30
        ]  # fmt: skip
        self._capture = cv2.VideoCapture(path, cv2.CAP_V4L2, wanted)
        begun_s = time.monotonic()
        for _ in range(FAILED_READS_MAX if self._capture.isOpened() else 0):
            ok, image = self.read()
            if ok:
                return tuple(image.shape)
            if time.monotonic() - begun_s > NO_PICTURE_S:
                break
            time.sleep(RETRY_PAUSE_S)
        return 0, 0


def _load_v4l2() -> ModuleType:
    """`companion.cameras.v4l2`, by its path."""
    spec = spec_from_file_location("v4l2", Path(__file__).with_name("v4l2.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["v4l2"] = module  # where its dataclasses look for it
    spec.loader.exec_module(module)
    return module


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


def _send_all(frames: Iterator[tuple[Any, float]], wanted: _Wishes, output: _Output) -> None:
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


def _send_newest(capture: Capture, wanted: _Wishes, output: _Output) -> None:
    """Send the next frame whenever one is wanted. All others are taken and dropped, so that no queue builds
    up; those of a webcam are not even decoded."""
    asked, frames = threading.Event(), SimpleQueue[tuple[Any, int] | None]()

    def take_all() -> None:
        failed = 0
        try:
            while failed < FAILED_READS_MAX:
                ok, image = capture.grab(), None
                t_ns = time.monotonic_ns()
                if ok and asked.is_set():
                    ok, image = capture.retrieve()
                if not ok:
                    failed += 1
                    time.sleep(RETRY_PAUSE_S)
                    continue
                failed = 0
                if image is not None:
                    asked.clear()
                    frames.put((image, t_ns))
        finally:
            frames.put(None)

    threading.Thread(target=take_all, daemon=True).start()
    while True:
        wanted.wait()
        asked.set()
        frame = frames.get()
        if frame is None:
            return
        output.send(*frame, 0.0)


if __name__ == "__main__":
    serve()
