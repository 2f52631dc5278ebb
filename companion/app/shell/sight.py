"""Reading pictures away from the window's thread. Only the newest request counts: what an older one finds is
dropped.

No Kivy: results are handed to `post`, which runs them on the window's thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.files import make_folder, open_owner_only
from companion.images import Image
from companion.running.posting import Post
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.vision import Reading, Recogniser
    from companion.vision.learned import LearnedSet
    from companion.vision.teaching import Lesson

T = TypeVar("T")

SHOWN_SIDE_MAX_PX = 2048
"""Longer side of the picture on the screen: every graphics chip in use takes a texture of that size."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sight:
    """How pictures are opened and read, whatever tiles the game has, and how a set of tiles is learned.

    load: a picture file; read: with a learned set, or none; learn: a set by its name and lessons; model: the
    sha256 of the model that sets are learned with. All but `load` raise ModelError.
    """

    load: Callable[[Path], Image]
    read: Callable[[Image, LearnedSet | None], Reading]
    learn: Callable[[str, Sequence[Lesson]], LearnedSet]
    model: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as the window shows it: `image` may be smaller than the `width` x `height` px that
    quads refer to.
    """

    image: Image
    width: int
    height: int


class Listener(Protocol):
    """Told, on the window's thread, how a picture fares.

    Every `opened` and `failed` is of the newest request.
    """

    def picture_progress(self, doing: Sentence) -> None: ...
    def picture_opened(self, path: Path, shown: Shown) -> None: ...
    def picture_read(self, path: Path, reading: Reading | None) -> None: ...
    def picture_failed(self, path: Path, why: Sentence) -> None: ...


def real_sight() -> Sight:
    """The recogniser that comes with the program; its models are loaded with the first picture that is
    read.
    """

    @cache
    def recogniser() -> Recogniser:
        from companion.config import models_dir
        from companion.vision import Recogniser

        return Recogniser(models_dir())

    def load(path: Path) -> Image:
        from companion.vision import load_picture

        return load_picture(path)

    def read(image: Image, tile_set: LearnedSet | None) -> Reading:
        return recogniser().read(image, tile_set=tile_set)

    def learn(name: str, lessons: Sequence[Lesson]) -> LearnedSet:
        from companion.vision import teaching

        return teaching.learn(recogniser().reader, name, lessons)

    def model() -> str:
        from companion.config import models_dir
        from companion.vision.networks import load_manifest

        return load_manifest(models_dir()).reader.sha256

    return Sight(load, read, learn, model)


def to_show(image: Image) -> Shown:
    height, width = image.shape[:2]
    scale = SHOWN_SIDE_MAX_PX / max(height, width)
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return Shown(image, width, height)


class PictureDesk:
    """Opens and reads pictures, one after the other, on a thread of its own."""

    def __init__(
        self,
        load: Callable[[Path], Image],
        read: Callable[[Image], Reading],
        post: Post,
        listener: Listener,
    ) -> None:
        self._load = load
        self._read = read
        self._post = post
        self._listener = listener
        self._newest = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def request(self, path: Path, *, read: bool = True) -> None:
        """Open `path`, and read it where `read` says so; the listener hears of it."""
        self._newest += 1
        self._thread.submit(self._run, self._newest, path, read)

    def keep(self, image: Image, path: Path, done: Callable[[Sentence | None], None]) -> None:
        """Write `image` to a new file `path` as a JPEG; `done` hears None, or what went wrong."""
        self.run(lambda: _write(image, path), done)

    def run(self, job: Callable[[], T], done: Callable[[T], None]) -> None:
        """Do `job`, which raises nothing, after what is under way; `done` hears its result."""

        def work() -> None:
            result = job()
            self._post(lambda: done(result))

        self._thread.submit(work)

    def close(self) -> None:
        self._newest += 1
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self, number: int, path: Path, read: bool) -> None:
        def tell(step: Callable[[], None]) -> None:
            self._post(lambda: step() if number == self._newest else None)

        if number != self._newest:
            return
        try:
            tell(lambda: self._listener.picture_progress(Sentence("Opening the picture …")))
            image = self._load(path)
            shown = to_show(image)
            tell(lambda: self._listener.picture_opened(path, shown))
            tell(lambda: self._listener.picture_progress(Sentence("Reading the tiles …")))
            reading = self._read(image) if read else None
            tell(lambda: self._listener.picture_read(path, reading))
        except CompanionError as error:
            why = error.sentence
            tell(lambda: self._listener.picture_failed(path, why))
        except Exception as error:
            log.exception("reading %s", path)
            why = Sentence(
                "Something went wrong while reading the picture ({why}); your tiles are kept.",
                {"why": str(error) or type(error).__name__},
            )
            tell(lambda: self._listener.picture_failed(path, why))


def _write(image: Image, path: Path) -> Sentence | None:
    try:
        make_folder(path.parent)
        done, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        if not done:
            raise OSError("JPEG")
        with open(path, "xb", opener=open_owner_only) as file:
            file.write(content.tobytes())
    except OSError as error:
        return Sentence(
            "The picture could not be kept ({why}); free some space and try again.",
            {"why": error.strerror or str(error)},
        )
    return None
