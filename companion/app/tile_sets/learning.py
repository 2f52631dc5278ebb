"""Learns the set of a lesson and writes it to disk; needs seconds, and raises nothing. No Kivy."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.app.news import TilesNamed
from companion.app.recognition import Recognition
from companion.app.tile_sets.lesson import Lesson, LessonPhoto
from companion.app.tile_sets.stored_sets import find_free_name, list_sets
from companion.errors import CompanionError
from companion.sentences import Sentence
from companion.tiles import UNKNOWN, Tile

if TYPE_CHECKING:
    from companion.vision import teaching
    from companion.vision.learned import LearnedSet

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a set was not learned, and the numbers of the tiles, from 1 through all photos, that it is
    about."""

    why: Sentence
    numbers: tuple[int, ...] = ()


def learn_set(lesson: Lesson, recognition: Recognition) -> LearnedSet | Refusal:
    """The set as it can be read back from disk, or why there is none."""

    def learn() -> LearnedSet:
        from companion.vision import set_files, teaching

        set_files.FILES.check_write(lesson.name)
        old = set_files.load_usable(lesson.name, recognition.model())
        kinds = [[named.kind for named in photo] for photo in lesson.named]
        lessons = [_as_taught(*each, recognition) for each in zip(lesson.photos, kinds, strict=True)]
        if lesson.anew:
            learned = teaching.put_in_place_of(old, recognition.learn(lesson.name, lessons, None))
        else:
            learned = recognition.learn(lesson.name, lessons, old)
        return _store(learned, recognition)

    return _try_to(learn, lesson.name)


def learn_named(name: str | None, named: TilesNamed, recognition: Recognition) -> LearnedSet | Refusal:
    """The set called `name`, or a new one, that has learned these tiles as well; or why it has not."""

    def learn() -> LearnedSet:
        from companion.vision import Reading, TileReading, set_files, teaching

        before = set_files.load(name, recognition.model()) if name else None
        called = name or find_free_name(list_sets(recognition.model), named.word)
        image = recognition.load(named.path)
        tiles = tuple(TileReading(code or UNKNOWN, quad, 1.0, ()) for quad, code in named.tiles)
        kinds = tuple(Tile.parse(code) if code else None for _, code in named.tiles)
        reading = Reading(image.shape[1], image.shape[0], tiles, (), {})
        lesson = teaching.Lesson(image, reading, kinds)
        return _store(recognition.learn(called, [lesson], before), recognition)

    return _try_to(learn, name or named.word)


def take_back(name: str, recognition: Recognition) -> LearnedSet | Refusal | None:
    """The set without its last lesson, or the one it replaced; None where it is forgotten; or why not."""

    def undo() -> LearnedSet | None:
        from companion.vision import set_files, teaching

        earlier = teaching.take_lesson_back(set_files.load(name, recognition.model()))
        if earlier:
            return _store(earlier, recognition)
        set_files.delete(name)
        return None

    return _try_to(undo, name)


def _store(learned: LearnedSet, recognition: Recognition) -> LearnedSet:
    """The set as it is read back from disk."""
    from companion.vision import set_files

    set_files.save(learned)
    return set_files.load(learned.name, recognition.model())


def _try_to(job: Callable[[], T], name: str) -> T | Refusal:
    try:
        return job()
    except CompanionError as error:
        params = error.sentence.params
        named = [params[name] for name in ("one", "other") if name in params]
        return Refusal(error.sentence, tuple(n for n in named if isinstance(n, int)))
    except Exception as error:
        log.exception("learning %s", name)
        why = {"why": str(error) or type(error).__name__}
        return Refusal(
            Sentence("Something went wrong while learning the tiles ({why}); your photos are kept.", why)
        )


def _as_taught(photo: LessonPhoto, kinds: list[str | None], recognition: Recognition) -> teaching.Lesson:
    from companion.vision import Reading, TileReading, teaching

    image = recognition.load(Path(photo.path))
    tiles = tuple(
        TileReading(tile.code, tile.quad, tile.p, tile.alternatives) for tile in photo.tiles if tile.quad
    )
    reading = Reading(image.shape[1], image.shape[0], tiles, (), {})
    return teaching.Lesson(
        image,
        reading,
        tuple(Tile.parse(kind) if kind else None for kind in kinds),
    )
