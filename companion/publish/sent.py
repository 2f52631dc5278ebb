"""How far each game was sent to each broker, kept in the data folder: after a restart the rest follows."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec

from companion.config import data_dir
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as

FOLDER = "published"
NAME_BYTES = 12
FILE_MAX_BYTES = 2**16


class _Kept(msgspec.Struct, frozen=True):
    destination: str
    number: Annotated[int, msgspec.Meta(ge=0)]


class Sent:
    """How far one game was sent to one place. destination: broker, table and game. number: of the last entry,
    0 for none. A damaged file counts as none: what is sent twice has the same key."""

    def __init__(self, destination: str) -> None:
        """Raises OSError."""
        self.destination = destination
        name = hashlib.blake2b(destination.encode(), digest_size=NAME_BYTES).hexdigest()
        self._path = data_dir() / FOLDER / f"{name}.json"
        try:
            self.number = decode_as(read_whole(self._path, FILE_MAX_BYTES), _Kept).number
        except (FileNotFoundError, Undecodable):
            self.number = 0

    def keep(self, number: int) -> None:
        """Every entry up to that number was sent. Raises OSError."""
        self.number = number
        write_whole(self._path, msgspec.json.encode(_Kept(self.destination, number)))
