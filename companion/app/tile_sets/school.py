"""The tile sets that were taught: which one pictures are read with, forgetting one, teaching one. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.app.score_photo.state import ScorePhoto
from companion.app.shell.pages import Page
from companion.app.shell.sight import Shown, Sight
from companion.app.shell.text import Words
from companion.app.tile_sets.lesson import Lesson
from companion.app.tile_sets.shelf import Shelf, ShelfSet
from companion.app.tile_sets.teacher import Teacher
from companion.errors import CompanionError
from companion.running.posting import Post
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.vision.learned import LearnedSet


class Window(Protocol):
    """What is needed of the desk."""

    @property
    def state(self) -> ScorePhoto: ...
    @property
    def words(self) -> Words: ...
    def do(self, step: Callable[[ScorePhoto], ScorePhoto]) -> None: ...
    def changed(self) -> None: ...
    def read_again(self) -> None: ...


@dataclass(frozen=True, slots=True)
class SchoolView:
    """used: the name of the set that pictures are read with; photo: of the lesson, the one in front."""

    used: str | None
    sets: tuple[ShelfSet, ...]
    photo: Shown | None


class School:
    """Whatever fails is told in the window, and nothing is lost by it."""

    def __init__(self, sight: Sight, post: Post, window: Window) -> None:
        self._window = window
        self._shelf = Shelf(sight.model)
        self.teacher = Teacher(sight, post, lambda: window.state, window.do, self._learned)

    @property
    def used(self) -> LearnedSet | None:
        return self._shelf.used

    @property
    def view(self) -> SchoolView:
        used = self._shelf.used.name if self._shelf.used else None
        return SchoolView(used, self._shelf.sets, self.teacher.shown)

    def use_again(self, name: str | None) -> Sentence | None:
        """Read with the set that was used last; what is to be said where that cannot be."""
        try:
            self._shelf.use(name)
        except CompanionError as error:
            return error.sentence
        return None

    def enter(self) -> None:
        """Show what sets there are."""
        self._shelf.refresh()
        self._window.do(lambda state: state.show(Page.SETS))

    def use(self, name: str | None) -> None:
        """Read with that set from now on, the picture on the table too; None: with none."""
        complaint = self.use_again(name)
        self._window.do(lambda state: state.tell(complaint))
        if complaint is None:
            self._window.changed()
            self._window.read_again()

    def forget(self, name: str) -> None:
        try:
            self._shelf.delete(name)
        except CompanionError as error:
            why = error.sentence
            self._window.do(lambda state: state.tell(why))
        self._window.changed()

    def teach(self, name: str | None = None) -> None:
        """Teach the set of that name, or a new one; a lesson under way goes on."""
        lesson = self._window.state.lesson
        if lesson.photos and name not in (None, lesson.name):
            under_way = Sentence(
                "{name} is still being taught: save it first, or take its photos away.", {"name": lesson.name}
            )
            self._window.do(lambda state: state.show(Page.LESSON).tell(under_way, trouble=False))
            return
        self._shelf.refresh()
        word = self._window.words("tiles")
        called = name or lesson.name or self._shelf.free_name(word)
        self._window.do(lambda state: state.show(Page.LESSON).teach(lambda lesson: lesson.called(called)))

    def _learned(self, learned: Lesson) -> None:
        def step(state: ScorePhoto) -> ScorePhoto:
            same = (state.lesson.name, state.lesson.photos) == (learned.name, learned.photos)
            return state.work(None).teach(lambda now: Lesson() if same else now).show(Page.SETS)

        name = learned.name
        self._shelf.refresh()
        self._window.do(step)
        self.use(name)
        kinds = next((each.kinds for each in self._shelf.sets if each.name == name), 0)
        told = Sentence(
            "{name} is learned, {count} kinds: pictures are read with it from now on.",
            {"name": name, "count": kinds},
        )
        self._window.do(lambda state: state.tell(told, trouble=False))
