"""What is known of a game at one moment, and its ledger: frozen values, a new one for every event (apply.py).

How much is known shows in the values themselves: of a player's concealed tiles those that are known are
listed and the others counted, and the meld of a concealed kong that nobody saw is None. So the same state
serves a simulation, one player's seat, and a camera.

These are msgspec structs, not dataclasses: an event makes two or three new ones, and these cost a tenth.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace as changed

from companion.errors import EventError
from companion.money import Currency
from companion.rules import Score, Source
from companion.rules.hand import WINDS
from companion.rules.play import Moment
from companion.rules.stated import Stated
from companion.rules.win import ScoreRequest
from companion.table import messages
from companion.table.events import Call, EntryCancelled, PointsMoved
from companion.table.house import House
from companion.table.wall import Wall
from companion.tiles import Meld, MeldKind, Tile

ENTRIES_MAX = 5000
"""The longest ledger of a game. A long evening has some 200 entries, and each state holds them all."""
Points = tuple[int, int, int, int]


class PaymentReason(StrEnum):
    """What an entry of the ledger is for."""

    WIN = "win"
    KONG = "kong"
    FALSE_WIN = "false_win"
    MOVED = "moved"
    """Moved by hand: PointsMoved."""
    CANCELLED = "cancelled"
    """Takes back the entry `cancels`."""


class LedgerEntry(Struct, frozen=True):
    """One payment. `points` by person, in the order of the game's first event; they add up to 0.

    hand: how many hands were finished before. seat: whose win, kong or false win it was. why: in words, or
    the names of the scored rows. cancels: the number of the entry that it takes back, the first being 0.
    """

    hand: int
    reason: PaymentReason
    points: Points
    seat: int | None = None
    why: str = ""
    cancels: int | None = None


def book(
    state: State,
    reason: PaymentReason,
    by_seat: Sequence[int],
    seat: int | None = None,
    why: str = "",
) -> State:
    """The state with a payment in which each seat gets `by_seat`."""
    people = [0, 0, 0, 0]
    for place, person in enumerate(state.seated):
        people[person] = by_seat[place]
    a, b, c, d = people
    return _add_entry(state, LedgerEntry(state.hands, reason, (a, b, c, d), seat, why))


def take_back(state: State, number: int, why: str) -> State:
    """The state with an entry that takes back another; EventError if that cannot be."""
    if number >= len(state.ledger):
        raise EventError(messages.NO_ENTRY, number=number, entries=len(state.ledger))
    entry = state.ledger[number]
    if entry.reason is PaymentReason.CANCELLED:
        raise EventError(messages.CANCELS_ITSELF, number=number)
    if is_cancelled(state, number):
        raise EventError(messages.CANCELLED_ALREADY, number=number)
    a, b, c, d = entry.points
    back = LedgerEntry(state.hands, PaymentReason.CANCELLED, (-a, -b, -c, -d), entry.seat, why, number)
    return _add_entry(state, back)


def is_cancelled(state: State, number: int) -> bool:
    """Whether an entry of that number was taken back."""
    return any(entry.cancels == number for entry in state.ledger[number:])


def check_length(state: State) -> State:
    """The state. Raises EventError if its ledger is longer than that of any game that is played."""
    if len(state.ledger) > ENTRIES_MAX:
        raise EventError(messages.LEDGER_FULL, limit=ENTRIES_MAX)
    return state


def apply_points_moved(state: State, event: PointsMoved) -> State:
    if sum(event.points):
        raise EventError(messages.NOT_ZERO, points=list(event.points), sum=sum(event.points), ruling="C-19")
    return book(state, PaymentReason.MOVED, event.points, why=event.why)


def apply_entry_cancelled(state: State, event: EntryCancelled) -> State:
    return take_back(state, event.entry, event.why)


def _add_entry(state: State, entry: LedgerEntry) -> State:
    a, b, c, d = (now + more for now, more in zip(state.points, entry.points, strict=True))
    return changed(state, points=(a, b, c, d), ledger=(*state.ledger, entry))


__all__ = [
    "Deal",
    "HandResult",
    "HandState",
    "Laid",
    "LetGo",
    "Offer",
    "OfferKind",
    "Phase",
    "Player",
    "State",
    "changed",
]  # fmt: skip

NO_CALLS = (Call.NOTHING,) * 4


class Phase(StrEnum):
    """What the table waits for."""

    DEAL = "deal"
    """The walls stand: everybody takes the first tiles."""
    INDICATOR = "indicator"
    """The tile that makes Fortunes is turned over next."""
    FLOWERS = "flowers"
    """Flowers of the deal are set out and replaced, before the dealer's first discard."""
    TURN = "turn"
    """The player whose turn it is has a tile too many: a discard, a kong, or a win."""
    READY = "ready"
    """The player has called ready, and discards next."""
    CLAIM = "claim"
    """A discard lies on offer, until the player whose turn it is draws."""
    REPLACEMENT = "replacement"
    """The player whose turn it is replaces a kong's tile or a flower, which may be on offer till then."""
    SEA = "sea"
    """The last tiles are drawn without discards; the player whose turn it is has drawn one."""
    EXHAUSTED = "exhausted"
    """A replacement is due, but no tile is left: the hand is a draw."""
    OVER = "over"
    """The hand is over; the next one may start."""


