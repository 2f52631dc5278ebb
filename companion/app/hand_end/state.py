"""How a hand ends but by a win, and what else is booked, as frozen values. No Kivy, no rule.

What is offered is what `apply` takes in the game as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.app.effects import Announce, Ask, ComeToFront, Effect, Leave, Say
from companion.app.feature import FeatureState
from companion.app.news import HandEndWanted, News, TableWanted
from companion.app.text import SEAT_NAMES
from companion.errors import EventError
from companion.running.played_game import PlayedGame
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import (
    DealSet,
    Dealt,
    EntryCancelled,
    Event,
    FalseWin,
    GameEnded,
    HandAbandoned,
    HandDrawn,
    HandStarted,
    HandVoided,
    PointsMoved,
    SeatsChanged,
)
from companion.table.ledger import PaymentReason, is_cancelled
from companion.table.state import Phase, State
from companion.table.untold import enter_drawn

AMOUNT = 5


@dataclass(frozen=True, slots=True)
class TellEnd(Effect):
    """Enter these events into the game, all or none."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TakeBackEnd(Effect):
    """Undo that many events of the game."""

    steps: int


@dataclass(frozen=True, slots=True)
class EndUnwanted(News):
    """The events that were entered last, that many, are to be taken back."""

    steps: int


@dataclass(frozen=True, slots=True)
class Said:
    """What a person says beside which end it is: a seat, another seat, and points."""

    seat: int | None = None
    other: int | None = None
    amount: int = AMOUNT


@dataclass(frozen=True, slots=True)
class Ending:
    """One way: its name, what it does, how many seats it asks for, and its events. asks_amount: whether it
    asks for points."""

    key: str
    name: Sentence
    meaning: Sentence
    seats: int
    make: Callable[[State, Said], tuple[Event, ...]]
    asks_amount: bool = False


def _begin(state: State) -> tuple[Event, ...]:
    """What comes before anything that happens in a hand, where nothing of it was recorded."""
    if not state.playing:
        return HandStarted(dealer=state.deal.dealer), Dealt()
    return (Dealt(),) if state.hand is not None and state.hand.phase is Phase.DEAL else ()


def _seat(said: Said) -> int:
    return said.seat or 0


def _move(state: State, said: Said) -> tuple[Event, ...]:
    points = [0, 0, 0, 0]
    points[_seat(said)] -= said.amount
    points[said.other or 0] += said.amount
    a, b, c, d = points
    return (PointsMoved(points=(a, b, c, d), why="penalty"),)


def _swap(state: State, said: Said) -> tuple[Event, ...]:
    order = [0, 1, 2, 3]
    first, second = _seat(said), said.other or 0
    order[first], order[second] = second, first
    a, b, c, d = order
    return (SeatsChanged(order=(a, b, c, d)),)


def _cancel(state: State, said: Said) -> tuple[Event, ...]:
    standing = [
        number
        for number, entry in enumerate(state.ledger)
        if entry.reason is not PaymentReason.CANCELLED and not is_cancelled(state, number)
    ]
    return (EntryCancelled(entry=standing[-1] if standing else len(state.ledger), why=""),)


ENDINGS = (
    Ending(
        "drawn",
        Sentence("Nobody wins"),
        Sentence("All tiles are drawn: the hand is a draw."),
        0,
        lambda state, said: enter_drawn(state),
    ),
    Ending(
        "declined",
        Sentence("Last tile declined"),
        Sentence("Who is next leaves the last tile: the hand is a draw."),
        0,
        lambda state, said: (HandDrawn(declined_by=state.hand.turn if state.hand else 0),),
    ),
    Ending(
        "abandoned",
        Sentence("Hand does not count"),
        Sentence("Walls fell or tiles are missing: it is dealt anew, and what it paid goes back."),
        0,
        lambda state, said: (HandAbandoned(),),
    ),
    Ending(
        "false_win",
        Sentence("False win"),
        Sentence("A win that is none: that player wins no more in this hand, and pays what the house says."),
        1,
        lambda state, said: (*_begin(state), FalseWin(seat=_seat(said))),
    ),
    Ending(
        "voided",
        Sentence("Dead hand"),
        Sentence("A tile too many or too few: that player cannot win this hand."),
        1,
        lambda state, said: (*_begin(state), HandVoided(seat=_seat(said))),
    ),
    Ending(
        "penalty",
        Sentence("Points change hands"),
        Sentence("A penalty or a correction: one player pays another."),
        2,
        _move,
        asks_amount=True,
    ),
    Ending(
        "cancelled",
        Sentence("Take back the last payment"),
        Sentence("What was booked last goes back; both stay in the list."),
        0,
        _cancel,
    ),
    Ending(
        "deal_set",
        Sentence("Another dealer"),
        Sentence("The table says otherwise than the rules who deals next."),
        1,
        lambda state, said: (DealSet(dealer=_seat(said)),),
    ),
    Ending(
        "seats_changed",
        Sentence("Two change seats"),
        Sentence("Names and points go along."),
        2,
        _swap,
    ),
    Ending(
        "ended",
        Sentence("End the game"),
        Sentence("No further hand is played."),
        0,
        lambda state, said: (GameEnded(),),
    ),
)


