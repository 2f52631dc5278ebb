"""How a hand ends but by a win, and what else is booked, as frozen values. No Kivy, no rule.

What is offered is what `apply` takes in the game as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.app.effects import Announce, Ask, ComeToFront, Effect, Leave, Say
from companion.app.feature import FeatureState
from companion.app.hand_end.endings import ENDINGS, SHOWN, Ending, Said, list_entries
from companion.app.news import HandEndWanted, HandShownWanted, News, TableWanted
from companion.app.text import list_names, list_people, name_seats, say_entered
from companion.errors import EventError
from companion.game.deciding import Progress
from companion.game.updates import PlayedGame
from companion.live.event_words import describe_event
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Call, Event
from companion.table.state import Phase, State
from companion.table.unrecorded import needs_fortune
from companion.tiles import MeldKind


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
    """The events that were entered last, that many, are to be taken back. at: how many the game had then."""

    steps: int
    at: int


@dataclass(frozen=True, slots=True)
class HandEnd(FeatureState):
    """played: the game. chosen: the key of the ending that is looked at. said: what is said of it.
    sent: whether another page asked for that ending. tells: whether it is on its way."""

    played: PlayedGame = field(default_factory=PlayedGame)
    chosen: str | None = None
    said: Said = field(default_factory=Said)
    sent: bool = False
    tells: bool = False

    @property
    def page(self) -> str:
        return "hand_end"

    @property
    def title(self) -> Sentence:
        return Sentence("How does it go on?")

    @property
    def pauses_following(self) -> bool:
        return True

    @property
    def state(self) -> State | None:
        """Of the game."""
        return self.played.progress.state if self.played.progress else None

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.state)

    @property
    def offers(self) -> tuple[Ending, ...]:
        """What can happen now, with some seats at least."""
        return tuple(ending for ending in ENDINGS if self.can_happen(ending))

    @property
    def may_show(self) -> bool:
        """Whether a hand can be shown now that it is over."""
        state = self.state
        hand = state.hand if state else None
        return (
            hand is not None
            and hand.phase is Phase.OVER
            and not all(
                hand.players[seat].shown
                for seat in state.house.seats  # type: ignore[union-attr]
            )
        )

    @property
    def ending(self) -> Ending | None:
        return next((each for each in ENDINGS if each.key == self.chosen), None)

    @property
    def names(self) -> tuple[Sentence, ...]:
        """Who sits in each seat."""
        return name_seats(self.state)

    @property
    def needs_fortune(self) -> bool:
        """Whether the ending that is looked at needs to know which tile was turned over."""
        state, ending = self.state, self.ending
        return state is not None and ending is not None and ending.begins and needs_fortune(state)

    @property
    def asks_whom(self) -> bool:
        """Whether the second question about seats is asked: of kongs only of those on a discard."""
        ending = self.ending
        if ending is None or ending.whom is None:
            return False
        return not ending.asks_kong or self.said.kong is MeldKind.KONG_DISCARD

    @property
    def asks_kind(self) -> bool:
        """Whether it is to be said of which kind the kong is: a concealed one need not be shown."""
        ending = self.ending
        return ending is not None and ending.asks_kong and self.said.kong is not MeldKind.KONG_CONCEALED

    @property
    def deal(self) -> tuple[int, int, int]:
        """The dealer, the streak and the round's wind, 0 to 3, as they would be."""
        state = self.state
        if state is None:
            return 0, 0, 0
        dealer = self.said.seats[0] if self.said.seats else state.deal.dealer
        usual = state.deal.streak if dealer == state.deal.dealer else state.house.rules.streak_default
        streak = usual if self.said.streak is None else self.said.streak
        return dealer, streak, state.deal.wind % 4 if self.said.wind is None else self.said.wind

    def can_happen(self, ending: Ending) -> bool:
        """Whether it can happen now, with some seats at least."""
        state = self.state
        if state is None:
            return False
        if ending.asks_deal:
            return self.try_out(ending, Said(streak=state.deal.streak + 1)) is not None
        if ending.asks_entry:
            return bool(list_entries(state))
        return bool(self.list_seats(ending))

    def list_seats(self, ending: Ending) -> tuple[int, ...]:
        """The seats that may be said first."""
        state = self.state
        if state is None or ending.asks_deal:
            return state.house.seats if state else ()
        fortune = self.said.fortune or state.house.wall.tile_set.kinds[0].code
        calls = tuple(Call) if ending.asks_call else (self.said.call,)
        found = []
        for seat in state.house.seats if ending.who else state.house.seats[:1]:
            other = next(each for each in state.house.seats if each != seat)
            tries = [Said((seat,), (other,), call=call, fortune=fortune) for call in calls]
            if any(self.try_out(ending, said) is not None for said in tries):
                found.append(seat)
        return tuple(found)

    def try_out(self, ending: Ending, said: Said) -> tuple[tuple[Event, ...], State] | None:
        """The events, and the state that they lead to; None where that cannot happen now."""
        state = self.state
        if state is None:
            return None
        try:
            events = ending.make(state, said)
            for event in events:
                state = apply(state, event)
        except (EventError, ValueError):
            return None
        return events, state

    @property
    def outcome(self) -> tuple[tuple[Event, ...], State] | None:
        """Of the ending that is looked at, once all is said."""
        ending, said = self.ending, self.said
        if ending is None or (ending.who and not said.seats and not ending.asks_deal):
            return None
        if self.needs_fortune and said.fortune is None:
            return None
        if self.asks_whom and not said.others:
            return None
        return self.try_out(ending, said)

    @property
    def payments(self) -> tuple[int, ...]:
        """What each seat would get."""
        outcome, state = self.outcome, self.state
        if outcome is None or state is None:
            return (0, 0, 0, 0)
        after = outcome[1]
        return tuple(after.points[person] - state.points[person] for person in state.seated)

    @property
    def pays_nobody(self) -> bool:
        """Whether all is said, and nobody pays for it."""
        return self.outcome is not None and not any(self.payments)

    def choose(self, key: str, seat: int | None = None) -> HandEnd:
        """Look at that ending. seat: who it is about, where that is known."""
        if key == SHOWN:
            return self.also(Leave(), Announce(HandShownWanted()))
        return replace(self, chosen=key, said=Said(() if seat is None else (seat,)))

    def say_seat(self, seat: int) -> HandEnd:
        """It is about that seat; touched again where several may be, it is not."""
        said, ending = self.said, self.ending
        several = ending is not None and ending.several
        seats = _toggle(said.seats, seat) if several else (seat,)
        others = tuple(other for other in said.others if other != seat)
        after = replace(said, seats=seats, others=others)
        if ending is not None and ending.asks_deal:
            after = replace(after, streak=None)
        return replace(self, said=after)

    def say_other(self, seat: int) -> HandEnd:
        said, ending = self.said, self.ending
        others = _toggle(said.others, seat) if ending is not None and ending.several else (seat,)
        seats = tuple(each for each in said.seats if each != seat)
        return replace(self, said=replace(said, others=others, seats=seats))

    def say(self, **changes: object) -> HandEnd:
        """With these answers."""
        return replace(self, said=replace(self.said, **changes))  # type: ignore[arg-type]

    def change_amount(self, step: int) -> HandEnd:
        return self.say(amount=max(1, self.said.amount + step))

    def change_streak(self, step: int) -> HandEnd:
        state = self.state
        least = state.house.rules.streak_default if state else 0
        return self.say(streak=max(least, self.deal[1] + step))

    def confirm(self) -> HandEnd:
        """What is shown is booked."""
        outcome = self.outcome
        if outcome is None or self.tells:
            return self
        return replace(self, tells=True).work(Sentence("Entering it …")).also(TellEnd(outcome[0]))

    def take_told(self, steps: int, progress: Progress) -> HandEnd:
        """It is in the game, which stands so now; it was that many events."""
        unwanted = EndUnwanted(steps, len(progress.events))
        said = Ask(describe_entered(progress), Sentence("Take it back"), unwanted, passes=True)
        after = replace(self, tells=False, chosen=None, sent=False).work(None)
        if self.sent and self.ending is not None and self.ending.asks_kong:
            return after.also(Leave(), said)  # back to the win that is being entered
        return after.also(Leave(), Announce(TableWanted()), said)

    def take_refusal(self, why: Sentence) -> HandEnd:
        return replace(self, tells=False).work(None).also(Say(why, passes=True))

    def step_back(self) -> HandEnd:
        if self.sent:
            return replace(self, chosen=None, sent=False).also(Leave())
        if self.chosen is not None:
            return replace(self, chosen=None)
        return self.also(Leave(), Announce(TableWanted()))

    def hear(self, news: News) -> HandEnd:
        match news:
            case HandEndWanted(key, seat) if self.state is not None:
                begun = replace(self, chosen=None, said=Said(), sent=key is not None)
                return (begun.choose(key, seat) if key else begun).also(ComeToFront())
            case EndUnwanted(steps, at) if self.played.progress and len(self.played.progress.events) == at:
                return self.also(TakeBackEnd(steps))
        return self


def describe_entered(progress: Progress) -> Sentence:
    """What was entered last."""
    state = progress.state
    return say_entered([describe_event(progress.events[-1], state, list_names(state))])


def _toggle(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(each for each in seats if each != seat) if seat in seats else (*seats, seat)
