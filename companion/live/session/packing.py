"""A recorded session as one file that can be sent: without what names a person.

Players are numbered, what people wrote is left out, and a source is named by its kind alone.
"""

from __future__ import annotations

import io
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import cv2
import msgspec

from companion import __version__
from companion.errors import InputError
from companion.files import TOO_LARGE, open_file, open_owner_only, read_whole
from companion.foreign import Undecodable, reading
from companion.foreign_text import redact
from companion.game.touch_undo import TAKEN_BACK
from companion.live.event_words import OWN as OWN_REASONS
from companion.live.session.lines import (
    FRAMES,
    HEADER,
    HEADER_MAX_BYTES,
    LINES,
    LINES_MAX_BYTES,
    Header,
    Line,
    make_id,
    read_header,
    read_lines,
)
from companion.named_files import writing_new
from companion.sentences import Sentence, msgid
from companion.table.events import Corrected, CurrencyAgreed, Event, GameStarted
from companion.vision.pictures import FRAME, load_picture

OWN = OWN_REASONS | {TAKEN_BACK}
ID = re.compile("[0-9a-f]{32}")
UNNAMED_SET = "learned set"
PATH = re.compile(r"(?<![\w.])(?:~|[a-z]:)?[/\\][^\s'\"<>/\\]+[/\\][^\s'\"<>]*", re.IGNORECASE)
QUOTED = re.compile("'.*'")
FILE_SUFFIX = re.compile(r"\.[a-z0-9]{1,5}")
BARE_MARKERS = {*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xD0), 0xC4, 0xDA, 0xDB, 0xDD, 0xE0}
"""Markers of the segments of a JPEG file that hold its pixels (ISO/IEC 10918-1), and of JFIF's."""
START, END, SCAN, JFIF, JFIF_BYTES = b"\xff\xd8", b"\xff\xd9", 0xDA, 0xE0, 16
AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7]", re.DOTALL)
"""The first marker that is not of the scan itself."""
QUALITY = 95


def make_private(header: Header) -> Header:
    """The header without names."""
    return msgspec.structs.replace(
        header,
        id=header.id if ID.fullmatch(header.id) else make_id(),  # another program may have put a name there
        log=tuple(map(_strip_event, header.log)),
        source=_name_kind(header.source),
        tile_set=UNNAMED_SET if header.tile_set else None,
    )


def strip_line(line: Line, source: str) -> Line:
    """A line of the session of that source without names."""
    stripped = {
        name: _strip_texts(getattr(line, name), source) for name in ("question", "lost", "found", "doubt")
    }
    sight = line.sight
    if sight is not None and sight.trouble:
        sight = msgspec.structs.replace(sight, trouble=_strip_text(sight.trouble, source))
    event = None if line.event is None else _strip_event(line.event)
    question = stripped["question"]
    if question and "sources" in question:
        question["sources"] = [each.partition(" ")[0] for each in question["sources"]]
    by = line.by and line.source
    return msgspec.structs.replace(line, event=event, by=by, sight=sight, **stripped)


