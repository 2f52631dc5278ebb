"""What a camera sees at this moment, with nothing read in it: to choose one, and aim it. No Kivy."""

from __future__ import annotations

from collections.abc import Callable

from companion.cameras import Frame
from companion.game.updates import Post
from companion.images import Image
from companion.live.camera_reading import CameraListener, CameraReader, TimedReading
from companion.seeing.preview import SmallFrame
from companion.sentences import Sentence


class CameraCheck:
    """newest: the picture that came last, None at first. On the window's thread `lost` hears why there are no
    more."""

    def __init__(
        self,
        read_camera: Callable[[CameraListener], CameraReader],
        post: Post,
        lost: Callable[[Sentence], None],
    ) -> None:
        self.newest: Image | None = None
        self._is_stopped = False
        tell = lambda why: post(lambda: None if self._is_stopped else lost(why))  # noqa: E731
        self._reader = read_camera(CameraListener(self._take, _ignore, tell, tell))

    def stop(self) -> None:
        """Let the camera go soon; returns at once."""
        self._is_stopped = True
        self._reader.stop()

    def wait(self, seconds: float) -> None:
        """Until the camera is free, but no longer than that."""
        self._reader.wait(seconds)

    def _take(self, number: int, frame: Frame, small: SmallFrame) -> None:
        self.newest = frame.image


def _ignore(reading: TimedReading) -> None:
    """Nothing is read."""
