"""Where profiles are shared as files: the folder of downloads, and what is plugged in. No Kivy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_downloads_dir

from companion import profiles
from companion.app.house.sharing import encode_picture, encode_shared, read_code
from companion.app.places import write_out
from companion.errors import InputError
from companion.named_files import NAME, writing
from companion.profiles import FILES
from companion.rules.profile import Profile
from companion.vision import load_picture

FILES_MAX = 500
"""Of a folder, as many files are looked at."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file with a profile that can be taken in."""

    path: Path
    name: str
    profile: Profile


def list_places() -> list[Path]:
    """The folders in which shared profiles are looked for, the one that they are written to first."""
    user = os.environ.get("USER", "")
    downloads = Path(user_downloads_dir())
    places = [downloads if downloads.is_dir() else Path.home()]
    for media in (Path("/media") / user, Path("/run/media") / user):
        if user and media.is_dir():
            places += sorted(each for each in media.iterdir() if each.is_dir())
    return places


def find_files() -> tuple[FoundFile, ...]:
    """Every profile in these folders that can be used."""
    return tuple(found for place in list_places() for found in _find_in(place))


def _find_in(place: Path) -> Iterator[FoundFile]:
    try:
        paths = sorted(place.glob("*" + FILES.suffix))[:FILES_MAX]
    except OSError:
        return
    for path in paths:
        try:
            yield read_file(path)
        except InputError:
            continue  # any other JSON file


def read_file(path: Path) -> FoundFile:
    """The profile in a file, or in a picture of a QR code. InputError, PictureError say what is wrong."""
    if path.suffix.lower() == FILES.suffix:
        name = path.stem if NAME.fullmatch(path.stem) else "shared"
        return FoundFile(path, name, profiles.load(str(path)))
    name, profile = read_code(load_picture(path))
    return FoundFile(path, name, profile)


def export(name: str, profile: Profile) -> Path:
    """Write the profile, and a picture of its QR code, as new files into the folder of downloads; the path of
    the first. Raises InputError."""
    folder = list_places()[0]
    code = encode_picture(encode_shared(name, profile))
    with writing(folder):
        return write_out(folder, name, {"json": profiles.encode(profile), "png": code})
