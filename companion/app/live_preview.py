"""The live picture of a camera: the newest frame with the newest reading, moved to the places of the tiles in
it. No Kivy.

Frames and readings come on the threads of the reader; what they make together is one value, so that outlines
and picture always belong together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from companion.app.cameras import Cameras
from companion.app.recognition import PictureReader
from companion.cameras import Frame
from companion.game.updates import Post
from companion.images import Image
from companion.live.camera_reading import CameraListener, CameraReader, TimedReading
from companion.live.running import RunningGame
from companion.seeing.preview import SmallFrame, SteadyTile, follow_quads, steady_tiles
from companion.sentences import Sentence

NO_CAMERA = Sentence("No camera was found: plug one in and try again, or choose a picture.")


@dataclass(frozen=True, slots=True, eq=False)
class LivePicture:
    """A live picture: a frame by its number and its time, the tiles at their places in it, and advice for a
    better picture. `tiles` and `read_t_ns`, the time of the frame they were read in, are None before the
    first reading.
    """

    number: int
    t_ns: int
    image: Image
    tiles: tuple[SteadyTile, ...] | None = None
    read_t_ns: int | None = None
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SteadyReading:
    """A reading whose names do not flicker, and the frame that it is of. advised: by this reading; advice: by
    the one before as well.
    """

    t_ns: int
    small: SmallFrame
    tiles: tuple[SteadyTile, ...]
    advised: tuple[str, ...]
    advice: tuple[str, ...]

    def tiles_in(self, small: SmallFrame) -> tuple[SteadyTile, ...]:
        """The tiles at their places in a later frame."""
        quads = follow_quads([tile.quad for tile in self.tiles], self.small, small)
        return tuple(replace(tile, quad=quad) for tile, quad in zip(self.tiles, quads, strict=True))


def steady_reading(before: SteadyReading | None, reading: TimedReading) -> SteadyReading:
    """The new reading, steadied by the one before."""
    tiles = steady_tiles(before.tiles_in(reading.small) if before else (), reading.tiles)
    lasting = tuple(each for each in reading.advice if before is None or each in before.advised)
    return SteadyReading(reading.t_ns, reading.small, tiles, reading.advice, lasting)


class LivePreview:
    """A running preview of the camera that `read_camera` reads.

    `live` is the newest picture, None at first. On the window's thread `lost` is called once, when the camera
    has no more frames, and `trouble` when one could not be read.
    """

    def __init__(
        self,
        read_camera: Callable[[CameraListener], CameraReader],
        post: Post,
        lost: Callable[[Sentence], None],
        trouble: Callable[[Sentence], None],
    ) -> None:
        self.live: LivePicture | None = None
        self._post = post
        self._frame: tuple[int, Frame, SmallFrame] | None = None
        self._reading: SteadyReading | None = None
        self._showing = threading.Lock()
        self._is_stopped = False
        listener = CameraListener(
            self._show_frame,
            self._show_reading,
            lambda why: post(lambda: None if self._is_stopped else lost(why)),
            lambda why: post(lambda: None if self._is_stopped else trouble(why)),
        )
        self._reader = read_camera(listener)

    @property
    def ended(self) -> threading.Event:
        """Set when the camera is free again."""
        return self._reader.ended

    @property
    def is_silent(self) -> bool:
        """Whether the open camera has been giving nothing for too long."""
        return self._reader.is_silent

    def lose(self, why: Sentence) -> None:
        """Stop, and say why, once."""
        self._reader.lose(why)

    def stop(self) -> None:
        """End soon; returns immediately, and nothing is called afterwards."""
        self._is_stopped = True
        self._reader.stop()
        with self._showing:
            self._frame = self.live = None

    def wait(self, seconds: float) -> None:
        """Until the camera is free and nothing is being read, but no longer than that."""
        self._reader.wait(seconds)

    def _show_frame(self, number: int, frame: Frame, small: SmallFrame) -> None:
        with self._showing:
            self._frame = number, frame, small
            self._show()

    def _show_reading(self, reading: TimedReading) -> None:
        steady = steady_reading(self._reading, reading)
        with self._showing:
            self._reading = steady
            self._show()

    def _show(self) -> None:
        """The newest frame with the newest reading, moved to the present places of the tiles."""
        if self._frame is None or self._is_stopped:
            return
        number, frame, small = self._frame
        reading = self._reading
        if reading is None:
            self.live = LivePicture(number, frame.t_ns, frame.image)
        else:
            tiles = reading.tiles_in(small)
            self.live = LivePicture(number, frame.t_ns, frame.image, tiles, reading.t_ns, reading.advice)


@dataclass(frozen=True, slots=True)
class LiveCameras:
    """What a feature needs to show the live picture of a camera."""

    cameras: Cameras
    reader: PictureReader
    game: RunningGame
    post: Post

    def find(self, camera: str | None) -> str | None:
        """That camera, or the first that there is; None if none is connected."""
        known = () if camera else self.cameras.offer()
        return camera or (known[0].id if known else None)

    def start(
        self, camera: str, lost: Callable[[Sentence], None], trouble: Callable[[Sentence], None]
    ) -> LivePreview:
        """The live picture of that camera, which is being opened."""
        read = self.reader.follow_camera()
        return LivePreview(
            partial(self.game.read_camera, camera, self.cameras.open, read), self.post, lost, trouble
        )
