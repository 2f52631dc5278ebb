"""A camera that plays what was recorded: a video file, or a folder of pictures in the order of their names.

It keeps the recording's own pace, so that whoever reads it sees what a live camera would have shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2

from companion.cameras.clock import SteadyClock
from companion.cameras.frames import Frame
from companion.cameras.pacing import Pacer
from companion.errors import CameraError, PictureError
from companion.images import Image

PICTURE_SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
PICTURES_PER_S = 1.0  # of a folder: long enough to look at each
VIDEO_FRAMES_PER_S = 30.0  # of a video that does not say
RATE_MAX = 1000
"""Pictures a second; a file that says more does not know."""
VIDEO_MEGAPIXELS_MAX = 16  # 5312 × 2988 takes its decoder some 260 MB, twice that is 8K

AT_END = "The recording '{path}' is at its end: open it again."

Timed = tuple[Image, float]
"""A picture and its place in the recording, s."""


class RecordedCamera:
    """Frames of a video file or of a folder of pictures; `loop` starts again at the end.

    `t_ns` is the frame's place in the recording, going on through every loop: as the video itself has it, or
    by its rate where its clock stands still, goes back, or leaps by a minute. With `paced` false, `read`
    never waits. Pictures that cannot be read are left out. Raises CameraError if there is nothing to play,
    for a video of more than 16 megapixels, and at the end where it does not loop. begins_s: the place of its
    first frame; what comes before is left out.
    """

    def __init__(self, path: Path, loop: bool = True, *, paced: bool = True, begins_s: float = 0.0) -> None:
        self._path = path
        self._begins_s = self._first_s = begins_s
        self._loop = loop
        self._paced = paced
        self._clock = SteadyClock()
        self._pacer = Pacer()
        self._closed = False
        if path.is_dir():
            self._pictures = tuple(
                p for p in sorted(path.iterdir()) if p.is_file() and p.suffix.lower() in PICTURE_SUFFIXES
            )
            self._frames_per_s = PICTURES_PER_S
        elif path.is_file():
            self._pictures = ()
            self._frames_per_s = _video_rate(path)
        else:
            raise CameraError("There is no recording '{path}': give a video file or a folder.", path=path)
        self._images = self._play()
        self._next = next(self._images, None)  # read now, so that nothing to play is reported at once
        if self._next is None:
            raise CameraError("The recording '{path}' has no picture that can be read.", path=path)

    def read(self) -> Frame:
        """The next frame, when it is due. Raises CameraError at the end and after `close`."""
        frame = self._take()
        if frame is None:
            raise CameraError(AT_END, path=self._path)
        return frame

    def frames(self) -> Iterator[Frame]:
        """The frames that are left, each when it is due; without end where it loops."""
        while (frame := self._take()) is not None:
            yield frame

    def close(self) -> None:
        self._closed = True
        self._next = None
        self._images = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> Frame | None:
        timed, self._next = self._next, None
        if timed is None and not self._closed:
            timed = self._advance()
        if timed is None:
            return None
        image, place_s = timed
        t_ns = round(1e9 * (self._begins_s + self._clock.count(place_s, 1 / self._frames_per_s)))
        if self._paced:
            self._pacer.wait_until(t_ns)
        return Frame(image, t_ns)

    def _advance(self) -> Timed | None:
        timed = next(self._images, None)
        if timed is None and self._loop:
            self._images = self._play()
            timed = next(self._images, None)
        return timed

    def _play(self) -> Iterator[Timed]:
        first, self._first_s = self._first_s, 0.0
        if self._pictures:
            return _folder_images(self._pictures[round(first * PICTURES_PER_S) :])
        return _video_images(self._path, first, 1 / self._frames_per_s)


def _folder_images(pictures: tuple[Path, ...]) -> Iterator[Timed]:
    from companion.vision.pictures import load_picture

    count = 0
    for picture in pictures:
        with suppress(PictureError):
            image = load_picture(picture)
            yield image, count / PICTURES_PER_S
            count += 1


def _video_images(path: Path, begins_s: float, step_s: float) -> Iterator[Timed]:
    """From that place on. step_s: from picture to picture, where the video's own clock stands still."""
    capture = cv2.VideoCapture(str(path))
    try:
        leaps = begins_s > 0 and capture.set(cv2.CAP_PROP_POS_MSEC, 1000 * begins_s)
        count = 0
        while True:
            ok, image = capture.read()
            if not ok or image is None:
                return
            place_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if not leaps and max(place_s, count * step_s) < begins_s:
                count += 1
                continue
            yield image.astype("uint8", copy=False), place_s
    finally:
        capture.release()


def measure_length_s(path: Path) -> float | None:
    """How long a video lasts, as its file says; None where it does not, or for a folder."""
    capture = cv2.VideoCapture(str(path)) if path.is_file() else None
    if capture is None:
        return None
    try:
        count, rate = capture.get(cv2.CAP_PROP_FRAME_COUNT), capture.get(cv2.CAP_PROP_FPS)
    finally:
        capture.release()
    return count / rate if count > 0 and 0 < rate <= RATE_MAX else None


def _video_rate(path: Path) -> float:
    """Frames a second. Raises CameraError for frames that take too much memory to decode."""
    capture = cv2.VideoCapture(str(path))
    try:
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        width, height = (
            int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
    finally:
        capture.release()
    if width * height > VIDEO_MEGAPIXELS_MAX * 1e6:
        raise CameraError(
            "The recording '{path}' has {width} × {height} pixels, and at most {limit} megapixels can be"
            " played: save a smaller copy.",
            path=path, width=width, height=height, limit=VIDEO_MEGAPIXELS_MAX,
        )  # fmt: skip
    return rate if 0 < rate <= RATE_MAX else VIDEO_FRAMES_PER_S