def strip_picture(path: Path) -> bytes:
    """The JPEG file unchanged if it holds pixels only, as the program's own do; else a new one of its pixels.

    Raises OSError, and PictureError for what is not a picture.
    """
    jpeg = read_whole(path)
    if _is_bare(jpeg):
        return jpeg
    return cv2.imencode(".jpg", load_picture(path), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _strip_event(event: Event) -> Event:
    """The event, with players numbered and without what people wrote or the currency."""
    if isinstance(event, GameStarted):
        a, b, c, d = (f"Player {at}" if name else "" for at, name in enumerate(event.names, start=1))
        return msgspec.structs.replace(event, names=(a, b, c, d), currency=None)
    if isinstance(event, CurrencyAgreed):
        return CurrencyAgreed()
    if isinstance(event, Corrected):
        right = None if event.right is None else _strip_event(event.right)
        more = tuple(map(_strip_event, event.more))
        event = msgspec.structs.replace(event, right=right, more=more)
    why = getattr(event, "why", "")
    return msgspec.structs.replace(event, why="") if why and why not in OWN else event


def _name_kind(source: str) -> str:
    """What a source is, without its name: "rtsp stream", "camera", "recording.mp4"."""
    scheme, is_address, _ = source.partition("://")
    if is_address:
        return f"{scheme} stream"
    if source.startswith("/dev/"):
        return "camera"
    suffix = PurePath(source).suffix.lower()
    return "recording" + (suffix if FILE_SUFFIX.fullmatch(suffix) else "")


def _strip_texts(value: Any, source: str) -> Any:
    """Every text in it stripped."""
    if isinstance(value, str):
        return _strip_text(value, source)
    if isinstance(value, dict):
        return {name: _strip_texts(each, source) for name, each in value.items()}
    return [_strip_texts(each, source) for each in value] if isinstance(value, list | tuple) else value


def _strip_text(text: str, source: str) -> str:
    said = redact(text)
    said = said.replace(source, _name_kind(source)) if source else said
    return QUOTED.sub("'…'", PATH.sub("…", said))


def _is_bare(jpeg: bytes) -> bool:
    """Whether nothing but pixels is in the file: no comment, no thumbnail, nothing behind its end."""
    if not jpeg.startswith(START):
        return False
    at = len(START)
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF and jpeg[at + 1] in BARE_MARKERS:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4])
        if marker == JFIF and length != JFIF_BYTES:
            return False
        at += 2 + length
        if marker == SCAN:
            found = AFTER_SCAN.search(jpeg, at)
            return found is not None and found[0] == END and found.end() == len(jpeg)
    return False


ABOUT = "about.json"
PACKAGES = ("numpy", "onnxruntime", "opencv-python", "msgspec")
"""Packages whose versions may influence the recorded sights."""
FILE_THERE = msgid("The file '{file}' exists already: give another name to --pack.")
CANNOT_UNPACK = msgid("The packed session '{file}' cannot be unpacked ({why}).")
NOT_PACKED = msgid("there is no recorded session in it")
TWICE = msgid("two files in it have the same name")
OTHER_WAY = msgid("it is encrypted, or packed by another program")
FRAME_NAME = re.compile(rf"{FRAMES}/[0-9]{{1,9}}\.jpg")
LIMITS = {HEADER: HEADER_MAX_BYTES, LINES: LINES_MAX_BYTES}
PACKED_MAX_BYTES = UNPACKED_MAX_BYTES = 2**33
"""Maximum total size, packed and unpacked, so that a small file does not fill a disk."""
RATIO_MAX, SMALL_BYTES = 100, 2**20
"""Maximum compression ratio of a member larger than SMALL_BYTES: lines have a ratio of 10."""
DIRECTORY_MAX_BYTES = 2**23
"""The largest list of members: 100,000 pictures."""
PIECE_BYTES = 2**20
ENCRYPTED = 1
SUFFIX = ".zip"
ZIP_HEADS = (b"PK\x03\x04", b"PK\x05\x06")
DAY_ZERO = (1980, 1, 1, 0, 0, 0)
"""The date of every file of a pack, so that it does not show when the session was recorded."""


def list_contents(folder: Path) -> list[str]:
    """What `pack_session` puts into its file, a line each, and what it leaves out. Raises InputError."""
    read_header(folder)
    return [
        f"{ABOUT}: the versions of the program and its packages, and the kind of system",
        f"{HEADER}: rules, house options, points, and how the table was followed; players are called Player 1"
        " to Player 4",
        f"{LINES}: what was on the table and what was noticed, each with its time in seconds",
        f"{FRAMES}: {len(_find_frames(folder))} pictures of the table, with players' hands painted over",
        "left out: players' names, what people wrote, names of games, files, folders, cameras, devices and"
        " tile sets, addresses, day and time",
    ]


