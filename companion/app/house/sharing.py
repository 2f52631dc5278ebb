"""A profile as text for a QR code, and back. Whoever photographs the code has the house rules.

The text is MJHOUSE1: and then, in base 32 without padding, the zlib-compressed JSON {"name", "profile"}:
capitals and digits, which a QR code holds in half the space. A profile holds every option, so that it means
the same in a newer program.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress

import cv2
import numpy as np
import segno

from companion.errors import InputError
from companion.foreign import reading
from companion.images import Image
from companion.named_files import NAME
from companion.rules.profile import Profile, decode_profile, make_file_json
from companion.sentences import msgid

HEAD = "MJHOUSE1:"
FAMILY = "MJHOUSE"
TEXT_BYTES_MAX = 64 * 1024
"""A profile has about 2 kB; what unpacks to more is none."""
NO_CODE = msgid("No QR code was found in this picture: take it from closer by, with all of the code in it.")
NOT_OURS = msgid("This QR code holds no house rules.")
NEWER = msgid("This QR code comes from a newer program: update the program.")
DAMAGED = msgid("This QR code cannot be read whole: take the picture again.")
SCALES = (1.0, 0.5, 1.5, 2.0, 0.75)
"""Sizes at which a code is looked for: one that fills the picture is found in a smaller one."""
SIDE_MAX_PX = 6000
SCALE = 8
"""Pixels of a module in a picture that is handed on."""


def encode_shared(name: str, profile: Profile) -> str:
    """The text of the QR code of a profile."""
    content = json.dumps({"name": name, "profile": make_file_json(profile)}, separators=(",", ":"))
    return HEAD + base64.b32encode(zlib.compress(content.encode(), 9)).decode().rstrip("=")


def decode_shared(text: str) -> tuple[str, Profile]:
    """Name and profile in the text of a QR code. InputError says what is wrong."""
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


def make_matrix(text: str) -> tuple[tuple[bool, ...], ...]:
    """The modules of the QR code of a text, rows from the top, True for dark, with the quiet border."""
    code = segno.make(text, error="m", boost_error=False, micro=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix_iter(border=4))


def draw_code(text: str) -> Image:
    """A picture of the QR code, (H, W, 3)."""
    modules = np.array(make_matrix(text), dtype=bool)
    grey = np.where(modules, 0, 255).astype(np.uint8)
    grey = grey.repeat(SCALE, axis=0).repeat(SCALE, axis=1)
    return np.repeat(grey[:, :, None], 3, axis=2)


def read_code(image: Image) -> tuple[str, Profile]:
    """Name and profile in a picture of a QR code. InputError where there is none, or it is not ours."""
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
