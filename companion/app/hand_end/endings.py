"""What can happen beside moves and wins: each with what it asks, and the events that come of it. No Kivy, no
rule: whether it can happen says `apply`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.sentences import Sentence, msgid
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
from companion.table.state import PaymentReason, State, is_cancelled
from companion.table.unrecorded import ToldKong, begin_hand, enter_drawn, enter_kong, has_no_record
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
    """What a person says beside which end it is. seats, others: who it is about, in the order of the
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
    """One way: its name, what it does, and its events; ValueError where something is not said yet.

    who, whom: the questions for seats, None where nobody is asked for; several: whether more than one may be
    said. reasons: of which one may be said. begins: whether the hand has to have begun, its Fortune known.
    pays: whether somebody may pay for it by the rules; unpaid: why nobody does, where that can be changed.
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
        """Whether somebody may pay, by the rules or as people say."""
        return self.pays or self.asks_amount or self.asks_entry


def _begin(state: State, said: Said) -> tuple[Event, ...]:
    """What comes before anything that happens in a hand, where nothing of it was recorded."""
    return begin_hand(state, said.tile)


def _lay_kong(state: State, said: Said) -> tuple[Event, ...]:
    if not state.house.rules.cash_rows or not has_no_record(state):
        raise ValueError("it is touched at the table, or nobody pays for it")
    if said.kong is MeldKind.KONG_CONCEALED:
        return enter_kong(state, ToldKong(said.seat, said.kong))
    if said.kong_of is None:
        raise ValueError("of no kind")
    claimed = said.kong is MeldKind.KONG_DISCARD
    if claimed and not said.others:
        raise ValueError("of nobody's tile")
    giver = said.others[0] if claimed else None
    return enter_kong(state, ToldKong(said.seat, said.kong, Tile.parse(said.kong_of), giver))


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
        Sentence("Who is next leaves the last tile: the hand is a draw."),
        lambda state, said: enter_drawn(state, said.tile, declined=True),
        begins=True,
        pays=True,
    ),
    Ending(
        "abandoned",
        Sentence("Hand does not count"),
        Sentence("Walls fell or tiles are missing: it is dealt anew, and what it paid goes back."),
        lambda state, said: (HandAbandoned(why=said.reason or ""),),
        reasons=(msgid("walls fell"), msgid("tiles were missing"), msgid("wrongly dealt")),
        pays=True,
    ),
    Ending(
        "false_win",
        Sentence("False win"),
        Sentence(
            "A false win: that player cannot win this hand any more, and pays the penalty of the house rules."
        ),
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
        Sentence("A kong is paid for at once: whose it is, and how it came about."),
        _lay_kong,
        who=Sentence("Whose kong is it?"),
        whom=Sentence("Whose tile was it?"),
        pays=True,
        asks_kong=True,
    ),
    Ending(
        "passed",
        Sentence("Win passed up"),
        Sentence("A player could win on the tile that lies there, and lets it go."),
        lambda state, said: (WinPassed(seat=said.seat),),
        who=WHO,
    ),
    Ending(
        "called",
        Sentence("A call"),
        Sentence("A player called for the tile that lies there, and has not taken it yet."),
        lambda state, said: (Called(seat=said.seat, call=said.call),),
        who=Sentence("Who called it?"),
        asks_call=True,
    ),
    Ending(
        "penalty",
        Sentence("Points change hands"),
        Sentence("A penalty or a correction: one or several pay, one or several get it."),
        _move,
        who=Sentence("Who pays?"),
        whom=Sentence("Who gets it?"),
        several=True,
        reasons=PENALTIES,
        asks_amount=True,
    ),
    Ending(
        "cancelled",
        Sentence("Take back a payment"),
        Sentence("Choose which one; it goes back, and both stay in the list."),
        _cancel,
        reasons=(msgid("booked by mistake"), msgid("by agreement")),
        asks_entry=True,
    ),
    Ending(
        "deal_set",
        Sentence("Put the deal right"),
        Sentence("The table says otherwise than the rules who deals, how often in a row, in which round."),
        _set_deal,
        who=Sentence("Who deals?"),
        asks_deal=True,
    ),
    Ending(
        "seats_changed",
        Sentence("Two change seats"),
        Sentence("Names and points go along."),
        _swap,
        who=WHO,
        whom=Sentence("With whom?"),
    ),
    Ending(
        "ended",
        Sentence("End the game"),
        Sentence("No further hand is played."),
        _end,
    ),
)
SHOWN = "shown"
"""The key of showing a hand, which is entered where wins are."""
