"""Pictures of winning hands, stored next to the game: `NAME.pictures/NUMBER-CHECKSUM.jpg`, for the owner
only.

The checksum is of the win, so that another event that gets the same number after an undo has no picture.
"""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO
from pathlib import Path

from PIL import Image

from companion.errors import InputError, PictureError
from companion.files import make_folder, write_whole
from companion.game.sqlite import translate_errors
from companion.sentences import msgid
from companion.table.events import Won

SIDE_PX_MAX = 1280
"""Tiles of a hand can be distinguished at this size, and a picture has some 150 kB."""
QUALITY = 85
FOLDER_SUFFIX = ".pictures"
NO_PICTURE = msgid("The picture of the winning hand is not a picture file.")


def keep_picture(game_path: Path, event_number: int, won: Won, jpeg: bytes) -> Path:
    """Store the picture of a winning hand next to its game, and return its path.

    event_number: of the win in the log, from 1. jpeg: of the winning hand only: whoever calls this cuts away
    everything else. It is scaled down, without metadata such as the place. Raises InputError if it is not a
    picture, GameFileError if it cannot be written.
    """
    from companion.vision.pictures import PHOTO, decode_photo

    try:
        photo = decode_photo(jpeg, PHOTO, game_path.name, 2 * SIDE_PX_MAX)
    except PictureError as error:
        raise InputError(NO_PICTURE) from error
    image = Image.fromarray(photo.pixels[:, :, ::-1])
    image.thumbnail((SIDE_PX_MAX, SIDE_PX_MAX))
    content = BytesIO()
    image.save(content, "JPEG", quality=QUALITY)
    path = _path_of(game_path, event_number, won)
    with translate_errors(game_path):
        make_folder(path.parent)
        write_whole(path, content.getvalue())
    return path


def find_picture(game_path: Path, event_number: int, won: Won) -> Path | None:
    """The stored picture of that win; None without one."""
    path = _path_of(game_path, event_number, won)
    return path if path.is_file() else None


def name_picture(event_number: int, won: Won) -> str:
    """The name of the file in which that win's picture is stored, if there is one."""
    checksum = sha256(repr(won).encode()).hexdigest()[:12]
    return f"{event_number}-{checksum}.jpg"


def folder_of(game_path: Path) -> Path:
    """The folder of that game's pictures, which need not exist."""
    return game_path.with_suffix(FOLDER_SUFFIX)


def _path_of(game_path: Path, number: int, won: Won) -> Path:
    return folder_of(game_path) / name_picture(number, won)
