"""Which sound belongs to what happens at the table. Pure."""

from __future__ import annotations

from companion.live.announcer.tones import Cue
from companion.table import events
from companion.table.events import Event
from companion.table.state import Phase, State

CUES: dict[type[Event], Cue] = {
    events.Discarded: Cue.DISCARD,
    events.Claimed: Cue.CLAIM,
    events.ConcealedKong: Cue.CLAIM,
    events.AddedKong: Cue.CLAIM,
    events.ReadyDeclared: Cue.CLAIM,
    events.FalseWin: Cue.ERROR,
    events.Won: Cue.WIN,
}


def choose_cue(before: State | None, event: Event, after: State) -> Cue | None:
    """The sound of an event that led from `before` to `after`; None where it is silent.

    The Sea Floor is heard as it begins, whatever began it.
    """
    if is_at_sea(after) and not (before is not None and is_at_sea(before)):
        return Cue.SEA
    return CUES.get(type(event))


def is_at_sea(state: State) -> bool:
    """Whether the last tiles are being drawn."""
    return state.hand is not None and state.hand.phase is Phase.SEA
