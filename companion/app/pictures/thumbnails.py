"""Small pictures for the chooser, made away from the window's thread; the ones asked for last come first."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureError
from companion.game.updates import Post
from companion.images import Image

SIDE_PX = 320
KEPT_MAX = 400
"""Small pictures kept in memory: about 120 MB at most."""
WAITING_MAX = 60
"""More than fit on a screen: older wishes have been scrolled away."""

log = logging.getLogger(__name__)


class Thumbnails:
    """`want(path, done)` calls `done(image)` on the window's thread, with None for what is not a picture."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._made: OrderedDict[Path, Image | None] = OrderedDict()
        self._wanted: list[tuple[Path, Callable[[Image | None], None]]] = []
        self._work = threading.Lock()
        self._working = False

    def want(self, path: Path, done: Callable[[Image | None], None]) -> None:
        with self._work:
            if path not in self._made:
                self._wanted.append((path, done))
                del self._wanted[:-WAITING_MAX]
                if not self._working:
                    self._working = True
                    threading.Thread(target=self._run, name="thumbnails", daemon=True).start()
                return
        done(self._made[path])

    def _run(self) -> None:
        """Make pictures until no more are wanted; the thread then ends, and with it its hold on the page."""
        while wish := self._take():
            path, done = wish
            image = self._made[path] if path in self._made else _small(path)
            self._post(lambda path=path, image=image, done=done: self._keep(path, image, done))  # type: ignore[misc]

    def _take(self) -> tuple[Path, Callable[[Image | None], None]] | None:
        with self._work:
            self._working = bool(self._wanted)
            return self._wanted.pop() if self._wanted else None

    def _keep(self, path: Path, image: Image | None, done: Callable[[Image | None], None]) -> None:
        with self._work:
            self._made[path] = image
            if len(self._made) > KEPT_MAX:
                self._made.popitem(last=False)
        done(image)


def _small(path: Path) -> Image | None:
    from companion.vision.pictures import load_photo

    try:
        image = load_photo(path, SIDE_PX).pixels
    except PictureError as error:
        log.info("no thumbnail of %s: %s", path, error)
        return None
    scale = SIDE_PX / max(image.shape[:2])
    if scale >= 1:
        return image
    size = [max(1, round(side * scale)) for side in image.shape[1::-1]]
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
