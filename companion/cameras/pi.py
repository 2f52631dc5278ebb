"""The camera on a Raspberry Pi's ribbon cable: pictures of `rpicam-vid`, which runs as long as it is open.

libcamera's programs end or stall after a hiccup of the cable or the power, so the process is started again
before the camera counts as lost. Nothing here was tried on a Raspberry Pi: the options and messages are those
of rpicam-apps 1.4 and later, and of libcamera-vid before.
"""

from __future__ import annotations

import getpass
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from companion.cameras.capture_process import END_S, Opened
from companion.cameras.frames import CameraInfo, Frame
from companion.cameras.mains import find_mains_hz
from companion.cameras.v4l2 import WANTED
from companion.errors import CameraError
from companion.files import name_reason
from companion.images import Image
from companion.sentences import msgid
from companion.stopping import wait_readable

if sys.platform == "linux":
    import fcntl

PI_CAMERA = CameraInfo("pi", msgid("Raspberry Pi camera"))
"""The first camera that rpicam-vid lists."""
COMMANDS = ("rpicam-vid", "libcamera-vid")
"""The program and its name on older systems."""
PI_NODES = ("bcm2835-", "pispbe", "rp1-cfe", "rpi-hevc", "unicam")
"""How the names of a Raspberry Pi's own video devices begin. They send raw data or convert pictures: only
libcamera makes a camera of them."""
DEVICES, NODES = Path("/dev"), ("media*", "video*", "dma_heap/*")
"""What libcamera opens: of the group video on Raspberry Pi OS."""
QUALITY = 85
"""Of its JPEGs, in percent: a choice, above the 50 that it takes by itself."""
FLICKER_PERIODS_US = {50: 10_000, 60: 8_333}
"""Of lamps, by the mains' Hz."""
LIST_S = 5.0
"""The longest that it may take to list cameras."""
START_S, SILENT_S = 4.0, 2.0
"""The longest until its first picture, and between two. After one silent second libcamera restarts the camera
itself."""
PAUSES_S = (0.2, 0.8)
"""Before each new start. With them a camera is given up after some 13 s."""
PICTURE_BYTES_MAX = 8_000_000
PIECE_BYTES = 2**16  # what a pipe holds
PRINTED_BYTES_MAX = 2**16
NO_PROGRAM = "The Raspberry Pi camera needs rpicam-vid, which is not installed: sudo apt install rpicam-apps."
NO_CAMERA = msgid(
    "No Raspberry Pi camera was found: turn the computer off, check that the ribbon cable is straight, the"
    " right way round and held by the clips at both ends, and turn it on again."
)
IN_USE = msgid("The Raspberry Pi camera is used by another program: close that program, then try again.")
SILENT = (
    "The Raspberry Pi camera sends no pictures: turn the computer off, check its ribbon cable, and turn it on"
    " again."
)
NOT_ALLOWED = (
    "This account may not use the Raspberry Pi camera: sudo usermod --append --groups video {user}, then log"
    " out and in again."
)
CANNOT_START = "rpicam-vid cannot be started ({why}): close other programs."
TROUBLES = {"no cameras available": NO_CAMERA, "failed to acquire camera": IN_USE}
"""What rpicam-vid prints where starting it again would not help, and what that means."""

_log = logging.getLogger(__name__)


def find_command() -> str | None:
    """The path of rpicam-vid, if it is installed."""
    return next(filter(None, map(shutil.which, COMMANDS)), None)


def list_pi_cameras() -> tuple[CameraInfo, ...]:
    """PI_CAMERA where this computer has one. It is looked for once: without power off, none is plugged in."""
    command = find_command()
    try:
        return (PI_CAMERA,) if command and _has_camera(command) else ()
    except (OSError, subprocess.SubprocessError):
        _log.warning("%s does not list the cameras", command, exc_info=True)
        return ()


