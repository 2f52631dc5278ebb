"""How a hand can end other than by a win, and what else can be booked: the endings with their questions and
events, and the page's state. No Kivy and no rules: `apply` decides what can happen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.app.effects import AskQuestion, ComeToFront, Effect, GoBack, SendNews, ShowMessage
from companion.app.feature import FeatureState
from companion.app.news import HandEndWanted, HandShownWanted, News, TableWanted
from companion.app.text import list_names, list_people, name_seats
from companion.errors import EventError
from companion.game.deciding import Progress
from companion.game.updates import PlayedGame
from companion.live.event_words import describe_event, say_entered
from companion.sentences import Sentence, msgid
from companion.table.apply import apply
from companion.table.events import (
    Call,
    Called,
    DealSet,
    EntryCancelled,
    Event,
    FalseWin,
    GameEnded,
    HandAbandoned,
    HandVoided,
    PointsMoved,
    SeatsChanged,
    Wind,
    WinPassed,
)
from companion.table.state import PaymentReason, Phase, State, is_cancelled
from companion.table.unrecorded import (
    EnteredKong,
    begin_hand,
    enter_drawn,
    enter_kong,
    has_no_record,
    needs_fortune,
)
from companion.tiles import MeldKind, Tile

AMOUNT = 5
WINDS = tuple(Wind)
KONGS = {
    MeldKind.KONG_CONCEALED: msgid("Concealed kong"),
    MeldKind.KONG_DISCARD: msgid("Claimed kong"),
    MeldKind.KONG_ADDED: msgid("Added kong"),
}
CALLS = {
    Call.WIN: msgid("Win"),
    Call.KONG: msgid("Kong"),
    Call.PUNG: msgid("Pung"),
    Call.CHOW: msgid("Chow"),
    Call.NOTHING: msgid("Nothing"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """What the user enters besides the ending. seats, others: who it is about, in the order of the
    questions; amount: points; reason: in English, a word of the window; entry: of the ledger; streak, wind:
    None as it is; fortune: the kind that was turned over; kong: how it came about, and of what kind it is."""

    seats: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    amount: int = AMOUNT
    reason: str | None = None
    entry: int | None = None
    streak: int | None = None
    wind: int | None = None
    call: Call = Call.WIN
    fortune: str | None = None
    kong: MeldKind = MeldKind.KONG_CONCEALED
    kong_of: str | None = None

    @property
    def seat(self) -> int:
        return self.seats[0] if self.seats else 0

    @property
    def tile(self) -> Tile | None:
        return Tile.parse(self.fortune) if self.fortune else None


@dataclass(frozen=True, slots=True)
class Ending:
    """One ending: its name, its effect, and its events; ValueError if an answer is missing.

    who, whom: the questions for seats, None if no seat is asked for; several: whether more than one may be
    chosen. reasons: the reasons to choose from. begins: whether the hand has to have begun, its Fortune
    known. pays: whether a player may pay for it by the rules; unpaid: why nobody does, if that can be
    changed.
    """

    key: str
    name: Sentence
    meaning: Sentence
    make: Callable[[State, Said], tuple[Event, ...]]
    who: Sentence | None = None
    whom: Sentence | None = None
    several: bool = False
    reasons: tuple[str, ...] = ()
    begins: bool = False
    pays: bool = False
    unpaid: Sentence | None = None
    asks_amount: bool = False
    asks_entry: bool = False
    asks_deal: bool = False
    asks_call: bool = False
    asks_kong: bool = False

    @property
    def moves_points(self) -> bool:
        """Whether a player may pay, by the rules or as people say."""
        return self.pays or self.asks_amount or self.asks_entry


def _begin(state: State, said: Said) -> tuple[Event, ...]:
    """What comes before anything that happens in a hand, if nothing of it was recorded."""
    return begin_hand(state, said.tile)


def _lay_kong(state: State, said: Said) -> tuple[Event, ...]:
    if not state.house.rules.cash_rows or not has_no_record(state):
        raise ValueError("it is touched at the table, or nobody pays for it")
    if said.kong is MeldKind.KONG_CONCEALED:
        return enter_kong(state, EnteredKong(said.seat, said.kong))
    if said.kong_of is None:
        raise ValueError("of no kind")
    claimed = said.kong is MeldKind.KONG_DISCARD
    if claimed and not said.others:
        raise ValueError("of nobody's tile")
    giver = said.others[0] if claimed else None
    return enter_kong(state, EnteredKong(said.seat, said.kong, Tile.parse(said.kong_of), giver))


def _move(state: State, said: Said) -> tuple[Event, ...]:
    points = [0, 0, 0, 0]
    for giver in said.seats:
        for taker in said.others:
            points[giver] -= said.amount
            points[taker] += said.amount
    if not any(points):
        raise ValueError("nobody pays")
    a, b, c, d = points
    return (PointsMoved(points=(a, b, c, d), why=said.reason or PENALTIES[0]),)


def _swap(state: State, said: Said) -> tuple[Event, ...]:
    if not said.others:
        raise ValueError("with nobody")
    order = [0, 1, 2, 3]
    first, second = said.seat, said.others[0]
    order[first], order[second] = second, first
    a, b, c, d = order
    return (SeatsChanged(order=(a, b, c, d)),)


def _cancel(state: State, said: Said) -> tuple[Event, ...]:
    if said.entry is None:
        raise ValueError("no entry")
    return (EntryCancelled(entry=said.entry, why=said.reason or ""),)


def _set_deal(state: State, said: Said) -> tuple[Event, ...]:
    deal = state.deal
    dealer = said.seats[0] if said.seats and said.seats[0] != deal.dealer else None
    wind = said.wind if said.wind is not None and said.wind != deal.wind % len(WINDS) else None
    streak = said.streak if said.streak != (deal.streak if dealer is None else None) else None
    if dealer is None and streak is None and wind is None:
        raise ValueError("nothing is another")
    return (DealSet(dealer=dealer, streak=streak, round_wind=None if wind is None else WINDS[wind]),)


def _end(state: State, said: Said) -> tuple[Event, ...]:
    if state.over:
        raise ValueError("it has ended")
    return (GameEnded(),)


def list_entries(state: State) -> tuple[int, ...]:
    """The entries of the ledger that can be taken back, the newest first."""
    return tuple(
        number
        for number in range(len(state.ledger) - 1, -1, -1)
        if state.ledger[number].reason is not PaymentReason.CANCELLED and not is_cancelled(state, number)
    )


WHO = Sentence("Who?")
PENALTIES = (
    msgid("penalty"), msgid("wrong call"), msgid("tile shown"), msgid("late"), msgid("correction"),
    msgid("by agreement"),
)  # fmt: skip
ENDINGS = (
    Ending(
        "drawn",
        Sentence("Nobody wins"),
        Sentence("All tiles are drawn: the hand is a draw."),
        lambda state, said: enter_drawn(state, said.tile),
        begins=True,
        pays=True,
    ),
    Ending(
        "declined",
        Sentence("Last tile declined"),
        Sentence("The next player declines the last tile: the hand is a draw."),
        lambda state, said: enter_drawn(state, said.tile, declined=True),
        begins=True,
        pays=True,
    ),
    Ending(
        "abandoned",
        Sentence("Hand does not count"),
        Sentence(
            "The wall collapsed or tiles are missing: the hand is dealt again, and its payments are reversed."
        ),
        lambda state, said: (HandAbandoned(why=said.reason or ""),),
        reasons=(msgid("walls fell"), msgid("tiles were missing"), msgid("misdeal")),
        pays=True,
    ),
    Ending(
        "false_win",
        Sentence("False win"),
        Sentence("That player can no longer win this hand, and pays the penalty of the house rules."),
        lambda state, said: (*_begin(state, said), FalseWin(seat=said.seat)),
        who=Sentence("Who called it?"),
        begins=True,
        pays=True,
        unpaid=Sentence("No penalty is set in these rules. Set one under House rules before the next game."),
    ),
    Ending(
        "voided",
        Sentence("Dead hand"),
        Sentence("A tile too many or too few: that player cannot win this hand."),
        lambda state, said: (*_begin(state, said), HandVoided(seat=said.seat, why=said.reason or "")),
        who=Sentence("Whose hand is it?"),
        reasons=(msgid("too many tiles"), msgid("too few tiles"), msgid("wrong meld")),
        begins=True,
        pays=True,
    ),
    Ending(
        "kong",
        Sentence("A kong"),
        Sentence("A kong is paid for at once: choose whose it is and how it was made."),
        _lay_kong,
        who=Sentence("Whose kong is it?"),
        whom=Sentence("Who discarded it?"),
        pays=True,
        asks_kong=True,
    ),
    Ending(
        "passed",
        Sentence("Win passed up"),
        Sentence("A player could win on the last discard but declines."),
        lambda state, said: (WinPassed(seat=said.seat),),
        who=WHO,
    ),
    Ending(
        "called",
        Sentence("A call"),
        Sentence("A player called for the last discard but has not taken it yet."),
        lambda state, said: (Called(seat=said.seat, call=said.call),),
        who=Sentence("Who called it?"),
        asks_call=True,
    ),
    Ending(
        "penalty",
        Sentence("Transfer points"),
        Sentence("A penalty or a correction: choose who pays and who receives."),
        _move,
        who=Sentence("Who pays?"),
        whom=Sentence("Who receives it?"),
        several=True,
        reasons=PENALTIES,
        asks_amount=True,
    ),
    Ending(
        "cancelled",
        Sentence("Reverse a payment"),
        Sentence("The payment is reversed; both entries remain."),
        _cancel,
        reasons=(msgid("entered by mistake"), msgid("by agreement")),
        asks_entry=True,
    ),
    Ending(
        "deal_set",
        Sentence("Correct the deal"),
        Sentence("Correct the dealer, streak or round."),
        _set_deal,
        who=Sentence("Who deals?"),
        asks_deal=True,
    ),
    Ending(
        "seats_changed",
        Sentence("Swap two players"),
        Sentence("They keep their points."),
        _swap,
        who=WHO,
        whom=Sentence("With whom?"),
    ),
    Ending(
        "ended",
        Sentence("End the game"),
        Sentence("No more hands are played. Settle up shows who pays whom."),
        _end,
    ),
)
SHOWN = "shown"
"""The key of showing a hand, which is entered where wins are."""


@dataclass(frozen=True, slots=True)
class EnterEnd(Effect):
    """Enter these events into the game, all or none."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TakeBackEnd(Effect):
    """Undo this many events of the game."""

    steps: int


