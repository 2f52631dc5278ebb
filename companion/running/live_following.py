"""Follows a game live with one camera: a thread takes its frames, another follows the newest one.

Frames that nobody has time for are dropped, never queued. What is shown of a frame is made here as well,
hands painted over, so that no window ever has the faces of a hand.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.cameras import Frame
from companion.errors import CompanionError, MissingError
from companion.images import Image
from companion.quads import Quad
from companion.running.camera_reading import CameraListener, CameraReader
from companion.running.follower import Follower
from companion.running.noticed import Noticed
from companion.running.table_watch import TableWatch
from companion.sentences import Sentence
from companion.tiles import BACK
from companion.tracking.following import SmallFrame
from companion.tracking.hand_masks import hide_hands, make_coarse
from companion.tracking.outlines import TileSize
from companion.tracking.pose_advice import PoseAdvice, judge_pose
from companion.tracking.sights import SeenTile, Sight
from companion.tracking.table_camera import TableCamera

UNREAD = "?"
SURE_FROM = 0.9
"""Tiles that read less surely are outlined as doubtful."""
GAP_S = 1.0
"""Between two runs of a camera, on the clock of what it sees."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A tile that lies open: its outline in px of the picture, its code, whether that is doubtful."""

    quad: Quad
    code: str
    unsure: bool


@dataclass(frozen=True, slots=True, eq=False)
class TablePicture:
    """What may be shown of the newest frame, by its number: hands painted over, or all of it too coarse to be
    read while the table is not found. table: its corners in px, seat 0's left one first; None as long.
    """

    number: int
    image: Image
    table: Quad | None
    tiles: tuple[KnownTile, ...]


