"""Games as files: `games/NAME.game` in the user's data folder."""

from __future__ import annotations

from pathlib import Path

from companion import config
from companion.files import make_folder
from companion.game import messages
from companion.game.troubles import make_error
from companion.named_files import NamedFiles
from companion.sentences import msgid

FILES = NamedFiles(msgid("game"), msgid("games"), "games", ".game")


def folder() -> Path:
    """The folder of games, which need not exist. Raises GameFileError where there can be none."""
    try:
        return config.data_dir() / FILES.folder_name
    except OSError as error:
        raise make_error(Path(error.filename), messages.READ_ONLY) from error


def path_of(name: str) -> Path:
    """The file of the game called `name`, which need not exist; its folder is made. Raises InputError,
    GameFileError."""
    FILES.check_name(name)
    try:
        make_folder(folder())
    except OSError as error:
        raise make_error(Path(error.filename), messages.READ_ONLY) from error
    return FILES.path_of(name)


def find(name: str) -> Path:
    """The file of the game called `name`, in a folder that may be read-only. Raises InputError where it does
    not exist."""
    folder()
    path = FILES.path_of(name)
    if not path.exists():
        raise FILES.make_unknown(name, names())
    return path


def names() -> list[str]:
    """The names of the games, in order; damaged ones too, and what is not even a file."""
    folder()
    return FILES.names()