def pack_session(folder: Path, file: Path) -> int:
    """Write the session in `folder` into a new zip file, as `list_contents` says; how many pictures are in
    it. Raises InputError, and MissingError where the disk is full."""
    header = read_header(folder)
    frames = _find_frames(folder)
    with writing_new(file, FILE_THERE) as raw, ZipFile(raw, "w", ZIP_DEFLATED) as packed:
        about = msgspec.json.format(msgspec.json.encode(_describe(header.program)))
        packed.writestr(_name(ABOUT), about)
        packed.writestr(_name(HEADER), msgspec.json.encode(make_private(header)))
        _add_lines(packed, folder, header)
        for frame in frames:
            packed.writestr(_name(f"{FRAMES}/{frame.name}", ZIP_STORED), strip_picture(frame))
    return len(frames)


def is_packed(file: Path) -> bool:
    """Whether the file is a zip file, as a packed session is, or has the name of one, even if damaged."""
    try:
        with open_file(file, PACKED_MAX_BYTES) as opened:
            return file.suffix.lower() == SUFFIX or opened.read(len(ZIP_HEADS[0])) in ZIP_HEADS
    except OSError:
        return False


def unpack_session(file: Path, folder: Path) -> None:
    """Unpack the file into the folder, which is empty, without anything that does not belong to a session.
    The file's own sizes are not trusted. Raises InputError."""
    with (
        reading(lambda why: InputError(CANNOT_UNPACK, file=file, why=why)),
        _Unread(open_file(file, PACKED_MAX_BYTES)) as raw,
        ZipFile(raw) as packed,
    ):
        members = {about.filename: about for about in packed.infolist()}
        if HEADER not in members or LINES not in members:
            raise Undecodable(Sentence(NOT_PACKED))
        if len(members) < len(packed.infolist()):
            raise Undecodable(Sentence(TWICE))
        (folder / FRAMES).mkdir()
        left = UNPACKED_MAX_BYTES
        for name, about in members.items():
            limit = FRAME.file_bytes if FRAME_NAME.fullmatch(name) else LIMITS.get(name)
            if limit is not None:
                left -= _extract(packed, about, folder / name, min(limit, left))


def _extract(packed: ZipFile, about: ZipInfo, path: Path, limit: int) -> int:
    """Write a member into a new file, and return its size in bytes. Raises Undecodable above the limit, and
    where it is packed in another way than this program packs."""
    limit = min(limit, max(SMALL_BYTES, about.compress_size * RATIO_MAX))
    if about.flag_bits & ENCRYPTED or about.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise Undecodable(Sentence(OTHER_WAY))
    size = 0
    with packed.open(about) as source, open(path, "xb", opener=open_owner_only) as target:
        while piece := source.read(PIECE_BYTES):
            size += len(piece)
            if size > limit:
                raise Undecodable(Sentence(TOO_LARGE))
            target.write(piece)
    return size


class _Unread(io.BufferedReader):
    """A file from which no more is read at once than a list of members may have."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)  # type: ignore[arg-type]

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = DIRECTORY_MAX_BYTES + 1 if size is None or size < 0 else size
        content = super().read(min(wanted, DIRECTORY_MAX_BYTES + 1))
        if len(content) > DIRECTORY_MAX_BYTES:
            raise Undecodable(Sentence(TOO_LARGE))
        return content


def _find_frames(folder: Path) -> list[Path]:
    """Its pictures, but for files of other names, and links, which could lead to a picture of anything."""
    frames = folder / FRAMES
    found = sorted(frames.glob("*.jpg")) if frames.is_dir() and not frames.is_symlink() else []
    named = (frame for frame in found if FRAME_NAME.fullmatch(f"{FRAMES}/{frame.name}"))
    return [frame for frame in named if not frame.is_symlink()]


def _name(name: str, how: int = ZIP_DEFLATED) -> ZipInfo:
    """A file in the pack."""
    about = ZipInfo(name, DAY_ZERO)
    about.compress_type = how
    return about


def _add_lines(packed: ZipFile, folder: Path, header: Header) -> None:
    with packed.open(_name(LINES), "w", force_zip64=True) as target:
        for line in read_lines(folder):
            target.write(msgspec.json.encode(strip_line(line, header.source)) + b"\n")


def _describe(recorded_by: str) -> dict[str, object]:
    """The program and what it runs on."""
    return {
        "program": __version__,
        "recorded_by": recorded_by,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: _find_version(name) for name in PACKAGES},
    }


def _find_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
