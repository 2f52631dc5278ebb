"""A phone as a table's camera: its pictures come through the served page, always the newest one.

A picture is wanted when a reader waits for one, or has just taken the one before. The phone sends no other,
so nothing queues, and a phone or network that is slow sends fewer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from companion.cameras.connected import check_size
from companion.cameras.frames import CameraInfo, Frame
from companion.errors import CameraError
from companion.images import Image
from companion.sentences import msgid

PHONE = CameraInfo("phone", msgid("Phone"))
"""The phone that shows the page's camera, whichever it is."""
SILENT_S = 4.0
"""The longest that a reader waits for a picture: the phone may be waking up, or looking for its Wi-Fi."""
STALE_NS = 500_000_000
"""A picture that waited longer is replaced by a new one before it is read."""
NO_PHONE = (
    "The phone sends no pictures: open the table's page on it, choose Table camera, and leave it on the"
    " screen."
)


class PhonePictures:
    """The newest picture of the phone, between the page's server and whoever reads it. Safe for threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._readers = 0
        self._there_until_s = 0.0
        self._wake: Callable[[], None] = lambda: None
        self._welcome: Callable[[], None] = lambda: None

    # For the server.

    def call_when_wanted(self, wake: Callable[[], None]) -> None:
        """`wake` is called, on any thread, whenever a picture may be wanted."""
        self._wake = wake

    @property
    def is_read(self) -> bool:
        """Whether the table uses the phone as its camera now."""
        return self._readers > 0

    @property
    def is_wanted(self) -> bool:
        """Whether the phone should send a picture now."""
        return self._readers > 0 and self._newest is None

    def put(self, image: Image) -> None:
        """A picture that has come now, (height, width, 3) uint8 BGR."""
        with self._changed:
            self._newest = Frame(image, time.monotonic_ns())
            self._changed.notify_all()

    def note_phone(self, for_s: float) -> None:
        """A phone shows the page's camera, and will for that long, or say so again before."""
        is_used = self.is_there and self.is_read
        self._there_until_s = time.monotonic() + for_s
        if for_s and not is_used:
            self._welcome()

    # For readers.

    @property
    def is_there(self) -> bool:
        """Whether a phone shows the page's camera."""
        return time.monotonic() < self._there_until_s

    def call_when_there(self, welcome: Callable[[], None]) -> None:
        """`welcome` is called, on any thread, when a phone has come or come back, and again while it is there
        and nobody reads."""
        self._welcome = welcome

    def open(self) -> PhoneCamera:
        """A camera whose pictures are the phone's. It can be opened before there is a phone."""
        with self._changed:
            self._readers += 1
        self._wake()
        return PhoneCamera(self._take, self._leave)

    def _take(self, is_closed: threading.Event) -> Frame:
        """The newest picture, once there is one that is not stale. Raises CameraError."""
        with self._changed:
            if self._newest is not None and time.monotonic_ns() - self._newest.t_ns > STALE_NS:
                self._newest = None
        self._wake()
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or is_closed.is_set(), SILENT_S)
            frame, self._newest = self._newest, None
        self._wake()
        if frame is None or is_closed.is_set():
            raise CameraError(NO_PHONE)
        return frame

    def _leave(self) -> None:
        with self._changed:
            self._readers -= 1
            self._newest = None
            self._changed.notify_all()


class PhoneCamera:
    """One reader of the phone's pictures."""

    def __init__(self, take: Callable[[threading.Event], Frame], leave: Callable[[], None]) -> None:
        self._take = take
        self._leave = leave
        self._is_closed = threading.Event()

    def read(self) -> Frame:
        """The newest picture not yet read, waiting for it. Raises CameraError where none comes, and where it
        is too small to follow a table."""
        frame = self._take(self._is_closed)
        height, width = frame.image.shape[:2]
        check_size(PHONE.name, width, height)
        return frame

    def close(self) -> None:
        if not self._is_closed.is_set():
            self._is_closed.set()
            self._leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
