"""The program's end of a video capture that runs in a process of its own, which is killed to be closed.

A film that crashes its decoder, or a stream that never finishes opening, costs that process and no more. Its
pictures come through shared memory. It is killed by `close`, and ends by itself when the program is gone. The
libraries that read films and streams, OpenSSL 1.1.1 for `https` among them, meet foreign bytes only there.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from enum import Enum, auto
from pathlib import Path
from weakref import finalize

import numpy as np

from companion.cameras import capture_worker as worker
from companion.images import Image
from companion.stopping import wait_readable

START_S = 30.0
"""The longest that loading Python and OpenCV may take; a slow board with a busy disk takes some seconds."""
RESTORE_S = 0.5
"""How long a camera is waited for that takes its own settings back."""
END_S = 1.0
"""How long a killed process is waited for: one that is stuck in a driver cannot end."""
WORKER = Path(worker.__file__)
QUIET = {
    "OPENBLAS_NUM_THREADS": "1", "OPENCV_LOG_LEVEL": "ERROR", "OPENCV_FFMPEG_LOGLEVEL": "-8",
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": str(worker.NO_PICTURE_S),
}  # fmt: skip
if sys.platform == "linux":
    import fcntl

    SHARED = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
    """The shared memory cannot shrink while the program reads it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What is to be captured: a video file, a device or, with `stream_options` for FFmpeg, a URL. live: only
    the newest frame counts. begins_s: the place of a recording's first frame; loop: whether it begins again
    at its end. patches: places in a file, in order, and the bytes (hexadecimal) that its decoder gets there
    instead. opens_s, reads_s: the longest it may take to open, and to send each frame.
    """

    source: str
    opens_s: float
    reads_s: float
    live: bool = False
    stream_options: str | None = None
    begins_s: float = 0.0
    loop: bool = False
    patches: tuple[tuple[int, str], ...] = ()
    mains_hz: int = 50
    first_size: tuple[int, int] | None = None

    @property
    def is_device(self) -> bool:
        return self.live and self.stream_options is None


@dataclass(frozen=True, slots=True)
class Opened:
    """What an open capture states, each 0 where unknown: the size of its frames in px, their number, and
    their rate, frames a second."""

    width: int
    height: int
    n_frames: int
    rate: float


class Trouble(Enum):
    """Why a capture sends no frame: the system is not Linux, there is no room for its process, the source is
    not a video, another program uses the camera, it is open and sends nothing, it did not answer in time, or
    it crashed."""

    OTHER_SYSTEM = auto()
    CANNOT_START = auto()
    CANNOT_OPEN = auto()
    IN_USE = auto()
    SENDS_NOTHING = auto()
    LATE = auto()
    CRASHED = auto()


class Holding(Enum):
    """What a camera adjusts by itself, unless it is held."""

    FOCUS = auto()
    LIGHT = auto()


class CaptureError(Exception):
    """A capture that sends no frame, or no more frames."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.name)
        self.trouble = trouble


