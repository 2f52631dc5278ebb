"""The camera's live preview: one thread takes frames, another reads only the newest one, the window shows the
newest.

No Kivy. The two threads share two single references (newest frame, newest reading); what they make of them is
one value, so that outlines and picture always belong together.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.cameras import Camera
from companion.errors import CameraError, CompanionError
from companion.images import Image
from companion.running.posting import Post
from companion.sentences import Sentence
from companion.tracking.following import Look, followed
from companion.tracking.steady import LiveTile, steadied

if TYPE_CHECKING:
    from companion.vision import Reading

SILENT_CAMERA_S = 5.0
"""An open camera that gives no frame for this long counts as lost; opening has a limit of its own."""

log = logging.getLogger(__name__)


OpenCamera = Callable[[str], Camera]


@dataclass(frozen=True, slots=True, eq=False)
class Live:
    """What is to be shown: a frame by its number, the tiles where they lie in it, how a better picture would
    be taken; tiles is None before the first reading."""

    number: int
    image: Image
    tiles: tuple[LiveTile, ...] | None = None
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The newest reading, steadied, and the frame that it is of. advised: by this reading; advice: by the one
    before as well."""

    look: Look
    tiles: tuple[LiveTile, ...]
    advised: tuple[str, ...]
    advice: tuple[str, ...]

    def tiles_in(self, look: Look) -> tuple[LiveTile, ...]:
        """The tiles where they lie in a later frame."""
        quads = followed([tile.quad for tile in self.tiles], self.look, look)
        return tuple(replace(tile, quad=quad) for tile, quad in zip(self.tiles, quads, strict=True))


class Preview:
    """A running preview.

    `live` is the newest, None at first; `lost` is called once, on the window's thread. The camera is opened
    when `after` is set, free again when `ended` is: two previews never hold one device.
    """

    def __init__(
        self,
        camera: str,
        open_camera: OpenCamera,
        read: Callable[[Image], Reading],
        post: Post,
        lost: Callable[[Sentence], None],
        blind: Callable[[Sentence], None],
        *,
        after: threading.Event | None = None,
    ) -> None:
        self.live: Live | None = None
        self.ended = threading.Event()
        self._after = after
        self._camera = camera
        self._open = open_camera
        self._read = read
        self._post = post
        self._lost = lost
        self._blind = blind
        self._stop = threading.Event()
        self._fresh = threading.Event()
        self._heard_at: float | None = None
        self._frame: tuple[int, Image, Look] | None = None
        self._seen: Seen | None = None
        self._showing = threading.Lock()
        self._threads = [
            threading.Thread(target=work, name=work.__name__, daemon=True)
            for work in (self._take_frames, self._read_newest)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_silent(self) -> bool:
        """Whether the open camera has been giving nothing for too long."""
        return self._heard_at is not None and time.monotonic() - self._heard_at > SILENT_CAMERA_S

    def stop(self) -> None:
        """End both threads soon; returns at once, and nothing is called afterwards."""
        self._stop.set()
        self._fresh.set()

    def wait(self, seconds: float) -> None:
        """Until both threads have ended, but no longer than that."""
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def lose(self, why: Sentence) -> None:
        """Stop, and say why, once."""
        if not self._stop.is_set():
            self.stop()
            self._post(lambda: self._lost(why))

    def _take_frames(self) -> None:
        number = 0
        try:
            if self._after:
                self._after.wait()
            if self._stop.is_set():
                return
            with self._open(self._camera) as camera:
                self._heard_at = time.monotonic()
                while not self._stop.is_set():
                    frame = camera.read()
                    number += 1
                    self._frame = (number, frame.image, Look.at(frame.image))
                    self._heard_at = time.monotonic()
                    self._fresh.set()
                    self._show()
        except CameraError as error:
            self.lose(error.sentence)
        except Exception as error:
            log.exception("camera %s", self._camera)
            self.lose(
                Sentence(
                    "The camera stopped ({why}); plug it in again, or choose a picture.",
                    {"why": str(error) or type(error).__name__},
                )
            )
        finally:
            self.ended.set()

    def _read_newest(self) -> None:
        while not self._stop.is_set():
            self._fresh.wait()
            self._fresh.clear()
            if self._stop.is_set() or self._frame is None:
                continue
            _, image, look = self._frame
            try:
                reading = self._read(image)
                old = self._seen
                tiles = steadied(old.tiles_in(look) if old else (), reading.tiles)
                lasting = tuple(each for each in reading.advice if old is None or each in old.advised)
                self._seen = Seen(look, tiles, reading.advice, lasting)
                self._show()
            except CompanionError as error:
                why = error.sentence
                self._post(lambda why=why: None if self._stop.is_set() else self._blind(why))  # type: ignore[misc]
                return
            except Exception:
                log.exception("reading a frame")
                return

    def _show(self) -> None:
        """The newest frame with the newest reading, moved to where the tiles lie now."""
        with self._showing:
            if self._frame is None:
                return
            number, image, look = self._frame
            seen = self._seen
            if seen is None:
                self.live = Live(number, image)
            else:
                self.live = Live(number, image, seen.tiles_in(look), seen.advice)
