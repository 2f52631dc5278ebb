"""What games are called, and what is special about each. No Kivy."""

from __future__ import annotations

from companion.rules import RULE_SETS
from companion.sentences import msgid
from companion.words import Words

COUNTED_IN = {
    "zui": msgid("zui"),
    "multiplier": msgid("multiples"),
    "tai": msgid("tai"),
    "fan": msgid("fan"),
}
WILD_FIELD = "fortune"
"""The field of a request that games with wild tiles look at."""


def name_rules(rules: str, words: Words) -> str:
    """What people call the game."""
    known = RULE_SETS.get(rules)
    return words.both(known.title, known.title_zh)[0] if known else rules


def describe_rules(rules: str, words: Words) -> str:
    """In one line what makes the game special."""
    known = RULE_SETS[rules]
    said = [
        words("{count} tiles", count=known.tile_set.total),
        words("{count} in hand", count=known.hand_size),
        words("counted in {unit}", unit=words(COUNTED_IN.get(known.unit, known.unit))),
    ]
    if any(known.tile_set.copies[34:]):
        said.append(words("with flowers"))
    if WILD_FIELD in known.uses:
        said.append(words("with wild tiles"))
    return " · ".join(said)


def list_sample(rules: str) -> list[str]:
    """Tiles that show which set the game has."""
    return [tile.code for tile in RULE_SETS[rules].tile_set.kinds[-3:]]