class CaptureProcess:
    """An open capture. Raises CaptureError where it does not open. name: for the log, without passwords."""

    def __init__(self, request: CaptureRequest, name: str, *, worker_file: Path = WORKER) -> None:
        if sys.platform != "linux":
            raise CaptureError(Trouble.OTHER_SYSTEM)
        self._request = request
        self._name = name
        self._taken = self._requested = 0
        self._lock = threading.Lock()
        self._is_open = self._is_over = False
        try:
            self._start(worker_file)
        except OSError as error:
            raise CaptureError(Trouble.CANNOT_START) from error
        try:
            self._write(json.dumps(asdict(request)).encode() + b"\n")
            self._receive(worker.STARTED, START_S)
            _, width, height, count, rate = self._receive(worker.OPENED, request.opens_s)
        except BaseException:
            self.close()
            raise
        self.opened = Opened(width, height, count, worker.find_rate(rate) or 0.0)
        self._is_open = True

    def _start(self, worker_file: Path) -> None:
        size = worker.SLOTS * worker.SLOT_BYTES
        with ExitStack() as files, ExitStack() as of_worker:
            self._printed = _keep(files, os.memfd_create("printed"))
            shared = _keep(of_worker, os.memfd_create("frames", SHARED))
            self._messages, sending = os.pipe()
            _keep(files, self._messages)
            _keep(of_worker, sending)
            os.ftruncate(shared, size)
            fcntl.fcntl(shared, fcntl.F_ADD_SEALS, SEALS)
            self._memory = files.enter_context(mmap.mmap(shared, size, prot=mmap.PROT_READ))
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-X", "faulthandler", worker_file, str(shared), str(sending)],
                stdin=subprocess.PIPE, stdout=self._printed, stderr=self._printed, bufsize=0,
                pass_fds=(shared, sending),
                env=QUIET | os.environ,
                start_new_session=True,  # Ctrl-C at the terminal is for the program
            )  # fmt: skip
            assert self._process.stdin is not None
            self._stdin = files.enter_context(self._process.stdin)
            self._end = finalize(self, _end, self._process, files.pop_all())

    def read(self) -> tuple[Image, int, float] | None:
        """The next frame (height, width, 3) uint8 BGR, when it came (ns of the monotonic clock; 0 of a
        recording), and its place in the recording, s. None at the end and once closed. Raises CaptureError.
        """
        with self._lock:
            if self._is_over:
                return None
            requested = self._taken + (1 if self._request.live else worker.SLOTS)
            self._write(worker.WANTED * (requested - self._requested))
            self._requested = requested
            what, width, height, t_ns, place_s = self._receive(worker.FRAME, self._request.reads_s)
            if what == worker.END:
                self._is_over = True
                return None
            size = 3 * width * height
            if not 0 < size <= worker.SLOT_BYTES:
                raise CaptureError(Trouble.CRASHED)
            start = self._taken % worker.SLOTS * worker.SLOT_BYTES
            image = np.frombuffer(self._memory, np.uint8, size, start).reshape(height, width, 3).copy()
            self._taken += 1
            return image, t_ns, place_s

    def hold(self, what: Holding, is_held: bool) -> None:
        """Have a camera keep its focus or its light as it is, or adjust it by itself again."""
        held, free = _HOLD[what]
        self._write(held if is_held else free)

    def set_mains(self, hz: int) -> None:
        """Have a camera filter out the flicker of lamps at mains of 50 or 60 Hz."""
        self._write(worker.MAINS_50 if hz == 50 else worker.MAINS_60)

    def close(self) -> None:
        """End the process; a camera's controls are then as they were. Closing twice, and while another thread
        reads, is harmless."""
        if self._request.is_device and self._is_open and not self._is_over:
            self._write(worker.QUIT)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(RESTORE_S)
        self._is_over = True
        self._process.kill()
        with self._lock:
            self._end()

    def _write(self, data: bytes) -> None:
        with suppress(BrokenPipeError, ValueError):  # it ended, or is closed: `_receive` will notice
            self._stdin.write(data)

    def _receive(self, wanted: bytes, within_s: float) -> tuple[bytes, int, int, int, float]:
        """The next message of that kind, or END. Raises CaptureError."""
        end_s = time.monotonic() + within_s
        while True:
            if not wait_readable(self._messages, max(0.0, end_s - time.monotonic())):
                raise CaptureError(Trouble.LATE)
            data = os.read(self._messages, worker.MESSAGE.size)
            if len(data) != worker.MESSAGE.size:
                raise CaptureError(self._find_trouble())
            message: tuple[bytes, int, int, int, float] = worker.MESSAGE.unpack(data)
            if message[0] in (wanted, worker.END):
                return message
            if message[0] != worker.PASSED:
                raise CaptureError(Trouble.CRASHED)
            end_s = time.monotonic() + within_s

    def _find_trouble(self) -> Trouble:
        """Why it sends no more frames; what it printed is logged if it crashed."""
        try:
            status = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return Trouble.LATE
        if self._is_over:
            return Trouble.CANNOT_OPEN
        if status in _BY_STATUS:
            return _BY_STATUS[status]
        printed = os.pread(self._printed, worker.PRINTED_BYTES_MAX, 0).decode(errors="replace")
        _log.warning(
            "capturing %s ended with status %s: %s",
            self._name, status, printed.replace(self._request.source, self._name),
        )  # fmt: skip
        return Trouble.CRASHED


_HOLD = {
    Holding.FOCUS: (worker.HOLD_FOCUS, worker.FREE_FOCUS),
    Holding.LIGHT: (worker.HOLD_LIGHT, worker.FREE_LIGHT),
}
_BY_STATUS = {
    worker.CANNOT_OPEN: Trouble.CANNOT_OPEN,
    worker.IN_USE: Trouble.IN_USE,
    worker.SENDS_NOTHING: Trouble.SENDS_NOTHING,
}


def _keep(files: ExitStack, file: int) -> int:
    """The descriptor, which is closed with `files`."""
    files.callback(os.close, file)
    return file


def _end(process: subprocess.Popen[bytes], files: ExitStack) -> None:
    process.kill()
    files.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_S)
