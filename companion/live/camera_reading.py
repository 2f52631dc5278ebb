"""Reads the tiles in a camera's pictures: one thread takes frames, another reads only the newest one.

Every frame and every reading carries the time at which the frame came. Whoever shows frames or follows a game
gets them by callbacks, on these threads.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cameras import Camera, Frame, LiveCamera
from companion.cameras.capture_process import Holding
from companion.cameras.connected import CANNOT_OPEN
from companion.errors import CameraError, CompanionError, MissingError
from companion.images import Image
from companion.seeing.preview import SmallFrame
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.vision import Reading, TileReading

SILENT_CAMERA_S = 5.0
"""An open camera without a frame for this long counts as lost; opening has a limit of its own."""

log = logging.getLogger(__name__)

FREED_WITHIN_S = 15.0
"""A camera that was stopped is free within it: a Raspberry Pi's own opens and reads for up to 13 s, a webcam
opens for 4, reads for 2 and closes for 2."""

OpenCamera = Callable[[str], Camera]
ReadImage = Callable[[Image], "Reading"]


@dataclass(frozen=True, slots=True, eq=False)
class TimedReading:
    """The tiles in one frame. t_ns: when the frame came, as in `Frame`; small: the frame made small, with
    which the tiles can be followed into another frame; advice: how a better picture would be taken.
    """

    t_ns: int
    tiles: tuple[TileReading, ...]
    small: SmallFrame
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CameraListener:
    """What is called with frames, numbered from 1, with readings and troubles; on the threads of the reader.

    lost: the camera has no more frames; called at most once, and after it nothing but what was under way.
    trouble: a frame was not read. A reader that is stopped calls neither.
    """

    frame: Callable[[int, Frame, SmallFrame], None]
    reading: Callable[[TimedReading], None]
    lost: Callable[[Sentence], None]
    trouble: Callable[[Sentence], None]


class CameraReader:
    """Takes frames of `camera` and reads them from `start` until it is stopped; without `read` it only takes
    them.

    The camera is opened when the readers `after` have freed theirs. One that does not in time is waited for
    no longer; where it holds the same camera, this one is lost. `ended` is set when the camera is free again.
    """

    def __init__(
        self,
        camera: str,
        open_camera: OpenCamera,
        read: ReadImage | None,
        listener: CameraListener,
        *,
        after: Collection[CameraReader] = (),
    ) -> None:
        self.camera = camera
        self.ended = threading.Event()
        self._open = open_camera
        self._read = read
        self._listener = listener
        self._after = after
        self._stop = threading.Event()
        self._stopping = threading.Lock()
        self._fresh = threading.Event()
        self._heard_at: float | None = None
        self._frame: tuple[Frame, SmallFrame] | None = None
        self._camera: Camera | None = None
        self._threads = [
            threading.Thread(target=work, name=f"{camera}: {work.__name__}", daemon=True)
            for work in (self._take_frames, *([self._read_newest] if read else []))
        ]

    def start(self) -> None:
        """Start, once; returns immediately."""
        for thread in self._threads:
            thread.start()

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set()

    @property
    def is_silent(self) -> bool:
        """Whether the open camera has been giving nothing for too long."""
        return self._heard_at is not None and time.monotonic() - self._heard_at > SILENT_CAMERA_S

    def stop(self) -> None:
        """End both threads soon; returns immediately, and nothing is called for what comes afterwards."""
        self._stop.set()
        self._fresh.set()

    def hold(self, what: Holding, is_held: bool) -> None:
        """Have a camera keep its focus or its light as it is, or adjust it by itself again."""
        camera = self._camera
        if isinstance(camera, LiveCamera):
            camera.hold(what, is_held)

    def switch_mains(self) -> None:
        """Have a camera filter out the flicker of lamps at 60 Hz mains instead of 50, or the other way
        round."""
        camera = self._camera
        if isinstance(camera, LiveCamera):
            camera.switch_mains()

    def wait(self, seconds: float) -> None:
        """Until both threads have ended, but no longer than that."""
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def lose(self, why: Sentence) -> None:
        """Stop, and say why, unless it was stopped before."""
        with self._stopping:
            was_stopped = self._stop.is_set()
            self.stop()
        if not was_stopped:
            self._call(self._listener.lost, why)

    def _take_frames(self) -> None:
        number = 0
        try:
            self._wait_for_others()
            if self._stop.is_set():
                return
            with self._open(self.camera) as camera:
                self._camera = camera
                self._heard_at = time.monotonic()
                while not self._stop.is_set():
                    frame = camera.read()
                    number += 1
                    small = SmallFrame.of(frame.image)
                    self._frame = frame, small
                    self._heard_at = time.monotonic()
                    self._fresh.set()
                    self._listener.frame(number, frame, small)
        except CameraError as error:
            self.lose(error.sentence)
        except Exception as error:
            log.exception("camera %s", self.camera)
            self.lose(
                Sentence(
                    "The camera stopped ({why}); plug it in again, or choose a picture.",
                    {"why": str(error) or type(error).__name__},
                )
            )
        finally:
            self._frame = self._camera = None  # else kept as long as whoever asked for this reader
            self.ended.set()

    def _wait_for_others(self) -> None:
        """Wait until earlier readers have freed their cameras. CameraError if one still holds this one."""
        end = time.monotonic() + FREED_WITHIN_S
        for reader in self._after:
            freed = reader.ended.wait(max(0.0, end - time.monotonic()))
            if not freed and reader.camera == self.camera:
                raise CameraError(CANNOT_OPEN, name=self.camera)
        self._after = ()

    def _read_newest(self) -> None:
        """Read frames until the end. One that cannot be read is reported, once if many follow."""
        assert self._read is not None
        reported: tuple[type, str] | None = None  # the sort of the trouble: its details differ by frame
        while not self._stop.is_set():
            self._fresh.wait()
            self._fresh.clear()
            newest = self._frame
            if self._stop.is_set() or newest is None:
                continue
            frame, small = newest
            try:
                reading = self._read(frame.image)
                self._listener.reading(TimedReading(frame.t_ns, reading.tiles, small, reading.advice))
                reported = None
            except MissingError as error:  # a model that is missing or broken reads no other frame either
                self._report(error.sentence)
                return
            except Exception as error:
                trouble = _describe(error)
                sort = type(error), trouble.template
                if sort != reported:
                    log.exception("reading a frame of camera %s", self.camera)
                    self._report(trouble)
                reported = sort

    def _report(self, trouble: Sentence) -> None:
        if not self._stop.is_set():
            self._call(self._listener.trouble, trouble)

    def _call(self, listener: Callable[[Sentence], None], sentence: Sentence) -> None:
        """Call a listener. One that fails is logged: the reader continues."""
        try:
            listener(sentence)
        except Exception:
            log.exception("a listener of camera %s failed", self.camera)


def _describe(error: Exception) -> Sentence:
    if isinstance(error, CompanionError):
        return error.sentence
    return Sentence(
        "A picture of the camera could not be read ({why}): the next ones are tried.",
        {"why": str(error) or type(error).__name__},
    )
