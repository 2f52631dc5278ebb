"""Files that a person has named: profiles, tile sets, games. One rule for names, one way to find them.

What a file holds is the business of its kind; each kind is a `NamedFiles` and its own encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion import config
from companion.errors import InputError, MissingError, list_names, quote
from companion.files import NO_ROOM, READ_MAX_BYTES, read_whole, write_whole
from companion.sentences import Sentence

NAME = re.compile(r"\w[\w '’&()+-]{0,59}(?<! )")
"""Safe as a file name everywhere, and short enough where each letter takes four bytes."""
ALLOWED = re.compile(r"[\w '’&()+-]")

BAD_NAME = "{name} cannot be the name of a {kind}: use letters, digits, spaces, ' and -, up to 60 in all."
BAD_CHARACTER = (
    "{name} cannot be the name of a {kind}: take {character} out."
    " Letters, digits, spaces, ' and - can be in it."
)
UNKNOWN = "No {kind} {name}. Saved {kinds}: {known}."
NONE_SAVED = "No {kind} {name}. No {kinds} are saved yet."
UNUSABLE = "The file '{file}' cannot be used ({why})."
FULL = "The file '{file}' was not written: its disk is full. Make room there, and try again."
CANNOT_WRITE = "The file '{file}' cannot be written ({why}): choose another place."
NO_DATA_FOLDER = (
    "The data folder {folder} cannot be used ({why}): put that right, or name another one in COMPANION_DATA."
)
SENTENCES = (BAD_NAME, BAD_CHARACTER, UNKNOWN, NONE_SAVED, UNUSABLE, FULL, CANNOT_WRITE, NO_DATA_FOLDER)
"""For translators; the words of `kind` and `kinds` stand where a NamedFiles is made."""


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files `folder_name/NAME` + `suffix` in the user's data folder; `kind`, `kinds`: what they are called;
    `most_bytes`: in each.

    Functions raise InputError: for a name that cannot be one, a file that is absent or that cannot be used.
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
        bad = next((letter for letter in name if not ALLOWED.match(letter)), None)
        if bad is not None and bad.isprintable():
            raise InputError(BAD_CHARACTER, name=quote(name), character=quote(bad), kind=Sentence(self.kind))
        if not NAME.fullmatch(name):
            raise InputError(BAD_NAME, name=quote(name), kind=Sentence(self.kind))

    def path_of(self, name: str) -> Path:
        """The file called `name`, which need not exist."""
        self.check_name(name)
        return self.folder() / (name + self.suffix)

    def names(self) -> list[str]:
        """The names of the files that exist, in order; those of damaged ones too."""
        return sorted(
            path.stem for path in self.folder().glob("*" + self.suffix) if NAME.fullmatch(path.stem)
        )

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

    def write(self, name: str, content: bytes) -> Path:
        """Write the file called `name` in one step, over one that has this name, and return its path."""
        path = self.path_of(name)
        try:
            write_whole(path, content)
        except OSError as error:
            raise make_unusable(path, error) from error
        return path

    def delete(self, name: str) -> None:
        """Remove the file called `name`."""
        path = self.path_of(name)
        try:
            path.unlink()
        except FileNotFoundError as error:
            raise self.make_unknown(name) from error
        except OSError as error:
            raise make_unusable(path, error) from error


@contextmanager
def writing(file: object) -> Iterator[None]:
    """Have what the system refuses name the file that is written. Raises MissingError where its disk is full,
    else InputError."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise MissingError(FULL, file=file) from error
        raise InputError(CANNOT_WRITE, file=file, why=error.strerror or type(error).__name__) from error


def make_unusable(path: object, error: OSError) -> InputError:
    """The error for a file that the system refuses."""
    return InputError(UNUSABLE, file=path, why=error.strerror or type(error).__name__)
