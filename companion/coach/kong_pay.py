"""What a kong is paid when it is laid, by the table's own settlement: in many games nothing."""

from __future__ import annotations

from typing import NamedTuple

from companion.coach.danger import risk
from companion.coach.seen import Seen
from companion.table.claims import pay_kong
from companion.table.events import AddedKong, Claimed, ConcealedKong, Event
from companion.tiles import MeldKind, Tile, parse_meld


class Kong(NamedTuple):
    """A kong to be laid, and whose discard it is claimed with."""

    kind: MeldKind
    discarder: int | None = None


def find_kong(seen: Seen, do: Event | None) -> Kong | None:
    """The kong that is laid by that; None where it is none."""
    match do:
        case ConcealedKong():
            return Kong(MeldKind.KONG_CONCEALED)
        case AddedKong():
            return Kong(MeldKind.KONG_ADDED)
        case Claimed() if parse_meld(do.meld).kind.is_kong and seen.hand.offer is not None:
            return Kong(MeldKind.KONG_DISCARD, seen.hand.offer.seat)
    return None


def pay_at_once(seen: Seen, do: Event | None) -> float:
    """What the player is paid for the kong that is laid by that, whoever wins later; 0 for anything else.

    An added kong that is robbed is paid nothing: it counts for how often it is not.
    """
    paid = float(book_kong(seen, do))
    if paid and isinstance(do, AddedKong):
        paid *= 1 - risk(seen, Tile.parse(do.tile))[0]
    return paid


def book_kong(seen: Seen, do: Event | None) -> int:
    """The points that the table books for the kong that is laid by that; 0 for anything else."""
    kong = find_kong(seen, do)
    if kong is None:
        return 0
    before = seen.state
    after = pay_kong(before, kong.kind, seen.seat, kong.discarder)
    person = before.seated[seen.seat]
    return sum(entry.points[person] for entry in after.ledger[len(before.ledger) :])


def is_paid_back(seen: Seen) -> bool:
    """Whether what kongs were paid goes back where nobody wins."""
    return bool(seen.state.house.policy.kongs.refund)