@dataclass(frozen=True, slots=True)
class FollowListener:
    """What is called on the threads of the following.

    noticed: what was noticed, in order. found: how well the camera stands over the table, None where there
    is no table in its picture; called when that changes.
    stopped: the camera gives no more pictures, and why. trouble: a frame could not be followed.
    """

    noticed: Callable[[tuple[Noticed, ...]], None]
    found: Callable[[PoseAdvice | None], None]
    stopped: Callable[[Sentence], None]
    trouble: Callable[[Sentence], None]


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Where the table is, and what lies open on it. lying: the tiles that stay to be seen where hands are
    painted over, those that are surely tiles.
    """

    camera: TableCamera | None = None
    size: TileSize = field(default_factory=TileSize)
    lying: tuple[SeenTile, ...] = ()
    tiles: tuple[KnownTile, ...] = ()
    lost: bool = False


class LiveFollowing:
    """One camera over one table. `make_watch` may take seconds: it is called on the following's thread.

    now_ns: the time of the game's clock. Its methods are called on one thread. `picture` is the newest one.
    """

    def __init__(
        self,
        make_watch: Callable[[], TableWatch],
        follower: Follower,
        now_ns: Callable[[], int],
        listener: FollowListener,
    ) -> None:
        self.picture: TablePicture | None = None
        self._make_watch = make_watch
        self._watch: TableWatch | None = None
        self._follower = follower
        self._now_ns = now_ns
        self._listener = listener
        self._run: _Run | None = None
        self._known = _Known()
        self._judged: TableCamera | None = None
        self._has_judged = False
        self._t = 0.0
        self._reported: tuple[type, str] | None = None
        self._wishes: list[Callable[[TableWatch], None]] = []

    def start(self, read_camera: Callable[[CameraListener], CameraReader]) -> None:
        """Follow on with this camera."""
        before = self._run
        self.stop()
        self.picture = None
        self._run = _Run(self, self._t + GAP_S if before else 0.0, before)
        self._run.start(read_camera)

    def stop(self) -> None:
        """Let the camera go soon; returns at once. What is known stays."""
        if self._run:
            self._run.stop()

    def wait(self, seconds: float) -> None:
        """Until the camera is free and nothing is followed, but no longer than that."""
        if self._run:
            self._run.wait(seconds)

    @property
    def is_silent(self) -> bool:
        """Whether the open camera has been giving nothing for too long."""
        return self._run is not None and self._run.is_silent

    def lose(self, why: Sentence) -> None:
        """Stop, and say why, once."""
        if self._run:
            self._run.lose(why)

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """The table has its corners there, (4, 2) px from the lower left one counterclockwise; without them
        it is looked for anew."""
        self._wishes.append(lambda watch: watch.place(corners))

    def begin_here(self) -> None:
        """What lies on the table now is no news: only what is laid from now on is a move of the game."""
        self._wishes.append(lambda watch: self._follower.begin_here())

    # On the camera's thread.

    def _show(self, number: int, image: Image) -> None:
        known = self._known
        if known.camera is None or known.lost or _size(image) != (known.camera.width, known.camera.height):
            self.picture = TablePicture(number, make_coarse(image), None, ())
            return
        shown = hide_hands(image, known.camera, known.size, known.lying)
        self.picture = TablePicture(number, shown, _make_quad(known.camera.corners), known.tiles)

    # On the thread that follows.

    def _look(self, image: Image, t: float) -> None:
        """Follow one frame. Raises what goes wrong in it."""
        watch = self._watch = self._watch or self._make_watch()
        while self._wishes:
            self._wishes.pop(0)(watch)
        self._t = t
        sight = watch.look(image, t)
        if not watch.is_steady:  # hands may be anywhere
            self._known = replace(self._known, lost=True)
        if sight is None:
            return
        noticed = self._follower.follow(sight, self._now_ns())
        self._known = self._describe(watch, sight)
        self._say_found()
        if noticed:
            self._listener.noticed(tuple(noticed))

    def _say_found(self) -> None:
        """Whether the table is in the picture, and how well it is seen, where that is news."""
        camera = self._known.camera
        if camera is self._judged and self._has_judged:
            return
        self._judged, self._has_judged = camera, True
        self._listener.found(judge_pose(camera) if camera else None)

    def _describe(self, watch: TableWatch, sight: Sight) -> _Known:
        camera = watch.camera
        if camera is None or sight.trouble or not watch.is_steady:
            return _Known(camera, lost=True)
        size = watch.tile_size
        lying = [tile for tile in sight.tiles if not tile.standing and _read(tile) not in (BACK, UNREAD)]
        tiles = [
            KnownTile(_outline(tile, camera, size), _read(tile), tile.readings[0][1] < SURE_FROM)
            for tile in lying
        ]
        sure = tuple(tile for tile in lying if tile.readings[0][1] >= SURE_FROM)
        return _Known(camera, size, sure, tuple(tiles))

    def _follow_frame(self, image: Image, t: float) -> bool:
        """Whether it is worth going on: a model that is missing or broken follows no other frame either."""
        try:
            self._look(image, t)
            self._reported = None
        except MissingError as error:
            self._listener.trouble(error.sentence)
            return False
        except Exception as error:
            trouble = _describe_error(error)
            sort = type(error), trouble.template
            if sort != self._reported:  # once where many follow
                log.exception("following a frame")
                self._listener.trouble(trouble)
            self._reported = sort
        return True


class _Run:
    """From one start of the camera to its stop. begins_s: on the clock of what was seen in runs before."""

    def __init__(self, following: LiveFollowing, begins_s: float, before: _Run | None) -> None:
        self._following = following
        self._begins_s = begins_s
        self._before = before
        self._first_ns: int | None = None
        self._frame: Frame | None = None
        self._fresh = threading.Event()
        self._ended = threading.Event()
        self._reader: CameraReader | None = None
        self._thread = threading.Thread(target=self._follow, name="following", daemon=True)

    def start(self, read_camera: Callable[[CameraListener], CameraReader]) -> None:
        listener = CameraListener(self._take, lambda reading: None, self._lose, lambda why: None)
        self._thread.start()
        self._reader = read_camera(listener)

    def stop(self) -> None:
        self._ended.set()
        self._fresh.set()
        if self._reader:
            self._reader.stop()

    def wait(self, seconds: float) -> None:
        if self._reader:
            self._reader.wait(seconds)
        self._thread.join(seconds)

    @property
    def is_silent(self) -> bool:
        return self._reader is not None and not self._ended.is_set() and self._reader.is_silent

    def lose(self, why: Sentence) -> None:
        if self._reader:
            self._reader.lose(why)

    def _lose(self, why: Sentence) -> None:
        was_stopped = self._ended.is_set()
        self._ended.set()
        self._fresh.set()
        if not was_stopped:
            self._following._listener.stopped(why)

    def _take(self, number: int, frame: Frame, small: SmallFrame) -> None:
        if self._ended.is_set():
            return
        self._frame = frame
        self._fresh.set()
        self._following._show(number, frame.image)

    def _follow(self) -> None:
        if self._before is not None:  # what watches the table is used by one thread at a time
            self._before._thread.join()
            self._before = None
        while True:
            self._fresh.wait()
            self._fresh.clear()
            if self._ended.is_set():
                return
            frame = self._frame
            assert frame is not None
            if self._first_ns is None:
                self._first_ns = frame.t_ns
            t = self._begins_s + (frame.t_ns - self._first_ns) / 1e9
            if not self._following._follow_frame(frame.image, t):
                return


def _read(tile: SeenTile) -> str:
    return tile.readings[0][0]


def _outline(tile: SeenTile, camera: TableCamera, size: TileSize) -> Quad:
    """Of its face, from the upper left corner on."""
    x, y = size.width_mm / 2, size.height_mm / 2
    corners = np.array([[-x, y], [x, y], [x, -y], [-x, -y]])
    sine, cosine = np.sin(tile.angle), np.cos(tile.angle)
    places = corners @ np.array([[cosine, sine], [-sine, cosine]]) + (tile.x_mm, tile.y_mm)
    return _make_quad(camera.project(np.column_stack([places, np.full(4, size.depth_mm)])))


def _make_quad(px: NDArray[np.floating]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in px)
    return a, b, c, d


def _size(image: Image) -> tuple[int, int]:
    height, width = image.shape[:2]
    return width, height


def _describe_error(error: Exception) -> Sentence:
    if isinstance(error, CompanionError):
        return error.sentence
    return Sentence(
        "A picture of the camera could not be followed ({why}): the next ones are tried.",
        {"why": str(error) or type(error).__name__},
    )
