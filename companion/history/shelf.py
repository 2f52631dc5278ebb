"""Where games lie: `games/NAME.game` in the user's data folder."""

from __future__ import annotations

import re
from pathlib import Path

from companion import config
from companion.errors import InputError, quoted
from companion.files import make_folder
from companion.history import messages
from companion.history.opening import has_journal
from companion.history.troubles import make_error

SUFFIX = ".game"
NAME = re.compile(r"\w[\w-]{0,59}")
"""Safe as a file name everywhere, and short enough where each letter takes four bytes."""


def folder() -> Path:
    """Where games lie, made if absent. GameFileError where it cannot be."""
    try:
        games = make_folder(config.data_dir() / "games")
    except OSError as error:
        raise make_error(Path(error.filename), messages.READ_ONLY) from error
    return games


def path_of(name: str) -> Path:
    """The file of the game called `name`, which need not exist."""
    if not NAME.fullmatch(name):
        raise InputError(messages.BAD_NAME, name=quoted(name))
    return folder() / (name + SUFFIX)


def existing(name: str) -> Path:
    """The file of the game called `name`; InputError where there is none."""
    path = path_of(name)
    if not path.exists():
        raise InputError(messages.UNKNOWN, name=quoted(name), known=" or ".join(names()) or messages.NONE_YET)
    return path


def names() -> list[str]:
    """The names of the games that there are, in order; damaged ones too, and what is not even a file."""
    found = (path for path in folder().glob("*" + SUFFIX) if NAME.fullmatch(path.stem))
    return sorted(path.stem for path in found if not _was_never_begun(path))


def _was_never_begun(path: Path) -> bool:
    return path.is_file() and not path.stat().st_size and not has_journal(path)
