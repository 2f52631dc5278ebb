"""The state of the tile sets as one frozen value, and its steps: the sets taught so far, the one in use, and
the lesson that teaches another. No Kivy, no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.effects import (
    ComeToFront,
    Effect,
    GoBack,
    Keep,
    ReadPicture,
    SendNews,
    ShowMessage,
    UseTileSet,
)
from companion.app.feature import BarButton, FeatureState, remember
from companion.app.news import (
    ChoosePicture,
    LessonUnwanted,
    News,
    PictureChosen,
    PictureFailed,
    PictureOpened,
    PictureProgress,
    PictureRead,
    TileRefused,
    TilesLearned,
    TilesNamed,
)
from companion.app.shown import ShownPicture
from companion.app.tile_sets.lesson import LessonDraft
from companion.files import fold_name
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.vision import Reading
    from companion.vision.learned import LearnedSet

LESSONS_KEPT = 3
"""Maximum number of lessons that can be undone on the list of sets: the number of replaced sets that a set
keeps."""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A set by its name, with the number of kinds it knows, or why it cannot be used."""

    name: str
    kinds: int = 0
    problem: Sentence | None = None


def find_free_name(sets: Sequence[StoredSet], word: str) -> str:
    """`word` with the lowest number that no set has yet."""
    taken = {fold_name(each.name) for each in sets}
    return next(name for n in range(1, len(taken) + 2) if fold_name(name := f"{word}-{n}") not in taken)


def list_kinds(codes: Sequence[str]) -> Sentence | str:
    """The names of at least one kind of tile, one after the other."""
    listed: Sentence | str = codes[0]
    for code in codes[1:]:
        listed = Sentence("{one}, {next}", {"one": listed, "next": code})
    return listed


class Page(StrEnum):
    """The pages of this feature."""

    SETS = "sets"
    LESSON = "lesson"
    TAUGHT = "taught"


@dataclass(frozen=True, slots=True)
class ListSets(Effect):
    """List the sets on disk."""


@dataclass(frozen=True, slots=True)
class UseSet(Effect):
    """Read pictures with that set, or with none; `again`: also those on the screen."""

    name: str | None
    again: bool


@dataclass(frozen=True, slots=True)
class ForgetSet(Effect):
    """Delete that set."""

    name: str


@dataclass(frozen=True, slots=True)
class LearnSet(Effect):
    """Learn the set of that lesson, and write it to disk."""

    lesson: LessonDraft


@dataclass(frozen=True, slots=True)
class LearnNamed(Effect):
    """Teach these tiles to the set of that name, or to a new one."""

    name: str | None
    named: TilesNamed


@dataclass(frozen=True, slots=True)
class UndoLesson(Effect):
    """Undo the last lesson of that set."""

    name: str


@dataclass(frozen=True, slots=True)
class ShowSet(Effect):
    """Show what that set has learned."""

    name: str


