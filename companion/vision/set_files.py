"""Learned sets of tiles as files: `sets/NAME.tiles` in the user's data folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated
from zlib import crc32

import msgspec
import numpy as np

from companion.errors import InputError, quote
from companion.files import make_checksum
from companion.foreign import Undecodable, decode_as, reading
from companion.named_files import NamedFiles
from companion.sentences import Sentence, msgid
from companion.tiles import KINDS
from companion.vision.learned import LearnedSet, Source
from companion.vision.teaching import TILES_MAX

VERSION, CRC_VERSION, FIRST_VERSION = 4, 3, 1
"""Files of earlier versions are read, too: those up to the third have CRC-32 as their checksum or none, those
of the second hold no set that was replaced, those of the first do not say where their tiles were seen."""
FILES = NamedFiles(msgid("tile set"), msgid("tile sets"), "sets", ".tiles")

DAMAGED = "The tile set '{file}' is damaged ({why}): learn it again."
SPOILT = "its checksum is wrong"
NO_FIT = "its tiles and their features do not fit together"
NO_NUMBER = "it holds something that is not a number"
OTHER_VERSION = (
    "The tile set {name} was learned with another version of the program (its file has version {found}, not"
    " {known}): learn it again."
)


AT_MOST = msgspec.Meta(max_length=TILES_MAX)


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """What every version of the files begins with."""

    version: int


class _File(_Head, frozen=True, array_like=True):
    """features: float16, little endian, one row a code; checksum: None in files of the first programs;
    sources: one a code, or none at all; replaced: the set before it was learned anew, without a checksum."""

    reader: str
    codes: Annotated[tuple[str, ...], AT_MOST]
    features: bytes
    checksum: bytes | int | None = None
    sources: Annotated[tuple[Source | None, ...], AT_MOST] = ()
    replaced: _File | None = None


def _checksum(file: _File) -> bytes | int:
    """The checksum of what a set is: notices damage that still decodes. Versions 2 and 3 have a field more
    than the one before."""
    fields = (file.reader, file.codes, file.features, file.sources, file.replaced)
    content = msgspec.msgpack.encode(fields[: 2 + min(file.version, CRC_VERSION)])
    return make_checksum(content) if file.version > CRC_VERSION else crc32(content)


path_of = FILES.path_of
names = FILES.names
delete = FILES.delete


def load(name: str, reader: str | None = None) -> LearnedSet:
    """The set called `name`; refused where it was learned with another model than `reader` (sha256).

    Raises InputError.
    """
    learned = _decode(name, FILES.read(name))
    if reader is not None:
        learned.check_reader(reader)
    return learned


def _decode(name: str, content: bytes) -> LearnedSet:
    """Raises InputError for what is damaged, or of another version."""
    path = FILES.path_of(name)
    with reading(lambda why: InputError(DAMAGED, file=path, why=why)):
        head = decode_as(content, _Head, msgspec.msgpack.decode)
        if not FIRST_VERSION <= head.version <= VERSION:
            raise InputError(OTHER_VERSION, name=quote(name), found=head.version, known=VERSION)
        file = decode_as(content, _File, msgspec.msgpack.decode)
        allowed = (_checksum(file), None) if file.version <= CRC_VERSION else (_checksum(file),)
        if file.checksum not in allowed:
            raise Undecodable(Sentence(SPOILT))
        return _unpack(name, file)


def load_usable(name: str, reader: str) -> LearnedSet | None:
    """The set called `name`; None if it does not exist, or if this model (sha256) cannot read with it. Raises
    InputError where its file cannot be read."""
    if not path_of(name).exists():
        return None
    content = FILES.read(name)
    try:
        learned = _decode(name, content)
        learned.check_reader(reader)
    except InputError:
        return None
    return learned


def save(learned: LearnedSet) -> Path:
    """Write the set in one step, over one that has its name, and return its file. Raises InputError."""
    file = _pack(learned)
    content = msgspec.msgpack.encode(msgspec.structs.replace(file, checksum=_checksum(file)))
    return FILES.write(learned.name, content)


def _pack(learned: LearnedSet) -> _File:
    """The set without its checksum."""
    features = learned.features.astype("<f2").tobytes()
    sources = tuple(each and _drop_file_name(each) for each in learned.sources)
    replaced = _pack(learned.replaced) if learned.replaced else None
    return _File(VERSION, learned.reader, learned.codes, features, sources=sources, replaced=replaced)


def _drop_file_name(source: Source) -> Source:
    """Without the name of a file, which earlier programs kept: a set may be passed on."""
    return source if source.photo_number is not None else replace(source, photo="")


def _unpack(name: str, file: _File) -> LearnedSet:
    """Raises Undecodable for what cannot be a set."""
    rows = len(file.codes)
    known = {kind.code for kind in KINDS}
    fits = 0 < rows <= TILES_MAX and file.features and len(file.features) % (2 * rows) == 0
    fits = fits and len(file.sources) in (0, rows)
    if not fits or not set(file.codes) <= known:
        raise Undecodable(Sentence(NO_FIT))
    features = np.frombuffer(file.features, "<f2").reshape(rows, -1).astype(np.float32)
    if not np.isfinite(features).all():
        raise Undecodable(Sentence(NO_NUMBER))
    replaced = _unpack(name, file.replaced) if file.replaced else None
    return LearnedSet(name, file.reader, file.codes, features, file.sources, replaced)