class OfferKind(StrEnum):
    """What it is that others may take or rob."""

    DISCARD = "discard"
    ADDED_KONG = "added_kong"
    CONCEALED_KONG = "concealed_kong"
    FLOWER = "flower"


class Offer(Struct, frozen=True):
    """A tile of `seat` that others may take until the next draw; None if nobody saw which it is."""

    kind: OfferKind
    seat: int
    tile: Tile | None


class Laid(Struct, frozen=True):
    """A meld on the table; `meld` is None for a concealed kong whose tiles nobody saw. `source`: whose
    discard was claimed for it."""

    meld: Meld | None
    source: int | None

    @property
    def kind(self) -> MeldKind:
        return MeldKind.KONG_CONCEALED if self.meld is None else self.meld.kind


class LetGo(Struct, frozen=True):
    """Another's tile that a player let go, though a win might have been called on it.

    spoken: whether the player declared it a win; otherwise that shows once the hand is known
    moment: the circumstances then, for whose tile it was. melds, flowers: what the player had laid by then
    discarded, claimed, replaced: the tiles that the player has discarded, claimed and drawn as replacements
        since, None if nobody saw them; so the hand of then follows from the one of now
    """

    offer: Offer
    moment: Moment
    melds: tuple[Laid, ...]
    flowers: tuple[Tile, ...]
    spoken: bool = False
    discarded: tuple[Tile | None, ...] = ()
    claimed: tuple[Tile | None, ...] = ()
    replaced: tuple[Tile | None, ...] = ()


class Player(Struct, frozen=True):
    """What lies before one player in this hand.

    concealed, hidden: the concealed tiles that are known, in the order of taking them, and how many are not
    flowers, melds: set out and laid. discards: in order, without those that were claimed, None if nobody
        saw the tile
    draws, discarded: how many tiles were drawn from the live wall after the deal, and how many discarded
    ready: the situation of a win, once a ready hand is declared
    rivers: how many discards lay before each seat then
    void: the ruling by which the hand is dead, if it is: no win (C-17)
    let_go: the tiles of others that the player let go since the last draw that counts (C-12, S-03)
    gambits: Fortunes discarded in a row, up to now, as far as they were seen
    shown: whether the concealed tiles lie open, after a win or at the end of the hand
    """

    concealed: tuple[Tile, ...] = ()
    hidden: int = 0
    melds: tuple[Laid, ...] = ()
    flowers: tuple[Tile, ...] = ()
    discards: tuple[Tile | None, ...] = ()
    draws: int = 0
    discarded: int = 0
    ready: str | None = None
    rivers: tuple[int, int, int, int] | None = None
    void: str | None = None
    let_go: tuple[LetGo, ...] = ()
    gambits: int = 0
    shown: bool = False

    @property
    def count(self) -> int:
        """How many concealed tiles there are."""
        return len(self.concealed) + self.hidden

    @property
    def missed(self) -> tuple[Tile | None, ...]:
        """The tiles on which the player declared a passed-up win, None if nobody saw it."""
        return tuple([x.offer.tile for x in self.let_go if x.spoken])


