"""What the kinds of tiles are called, in words: players never see codes."""

from __future__ import annotations

from itertools import groupby

from companion.sentences import Sentence, msgid
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.tiles.tile import TileRun

SUITS = {
    "m": msgid("{rank} characters"),
    "p": msgid("{rank} dots"),
    "s": msgid("{rank} bamboo"),
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
FLOWERS = (
    msgid("Plum Blossom"),
    msgid("Orchid"),
    msgid("Chrysanthemum"),
    msgid("Bamboo Flower"),
    msgid("Spring"),
    msgid("Summer"),
    msgid("Autumn"),
    msgid("Winter"),
)
NUMERALS = "一二三四五六七八九"
NAMED = {"z": HONORS, "f": FLOWERS}
"""Suits whose tiles have names of their own."""
CODES = frozenset(tile.code for tile in KINDS)


def name_tile(code: str) -> Sentence:
    """What people call that kind."""
    if code in (BACK, UNKNOWN) or code not in CODES:
        return Sentence("a tile")
    rank, suit = int(code[0]), code[1]
    if suit in NAMED:
        return Sentence(NAMED[suit][rank - 1])
    return Sentence(SUITS[suit], {"rank": rank})


def name_run(run: TileRun) -> tuple[Sentence, ...]:
    """What people call several tiles, those of a suit together: 3-4-5 bamboo, East, East."""
    named: list[Sentence] = []
    for suit, tiles in groupby(run.tiles, key=lambda tile: tile.suit):
        if suit.value in NAMED:
            named += [name_tile(tile.code) for tile in tiles]
        else:
            ranks = "-".join(str(tile.rank) for tile in tiles)
            named.append(Sentence(SUITS[suit.value], {"rank": ranks}))
    return tuple(named)


def write_ranks_in_chinese(ranks: object) -> str:
    """A tile's rank, or several as 3-4-5, as they are pronounced and written on tiles: 三四五."""
    return "".join(NUMERALS[int(rank) - 1] for rank in str(ranks).split("-"))
