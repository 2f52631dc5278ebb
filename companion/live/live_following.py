"""Follows a game live with one camera: a thread takes its frames, another follows the newest one.

Frames that nobody has time for are dropped, never queued; a recording can wait, and is followed frame by
frame. What is shown of a frame is made here as well, hands painted over, so that no window ever has the
faces of a hand.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.cameras import Frame
from companion.cameras.recorded import AT_END
from companion.errors import CompanionError, MissingError
from companion.images import Image, Quad
from companion.live.camera_reading import CameraListener, CameraReader
from companion.live.follower import Follows, teach
from companion.live.holding import CameraHolder, shows_table
from companion.live.noticed import MirrorNoticed, Noticed
from companion.seeing.outlines import TileSize
from companion.seeing.preview import SmallFrame
from companion.seeing.private_pictures import make_coarse, make_coarse_with_edges
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import PoseAdvice, TableCamera, judge_pose
from companion.sentences import Sentence
from companion.tiles import BACK

UNREAD = "?"
SURE_FROM = 0.9
"""Tiles that read less surely are outlined as doubtful."""
WAITS_S = 0.1
"""Seconds between two checks whether a waiting recording is still followed."""
GAP_S = 1.0
"""Seconds between two runs of a camera, on the clock of its sights."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KnownTile:
    """An open tile: its outline in px of the picture, its code, whether that is doubtful."""

    quad: Quad
    code: str
    unsure: bool


@dataclass(frozen=True, slots=True, eq=False)
class TablePicture:
    """What may be shown of the newest frame, by its number: hands painted over, or all of it too coarse to be
    read while the table is not found. table: its corners in px, seat 0's left one first; None as long. guess:
    those of the likeliest table meanwhile, if there is any.
    """

    number: int
    image: Image
    table: Quad | None
    tiles: tuple[KnownTile, ...]
    guess: Quad | None = None


@dataclass(frozen=True, slots=True)
class FollowListener:
    """What is called on the threads of the following.

    noticed: what was noticed, in order. found: how well the camera stands over the table, None if there
    is no table in its picture; called when that changes.
    stopped: the camera has no more pictures, and why. ended: it was a recording, and all of it has been
    followed. trouble: a frame could not be followed.
    """

    noticed: Callable[[tuple[Noticed, ...]], None]
    found: Callable[[PoseAdvice | None], None]
    stopped: Callable[[Sentence], None]
    ended: Callable[[], None]
    trouble: Callable[[Sentence], None]


class Watches(Protocol):
    """What watches the table in a camera's pictures: a TableWatch, or what was recorded of one."""

    @property
    def camera(self) -> TableCamera | None: ...
    @property
    def guess(self) -> TableCamera | None: ...
    @property
    def lying(self) -> tuple[SeenTile, ...]: ...
    @property
    def tile_size(self) -> TileSize: ...
    @property
    def is_mirrored(self) -> bool: ...
    def look(self, image: Image, t: float) -> Sight | None: ...
    def paint(self, image: Image) -> Image | None: ...
    def place(self, corners: NDArray[np.floating] | None) -> None: ...
    def teach(self, number: int, code: str) -> None: ...


