"""What the tile sets keep on disk: which set is in use, and the lesson that is under way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.app.tile_sets.lesson import PHOTOS_MAX, Lesson
from companion.sentences import as_text
from companion.tiles import BACK, KINDS, UNKNOWN

KNOWN_CODES = frozenset(tile.code for tile in KINDS) | {BACK, UNKNOWN}


@dataclass(frozen=True, slots=True)
class KeptTileSets:
    """`used` is the name of the set that pictures are read with, None where they are read without one."""

    used: str | None = None
    lesson: Lesson = field(default_factory=Lesson)


def make_storable(lesson: Lesson) -> Lesson:
    """`lesson` as JSON can hold it: in a photo's name that is not UTF-8, ? stands for what is not."""
    photos = tuple(replace(photo, path=as_text(photo.path)) for photo in lesson.photos)
    return replace(lesson, photos=photos)


def is_sound(kept: KeptTileSets) -> bool:
    """Whether it can have come from the window."""
    return _is_whole(kept.lesson)


def _is_whole(lesson: Lesson) -> bool:
    """Whether `lesson` can have come from the window."""
    ids = [tile.id for tile in lesson.tiles]
    return (
        len(lesson.photos) <= PHOTOS_MAX
        and 0 <= lesson.front < max(len(lesson.photos), 1)
        and len(ids) == len(set(ids))
        and {*lesson.doubted} <= {*ids}
        and (lesson.selected is None or lesson.selected in ids)
        and {tile.code for tile in lesson.tiles} <= KNOWN_CODES
        and all(tile.quad is not None for tile in lesson.tiles)
        and all(photo.rows and min(photo.rows) > 0 for photo in lesson.photos)
        and all(sum(photo.rows) == len(photo.tiles) for photo in lesson.photos)
    )
