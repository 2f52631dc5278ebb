"""House options as people say them. No Kivy."""

from __future__ import annotations

import re

from companion.rules.options import Option
from companion.rules.win import OptionValue
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
