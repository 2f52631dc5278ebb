"""The tile sets as the shell knows them: keeps the set in use and the lesson under way, and reads, learns and
deletes the files of sets. Learning takes seconds, runs away from the window's thread and raises nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.app.effects import Effect, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.news import TilesNamed
from companion.app.recognition import Recognition
from companion.app.tile_sets.lesson import PHOTOS_MAX, LessonDraft, LessonPhoto
from companion.app.tile_sets.state import (
    ForgetSet,
    LearnNamed,
    LearnSet,
    ListSets,
    ShowSet,
    StoredSet,
    TileSets,
    UndoLesson,
    UseSet,
    find_free_name,
)
from companion.errors import CompanionError
from companion.sentences import Sentence, as_text
from companion.tiles import BACK, KINDS, UNKNOWN, Tile

if TYPE_CHECKING:
    from companion.vision import teaching
    from companion.vision.learned import LearnedSet

KNOWN_CODES = frozenset(tile.code for tile in KINDS) | {BACK, UNKNOWN}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeptTileSets:
    """used: the name of the set that pictures are read with, None for none."""

    used: str | None = None
    lesson: LessonDraft = field(default_factory=LessonDraft)


def make_storable(lesson: LessonDraft) -> LessonDraft:
    """`lesson` as JSON can hold it: in a photo's name, ? replaces what is not UTF-8."""
    photos = tuple(replace(photo, path=as_text(photo.path)) for photo in lesson.photos)
    return replace(lesson, photos=photos)


def is_valid(kept: KeptTileSets) -> bool:
    """Whether it can have come from the window."""
    return _is_whole(kept.lesson)


def _is_whole(lesson: LessonDraft) -> bool:
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


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a set was not learned, and the tiles that caused it, numbered from 1 through all photos."""

    why: Sentence
    numbers: tuple[int, ...] = ()


def list_sets(model: Callable[[], str]) -> tuple[StoredSet, ...]:
    """The sets on disk; `model` returns the sha256 of the model that pictures are read with, or raises
    ModelError."""
    from companion.vision import set_files

    try:
        names = set_files.names()
    except CompanionError:  # there is no folder yet
        return ()
    return tuple(_inspect(name, model) for name in names)


def _inspect(name: str, model: Callable[[], str]) -> StoredSet:
    from companion.vision import set_files

    try:
        return StoredSet(name, len(set_files.load(name, model()).kinds))
    except CompanionError as error:
        return StoredSet(name, problem=error.sentence)


def learn_set(lesson: LessonDraft, recognition: Recognition) -> LearnedSet | Refusal:
    """The learned set, read back from disk, or why that failed."""

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
    """The set called `name`, or a new one, after it learned these tiles too; or why it did not."""

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
    """The set without its last lesson, or the set it replaced; None where it was deleted; or why not."""

    def undo() -> LearnedSet | None:
        from companion.vision import set_files, teaching

        earlier = teaching.take_lesson_back(set_files.load(name, recognition.model()))
        if earlier:
            return _store(earlier, recognition)
        set_files.delete(name)
        return None

    return _try_to(undo, name)


def _store(learned: LearnedSet, recognition: Recognition) -> LearnedSet:
    """The set, read back from disk."""
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


class TileSetsFeature:
    """Keeps the name of the set in use, and the lesson."""

    name = "tile_sets"
    part: SavedPart | None = SavedPart(KeptTileSets, is_valid, lambda kept: KeptTileSets(kept.used))

    def __init__(self, recognition: Recognition) -> None:
        self._recognition = recognition

    def begin(self, kept: KeptTileSets | None, controller: Controller[TileSets]) -> TileSets:
        if kept is None:
            return TileSets()
        state = TileSets(lesson=kept.lesson)
        return state if kept.used is None else state.also(UseSet(kept.used, again=False))

    def keep(self, state: TileSets) -> KeptTileSets:
        return KeptTileSets(state.used, make_storable(state.lesson))

    def perform(self, effect: Effect, controller: Controller[TileSets]) -> None:
        match effect:
            case ListSets():
                found = list_sets(self._recognition.model)
                controller.do(lambda state: state.set_list(found))
            case UseSet(name, again):
                self._use(name, again, controller)
            case ForgetSet(name):
                self._forget(name, controller)
            case LearnSet(lesson):
                self._learn(lesson, controller)
            case LearnNamed(name, named):
                self._learn_named(name, named, controller)
            case UndoLesson(name):
                self._take_back(name, controller)
            case ShowSet(name):
                self._show(name, controller)

    def offer_pages(self, controller: Controller[TileSets]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.tile_sets.pages import offer_pages

        return offer_pages(controller)

    def close(self) -> None:
        """Nothing has to end."""

    def _use(self, name: str | None, again: bool, controller: Controller[TileSets]) -> None:
        from companion.vision import set_files

        try:
            learned = None if name is None else set_files.load(name, self._recognition.model())
        except CompanionError as error:
            why = error.sentence
            controller.do(lambda state: state.also(ShowMessage(why)))
        else:
            controller.do(lambda state: state.set_used(name, learned, again=again))

    def _forget(self, name: str, controller: Controller[TileSets]) -> None:
        from companion.vision import set_files

        try:
            set_files.delete(name)
        except CompanionError as error:
            why = error.sentence
            controller.do(lambda state: state.also(ShowMessage(why, passes=True)))
        else:
            controller.do(lambda state: state.drop_set(name))

    def _learn(self, lesson: LessonDraft, controller: Controller[TileSets]) -> None:
        def job() -> Callable[[TileSets], TileSets]:
            result = learn_set(lesson, self._recognition)
            if isinstance(result, Refusal):
                return lambda state: state.reject_lesson(lesson, result.why, result.numbers)
            return lambda state: state.finish_lesson(lesson, result)

        controller.work(job)

    def _learn_named(self, name: str | None, named: TilesNamed, controller: Controller[TileSets]) -> None:
        def job() -> Callable[[TileSets], TileSets]:
            result = learn_named(name, named, self._recognition)
            if isinstance(result, Refusal):
                return lambda state: state.reject_named(named, result.why, result.numbers)
            return lambda state: state.finish_named(named, result)

        controller.work(job)

    def _take_back(self, name: str, controller: Controller[TileSets]) -> None:
        earlier = take_back(name, self._recognition)
        if isinstance(earlier, Refusal):
            why = earlier.why
            is_gone = name not in {one.name for one in list_sets(self._recognition.model)}
            controller.do(
                lambda state: (state.drop_set(name) if is_gone else state).also(ShowMessage(why, passes=True))
            )
        else:
            controller.do(lambda state: state.restore_set(name, earlier))

    def _show(self, name: str, controller: Controller[TileSets]) -> None:
        from companion.vision import set_files

        try:
            learned = set_files.load(name, self._recognition.model())
        except CompanionError as error:
            why = error.sentence
            controller.do(lambda state: state.also(ShowMessage(why, passes=True)))
        else:
            controller.do(lambda state: state.show_learned(learned))
