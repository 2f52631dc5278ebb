"""A camera checked for a table: its pictures are taken, the table is found in them, and `seeing.camera_check`
says how good they are."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from companion.cameras.frames import Frame
from companion.cameras.sources import Broken, LiveSource, PictureSource
from companion.errors import CameraError, CompanionError
from companion.images import Image
from companion.seeing.arrays import Grey
from companion.seeing.camera_check import FLICKER_MAX, Finding, check_camera, measure_flicker
from companion.seeing.finding_table import AGREED_P, find_table
from companion.seeing.preview import SmallFrame
from companion.seeing.table_camera import TableCamera
from companion.vision.recogniser import Recogniser

WATCH_S = 2.0
"""How long pictures are watched: a camera's focus and exposure settle in about a second."""
PICTURES = 12
"""The flicker is measured in the last ones, as many as this."""
PAUSE_S = 0.5
"""Pictures farther apart, as those of a folder, may show other scenes."""
CHECK_EVERY_S, SEARCH_EVERY_S, REST_TIMES = 1.0, 8.0, 2.0
"""How often a running check measures, and searches for the table: less often where that takes long."""

log = logging.getLogger(__name__)


def check_source(source: PictureSource, recogniser: Recogniser) -> tuple[Finding, ...]:
    """The findings of its first seconds. A camera in whose pictures the light flickers is tried with the
    other mains. Raises CameraError where no picture comes."""
    image, greys = _watch(source)
    if isinstance(source, LiveSource) and measure_flicker(greys) > FLICKER_MAX:
        flickered = measure_flicker(greys)
        source.switch_mains()
        image, greys = _watch(source)
        if measure_flicker(greys) > flickered:
            source.switch_mains()
    return check_camera(image, greys, locate_table(image, recogniser))


def _watch(source: PictureSource) -> tuple[Image, list[Grey]]:
    """The last picture of some seconds, and the last ones made small."""
    image: Image | None = None
    begun_ns: int | None = None
    row = _Row()
    for frame in source.read_frames():
        if isinstance(frame, Broken):
            raise CameraError(frame.why.template, **frame.why.params)
        image = frame.image
        row.add(frame.t_ns, SmallFrame.of(image).grey)
        begun_ns = frame.t_ns if begun_ns is None else begun_ns
        if frame.t_ns - begun_ns >= WATCH_S * 1e9:
            break
    assert image is not None  # a source without a picture does not open
    return image, row.list_greys()


class _Row:
    """The last pictures, made small, of a scene: of one size, and without a pause between them."""

    def __init__(self) -> None:
        self._greys: deque[Grey] = deque(maxlen=PICTURES)
        self._t_ns = 0

    def add(self, t_ns: int, grey: Grey) -> None:
        """The next one, that came then."""
        if self._greys and (grey.shape != self._greys[-1].shape or t_ns - self._t_ns > PAUSE_S * 1e9):
            self._greys.clear()
        self._greys.append(grey)
        self._t_ns = t_ns

    def list_greys(self) -> list[Grey]:
        return list(self._greys)


def locate_table(image: Image, recogniser: Recogniser) -> TableCamera | None:
    """The camera over the table in a picture, if a table is more likely there than not."""
    found = find_table(image, recogniser)
    return found.camera if found is not None and found.p >= AGREED_P else None


class RunningCheck:
    """Checks the pictures of a camera again and again, on a thread of its own, until it is stopped.

    recogniser: loads what finds the table, on that thread; without models no table is found. report: gets all
    findings, on that thread.
    """

    def __init__(
        self, recogniser: Callable[[], Recogniser], report: Callable[[tuple[Finding, ...]], None]
    ) -> None:
        self._load = recogniser
        self._report = report
        self._image: Image | None = None
        self._row = _Row()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera check", daemon=True)
        self._thread.start()

    def add(self, frame: Frame, small: SmallFrame) -> None:
        """The next picture, and the same made small; from one thread."""
        self._image = frame.image
        self._row.add(frame.t_ns, small.grey)

    def stop(self) -> None:
        """End soon; returns at once."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Until it has ended, but no longer than that."""
        self._thread.join(seconds)

    def _run(self) -> None:
        camera: TableCamera | None = None
        search_s = 0.0
        while not self._stopped.wait(CHECK_EVERY_S):
            image = self._image
            if image is None:
                continue
            if time.monotonic() >= search_s:
                begun_s = time.monotonic()
                camera = self._locate(image)
                took_s = time.monotonic() - begun_s
                search_s = time.monotonic() + max(SEARCH_EVERY_S, REST_TIMES * took_s)
            if camera is not None and (camera.height, camera.width) != image.shape[:2]:
                camera = None
            if not self._stopped.is_set():
                self._report(check_camera(image, self._row.list_greys(), camera))

    def _locate(self, image: Image) -> TableCamera | None:
        try:
            return locate_table(image, self._load())
        except CompanionError:  # the page of readings says what is missing
            log.warning("the table is not searched for", exc_info=True)
            return None
