"""Packs a recorded session into one file, to be sent with a report of a fault; and unpacks such a file.

What is packed names nobody: see `private.py`. Each file of the pack is written anew, none is copied as it is.
"""

from __future__ import annotations

import platform
import re
import zlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo, is_zipfile

import msgspec

from companion import __version__
from companion.errors import InputError
from companion.files import open_owner_only
from companion.running.session.folder import (
    FRAMES,
    HEADER,
    HEADER_MAX_BYTES,
    LINES,
    LINES_MAX_BYTES,
    Header,
    read_header,
    read_lines,
)
from companion.running.session.private import make_private, strip_line, strip_picture
from companion.running.session.replay import FRAME_MAX_BYTES
from companion.sentences import msgid

ABOUT = "about.json"
PACKAGES = ("numpy", "onnxruntime", "opencv-python", "msgspec")
"""Whose versions may matter for what was seen."""
FILE_THERE = msgid("The file '{file}' exists already: give another name to --pack.")
CANNOT_UNPACK = msgid(
    "The packed session '{file}' cannot be unpacked: it is damaged, or there is no room for it."
)
FRAME = re.compile(rf"{FRAMES}/[0-9]+\.jpg")
UNPACKED_MAX_BYTES = 2**33
"""Of all that is packed together, so that a small file does not fill a disk."""
PIECE_BYTES = 2**20
CANNOT_PACK = msgid("The session cannot be packed into '{file}' ({why}).")
DAY_ZERO = (1980, 1, 1, 0, 0, 0)
"""Of every file of a pack, which so does not say when the session was recorded."""


def list_contents(folder: Path) -> list[str]:
    """What `pack_session` puts into its file, a line each, and what it leaves out. Raises InputError."""
    read_header(folder)
    return [
        f"{ABOUT}: the versions of the program and its packages, and the kind of system",
        f"{HEADER}: rules, house options, points, and how the table was followed; players are called Player 1"
        " to Player 4",
        f"{LINES}: what lay on the table and what was noticed, with the second of each",
        f"{FRAMES}: {len(_find_frames(folder))} pictures of the table, with players' hands painted over",
        "left out: players' names, what people wrote, names of games, files, folders, cameras, devices and"
        " tile sets, addresses, day and time",
    ]


def pack_session(folder: Path, file: Path) -> int:
    """Write the session in `folder` into a new zip file, as `list_contents` says; how many pictures are in
    it. Raises InputError."""
    header = read_header(folder)
    frames = _find_frames(folder)
    try:
        with open(file, "xb", opener=open_owner_only) as raw:
            try:
                with ZipFile(raw, "w", ZIP_DEFLATED) as packed:
                    about = msgspec.json.format(msgspec.json.encode(_describe(header.program)))
                    packed.writestr(_name(ABOUT), about)
                    packed.writestr(_name(HEADER), msgspec.json.encode(make_private(header)))
                    _add_lines(packed, folder, header)
                    for frame in frames:
                        name = _name(f"{FRAMES}/{frame.name}", ZIP_STORED)
                        packed.writestr(name, strip_picture(frame))
            except (OSError, InputError):
                file.unlink(missing_ok=True)
                raise
    except FileExistsError as error:
        raise InputError(FILE_THERE, file=file) from error
    except OSError as error:
        raise InputError(CANNOT_PACK, file=file, why=error.strerror or type(error).__name__) from error
    return len(frames)


def is_packed(file: Path) -> bool:
    """Whether the file is a packed session, be it damaged."""
    try:
        if not file.is_file() or not is_zipfile(file):
            return False
        with ZipFile(file) as packed:
            return HEADER in packed.namelist()
    except (OSError, BadZipFile):
        return False


def unpack_session(file: Path, folder: Path) -> None:
    """Write what is packed in the file into the folder, which is empty; what does not belong to a session is
    left out. Raises InputError."""
    most = {HEADER: HEADER_MAX_BYTES, LINES: LINES_MAX_BYTES}
    left = UNPACKED_MAX_BYTES
    try:
        (folder / FRAMES).mkdir()
        with ZipFile(file) as packed:
            for about in packed.infolist():
                limit = FRAME_MAX_BYTES if FRAME.fullmatch(about.filename) else most.get(about.filename, 0)
                left -= about.file_size
                if not limit:
                    continue
                if about.file_size > limit or left < 0:
                    raise BadZipFile
                _extract(packed, about, folder / about.filename)
    except (OSError, BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
        raise InputError(CANNOT_UNPACK, file=file) from error


def _extract(packed: ZipFile, about: ZipInfo, path: Path) -> None:
    with packed.open(about) as source, open(path, "xb", opener=open_owner_only) as target:
        while piece := source.read(PIECE_BYTES):
            target.write(piece)


def _find_frames(folder: Path) -> list[Path]:
    """Its pictures, but for files of other names."""
    found = sorted((folder / FRAMES).glob("*.jpg")) if (folder / FRAMES).is_dir() else []
    return [frame for frame in found if FRAME.fullmatch(f"{FRAMES}/{frame.name}")]


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
