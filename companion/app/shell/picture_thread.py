"""Opens and reads pictures for one feature, and runs its long jobs, away from the window's thread. No Kivy.

Of pictures only the newest request counts: what an older one finds is dropped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from companion.app.effects import ReadPicture
from companion.app.news import News, PictureFailed, PictureOpened, PictureProgress, PictureRead
from companion.app.recognition import Reader
from companion.app.shown import shrink_to_show
from companion.errors import CompanionError
from companion.game.updates import Post
from companion.sentences import Sentence

T = TypeVar("T")

log = logging.getLogger(__name__)


class PictureThread:
    """`hear` is called on the window's thread with how the newest picture fares."""

    def __init__(self, reader: Reader, post: Post, hear: Callable[[News], None]) -> None:
        self._reader = reader
        self._post = post
        self._hear = hear
        self._newest = 0
        self._closed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def request(self, wanted: ReadPicture) -> None:
        """Open that picture, and read it where that is wanted."""
        self._newest += 1
        number = self._newest
        self._begin(lambda: self._run(number, wanted))

    def run(
        self, job: Callable[[], T], done: Callable[[T], None], failed: Callable[[Sentence], None]
    ) -> None:
        """Do `job` after what is under way; `done` gets its result, `failed` why there is none."""

        def work() -> None:
            try:
                result = job()
            except Exception as error:
                log.exception("a job of the window")
                why = Sentence(
                    "Something went wrong ({why}); what you entered is kept.", {"why": _describe(error)}
                )
                self._post(lambda: failed(why))
            else:
                self._post(lambda: done(result))

        self._begin(work)

    def close(self) -> None:
        """Begin nothing more, and report nothing more; what is asked for from now on is not done."""
        self._newest += 1
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Callable[[], None]) -> None:
        if not self._closed:
            self._thread.submit(work)

    def _run(self, number: int, wanted: ReadPicture) -> None:
        def tell(news: News) -> None:
            self._post(lambda: self._hear(news) if number == self._newest else None)

        if number != self._newest:
            return
        path, read = wanted.path, self._reader.read_plainly if wanted.plain else self._reader.read
        try:
            tell(PictureProgress(Sentence("Opening the picture …")))
            image = self._reader.recognition.load(path)
            tell(PictureOpened(path, shrink_to_show(image)))
            tell(PictureProgress(Sentence("Reading the tiles …")))
            tell(PictureRead(path, read(image) if wanted.read else None))
        except CompanionError as error:
            tell(PictureFailed(path, error.sentence))
        except Exception as error:
            log.exception("reading %s", path)
            why = Sentence(
                "Something went wrong while reading the picture ({why}); your tiles are kept.",
                {"why": _describe(error)},
            )
            tell(PictureFailed(path, why))


def _describe(error: Exception) -> str:
    return str(error) or type(error).__name__
