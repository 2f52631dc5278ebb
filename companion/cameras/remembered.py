"""How large the pictures of each webcam were, kept in `webcams.json` in the user's data folder.

A driver may offer sizes in which nothing comes. Trying them takes a second, once.
"""

from __future__ import annotations

import logging

import msgspec

from companion import config
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as

FILE = "webcams.json"
WEBCAMS_MAX = 50
"""More are forgotten, the oldest first."""

log = logging.getLogger(__name__)


class _File(msgspec.Struct, frozen=True):
    """sizes: width and height of pictures, px, by the id of the webcam."""

    sizes: dict[str, tuple[int, int]] = {}


def load_size(camera_id: str) -> tuple[int, int] | None:
    """Width and height of that webcam's pictures, px; None where they are unknown."""
    return _read().sizes.get(camera_id)


def keep_size(camera_id: str, size: tuple[int, int]) -> None:
    """That webcam sends pictures of this size. Without room on the disk it is not kept."""
    sizes = _read().sizes
    if sizes.get(camera_id) == size:
        return
    others = {other: each for other, each in sizes.items() if other != camera_id}
    kept = _File(dict([*others.items(), (camera_id, size)][-WEBCAMS_MAX:]))
    try:
        write_whole(config.data_dir() / FILE, msgspec.json.format(msgspec.json.encode(kept), indent=1))
    except OSError:
        log.warning("the size of the webcam's pictures is not kept", exc_info=True)


def _read() -> _File:
    try:
        return decode_as(read_whole(config.data_dir() / FILE), _File)
    except FileNotFoundError:
        return _File()
    except (OSError, Undecodable):
        log.warning("the kept sizes of webcams cannot be used", exc_info=True)
        return _File()
