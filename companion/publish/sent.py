"""How far each game was sent to each broker, kept in the data folder: after a restart the rest follows."""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.config import data_dir
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as

FILE = "published.json"
FILE_MAX_BYTES = 2**22
Number = Annotated[int, msgspec.Meta(ge=0)]


def read_sent(destination: str) -> int:
    """The number of the last entry that was sent there, 0 for none. A damaged file counts as none: what is
    sent twice has the same key. destination: broker, table and game. Raises OSError."""
    return _read().get(destination, 0)


def keep_sent(destination: str, number: int) -> None:
    """Every entry up to that number was sent there. Raises OSError."""
    write_whole(data_dir() / FILE, msgspec.json.encode(_read() | {destination: number}))


def _read() -> dict[str, int]:
    try:
        return decode_as(read_whole(data_dir() / FILE, FILE_MAX_BYTES), dict[str, Number])
    except (FileNotFoundError, Undecodable):
        return {}
