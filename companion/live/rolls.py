"""What a roll that the camera read means for the running game: it breaks the wall of the hand that begins, or
chooses its indicator. At any other time dice on a table mean nothing.
"""

from __future__ import annotations

from msgspec.structs import replace as changed

from companion.live.deciding import SAME_FACT_S, Progress
from companion.live.facts import Fact
from companion.live.proposals import Source
from companion.seeing.sights import Roll
from companion.table.events import Corrected, Event, HandStarted, IndicatorTurned
from companion.table.state import Phase


class Rolls:
    """The rolls that one camera, `source`, sees. Each counts once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._used: Roll | None = None
        self._second: Roll | None = None

    def find_event(
        self, progress: Progress, roll: Roll | None, bare_s: float | None, t_ns: int
    ) -> Event | None:
        """What the roll says has happened, where that is news; t_ns: when it was thrown.

        bare_s: since when no tile of a hand lies on the table, None while one does. Dice that have lain there
        for longer belong to the hand before.
        """
        if roll is None or (self._used is not None and roll.since_s <= self._used.since_s):
            return None
        event = self._begin_hand(progress, roll, bare_s) if not progress.state.playing else None
        if progress.state.playing:
            event = self._complete_hand(progress, roll, t_ns)
        if event is not None:
            self._used, self._second = roll, None
        return event

    def complete(self, event: Event, progress: Progress) -> Event:
        """An event with the roll that belongs to it: the second of a hand is for its indicator."""
        roll, numbers = self._second, progress.state.house.wall.indicator_dice
        if not isinstance(event, IndicatorTurned) or roll is None or len(roll.pips) != numbers:
            return event
        return changed(event, dice=roll.pips)

    def _begin_hand(self, progress: Progress, roll: Roll, bare_s: float | None) -> Event | None:
        state = progress.state
        is_new = bare_s is not None and roll.since_s > bare_s
        if not is_new or state.over or len(roll.pips) not in state.house.wall.dice:
            return None
        return HandStarted(dealer=state.deal.dealer, dice=roll.pips)

    def _complete_hand(self, progress: Progress, roll: Roll, t_ns: int) -> Event | None:
        """The roll of a hand that has just begun, or a second one of it."""
        state = progress.state
        fact = _find_start(progress)
        if fact is None or state.hand is None:
            return None
        started = fact.event
        assert isinstance(started, HandStarted)
        is_own = self._source in fact.seen_by
        if is_own and started.dice is not None and state.house.wall.indicator_dice:
            self._second = roll
            return None
        if abs(t_ns - fact.t_ns) > SAME_FACT_S * 1e9 or len(roll.pips) not in state.house.wall.dice:
            return None
        right = changed(started, dice=roll.pips)
        if not is_own:
            return right
        is_alone = fact.seen_by == (self._source,)
        if (
            right == started
            or not is_alone
            or (started.dice is not None and state.hand.phase is not Phase.DEAL)
        ):
            return None
        return Corrected(number=fact.number, right=right)  # it was thrown again, or is read late


def _find_start(progress: Progress) -> Fact | None:
    """The beginning of the hand in play."""
    return next((each for each in reversed(progress.facts) if isinstance(each.event, HandStarted)), None)