@dataclass(frozen=True, slots=True)
class HandEnd(FeatureState):
    """played: the game. chosen: the key of the ending that is looked at. tells: whether it is on its way."""

    played: PlayedGame = field(default_factory=PlayedGame)
    chosen: str | None = None
    said: Said = Said()
    tells: bool = False

    @property
    def page(self) -> str:
        return "hand_end"

    @property
    def title(self) -> Sentence:
        return Sentence("How does it go on?")

    @property
    def state(self) -> State | None:
        """Of the game."""
        return self.played.progress.state if self.played.progress else None

    @property
    def offers(self) -> tuple[Ending, ...]:
        """What can happen now, with some seats at least."""
        return tuple(ending for ending in ENDINGS if self.list_seats(ending))

    @property
    def ending(self) -> Ending | None:
        return next((each for each in ENDINGS if each.key == self.chosen), None)

    @property
    def names(self) -> tuple[Sentence, ...]:
        """Who sits in each seat."""
        state = self.state
        if state is None:
            return tuple(Sentence(name) for name in SEAT_NAMES)
        return tuple(
            Sentence("{name}", {"name": state.names[person] or Sentence(SEAT_NAMES[seat])})
            for seat, person in enumerate(state.seated)
        )

    def list_seats(self, ending: Ending) -> tuple[int, ...]:
        """The seats that may be said first."""
        seats = self.state.house.seats if self.state else ()
        return tuple(
            seat
            for seat in seats
            if self.try_out(ending, Said(seat, next(each for each in seats if each != seat))) is not None
        )

    def try_out(self, ending: Ending, said: Said) -> tuple[tuple[Event, ...], State] | None:
        """The events, and the state that they lead to; None where that cannot happen now."""
        state = self.state
        if state is None:
            return None
        try:
            events = ending.make(state, said)
            for event in events:
                state = apply(state, event)
        except EventError:
            return None
        return events, state

    @property
    def outcome(self) -> tuple[tuple[Event, ...], State] | None:
        """Of the ending that is looked at, once all is said."""
        ending = self.ending
        if ending is None or (ending.seats > 0 and self.said.seat is None):
            return None
        if ending.seats > 1 and (self.said.other is None or self.said.other == self.said.seat):
            return None
        return self.try_out(ending, self.said)

    @property
    def payments(self) -> tuple[int, ...]:
        """What each seat would get."""
        outcome, state = self.outcome, self.state
        if outcome is None or state is None:
            return (0, 0, 0, 0)
        after = outcome[1]
        return tuple(after.points[person] - state.points[person] for person in state.seated)

    def choose(self, key: str) -> HandEnd:
        return replace(self, chosen=key, said=Said())

    def say_seat(self, seat: int) -> HandEnd:
        other = None if self.said.other == seat else self.said.other
        return replace(self, said=replace(self.said, seat=seat, other=other))

    def say_other(self, seat: int) -> HandEnd:
        return replace(self, said=replace(self.said, other=seat))

    def change_amount(self, step: int) -> HandEnd:
        return replace(self, said=replace(self.said, amount=max(1, self.said.amount + step)))

    def confirm(self) -> HandEnd:
        """What is shown is booked."""
        outcome = self.outcome
        if outcome is None or self.tells:
            return self
        return replace(self, tells=True).also(TellEnd(outcome[0]))

    def take_told(self, steps: int) -> HandEnd:
        said = Ask(Sentence("It is entered."), Sentence("Take it back"), EndUnwanted(steps))
        return replace(self, tells=False, chosen=None).also(Leave(), Announce(TableWanted()), said)

    def take_refusal(self, why: Sentence) -> HandEnd:
        return replace(self, tells=False).also(Say(why))

    def step_back(self) -> HandEnd:
        if self.chosen is not None:
            return replace(self, chosen=None)
        return self.also(Leave(), Announce(TableWanted()))

    def hear(self, news: News) -> HandEnd:
        match news:
            case HandEndWanted() if self.state is not None:
                return replace(self, chosen=None, said=Said()).also(ComeToFront())
            case EndUnwanted(steps):
                return self.also(TakeBackEnd(steps))
        return self
