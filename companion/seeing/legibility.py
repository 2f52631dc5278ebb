"""Whether the faces on the table can be read at all: a lamp may shine back from them, or they may be of a set
that the program does not know."""

from __future__ import annotations

from collections.abc import Iterable

from companion.seeing.quarters import Quarters
from companion.seeing.tracks import Track
from companion.sentences import msgid

UNREADABLE = msgid("most tiles on the table cannot be read")
UNREAD, UNREAD_P, UNREAD_S = 4, 0.85, 3.0
"""So many tiles inside the walls that read as nothing with that probability after so long cannot be read,"""
UNREAD_SHARE, STILL_UNREAD = 0.5, 0.25
"""where they are more than this share of those that lie there; and, where that was said, than the second."""


def is_unreadable(lying: Iterable[Track], quarters: Quarters, t: float, *, said: bool) -> bool:
    """Whether most of the discards among these tiles show faces that nobody can read. said: whether it was so
    a moment ago."""
    discards = [track for track in lying if t - track.since_s > UNREAD_S and not quarters.is_at_edge(track)]
    unread = sum(max((p for _, p in track.face.readings), default=0.0) < UNREAD_P for track in discards)
    return unread >= UNREAD and unread > (STILL_UNREAD if said else UNREAD_SHARE) * len(discards)
