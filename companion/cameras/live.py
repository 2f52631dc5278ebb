"""A camera that is plugged in, read by a thread of its own: a driver may hang when the plug is pulled.

Only that thread touches the OpenCV capture: releasing one while another thread reads it can crash.
"""

from __future__ import annotations

import logging
import threading
import time
from types import TracebackType
from typing import Self

from companion.cameras.frames import Frame, OpenCapture, Read
from companion.errors import CameraError
from companion.sentences import msgid

OPEN_TIMEOUT_S = 8.0  # USB cameras negotiate for some seconds on a slow board
READ_TIMEOUT_S = 2.0  # at one frame a second, the slowest a camera goes in the dark, two frames late
FAILED_READS_MAX = 5  # single frames are dropped on busy USB buses
RETRY_PAUSE_S = 0.05
CLOSE_TIMEOUT_S = 1.0
CANNOT_OPEN = msgid("The camera {name} cannot be opened: close what else uses it, or plug it in again.")
SILENT = msgid("The camera {name} sends no more pictures: plug it in again or choose another one.")

_log = logging.getLogger(__name__)


class LiveCamera:
    """Frames of one device, always the newest: frames that nobody read in time are dropped.

    Raises CameraError if the device cannot be opened. cannot_open, silent: what is said then, and when no
    more pictures come; of {name}.
    """

    def __init__(
        self,
        name: str,
        open_capture: OpenCapture,
        *,
        open_timeout_s: float = OPEN_TIMEOUT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
        cannot_open: str = CANNOT_OPEN,
        silent: str = SILENT,
    ) -> None:
        self._name = name
        self._silent = silent
        self._open_capture = open_capture
        self._read_timeout_s = read_timeout_s
        self._changed = threading.Condition()
        self._opened = False
        self._stopping = False
        self._ended = False
        self._frame: Frame | None = None
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._opened or self._ended, open_timeout_s)
            if not self._opened:
                self._stopping = True
                raise CameraError(cannot_open, name=name)

    def read(self) -> Frame:
        """The newest frame not yet read, waiting at most the read timeout. Raises CameraError."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or self._ended, self._read_timeout_s)
            frame, self._frame = self._frame, None
            if frame is None:
                raise CameraError(self._silent, name=self._name)
            return frame

    def close(self) -> None:
        """Stop reading and free the device, if the driver answers within a second."""
        with self._changed:
            self._stopping = True
            self._frame = None
        self._thread.join(CLOSE_TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        try:
            capture = self._open_capture()
            try:
                if capture.isOpened():
                    with self._changed:
                        self._opened = True
                        self._changed.notify_all()
                    self._pump(capture.read)
            finally:
                capture.release()
        except Exception:  # whatever a driver does, the reader gets a CameraError
            _log.info("camera %s ended", self._name, exc_info=True)
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _pump(self, read: Read) -> None:
        failed = 0
        while not self._stopping and failed < FAILED_READS_MAX:
            ok, image = read()
            if not ok or image is None:
                failed += 1
                time.sleep(RETRY_PAUSE_S)
                continue
            failed = 0
            with self._changed:
                if not self._stopping:
                    self._frame = Frame(image, time.monotonic_ns())
                    self._changed.notify_all()
