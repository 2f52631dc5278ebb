"""The wins that phones have entered and that wait to be confirmed, as frozen values. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules import Score, Source
from companion.table.state import State
from companion.table.unrecorded import EnteredWin, ReportedWin, enter_wins


@dataclass(frozen=True, slots=True)
class WaitingWin:
    """person: whose phone entered it. entered: as it would be booked after the wins before it."""

    person: int
    reported: ReportedWin
    entered: EnteredWin


@dataclass(frozen=True, slots=True)
class Entry:
    """A win that waits to be confirmed, or several on one tile. before: the game then."""

    number: int
    before: State
    wins: tuple[WaitingWin, ...]

    @property
    def after(self) -> State:
        """The game once they are booked."""
        return self.wins[-1].entered.after

    @property
    def scores(self) -> tuple[Score, ...]:
        """What each of them is worth, beside the others."""
        assert self.after.hand is not None
        return tuple(result.score for result in self.after.hand.results[-len(self.wins) :])

    @property
    def payments(self) -> tuple[int, ...]:
        """The points that each seat gains by all of them."""
        return list_payments(self.before, self.after)


def make_entry(number: int, before: State, sent: Sequence[tuple[int, ReportedWin]]) -> Entry:
    """The entry of those wins, each with the person whose phone sent it. EventError where one is not a win
    beside those before it."""
    entered = enter_wins(before, [reported for _, reported in sent])
    wins = (WaitingWin(*each, win) for each, win in zip(sent, entered, strict=True))
    return Entry(number, before, tuple(wins))


def list_payments(before: State, after: State) -> tuple[int, ...]:
    """The points that each seat gains between the two, as the players sat before."""
    return tuple(after.points[person] - before.points[person] for person in before.seated)


def list_beside(
    state: State, entry: Entry | None, person: int, reported: ReportedWin
) -> tuple[WaitingWin, ...]:
    """The waiting wins that a win from that person's phone may join, as they are on the same tile. A
    win of the same winner by the same phone is replaced; so is all where the rules allow one winner."""
    wins = () if entry is None else entry.wins
    others = tuple(win for win in wins if (win.person, win.reported.seat) != (person, reported.seat))
    together = state.house.policy.multi_win and all(_share_tile(win.reported, reported) for win in others)
    return others if together else ()


def _share_tile(one: ReportedWin, other: ReportedWin) -> bool:
    if one.seat == other.seat or one.source is Source.SELF_DRAW:
        return False
    is_same = one.tile == other.tile or None in (one.tile, other.tile)
    return is_same and (one.source, one.discarder) == (other.source, other.discarder)
