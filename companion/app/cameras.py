"""How the window finds and opens cameras. No Kivy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.cameras import Camera, CameraInfo
from companion.cameras.connected import FILE_PREFIX
from companion.cameras.phone import PHONE, PhonePictures
from companion.cameras.pi import PI_CAMERA
from companion.live.camera_reading import OpenCamera
from companion.words import Words

NAMES = {camera.id: camera.name for camera in (PHONE, PI_CAMERA)}
"""The names that the program gives to cameras, by their ids."""
LINK = re.compile(r"/dev/v4l/by-[a-z]+/(?:usb-)?(.+?)(?:-video-index\d+)?")


@dataclass(frozen=True, slots=True)
class Cameras:
    """How cameras are found and opened; `wanted` is the one that the person asked for when starting. `play`
    opens a recording from a place on, in seconds, to its end, where `open` begins it again. `phone` has the
    pictures of the phone that shows the page's camera."""

    list: Callable[[], tuple[CameraInfo, ...]]
    open: OpenCamera
    wanted: str | None = None
    play: Callable[[str, float], Camera] | None = None
    phone: PhonePictures | None = None

    def with_phone(self, phone: PhonePictures) -> Cameras:
        """The same, and that phone as long as it is there."""

        def open_any(camera: str) -> Camera:
            return phone.open() if camera == PHONE.id else self.open(camera)

        def play_any(camera: str, begins_s: float) -> Camera:
            return phone.open() if camera == PHONE.id else self.open_from(camera, begins_s)

        return Cameras(
            lambda: (*self.list(), *((PHONE,) if phone.is_there else ())),
            open_any, self.wanted, play_any, phone,
        )  # fmt: skip

    def open_from(self, camera: str, begins_s: float) -> Camera:
        """Open it to be followed: a recording from that place to its end."""
        return self.open(camera) if self.play is None else self.play(camera, begins_s)

    def offer(self) -> tuple[CameraInfo, ...]:
        """The connected cameras; before them the one that the person asked for where it is not among them."""
        found = self.list()
        if self.wanted and self.wanted not in {info.id for info in found}:
            return (CameraInfo(self.wanted, name_camera(self.wanted)), *found)
        return found


def say_camera(name: str, words: Words) -> str:
    """A camera's name as it is shown: those that the program gives in the window's language."""
    return words(name) if name in NAMES.values() else name


def name_camera(camera_id: str) -> str:
    """What a camera is called that is not among those connected: a recording by its file's name, a webcam by
    what udev called it."""
    if camera_id in NAMES:
        return NAMES[camera_id]
    if camera_id.startswith(FILE_PREFIX):
        return Path(camera_id.removeprefix(FILE_PREFIX)).name or camera_id
    if webcam := LINK.fullmatch(camera_id):
        return webcam[1].replace("_", " ")
    return camera_id
