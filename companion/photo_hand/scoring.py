"""From a draft of a win to its score. It asks the rules, and computes nothing itself."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import CompanionError
from companion.photo_hand.draft import WinDraft
from companion.rules import Score, decode_request, score
from companion.sentences import Sentence
from companion.tiles import UNKNOWN


@dataclass(frozen=True, slots=True)
class Outcome:
    """The score, or the one sentence that says why there is none yet."""

    score: Score | None = None
    problem: Sentence | None = None


def evaluate(draft: WinDraft) -> Outcome:
    """The score of `draft`. A hand that is not finished, or not read in full, has a problem instead."""
    hand = draft.hand
    if not hand.tiles and not draft.by_flowers:
        return Outcome(problem=Sentence("Choose a picture of a finished hand, or add its tiles by hand."))
    unread = 0 if draft.by_flowers else sum(tile.code == UNKNOWN for tile in hand.free)
    if unread:
        return Outcome(
            problem=Sentence(
                "Tiles that could not be read: {count}. Tap each one and say what it is.", {"count": unread}
            )
        )
    try:
        return Outcome(score=score(decode_request(draft.request())))
    except CompanionError as error:
        return Outcome(problem=error.sentence)
