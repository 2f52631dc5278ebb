"""The folder of a recorded session: its header and its lines; what is damaged is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion import __version__, foreign
from companion.cameras.clock import SteadyClock
from companion.errors import EventError, InputError
from companion.files import open_file, read_whole
from companion.foreign import Undecodable, decode_as, guard, reading
from companion.foreign_text import hide_password
from companion.live.session.lines import Corners, Line, Probability
from companion.sentences import Sentence, msgid
from companion.table.apply import fold
from companion.table.events import Event, GameStarted

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
    """What was followed, and how.

    program: the version that recorded it. id: of the session. log: the events before its first picture, the
    first of which begins the game, and log_p how certain each of them is, those it leaves out
    being certain. source: for people. bottom, corners, tile_set: the options given.
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
    """Whether the folder says that it is a session, be it damaged."""
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


class _Kind(Struct, frozen=True):
    """What says how to read the rest of a header."""

    format: str
    version: int
