"""Brings the photos of a lesson in and has the set learned, away from the window's thread. No Kivy.

Whatever fails is told in one sentence, and the lesson stays as it was.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.score_photo.state import ScorePhoto
from companion.app.shell.sight import PictureDesk, Shown, Sight
from companion.app.tile_sets.lesson import Lesson, LessonPhoto
from companion.errors import CompanionError
from companion.running.posting import Post
from companion.sentences import Sentence
from companion.tiles import Tile

if TYPE_CHECKING:
    from companion.vision import Reading, teaching

Step = Callable[[ScorePhoto], ScorePhoto]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a set was not learned, and the numbers of the tiles, from 1 through all photos, that it is
    about."""

    why: Sentence
    numbers: tuple[int, ...] = ()


class Teacher:
    """`do` takes steps of the window's state; `learned` hears of a lesson that was learned."""

    def __init__(
        self,
        sight: Sight,
        post: Post,
        state: Callable[[], ScorePhoto],
        do: Callable[[Step], None],
        learned: Callable[[Lesson], None],
    ) -> None:
        self._sight = sight
        self._state = state
        self._do = do
        self._learned = learned
        self._pictures = PictureDesk(sight.load, lambda image: sight.read(image, None), post, self)
        self._shown: dict[str, Shown] = {}
        self._asked: set[str] = set()

    @property
    def shown(self) -> Shown | None:
        """The photo in front, None until it is opened."""
        photo = self._state().lesson.photo
        return self._shown.get(photo.path) if photo else None

    def add_photo(self, path: Path) -> None:
        """Read that picture as a photo of the set."""
        lesson = self._state().lesson
        if lesson.is_full and str(path) not in {photo.path for photo in lesson.photos}:
            self._tell(Sentence("Two photos are enough: take one of them away first."))
        else:
            self._do(lambda state: state.work(Sentence("Opening the picture …")))
            self._pictures.request(path)

    def show_front(self) -> None:
        """Open the photo in front where it is not in memory: after a start, or a change of photos."""
        photo = self._state().lesson.photo
        if photo and photo.path not in {*self._shown, *self._asked}:
            self._asked.add(photo.path)
            self._pictures.request(Path(photo.path), read=False)

    def save(self) -> None:
        """Learn the set from what is on the screen, and keep it."""
        lesson = self._state().lesson
        self._do(lambda state: state.tell(None).work(Sentence("Learning the tiles …")))
        self._pictures.run(lambda: self._learn(lesson), lambda trouble: self._saved(lesson, trouble))

    def close(self) -> None:
        self._pictures.close()

    def picture_progress(self, doing: Sentence) -> None:
        self._do(lambda state: state.work(doing))

    def picture_opened(self, path: Path, shown: Shown) -> None:
        self._shown = {photo.path: self._shown[photo.path] for photo in self._state().lesson.photos
                       if photo.path in self._shown} | {str(path): shown}  # fmt: skip
        self._do(lambda state: state)

    def picture_read(self, path: Path, reading: Reading | None) -> None:
        if reading is None:
            self._do(lambda state: state.work(None))
        elif not reading.tiles:
            self._tell(
                Sentence("No tiles were found in this picture: take it from closer by and in even light.")
            )
        else:
            rows = [len(row) for row in reading.rows]
            self._do(
                lambda state: state.work(None).teach(
                    lambda lesson: lesson.with_photo(str(path), reading.tiles, rows)
                )
            )

    def picture_failed(self, path: Path, why: Sentence) -> None:
        self._tell(why)

    def _learn(self, lesson: Lesson) -> Refusal | None:
        from companion.vision import set_files

        try:
            set_files.path_of(lesson.name)
            kinds = [[named.kind for named in photo] for photo in lesson.named]
            lessons = [self._as_taught(*each) for each in zip(lesson.photos, kinds, strict=True)]
            set_files.save(self._sight.learn(lesson.name, lessons))
        except CompanionError as error:
            named = [
                error.sentence.params[name] for name in ("one", "other") if name in error.sentence.params
            ]
            return Refusal(error.sentence, tuple(n for n in named if isinstance(n, int)))
        except Exception as error:
            log.exception("learning %s", lesson.name)
            why = {"why": str(error) or type(error).__name__}
            return Refusal(
                Sentence("Something went wrong while learning the tiles ({why}); your photos are kept.", why)
            )
        return None

    def _as_taught(self, photo: LessonPhoto, kinds: list[str | None]) -> teaching.Lesson:
        from companion.vision import Reading, TileReading, teaching

        image = self._sight.load(Path(photo.path))
        tiles = tuple(
            TileReading(tile.code, tile.quad, tile.p, tile.alternatives) for tile in photo.tiles if tile.quad
        )
        reading = Reading(image.shape[1], image.shape[0], tiles, (), {})
        return teaching.Lesson(image, reading, tuple(Tile.parse(kind) if kind else None for kind in kinds))

    def _saved(self, lesson: Lesson, refusal: Refusal | None) -> None:
        if refusal is None:
            self._learned(lesson)
            return
        self._tell(refusal.why)
        if refusal.numbers and self._state().lesson == lesson:
            self._do(lambda state: state.teach(lambda lesson: lesson.doubt(refusal.numbers)))

    def _tell(self, why: Sentence) -> None:
        self._do(lambda state: state.work(None).tell(why))
