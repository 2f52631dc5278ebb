"""What is known of each webcam, kept in `webcams.json` in the user's data folder: the size of its pictures,
and the mains of the lamps that it sees.

A driver may offer sizes in which nothing comes, and a computer's time zone may be wrong. Finding out takes
seconds, once.
"""

from __future__ import annotations

import logging
from typing import Literal

import msgspec

from companion import config
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as

FILE = "webcams.json"
WEBCAMS_MAX = 50
"""More are forgotten, the oldest first."""

log = logging.getLogger(__name__)


class Webcam(msgspec.Struct, frozen=True):
    """size: width and height of its pictures, px; mains_hz: of the lamps that it sees. None where unknown."""

    size: tuple[int, int] | None = None
    mains_hz: Literal[50, 60] | None = None


class _File(msgspec.Struct, frozen=True):
    """webcams: by their ids."""

    webcams: dict[str, Webcam] = {}


def load(camera_id: str) -> Webcam:
    """What is known of that webcam."""
    return _read().webcams.get(camera_id, Webcam())


def keep(camera_id: str, **known: object) -> None:
    """Keep what is known now of that webcam, by the names of `Webcam`. Without room on the disk it is not
    kept."""
    webcams = _read().webcams
    before = webcams.get(camera_id, Webcam())
    now = msgspec.structs.replace(before, **known)
    if now == before:
        return
    others = {other: each for other, each in webcams.items() if other != camera_id}
    kept = _File(dict([*others.items(), (camera_id, now)][-WEBCAMS_MAX:]))
    try:
        write_whole(config.data_dir() / FILE, msgspec.json.format(msgspec.json.encode(kept), indent=1))
    except OSError:
        log.warning("what is known of the webcam is not kept", exc_info=True)


def _read() -> _File:
    try:
        return decode_as(read_whole(config.data_dir() / FILE), _File)
    except FileNotFoundError:
        return _File()
    except (OSError, Undecodable):
        log.warning("what is known of webcams cannot be used", exc_info=True)
        return _File()
