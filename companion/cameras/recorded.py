"""A camera that plays a recording: a video file, or a folder of pictures in the order of their names.

It keeps the recording's own pace, so that a reader sees what a live camera would have shown.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.cameras.capture_process import CaptureError, CaptureProcess, CaptureRequest, Trouble
from companion.cameras.capture_worker import FRAMES_PER_S, MEGAPIXELS_MAX
from companion.cameras.film_format import FilmFormat, read_film_format
from companion.cameras.frames import Frame
from companion.errors import CameraError, PictureError
from companion.images import Image
from companion.sentences import msgid
from companion.vision.tone_mapping import map_tones

JUMP_S = 60.0
"""No camera pauses this long between two pictures: its clock was set."""


class SteadyClock:
    """Counts seconds from the first place in a recording, always forwards, even if the recording's own clock
    jumps."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self._place_s: float | None = None

    def count(self, place_s: float, usual_s: float) -> float:
        """The time of a picture by its place in the recording. usual_s: the usual step, which counts instead
        if the clock stands still, goes back, or leaps by a minute."""
        if self._place_s is not None:
            step_s = place_s - self._place_s
            self._now_s += step_s if 0 < step_s < JUMP_S else usual_s
        self._place_s = place_s
        return self._now_s


class Pacer:
    """Knows when each picture of a recording is due. A reader slower than the recording is not hurried to
    catch up."""

    def __init__(self) -> None:
        self._start_ns: int | None = None

    def wait_until(self, t_ns: int) -> None:
        """Wait until this many nanoseconds after the recording's beginning."""
        now_ns = time.monotonic_ns()
        if self._start_ns is None or now_ns > self._start_ns + t_ns:
            self._start_ns = now_ns - t_ns
        time.sleep((self._start_ns + t_ns - now_ns) / 1e9)


PICTURE_SUFFIXES = frozenset(
    {".avif", ".bmp", ".heic", ".heif", ".hif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}
)
PICTURES_PER_S = 1.0  # of a folder: long enough to look at each
OPENS_S, READS_S = 10.0, 10.0
"""The longest a video may take to open, and to decode each picture: a disk may have to spin up first."""

AT_END = "The recording '{path}' is at its end: open it again."
NO_PICTURE = "The recording '{path}' has no picture that can be read."
TOO_SLOW = msgid(
    "The recording '{path}' takes too long to decode: copy or record it again, or save it in another format."
)
CANNOT_START = msgid(
    "The recording '{path}' cannot be decoded now because memory or processes have run out: close other"
    " programs."
)
OTHER_SYSTEM = msgid("Cameras and films are read on Linux only: here a phone can be the camera.")
CRASHES = msgid(
    "The recording '{path}' is damaged and cannot be decoded: copy or record it again, or save it in another"
    " format."
)

OF_TROUBLE = {
    Trouble.LATE: TOO_SLOW,
    Trouble.CANNOT_START: CANNOT_START,
    Trouble.OTHER_SYSTEM: OTHER_SYSTEM,
}
Timed = tuple[Image, float]
"""A picture and its place in the recording, s."""


class DecodingError(CameraError):
    """A video whose decoder cannot start, crashes, takes too much memory or too long."""


class RecordedCamera:
    """Frames of a video file or of a folder of pictures; `loop` starts again at the end.

    `t_ns` is the frame's place in the recording, going on through every loop: as the video itself has it, or
    by its rate where its clock stands still, goes back, or leaps by a minute. HLG and PQ are mapped to
    ordinary colours. With `paced` false, `read`
    never waits. Pictures that cannot be read are left out. Raises CameraError if there is nothing to play,
    for a video of more than 16 megapixels, and at the end where it does not loop. begins_s: the place of its
    first frame; what comes before is left out. length_s: as the video states it, else None.
    """

    def __init__(self, path: Path, loop: bool = True, *, paced: bool = True, begins_s: float = 0.0) -> None:
        self.length_s: float | None = None
        self._path = path
        self._begins_s = begins_s
        self._paced = paced
        self._clock = SteadyClock()
        self._pacer = Pacer()
        self._closed = False
        self._film: CaptureProcess | None = None
        self._format = FilmFormat()
        self._images: Iterator[Timed] = iter(())
        if path.is_dir():
            pictures = [
                p for p in sorted(path.iterdir()) if p.is_file() and p.suffix.lower() in PICTURE_SUFFIXES
            ]
            self._frames_per_s = PICTURES_PER_S
            self._images = _play_folder(pictures, round(begins_s * PICTURES_PER_S), loop)
        elif path.is_file():
            self._format = read_film_format(path)
            patches = tuple((start, content.hex()) for start, content in self._format.patches)
            self._film = self._open(
                CaptureRequest(str(path), OPENS_S, READS_S, begins_s=begins_s, loop=loop, patches=patches)
            )
            opened = self._film.opened
            self._frames_per_s = opened.rate or FRAMES_PER_S
            if opened.n_frames and opened.rate:
                self.length_s = opened.n_frames / opened.rate
        else:
            raise CameraError("There is no recording '{path}': enter a video file or a folder.", path=path)
        try:
            self._next = self._advance()  # read now, so that nothing to play is reported at once
            if self._next is None:
                raise CameraError(NO_PICTURE, path=path)
        except BaseException:
            self.close()
            raise

    def read(self) -> Frame:
        """The next frame, when it is due. Raises CameraError at the end and after `close`."""
        frame = self._next_frame()
        if frame is None:
            raise CameraError(AT_END, path=self._path)
        return frame

    def frames(self) -> Iterator[Frame]:
        """The frames that are left, each when it is due; without end where it loops."""
        while (frame := self._next_frame()) is not None:
            yield frame

    def close(self) -> None:
        self._closed = True
        self._next = None
        self._images = iter(())
        if self._film is not None:
            self._film.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next_frame(self) -> Frame | None:
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

    def _open(self, request: CaptureRequest) -> CaptureProcess:
        try:
            film = CaptureProcess(request, str(self._path))
        except CaptureError as error:
            raise self._describe(error) from error
        width, height = film.opened.width, film.opened.height
        if width * height > MEGAPIXELS_MAX * 1e6:
            film.close()
            raise CameraError(
                "The recording '{path}' has {width} × {height} pixels, and at most {limit} megapixels can be"
                " played: save a smaller copy.",
                path=self._path, width=str(width), height=str(height), limit=MEGAPIXELS_MAX,
            )  # fmt: skip
        return film

    def _advance(self) -> Timed | None:
        if self._film is None:
            return next(self._images, None)
        try:
            frame = self._film.read()
        except CaptureError as error:
            raise self._describe(error) from error
        if frame is None:
            return None
        image, _, place_s = frame
        if self._format.transfer is not None:
            image = map_tones(image, self._format.transfer, self._format.primaries)
        return image, place_s

    def _describe(self, error: CaptureError) -> CameraError:
        if error.trouble is Trouble.CANNOT_OPEN:
            return CameraError(NO_PICTURE, path=self._path)
        return DecodingError(OF_TROUBLE.get(error.trouble, CRASHES), path=self._path)


def _play_folder(pictures: list[Path], begins_at: int, loop: bool) -> Iterator[Timed]:
    """Those that can be read, starting with that one; with `loop` from the first again, without end."""
    from companion.vision.pictures import load_picture

    while True:
        count = 0
        for picture in pictures[begins_at:]:
            with suppress(PictureError):
                image = load_picture(picture)
                yield image, count / PICTURES_PER_S
                count += 1
        if not (loop and count):
            return
        begins_at = 0
