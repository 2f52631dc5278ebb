"""Whether the clocks of tables are right, by what they say every 20 seconds. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from companion.publish.topics import TableTopics

OFF_MIN = timedelta(minutes=5)
"""Clocks that are less off are not mentioned."""
APART_MIN = timedelta(seconds=10)
"""Of two messages, so that none counts that waited somewhere together with the one before."""
SAME = timedelta(seconds=5)
"""How exactly two messages agree on how far the clock is off."""


class Clocks:
    """What each table has said last."""

    def __init__(self) -> None:
        self._said: dict[TableTopics, tuple[datetime, timedelta]] = {}
        self._is_off: set[TableTopics] = set()

    def note(self, table: TableTopics, at: datetime, now: datetime) -> timedelta | None:
        """How far the table's clock is ahead, below 0 for behind, at the moment when that is first certain.

        A message may have waited in a broker, so one does not show it: two in a row do that agree on how far
        it is off and came as far apart as they were sent.
        """
        ahead = at - now
        before = self._said.get(table)
        self._said[table] = now, ahead
        if before is None or now - before[0] < APART_MIN or abs(ahead - before[1]) > SAME:
            return None
        if abs(ahead) < OFF_MIN:
            self._is_off.discard(table)
            return None
        if table in self._is_off:
            return None
        self._is_off.add(table)
        return ahead
