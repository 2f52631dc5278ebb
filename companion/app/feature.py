"""What the shell and the features of the window know of each other; a feature knows nothing of another one.

A step takes a feature's state to the next one, which carries the effects that are to be carried out; both are
frozen values. The shell alone carries effects out, and feeds what comes of them back as news. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from companion.app.look import Look
from companion.app.shown import ShownPicture
from companion.app.text import Language, Words
from companion.quads import Quad
from companion.rules.win import OptionValue
from companion.sentences import Sentence
from companion.table.events import GameStarted

if TYPE_CHECKING:
    from companion.vision import Reading
    from companion.vision.learned import LearnedSet

UNDO_STEPS_MAX = 50


class Effect:
    """Something to be carried out. The shell knows those below; others are for the feature's `perform`."""

    __slots__ = ()


class News:
    """Something that a feature may want to hear of; it ignores what is not for it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Keep(Effect):
    """Write what the features keep to disk."""


@dataclass(frozen=True, slots=True)
class Say(Effect):
    """One sentence across the window, or none; `trouble`: something went wrong."""

    sentence: Sentence | None
    trouble: bool = True


@dataclass(frozen=True, slots=True)
class Ask(Effect):
    """A sentence across the window with a button `answer`; touched, every feature hears `then`."""

    sentence: Sentence
    answer: Sentence
    then: News


@dataclass(frozen=True, slots=True)
class Speak(Effect):
    """Say everything in that language from now on."""

    language: Language


@dataclass(frozen=True, slots=True)
class Wear(Effect):
    """Have the window look so from now on."""

    look: Look


@dataclass(frozen=True, slots=True)
class ComeToFront(Effect):
    """Show the feature's page."""


@dataclass(frozen=True, slots=True)
class Leave(Effect):
    """Show what was in front before the feature."""


@dataclass(frozen=True, slots=True)
class ReadPicture(Effect):
    """Open a picture for the feature, and read its tiles where `read` says so.

    Only the newest request of a feature counts. plain: without the tile set that is in use.
    """

    path: Path
    read: bool = True
    plain: bool = False


@dataclass(frozen=True, slots=True)
class HandOver(Effect):
    """Give a picture to the feature that is at work."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReadWith(Effect):
    """Read pictures with that tile set from now on; `again`: those that are shown as well."""

    tile_set: LearnedSet | None
    again: bool


@dataclass(frozen=True, slots=True)
class Announce(Effect):
    """Have every feature hear it."""

    news: News


@dataclass(frozen=True, slots=True)
class Started(News):
    """The window is open, and no picture was given to it."""


@dataclass(frozen=True, slots=True)
class PictureProgress(News):
    """What is being done with the picture that the feature asked for."""

    doing: Sentence


@dataclass(frozen=True, slots=True)
class PictureOpened(News):
    """The file is a picture."""

    path: Path
    shown: ShownPicture


@dataclass(frozen=True, slots=True)
class PictureRead(News):
    """The end of a request; reading is None where only the picture was wanted."""

    path: Path
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class PictureFailed(News):
    """The file cannot be opened or read."""

    path: Path
    why: Sentence


@dataclass(frozen=True, slots=True)
class PictureWanted(News):
    """A picture is to be chosen, or taken with the camera, for the feature that is at work."""

    from_camera: bool


@dataclass(frozen=True, slots=True)
class PictureBrought(News):
    """A person chose, took or dropped this picture, for the feature that hears of it."""

    path: Path


@dataclass(frozen=True, slots=True)
class TileSetChanged(News):
    """The name of the tile set in use; `again`: pictures on the screen are to be read with it."""

    name: str | None
    again: bool


@dataclass(frozen=True, slots=True)
class TilesNamed(News):
    """What tiles of a picture are, each quad with its code, None to leave it out: to be learned.

    word: a set that is new is called by it and a number.
    """

    path: Path
    tiles: tuple[tuple[Quad, str | None], ...]
    word: str


@dataclass(frozen=True, slots=True)
class TilesLearned(News):
    """The tiles that were named last are learned."""


@dataclass(frozen=True, slots=True)
class TileDoubted(News):
    """The tile there, of those that were named last, is why they were not learned."""

    quad: Quad


@dataclass(frozen=True, slots=True)
class LessonUnwanted(News):
    """What was learned last of tiles that were named is to be taken back."""


@dataclass(frozen=True, slots=True)
class DeviceWanted(News):
    """A device to listen to from now on: a port or an address."""

    target: str


@dataclass(frozen=True, slots=True)
class GameAtTable(News):
    """What people play: a rule set's name, the house options that are not its own, and the dealer's seat."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class NewGameWanted(News):
    """A game that begins so is to be played: kept under a name of its own, and shown."""

    start: GameStarted


@dataclass(frozen=True, slots=True)
class KeptGameWanted(News):
    """The kept game of that name is to be played on, and shown."""

    name: str


@dataclass(frozen=True, slots=True)
class TableWanted(News):
    """The table of the game that is played is to be shown."""


@dataclass(frozen=True, slots=True)
class WinEntryWanted(News):
    """A win is to be entered into the game that is played. seat: of the winner, None where that is not known
    yet."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HandEndWanted(News):
    """The hand of the game that is played ends otherwise than by a win, or a penalty is to be entered."""


@dataclass(frozen=True, slots=True)
class SheetWanted(News):
    """The score sheet of a game is to be shown. name: of the kept game, None for the one that is played."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class SettingsWanted(News):
    """The settings are to be shown."""


@dataclass(frozen=True, slots=True)
class LanguageSpoken(News):
    """The window speaks that language from now on."""

    language: Language


@dataclass(frozen=True, slots=True)
class HouseWanted(News):
    """The house options of a saved profile are to be shown and changed. name: None for a new one."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class HousesChanged(News):
    """Saved profiles of house options have come, changed or gone. name: of the one that was changed last."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class ScorePhotoWanted(News):
    """A hand is to be scored without a game. picture: of the hand, where there is one already."""

    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class Covered(News):
    """The page of another feature has come before that of the feature that hears of it."""


@dataclass(frozen=True, slots=True)
class SeatWins(News):
    """A person confirmed that this seat won."""

    seat: int


@dataclass(frozen=True, slots=True)
class BarButton:
    """A button of the feature in the bar.

    width: the least, in dp. words_from: the narrowest window, in dp, in which it stands in the bar; in a
    narrower one it is in the menu. menu: whether it stands in the menu unless its feature's page is in
    front. work: whether it changes the feature's work, and so is out of use while another feature is at
    work. in_front: whether it looks chosen while its feature's page is in front.
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
        """Whether its page is only looked at beside the work of the feature below: pictures, undo and title
        are that one's."""
        return True

    @property
    def title(self) -> Sentence | None:
        """What the window is for while the feature is at work, or its page in front."""
        return None

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
    def tabs(self) -> Tabs | None:
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
        """What is to be on disk, a frozen value of the part's type."""

    def perform(self, effect: Effect, controller: Controller[S]) -> None:
        """Carry out an effect of its own."""

    def offer_pages(self, controller: Controller[S]) -> Mapping[str, Callable[[], Page]]:
        """How each of its pages, by its name, is built as a widget when it is first shown. Imports Kivy."""

    def close(self) -> None:
        """End what runs, at once where that is possible."""