@cache
def _has_camera(command: str) -> bool:
    listed = subprocess.run(
        [command, "--list-cameras"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
        timeout=LIST_S, check=False,
    )  # fmt: skip
    return any(line.lstrip().startswith("0 :") for line in listed.stdout.splitlines())


class JpegStream:
    """Finds the pictures in bytes in which one JPEG follows another, and drops all else: cut-off pictures,
    and bytes between pictures."""

    BEGIN, END = b"\xff\xd8\xff", b"\xff\xd9"
    """The end is never among the bits of pixels (ITU-T T.81, B.1.1.5)."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> bytes | None:
        """The last picture that ends in these bytes, None where none does."""
        start = max(0, len(self._held) - 1)
        self._held += data
        end = self._held.rfind(self.END, start)
        if end < 0:
            if len(self._held) > PICTURE_BYTES_MAX:
                self._held.clear()
            return None
        begin = self._held.rfind(self.BEGIN, 0, end)
        picture = bytes(self._held[begin : end + 2]) if begin >= 0 else None
        del self._held[: end + 2]
        return picture


class _Process:
    """rpicam-vid while it runs, and the newest whole picture that it has sent. Raises OSError where it does
    not start. printed: its errors, once it has ended.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.printed = ""
        self._changed = threading.Condition()
        self._newest: tuple[bytes, int] | None = None
        self._has_sent = self._has_ended = self._is_killed = False
        self._errors = os.memfd_create("errors", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self._errors, PRINTED_BYTES_MAX)
        fcntl.fcntl(self._errors, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0,
                start_new_session=True,  # Ctrl-C at the terminal is for the program
            )  # fmt: skip
        except OSError:
            os.close(self._errors)
            raise
        self._thread = threading.Thread(target=self._keep_newest, name="rpicam-vid", daemon=True)
        self._thread.start()

    def take(self) -> Frame | None:
        """The newest picture not yet taken, waiting for it; None where none comes in time, and where the
        process has ended."""
        end_s = time.monotonic() + (SILENT_S if self._has_sent else START_S)
        while (left_s := end_s - time.monotonic()) > 0:
            with self._changed:
                self._changed.wait_for(lambda: self._newest is not None or self._has_ended, left_s)
                newest, self._newest = self._newest, None
            if newest is None:
                return None
            jpeg, t_ns = newest
            image = _decode(jpeg)
            if image is not None:
                self._has_sent = True
                return Frame(image, t_ns)
        return None

    def end(self) -> None:
        """Have it ended: at once, or within a second where it is stuck in a driver."""
        self._is_killed = True
        self._process.kill()
        self._thread.join(END_S)

    def _keep_newest(self) -> None:
        stream = JpegStream()
        pipe = self._process.stdout
        assert pipe is not None
        with pipe:
            while data := pipe.read(PIECE_BYTES):
                picture = stream.feed(data)
                if picture is not None:
                    with self._changed:
                        self._newest = picture, time.monotonic_ns()
                        self._changed.notify_all()
        self._process.kill()  # one that has closed its output is of no use
        status = self._process.wait()
        self.printed = os.pread(self._errors, PRINTED_BYTES_MAX, 0).rstrip(b"\0").decode(errors="replace")
        os.close(self._errors)
        if not self._is_killed:
            _log.warning("rpicam-vid ended with status %s: %s", status, self.printed)
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()


class PiCamera:
    """Frames of PI_CAMERA, always the newest: frames that nobody read in time are dropped.

    Raises CameraError if rpicam-vid is not installed, or sends nothing. opened: the size of its first frame.
    """

    name = PI_CAMERA.name

    def __init__(self) -> None:
        command = find_command()
        if command is None:
            raise CameraError(NO_PROGRAM)
        self._command = _list_arguments(command)
        self._changing = threading.Lock()
        self._process: _Process | None = None
        self._is_closed = False
        try:
            height, width = self.read().image.shape[:2]
        except BaseException:
            self.close()
            raise
        self.opened = Opened(width, height, 0, WANTED.rate)

    def read(self) -> Frame:
        """The newest frame not yet read, waiting for it; rpicam-vid is started again where none comes. Raises
        CameraError once that has not helped, or will not."""
        for pause_s in (0.0, *PAUSES_S):
            wait_readable(None, pause_s)
            process = self._start()
            frame = process.take()
            if frame is not None:
                return frame
            self._end()
            _log.warning("no picture came from rpicam-vid")
            for mark, sentence in TROUBLES.items():
                if mark in process.printed:
                    if sentence == NO_CAMERA and _finds_closed_node():
                        raise CameraError(NOT_ALLOWED, user=getpass.getuser())
                    raise CameraError(sentence)
        raise CameraError(SILENT)

    def close(self) -> None:
        """End rpicam-vid. Closing twice, and while another thread reads, is harmless."""
        self._is_closed = True
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> _Process:
        """The process that runs, a new one where none does."""
        with self._changing:
            if self._is_closed:
                raise CameraError(SILENT)
            try:
                self._process = self._process or _Process(self._command)
            except PermissionError as error:
                raise CameraError(NOT_ALLOWED, user=getpass.getuser()) from error
            except OSError as error:
                raise CameraError(CANNOT_START, why=name_reason(error)) from error
            return self._process

    def _end(self) -> None:
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            process.end()


def _finds_closed_node() -> bool:
    """Whether this account may not open a node: libcamera then lists no camera, and says nothing of it."""
    nodes = (node for pattern in NODES for node in DEVICES.glob(pattern))
    return any(not os.access(node, os.R_OK | os.W_OK) for node in nodes)


def _list_arguments(command: str) -> list[str]:
    """The command for pictures of a table, without end, each sent as soon as it is whole."""
    wanted = ["--width", WANTED.width, "--height", WANTED.height, "--framerate", round(WANTED.rate)]
    sent = ["--codec", "mjpeg", "--quality", QUALITY, "--flush", "--output", "-"]
    lamps = ["--flicker-period", f"{FLICKER_PERIODS_US[find_mains_hz()]}us"]
    return [
        command, "--nopreview", "--timeout", "0", "--verbose", "0", *map(str, wanted), *map(str, sent),
        *(lamps if Path(command).name == "rpicam-vid" else []),  # older ones do not know it
    ]  # fmt: skip


def _decode(jpeg: bytes) -> Image | None:
    """Its pixels, (height, width, 3) uint8 BGR; None where it is damaged."""
    try:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else image.astype(np.uint8, copy=False)
