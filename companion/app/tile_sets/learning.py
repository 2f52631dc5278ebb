"""Learns the set of a lesson and writes it to disk; needs seconds, and raises nothing. No Kivy."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.recognition import Recognition
from companion.app.tile_sets.lesson import Lesson, LessonPhoto
from companion.errors import CompanionError
from companion.sentences import Sentence
from companion.tiles import Tile

if TYPE_CHECKING:
    from companion.vision import teaching
    from companion.vision.learned import LearnedSet

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a set was not learned, and the numbers of the tiles, from 1 through all photos, that it is
    about."""

    why: Sentence
    numbers: tuple[int, ...] = ()


def learn_set(lesson: Lesson, recognition: Recognition) -> LearnedSet | Refusal:
    """The set as it can be read back from disk, or why there is none."""
    from companion.vision import set_files

    try:
        set_files.path_of(lesson.name)
        kinds = [[named.kind for named in photo] for photo in lesson.named]
        lessons = [_as_taught(*each, recognition) for each in zip(lesson.photos, kinds, strict=True)]
        set_files.save(recognition.learn(lesson.name, lessons))
        return set_files.load(lesson.name, recognition.model())
    except CompanionError as error:
        params = error.sentence.params
        named = [params[name] for name in ("one", "other") if name in params]
        return Refusal(error.sentence, tuple(n for n in named if isinstance(n, int)))
    except Exception as error:
        log.exception("learning %s", lesson.name)
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
    return teaching.Lesson(image, reading, tuple(Tile.parse(kind) if kind else None for kind in kinds))
