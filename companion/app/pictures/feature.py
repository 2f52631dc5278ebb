"""Bringing a picture, as the shell knows it: cameras, and the pictures taken with them, which are the
person's own files and are never deleted or overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import cv2

from companion.app.cameras import Cameras
from companion.app.effects import Effect, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.live_preview import NO_CAMERA, LiveCameras, LivePreview
from companion.app.pictures.state import BringPicture, KeepPicture, StartPreview, StopPreview
from companion.app.recognition import PictureReader
from companion.files import make_folder, new_file
from companion.game.updates import Post
from companion.images import Image
from companion.live.running import RunningGame
from companion.sentences import Sentence

QUALITY_PERCENT = 95
END_S = 3.0
"""Maximum wait for a camera and a reading to end with the window; an unplugged camera takes two seconds."""


def write_picture(image: Image, folder: Path) -> Path:
    """Write `image` to a new JPEG in `folder`, named after the time, and return its path. Raises OSError."""
    path = folder / datetime.now().strftime("camera-%Y%m%d-%H%M%S-%f.jpg")
    make_folder(folder)
    done, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY_PERCENT])
    if not done:
        raise OSError("JPEG")
    with new_file(path) as file:
        file.write(content.tobytes())
    return path


class PicturesFeature:
    """taken_folder: where pictures taken with the camera are kept."""

    name = "pictures"
    part: SavedPart | None = None

    def __init__(
        self, cameras: Cameras, reader: PictureReader, game: RunningGame, post: Post, taken_folder: Path
    ) -> None:
        self.cameras = cameras
        self.taken_folder = taken_folder
        self._reader = reader
        self._game = game
        self._post = post
        self._preview: LivePreview | None = None

    def begin(self, kept: None, controller: Controller[BringPicture]) -> BringPicture:
        return BringPicture(wanted=self.cameras.wanted, camera=self.cameras.wanted)

    def keep(self, state: BringPicture) -> None:
        """Nothing is kept."""

    def perform(self, effect: Effect, controller: Controller[BringPicture]) -> None:
        match effect:
            case StartPreview(camera):
                self._start(camera, controller)
            case StopPreview():
                self._stop()
            case KeepPicture(image):
                controller.work(lambda: self._keep(image))

    def offer_pages(self, controller: Controller[BringPicture]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.pictures.pages import offer_pages

        return offer_pages(controller, lambda: self.cameras.offer(), self.taken_folder)

    def close(self) -> None:
        """Release the camera: a program that ends while a camera runs is killed, not ended."""
        preview = self._preview
        self._stop()
        if preview:
            preview.wait(END_S)

    def _start(self, camera: str | None, controller: Controller[BringPicture]) -> None:
        self._stop()
        live = LiveCameras(self.cameras, self._reader, self._game, self._post)
        chosen = live.find(camera)
        if chosen is None:
            controller.do(lambda state: state.lose_camera(NO_CAMERA))
            return
        preview = self._preview = live.start(
            chosen,
            lambda why: controller.do(lambda state: state.lose_camera(why)),
            lambda why: controller.do(lambda state: state.also(ShowMessage(why))),
        )
        controller.do(lambda state: state.show_preview(chosen, preview))

    def _stop(self) -> None:
        if self._preview:
            self._preview.stop()
            self._preview = None

    def _keep(self, image: Image) -> Callable[[BringPicture], BringPicture]:
        try:
            path = write_picture(image, self.taken_folder)
        except OSError as error:
            why = Sentence(
                "The picture could not be saved ({why}). Free some space and try again.",
                {"why": error.strerror or str(error)},
            )
            return lambda state: state.report_trouble(why)
        return lambda state: state.hand_over(path)
