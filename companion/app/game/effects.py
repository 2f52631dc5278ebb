"""Effects of the game's table, what is saved of it, and how a touch enters or undoes events of the running
game. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.app.effects import Effect
from companion.app.game.films import (
    FilmPlace,
    Places,
)
from companion.game import touch_undo
from companion.game.deciding import Progress, Verdict
from companion.game.owner import GameTransaction
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.images import Point
from companion.live.running import RunningGame
from companion.money import Currency
from companion.rules.win import OptionValue, Stakes
from companion.sheets.rewriting import is_made_up
from companion.table.events import (
    AddedKong,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandDrawn,
    HandStarted,
    ReadyDeclared,
    Won,
)
from companion.table.possible import find_way

SEATS = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """The game and camera to use. rules: a rule set's name; options: house options that differ from its
    defaults; bottom: who sits at the lower edge of the picture and of the table on the screen; camera: None
    for the first one; name: of the kept game that was played last, and can be continued. stakes, currency,
    cap: None if they are as in the rules."""

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
    """What the window keeps of the running game.

    name: under which the game is kept; bottom: who sits at the lower edge; wins_only: whether only wins are
    recorded; shows_counts: whether the tiles that are left are counted next to it; films: those that were
    broken off.
    """

    name: str | None = None
    bottom: int = 0
    wins_only: bool = False
    shows_counts: bool = False
    films: Places = ()

    @property
    def is_valid(self) -> bool:
        """Whether it can have come from the window."""
        return 0 <= self.bottom < SEATS and all(film.is_valid for film in self.films)

    def restore(self, plan: Plan) -> Plan:
        """The plan, with what was kept."""
        return replace(plan, name=self.name, bottom=self.bottom)


@dataclass(frozen=True, slots=True)
class BeginGame(Effect):
    """Start a game that is kept under a name of its own."""

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
class ContinueFollowing(Effect):
    """Follow on with the camera that was let go."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class PauseFollowing(Effect):
    """Let the camera go; the game stays."""


@dataclass(frozen=True, slots=True)
class EnterEvents(Effect):
    """These happened, in that order, with the draws that they imply."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class UndoEvents(Effect):
    """What was entered last is taken back. own: of what people touched, whatever a camera has seen since."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class RedoEvents(Effect):
    """What was taken back last is entered again. own: as of `UndoEvents`."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class EndHand(Effect):
    """The hand that the game is in the middle of does not count."""


@dataclass(frozen=True, slots=True)
class TrustTiles(Effect):
    """Confirm the rules and the tiles on the table."""


@dataclass(frozen=True, slots=True)
class Correct(Effect):
    """Event `number` of the game was `right`, or did not happen."""

    number: int
    right: Event | None


@dataclass(frozen=True, slots=True)
class PlaceTable(Effect):
    """Set the table's corners, in px of the picture, counterclockwise from the lower left; without them,
    search for the table again."""

    corners: tuple[Point, ...] | None


@dataclass(frozen=True, slots=True)
class AcceptTable(Effect):
    """Accept the tiles on the table as they are."""


TOUCH = Reporter(SourceKind.TOUCH)
MOVES = (Discarded, ConcealedKong, AddedKong, ReadyDeclared, FlowerSetOut, Won)
"""Events entered by touch after a draw whose tile nobody enters."""
ENDS = (Won, HandDrawn)


@dataclass(frozen=True, slots=True)
class Steps:
    """Whether events can be undone and redone: of all entries, and of those entered by touch."""

    can_undo: bool = False
    can_redo: bool = False
    can_undo_own: bool = False
    can_redo_own: bool = False

    @classmethod
    def of(cls, progress: Progress) -> Steps:
        own = touch_undo.list_own_touches(progress)
        return cls(len(progress.events) > 1, bool(progress.undone), bool(own.done), bool(own.undone))


NO_STEPS = Steps()


def enter_events(transaction: GameTransaction, events: Sequence[Event], t_ns: int) -> bool:
    """Enter these events in order, each after the draws that it implies; whether all of them are in the game.
    The first one that is refused ends it."""
    for event in events:
        way = find_way(transaction.get_progress().state, event) or (event,)
        for each in way:
            verdict = transaction.decide(Proposal(each, t_ns, TOUCH)).verdict
            if verdict not in (Verdict.ACCEPTED, Verdict.REPEATED):
                return False
    return True


def take_back(game: RunningGame, progress: Progress, *, own: bool) -> None:
    """Take back what one touch had entered. own: of what people touched, whatever others reported since."""
    if own:
        touch_undo.take_back(game, progress, TOUCH)
    elif steps := count_last(progress.events):
        game.undo(steps)


def bring_back(game: RunningGame, progress: Progress, *, own: bool) -> None:
    """Bring back what one touch had taken back. own: as of `take_back`."""
    if own:
        touch_undo.bring_back(game, progress, TOUCH)
    elif steps := count_undone(progress.undone):
        game.redo(steps)


def count_last(events: Sequence[Event]) -> int:
    """How many events at the end of a log one touch entered: with a discard or a win, the draw that nobody
    saw; with the deal, the beginning of the hand; with the end of a hand that nobody recorded, all of it."""
    if len(events) < 2:
        return 0
    last = events[-1]
    begun = max((at for at, event in enumerate(events) if isinstance(event, HandStarted)), default=0)
    if _has_only_its_end(events[begun:]):
        return len(events) - begun
    if isinstance(last, Dealt):
        return 2
    steps = 1
    while _is_draw_for(events[-steps - 1], last):
        steps += 1
    return steps


def count_undone(undone: Sequence[Event]) -> int:
    """How many of the events that were taken back, the next to redo last, one touch brings back."""
    if not undone:
        return 0
    ahead = undone[::-1]
    ended = next((at for at, event in enumerate(ahead, 1) if isinstance(event, ENDS)), 0)
    if _has_only_its_end(ahead[:ended]):
        return ended
    steps = 1
    while steps < len(undone):
        first, after = undone[-steps], undone[-steps - 1]
        if not isinstance(after, Dealt) and not _is_draw_for(first, after):
            break
        steps += 1
    return steps


def _has_only_its_end(hand: Sequence[Event]) -> bool:
    """Whether these events, up to the hand's end, are of a hand of which only the end was entered."""
    return (
        bool(hand)
        and isinstance(hand[0], HandStarted)
        and [at for at, event in enumerate(hand, 1) if isinstance(event, ENDS)] == [len(hand)]
        and (
            _has_circumstances(hand[-1])
            or any(isinstance(event, Discarded) and event.tile is None for event in hand)
        )
        and is_made_up(hand)
    )


def _has_circumstances(end: Event) -> bool:
    """Whether people entered in which circumstances the hand was won."""
    return isinstance(end, Won) and end.circumstances is not None


def _is_draw_for(event: Event, move: Event) -> bool:
    """Whether it is a draw that nobody saw, and came with that move. A win's is the winner's own: draws of
    others before it, in the sea, were touched one by one."""
    if not isinstance(event, Drawn) or event.tile is not None or not isinstance(move, MOVES):
        return False
    return not isinstance(move, Won) or event.seat == move.seat
