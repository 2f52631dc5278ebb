"""Recorded sessions followed again: from their sights, or from their pictures as a newer program reads them;
and where two runs over one game differ, event by event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from companion.cameras.frames import Frame
from companion.cameras.recorded import AT_END, Pacer
from companion.errors import CameraError, InputError
from companion.files import read_whole
from companion.foreign import reading
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.images import Image
from companion.live.followed_game import StateLines
from companion.live.follower import Follows, teach
from companion.live.noticed import EventNoticed, Noticed
from companion.live.running import RunningGame
from companion.live.session.lines import (
    FRAMES,
    CameraLine,
    Line,
    SightsDecoder,
    read_lines,
    refuse_session,
)
from companion.live.session.recorder import SessionRecorder, make_line
from companion.seeing.lens import Lens
from companion.seeing.outlines import ASPECT, TileSize
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.sentences import msgid
from companion.table.events import encode_event
from companion.table.state import State
from companion.vision.pictures import FRAME, decode_photo

if TYPE_CHECKING:
    from companion.live.table_watch import TableWatch

NO_FRAME = msgid("The recorded session '{folder}' has no picture {frame} that can be read.")
NO_FRAMES = msgid("The recorded session '{folder}' has no pictures: it can be replayed from its sights only.")


def follow_session(
    folder: Path,
    game: RunningGame,
    follower: Follows,
    state: State,
    *,
    watch: TableWatch | None = None,
    recorder: SessionRecorder | None = None,
) -> Iterator[Noticed]:
    """What is noticed in the session. Reports that did not come from the camera are made again. watch: reads
    the session's pictures again, in place of its sights. state: of the game before."""
    lines, sights, t = StateLines(state), SightsDecoder(), 0.0
    image: Image | None = None
    for line in read_lines(folder):
        t = line.t
        if line.frame is not None and watch is not None:
            image = load_frame(folder, line.frame)
        if line.event is not None and line.source not in ("", SourceKind.CAMERA.value):
            report_again(game, line)
        if line.sight is None:
            continue
        sight = sights.decode(t, line.sight)
        if watch is not None and not sight.trouble:
            again = None if image is None else watch.look(image, t)
            if again is None:
                yield from lines.add(t, [])
                continue
            sight = again
        if recorder is not None:
            sight = recorder.record_sight(sight)
        yield from lines.add(t, follower.follow(sight, round(t * 1e9)))
        if watch is not None:
            teach(watch, follower)
    if watch is not None and image is None:
        raise InputError(NO_FRAMES, folder=folder)
    yield from lines.add(t, follower.finish(t, round(t * 1e9)))


def load_frame(folder: Path, name: str) -> Image:
    """A picture of the session. Raises InputError."""
    path = folder / name
    try:
        if path.parent != folder / FRAMES:
            raise FileNotFoundError
        return decode_photo(read_whole(path, FRAME.file_bytes), FRAME, name).pixels
    except (OSError, ValueError) as error:
        raise InputError(NO_FRAME, folder=folder, frame=name) from error


def report_again(game: RunningGame, line: Line) -> None:
    """Report again what another source reported then."""
    assert line.event is not None
    kind = line.source if line.source in set(SourceKind) else SourceKind.SCRIPT
    source = Reporter(SourceKind(kind), line.by, line.seat)
    game.propose(Proposal(line.event, round(line.t * 1e9), source, line.p)).result()


PLAIN_SIZE, PLAIN_COLOUR = (720, 1280), (44, 59, 14)
"""Size (height, width), px, and BGR colour of the picture shown for a session without stored pictures."""


class SessionPlayer:
    """Watches the table as the session's camera saw it.

    `play` opens the camera; each of its frames is observed before the next one is read. What others than the
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
    def guess(self) -> TableCamera | None:
        return None

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
        """These lines lead to the sight that is followed next."""
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

    @property
    def is_mirrored(self) -> bool:
        """Pictures were flipped before they were kept."""
        return False

    def paint(self, image: Image) -> Image | None:
        """The picture: hands were painted over before it was kept."""
        return image if self._camera is not None else None

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """The table stays where it was seen."""

    def teach(self, number: int, code: str) -> None:
        """What was seen then is not read again."""


class SessionCamera:
    """Gives a frame for each sight, when it is due. Raises InputError if the session cannot be read."""

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


def _make_camera(line: CameraLine) -> TableCamera:
    corners = np.array(line.corners, np.float64)
    return TableCamera.from_corners(corners, line.width, line.height, lens=Lens(line.bend))


@dataclass(frozen=True, slots=True)
class Difference:
    """Two events in the same place of two runs, or one that the other run has not."""

    one: Line | None
    other: Line | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """same: how many events both runs have."""

    same: int
    differences: tuple[Difference, ...]


def list_events(lines: Iterable[Line]) -> list[Line]:
    """The lines of events, corrections too."""
    return [line for line in lines if line.event is not None]


def lines_of(noticed: Iterable[Noticed]) -> list[Line]:
    """The lines of the events noticed."""
    made = [make_line(each) for each in noticed if isinstance(each, EventNoticed)]
    return [line for line in made if line is not None]


def compare_runs(one: Sequence[Line], other: Sequence[Line]) -> Comparison:
    """What both have, and where they differ, in order. When, and how surely, an event was noticed does not
    matter."""
    matcher = SequenceMatcher(None, [_say(line) for line in one], [_say(line) for line in other], False)
    same, differences = 0, []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            same += b - a
        else:
            differences += [Difference(*pair) for pair in zip_longest(one[a:b], other[c:d])]
    return Comparison(same, tuple(differences))


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as a JSON document."""
    return {
        "same": comparison.same,
        "differences": [
            {"one": _line_json(each.one), "other": _line_json(each.other)} for each in comparison.differences
        ],
    }


def _line_json(line: Line | None) -> dict[str, Any] | None:
    if line is None:
        return None
    import msgspec

    keys = ("t", "event", "p", "certain", "source", "number")
    return {key: msgspec.to_builtins(getattr(line, key)) for key in keys}


def _say(line: Line) -> bytes:
    assert line.event is not None
    return encode_event(line.event)
