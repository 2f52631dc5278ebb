"""Profiles as files and as QR codes. A code holds MJHOUSE1: and, in base 32 without padding, the compressed
JSON {"name", "profile"}: capitals and digits take half the space. A profile holds every option, so that it
means the same in a newer program. No Kivy."""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
from platformdirs import user_downloads_dir

from companion import profiles
from companion.app.places import write_out
from companion.app.qr_code import draw_code
from companion.errors import InputError
from companion.foreign import reading
from companion.images import Image
from companion.named_files import NAME, writing
from companion.profiles import FILES
from companion.rules.profile import Profile, decode_profile, make_file_json
from companion.sentences import msgid
from companion.vision import load_picture

HEAD = "MJHOUSE1:"
FAMILY = "MJHOUSE"
TEXT_BYTES_MAX = 64 * 1024
"""Maximum size of an unpacked profile; one has about 2 kB."""
NO_CODE = msgid("No QR code was found in this picture: move closer, with the whole code in the picture.")
NOT_OURS = msgid("This QR code holds no house rules.")
NEWER = msgid("This QR code comes from a newer program: update the program.")
DAMAGED = msgid("This QR code cannot be read completely: take the picture again.")
SCALES = (1.0, 0.5, 1.5, 2.0, 0.75)
"""Sizes at which a code is looked for: one that fills the picture is found in a smaller one."""
SIDE_MAX_PX = 6000


def encode_shared(name: str, profile: Profile) -> str:
    """The text of the QR code of a profile."""
    content = json.dumps({"name": name, "profile": make_file_json(profile)}, separators=(",", ":"))
    return HEAD + base64.b32encode(zlib.compress(content.encode(), 9)).decode().rstrip("=")


def decode_shared(text: str) -> tuple[str, Profile]:
    """Name and profile in the text of a QR code. InputError with the reason."""
    if not text.startswith(HEAD):
        raise InputError(NEWER if text.startswith(FAMILY) else NOT_OURS)
    body = text[len(HEAD) :]
    with reading(lambda why: InputError(DAMAGED)):
        packed = base64.b32decode(body + "=" * (-len(body) % 8))
        unpacker = zlib.decompressobj()
        content = json.loads(unpacker.decompress(packed, TEXT_BYTES_MAX))
        name, plain = content["name"], json.dumps(content["profile"])
        if not isinstance(name, str) or not NAME.fullmatch(name):
            name = "shared"
        return name, decode_profile(plain)


def read_code(image: Image) -> tuple[str, Profile]:
    """Name and profile in a picture of a QR code. InputError if there is none, or it is not ours."""
    for text in _try_to_read(image):
        if text:
            return decode_shared(text)
    raise InputError(NO_CODE)


def _try_to_read(image: Image) -> Iterator[str]:
    """What each detector makes of the picture, at several sizes; "" where it finds nothing."""
    for scale in SCALES:
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        if max(size) > SIDE_MAX_PX:
            continue
        shown = image if scale == 1 else cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            with suppress(Exception):  # of OpenCV, or of text that is not UTF-8
                yield detector.detectAndDecode(shown)[0]


def encode_picture(text: str) -> bytes:
    """The picture of the code as a PNG."""
    _, content = cv2.imencode(".png", draw_code(text))
    return content.tobytes()


FILES_MAX = 500
"""Maximum number of files that are read from a folder."""


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
    """The profile in a file, or in a picture of a QR code. InputError or PictureError with the reason."""
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