@dataclass(frozen=True, slots=True)
class UndoEnd(News):
    """Take back this many of the last events. at: how many the game had then."""

    steps: int
    at: int


@dataclass(frozen=True, slots=True)
class HandEnd(FeatureState):
    """played: the game. chosen: the key of the ending that is shown. said: the answers about it. sent:
    whether another page asked for that ending. submitting: whether it is being entered."""

    played: PlayedGame = field(default_factory=PlayedGame)
    chosen: str | None = None
    said: Said = field(default_factory=Said)
    sent: bool = False
    submitting: bool = False

    @property
    def page(self) -> str:
        return "hand_end"

    @property
    def title(self) -> Sentence:
        return Sentence("What happened?")

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
        """Whether the ending that is shown needs to know which tile was turned over."""
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
        """Whether the kind of kong must be chosen; a concealed kong need not be shown."""
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
        """The events, and the state that they lead to; None if that cannot happen now."""
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
        """The events of the ending that is shown, once all answers are given."""
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
        """Whether all answers are given and nobody pays."""
        return self.outcome is not None and not any(self.payments)

    def choose(self, key: str, seat: int | None = None) -> HandEnd:
        """Look at that ending. seat: who it is about, where that is known."""
        if key == SHOWN:
            return self.also(GoBack(), SendNews(HandShownWanted()))
        return replace(self, chosen=key, said=Said(() if seat is None else (seat,)))

    def choose_seat(self, seat: int) -> HandEnd:
        """It is about that seat; touched again if several may be, it is not."""
        said, ending = self.said, self.ending
        several = ending is not None and ending.several
        seats = _toggle(said.seats, seat) if several else (seat,)
        others = tuple(other for other in said.others if other != seat)
        after = replace(said, seats=seats, others=others)
        if ending is not None and ending.asks_deal:
            after = replace(after, streak=None)
        return replace(self, said=after)

    def choose_other(self, seat: int) -> HandEnd:
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
        if outcome is None or self.submitting:
            return self
        return replace(self, submitting=True).work(Sentence("Entering …")).also(EnterEnd(outcome[0]))

    def on_entered(self, steps: int, progress: Progress) -> HandEnd:
        """Called when the ending was entered as `steps` events."""
        unwanted = UndoEnd(steps, len(progress.events))
        said = AskQuestion(describe_entered(progress), Sentence("Undo it"), unwanted, passes=True)
        after = replace(self, submitting=False, chosen=None, sent=False).work(None)
        if self.sent and self.ending is not None and self.ending.asks_kong:
            return after.also(GoBack(), said)  # back to the win that is being entered
        return after.also(GoBack(), SendNews(TableWanted()), said)

    def on_refused(self, why: Sentence) -> HandEnd:
        return replace(self, submitting=False).work(None).also(ShowMessage(why, passes=True))

    def step_back(self) -> HandEnd:
        if self.sent:
            return replace(self, chosen=None, sent=False).also(GoBack())
        if self.chosen is not None:
            return replace(self, chosen=None)
        return self.also(GoBack(), SendNews(TableWanted()))

    def on_news(self, news: News) -> HandEnd:
        match news:
            case HandEndWanted(key, seat) if self.state is not None:
                begun = replace(self, chosen=None, said=Said(), sent=key is not None)
                return (begun.choose(key, seat) if key else begun).also(ComeToFront())
            case UndoEnd(steps, at) if self.played.progress and len(self.played.progress.events) == at:
                return self.also(TakeBackEnd(steps))
        return self


def describe_entered(progress: Progress) -> Sentence:
    """What was entered last."""
    state = progress.state
    return say_entered([describe_event(progress.events[-1], state, list_names(state))])


def _toggle(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(each for each in seats if each != seat) if seat in seats else (*seats, seat)
