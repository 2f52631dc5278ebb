"""A payment that was booked, to be touched: when, for what, and who got what."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.app.widgets.press_card import PressCard
from companion.sentences import msgid
from companion.table.state import PaymentReason, State
from companion.words import Words

REASONS = {
    PaymentReason.WIN: msgid("Hand {number}: win"),
    PaymentReason.KONG: msgid("Hand {number}: kong"),
    PaymentReason.FALSE_WIN: msgid("Hand {number}: false win"),
    PaymentReason.MOVED: msgid("Hand {number}: points changed hands"),
    PaymentReason.CANCELLED: msgid("Hand {number}: taken back"),
}


class EntryRow(PressCard):
    """The entry with that number of the ledger; names: of the seats, as people sit now."""

    def __init__(
        self,
        state: State,
        number: int,
        names: Sequence[str],
        words: Words,
        act: Callable[[], None],
        chosen: bool,
    ) -> None:
        super().__init__(act, fits=True)
        entry = state.ledger[number]
        by_person = {person: names[seat] for seat, person in enumerate(state.seated)}
        paid = " · ".join(
            f"{by_person[person]} {points:+,}".replace("-", "−")
            for person, points in enumerate(entry.points)
            if points
        )
        why = f"{paid}   {words(entry.why)}" if entry.why else paid
        self.say(words(REASONS[entry.reason], number=entry.hand + 1), why, chosen=chosen)
