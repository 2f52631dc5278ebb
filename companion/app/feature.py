"""What the shell and the features of the window know of each other; a feature knows nothing of another one.

A step takes a feature's state to the next one, which carries the effects that are to be carried out; both are
frozen values. The shell alone carries effects out, and feeds what comes of them back as news. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar

from companion.app.effects import ComeToFront, Effect, Leave
from companion.app.news import News
from companion.sentences import Sentence
from companion.words import Words

UNDO_STEPS_MAX = 50


class Room(StrEnum):
    """What a page shows and leaves room for a panel about."""

    TABLE = "table"
    """The game that is played."""
    STEP = "step"
    """A step of a hand that is looked at."""


@dataclass(frozen=True, slots=True)
class BarButton:
    """A button of the feature in the bar.

    width: the least, in dp. words_from: the narrowest window, in dp, in which it stands in the bar; in a
    narrower one it is in the menu. menu: whether it stands in the menu unless its feature's page is in
    front. work: whether it changes the feature's work, and so is there only while its page is in front.
    pictures: whether it brings pictures, and so is there only where they are wanted. in_front: whether it
    looks chosen while its feature's page is in front. room: it is there only while a page is in front
    that has that room for a panel. opens: the page of its feature that it only brings to the front, and so
    is not there while that page is in front.
    """

    name: str
    text: Sentence
    icon: str
    width: int
    step: Callable[[Any], Any]
    chosen: bool = False
    disabled: bool = False
    words_from: int = 0
    work: bool = False
    in_front: bool = False
    menu: bool = False
    room: Room | None = None
    pictures: bool = False
    opens: str = ""


@dataclass(frozen=True, slots=True)
class Tabs:
    """The parts of a page, of which a small window shows one: (key, words), and the step that chooses."""

    offers: tuple[tuple[str, Sentence], ...]
    chosen: str
    choose: Callable[[str], Callable[[Any], Any]]


@dataclass(frozen=True, slots=True)
class FeatureState:
    """What the state of every feature has.

    `busy` is what is under way; `take_step` takes `effects` off.
    """

    busy: Sentence | None = field(default=None, kw_only=True)
    effects: tuple[Effect, ...] = field(default=(), kw_only=True, compare=False)

    @property
    def page(self) -> str:
        """Which of its pages is shown when the feature is in front."""
        raise NotImplementedError

    @property
    def aside(self) -> bool:
        """Whether its page is only looked at beside the work of the feature below: pictures and title are
        that one's, and so is undo unless `can_undo`."""
        return True

    @property
    def title(self) -> Sentence | None:
        """What the window is for while the feature is at work, or its page in front."""
        return None

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits in the seats of which the feature speaks, by name, "" where nobody is named; empty where
        it speaks of no game."""
        return ()

    @property
    def can_undo(self) -> bool:
        return False

    @property
    def is_settled(self) -> bool:
        """Whether the page shows all that it is about to show, so that a picture of it can be taken."""
        return True

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return ()

    @property
    def wants_pictures(self) -> bool:
        """Whether pictures are brought for its work."""
        return False

    @property
    def pauses_following(self) -> bool:
        """Whether no game may be followed while its page is in front: it takes the camera, or says how a
        hand ended."""
        return False

    @property
    def tabs(self) -> Tabs | None:
        return None

    @property
    def room(self) -> Room | None:
        """What its page has room for a panel about, which the shell lays beside it; None for no room."""
        return None

    def panel_for(self, room: Room) -> str | None:
        """The name of its page that is such a panel; None where it has nothing to say about that."""
        return None

    def also(self, *effects: Effect) -> Self:
        """With these effects, after those that there are."""
        return replace(self, effects=(*self.effects, *effects))

    def work(self, doing: Sentence | None) -> Self:
        return replace(self, busy=doing)

    def undo_in_sight(self) -> Self:
        """A step taken back, and the feature's page shown: nothing changes behind another page."""
        return self.undo().also(ComeToFront())

    def undo(self) -> Self:
        """One step of the feature's work taken back."""
        return self

    def step_back(self) -> Self:
        """What the key for going back does."""
        return self.also(Leave())

    def hear(self, news: News) -> Self:
        """The step that the news makes necessary."""
        return self


S = TypeVar("S", bound=FeatureState)
T = TypeVar("T")


def remember(past: tuple[T, ...], before: T) -> tuple[T, ...]:
    """What can be had back by undo, with one more; the oldest goes where it has become too many."""
    return (*past, before)[-UNDO_STEPS_MAX:]


def take_step(state: S, step: Callable[[S], S]) -> tuple[S, tuple[Effect, ...]]:
    """The next state, and the effects to be carried out, in order."""
    after = step(state)
    return replace(after, effects=()), after.effects


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """What a page shows: the feature's state, in the window's language; `size`: of the window, in px."""

    state: S
    words: Words
    size: tuple[float, float] = (0.0, 0.0)


class Controller(Protocol[S]):
    """What a pane, or an effect that is performed, may do to its feature, on the window's thread."""

    def do(self, step: Callable[[S], S]) -> None:
        """Take a step."""

    def work(self, job: Callable[[], Callable[[S], S]]) -> None:
        """Run `job` away from the window's thread; then take the step that it gives.

        Where it raises, the window says so and the feature is no longer busy. The jobs of a feature, and the
        pictures that it has read, follow one another.
        """


class Page(Protocol):
    """A widget that fills the window below the bar."""

    def show(self, view: View[Any]) -> None: ...


class Panel(Page, Protocol):
    """A widget below a page, or on its right."""

    def measure(self, size: tuple[float, float]) -> tuple[float, float]:
        """Its width and height, in px, beside a page in a room of that size: one is that of the room."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a feature keeps on disk: its type, and whether a value of it can come from the window.

    share: what a second window on the same folder begins with, of what the first one keeps.
    """

    kind: type[Any]
    is_sound: Callable[[Any], bool]
    share: Callable[[Any], Any] = lambda kept: None


class Feature(Protocol[S]):
    """All that the shell knows of a feature.

    part: what it keeps on disk, None where that is nothing.
    """

    name: str
    part: Part | None

    def begin(self, kept: Any, controller: Controller[S]) -> S:
        """The state to begin with; `kept` is what `keep` gave in an earlier run, or None."""

    def keep(self, state: S) -> Any:
        """What is to be on disk, a frozen value of the part's type; None where that is nothing yet."""

    def perform(self, effect: Effect, controller: Controller[S]) -> None:
        """Carry out an effect of its own."""

    def offer_pages(self, controller: Controller[S]) -> Mapping[str, Callable[[], Page]]:
        """How each of its pages, by its name, is built as a widget when it is first shown. Imports Kivy."""

    def close(self) -> None:
        """End what runs, at once where that is possible."""