class LiveFollowing:
    """One camera over one table. `make_watch` may take seconds: it is called on the following's thread.

    now_ns: the time of the game's clock. Its methods are called on one thread. `picture` is the newest one;
    place_s: of the frame followed last, in its recording, at first begins_s;
    `is_found`: whether the picture followed last shows the table; `shows_edges`: all of it is shown, coarse,
    with its straight edges, for the table's corners to be touched.
    """

    def __init__(
        self,
        make_watch: Callable[[], Watches],
        follower: Follows,
        now_ns: Callable[[], int],
        listener: FollowListener,
        begins_s: float = 0.0,
    ) -> None:
        self.picture: TablePicture | None = None
        self.shows_edges = False
        self.is_found = False
        self.place_s = begins_s
        self._make_watch = make_watch
        self._watch: Watches | None = None
        self._follower = follower
        self._now_ns = now_ns
        self._listener = listener
        self._run: _Run | None = None
        self._tiles: tuple[KnownTile, ...] = ()
        self._knows_hands = self._is_flipped = False
        self._guess: Quad | None = None
        self._judged: TableCamera | None = None
        self._has_judged = False
        self._t = 0.0
        self._reported: tuple[type, str] | None = None
        self._wishes: list[Callable[[Watches], None]] = []

    def start(self, read_camera: Callable[[CameraListener], CameraReader], *, waits: bool = False) -> None:
        """Follow with this camera from now on. waits: it is a recording, of which every frame is followed,
        however long that takes."""
        before = self._run
        self.stop()
        self.picture = None
        self._run = _Run(self, self._t + GAP_S if before else 0.0, before, waits=waits)
        self._run.start(read_camera)

    def stop(self) -> None:
        """Stop the camera soon; returns immediately. What is known stays."""
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
        it is searched for again."""
        self._wishes.append(lambda watch: watch.place(corners))

    def begin_here(self) -> None:
        """The tiles on the table are known: only tiles that are placed later are moves of the game."""
        self._wishes.append(lambda watch: self._follower.begin_here())

    def trust_tiles(self) -> None:
        """The rules and the tiles are right, whatever contradicts them."""
        self._wishes.append(lambda watch: self._follower.trust_tiles())

    # On the camera's thread.

    def _show_unfollowed(self, number: int, image: Image) -> None:
        """While it is unknown where the hands are, every frame is shown, coarse; later only those that are
        followed."""
        if self.shows_edges:
            self.picture = TablePicture(number, make_coarse_with_edges(image), None, ())
        elif not self._knows_hands:
            self.picture = TablePicture(number, make_coarse(image), None, (), self._guess)

    # On the thread that follows.

    def _follow_image(self, number: int, image: Image, t: float) -> None:
        """Follow one frame. Raises what goes wrong in it."""
        watch = self._watch = self._watch or self._make_watch()
        while self._wishes:
            self._wishes.pop(0)(watch)
        self._t = t
        sight = watch.look(image, t)
        self.is_found = shows_table(watch.camera, sight)
        if sight is not None:
            self._tiles = _list_known(watch)
            self._guess = None if watch.guess is None else _make_quad(watch.guess.corners)
            self._say_found(watch.camera)
        self._show(number, image, watch)
        noticed = self._follower.follow(sight, self._now_ns()) if sight is not None else []
        if watch.is_mirrored != self._is_flipped:
            self._is_flipped = watch.is_mirrored
            noticed.insert(0, MirrorNoticed(t))
        teach(watch, self._follower)
        if noticed:
            self._listener.noticed(tuple(noticed))

    def _show(self, number: int, image: Image, watch: Watches) -> None:
        painted, camera = watch.paint(image), watch.camera
        self._knows_hands = painted is not None
        if self.shows_edges:
            return
        if painted is None or camera is None:
            self.picture = TablePicture(number, make_coarse(image), None, (), self._guess)
        else:
            self.picture = TablePicture(number, painted, _make_quad(camera.corners), self._tiles)

    def _finish(self) -> None:
        """Say what only the last pictures of a recording suggest, and that it is at its end."""
        noticed = self._follower.finish(self._t, self._now_ns())
        if noticed:
            self._listener.noticed(tuple(noticed))
        self._listener.ended()

    def _say_found(self, camera: TableCamera | None) -> None:
        """Whether the table is in the picture, and how well it is seen, where that is news."""
        if camera is self._judged and self._has_judged:
            return
        self._judged, self._has_judged = camera, True
        self._listener.found(judge_pose(camera) if camera else None)

    def _follow_frame(self, number: int, image: Image, t: float) -> bool:
        """Whether continuing makes sense: with a missing or broken model no other frame can be followed
        either."""
        try:
            self._follow_image(number, image, t)
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
    """From one start of the camera to its stop. begins_s: on the clock of what was seen in runs before.
    waits: the camera delivers its next frame when the one before has been followed."""

    def __init__(
        self, following: LiveFollowing, begins_s: float, before: _Run | None, *, waits: bool
    ) -> None:
        self._following = following
        self._begins_s = begins_s
        self._before = before
        self._first_ns: int | None = None
        self._newest: tuple[int, Frame] | None = None
        self._fresh = threading.Event()
        self._waits = waits
        self._done = threading.Event()
        self._done.set()
        self._ended = threading.Event()
        self._reader: CameraReader | None = None
        self._holder: CameraHolder | None = None
        self._is_at_end = False
        self._thread = threading.Thread(target=self._follow, name="following", daemon=True)

    def start(self, read_camera: Callable[[CameraListener], CameraReader]) -> None:
        listener = CameraListener(self._on_frame, lambda reading: None, self._lose, lambda why: None)
        self._thread.start()
        self._reader = read_camera(listener)
        self._holder = None if self._waits else CameraHolder(self._reader)

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
        if self._reader is None or self._ended.is_set() or (self._waits and not self._done.is_set()):
            return False
        return self._reader.is_silent

    def lose(self, why: Sentence) -> None:
        if self._reader:
            self._reader.lose(why)

    def _lose(self, why: Sentence) -> None:
        was_stopped = self._ended.is_set()
        self._is_at_end = not was_stopped and why.template == AT_END
        self._ended.set()
        self._fresh.set()
        if not was_stopped and not self._is_at_end:
            self._following._listener.stopped(why)

    def _on_frame(self, number: int, frame: Frame, small: SmallFrame) -> None:
        if self._ended.is_set():
            return
        self._done.clear()
        self._newest = number, frame
        self._fresh.set()
        self._following._show_unfollowed(number, frame.image)
        while self._waits and not self._ended.is_set() and self._thread.is_alive():
            if self._done.wait(WAITS_S):
                break

    def _follow(self) -> None:
        if self._before is not None:  # what watches the table is used by one thread at a time
            self._before._thread.join()
            self._before = None
        while True:
            self._fresh.wait()
            self._fresh.clear()
            if self._ended.is_set():
                break
            assert self._newest is not None
            number, frame = self._newest
            if self._first_ns is None:
                self._first_ns = frame.t_ns
            t = self._begins_s + (frame.t_ns - self._first_ns) / 1e9
            if not self._following._follow_frame(number, frame.image, t):
                return
            self._following.place_s = frame.t_ns / 1e9
            if self._holder is not None:
                self._holder.look(frame.image, t, self._following.is_found)
            self._done.set()
        self._newest = None
        if self._is_at_end:
            self._following._finish()


def _list_known(watch: Watches) -> tuple[KnownTile, ...]:
    """The open faces, as the picture shows them."""
    camera, size = watch.camera, watch.tile_size
    if camera is None:
        return ()
    return tuple(
        KnownTile(_outline(tile, camera, size), _read(tile), tile.readings[0][1] < SURE_FROM)
        for tile in watch.lying
        if _read(tile) not in (BACK, UNREAD)
    )


def _read(tile: SeenTile) -> str:
    return tile.readings[0][0]


def _outline(tile: SeenTile, camera: TableCamera, size: TileSize) -> Quad:
    """The outline of the tile's face, starting at the upper left corner."""
    x, y = size.width_mm / 2, size.height_mm / 2
    corners = np.array([[-x, y], [x, y], [x, -y], [-x, -y]])
    sine, cosine = np.sin(tile.angle), np.cos(tile.angle)
    places = corners @ np.array([[cosine, sine], [-sine, cosine]]) + (tile.x_mm, tile.y_mm)
    return _make_quad(camera.project(np.column_stack([places, np.full(4, size.depth_mm)])))


def _make_quad(px: NDArray[np.floating]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in px)
    return a, b, c, d


def _describe_error(error: Exception) -> Sentence:
    if isinstance(error, CompanionError):
        return error.sentence
    return Sentence(
        "A picture of the camera could not be followed ({why}): the next ones are tried.",
        {"why": str(error) or type(error).__name__},
    )
