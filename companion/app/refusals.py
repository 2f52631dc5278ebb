"""Why the game that is played refuses what was touched, in one sentence. No Kivy."""

from __future__ import annotations

from companion.errors import EventError
from companion.sentences import Sentence, msgid
from companion.table.events import Corrected, Event

UNCHANGED = msgid("{problem} Nothing was changed.")
FIRST_LATER = msgid("{problem} Nothing was changed: take out first what came after it.")


def describe_refusal(event: Event, error: EventError) -> Sentence:
    """Why a touch was refused; of a correction that nothing was changed by it, and what to do where an event
    was to be taken out."""
    if not isinstance(event, Corrected):
        return error.sentence
    return Sentence(FIRST_LATER if event.right is None else UNCHANGED, {"problem": error.sentence})