@dataclass(frozen=True, slots=True)
class TileSets(FeatureState):
    """used: the name of the set that pictures are read with. sets: the sets on disk. past: the lesson before
    its last changes. photos: the lesson's opened photos by path. requested: the picture that is being opened
    or read. unopened: photos that could not be opened since the lesson was last in front. taught: the names
    of the sets that learned tiles named elsewhere, lesson by lesson. learned: the lessons learned here.
    shown_set: the set whose examples are shown."""

    page: Page = Page.SETS
    used: str | None = None
    sets: tuple[StoredSet, ...] = ()
    lesson: LessonDraft = field(default_factory=LessonDraft)
    past: tuple[LessonDraft, ...] = ()
    photos: Mapping[str, ShownPicture] = field(default_factory=dict)
    requested: ReadPicture | None = None
    unopened: frozenset[str] = frozenset()
    taught: tuple[str, ...] = ()
    learned: tuple[LessonDraft, ...] = ()
    shown_set: LearnedSet | None = None

    @property
    def photo(self) -> ShownPicture | None:
        """The opened photo of the lesson that is in front, None until then."""
        return self.photos.get(self.lesson.photo.path) if self.lesson.photo else None

    @property
    def typing(self) -> bool:
        """Whether the keyboard of tiles is open."""
        return self.lesson.selected is not None

    @property
    def is_overlay(self) -> bool:
        return self.page is not Page.LESSON

    @property
    def title(self) -> Sentence:
        return Sentence("Teach your tiles")

    @property
    def can_undo(self) -> bool:
        return bool(self.past if self.page is Page.LESSON else self.learned)

    @property
    def wants_pictures(self) -> bool:
        return True

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        mine = Sentence("My tiles")
        chosen = self.used is not None
        return (BarButton("sets", mine, "tile", 104, TileSets.enter, chosen=chosen, menu=True),)

    def enter(self) -> TileSets:
        """Show the list of sets."""
        return replace(self, page=Page.SETS).also(ListSets(), ComeToFront())

    def teach(self, name: str | None, word: str) -> TileSets:
        """Teach the set of that name, or a new one named `word` and a number; a lesson under way
        continues."""
        if self.lesson.photos and name not in (None, self.lesson.name):
            under_way = Sentence(
                "The lesson of {name} is not finished: save it, or remove its photos.",
                {"name": self.lesson.name},
            )
            return self._show_lesson().also(ShowMessage(under_way, trouble=False))
        called = name or self.lesson.name or find_free_name(self.sets, word)
        return self._show_lesson().browse(lambda lesson: lesson.called(called)).also(ListSets())

    def edit(self, step: Callable[[LessonDraft], LessonDraft]) -> TileSets:
        """Change the lesson, with undo; the letters of a name are undone together."""
        lesson = step(self.lesson)
        if lesson == self.lesson:
            return self
        named_on = bool(self.past) and replace(self.past[-1], name=lesson.name) == lesson
        past = self.past if named_on else remember(self.past, self.lesson)
        return replace(self, past=past)._with_lesson(lesson)

    def browse(self, step: Callable[[LessonDraft], LessonDraft]) -> TileSets:
        """Show another tile or photo of the lesson, without undo."""
        return self._with_lesson(step(self.lesson))

    def undo(self) -> TileSets:
        """Return to the lesson before its last change; on the list of sets undo the last lesson, unless
        another one is being learned."""
        if not self.can_undo:
            return self
        if self.page is not Page.LESSON:
            if self.busy:
                return self
            return replace(self, page=Page.SETS).also(UndoLesson(self.learned[-1].name))
        return replace(self, past=self.past[:-1])._with_lesson(self.past[-1])

    def step_back(self) -> TileSets:
        if self.page is Page.SETS:
            return self.also(GoBack())
        return self.browse(lambda lesson: lesson.select(None)) if self.typing else self.enter()

    def request_picture(self) -> TileSets:
        """Open the page on which a picture of the tiles is chosen."""
        return self.also(SendNews(ChoosePicture(from_camera=False)))

    def request_camera_picture(self) -> TileSets:
        """Open the page on which a picture of the tiles is taken with the camera."""
        return self.also(SendNews(ChoosePicture(from_camera=True)))

    def learn(self) -> TileSets:
        """Learn the set from the lesson on the screen."""
        return self.work(Sentence("Learning the tiles …")).also(ShowMessage(None), LearnSet(self.lesson))

    def finish_lesson(self, lesson: LessonDraft, learned: LearnedSet) -> TileSets:
        """The set of that lesson was learned and is now in use."""
        params = {"name": learned.name, "count": len(learned.kinds)}
        said = Sentence("Learned {name}: {count} kinds. Pictures are now read with it.", params)
        if lesson.anew and learned.replaced:
            said = Sentence(
                "Learned {name} again: {count} kinds. Undo brings back what it knew before.", params
            )
        taught = tuple(name for name in self.taught if name != learned.name)
        state = replace(self, busy=None, used=learned.name, page=Page.SETS, taught=taught)
        state = replace(state, learned=(*self.learned, lesson)[-LESSONS_KEPT:])
        if (self.lesson.name, self.lesson.photos) == (lesson.name, lesson.photos):
            state = replace(state, lesson=LessonDraft(), past=(), photos={})
        return state.also(Keep(), ListSets(), UseTileSet(learned, again=True), ComeToFront()).also(
            ShowMessage(said, trouble=False)
        )

    def reject_lesson(self, lesson: LessonDraft, why: Sentence, numbers: Iterable[int]) -> TileSets:
        """That lesson was not learned because of the tiles with these numbers, from 1 through all photos."""
        state = self.work(None).also(ShowMessage(why))
        numbers = tuple(numbers)
        return state.browse(lambda now: now.doubt(numbers)) if numbers and self.lesson == lesson else state

    def learn_named(self, named: TilesNamed) -> TileSets:
        """Teach these tiles to the set in use, or to a new one."""
        if self.busy:
            return self
        return self.work(Sentence("Learning the tiles …")).also(
            ShowMessage(None), LearnNamed(self.used, named)
        )

    def finish_named(self, named: TilesNamed, learned: LearnedSet) -> TileSets:
        """The set learned these tiles and is now in use."""
        count = sum(code is not None for _, code in named.tiles)
        params: dict[str, object] = {"name": learned.name, "count": count}
        said = Sentence("{name} has learned from {count} tiles. Undo takes that back.", params)
        if learned.with_two_designs:
            said = Sentence(
                "{name} has learned from {count} tiles; in two designs: {kinds}. Undo takes that back.",
                {**params, "kinds": list_kinds(learned.with_two_designs)},
            )
        state = self._without_learned(learned.name)
        state = replace(state, busy=None, used=learned.name, taught=(*self.taught, learned.name))
        return state.also(
            SendNews(TilesLearned()),
            UseTileSet(learned, again=True),
            Keep(),
            ListSets(),
            ShowMessage(said, trouble=False),
        )

    def reject_named(self, named: TilesNamed, why: Sentence, numbers: Iterable[int]) -> TileSets:
        """These tiles were not learned because of those with these numbers, from 1."""
        doubted = (SendNews(TileRefused(named.tiles[number - 1][0])) for number in [*numbers][:1])
        return self.work(None).also(*doubted, ShowMessage(why))

    def undo_lesson(self) -> TileSets:
        """Undo what was learned last of tiles named elsewhere."""
        return self.also(UndoLesson(self.taught[-1])) if self.taught and not self.busy else self

    def restore_set(self, name: str, earlier: LearnedSet | None) -> TileSets:
        """The set is as it was before its last lesson; None: it was deleted. A lesson learned here is under
        way again, unless another one is."""
        said = Sentence("The last lesson of {name} is undone.", {"name": name})
        state = replace(self, busy=None)
        if self.learned and self.learned[-1].name == name:
            lesson = self.lesson if self.lesson.photos else self.learned[-1]
            state = replace(state, learned=self.learned[:-1], lesson=lesson).also(Keep())
        else:
            state = replace(state, taught=self.taught[:-1])
        if self.used == name:
            used = name if earlier else None
            state = replace(state, used=used).also(UseTileSet(earlier, again=True), Keep())
        return state.also(ListSets(), ShowMessage(said, trouble=False))

    def show_taught(self, name: str) -> TileSets:
        """Show what that set has learned, kind by kind."""
        return self.also(ShowSet(name))

    def show_learned(self, learned: LearnedSet) -> TileSets:
        return replace(self, shown_set=learned, page=Page.TAUGHT).also(ComeToFront())

    def use(self, name: str | None) -> TileSets:
        """Read with that set from now on, also the picture on the screen; None: with none."""
        return self.also(UseSet(name, again=True))

    def set_used(self, name: str | None, tile_set: LearnedSet | None, *, again: bool) -> TileSets:
        """That set is now in use."""
        state = replace(self, used=name).also(UseTileSet(tile_set, again))
        return state.also(ShowMessage(None), Keep()) if again else state

    def forget(self, name: str) -> TileSets:
        return self.also(ForgetSet(name))

    def drop_set(self, name: str) -> TileSets:
        """That set was deleted."""
        taught = tuple(each for each in self.taught if each != name)
        state = replace(self._without_learned(name), taught=taught).also(ListSets())
        if name != self.used:
            return state
        return replace(state, used=None).also(UseTileSet(None, again=False), Keep())

    def set_list(self, sets: tuple[StoredSet, ...]) -> TileSets:
        return replace(self, sets=sets)

    def on_news(self, news: News) -> TileSets:
        match news:
            case PictureChosen(path):
                return self._add_photo(path)
            case PictureProgress(doing):
                return self.work(doing)
            case PictureOpened(path, shown):
                taught = {photo.path for photo in self.lesson.photos}
                kept = {path: photo for path, photo in self.photos.items() if path in taught}
                return replace(self, photos={**kept, str(path): shown})
            case PictureRead(path, reading):
                ended = replace(self, requested=None).work(None)
                return (ended._read(str(path), reading) if reading else ended)._open_photo()
            case PictureFailed(path, why):
                ended = replace(self, requested=None, unopened=self.unopened | {str(path)}).work(None)
                return ended.also(ShowMessage(why, passes=True))._open_photo()
            case TilesNamed():
                return self.learn_named(news)
            case LessonUnwanted():
                return self.undo_lesson()
        return self

    def _add_photo(self, path: Path) -> TileSets:
        if self.lesson.is_full and str(path) not in {photo.path for photo in self.lesson.photos}:
            enough = Sentence("A lesson has at most two photos: remove one first.")
            return self.also(ShowMessage(enough, passes=True))
        return (
            self.work(Sentence("Opening the picture …"))
            .also(ShowMessage(None))
            ._request(ReadPicture(path, plain=True))
        )

    def _read(self, path: str, reading: Reading) -> TileSets:
        if not reading.tiles:
            nothing = Sentence("No tiles found in this picture. Take it from closer and in even light.")
            return self.also(ShowMessage(nothing, passes=True))
        rows = [len(row) for row in reading.rows]
        return self.edit(lambda lesson: lesson.with_photo(path, reading.tiles, rows))

    def _without_learned(self, name: str) -> TileSets:
        """Without the lessons of that set that could be undone here."""
        return replace(self, learned=tuple(each for each in self.learned if each.name != name))

    def _show_lesson(self) -> TileSets:
        return replace(self, page=Page.LESSON, unopened=frozenset()).also(ComeToFront())._open_photo()

    def _with_lesson(self, lesson: LessonDraft) -> TileSets:
        return replace(self, lesson=lesson).also(Keep())._open_photo()

    def _open_photo(self) -> TileSets:
        """Open the photo in front where it is not in memory: after a start, or after a change of photos.

        Only the newest request counts, so while a photo is being read this one waits.
        """
        photo = self.lesson.photo
        if self.page is not Page.LESSON or photo is None or photo.path in {*self.photos, *self.unopened}:
            return self
        wanted = ReadPicture(Path(photo.path), read=False, plain=True)
        if self.requested and (self.requested.read or self.requested == wanted):
            return self
        return self._request(wanted)

    def _request(self, wanted: ReadPicture) -> TileSets:
        """Open that picture instead of the one being opened."""
        return replace(self, requested=wanted).also(wanted)
