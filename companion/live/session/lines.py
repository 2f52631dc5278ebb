"""A recorded session as a folder: its header and its lines. Damage is refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion import __version__, foreign
from companion.cameras.recorded import SteadyClock
from companion.errors import EventError, InputError
from companion.files import open_file, read_whole
from companion.foreign import Undecodable, decode_as, guard, reading
from companion.foreign_text import hide_password, redact
from companion.seeing.lens import Bend
from companion.seeing.sights import USUAL_TILE_MM, Box, Roll, SeenTile, Sight
from companion.sentences import Sentence, msgid
from companion.table.apply import fold
from companion.table.events import Event, GameStarted
from companion.tiles import UNKNOWN

MM_DIGITS, ANGLE_DIGITS, P_DIGITS, SECONDS_DIGITS, BEND_DIGITS = 1, 3, 4, 3, 5
HIDDEN = ((UNKNOWN, 1.0),)
"""The reading of a standing tile as it is kept: only its player may see its face."""

Probability = Annotated[float, Meta(ge=0, le=1)]
Px = Annotated[float, Meta(ge=-1e5, le=1e5)]
Mm = Annotated[float, Meta(ge=-1e5, le=1e5)]
Corners = Annotated[tuple[tuple[Px, Px], ...], Meta(min_length=4, max_length=4)]
TILES_MAX = 1000
"""Maximum number of visible tiles; the largest game has 152, and some may be seen twice for a moment."""
TOO_MANY_TILES = msgid("more than {limit} tiles are on the table")

NO_ROLL = Roll((), 0.0)


class TileLine(Struct, frozen=True, array_like=True):
    """A tile of a sight."""

    track: int
    x_mm: Mm
    y_mm: Mm
    angle: float
    readings: tuple[tuple[str, float], ...]
    standing: bool
    still_since_s: float
    upon: bool = False


class SightLine(Struct, frozen=True, omit_defaults=True):
    """A sight: the tiles that are new or have changed, and the tracks that are gone.

    dice, dice_since_s, dice_p: its roll, none if there are no dice. tile_mm, misfits, taken_s,
    wall_backs, wall_left, wall_mm: as in Sight.
    """

    tiles: Annotated[tuple[TileLine, ...], Meta(max_length=TILES_MAX)] = ()
    gone: tuple[int, ...] = ()
    covered: tuple[tuple[float, float, float, float], ...] = ()
    dice: tuple[int, ...] = ()
    trouble: str = ""
    tile_mm: float = USUAL_TILE_MM
    misfits: int = 0
    dice_since_s: float = 0.0
    dice_p: float = 1.0
    taken_s: tuple[float, ...] = ()
    wall_backs: int = 0
    wall_left: tuple[int, int] | None = None
    wall_mm: float | None = None

    def __post_init__(self) -> None:
        """`trouble` is written without credentials, also in a line of an earlier program."""
        if self.trouble:
            force_setattr(self, "trouble", redact(self.trouble))


class CameraLine(Struct, frozen=True, omit_defaults=True):
    """Where the table's corners are from now on, px from seat 0's left one counterclockwise, in pictures of
    that size, seen through a lens with that bend."""

    corners: Corners
    width: Annotated[int, Meta(gt=0, le=100_000)]
    height: Annotated[int, Meta(gt=0, le=100_000)]
    bend: Bend = 0.0


class Line(Struct, frozen=True, omit_defaults=True):
    """A line: its time in seconds, and one of sight, frame, camera, event, question, lost, found,
    doubt.

    frame: the name of a picture in the folder. by: the name of the source that reported an event.
    """

    t: float
    sight: SightLine | None = None
    frame: str | None = None
    camera: CameraLine | None = None
    event: Event | None = None
    p: Probability = 1.0
    certain: bool = True
    source: str = ""
    by: str = ""
    seat: int | None = None
    number: int = 0
    question: dict[str, Any] | None = None
    lost: dict[str, str] | None = None
    found: dict[str, str] | None = None
    doubt: dict[str, str | None] | None = None


def round_sight(sight: Sight) -> Sight:
    """The sight as it is kept, and as the game is followed that is recorded: so a replay sees the same."""
    return replace(
        sight,
        t=round(sight.t, SECONDS_DIGITS),
        dice=_round_roll(sight.dice),
        tile_mm=round(sight.tile_mm, MM_DIGITS),
        taken_s=tuple(round(each, SECONDS_DIGITS) for each in sight.taken_s),
        tiles=tuple(_round_tile(tile) for tile in sight.tiles),
        covered=tuple(
            Box(*(round(side, MM_DIGITS) for side in (box.left, box.near, box.right, box.far)))
            for box in sight.covered
        ),
    )


class SightsEncoder:
    """Makes lines of sights that `round_sight` made."""

    def __init__(self) -> None:
        self._before: dict[int, SeenTile] = {}

    def encode(self, sight: Sight) -> SightLine:
        """The next sight as a line."""
        if sight.trouble:
            return SightLine(trouble=sight.trouble)
        now = {tile.track: tile for tile in sight.tiles}
        changed = [tile for tile in sight.tiles if self._before.get(tile.track) != tile]
        gone = tuple(track for track in self._before if track not in now)
        self._before = now
        covered = tuple((box.left, box.near, box.right, box.far) for box in sight.covered)
        tiles = tuple(
            TileLine(t.track, t.x_mm, t.y_mm, t.angle, t.readings, t.standing, t.still_since_s, t.upon)
            for t in changed
        )
        roll = sight.dice or NO_ROLL
        return SightLine(
            tiles, gone, covered, roll.pips, tile_mm=sight.tile_mm, misfits=sight.misfits,
            dice_since_s=roll.since_s, dice_p=roll.p, taken_s=sight.taken_s,
            wall_backs=sight.wall_backs, wall_left=sight.wall_left, wall_mm=sight.wall_mm,
        )  # fmt: skip


class SightsDecoder:
    """Makes sights of lines again."""

    def __init__(self) -> None:
        self._tiles: dict[int, SeenTile] = {}

    def decode(self, t: float, line: SightLine) -> Sight:
        """The sight of the next line, at `t`. Raises Undecodable where it has too many tiles."""
        if line.trouble:
            return Sight(t, trouble=line.trouble)
        for track in line.gone:
            self._tiles.pop(track, None)
        for each in line.tiles:
            self._tiles[each.track] = SeenTile(
                each.track, each.x_mm, each.y_mm, each.angle, each.readings, each.standing,
                each.still_since_s, each.upon,
            )  # fmt: skip
        if len(self._tiles) > TILES_MAX:
            raise Undecodable(Sentence(TOO_MANY_TILES, {"limit": TILES_MAX}))
        boxes = tuple(Box(*sides) for sides in line.covered)
        tiles = tuple(self._tiles.values())
        roll = Roll(line.dice, line.dice_since_s, line.dice_p) if line.dice else None
        return Sight(
            t, tiles, boxes, roll, tile_mm=line.tile_mm, misfits=line.misfits, taken_s=line.taken_s,
            wall_backs=line.wall_backs, wall_left=line.wall_left, wall_mm=line.wall_mm,
        )  # fmt: skip


def _round_roll(roll: Roll | None) -> Roll | None:
    if roll is None:
        return None
    return replace(roll, since_s=round(roll.since_s, SECONDS_DIGITS), p=round(roll.p, P_DIGITS))


def _round_tile(tile: SeenTile) -> SeenTile:
    return SeenTile(
        tile.track,
        round(tile.x_mm, MM_DIGITS),
        round(tile.y_mm, MM_DIGITS),
        round(tile.angle, ANGLE_DIGITS),
        HIDDEN if tile.standing else tuple((code, round(p, P_DIGITS)) for code, p in tile.readings),
        tile.standing,
        round(tile.still_since_s, SECONDS_DIGITS),
        tile.upon,
    )


HEADER, LINES, FRAMES = "session.json", "session.jsonl", "frames"
FORMAT, VERSION = "mahjong-companion-session", 1
HEADER_MAX_BYTES, LINES_MAX_BYTES = 2**24, 2**31
NO_SESSION = msgid("'{folder}' is not a recorded session: it has no {file}.")
DAMAGED = msgid("The recorded session '{folder}' is damaged: in {file} {why}.")
DAMAGED_LINE = msgid("The recorded session '{folder}' is damaged: in line {number} of {file} {why}.")
CANNOT_BE = msgid("The recorded session '{folder}' is damaged: {problem}")
NEWER = msgid(
    "The recorded session '{folder}' has version {given}, and this program reads versions up to {known}: use"
    " a newer one."
)
UNREADABLE = msgid("The recorded session '{folder}' cannot be read ({why}).")
NO_GAME = msgid("no event begins the game")
OTHER_FORMAT = msgid("the format is not that of a session")


class Header(Struct, frozen=True, kw_only=True):
    """Header of a session. program: the version that recorded it.

    id: of the session. log: the events before its first picture, the first of which begins the game, and
    log_p how certain each of them is, those it leaves out being certain. source: for people. bottom, corners,
    tile_set: the options given.
    """

    format: str = FORMAT
    version: int = VERSION
    program: str = __version__
    id: str
    log: tuple[Event, ...]
    log_p: tuple[Probability, ...] = ()
    source: str
    bottom: Annotated[int, Meta(ge=0, le=3)] = 0
    corners: Corners | None = None
    tile_set: str | None = None

    def __post_init__(self) -> None:
        """A source is written without credentials, also in a session that an earlier program recorded."""
        if "://" in self.source:
            force_setattr(self, "source", hide_password(self.source))


def make_id() -> str:
    """A name that no other session has."""
    return uuid4().hex


def refuse_session(folder: Path) -> Callable[[object], InputError]:
    """The error about the session in the folder, of a clause that says why it cannot be read."""
    return lambda why: InputError(UNREADABLE, folder=folder, why=why)


def is_session(path: Path) -> bool:
    """Whether the folder is marked as a session, even a damaged one."""
    try:
        return path.is_dir() and ((path / HEADER).exists() or (path / LINES).exists())
    except OSError:  # as the address of a camera that is longer than any file's name
        return False


def read_header(folder: Path) -> Header:
    """The header of the session in the folder. Raises InputError."""
    path = folder / HEADER
    if not path.exists():
        raise InputError(NO_SESSION, folder=folder, file=HEADER)
    with reading(refuse_session(folder)):
        content = read_whole(path, HEADER_MAX_BYTES)
    with reading(lambda why: InputError(DAMAGED, folder=folder, file=HEADER, why=why)):
        kind = decode_as(content, _Kind)
        if kind.format != FORMAT:
            raise Undecodable(Sentence(OTHER_FORMAT))
        if kind.version > VERSION:
            raise InputError(NEWER, folder=folder, given=kind.version, known=VERSION)
        header = decode_as(content, Header)
        if not header.log or not isinstance(header.log[0], GameStarted):
            raise Undecodable(Sentence(NO_GAME))
        try:
            fold(header.log)
        except EventError as error:
            raise InputError(CANNOT_BE, folder=folder, problem=error) from error
    return header


def read_lines(folder: Path) -> Iterator[Line]:
    """Every line, with a time that never goes back. A last line that is cut off is passed over: the program
    was ended while it wrote. Raises InputError for any other that is damaged."""
    clock = SteadyClock()
    clock.count(0.0, 0.0)
    with reading(refuse_session(folder)):
        file = open_file(folder / LINES, LINES_MAX_BYTES)
    with file:
        for number, line in enumerate(guard(foreign.read_lines(file), refuse_session(folder)), start=1):
            if not line.endswith(b"\n"):
                return
            if line.isspace():
                continue
            try:
                decoded = decode_as(line, Line)
            except Undecodable as error:
                raise InputError(
                    DAMAGED_LINE, folder=folder, number=number, file=LINES, why=error.why
                ) from error
            yield msgspec.structs.replace(decoded, t=clock.count(decoded.t, 0.0))


def measure_session(folder: Path) -> tuple[Header, float]:
    """What the session is of, and how many seconds it lasts. Raises InputError where it is damaged."""
    header, last_s = read_header(folder), 0.0
    for line in read_lines(folder):
        last_s = line.t
    return header, last_s


class _Kind(Struct, frozen=True):
    """What says how to read the rest of a header."""

    format: str
    version: int
