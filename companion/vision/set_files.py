"""Learned sets of tiles as files: `sets/NAME.tiles` in the user's data folder."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import msgspec
import numpy as np

from companion.decoding import Undecodable, decode_as
from companion.errors import InputError, quote
from companion.named_files import NamedFiles
from companion.sentences import Sentence, msgid
from companion.tiles import KINDS
from companion.vision.learned import LearnedSet, Source
from companion.vision.teaching import TILES_MAX

VERSION, FIRST_VERSION = 2, 1
"""Files of the first version are read, too: they do not say where their tiles were seen."""
FILES = NamedFiles(msgid("tile set"), msgid("tile sets"), "sets", ".tiles")

DAMAGED = "The tile set '{file}' is damaged ({why}): learn it again."
SPOILT = "it is not as it was written"
NO_FIT = "its tiles and their features do not fit together"
NO_NUMBER = "it holds something that is not a number"
OTHER_VERSION = (
    "The tile set {name} was learned with another version of the program (its file has version {found}, not"
    " {known}): learn it again."
)


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """What every version of the files begins with."""

    version: int


class _File(_Head, frozen=True, array_like=True):
    """features: float16, little endian, one row a code; checksum: None in files of earlier programs;
    sources: one a code, or none at all."""

    reader: str
    codes: tuple[str, ...]
    features: bytes
    checksum: int | None = None
    sources: tuple[Source | None, ...] = ()


def _checksum(file: _File) -> int:
    """CRC-32 of what a set is: notices damage that still decodes."""
    content: tuple[object, ...] = (file.reader, file.codes, file.features)
    return crc32(
        msgspec.msgpack.encode(content if file.version == FIRST_VERSION else (*content, file.sources))
    )


path_of = FILES.path_of
names = FILES.names
delete = FILES.delete


def load(name: str, reader: str | None = None) -> LearnedSet:
    """The set called `name`; refused where it was learned with another model than `reader` (sha256).

    Raises InputError.
    """
    path = FILES.path_of(name)
    content = FILES.read(name)
    try:
        head = decode_as(content, _Head, msgspec.msgpack.decode)
        if head.version not in (FIRST_VERSION, VERSION):
            raise InputError(OTHER_VERSION, name=quote(name), found=head.version, known=VERSION)
        file = decode_as(content, _File, msgspec.msgpack.decode)
    except Undecodable as problem:
        raise InputError(DAMAGED, file=path, why=str(problem)) from problem
    if file.checksum not in (None, _checksum(file)):
        raise InputError(DAMAGED, file=path, why=Sentence(SPOILT))
    rows = len(file.codes)
    known = {kind.code for kind in KINDS}
    fits = 0 < rows <= TILES_MAX and file.features and len(file.features) % (2 * rows) == 0
    fits = fits and len(file.sources) in (0, rows)
    if not fits or not set(file.codes) <= known:
        raise InputError(DAMAGED, file=path, why=Sentence(NO_FIT))
    features = np.frombuffer(file.features, "<f2").reshape(rows, -1).astype(np.float32)
    if not np.isfinite(features).all():
        raise InputError(DAMAGED, file=path, why=Sentence(NO_NUMBER))
    learned = LearnedSet(name, file.reader, file.codes, features, file.sources)
    if reader is not None:
        learned.check_reader(reader)
    return learned


def save(learned: LearnedSet) -> Path:
    """Write the set in one step, over one that has its name, and return its file. Raises InputError."""
    features = learned.features.astype("<f2").tobytes()
    file = _File(VERSION, learned.reader, learned.codes, features, sources=learned.sources)
    content = msgspec.msgpack.encode(msgspec.structs.replace(file, checksum=_checksum(file)))
    return FILES.write(learned.name, content)