class Deal(Struct, frozen=True):
    """The dealer, the streak as the rulings count it, and the wind of the round (0 East, 1 South …).

    dealt: who dealt in this round before.
    """

    dealer: int
    streak: int
    wind: int = 0
    dealt: tuple[int, ...] = ()

    @property
    def round_wind(self) -> Tile:
        return WINDS[self.wind % len(WINDS)]


class HandResult(Struct, frozen=True):
    """A win of the hand, as the rules score it.

    tile: the winning tile, held by the first of several winners; None without one.
    discarder: whose it was, None where it was drawn. request: what the rules were asked, where others may win
    on that tile too. stated: what people said of a win whose tiles were not entered.
    """

    winner: int
    source: Source
    discarder: int | None
    tile: Tile | None
    score: Score
    request: ScoreRequest | None
    stated: Stated | None = None


class HandState(Struct, frozen=True):
    """A hand in play, or the last one.

    deal: who deals it. dice: None if nobody saw them: then `wall` counts right but its places mean nothing
    turn: whose turn it is; in the phase CLAIM, who draws next unless a player claims
    known: how many tiles of each of the 42 kinds have been seen anywhere, as bytes
    offer, calls: what others may take, and who calls for it, by seat
    owed: how many replacements the player takes before going on
    due: flowers, of those known, that whose turn it is sets out before others set out theirs (S-01)
    drew, drawn: whether the player drew in this turn, and the tile drawn last where it is known
    replaced: whether that replaced a kong's tile or a flower. kongs: how many in a row led to it
    discards, claims: how many were made in this hand by all
    indicator, fortune: the tile that was turned over, and the kind that is wild
    results: the wins, in the order in which they were entered
    booked: how many entries the ledger had before the hand. seated: who sits where in it, as in State
    """

    phase: Phase
    deal: Deal
    dice: tuple[int, ...] | None
    wall: Wall
    players: tuple[Player, Player, Player, Player]
    turn: int
    known: bytes
    booked: int
    seated: tuple[int, int, int, int]
    offer: Offer | None = None
    calls: tuple[Call, Call, Call, Call] = NO_CALLS
    owed: int = 0
    due: tuple[Tile, ...] = ()
    drew: bool = False
    drawn: Tile | None = None
    replaced: bool = False
    kongs: int = 0
    discards: int = 0
    claims: int = 0
    indicator: Tile | None = None
    fortune: Tile | None = None
    results: tuple[HandResult, ...] = ()


class State(Struct, frozen=True):
    """A game. People are numbered as in its first event; `seated` says which of them sits in each seat.

    points: of each person; ledger: every payment, oldest first; its sum and the points at the start are
    `points`. deal: of the hand in play, or of the next one. hands: how many were finished. over: no hand
    follows. hand: in play, or the last one; None before the first. calls_recorded: whether a ready hand was
    called in this game, so that of who called none it is known. currency: what the points are worth in money,
    None if nothing is agreed.
    """

    house: House
    names: tuple[str, str, str, str]
    points: Points
    deal: Deal
    seated: tuple[int, int, int, int] = (0, 1, 2, 3)
    ledger: tuple[LedgerEntry, ...] = ()
    hands: int = 0
    over: bool = False
    hand: HandState | None = None
    calls_known: bool = False
    currency: Currency | None = None

    @property
    def playing(self) -> bool:
        """Whether a hand is in play."""
        return self.hand is not None and self.hand.phase is not Phase.OVER

    @property
    def balances(self) -> Points:
        """The points by seat."""
        a, b, c, d = (self.points[person] for person in self.seated)
        return a, b, c, d

    @property
    def purses(self) -> Points | None:
        """The most that each seat can pay; None if anybody may owe."""
        if self.house.may_owe:
            return None
        a, b, c, d = (max(0, points) for points in self.balances)
        return a, b, c, d
