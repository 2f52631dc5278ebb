"""What the table of the game has carried out outside the window's state: values, and what of them is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from companion.app.effects import Effect
from companion.app.game.film_places import FilmPlace, Places
from companion.images import Point
from companion.money import Currency
from companion.rules.win import OptionValue, Stakes
from companion.table.events import Event, GameStarted

SEATS = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be played and followed. rules: a rule set's name; options: house options that are not its
    own; bottom: who sits at the lower edge of the picture and of the table on the screen; camera: the first
    there is where it is None; name: of the kept game that was played last, and can be gone on with. stakes,
    currency, cap: what is played for, None where that is as the rules say."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    dealer: int = 0
    bottom: int = 0
    camera: str | None = None
    name: str | None = None
    stakes: Stakes | None = None
    currency: Currency | None = None
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class KeptFollowing:
    """What the window keeps of the game that is played.

    name: under which the game is kept; bottom: who sits at the lower edge; wins_only: whether only wins are
    recorded; shows_counts: whether the tiles that are left are counted beside it; films: those that were
    broken off.
    """

    name: str | None = None
    bottom: int = 0
    wins_only: bool = False
    shows_counts: bool = False
    films: Places = ()

    @property
    def is_sound(self) -> bool:
        """Whether it can have come from the window."""
        return 0 <= self.bottom < SEATS and all(film.is_sound for film in self.films)

    def restore(self, plan: Plan) -> Plan:
        """The plan, with what was kept."""
        return replace(plan, name=self.name, bottom=self.bottom)


@dataclass(frozen=True, slots=True)
class BeginGame(Effect):
    """Begin a game that is kept under a name of its own."""

    start: GameStarted


@dataclass(frozen=True, slots=True)
class OpenGame(Effect):
    """Play on the kept game of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class OpenFilm(Effect):
    """Look whether that film can be played, and how long it is."""

    path: Path


@dataclass(frozen=True, slots=True)
class OfferFilm(Effect):
    """Look whether the film that was broken off is still there, to be followed on."""

    place: FilmPlace


@dataclass(frozen=True, slots=True)
class FollowWith(Effect):
    """Follow the open game with the camera of the plan. places: how far films were followed that can be
    followed on."""

    plan: Plan
    places: Places = ()


@dataclass(frozen=True, slots=True)
class GoOn(Effect):
    """Follow on with the camera that was let go."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Pause(Effect):
    """Let the camera go; the game stays."""


@dataclass(frozen=True, slots=True)
class Enter(Effect):
    """These happened, in that order, with the draws that they imply."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(Effect):
    """What was entered last is taken back. own: of what people touched, whatever a camera has seen since."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class BringBack(Effect):
    """What was taken back last is entered again. own: as of `TakeBack`."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class EndHand(Effect):
    """The hand that the game is in the middle of does not count."""


@dataclass(frozen=True, slots=True)
class TrustTiles(Effect):
    """The rules are right, and so are the tiles that lie there."""


@dataclass(frozen=True, slots=True)
class Correct(Effect):
    """Event `number` of the game was `right`, or did not happen."""

    number: int
    right: Event | None


@dataclass(frozen=True, slots=True)
class PlaceTable(Effect):
    """The table's corners are there, in px of the picture from the lower left one counterclockwise; without
    them it is looked for anew."""

    corners: tuple[Point, ...] | None


@dataclass(frozen=True, slots=True)
class BeginHere(Effect):
    """What lies on the table is taken as it is."""
