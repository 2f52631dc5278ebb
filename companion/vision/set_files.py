"""Learned sets of tiles as files: `sets/NAME.tiles` in the user's data folder."""

from __future__ import annotations

import re
from pathlib import Path
from zlib import crc32

import msgspec
import numpy as np

from companion import config
from companion.decoding import Undecodable, decode_as
from companion.errors import InputError, quoted
from companion.files import read_whole, write_whole
from companion.tiles import KINDS
from companion.vision.learned import LearnedSet

VERSION = 1
TILES_MAX = 1000
"""Far more than two photos show."""
SUFFIX = ".tiles"
NAME = re.compile(r"\w[\w-]{0,59}")
"""Safe as a file name everywhere, and short enough where each letter takes four bytes."""

BAD_NAME = "{name} cannot be the name of a tile set: use letters, digits, - and _, up to 60 in all."
UNKNOWN_SET = "There is no tile set {name}: there is {known}. companion learn-set makes one."
UNUSABLE = "The file '{file}' cannot be used ({why})."
DAMAGED = "The tile set '{file}' is damaged ({why}): learn it again."
SPOILT = "it is not as it was written"
NO_FIT = "its tiles and their features do not fit together"
NO_NUMBER = "it holds what is no number"
OTHER_VERSION = (
    "The tile set {name} was learned with another version of the program (its file has version {found}, not"
    " {known}): learn it again."
)


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """What every version of the files begins with."""

    version: int


class _File(_Head, frozen=True, array_like=True):
    """features: float16, little endian, one row a code; checksum: None in files of earlier programs."""

    reader: str
    codes: tuple[str, ...]
    features: bytes
    checksum: int | None = None


def _checksum(file: _File) -> int:
    """CRC-32 of what a set is: notices damage that still decodes."""
    return crc32(msgspec.msgpack.encode((file.reader, file.codes, file.features)))


def path_of(name: str) -> Path:
    """The file of the set called `name`, which need not exist. Raises InputError, as do all functions
    here."""
    if not NAME.fullmatch(name):
        raise InputError(BAD_NAME, name=quoted(name))
    try:
        return config.data_dir() / "sets" / (name + SUFFIX)
    except OSError as error:
        raise _unusable(error.filename, error) from error


def names() -> list[str]:
    """The names of the sets that there are, in order; damaged ones too."""
    folder = path_of("any").parent
    return sorted(path.stem for path in folder.glob("*" + SUFFIX) if NAME.fullmatch(path.stem))


def load(name: str, reader: str | None = None) -> LearnedSet:
    """The set called `name`; refused where it was learned with another than the model `reader` (sha256)."""
    path = path_of(name)
    try:
        content = read_whole(path)
    except FileNotFoundError as error:
        raise InputError(UNKNOWN_SET, name=quoted(name), known=" or ".join(names()) or "none yet") from error
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        head = decode_as(content, _Head, msgspec.msgpack.decode)
        if head.version != VERSION:
            raise InputError(OTHER_VERSION, name=quoted(name), found=head.version, known=VERSION)
        file = decode_as(content, _File, msgspec.msgpack.decode)
    except Undecodable as problem:
        raise InputError(DAMAGED, file=path, why=str(problem)) from problem
    if file.checksum not in (None, _checksum(file)):
        raise InputError(DAMAGED, file=path, why=InputError(SPOILT))
    rows = len(file.codes)
    known = {kind.code for kind in KINDS}
    fits = 0 < rows <= TILES_MAX and file.features and len(file.features) % (2 * rows) == 0
    if not fits or not set(file.codes) <= known:
        raise InputError(DAMAGED, file=path, why=InputError(NO_FIT))
    features = np.frombuffer(file.features, "<f2").reshape(rows, -1).astype(np.float32)
    if not np.isfinite(features).all():
        raise InputError(DAMAGED, file=path, why=InputError(NO_NUMBER))
    learned = LearnedSet(name, file.reader, file.codes, features)
    if reader is not None:
        learned.check_reader(reader)
    return learned


def save(learned: LearnedSet) -> Path:
    """Write the set in one step, over one that has its name, and give its file."""
    path = path_of(learned.name)
    features = learned.features.astype("<f2").tobytes()
    file = _File(VERSION, learned.reader, learned.codes, features)
    content = msgspec.msgpack.encode(msgspec.structs.replace(file, checksum=_checksum(file)))
    try:
        write_whole(path, content)
    except OSError as error:
        raise _unusable(path, error) from error
    return path


def delete(name: str) -> None:
    """Remove the set called `name`."""
    path = path_of(name)
    try:
        path.unlink()
    except FileNotFoundError as error:
        raise InputError(UNKNOWN_SET, name=quoted(name), known=" or ".join(names()) or "none yet") from error
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: object, error: OSError) -> InputError:
    return InputError(UNUSABLE, file=path, why=error.strerror or type(error).__name__)
