"""What the kinds of tiles are called, in words: players never see codes."""

from __future__ import annotations

from companion.sentences import Sentence, msgid
from companion.tiles import BACK, KINDS, UNKNOWN

SUITS = {
    "m": msgid("{rank} characters"),
    "p": msgid("{rank} dots"),
    "s": msgid("{rank} bamboo"),
    "f": msgid("flower {rank}"),
}
HONORS = (
    msgid("East"),
    msgid("South"),
    msgid("West"),
    msgid("North"),
    msgid("White"),
    msgid("Green"),
    msgid("Red"),
)
CODES = frozenset(tile.code for tile in KINDS)


def name_tile(code: str) -> Sentence:
    """What people call that kind."""
    if code in (BACK, UNKNOWN) or code not in CODES:
        return Sentence("a tile")
    rank, suit = int(code[0]), code[1]
    return Sentence(HONORS[rank - 1]) if suit == "z" else Sentence(SUITS[suit], {"rank": rank})
