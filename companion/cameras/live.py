"""A live camera or stream: always its newest frame, or an error in time.

A driver may hang when the plug is pulled, and a stream never finish opening: each has a process of its own.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from companion.cameras.capture_process import WORKER, CaptureError, CaptureProcess, CaptureRequest
from companion.cameras.frames import Frame
from companion.errors import CameraError
from companion.sentences import msgid

OPEN_TIMEOUT_S = 8.0  # USB cameras negotiate for some seconds on a slow board
READ_TIMEOUT_S = 2.0  # at one frame a second, the slowest a camera goes in the dark, two frames late
CANNOT_OPEN = msgid("The camera {name} cannot be opened: close what else uses it, or plug it in again.")
SILENT = msgid("The camera {name} sends no more pictures: plug it in again or choose another one.")


class LiveCamera:
    """Frames of one device or stream, always the newest: frames that nobody read in time are dropped.

    Raises CameraError if it cannot be opened. name: for people, without passwords. cannot_open, silent: the
    sentences for that, and for when no more pictures come; with {name}.
    """

    def __init__(
        self,
        name: str,
        source: str,
        *,
        stream_options: str | None = None,
        open_timeout_s: float = OPEN_TIMEOUT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
        cannot_open: str = CANNOT_OPEN,
        silent: str = SILENT,
        worker_file: Path = WORKER,
    ) -> None:
        self._name = name
        self._silent = silent
        request = CaptureRequest(
            source, open_timeout_s, read_timeout_s, live=True, stream_options=stream_options
        )
        try:
            self._capture = CaptureProcess(request, name, worker_file=worker_file)
        except CaptureError as error:
            raise CameraError(cannot_open, name=name) from error

    @property
    def n_frames(self) -> int:
        """The number of frames that it states: 0 unless it is a file."""
        return self._capture.opened.n_frames

    def read(self) -> Frame:
        """The newest frame not yet read, waiting at most the read timeout. Raises CameraError."""
        try:
            frame = self._capture.read()
        except CaptureError as error:
            raise CameraError(self._silent, name=self._name) from error
        if frame is None:
            raise CameraError(self._silent, name=self._name)
        image, t_ns, _ = frame
        return Frame(image, t_ns)

    def close(self) -> None:
        """Free the device: at once, and within a second even where its driver hangs."""
        self._capture.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
