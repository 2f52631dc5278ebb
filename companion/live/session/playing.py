"""A recorded session played in the place of a camera, and of what watches the table in its pictures.

What was seen then is not looked for anew: the pictures are only shown, every sight is the recorded one.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from companion.cameras.frames import Frame
from companion.cameras.recorded import AT_END, Pacer
from companion.errors import CameraError, InputError
from companion.foreign import reading
from companion.images import Image
from companion.live.game import RunningGame
from companion.live.proposals import SourceKind
from companion.live.session.folder import Header, read_header, read_lines, refuse_session
from companion.live.session.lines import CameraLine, Line, SightsDecoder
from companion.live.session.replay import load_frame, report_again
from companion.seeing.lens import Lens
from companion.seeing.outlines import ASPECT, TileSize
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera

PLAIN_SIZE, PLAIN_COLOUR = (720, 1280), (44, 59, 14)
"""Of what is shown of a session that kept no picture: (height, width) px, BGR."""


class SessionPlayer:
    """What watches the table as the session's camera saw it.

    `play` opens the camera; each of its frames is looked at before the next one is read. What others than the
    camera reported then is reported again into `game`, which has what they reported up to reported_s.
    """

    def __init__(self, folder: Path, game: RunningGame, reported_s: float = -1.0) -> None:
        self._folder = folder
        self._game = game
        self._seen: list[Line] = []
        self._sight = Sight(0.0)
        self._camera: TableCamera | None = None
        self._reported_s = reported_s

    @property
    def camera(self) -> TableCamera | None:
        return self._camera

    @property
    def lying(self) -> tuple[SeenTile, ...]:
        return tuple(tile for tile in self._sight.tiles if not tile.standing)

    @property
    def tile_size(self) -> TileSize:
        width = self._sight.tile_mm
        return TileSize(width, width * ASPECT, measured=True)

    def play(self, begins_s: float) -> SessionCamera:
        """The session's camera, from that place on. Raises InputError."""
        return SessionCamera(self._folder, self, begins_s)

    def take(self, lines: list[Line], sight: Sight) -> None:
        """These lines lead to the sight that is looked at next."""
        self._seen, self._sight = lines, sight

    def look(self, image: Image, t: float) -> Sight | None:
        """What was seen then."""
        for line in self._seen:
            if line.camera is not None:
                self._camera = _make_camera(line.camera)
            is_others = line.event is not None and line.source not in ("", SourceKind.CAMERA.value)
            if is_others and line.t > self._reported_s:
                report_again(self._game, line)
                self._reported_s = line.t
        self._seen = []
        return self._sight

    def paint(self, image: Image) -> Image | None:
        """The picture: hands were painted over before it was kept."""
        return image if self._camera is not None else None

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """The table stays where it was seen."""

    def teach(self, number: int, code: str) -> None:
        """What was seen then is not read again."""


class SessionCamera:
    """Gives a frame for each sight, when it is due. Raises InputError where the session cannot be read."""

    def __init__(self, folder: Path, player: SessionPlayer, begins_s: float) -> None:
        self._folder = folder
        self._player = player
        self._begins_s = begins_s
        self._lines = read_lines(folder)
        self._decoder = SightsDecoder()
        self._image: Image = np.full((*PLAIN_SIZE, 3), PLAIN_COLOUR, np.uint8)
        self._pacer = Pacer()
        self._is_closed = False

    def read(self) -> Frame:
        """The next frame. Raises CameraError at the end, and after `close`."""
        try:
            with reading(refuse_session(self._folder)):
                frame = self._find_next()
        except InputError as error:
            raise CameraError(error.sentence.template, **error.sentence.params) from error
        if frame is None:
            raise CameraError(AT_END, path=self._folder)
        return frame

    def _find_next(self) -> Frame | None:
        lines: list[Line] = []
        for line in self._lines:
            if self._is_closed:
                break
            lines.append(line)
            if line.frame is not None:
                with suppress(InputError):
                    self._image = load_frame(self._folder, line.frame)
            if line.sight is None:
                continue
            sight = self._decoder.decode(line.t, line.sight)
            if line.t < self._begins_s:
                continue
            self._pacer.wait_until(round(1e9 * line.t))
            self._player.take(lines, sight)
            return Frame(self._image, round(1e9 * line.t))
        return None

    def close(self) -> None:
        self._is_closed = True
        self._lines = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def measure_session(folder: Path) -> tuple[Header, float]:
    """What the session is of, and how many seconds it lasts. Raises InputError where it is damaged."""
    header, last_s = read_header(folder), 0.0
    for line in read_lines(folder):
        last_s = line.t
    return header, last_s


def _make_camera(line: CameraLine) -> TableCamera:
    corners = np.array(line.corners, np.float64)
    return TableCamera.from_corners(corners, line.width, line.height, lens=Lens(line.bend))
