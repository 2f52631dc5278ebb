"""What games are called, and what is special about each. No Kivy."""

from __future__ import annotations

from companion.app.widgets.option_words import say_option_set
from companion.rules import RULE_SETS
from companion.rules.profile import Profile, make_profile
from companion.rules.win import BASE
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


def has_base(rules: str) -> bool:
    """Whether a win of that game costs a base beside its value."""
    return BASE in RULE_SETS[rules].stakes


def counts_points(rules: str) -> bool:
    """Whether the unit of that game is one point, so that one number states the stakes."""
    return RULE_SETS[rules].point == 1 and not has_base(rules)


def describe_play(rules: str, profile: Profile | None, words: Words) -> str:
    """How that game is played, by these house rules where there are any: what people ask before they begin.
    What a hand pays and what it takes to win, where the game leaves that to the house, and who deals next."""
    known = RULE_SETS[rules]
    settings = (profile or make_profile(known, {})).settings
    options = {option.key: option for option in known.options}
    said = [say_option_set(options[key], settings[key], words) for key in known.key_options]
    rotation = known.play.rotation(settings)
    if rotation.to_winner:
        said.append(words("Who wins deals next"))
    elif rotation.on_win:
        said.append(words("A dealer who wins deals again, else the next player deals"))
    else:
        said.append(words("After a win the next player deals"))
    draw = msgid("After a draw the dealer deals again")
    said.append(words(draw if rotation.on_draw else msgid("After a draw the next player deals")))
    return " · ".join(said)


def list_sample(rules: str) -> list[str]:
    """Tiles that show which set the game has."""
    return [tile.code for tile in RULE_SETS[rules].tile_set.kinds[-3:]]
