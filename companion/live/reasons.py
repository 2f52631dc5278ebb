"""Why the program itself ends a hand or sets a deal, in words of every language; people write their own."""

from __future__ import annotations

from companion.game.rescue import WHY as ENTRIES_LOST
from companion.sentences import Sentence, msgid

ENDED_BY_NEW_HAND = msgid("a new hand was begun")
NO_LONGER_FITS = msgid("the record no longer fits the tiles")
OWN = frozenset((ENDED_BY_NEW_HAND, NO_LONGER_FITS, ENTRIES_LOST))


def say_reason(why: str) -> Sentence | str:
    """A reason to be put into words; as it was written where a person wrote it."""
    return Sentence(why) if why in OWN else why
