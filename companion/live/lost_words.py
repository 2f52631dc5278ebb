"""Why a game cannot be followed, in words that say what to do."""

from __future__ import annotations

from companion.following.decoder import NOT_OF_GAME, OTHER_HAND, UNEXPLAINED, UNREADABLE
from companion.live.table_watch import NO_TABLE
from companion.seeing.movement import (
    IS_COVERED,
    MOVED_AWAY,
    OTHER_SIZE,
    SHAKES,
    TOO_BRIGHT,
    TOO_DARK,
)
from companion.sentences import Sentence

__all__ = ["MOVED", "UNEXPLAINED", "describe_lost", "make_why"]

MOVED = (NO_TABLE, MOVED_AWAY, OTHER_SIZE)
"""Reasons for which the table has to be found anew."""
WORDS = {
    NO_TABLE: Sentence("The table is not found: show all four of its corners, in good light, or touch them."),
    MOVED_AWAY: Sentence(
        "The camera was moved: the table is being looked for. Show all four of its corners, or touch them."
    ),
    OTHER_SIZE: Sentence(
        "The camera's picture has another size than before: the table is being looked for. Show all four of"
        " its corners, or touch them."
    ),
    UNEXPLAINED: Sentence(
        "Tiles lie on the table that no legal move explains. Touch the event that is wrong, or take what lies"
        " there as it is."
    ),
    NOT_OF_GAME: Sentence(
        "Tiles lie on the table that this game does not have, or more than it has: look whether its rules are"
        " right, and take away what is of another set."
    ),
    OTHER_HAND: Sentence(
        "A hand is shown that has more or fewer tiles than a hand of this game: look whether its rules are"
        " right."
    ),
    UNREADABLE: Sentence(
        "Most tiles on the table cannot be read: turn the lamp or the camera if light shines back from them,"
        " or teach the program your tiles."
    ),
    IS_COVERED: Sentence("The camera is covered: uncover it, and the game is followed on."),
    SHAKES: Sentence("The camera shakes: hold it still, or fasten it."),
    TOO_DARK: Sentence("The picture is too dark: switch a lamp on."),
    TOO_BRIGHT: Sentence("The picture is too bright: turn the lamp or the camera away from each other."),
}


def make_why(trouble: str) -> Sentence:
    """Why, by the trouble of a sight: in few words, or in those of another program that recorded it."""
    if trouble in WORDS:
        return Sentence(trouble)
    return Sentence("The game cannot be followed: {why}.", {"why": trouble.removesuffix(".")})


def describe_lost(why: Sentence) -> Sentence:
    """The reason that the following gave, with what to do about it."""
    return WORDS.get(why.template, why)
