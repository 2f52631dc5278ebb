"""What a correction changes: the sheet with it beside the sheet without it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.sheets.hands import Correction, Sheet, SheetHand, make_sheet
from companion.table.events import Corrected, Event
from companion.table.ledger import Points


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand that pays otherwise, or ends otherwise: as it was and as it is; None where it was not played."""

    before: SheetHand | None
    after: SheetHand | None

    @property
    def number(self) -> int:
        """The hand's number in the game."""
        hand = self.after or self.before
        return hand.number if hand else 0


@dataclass(frozen=True, slots=True)
class Change:
    """hands: those that differ, in order. before, after: the points of each person at the end. people: who
    plays. kept_deal: whether who dealt the next hand was kept as it was, though the rules say otherwise now.
    """

    hands: tuple[HandChange, ...]
    before: Points
    after: Points
    people: tuple[int, ...]
    kept_deal: bool = False


def compare_sheets(before: Sheet, after: Sheet, *, kept_deal: bool = False) -> Change:
    """What differs from the one sheet of a game to the other."""
    changes = []
    for at in range(max(len(before.hands), len(after.hands))):
        was, now = (sheet.hands[at] if at < len(sheet.hands) else None for sheet in (before, after))
        if was is None or now is None or _tell(was) != _tell(now):
            changes.append(HandChange(was, now))
    return Change(tuple(changes), before.state.points, after.state.points, after.people, kept_deal)


def make_sheet_without(sheet: Sheet, correction: Correction) -> Sheet:
    """The sheet as it would be had that correction not been made; the others stay.

    EventError where a later correction makes no sense without it.
    """
    return make_sheet(leave_out(sheet.log, correction))


def leave_out(log: Sequence[Event], correction: Correction) -> tuple[Event, ...]:
    """The log in which that correction says what was believed before it; numbers stay as they are."""
    made = log[correction.at - 1]
    assert isinstance(made, Corrected)
    first, *rest = correction.was
    back = Corrected(number=made.number, upto=made.upto, right=first, more=tuple(rest))
    return *log[: correction.at - 1], back, *log[correction.at :]


def _tell(hand: SheetHand) -> tuple[object, ...]:
    """What people would call the same hand."""
    wins = tuple((win.winner, win.giver, win.score.value, win.concealed, win.melds) for win in hand.wins)
    return hand.points, hand.dealer, hand.streak, hand.drawn, hand.abandoned, wins
