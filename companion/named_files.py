"""Files that a person has named: profiles, tile sets, games. One rule for names, one way to find them.

What a file holds is the business of its kind; each kind is a `NamedFiles` and its own encoding.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion import config
from companion.errors import CompanionError, InputError, MissingError, list_names, quote
from companion.files import (
    NO_ROOM,
    READ_MAX_BYTES,
    fold_name,
    list_alike,
    move_file,
    name_reason,
    new_file,
    read_whole,
    sync_folder,
    write_whole,
)
from companion.foreign_text import clean
from companion.sentences import Sentence

NAME = re.compile(r"\w[\w '’&()+-]{0,59}(?<! )")
"""Safe as a file name everywhere, and short enough where each letter takes four bytes."""
ALLOWED = re.compile(r"[\w '’&()+-]")

RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")
"""Names that Windows reserves for devices, folded, whatever the suffix of the file."""

BAD_NAME = "{name} cannot be the name of a {kind}: use letters, digits, spaces, ' and -, up to 60 in all."
BAD_CHARACTER = (
    "{name} cannot be the name of a {kind}: remove {character}."
    " Letters, digits, spaces, ' and - can be in it."
)
RESERVED_NAME = "{name} cannot be a name: Windows reserves it for a device. Choose another name."
ALIKE = (
    "{name} is too similar to {other}, which exists already: some disks treat both names as the same."
    " Choose another name."
)
UNKNOWN = "No {kind} {name}. Saved {kinds}: {known}."
NONE_SAVED = "No {kind} {name}. No {kinds} are saved yet."
UNUSABLE = "The file '{file}' cannot be used ({why})."
FULL = "The file '{file}' was not written: its disk is full. Make room there, and try again."
CANNOT_WRITE = "The file '{file}' cannot be written ({why}): choose another place."
NO_DATA_FOLDER = (
    "The data folder {folder} cannot be used ({why}): correct that, or name another one in COMPANION_DATA."
)
SENTENCES = (
    BAD_NAME, BAD_CHARACTER, RESERVED_NAME, ALIKE, UNKNOWN, NONE_SAVED, UNUSABLE, FULL, CANNOT_WRITE,
    NO_DATA_FOLDER,
)  # fmt: skip
"""Marked for translation, except for the words `kind` and `kinds` of each NamedFiles."""


def normalise(name: str) -> str:
    """The name as new files have it, in the normal form that keyboards write (NFC)."""
    return unicodedata.normalize("NFC", name)


def check_new(path: Path, but: Path | None = None) -> None:
    """Raise InputError if a new file at `path` would have a name that Windows reserves, or that some file
    system treats as the name of another file in its folder, except `but`. An existing file may keep its
    name."""
    alike = [each for each in list_alike(path) if each != but]
    if path in alike:
        return
    if RESERVED.fullmatch(fold_name(path.stem)):
        raise InputError(RESERVED_NAME, name=quote(path.stem))
    if alike:
        raise InputError(ALIKE, name=quote(path.stem), other=quote(alike[0].stem))


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files `folder_name/NAME` + `suffix` in the user's data folder; `kind`, `kinds`: what they are called;
    `most_bytes`: in each.

    The name of a new file is in normal form, and no file system treats it as the name of another file;
    existing files keep their names, and are found by either form.

    Functions raise InputError: for a name that cannot be one, a file that is absent or that cannot be used;
    and MissingError where the disk is full.
    """

    kind: str
    kinds: str
    folder_name: str
    suffix: str
    most_bytes: int = READ_MAX_BYTES

    def folder(self) -> Path:
        """The folder of these files; it need not exist."""
        try:
            return config.data_dir() / self.folder_name
        except OSError as error:
            raise InputError(NO_DATA_FOLDER, folder=error.filename, why=error.strerror) from error

    def check_name(self, name: str) -> None:
        """Raise InputError for a name that no such file can have."""
        name = normalise(name)
        bad = next((each for each in name if not ALLOWED.match(each) or clean(each) != each), None)
        if bad is not None and bad.isprintable():
            raise InputError(BAD_CHARACTER, name=quote(name), character=quote(bad), kind=Sentence(self.kind))
        if not NAME.fullmatch(name):
            raise InputError(BAD_NAME, name=quote(name), kind=Sentence(self.kind))

    def path_of(self, name: str) -> Path:
        """The file called `name`, which need not exist."""
        self.check_name(name)
        folder, wanted = self.folder(), normalise(name)
        path = folder / (name + self.suffix)
        if os.path.lexists(path):
            return path
        found = (each for each in self._list_paths() if normalise(each.stem) == wanted)
        return next(found, folder / (wanted + self.suffix))

    def names(self) -> list[str]:
        """The names of the files that exist, in order; those of damaged ones too. Where two differ only in
        their normal form each is as it is written, else in the form of new files."""
        stems = [path.stem for path in self._list_paths()]
        counted = Counter(map(normalise, stems))
        return sorted(stem if counted[normalise(stem)] > 1 else normalise(stem) for stem in stems)

    def _list_paths(self) -> list[Path]:
        found = sorted(self.folder().glob("*" + self.suffix))
        return [path for path in found if NAME.fullmatch(normalise(path.stem))]

    def make_unknown(self, name: str, names: list[str] | None = None) -> InputError:
        """The error for a name that no file has; of the saved `names` those like it come first."""
        names = self.names() if names is None else names
        words = {"kind": Sentence(self.kind), "kinds": Sentence(self.kinds)}
        if not names:
            return InputError(NONE_SAVED, name=quote(name), **words)
        return InputError(UNKNOWN, name=quote(name), known=list_names(name, names), **words)

    def read(self, name: str) -> bytes:
        """What the file called `name` holds."""
        path = self.path_of(name)
        try:
            return read_whole(path, self.most_bytes)
        except FileNotFoundError as error:
            raise self.make_unknown(name) from error
        except OSError as error:
            raise make_unusable(path, error) from error

    def check_write(self, name: str) -> None:
        """Raise InputError for a name that `write` would refuse."""
        check_new(self.path_of(name))

    def write(self, name: str, content: bytes) -> Path:
        """Write the file called `name` in one step, over one that has this name, and return its path. Raises
        InputError also as `check_new` does."""
        path = self.path_of(name)
        try:
            check_new(path)
            write_whole(path, content)
        except OSError as error:
            raise make_unusable(path, error) from error
        return path

    def rename(self, name: str, new_name: str) -> None:
        """Give the file called `name` another name that none has, which may differ from the old one only in
        capitals. Raises InputError also as `check_new` does."""
        path, new = self.path_of(name), self.folder() / (normalise(new_name) + self.suffix)
        self.check_name(new_name)
        try:
            check_new(new, but=path)
            if new != path and new in list_alike(new):
                raise InputError(ALIKE, name=quote(new.stem), other=quote(new.stem))
            move_file(path, new)
        except FileNotFoundError as error:
            raise self.make_unknown(name) from error
        except OSError as error:
            raise make_unusable(path, error) from error

    def delete(self, name: str) -> None:
        """Remove the file called `name`."""
        path = self.path_of(name)
        try:
            path.unlink()
            sync_folder(path.parent)
        except FileNotFoundError as error:
            raise self.make_unknown(name) from error
        except OSError as error:
            raise make_unusable(path, error) from error


@contextmanager
def writing(file: object) -> Iterator[None]:
    """Turn an OSError into an error that names the file which is written: MissingError if its disk is
    full, else InputError."""
    try:
        yield
    except OSError as error:
        raise make_unusable(file, error, CANNOT_WRITE) from error


@contextmanager
def writing_new(path: Path, exists: str) -> Iterator[IO[bytes]]:
    """A new file, as `files.new_file` writes it. Raises as `writing`, and InputError if there is a file
    already: exists: the sentence for that, of {file}."""
    with writing(path):
        try:
            with new_file(path) as file:
                yield file
        except FileExistsError as error:
            raise InputError(exists, file=path) from error


def make_unusable(path: object, error: OSError, template: str = UNUSABLE) -> CompanionError:
    """The error for a file that the system refuses: a MissingError if its disk is full, else an InputError
    of that template."""
    if error.errno in NO_ROOM:
        return MissingError(FULL, file=path)
    return InputError(template, file=path, why=name_reason(error))
