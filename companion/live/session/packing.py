"""Packs a recorded session into one file, to be sent with a report of a fault; and unpacks such a file.

What is packed names nobody: see `private.py`. Each file of the pack is written anew, none is copied as it is.
"""

from __future__ import annotations

import io
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec

from companion import __version__
from companion.errors import InputError
from companion.files import TOO_LARGE, open_file, open_owner_only
from companion.foreign import Undecodable, reading
from companion.live.session.folder import (
    FRAMES,
    HEADER,
    HEADER_MAX_BYTES,
    LINES,
    LINES_MAX_BYTES,
    Header,
    read_header,
    read_lines,
)
from companion.live.session.private import make_private, strip_line, strip_picture
from companion.named_files import writing_new
from companion.sentences import Sentence, msgid
from companion.vision.pictures import FRAME

ABOUT = "about.json"
PACKAGES = ("numpy", "onnxruntime", "opencv-python", "msgspec")
"""Whose versions may matter for what was seen."""
FILE_THERE = msgid("The file '{file}' exists already: give another name to --pack.")
CANNOT_UNPACK = msgid("The packed session '{file}' cannot be unpacked ({why}).")
NOT_PACKED = msgid("there is no recorded session in it")
TWICE = msgid("two files in it have the same name")
OTHER_WAY = msgid("it is encrypted, or packed by another program")
FRAME_NAME = re.compile(rf"{FRAMES}/[0-9]{{1,9}}\.jpg")
LIMITS = {HEADER: HEADER_MAX_BYTES, LINES: LINES_MAX_BYTES}
PACKED_MAX_BYTES = UNPACKED_MAX_BYTES = 2**33
"""Of all that is packed together, so that a small file does not fill a disk."""
RATIO_MAX, SMALL_BYTES = 100, 2**20
"""How many times larger than packed a member may be, unless it is small: lines are 10 times larger."""
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
    """Write what is packed in the file into the folder, which is empty; what does not belong to a session is
    left out. What the file says of itself is not trusted. Raises InputError."""
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
