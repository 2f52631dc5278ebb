"""Who paid whom, and for what. Entries are only ever added: what was wrong is taken back by another entry."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace as changed

from companion.errors import EventError
from companion.table import messages
from companion.table.events import EntryCancelled, PointsMoved

if TYPE_CHECKING:
    from companion.table.state import State

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
    """The state with an entry that takes back another; EventError where that cannot be."""
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
    """The state. Raises EventError where its ledger is longer than that of any game that is played."""
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
