"""What the shell and the features of the window know of each other. Features do not know each other.

A step is a function from a feature's state to its next state, which carries effects; both are frozen values.
The shell alone performs effects and returns their results as news. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar, runtime_checkable

from companion.app.effects import ComeToFront, Effect, GoBack
from companion.app.news import News
from companion.sentences import Sentence
from companion.words import Words

UNDO_STEPS_MAX = 50


class Room(StrEnum):
    """The subject for which a page leaves room for a panel."""

    TABLE = "table"
    """The running game."""
    OWN_TABLE = "own_table"
    """The running game, played at that page with the tiles of a person: the panel stands above it, so that
    what is touched does not move."""
    STEP = "step"
    """A step of a replayed hand."""


@dataclass(frozen=True, slots=True)
class BarButton:
    """A button of the feature in the bar.

    width: the minimum, in dp. words_from: the narrowest window, in dp, with the button in the bar; in a
    narrower one it is in the menu. menu: in the menu unless its feature's page is in front. work: it changes
    the feature's work, so it is shown only while its page is in front. pictures: it brings pictures, so it is
    shown only where they are wanted. in_front: it looks chosen while its feature's page is in front. room: it
    is shown only while a page with that room for a panel is in front. opens: the page that it brings to the
    front; it is hidden while that page is in front. fixed: it is at the same place of the bar on every page.
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
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Tabs:
    """The parts of a page, of which a small window shows one: (key, words), and the step that chooses."""

    offers: tuple[tuple[str, Sentence], ...]
    chosen: str
    choose: Callable[[str], Callable[[Any], Any]]


@dataclass(frozen=True, slots=True)
class FeatureState:
    """The state of a feature.

    `busy` is the current job; `take_step` removes `effects`.
    """

    busy: Sentence | None = field(default=None, kw_only=True)
    effects: tuple[Effect, ...] = field(default=(), kw_only=True, compare=False)

    @property
    def page(self) -> str:
        """The page to show when the feature is in front."""
        raise NotImplementedError

    @property
    def is_overlay(self) -> bool:
        """Whether its page is only viewed next to the work of the feature below, which keeps pictures and
        title, and undo unless `can_undo`."""
        return True

    @property
    def title(self) -> Sentence | None:
        """The window's title while the feature is at work or its page in front."""
        return None

    @property
    def people(self) -> tuple[str, ...]:
        """The players' names by seat, "" for a seat without a name; empty without a game."""
        return ()

    @property
    def can_undo(self) -> bool:
        return False

    @property
    def is_ready_to_show(self) -> bool:
        """Whether the page is complete, so that a screenshot of it can be taken."""
        return True

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return ()

    @property
    def wants_pictures(self) -> bool:
        """Whether its page takes pictures and has no buttons of its own for them."""
        return False

    @property
    def pauses_following(self) -> bool:
        """Whether following pauses while its page is in front, because the page uses the camera or ends the
        hand."""
        return False

    @property
    def tabs(self) -> Tabs | None:
        return None

    @property
    def room(self) -> Room | None:
        """The subject of the panel that the shell may place next to its page; None for no panel."""
        return None

    def panel_for(self, room: Room) -> str | None:
        """The name of its page that is such a panel; None without one."""
        return None

    def also(self, *effects: Effect) -> Self:
        """The state with these effects added."""
        return replace(self, effects=(*self.effects, *effects))

    def work(self, doing: Sentence | None) -> Self:
        return replace(self, busy=doing)

    def undo_in_sight(self) -> Self:
        """Undo, with the feature's page in front: nothing changes behind another page."""
        return self.undo().also(ComeToFront())

    def undo(self) -> Self:
        """The state before the last step of its work."""
        return self

    def step_back(self) -> Self:
        """The state after the Back key."""
        return self.also(GoBack())

    def on_news(self, news: News) -> Self:
        """The state after this news."""
        return self


S = TypeVar("S", bound=FeatureState)
T = TypeVar("T")


def remember(past: tuple[T, ...], before: T) -> tuple[T, ...]:
    """The undo history with one more state; the oldest is dropped beyond the limit."""
    return (*past, before)[-UNDO_STEPS_MAX:]


def take_step(state: S, step: Callable[[S], S]) -> tuple[S, tuple[Effect, ...]]:
    """The next state, and its effects in order."""
    after = step(state)
    return replace(after, effects=()), after.effects


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """What a page shows: the feature's state and the window's language. size: of the window, in px."""

    state: S
    words: Words
    size: tuple[float, float] = (0.0, 0.0)


class Controller(Protocol[S]):
    """What a pane or an effect may do to its feature, on the window's thread."""

    def do(self, step: Callable[[S], S]) -> None:
        """Take a step."""

    def work(self, job: Callable[[], Callable[[S], S]]) -> None:
        """Run `job` on another thread, then take the step it returns.

        If it raises, the window reports it and the feature is no longer busy. A feature's jobs and pictures
        run one after the other.
        """


class Page(Protocol):
    """A widget that fills the window below the bar."""

    def show(self, view: View[Any]) -> None: ...


@runtime_checkable
class PanelHolder(Protocol):
    """A page that places the panel of its room within itself; next to any other page the shell places it."""

    def measure_panel(self, size: tuple[float, float]) -> tuple[float, float]:
        """The width and height of the panel in a window of that size, px."""

    def hold_panel(self, panel: Any) -> None:
        """Place that widget when it is shown next; None: no panel any more."""


@dataclass(frozen=True, slots=True)
class SavedPart:
    """What a feature saves: its type, and a check that a saved value can have come from the window.

    share: the part of the first window's saved value that a second window on the same folder starts with.
    """

    kind: type[Any]
    is_valid: Callable[[Any], bool]
    share: Callable[[Any], Any] = lambda kept: None


class Feature(Protocol[S]):
    """All that the shell knows of a feature.

    part: what it saves, None for nothing.
    """

    name: str
    part: SavedPart | None

    def begin(self, kept: Any, controller: Controller[S]) -> S:
        """The first state. kept: what `keep` returned in an earlier run, or None."""

    def keep(self, state: S) -> Any:
        """The frozen value to save, of the part's type; None for nothing yet."""

    def perform(self, effect: Effect, controller: Controller[S]) -> None:
        """Perform an effect of its own."""

    def offer_pages(self, controller: Controller[S]) -> Mapping[str, Callable[[], Page]]:
        """The builder of each of its pages, by name, called when the page is first shown. Imports Kivy."""

    def close(self) -> None:
        """Stop its threads, immediately if possible."""
