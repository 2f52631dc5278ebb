"""Names of games, house options and currencies as people say them. No Kivy."""

from __future__ import annotations

import re

from companion.money import Currency
from companion.profiles import suggest_symbol
from companion.rules import RULE_SETS
from companion.rules.options import Option
from companion.rules.profile import Profile, make_profile
from companion.rules.stakes import BASE
from companion.rules.win import OptionValue
from companion.sentences import msgid
from companion.words import Words

FIRST_PART = re.compile(r"[^;:；：]+?(?=[;:；：]|[.。]$|$)")
"""Of what an option means: what is asked, without the settings that there are."""


def say_setting(value: OptionValue, words: Words) -> str:
    """A setting; settings that are words are messages, their underscores spaces."""
    if isinstance(value, bool):
        return words("yes") if value else words("no")
    return words(str(value).replace("_", " "))


def say_option(option: Option, words: Words) -> str:
    """What an option means."""
    return words.both(option.meaning, option.meaning_zh)[0]


def say_option_set(option: Option, value: OptionValue, words: Words) -> str:
    """How a table plays that has this setting: what the option means, or its question with the answer."""
    meaning = say_option(option, words)
    if value is True:
        return meaning
    if value is False:
        return words("Not so: {meaning}", meaning=meaning)
    asked = FIRST_PART.match(meaning)
    return words("{what}: {value}", what=asked[0] if asked else meaning, value=say_setting(value, words))


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
    said = [say_option_set(options[key], settings[key], words) for key in known.told_first]
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


SYMBOLS = ("NT$", "HK$", "¥", "$", "€", msgid("chips"))
POINTS = ("0.1", "0.5", "1", "2", "5", "10")
COINS = ("0.1", "0.5", "1", "5", "10", "50")


def guess_currency(rules: str) -> Currency:
    """The currency offered first for that game."""
    return Currency(suggest_symbol(rules), "1", "1")
